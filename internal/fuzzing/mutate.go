package fuzzing

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"sync"

	"blake2btest"
)

// A Source gives Cases without end: half of them are fresh, the others inputs
// that the targets begin with, changed a little, so that what is next to each
// known edge is asked too. It is no mutator for an engine: it learns nothing.
type Source struct {
	r     *rand.Rand
	seeds [][]byte
}

// NewSource returns a Source whose Cases depend on its arguments alone.
func NewSource(seed uint64, worker int) *Source {
	return &Source{rand.New(rand.NewPCG(seed, uint64(worker))), anySeeds()}
}

var anySeeds = sync.OnceValue(func() [][]byte { return Seeds(Any) })

// Next returns a Case that Validate accepts and BLAKE2b has an answer for.
func (s *Source) Next() blake2btest.Case {
	if s.r.IntN(2) == 0 {
		return blake2btest.RandomCase(s.r)
	}
	input := slices.Clone(s.seed())
	for range 1 + s.r.IntN(4) {
		input = mutations[s.r.IntN(len(mutations))](s, input)
	}
	return Decode(input, Any)
}

func (s *Source) seed() []byte { return s.seeds[s.r.IntN(len(s.seeds))] }

// mutations are what may be done to an input; they may change its bytes.
var mutations = []func(s *Source, b []byte) []byte{
	(*Source).flip, (*Source).edge, (*Source).number, (*Source).splice, (*Source).insert, (*Source).remove,
}

// flip flips a bit.
func (s *Source) flip(b []byte) []byte {
	i := s.r.IntN(8 * len(b))
	b[i/8] ^= 1 << (i % 8)
	return b
}

// edge sets a byte to one at an edge.
func (s *Source) edge(b []byte) []byte {
	edges := []byte{0, 1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 254, 255}
	b[s.r.IntN(len(b))] = edges[s.r.IntN(len(edges))]
	return b
}

// number overwrites some bytes with a number next to a multiple of 128, which
// is a length, or to a power of two.
func (s *Source) number(b []byte) []byte {
	n := uint64(blake2btest.BlockSize * s.r.IntN(9))
	if s.r.IntN(2) == 0 {
		n = 1 << s.r.IntN(64)
	}
	n += uint64(s.r.IntN(5)) - 2
	size := []int{1, 2, 4, 8}[s.r.IntN(4)]
	copy(b[s.r.IntN(len(b)):], binary.LittleEndian.AppendUint64(nil, n)[:size])
	return b
}

// splice goes on as another input does.
func (s *Source) splice(b []byte) []byte {
	other := s.seed()
	return append(b[:1+s.r.IntN(len(b))], other[s.r.IntN(len(other)):]...)
}

// insert repeats a piece of an input somewhere in this one.
func (s *Source) insert(b []byte) []byte {
	from := s.seed()
	at := s.r.IntN(len(from))
	n := 1 + s.r.IntN(min(len(from)-at, 2*blake2btest.BlockSize))
	return slices.Insert(b, 1+s.r.IntN(len(b)), from[at:at+n]...)
}

// remove takes a piece out, but for the first byte.
func (s *Source) remove(b []byte) []byte {
	from := 1 + s.r.IntN(len(b))
	return slices.Delete(b, from, from+s.r.IntN(len(b)-from+1))
}
