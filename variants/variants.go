// Package variants lists the forms in which this project holds BLAKE2b's
// compression function: rolled, a loop over the rounds; unrolled, twelve rounds
// written out, generated from rolled; and small, a loop inside a loop. They compute
// the same function. SIZE.md has what each costs in code and stack, SPEED.md and
// CACHE.md in time, TABLE.md beside the same in C.
package variants

import (
	"math/bits"

	"blake2btest/variants/rolled"
	"blake2btest/variants/small"
	"blake2btest/variants/unrolled"
)

//go:generate go test ../internal/unroll -generate
//go:generate go test -run=^TestSize$ . -generate

// A Compressor is the function F of RFC 7693, section 3.2, on one block after the
// other: it absorbs blocks, of 128 bytes each, into the state h. t is the offset
// counter in bytes, low word first, with the first block included, and 128 more
// with each that follows; f holds the finalization flags, all ones or zero: f[0]
// in the last block, f[1] also in the last node of a tree (BLAKE2 paper, section
// 2.4), which are blocks that come alone. It must not keep or change blocks.
type Compressor func(h *[8]uint64, blocks []byte, t, f [2]uint64)

// A Variant is a named Compressor.
type Variant struct {
	Name     string
	Compress Compressor

	// Rounds is Compress with a given number of rounds (EIP-152), nil where
	// the variant has twelve only.
	Rounds func(rounds uint32, h *[8]uint64, blocks []byte, t, f [2]uint64)
}

// All holds every variant. The first is the reference.
var All = []Variant{
	{Name: "rolled", Compress: rolledForWords(), Rounds: rolled.CompressRounds},
	{Name: "unrolled", Compress: unrolled.Compress},
	{Name: "small", Compress: small.Compress, Rounds: small.CompressRounds},
}

// rolledForWords returns the text of rolled for the words of this machine.
func rolledForWords() Compressor {
	if bits.UintSize == 32 {
		return rolled.Compress32
	}
	return rolled.Compress64
}

// Default returns the variant to use where there is no other reason to choose:
// unrolled where a word has 64 bits, rolled where it has 32. There unrolled
// takes ten times the code and is not faster.
func Default() Variant {
	if bits.UintSize == 64 {
		return All[1]
	}
	return All[0]
}
