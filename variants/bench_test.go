package variants_test

import (
	"fmt"
	"hash"
	"testing"

	"blake2btest"
	"blake2btest/variants"

	"golang.org/x/crypto/blake2b"
)

// messageSizes are the lengths in bytes that the Linux kernel's benchmark of its
// hash functions takes (lib/crypto/tests/hash-test-template.h).
var messageSizes = []int{1, 16, 64, 127, 128, 200, 256, 511, 512, 1024, 3173, 4096, 16384}

// BenchmarkHash measures BLAKE2b-512 of a message over each variant, and
// golang.org/x/crypto/blake2b. SPEED.md has the commands.
func BenchmarkHash(b *testing.B) {
	for _, v := range variants.All {
		h, err := blake2btest.Over(v).New(blake2btest.Params{Size: 64})
		if err != nil {
			b.Fatal(err)
		}
		benchmarkHash(b, v.Name, h)
	}
	h, err := blake2b.New512(nil)
	if err != nil {
		b.Fatal(err)
	}
	benchmarkHash(b, "xcrypto", h)
}

func benchmarkHash(b *testing.B, name string, h hash.Hash) {
	for _, size := range messageSizes {
		b.Run(fmt.Sprintf("variant=%s/size=%d", name, size), func(b *testing.B) {
			message := make([]byte, size)
			sum := make([]byte, 0, h.Size())
			b.SetBytes(int64(size))
			for b.Loop() {
				h.Reset()
				h.Write(message)
				h.Sum(sum)
			}
		})
	}
}

// BenchmarkCompress measures F alone, over as many blocks as a call of Write
// might have.
func BenchmarkCompress(b *testing.B) {
	for _, v := range variants.All {
		for _, n := range []int{1, 128} {
			b.Run(fmt.Sprintf("variant=%s/blocks=%d", v.Name, n), func(b *testing.B) {
				blocks := make([]byte, n*blake2btest.BlockSize)
				var h [8]uint64
				b.SetBytes(int64(len(blocks)))
				for b.Loop() {
					v.Compress(&h, blocks, firstBlock, [2]uint64{})
				}
			})
		}
	}
}

// firstBlock is the counter at the first block of a message.
var firstBlock = [2]uint64{blake2btest.BlockSize}
