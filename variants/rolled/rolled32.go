package rolled

import (
	"encoding/binary"
	"math/bits"
)

// Compress32 is the same as [Compress64], for machines whose words have 32 bits.
// They have no registers for v, which is an array; what is written to it keeps the
// compiler from loading the whole message before it is needed. A word of the
// message is loaded in two halves, or it would be by bytes.
func Compress32(h *[8]uint64, blocks []byte, t, f [2]uint64) {
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
		for r := range sigma {
			s := &sigma[r]
			// G on the columns.
			v[0] += m[s[0]]
			v[0] += v[4]
			v[12] = bits.RotateLeft64(v[12]^v[0], -32)
			v[8] += v[12]
			v[4] = bits.RotateLeft64(v[4]^v[8], -24)
			v[0] += m[s[1]]
			v[0] += v[4]
			v[12] = bits.RotateLeft64(v[12]^v[0], -16)
			v[8] += v[12]
			v[4] = bits.RotateLeft64(v[4]^v[8], -63)
			v[1] += m[s[2]]
			v[1] += v[5]
			v[13] = bits.RotateLeft64(v[13]^v[1], -32)
			v[9] += v[13]
			v[5] = bits.RotateLeft64(v[5]^v[9], -24)
			v[1] += m[s[3]]
			v[1] += v[5]
			v[13] = bits.RotateLeft64(v[13]^v[1], -16)
			v[9] += v[13]
			v[5] = bits.RotateLeft64(v[5]^v[9], -63)
			v[2] += m[s[4]]
			v[2] += v[6]
			v[14] = bits.RotateLeft64(v[14]^v[2], -32)
			v[10] += v[14]
			v[6] = bits.RotateLeft64(v[6]^v[10], -24)
			v[2] += m[s[5]]
			v[2] += v[6]
			v[14] = bits.RotateLeft64(v[14]^v[2], -16)
			v[10] += v[14]
			v[6] = bits.RotateLeft64(v[6]^v[10], -63)
			v[3] += m[s[6]]
			v[3] += v[7]
			v[15] = bits.RotateLeft64(v[15]^v[3], -32)
			v[11] += v[15]
			v[7] = bits.RotateLeft64(v[7]^v[11], -24)
			v[3] += m[s[7]]
			v[3] += v[7]
			v[15] = bits.RotateLeft64(v[15]^v[3], -16)
			v[11] += v[15]
			v[7] = bits.RotateLeft64(v[7]^v[11], -63)
			// G on the diagonals.
			v[0] += m[s[8]]
			v[0] += v[5]
			v[15] = bits.RotateLeft64(v[15]^v[0], -32)
			v[10] += v[15]
			v[5] = bits.RotateLeft64(v[5]^v[10], -24)
			v[0] += m[s[9]]
			v[0] += v[5]
			v[15] = bits.RotateLeft64(v[15]^v[0], -16)
			v[10] += v[15]
			v[5] = bits.RotateLeft64(v[5]^v[10], -63)
			v[1] += m[s[10]]
			v[1] += v[6]
			v[12] = bits.RotateLeft64(v[12]^v[1], -32)
			v[11] += v[12]
			v[6] = bits.RotateLeft64(v[6]^v[11], -24)
			v[1] += m[s[11]]
			v[1] += v[6]
			v[12] = bits.RotateLeft64(v[12]^v[1], -16)
			v[11] += v[12]
			v[6] = bits.RotateLeft64(v[6]^v[11], -63)
			v[2] += m[s[12]]
			v[2] += v[7]
			v[13] = bits.RotateLeft64(v[13]^v[2], -32)
			v[8] += v[13]
			v[7] = bits.RotateLeft64(v[7]^v[8], -24)
			v[2] += m[s[13]]
			v[2] += v[7]
			v[13] = bits.RotateLeft64(v[13]^v[2], -16)
			v[8] += v[13]
			v[7] = bits.RotateLeft64(v[7]^v[8], -63)
			v[3] += m[s[14]]
			v[3] += v[4]
			v[14] = bits.RotateLeft64(v[14]^v[3], -32)
			v[9] += v[14]
			v[4] = bits.RotateLeft64(v[4]^v[9], -24)
			v[3] += m[s[15]]
			v[3] += v[4]
			v[14] = bits.RotateLeft64(v[14]^v[3], -16)
			v[9] += v[14]
			v[4] = bits.RotateLeft64(v[4]^v[9], -63)
		}
		for i := range h {
			h[i] ^= v[i] ^ v[i+8]
		}
		var carry uint64
		t[0], carry = bits.Add64(t[0], 128, 0)
		t[1] += carry
	}
}
