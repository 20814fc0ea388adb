// Package model is a second BLAKE2b, slow and plain, that shares nothing with
// the first: given the parameters and the whole message it lays out the
// parameter block and the padded blocks, and compresses one after the other. A
// program of steps is answered by remembering what was written. It is what the
// variants are compared with, since they share hash.go and come from one text.
package model

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"blake2btest"
)

// sigma is the table of RFC 7693, section 2.7, as it stands there.
const sigma = `
	0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15
	14 10  4  8  9 15 13  6  1 12  0  2 11  7  5  3
	11  8 12  0  5  2 15 13 10 14  3  6  7  1  9  4
	7  9  3  1 13 12 11 14  2  6  5 10  4  0 15  8
	9  0  5  7  2  4 10 15 14  1 11 12  6  8  3 13
	2 12  6 10  0 11  8  3  4 13  7  5 15 14  1  9
	12  5  1 15 14 13  4 10  0  7  6  3  9  2  8 11
	13 11  7 14 12  1  3  9  5  0 15  4  8  6  2 10
	6 15 14  9 11  3  0  8 12  2 13  7  1  4 10  5
	10  2  8  4  7  6  1  5 15 11  9 14  3 12 13  0`

// Sigma is that table: row r%10 is for round r.
var Sigma = parseSigma()

func parseSigma() (s [10][16]int) {
	r := bytes.NewReader([]byte(sigma))
	for i := range s {
		for j := range s[i] {
			if _, err := fmt.Fscan(r, &s[i][j]); err != nil {
				panic(err)
			}
		}
	}
	return s
}

// IV is computed by RFC 7693, section 2.6: IV[i] = floor(2^64 * frac(sqrt(prime(i+1)))).
var IV = func() (w [8]uint64) {
	for i, prime := range []int64{2, 3, 5, 7, 11, 13, 17, 19} {
		x := new(big.Int).Lsh(big.NewInt(prime), 128)
		w[i] = x.Sqrt(x).Uint64() // the low 64 bits
	}
	return w
}()

// uint128 is a number of bytes: a message may be nearly 2^128 long.
type uint128 struct{ hi, lo uint64 }

func (x uint128) plus(n int) uint128 {
	sum := x.lo + uint64(n)
	if sum < x.lo {
		x.hi++
	}
	return uint128{x.hi, sum}
}

// f is the function F of RFC 7693, section 3.2, on message words m.
func f(h [8]uint64, m [16]uint64, t uint128, final, last bool, rounds int) [8]uint64 {
	v := start(h, t, final, last)
	for r := range rounds {
		round(&v, &m, r)
	}
	for i := range 8 {
		h[i] ^= v[i] ^ v[i+8]
	}
	return h
}

// start is the working vector before the first round.
func start(h [8]uint64, t uint128, final, last bool) (v [16]uint64) {
	for i := range 8 {
		v[i], v[i+8] = h[i], IV[i]
	}
	v[12] ^= t.lo
	v[13] ^= t.hi
	if final {
		v[14] = ^v[14]
	}
	if last {
		v[15] = ^v[15]
	}
	return v
}

func round(v, m *[16]uint64, r int) {
	s := &Sigma[r%10]
	for i := range 8 {
		// The first four mix columns, the others diagonals.
		a, b, c, d := i%4, i%4, i%4, i%4
		if i >= 4 {
			b, c, d = (i+1)%4, (i+2)%4, (i+3)%4
		}
		g(&v[a], &v[4+b], &v[8+c], &v[12+d], m[s[2*i]], m[s[2*i+1]])
	}
}

// g is the mixing function G of RFC 7693, section 3.1.
func g(a, b, c, d *uint64, x, y uint64) {
	*a = *a + *b + x
	*d = rotr(*d^*a, 32)
	*c = *c + *d
	*b = rotr(*b^*c, 24)
	*a = *a + *b + y
	*d = rotr(*d^*a, 16)
	*c = *c + *d
	*b = rotr(*b^*c, 63)
}

func rotr(x uint64, n int) uint64 { return x>>n ^ x<<(64-n) }

// word reads 8 bytes, the lowest first.
func word(p []byte) (w uint64) {
	for i := range 8 {
		w |= uint64(p[i]) << (8 * i)
	}
	return w
}

// put writes the lowest n bytes of w, the lowest first.
func put(w uint64, n int) []byte {
	p := make([]byte, n)
	for i := range p {
		p[i] = byte(w >> (8 * i))
	}
	return p
}

// block is one of 128 bytes, and what F is told with it.
type block struct {
	words [16]uint64
	t     uint128
	final bool
}

// blocks cuts data, to whose length t is added in the counters, into blocks, the
// last one padded with zeros. There is always one.
func blocks(data []byte, t uint128) []block {
	var list []block
	for i := 0; i == 0 || i < len(data); i += 128 {
		end := min(i+128, len(data))
		var padded [128]byte
		copy(padded[:], data[i:end])
		b := block{t: t.plus(end), final: end == len(data)}
		for j := range b.words {
			b.words[j] = word(padded[8*j:])
		}
		list = append(list, b)
	}
	return list
}

// hash is BLAKE2b of a whole message (RFC 7693, section 3.3). t is the length
// of what is taken to have gone before.
func hash(p blake2btest.Params, message []byte, t uint128) []byte {
	tree := blake2btest.Tree{Fanout: 1, MaxDepth: 1}
	if p.Tree != nil {
		tree = *p.Tree
	}
	// The BLAKE2 paper, table 2.1.
	param := slices.Concat(
		[]byte{byte(p.Size), byte(len(p.Key)), tree.Fanout, tree.MaxDepth},
		put(uint64(tree.LeafSize), 4),
		put(tree.NodeOffset, 8),
		[]byte{tree.NodeDepth, tree.InnerSize},
		make([]byte, 14),
		pad(p.Salt, 16),
		pad(p.Person, 16),
	)
	data := message
	if len(p.Key) > 0 {
		data = slices.Concat(pad(p.Key, 128), message)
	}
	var h [8]uint64
	for i := range h {
		h[i] = IV[i] ^ word(param[8*i:])
	}
	for _, b := range blocks(data, t) {
		h = f(h, b.words, b.t, b.final, b.final && tree.LastNode, 12)
	}
	return state(h)[:p.Size]
}

func pad(p []byte, n int) []byte {
	return slices.Concat(p, make([]byte, n-len(p)))
}

func state(h [8]uint64) []byte {
	var b []byte
	for _, w := range h {
		b = append(b, put(w, 8)...)
	}
	return b
}

// hashXOF is BLAKE2Xb (BLAKE2X paper, section 2): the root's digest, hashed
// again in a node for each 64 bytes of output. length is 2^32-1 if unknown.
func hashXOF(key, message []byte, length uint32, n int) []byte {
	offset := func(i int) uint64 { return uint64(length)<<32 + uint64(i) }
	h0 := hash(blake2btest.Params{Size: 64, Key: key, Tree: &blake2btest.Tree{Fanout: 1, MaxDepth: 1, NodeOffset: offset(0)}}, message, uint128{})
	var out []byte
	for i := 0; len(out) < n; i++ {
		size := 64
		if length != 1<<32-1 {
			size = min(64, n-len(out))
		}
		out = append(out, hash(blake2btest.Params{Size: size, Tree: &blake2btest.Tree{LeafSize: 64, NodeOffset: offset(i), InnerSize: 64}}, h0, uint128{})...)
	}
	return out[:n]
}

// maxBytes is how long a message or output may be, maxRounds how many rounds F
// may have: this is slow.
const (
	maxBytes  = 1 << 24
	maxRounds = 1 << 16
)

// Port is the model as a Port.
type Port struct{}

// About names it.
func (Port) About() (name, version string) { return "model", "1" }

// Answer answers every verb.
func (Port) Answer(c blake2btest.Case) ([]byte, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	total := uint64(0)
	for _, s := range c.Steps {
		if total += min(s.Len(), maxBytes+1); total > maxBytes {
			return nil, fmt.Errorf("message above %d bytes: %w", maxBytes, errors.ErrUnsupported)
		}
	}
	switch c.Verb {
	case blake2btest.VerbSum:
		return sum(c)
	case blake2btest.VerbCompress:
		return compress(written(c.Steps[0]), c.Last)
	case blake2btest.VerbXOF:
		var message []byte
		for _, s := range c.Steps {
			message = append(message, written(s)...)
		}
		n, length := uint64(c.Size), uint32(c.Size)
		if c.Read > 0 {
			n, length = c.Read, 1<<32-1
		}
		switch {
		case len(c.Key) > 64:
			return nil, fmt.Errorf("key length %d is above 64", len(c.Key))
		case n > maxBytes:
			return nil, fmt.Errorf("output above %d bytes: %w", maxBytes, errors.ErrUnsupported)
		}
		return hashXOF(c.Key, message, length, int(n)), nil
	}
	return nil, fmt.Errorf("verb %q: %w", c.Verb, errors.ErrUnsupported)
}

func written(s blake2btest.Step) []byte {
	return bytes.Repeat(s.Data, int(max(s.Count, 1)))
}

func sum(c blake2btest.Case) ([]byte, error) {
	for _, l := range []struct {
		name            string
		value, min, max int
	}{
		{"digest", c.Size, 1, 64}, {"key", len(c.Key), 0, 64}, {"salt", len(c.Salt), 0, 16}, {"personalization", len(c.Person), 0, 16},
	} {
		if l.value < l.min || l.value > l.max {
			return nil, fmt.Errorf("%s length %d is not from %d to %d", l.name, l.value, l.min, l.max)
		}
	}
	// A state is what was written to it, and the counter that it started from.
	type state struct {
		message []byte
		t       uint128
	}
	now := state{t: uint128{c.T[1], c.T[0]}}
	var aside state
	var digests []byte
	digest := func() { digests = append(digests, hash(c.Params, now.message, now.t)...) }
	for _, s := range c.Steps {
		switch s.Op {
		case blake2btest.OpWrite:
			now.message = slices.Concat(now.message, written(s))
		case blake2btest.OpSum:
			digest()
		case blake2btest.OpReset:
			now = state{}
		case blake2btest.OpNew:
			aside = state{}
		case blake2btest.OpClone:
			aside = now
		case blake2btest.OpSwap:
			now, aside = aside, now
		case blake2btest.OpSave:
			// Nothing is lost by an export.
		}
	}
	digest()
	return digests, nil
}

// input is what F is given in EIP-152's form.
type input struct {
	rounds int64
	h      [8]uint64
	m      [16]uint64
	t      uint128
	final  bool
}

func parse(in []byte) (p input, err error) {
	if len(in) != 213 {
		return p, fmt.Errorf("input length %d is not 213", len(in))
	}
	if in[212] > 1 {
		return p, fmt.Errorf("final flag %d is above 1", in[212])
	}
	p.rounds = int64(in[0])<<24 | int64(in[1])<<16 | int64(in[2])<<8 | int64(in[3])
	for i := range p.h {
		p.h[i] = word(in[4+8*i:])
	}
	for i := range p.m {
		p.m[i] = word(in[68+8*i:])
	}
	p.t = uint128{word(in[204:]), word(in[196:])}
	p.final = in[212] == 1
	return p, nil
}

func compress(in []byte, last bool) ([]byte, error) {
	p, err := parse(in)
	if err != nil {
		return nil, err
	}
	if p.rounds > maxRounds {
		return nil, fmt.Errorf("%d rounds are above %d: %w", p.rounds, maxRounds, errors.ErrUnsupported)
	}
	return state(f(p.h, p.m, p.t, p.final, last, int(p.rounds))), nil
}

// Working returns the working vectors of one F, given in EIP-152's form: before
// the first round, and after each. It panics if the input is not valid.
func Working(in []byte, last bool) [][16]uint64 {
	p, err := parse(in)
	if err != nil {
		panic(err)
	}
	v := start(p.h, p.t, p.final, last)
	all := [][16]uint64{v}
	for r := range int(p.rounds) {
		round(&v, &p.m, r)
		all = append(all, v)
	}
	return all
}
