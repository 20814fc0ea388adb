// Package rolled is BLAKE2b's compression function F as a loop over its
// rounds, to be read beside RFC 7693, sections 2.6 to 3.2. There are two texts
// of it: Compress64, from which package unrolled and CompressRounds are
// generated (see internal/unroll), and Compress32.
//
// It is for testing other implementations. Programs that need a hash should
// use golang.org/x/crypto/blake2b.
package rolled

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

// sigma is the message word schedule of RFC 7693, section 2.7, a row for each
// round: the last two are rows 0 and 1 again.
var sigma = [12][16]uint8{
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
	{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
	{14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
}

// Compress64 is F of RFC 7693, section 3.2: it absorbs blocks of 128 bytes, one
// after the other, into the state h. t is the offset counter in bytes, low word
// first, with the first block included. f holds the finalization flags of the BLAKE2
// paper, section 2.4: f[0] is all ones in the last block, f[1] also in the last node
// of a tree; the RFC has f[0] alone.
//
// It is for machines whose words have 64 bits: the working vector v is in
// registers as far as these go, and two of the functions G of section 3.1 are
// computed at a time. In each, the message word is added first: a is then ready
// one addition earlier for what waits for it.
func Compress64(h *[8]uint64, blocks []byte, t, f [2]uint64) {
	for ; len(blocks) > 0; blocks = blocks[128:] {
		block := (*[128]byte)(blocks)
		var m [16]uint64
		for i := range m {
			m[i] = binary.LittleEndian.Uint64(block[8*i:])
		}
		v0 := h[0]
		v1 := h[1]
		v2 := h[2]
		v3 := h[3]
		v4 := h[4]
		v5 := h[5]
		v6 := h[6]
		v7 := h[7]
		v8 := iv[0]
		v9 := iv[1]
		v10 := iv[2]
		v11 := iv[3]
		v12 := iv[4] ^ t[0]
		v13 := iv[5] ^ t[1]
		v14 := iv[6] ^ f[0]
		v15 := iv[7] ^ f[1]
		for r := range sigma {
			s := &sigma[r]
			// G on (0, 4, 8, 12) and (1, 5, 9, 13).
			v0 += m[s[0]]
			v0 += v4
			v1 += m[s[2]]
			v1 += v5
			v12 = bits.RotateLeft64(v12^v0, -32)
			v13 = bits.RotateLeft64(v13^v1, -32)
			v8 += v12
			v4 = bits.RotateLeft64(v4^v8, -24)
			v9 += v13
			v5 = bits.RotateLeft64(v5^v9, -24)
			v0 += m[s[1]]
			v0 += v4
			v1 += m[s[3]]
			v1 += v5
			v12 = bits.RotateLeft64(v12^v0, -16)
			v13 = bits.RotateLeft64(v13^v1, -16)
			v8 += v12
			v4 = bits.RotateLeft64(v4^v8, -63)
			v9 += v13
			v5 = bits.RotateLeft64(v5^v9, -63)
			// G on (2, 6, 10, 14) and (3, 7, 11, 15).
			v2 += m[s[4]]
			v2 += v6
			v3 += m[s[6]]
			v3 += v7
			v14 = bits.RotateLeft64(v14^v2, -32)
			v15 = bits.RotateLeft64(v15^v3, -32)
			v10 += v14
			v6 = bits.RotateLeft64(v6^v10, -24)
			v11 += v15
			v7 = bits.RotateLeft64(v7^v11, -24)
			v2 += m[s[5]]
			v2 += v6
			v3 += m[s[7]]
			v3 += v7
			v14 = bits.RotateLeft64(v14^v2, -16)
			v15 = bits.RotateLeft64(v15^v3, -16)
			v10 += v14
			v6 = bits.RotateLeft64(v6^v10, -63)
			v11 += v15
			v7 = bits.RotateLeft64(v7^v11, -63)
			// G on (0, 5, 10, 15) and (1, 6, 11, 12).
			v0 += m[s[8]]
			v0 += v5
			v1 += m[s[10]]
			v1 += v6
			v15 = bits.RotateLeft64(v15^v0, -32)
			v12 = bits.RotateLeft64(v12^v1, -32)
			v10 += v15
			v5 = bits.RotateLeft64(v5^v10, -24)
			v11 += v12
			v6 = bits.RotateLeft64(v6^v11, -24)
			v0 += m[s[9]]
			v0 += v5
			v1 += m[s[11]]
			v1 += v6
			v15 = bits.RotateLeft64(v15^v0, -16)
			v12 = bits.RotateLeft64(v12^v1, -16)
			v10 += v15
			v5 = bits.RotateLeft64(v5^v10, -63)
			v11 += v12
			v6 = bits.RotateLeft64(v6^v11, -63)
			// G on (2, 7, 8, 13) and (3, 4, 9, 14).
			v2 += m[s[12]]
			v2 += v7
			v3 += m[s[14]]
			v3 += v4
			v13 = bits.RotateLeft64(v13^v2, -32)
			v14 = bits.RotateLeft64(v14^v3, -32)
			v8 += v13
			v7 = bits.RotateLeft64(v7^v8, -24)
			v9 += v14
			v4 = bits.RotateLeft64(v4^v9, -24)
			v2 += m[s[13]]
			v2 += v7
			v3 += m[s[15]]
			v3 += v4
			v13 = bits.RotateLeft64(v13^v2, -16)
			v14 = bits.RotateLeft64(v14^v3, -16)
			v8 += v13
			v7 = bits.RotateLeft64(v7^v8, -63)
			v9 += v14
			v4 = bits.RotateLeft64(v4^v9, -63)
		}
		h[0] ^= v0 ^ v8
		h[1] ^= v1 ^ v9
		h[2] ^= v2 ^ v10
		h[3] ^= v3 ^ v11
		h[4] ^= v4 ^ v12
		h[5] ^= v5 ^ v13
		h[6] ^= v6 ^ v14
		h[7] ^= v7 ^ v15
		var carry uint64
		t[0], carry = bits.Add64(t[0], 128, 0)
		t[1] += carry
	}
}
