package mutants

import (
	"encoding/binary"
	"math/bits"

	"blake2btest/internal/model"
)

// core is the compression function F in parts that can be exchanged, and slow
// for that.
type core struct {
	iv     [8]uint64
	load   func(block *[128]byte) [16]uint64
	start  func(iv *[8]uint64, h *[8]uint64, t, f [2]uint64) [16]uint64 // the working vector
	row    func(r int) [16]int                                          // of sigma, for round r
	round  func(c *core, v, m *[16]uint64, s [16]int)
	places [8][4]int // the words of v that the eight G of a round mix
	g      func(k *core, a, b, c, d *uint64, x, y uint64)
	add    func(place int, a, b, x uint64) uint64 // the four additions of G, x being 0 in the second and fourth
	rotate func(place int, x uint64) uint64       // its four rotations
	feed   func(h *[8]uint64, v *[16]uint64)      // the new h
}

func rightCore() *core {
	return &core{
		iv:    model.IV,
		load:  words(binary.LittleEndian.Uint64),
		start: vector,
		row:   row,
		round: round,
		places: [8][4]int{
			{0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15},
			{0, 5, 10, 15}, {1, 6, 11, 12}, {2, 7, 8, 13}, {3, 4, 9, 14},
		},
		g:      g,
		add:    func(_ int, a, b, x uint64) uint64 { return a + b + x },
		rotate: rotations(32, 24, 16, 63),
		feed:   feed,
	}
}

// compress is a function.
func (c *core) compress(rounds uint32, h *[8]uint64, block *[128]byte, t, f [2]uint64) {
	m := c.load(block)
	v := c.start(&c.iv, h, t, f)
	for r := range int(rounds) {
		c.round(c, &v, &m, c.row(r))
	}
	c.feed(h, &v)
}

// words returns a load that reads a word from every 8 bytes.
func words(word func(b []byte) uint64) func(block *[128]byte) [16]uint64 {
	return func(block *[128]byte) (m [16]uint64) {
		for i := range m {
			m[i] = word(block[8*i : 8*i+8])
		}
		return m
	}
}

func vector(iv *[8]uint64, h *[8]uint64, t, f [2]uint64) (v [16]uint64) {
	copy(v[:8], h[:])
	copy(v[8:], iv[:])
	v[12] ^= t[0]
	v[13] ^= t[1]
	v[14] ^= f[0]
	v[15] ^= f[1]
	return v
}

func row(r int) [16]int { return model.Sigma[r%10] }

func round(c *core, v, m *[16]uint64, s [16]int) {
	for i, p := range c.places {
		c.g(c, &v[p[0]], &v[p[1]], &v[p[2]], &v[p[3]], m[s[2*i]], m[s[2*i+1]])
	}
}

func g(k *core, a, b, c, d *uint64, x, y uint64) {
	*a = k.add(0, *a, *b, x)
	*d = k.rotate(0, *d^*a)
	*c = k.add(1, *c, *d, 0)
	*b = k.rotate(1, *b^*c)
	*a = k.add(2, *a, *b, y)
	*d = k.rotate(2, *d^*a)
	*c = k.add(3, *c, *d, 0)
	*b = k.rotate(3, *b^*c)
}

// rotations returns a rotate that moves bits to the right.
func rotations(n ...int) func(place int, x uint64) uint64 {
	return func(place int, x uint64) uint64 { return bits.RotateLeft64(x, -n[place]) }
}

func feed(h *[8]uint64, v *[16]uint64) {
	for i := range h {
		h[i] ^= v[i] ^ v[i+8]
	}
}
