package mutants

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"blake2btest/internal/model"
)

// controls look wrong, and are not.
var controls = control([]fault{
	{"rotate-32-left", "the rotation by 32 is one to the left", "https://github.com/tronprotocol/java-tron/issues/6353",
		rotates(func(place int, x uint64) uint64 {
			if place == 0 {
				return bits.RotateLeft64(x, 32)
			}
			return rightRotation(place, x)
		})},
})

func control(faults []fault) []Mutant {
	list := asPorts(faults)
	for i := range list {
		list[i].Control = true
	}
	return list
}

// cores are faults in F (RFC 7693, sections 2.6 to 3.2).
var cores = []fault{
	// Constants.
	{"iv-of-sha-384", "the IV is that of SHA-384", Unreported,
		constants([8]uint64{
			0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17, 0x152fecd8f70e5939,
			0x67332667ffc00b31, 0x8eb44a8768581511, 0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4,
		})},
	{"iv-of-blake2s", "the IV is that of BLAKE2s", Unreported,
		derived(func(_ int, w uint64) uint64 { return w >> 32 })},
	{"iv-mistyped", "two digits of a word of the IV are exchanged", "K26",
		derived(func(i int, w uint64) uint64 {
			if i == 5 {
				return 0x9b05688c2b3e6cf1
			}
			return w
		})},
	{"iv-word-twice", "the sixth word of the IV is there twice, the seventh is missing", Unreported,
		derived(func(i int, w uint64) uint64 {
			if i == 6 {
				return model.IV[5]
			}
			return w
		})},
	{"iv-float64", "the IV is held in floating-point numbers, whose 53 bits lose the lowest 11", Unreported,
		derived(func(_ int, w uint64) uint64 { return float(w) })},
	{"iv-halves-swapped", "the IV is a list of 32-bit words with the upper halves first, read as if the lower ones were", Unreported,
		derived(func(_ int, w uint64) uint64 { return bits.RotateLeft64(w, 32) })},
	{"iv-sign-extended", "the lower halves of the IV are signed numbers, whose sign is ORed into the upper ones", Unreported,
		derived(func(_ int, w uint64) uint64 { return w | uint64(int64(int32(w))) })},
	{"iv-wrong-in-f-alone", "in F one word of the IV has a bit too many", "K26",
		cored(func(c *core) { c.iv[7] |= 0x80 })},
	{"iv-with-parameters-in-f", "F takes the IV with the first parameters in it", Unreported,
		cored(func(c *core) { c.iv[0] ^= 0x01010040 })},

	// The message words.
	{"load-big-endian", "the message words are read with the highest byte first", "K31 https://github.com/librsync/librsync/issues/25",
		loads(binary.BigEndian.Uint64)},
	{"load-halves-swapped", "of the message words the upper halves are read first", Unreported,
		loads(func(b []byte) uint64 { return bits.RotateLeft64(binary.LittleEndian.Uint64(b), 32) })},
	{"load-pairs-of-bytes-swapped", "the message words are read in units of 16 bits with the high byte first", Unreported,
		loads(func(b []byte) (w uint64) {
			for i := 0; i < 8; i += 2 {
				w |= uint64(binary.BigEndian.Uint16(b[i:])) << (8 * i)
			}
			return w
		})},
	{"load-signed-bytes", "the bytes of a message word are signed numbers that are ORed together", Unreported,
		loads(func(b []byte) (w uint64) {
			for i, c := range b {
				w |= uint64(int8(c)) << (8 * i)
			}
			return w
		})},
	{"load-signed-bytes-added", "the bytes of a message word are signed numbers that are added up", Unreported,
		loads(func(b []byte) (w uint64) {
			for i, c := range b {
				w += uint64(int8(c)) << (8 * i)
			}
			return w
		})},
	{"load-signed-half", "the lower half of a message word is a signed number, whose sign is ORed into the upper half", Unreported,
		loads(func(b []byte) uint64 {
			w := binary.LittleEndian.Uint64(b)
			return w | uint64(int64(int32(w)))
		})},
	{"load-shift-modulo-32", "the bytes of a message word are shifted in 32 bits, by a count modulo 32", Unreported,
		loads(func(b []byte) (w uint64) {
			for i, c := range b {
				w |= uint64(uint32(c) << (8 * i % 32))
			}
			return w
		})},
	{"load-7-bytes", "of a message word seven bytes are read", Unreported,
		loads(func(b []byte) uint64 { return binary.LittleEndian.Uint64(b) << 8 >> 8 })},
	{"load-7-bits", "of a message byte seven bits are read", Unreported,
		loads(func(b []byte) uint64 { return binary.LittleEndian.Uint64(b) & 0x7f7f7f7f7f7f7f7f })},
	{"load-float64", "the message words are held in floating-point numbers of 53 bits", Unreported,
		loads(func(b []byte) uint64 { return float(binary.LittleEndian.Uint64(b)) })},
	{"load-15-words", "the last message word is not read", Unreported,
		cored(func(c *core) {
			c.load = func(block *[128]byte) [16]uint64 {
				m := littleEndian(block)
				m[15] = 0
				return m
			}
		})},
	{"load-second-half-wraps", "the last eight message words are written over the first", "https://github.com/secworks/blake2/issues/3",
		cored(func(c *core) {
			c.load = func(block *[128]byte) (m [16]uint64) {
				w := littleEndian(block)
				copy(m[:8], w[8:])
				return m
			}
		})},
	{"load-stride", "the message is a list of 32-bit words that is indexed as if it were one of bytes", "https://github.com/ethereumjs/ethereumjs-monorepo/issues/1482",
		cored(func(c *core) {
			c.load = func(block *[128]byte) (m [16]uint64) {
				for i := range 4 {
					m[i] = uint64(binary.LittleEndian.Uint32(block[32*i:])) | uint64(binary.LittleEndian.Uint32(block[32*i+16:]))<<32
				}
				return m
			}
		})},

	// The schedule.
	swappedRow(0, 4, 5), swappedRow(3, 0, 1), swappedRow(6, 8, 15), swappedRow(9, 14, 15),
	{"round-10-words-swapped", "the eleventh round, written out, has two message words exchanged that the first has right", "K26",
		rows(func(r int) [16]int { return swapWords(r, r == 10, 6, 7) })},
	{"round-11-words-swapped", "the twelfth round, written out, has two message words exchanged that the second has right", "K26",
		rows(func(r int) [16]int { return swapWords(r, r == 11, 2, 9) })},
	{"row-5-word-twice", "one row of sigma has a word twice and another not at all", "K26",
		rows(func(r int) [16]int {
			s := row(r)
			if r%10 == 5 {
				s[11] = s[10]
			}
			return s
		})},
	{"rows-8-9-in-last-rounds", "the last two rounds use rows 8 and 9", "K26",
		rows(func(r int) [16]int {
			if r >= 10 {
				r -= 2
			}
			return row(r)
		})},
	{"rows-1-0-in-last-rounds", "the last two rounds use rows 1 and 0", Unreported,
		rows(func(r int) [16]int {
			if r == 10 || r == 11 {
				r ^= 1
			}
			return row(r)
		})},
	{"row-0-in-last-rounds", "the last two rounds use row 0 both", Unreported,
		rows(func(r int) [16]int {
			if r >= 10 {
				r = 0
			}
			return row(r)
		})},
	{"row-modulo-8", "round r uses row r modulo 8", Unreported,
		rows(func(r int) [16]int { return row(r % 8) })},
	{"row-from-1", "the rounds are numbered from 1, and the rows from 0", Unreported,
		rows(func(r int) [16]int { return row(r + 1) })},
	{"rows-identity", "every round uses row 0", Unreported,
		rows(func(r int) [16]int { return row(0) })},
	{"rows-inverted", "sigma says where a message word goes instead of where it comes from", Unreported,
		rows(func(r int) (s [16]int) {
			for i, j := range row(r) {
				s[j] = i
			}
			return s
		})},
	{"rows-composed", "sigma is applied to the words as the round before left them", Unreported,
		rows(func(r int) [16]int {
			s := row(0)
			for k := range r + 1 {
				before := s
				for i, j := range row(k) {
					s[i] = before[j]
				}
			}
			return s
		})},
	{"message-words-exchanged", "the two message words of each G are exchanged", Unreported,
		rows(func(r int) [16]int {
			s := row(r)
			for i := 0; i < 16; i += 2 {
				s[i], s[i+1] = s[i+1], s[i]
			}
			return s
		})},
	{"message-words-by-lane", "a vector of four lanes is filled with neighbours in sigma, not with every second word", Unreported,
		rows(func(r int) (s [16]int) {
			for i, j := range row(r) {
				// x of the columns, y of the columns, x of the diagonals, y of them
				s[i/8*8+i%4*2+i/4%2] = j
			}
			return s
		})},
	{"diagonal-words-from-columns", "the diagonals use the message words of the columns again", "K26",
		rows(func(r int) [16]int {
			s := row(r)
			copy(s[8:], s[:8])
			return s
		})},

	// The working vector.
	{"t-words-exchanged", "the two words of the counter are exchanged in the working vector", "K33",
		lastRow(func(t, f [2]uint64) [4]uint64 { return [4]uint64{t[1], t[0], f[0], f[1]} })},
	{"t-and-f-reversed", "counter and flags go into the working vector in the contrary order", "https://github.com/oconnor663/blake2_simd/commit/19c8b003329985d3a6c8fbc01e69f1077b9d2b54",
		lastRow(func(t, f [2]uint64) [4]uint64 { return [4]uint64{f[1], f[0], t[1], t[0]} })},
	{"t-and-f-exchanged", "the flags go where the counter belongs, and the counter where the flags belong", Unreported,
		lastRow(func(t, f [2]uint64) [4]uint64 { return [4]uint64{f[0], f[1], t[0], t[1]} })},
	{"f-read-behind-t", "the flags are read behind the counter, where they are not", "https://github.com/weidai11/cryptopp/commit/bdeaae3ac940b166ea13035d7d08fc6b53440231",
		lastRow(func(t, f [2]uint64) [4]uint64 { return [4]uint64{t[0], t[1], 0, f[0]} })},
	{"t-high-word-unused", "the high counter word is not used", "K23",
		lastRow(func(t, f [2]uint64) [4]uint64 { return [4]uint64{t[0], 0, f[0], f[1]} })},
	{"t-low-halves-used", "only the lower halves of the counter words are used", "K22",
		lastRow(func(t, f [2]uint64) [4]uint64 {
			return [4]uint64{t[0] & math.MaxUint32, t[1] & math.MaxUint32, f[0], f[1]}
		})},
	{"t-high-half-in-second-word", "the upper half of the low counter word goes where the high word belongs", "K22",
		lastRow(func(t, f [2]uint64) [4]uint64 { return [4]uint64{t[0] & math.MaxUint32, t[0] >> 32, f[0], f[1]} })},
	{"t-sign-extended", "the lower half of the counter is a signed number that is XORed into the whole word", Unreported,
		lastRow(func(t, f [2]uint64) [4]uint64 {
			return [4]uint64{t[0]&^math.MaxUint32 ^ uint64(int64(int32(t[0]))), t[1], f[0], f[1]}
		})},
	{"f-second-unused", "F does not use its second flag", "K47",
		lastRow(func(t, f [2]uint64) [4]uint64 { return [4]uint64{t[0], t[1], f[0], 0} })},
	{"f-32-bits", "F inverts the lower half of a word for a flag", "K51",
		lastRow(func(t, f [2]uint64) [4]uint64 {
			return [4]uint64{t[0], t[1], f[0] & math.MaxUint32, f[1] & math.MaxUint32}
		})},
	{"t-added", "the counter is added to the working vector", Unreported,
		starts(func(v *[16]uint64, iv *[8]uint64, t, f [2]uint64) { v[12], v[13] = iv[4]+t[0], iv[5]+t[1] })},
	{"t-assigned", "the counter takes the place of two words of the IV", Unreported,
		starts(func(v *[16]uint64, iv *[8]uint64, t, f [2]uint64) { v[12], v[13] = t[0], t[1] })},
	{"f-assigned", "the first flag takes the place of a word of the IV where it is set", Unreported,
		starts(func(v *[16]uint64, iv *[8]uint64, t, f [2]uint64) {
			if f[0] != 0 {
				v[14] = f[0]
			}
		})},
	{"iv-before-h", "the working vector begins with the IV, and h follows", Unreported,
		cored(func(c *core) {
			c.start = func(iv *[8]uint64, h *[8]uint64, t, f [2]uint64) (v [16]uint64) {
				w := vector(iv, h, t, f)
				copy(v[:8], w[8:])
				copy(v[8:], w[:8])
				return v
			}
		})},

	// The round.
	{"diagonals-backwards", "the diagonals run the other way", Unreported,
		cored(func(c *core) {
			c.places = [8][4]int{{0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15}, {0, 7, 10, 13}, {1, 4, 11, 14}, {2, 5, 8, 15}, {3, 6, 9, 12}}
		})},
	{"diagonal-of-two-rows", "the diagonals leave the last row where it is", Unreported,
		cored(func(c *core) {
			for i := range 4 {
				c.places[4+i][3] = 12 + i
			}
		})},
	{"diagonals-missing", "a round mixes the columns twice", Unreported,
		cored(func(c *core) { copy(c.places[4:], c.places[:4]) })},
	{"diagonals-first", "a round mixes the diagonals before the columns", Unreported,
		cored(func(c *core) { c.places = [8][4]int(append(c.places[4:8:8], c.places[:4]...)) })},
	{"diagonal-words-in-column-order", "the diagonals are mixed with the message words of each other", Unreported,
		cored(func(c *core) { c.places[4], c.places[7] = c.places[7], c.places[4] })},
	{"rows-not-rotated-back", "the rows stay rotated after a round", "K33",
		cored(func(c *core) {
			c.round = func(c *core, v, m *[16]uint64, s [16]int) {
				round(c, v, m, s)
				rotateRows(v)
			}
		})},
	{"rows-not-rotated-back-at-end", "the rows stay rotated after the last round", Unreported,
		cored(func(c *core) {
			c.feed = func(h *[8]uint64, v *[16]uint64) {
				rotateRows(v)
				feed(h, v)
			}
		})},
	{"operand-mistyped", "the last diagonal, written out, has a word of its neighbour", "K26",
		cored(func(c *core) { c.places[7][2] = 8 })},
	{"h-not-fed-forward", "h is not XORed with itself as it was: it is the two halves of the working vector", Unreported,
		feeds(func(h, a, b uint64) uint64 { return a ^ b })},
	{"second-half-not-fed-forward", "the second half of the working vector is dropped", Unreported,
		feeds(func(h, a, b uint64) uint64 { return h ^ a })},
	{"fed-forward-by-addition", "the working vector is added to h", Unreported,
		feeds(func(h, a, b uint64) uint64 { return h + a + b })},

	// G.
	{"g-without-second-word", "G does not use its second message word", Unreported,
		mixes(func(k *core, a, b, c, d *uint64, x, y uint64) { g(k, a, b, c, d, x, 0) })},
	{"g-halves-exchanged", "G does its second half first", Unreported,
		cored(func(c *core) {
			c.rotate = rotations(16, 63, 32, 24)
			c.g = func(k *core, a, b, c, d *uint64, x, y uint64) { g(k, a, b, c, d, y, x) }
		})},
	{"g-half", "G ends after its first half", Unreported,
		mixes(func(k *core, a, b, c, d *uint64, x, y uint64) {
			*a += *b + x
			*d = k.rotate(0, *d^*a)
			*c += *d
			*b = k.rotate(1, *b^*c)
		})},
	{"g-adds-old-d", "in G, c takes d as it was before", Unreported,
		mixes(func(k *core, a, b, c, d *uint64, x, y uint64) {
			old := *d
			*a += *b + x
			*d = k.rotate(0, *d^*a)
			*c += old
			*b = k.rotate(1, *b^*c)
			*a += *b + y
			*d = k.rotate(2, *d^*a)
			*c += *d
			*b = k.rotate(3, *b^*c)
		})},
	{"g-rotates-before-xor", "in G, d is rotated and then XORed", Unreported,
		mixes(func(k *core, a, b, c, d *uint64, x, y uint64) {
			*a += *b + x
			*d = k.rotate(0, *d) ^ *a
			*c += *d
			*b = k.rotate(1, *b^*c)
			*a += *b + y
			*d = k.rotate(2, *d) ^ *a
			*c += *d
			*b = k.rotate(3, *b^*c)
		})},
	{"g-xors-constants", "G XORs its message words with constants, as in BLAKE", Unreported,
		mixes(func(k *core, a, b, c, d *uint64, x, y uint64) {
			g(k, a, b, c, d, x^0x243f6a8885a308d3, y^0x13198a2e03707344)
		})},

	// Rotations.
	{"rotate-of-blake2s", "the rotations are those of BLAKE2s", Unreported, rotates(rotations(16, 12, 8, 7))},
	{"rotate-of-blake", "the rotations are those of BLAKE-512", Unreported, rotates(rotations(32, 25, 16, 11))},
	{"rotate-left", "all rotations are to the left", "K29", rotates(rotations(-32, -24, -16, -63))},
	{"rotate-63-left", "the rotation by 63 is one to the left", "K29", rotates(rotations(32, 24, 16, -63))},
	{"rotate-62", "the rotation by 63 is one by 62", "K29", rotates(rotations(32, 24, 16, 62))},
	{"rotate-15", "the rotation by 16 is one by 15", "K29", rotates(rotations(32, 24, 15, 63))},
	{"rotate-31", "the rotation by 32 is one by 31", Unreported, rotates(rotations(31, 24, 16, 63))},
	{"rotate-25", "the rotation by 24 is one by 25", Unreported, rotates(rotations(32, 25, 16, 63))},
	{"rotate-16-and-24-exchanged", "the rotations by 24 and by 16 are exchanged", Unreported, rotates(rotations(32, 16, 24, 63))},
	{"rotate-arithmetic", "rotations shift to the right with the sign", "https://github.com/mirage/digestif/commit/51555fa4679bd647440cf8c01097ed082164d270",
		rotates(func(place int, x uint64) uint64 {
			n := amounts[place]
			return uint64(int64(x)>>n) | x<<(64-n)
		})},
	{"rotate-63-arithmetic", "the rotation by 63 shifts to the right with the sign", Unreported,
		rotates(func(place int, x uint64) uint64 {
			if place == 3 {
				return uint64(int64(x)>>63) | x<<1
			}
			return rightRotation(place, x)
		})},
	{"rotate-63-loses-bit", "the rotation by 63 doubles the word and forgets the bit that falls out", "K29",
		rotates(func(place int, x uint64) uint64 {
			if place == 3 {
				return x << 1
			}
			return rightRotation(place, x)
		})},
	{"rotate-64-minus-unbracketed", "a rotation shifts to the left by 64 - n without brackets: the second shift is off", "https://github.com/BLAKE2/BLAKE2/commit/94d1fefcb49abe199f8c1a58f05f85cac042bf48",
		rotates(func(place int, x uint64) uint64 {
			n := amounts[place]
			return x>>n | x<<((64+n)%64)
		})},
	{"rotate-24-halves-exchanged", "the rotation by 24 of two 32-bit halves puts them together in the wrong order", Unreported,
		rotates(func(place int, x uint64) uint64 {
			if place == 1 {
				return bits.RotateLeft64(x, 32-24)
			}
			return rightRotation(place, x)
		})},
	{"rotate-halves-apart", "the rotations by 24 and by 16 rotate each 32-bit half by itself", Unreported,
		rotates(func(place int, x uint64) uint64 {
			if place == 1 || place == 2 {
				n := -amounts[place]
				return uint64(bits.RotateLeft32(uint32(x>>32), n))<<32 | uint64(bits.RotateLeft32(uint32(x), n))
			}
			return rightRotation(place, x)
		})},
	{"rotate-32-of-halves-does-nothing", "the rotation by 32 of two 32-bit halves shifts by a count modulo 32, and changes nothing", Unreported,
		rotates(func(place int, x uint64) uint64 {
			if place == 0 {
				return x
			}
			return rightRotation(place, x)
		})},

	// Additions.
	{"add-loses-carry-at-2-to-the-32", "64-bit additions in halves lose the carry where the lower halves sum to 2^32", "K30",
		adds(func(_ int, a, b uint64) uint64 {
			return halves(a, b, func(a, b, low uint32) bool { return low < a && low != 0 })
		})},
	{"add-carries-at-all-ones", "64-bit additions in halves carry where the lower halves sum to 2^32-1", "K30",
		adds(func(_ int, a, b uint64) uint64 {
			return halves(a, b, func(a, b, low uint32) bool { return low < a || low == math.MaxUint32 })
		})},
	{"add-carries-at-equal", "64-bit additions in halves carry where the sum of the lower halves is the first of them", Unreported,
		adds(func(_ int, a, b uint64) uint64 { return halves(a, b, func(a, b, low uint32) bool { return low <= a }) })},
	{"add-compares-signed", "64-bit additions in halves find the carry by a signed comparison", Unreported,
		adds(func(_ int, a, b uint64) uint64 {
			return halves(a, b, func(a, b, low uint32) bool { return int32(low) < int32(a) })
		})},
	{"add-carries-by-highest-bits", "64-bit additions in halves carry where both lower halves have their highest bit set", Unreported,
		adds(func(_ int, a, b uint64) uint64 {
			return halves(a, b, func(a, b, low uint32) bool { return a&b>>31 == 1 })
		})},
	{"add-halves-operands", "64-bit additions in halves find the carry by adding half of each operand, and forget their lowest bits", Unreported,
		adds(func(_ int, a, b uint64) uint64 {
			return halves(a, b, func(a, b, low uint32) bool { return (a>>1+b>>1)>>31 == 1 })
		})},
	{"add-loses-carry-of-all-ones", "64-bit additions in halves lose the carry where both lower halves are all ones", "K30",
		adds(func(_ int, a, b uint64) uint64 {
			return halves(a, b, func(a, b, low uint32) bool { return low < a && a&b != math.MaxUint32 })
		})},
	{"add-in-32-bit-lanes", "additions are done in lanes of 32 bits", "K30",
		adds(func(_ int, a, b uint64) uint64 { return halves(a, b, func(a, b, low uint32) bool { return false }) })},
	{"add-of-three-carries-once", "an addition of three numbers in halves carries at most 1", "K30",
		cored(func(c *core) {
			c.add = func(_ int, a, b, x uint64) uint64 {
				low := a&math.MaxUint32 + b&math.MaxUint32 + x&math.MaxUint32
				return (a>>32+b>>32+x>>32+min(low>>32, 1))<<32 | low&math.MaxUint32
			}
		})},
	{"add-of-three-compares-once", "an addition of three numbers in halves finds its carry by comparing with the first", Unreported,
		cored(func(c *core) {
			c.add = func(_ int, a, b, x uint64) uint64 {
				low, high := uint32(a)+uint32(b)+uint32(x), a>>32+b>>32+x>>32
				if low < uint32(a) {
					high++
				}
				return high<<32 | uint64(low)
			}
		})},
	{"add-first-loses-carry-at-2-to-the-32", "the first addition of G, and it alone, loses the carry where lower halves sum to 2^32", Unreported,
		adds(oneAddition(0))},
	{"add-second-loses-carry-at-2-to-the-32", "the second addition of G, and it alone, loses the carry where lower halves sum to 2^32", Unreported,
		adds(oneAddition(1))},
	{"add-third-loses-carry-at-2-to-the-32", "the third addition of G, and it alone, loses the carry where lower halves sum to 2^32", Unreported,
		adds(oneAddition(2))},
	{"add-fourth-loses-carry-at-2-to-the-32", "the fourth addition of G, and it alone, loses the carry where lower halves sum to 2^32", Unreported,
		adds(oneAddition(3))},
	{"add-signed-halves", "64-bit additions in halves add the sign of the lower halves to the upper ones", Unreported,
		adds(func(_ int, a, b uint64) uint64 {
			return a&^math.MaxUint32 + b&^math.MaxUint32 + uint64(int64(int32(a))) + uint64(int64(int32(b)))
		})},
	{"add-in-16-bit-limbs", "64-bit additions in limbs of 16 bits lose the carry into the last", Unreported,
		adds(func(_ int, a, b uint64) uint64 {
			const low = 1<<48 - 1
			return (a>>48+b>>48)<<48 | (a&low+b&low)&low
		})},
	{"add-float64", "sums are floating-point numbers of 53 bits", Unreported,
		adds(func(_ int, a, b uint64) uint64 { return float(a + b) })},
	{"add-saturates", "additions stop at 2^64-1", Unreported,
		adds(func(_ int, a, b uint64) uint64 {
			if a+b < a {
				return math.MaxUint64
			}
			return a + b
		})},
	{"add-63-bits", "sums have 63 bits, as numbers in OCaml have", Unreported,
		adds(func(_ int, a, b uint64) uint64 { return (a + b) &^ (1 << 63) })},
	{"add-is-xor", "the second and fourth additions are XORs", Unreported,
		adds(func(place int, a, b uint64) uint64 {
			if place%2 == 1 {
				return a ^ b
			}
			return a + b
		})},
	{"add-is-or", "the second and fourth additions are ORs", Unreported,
		adds(func(place int, a, b uint64) uint64 {
			if place%2 == 1 {
				return a | b
			}
			return a + b
		})},
}

// cored makes F slow and changes a part of it.
func cored(edit func(c *core)) func(r *recipe) {
	return func(r *recipe) {
		c := rightCore()
		edit(c)
		r.f, r.slow = c.compress, true
	}
}

// constants takes another IV, in F and before the first block.
func constants(iv [8]uint64) func(r *recipe) {
	return func(r *recipe) {
		combines(func(i int, param uint64) uint64 { return iv[i] ^ param })(r)
		cored(func(c *core) { c.iv = iv })(r)
	}
}

// derived takes an IV that is made of the right one.
func derived(word func(i int, w uint64) uint64) func(r *recipe) {
	iv := model.IV
	for i, w := range iv {
		iv[i] = word(i, w)
	}
	return constants(iv)
}

func loads(word func(b []byte) uint64) func(r *recipe) {
	return cored(func(c *core) { c.load = words(word) })
}

var littleEndian = words(binary.LittleEndian.Uint64)

func rows(row func(r int) [16]int) func(r *recipe) {
	return cored(func(c *core) { c.row = row })
}

// swapWords is the row of a round, with two words exchanged if there is reason.
func swapWords(r int, reason bool, i, j int) [16]int {
	s := row(r)
	if reason {
		s[i], s[j] = s[j], s[i]
	}
	return s
}

// swappedRow is the fault of two words exchanged in row n of sigma.
func swappedRow(n, i, j int) fault {
	return fault{fmt.Sprintf("row-%d-words-swapped", n), fmt.Sprintf("two message words are exchanged in row %d of sigma", n), "K26",
		rows(func(r int) [16]int { return swapWords(r, r%10 == n, i, j) })}
}

// lastRow XORs other words into the last row of the working vector.
func lastRow(last func(t, f [2]uint64) [4]uint64) func(r *recipe) {
	return cored(func(c *core) {
		c.start = func(iv *[8]uint64, h *[8]uint64, t, f [2]uint64) [16]uint64 {
			w := last(t, f)
			return vector(iv, h, [2]uint64{w[0], w[1]}, [2]uint64{w[2], w[3]})
		}
	})
}

// starts changes the working vector before the first round.
func starts(edit func(v *[16]uint64, iv *[8]uint64, t, f [2]uint64)) func(r *recipe) {
	return cored(func(c *core) {
		c.start = func(iv *[8]uint64, h *[8]uint64, t, f [2]uint64) [16]uint64 {
			v := vector(iv, h, t, f)
			edit(&v, iv, t, f)
			return v
		}
	})
}

// rotateRows leaves the rows of v as the diagonals have them side by side.
func rotateRows(v *[16]uint64) {
	w := *v
	for row := range 4 {
		for i := range 4 {
			v[4*row+i] = w[4*row+(i+row)%4]
		}
	}
}

// feeds makes a word of the new h in another way.
func feeds(word func(h, a, b uint64) uint64) func(r *recipe) {
	return cored(func(c *core) {
		c.feed = func(h *[8]uint64, v *[16]uint64) {
			for i := range h {
				h[i] = word(h[i], v[i], v[i+8])
			}
		}
	})
}

func mixes(g func(k *core, a, b, c, d *uint64, x, y uint64)) func(r *recipe) {
	return cored(func(c *core) { c.g = g })
}

var (
	amounts       = [4]int{32, 24, 16, 63}
	rightRotation = rotations(amounts[:]...)
)

func rotates(rotate func(place int, x uint64) uint64) func(r *recipe) {
	return cored(func(c *core) { c.rotate = rotate })
}

// adds adds in another way, three numbers one after the other.
func adds(add func(place int, a, b uint64) uint64) func(r *recipe) {
	return cored(func(c *core) {
		c.add = func(place int, a, b, x uint64) uint64 {
			sum := add(place, a, b)
			if place%2 == 0 {
				sum = add(place, sum, x)
			}
			return sum
		}
	})
}

// halves adds by halves of 32 bits; carry is asked about the lower ones and
// their sum.
func halves(a, b uint64, carry func(a, b, low uint32) bool) uint64 {
	low := uint32(a) + uint32(b)
	high := a>>32 + b>>32
	if carry(uint32(a), uint32(b), low) {
		high++
	}
	return high<<32 | uint64(low)
}

// oneAddition loses a carry in one of the four additions of G.
func oneAddition(bad int) func(place int, a, b uint64) uint64 {
	return func(place int, a, b uint64) uint64 {
		return halves(a, b, func(a, b, low uint32) bool { return low < a && (low != 0 || place != bad) })
	}
}

// float is a word that went through a floating-point number.
func float(w uint64) uint64 {
	if f := float64(w); f < 1<<64 {
		return uint64(f)
	}
	return 0
}
