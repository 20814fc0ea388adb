// Package small is BLAKE2b's compression function F in as little code as is
// reasonable, for firmware: the function G is written once, in a loop over its
// places inside the loop over the rounds.
//
// It is for testing other implementations, not for programs that need a hash.
package small

import (
	"encoding/binary"
	"math/bits"
)

// iv is the initialization vector of RFC 7693, section 2.6: the first 64
// fractional bits of the square roots of the first eight primes.
var iv = [8]uint64{
	0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
	0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
}

// sigma is the message word schedule of RFC 7693, section 2.7. Rounds 10 and
// 11 use rows 0 and 1 again.
var sigma = [10][16]uint8{
	{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
	{14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
	{11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
	{7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
	{9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
	{2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
	{12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
	{13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
	{6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
	{10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
}

// places are the words of the working vector that G is applied to, in the order
// of RFC 7693, section 3.2: the columns, then the diagonals.
var places = [8][4]uint8{
	{0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15},
	{0, 5, 10, 15}, {1, 6, 11, 12}, {2, 7, 8, 13}, {3, 4, 9, 14},
}

// Compress is F of RFC 7693, section 3.2: it absorbs blocks of 128 bytes, one
// after the other, into the state h. t is the offset counter in bytes, low word
// first, with the first block included. f holds the finalization flags of the BLAKE2
// paper, section 2.4: f[0] is all ones in the last block, f[1] also in the last node
// of a tree; the RFC has f[0] alone.
func Compress(h *[8]uint64, blocks []byte, t, f [2]uint64) {
	CompressRounds(12, h, blocks, t, f)
}

// CompressRounds is [Compress] with any number of rounds, as EIP-152 wants it:
// round r uses row r mod 10 of sigma.
func CompressRounds(rounds uint32, h *[8]uint64, blocks []byte, t, f [2]uint64) {
	for ; len(blocks) > 0; blocks = blocks[128:] {
		block := (*[128]byte)(blocks)
		var m [16]uint64
		for i := range m {
			m[i] = uint64(binary.LittleEndian.Uint32(block[8*i:])) | uint64(binary.LittleEndian.Uint32(block[8*i+4:]))<<32
		}
		var v [16]uint64
		copy(v[:8], h[:])
		copy(v[8:], iv[:])
		v[12] ^= t[0]
		v[13] ^= t[1]
		v[14] ^= f[0]
		v[15] ^= f[1]
		for r := range rounds {
			s := &sigma[r%10]
			for i := range places {
				p := &places[i]
				a, b, c, d := v[p[0]], v[p[1]], v[p[2]], v[p[3]]
				a += m[s[2*i]]
				a += b
				d = bits.RotateLeft64(d^a, -32)
				c += d
				b = bits.RotateLeft64(b^c, -24)
				a += m[s[2*i+1]]
				a += b
				d = bits.RotateLeft64(d^a, -16)
				c += d
				b = bits.RotateLeft64(b^c, -63)
				v[p[0]], v[p[1]], v[p[2]], v[p[3]] = a, b, c, d
			}
		}
		for i := range h {
			h[i] ^= v[i] ^ v[i+8]
		}
		var carry uint64
		t[0], carry = bits.Add64(t[0], 128, 0)
		t[1] += carry
	}
}
