package variants_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"blake2btest"
	"blake2btest/variants"
)

// otherSizes are how many MiB of other code run between calls in BenchmarkCold:
// none; more than the caches of a core hold; more than most cores share.
var otherSizes = []int{0, 4, 64}

// coldBlocks are how many blocks a call absorbs in BenchmarkCold.
var coldBlocks = []int{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}

// BenchmarkCold measures a call that absorbs some blocks after other code has run:
// the mean of the faster half of the times, some 20 ns of which are the clock's.
// Only F is cold, not the message and not what measures.
func BenchmarkCold(b *testing.B) {
	for _, other := range otherSizes {
		b.Run(fmt.Sprintf("other=%dMiB", other), func(b *testing.B) {
			run := otherCode(b, other<<20)
			for _, v := range variants.All {
				for _, n := range coldBlocks {
					b.Run(fmt.Sprintf("variant=%s/blocks=%d", v.Name, n), func(b *testing.B) {
						message := make([]byte, n*blake2btest.BlockSize)
						var h [8]uint64
						var took time.Duration
						var times []time.Duration
						for b.Loop() {
							run()
							clear(message)
							for _, m := range [][]byte{nil, message} {
								start := time.Now()
								v.Compress(&h, m, firstBlock, [2]uint64{})
								took = time.Since(start)
							}
							times = append(times, took)
						}
						slices.Sort(times)
						times = times[:(len(times)+1)/2]
						var sum time.Duration
						for _, took := range times {
							sum += took
						}
						b.ReportMetric(float64(sum.Nanoseconds())/float64(len(times)), "ns/op")
					})
				}
			}
		})
	}
}

// jump and ret are instructions: a jump by 64 bytes, which is a line of most
// caches, and the return from a function of Go.
var jump, ret = instructions()

func instructions() (jump, ret string) {
	switch runtime.GOARCH {
	case "386", "amd64":
		return "\xeb\x3e", "\xc3"
	case "arm":
		return "\x0e\x00\x00\xea", "\x1e\xff\x2f\xe1"
	case "arm64":
		return "\x10\x00\x00\x14", "\xc0\x03\x5f\xd6"
	case "riscv64":
		return "\x6f\x00\x00\x04", "\x67\x80\x00\x00"
	}
	return "", ""
}

// otherCode returns a function of size bytes that jumps from line to line and
// does nothing else. It is a file that the kernel maps as it would a program, for
// the compiler would need minutes.
func otherCode(tb testing.TB, size int) func() {
	if size == 0 {
		return func() {}
	}
	if jump == "" {
		tb.Skipf("has no code for %s", runtime.GOARCH)
	}
	line := make([]byte, 64)
	copy(line, jump)
	code := append(bytes.Repeat(line, size/len(line)), ret...)
	name := filepath.Join(tb.TempDir(), "code")
	if err := os.WriteFile(name, code, 0o666); err != nil {
		tb.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	mapped, err := syscall.Mmap(int(f.Fd()), 0, len(code),
		syscall.PROT_READ|syscall.PROT_EXEC, syscall.MAP_PRIVATE|syscall.MAP_POPULATE)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { syscall.Munmap(mapped) })
	// In Go a function value points to a pointer to code.
	start := &mapped[0]
	value := &start
	return *(*func())(unsafe.Pointer(&value))
}
