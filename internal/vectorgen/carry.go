package vectorgen

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"math/rand/v2"

	"blake2btest"
	"blake2btest/vectors"
)

// An edge is what the low 32 bits of an addition's operands are made to be. A
// port that adds 64-bit words in halves may get the carry wrong just there.
type edge struct {
	name string
	// low says whether the low halves of p and q, and of the message word x
	// where there is one, lie at the edge.
	low   func(p, q, x uint32) bool
	three bool // there must be one
}

const ones = 1<<32 - 1

var edges = []edge{
	{"both low halves all ones", func(p, q, x uint32) bool { return p == ones && q == ones }, false},
	{"low halves sum to 2^32", func(p, q, x uint32) bool { return p != 0 && p+q == 0 }, false},
	{"first and message word, low halves sum to 2^32", func(p, q, x uint32) bool { return p != 0 && p+x == 0 }, true},
	{"second and message word, low halves sum to 2^32", func(p, q, x uint32) bool { return q != 0 && q+x == 0 }, true},
	{"three low halves sum to 2^32", func(p, q, x uint32) bool { return uint64(p)+uint64(q)+uint64(x) == 1<<32 && x != 0 }, true},
	{"three low halves sum to 2^33", func(p, q, x uint32) bool { return uint64(p)+uint64(q)+uint64(x) == 1<<33 }, true},
	{"three low halves all ones", func(p, q, x uint32) bool { return p == ones && q == ones && x == ones }, true},
}

// choose returns operands p and q and a message word x at the edge, and whether
// it found any. The first operands may be given.
func (e edge) choose(r *rand.Rand, given ...uint64) (p, q, x uint64, ok bool) {
	pick := func(low ...uint32) uint64 { return r.Uint64()&^ones | uint64(low[r.IntN(len(low))]) }
	for range 1000 {
		p = pick(r.Uint32(), ones)
		if len(given) > 0 {
			p = given[0]
		}
		q = pick(r.Uint32(), ones, -uint32(p))
		if len(given) > 1 {
			q = given[1]
		}
		x = pick(r.Uint32(), ones, -uint32(p), -uint32(q), -uint32(p+q))
		if e.low(uint32(p), uint32(q), uint32(x)) {
			return p, q, x, true
		}
	}
	return 0, 0, 0, false
}

// carry sets out, for each addition of each of the eight G of the first round,
// blocks in which its operands lie at each edge. Later rounds use every message
// word again, so that there is none left to choose.
//
// The a and b of a column are words of h, its c is a word of the IV. The four
// words of a diagonal come from four different columns, and what the second
// message word of a column is determines each word that the column leaves. So
// in a diagonal every operand can be chosen by the message alone.
func carry() vectors.Set {
	s := vectors.Set{
		Name:   "carry",
		Title:  "For each addition in the first round of F, operands whose low 32 bits sum to 2^32 or 2^33, or are all ones: as calls of F with a chosen h, and as messages",
		Source: ours,
	}
	r := rng("carry")
	for place := range 8 {
		for addition := range 4 {
			for _, e := range edges {
				if e.three && addition%2 == 1 {
					continue // c + d has two operands
				}
				name := fmt.Sprintf("G %d, addition %d: %s", place, addition, e.name)
				for _, message := range []bool{false, true} {
					c, ok := arrange(r, place, addition, e, message)
					switch {
					case !ok:
						continue
					case message:
						var block []byte
						for _, w := range c.m {
							block = binary.LittleEndian.AppendUint64(block, w)
						}
						s.Vectors = append(s.Vectors, sum(name, blake2btest.Params{Size: 64}, block))
					default:
						s.Vectors = append(s.Vectors, answered(name, c.line()))
					}
				}
			}
		}
	}
	return set(s)
}

// arrange returns a call of F in which an addition of the G at place lies at
// the edge. With message, h and the counter are those of a message of one block.
// Some edges need luck in what is drawn for the other words.
func arrange(r *rand.Rand, place, addition int, e edge, message bool) (c compression, ok bool) {
	for range 20 {
		if c, ok = try(r, place, addition, e, message); ok {
			return c, true
		}
	}
	return c, false
}

func try(r *rand.Rand, place, addition int, e edge, message bool) (c compression, ok bool) {
	c = compression{rounds: 12, h: initial(), t: [2]uint64{128, 0}, final: true}
	fill(r, c.m[:])
	if !message {
		fill(r, c.h[:])
		fill(r, c.t[:])
		c.t[0] >>= 1 // counters from 2^63 up are another matter
	}
	iv := initial()
	iv[0] ^= 0x01010040
	d := [4]uint64{iv[4] ^ c.t[0], iv[5] ^ c.t[1], ^iv[6], iv[7]}
	i := place % 4
	if place < 4 {
		w := words{a: c.h[i], b: c.h[4+i], c: iv[i], d: d[i], x: c.m[2*i], y: c.m[2*i+1]}
		if !w.arrange(r, addition, e, !message, false) {
			return c, false
		}
		c.h[i], c.h[4+i], c.m[2*i], c.m[2*i+1] = w.a, w.b, w.x, w.y
		return c, true
	}
	var w words
	w.random(r)
	if !w.arrange(r, addition, e, true, true) {
		return c, false
	}
	// Have the columns leave these words.
	for k, want := range []uint64{w.a, w.b, w.c, w.d} {
		j := (i + k) % 4
		col := words{a: c.h[j], b: c.h[4+j], c: iv[j], d: d[j], x: c.m[2*j]}
		c.m[2*j+1] = col.leave(k, want)
	}
	c.m[8+2*i], c.m[9+2*i] = w.x, w.y
	return c, true
}

// words are what goes into a G.
type words struct{ a, b, c, d, x, y uint64 }

func (w *words) random(r *rand.Rand) {
	for _, p := range []*uint64{&w.a, &w.b, &w.c, &w.d, &w.x, &w.y} {
		*p = r.Uint64()
	}
}

// arrange changes the words so that an addition lies at the edge: the message
// words always, a and b if freeAB, c if freeC.
func (w *words) arrange(r *rand.Rand, addition int, e edge, freeAB, freeC bool) (ok bool) {
	switch addition {
	case 0: // a' = a + b + x
		var given []uint64
		if !freeAB {
			given = []uint64{w.a, w.b}
		}
		w.a, w.b, w.x, ok = e.choose(r, given...)
	case 1: // c' = c + d', d' = (d ^ a') >>> 32
		var given []uint64
		if !freeC {
			given = []uint64{w.c}
		}
		var d1 uint64
		w.c, d1, _, ok = e.choose(r, given...)
		w.x = (w.d ^ rotl(d1, 32)) - w.a - w.b
	case 2: // a'' = a' + b' + y, b' = (b ^ c') >>> 24
		var a1, b1 uint64
		if freeAB {
			a1, b1, w.y, ok = e.choose(r)
			w.b = (w.c + rotl(w.d^a1, 32)) ^ rotl(b1, 24)
		} else {
			a1 = r.Uint64()
			b1 = rotl(w.b^(w.c+rotl(w.d^a1, 32)), 64-24)
			_, _, w.y, ok = e.choose(r, a1, b1)
		}
		w.x = a1 - w.a - w.b
	case 3: // c'' = c' + d'', d'' = (d' ^ a'') >>> 16
		var c1, d2 uint64
		c1, d2, _, ok = e.choose(r)
		d1 := c1 - w.c
		a1 := w.d ^ rotl(d1, 32)
		w.x = a1 - w.a - w.b
		w.y = (d1 ^ rotl(d2, 16)) - a1 - rotl(w.b^c1, 64-24)
	}
	return ok
}

var rotl = bits.RotateLeft64

// leave returns the y with which the G leaves want in its word k: a, b, c or d.
func (w words) leave(k int, want uint64) uint64 {
	a1 := w.a + w.b + w.x
	d1 := rotl(w.d^a1, 32)
	c1 := w.c + d1
	b1 := rotl(w.b^c1, 64-24)
	// Backwards from what is wanted to a''.
	a2, c2, d2 := want, want, want
	if k == 1 {
		c2 = b1 ^ rotl(want, 63) // b'' = (b' ^ c'') >>> 63
	}
	if k == 1 || k == 2 {
		d2 = c2 - c1
	}
	if k != 0 {
		a2 = d1 ^ rotl(d2, 16)
	}
	return a2 - a1 - b1
}
