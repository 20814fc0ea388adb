package blake2btest

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
)

// RandomCase draws a Case that BLAKE2b has an answer for: of any verb but
// about, with parameters, lengths, counters and words at their edges more often
// than chance would have them. A sum of at most some 10,000 bytes, 63 rounds,
// and 300 bytes of a xof.
func RandomCase(r *rand.Rand) Case {
	switch r.IntN(8) {
	case 0, 1:
		return randomCompress(r)
	case 2:
		c := Case{Verb: VerbXOF, Params: Params{Key: randomUpTo(r, MaxKeySize)}}
		if n := 1 + r.IntN(300); r.IntN(2) == 0 {
			c.Size = n
		} else {
			c.Read = uint64(n)
		}
		for range r.IntN(3) {
			c.Steps = append(c.Steps, randomWrite(r))
		}
		return c
	}
	c := Case{Verb: VerbSum, Params: randomParams(r)}
	if len(c.Key) == 0 && r.IntN(4) == 0 {
		c.T = [2]uint64{randomWord(r) &^ (BlockSize - 1), randomWord(r)}
	}
	aside := false
	for range r.IntN(6) {
		s := randomWrite(r)
		if r.IntN(3) == 0 {
			s = Step{Op: []Op{OpSum, OpReset, OpNew, OpClone, OpSwap, OpSave}[r.IntN(6)]}
		}
		if s.Op == OpSwap && !aside {
			continue
		}
		aside = aside || s.Op == OpNew || s.Op == OpClone
		c.Steps = append(c.Steps, s)
	}
	return c
}

// randomParams draws from what most ports have as often as from all there is.
func randomParams(r *rand.Rand) Params {
	p := Params{Size: 1 + r.IntN(MaxSize), Key: randomUpTo(r, MaxKeySize)}
	if r.IntN(4) == 0 {
		p.Size = MaxSize
	}
	if r.IntN(2) == 0 {
		return p
	}
	p.Salt = randomUpTo(r, MaxSaltSize)
	p.Person = randomUpTo(r, MaxPersonSize)
	if r.IntN(2) == 0 {
		p.Tree = &Tree{
			Fanout:     uint8(randomWord(r)),
			MaxDepth:   uint8(randomWord(r)),
			LeafSize:   uint32(randomWord(r)),
			NodeOffset: randomWord(r),
			NodeDepth:  uint8(randomWord(r)),
			InnerSize:  uint8(r.IntN(MaxSize + 1)),
			LastNode:   r.IntN(2) == 0,
		}
	}
	return p
}

// randomUpTo draws nil half of the time, else up to max bytes.
func randomUpTo(r *rand.Rand, max int) []byte {
	if r.IntN(2) == 0 {
		return nil
	}
	return randomBytes(r, r.IntN(max+1))
}

func randomBytes(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func randomWrite(r *rand.Rand) Step {
	s := Step{Op: OpWrite}
	var n int
	switch r.IntN(8) {
	case 0:
		n = r.IntN(4)
	case 1, 2, 3:
		n = max(0, BlockSize*r.IntN(5)+r.IntN(5)-2) // around whole blocks
	case 4:
		n = 1 + r.IntN(8)
		s.Count = uint64(1 + r.IntN(300))
	default:
		n = r.IntN(600)
	}
	if n > 0 {
		s.Data = randomBytes(r, n)
	}
	return s
}

// randomWord draws words near powers of two and of all ones in their lower
// half as often as others.
func randomWord(r *rand.Rand) uint64 {
	w := r.Uint64()
	switch r.IntN(6) {
	case 0:
		return 1<<r.IntN(64) + w%1024
	case 1:
		return 1<<r.IntN(64) - w%1024
	case 2:
		return w | math.MaxUint32
	case 3:
		return -(w % 1024)
	}
	return w
}

func randomCompress(r *rand.Rand) Case {
	rounds := uint32(12)
	if r.IntN(4) == 0 {
		rounds = uint32(r.IntN(64))
	}
	in := binary.BigEndian.AppendUint32(make([]byte, 0, compressSize), rounds)
	for range 8 + 16 + 2 {
		in = binary.LittleEndian.AppendUint64(in, randomWord(r))
	}
	in = append(in, byte(r.IntN(2)))
	return Case{Verb: VerbCompress, Last: r.IntN(4) == 0, Steps: []Step{{Op: OpWrite, Data: in}}}
}
