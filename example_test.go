package blake2btest_test

import (
	"errors"
	"fmt"
	"hash"
	"io"
	"log"

	"blake2btest"
	"blake2btest/variants"

	"golang.org/x/crypto/blake2b"
)

func ExampleAnswerLine() {
	port := blake2btest.Over(variants.Default())
	fmt.Println(blake2btest.AnswerLine(port, "sum size=32 key=00ff : 6162 63"))
	fmt.Println(blake2btest.AnswerLine(port, "sum size=65 : -"))
	// Output:
	// ok 48a4de065eb45d31affdb28ec36dd1c9cc90c7d7480acb0b16eb4cc4185d934f
	// error digest length 65 is above 64
}

// Somebody's hash becomes a port by a function that makes one.
func ExampleMakeHash() {
	port := blake2btest.MakeHash(func(p blake2btest.Params) (hash.Hash, error) {
		if p.Salt != nil || p.Person != nil || p.Tree != nil {
			return nil, errors.ErrUnsupported
		}
		return blake2b.New(p.Size, p.Key)
	})
	for _, line := range []string{
		"sum size=8 : 616263 sum reset",
		"sum size=8 salt=00 : 616263",
		"sum size=0 : 616263",
	} {
		fmt.Println(blake2btest.AnswerLine(port, line))
	}
	// Output:
	// ok d8bb14d833d59559 e4a6a0577479b2b4
	// unsupported
	// error blake2b: invalid hash size
}

func ExampleParseCase() {
	c, err := blake2btest.ParseCase("sum key=00ff size=32 : 61 clone 62 swap 63*1000")
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range c.Steps {
		fmt.Println(s.Op, s.Len())
	}
	fmt.Println(c)
	// Output:
	// write 1
	// clone 0
	// write 1
	// swap 0
	// write 1000
	// sum size=32 key=00ff : 61 clone 62 swap 63*1000
}

// A node of a hash tree: the second leaf of 4,096 bytes, the last.
func ExampleBLAKE2b_New() {
	h, err := blake2btest.Over(variants.Default()).New(blake2btest.Params{
		Size: 64,
		Salt: []byte("salt"),
		Tree: &blake2btest.Tree{Fanout: 2, MaxDepth: 2, LeafSize: 4096, NodeOffset: 1, InnerSize: 64, LastNode: true},
	})
	if err != nil {
		log.Fatal(err)
	}
	io.WriteString(h, "the end of the message")
	fmt.Printf("%x\n", h.Sum(nil)[:16])
	// Output: e2adb5658a7e6b1ea9adab0af7cfa5e7
}

func ExampleBLAKE2b_NewXOF() {
	x, err := blake2btest.Over(variants.Default()).NewXOF(100, nil)
	if err != nil {
		log.Fatal(err)
	}
	io.WriteString(x, "abc")
	out, err := io.ReadAll(x)
	fmt.Printf("%d bytes: %x…, %v\n", len(out), out[:8], err)
	// Output: 100 bytes: e0f82b71c07860b6…, <nil>
}

// RFC 7693, Appendix E: its self-test hashes 48 digests into one.
func ExampleAccumulate() {
	port := blake2btest.Over(variants.Default())
	points, err := blake2btest.Accumulate(port, blake2btest.Sequence("rfc7693"), 32, []int{48})
	fmt.Println(points[0].Digest, err)
	// Output: c23a7800d98123bd10f506c61e29da5603d763b8bbad2e737f5e765a7bccd475 <nil>
}
