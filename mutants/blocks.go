package mutants

import (
	"bytes"
	"crypto/subtle"
	"encoding/binary"
	"slices"

	"blake2btest/internal/model"
)

// blocks are faults in the parameter block (BLAKE2 paper, table 2.1) and in what
// h is made from.
var blocks = []fault{
	{"digest-truncated", "the digest length is not in the parameter block: a short digest is a part of the one of 64 bytes", "https://github.com/RustCrypto/hashes/issues/28 https://github.com/vrza/node-blake2/pull/17 https://github.com/crev-dev/cargo-crev/issues/69 https://github.com/cry-college/Cry.College/pull/3",
		edits(func(b *[64]byte, p params) { b[0] = 64 })},
	{"digest-truncated-unkeyed", "without a key, the digest length is not in the parameter block", "https://github.com/weidai11/cryptopp/commit/e8e0b1c3f2e945e1468ef29aff45b3ff77bc86f5",
		edits(func(b *[64]byte, p params) {
			if len(p.Key) == 0 {
				b[0] = 64
			}
		})},
	{"digest-truncated-keyed", "with a key, the digest length is not in the parameter block", "K04",
		edits(func(b *[64]byte, p params) {
			if len(p.Key) > 0 {
				b[0] = 64
			}
		})},
	{"digest-truncated-from-32", "digests below 32 bytes are a part of the one of 32 bytes", "https://github.com/str4d/zcash-pow/issues/8",
		edits(func(b *[64]byte, p params) { b[0] = byte(max(p.Size, 32)) })},
	{"digest-length-rounded", "the digest length in the parameter block is rounded up to a multiple of 4", "K04",
		edits(func(b *[64]byte, p params) { b[0] = (b[0] + 3) &^ 3 })},
	{"digest-length-in-bits", "the digest length in the parameter block is in bits", "K04",
		edits(func(b *[64]byte, p params) { b[0] *= 8 })},
	{"digest-length-from-0", "the digest length in the parameter block is one less, as a range in hardware is written", Unreported,
		edits(func(b *[64]byte, p params) { b[0]-- })},
	{"key-length-in-bits", "the key length in the parameter block is in bits", "K05",
		edits(func(b *[64]byte, p params) { b[1] *= 8 })},
	{"key-length-missing", "the key length is not in the parameter block", "K05 https://github.com/borgbackup/borg/issues/8867",
		edits(func(b *[64]byte, p params) { b[1] = 0 })},
	{"key-length-128", "the key length in the parameter block is that of the padded key", "https://github.com/RustCrypto/hashes/commit/e9c8bc2714892d2565bd8c13bc2263e76b6c96d5",
		edits(func(b *[64]byte, p params) {
			if len(p.Key) > 0 {
				b[1] = 128
			}
		})},
	{"key-length-64", "the key length in the parameter block is always the longest", Unreported,
		edits(func(b *[64]byte, p params) {
			if len(p.Key) > 0 {
				b[1] = 64
			}
		})},
	{"key-and-digest-length-swapped", "key length and digest length are exchanged in the parameter block", "https://github.com/polkadot-js/common/pull/94",
		edits(func(b *[64]byte, p params) { b[0], b[1] = b[1], b[0] })},
	{"key-in-salt", "the key is also taken for the salt", "https://github.com/RustCrypto/hashes/commit/5af75435fc19e0713f8957df3587331affc4c5dc",
		edits(func(b *[64]byte, p params) {
			subtle.XORBytes(b[32:48], b[32:48], p.Key)
		})},
	{"salt-ignored", "the salt is not in the parameter block", "K07",
		edits(func(b *[64]byte, p params) { clear(b[32:48]) })},
	{"person-ignored", "the personalization is not in the parameter block", "K07",
		edits(func(b *[64]byte, p params) { clear(b[48:]) })},
	{"salt-ignored-when-keyed", "salt and personalization are ignored when there is a key", Unreported,
		edits(func(b *[64]byte, p params) {
			if len(p.Key) > 0 {
				clear(b[32:])
			}
		})},
	{"salt-half-ignored", "of salt and personalization only the first word is used, as BLAKE2s has them", Unreported,
		edits(func(b *[64]byte, p params) { clear(b[40:48]); clear(b[56:]) })},
	{"salt-and-person-swapped", "salt and personalization are exchanged", "K08",
		edits(func(b *[64]byte, p params) { exchange(b[32:48], b[48:]) })},
	{"salt-as-person", "the salt is passed as the personalization", "https://github.com/opensearch-project/security/issues/4274",
		takes(func(p *params) {
			if len(p.Salt) > 0 {
				p.Salt, p.Person = nil, p.Salt
			}
		})},
	{"salt-at-blake2s-offsets", "salt and personalization are at bytes 16 and 24 of the parameter block, as in BLAKE2s", "K08",
		edits(func(b *[64]byte, p params) {
			clear(b[32:])
			subtle.XORBytes(b[16:24], b[16:24], p.Salt)
			subtle.XORBytes(b[24:32], b[24:32], p.Person)
		})},
	{"salt-words-swapped", "the two words of the salt are exchanged", Unreported,
		edits(func(b *[64]byte, p params) { exchange(b[32:40], b[40:48]) })},
	{"salt-big-endian", "the words of the salt are stored with the highest byte first", "https://github.com/paulmillr/noble-hashes/commit/584975f14ac4daad389934f3d615cb7fe676928e",
		edits(func(b *[64]byte, p params) { reverse(b[32:40]); reverse(b[40:48]) })},
	{"person-big-endian", "the words of the personalization are stored with the highest byte first", "https://github.com/zcash/zcash/pull/1008",
		edits(func(b *[64]byte, p params) { reverse(b[48:56]); reverse(b[56:]) })},
	{"short-salt-right-aligned", "zeros go before a short salt, not behind it", Unreported,
		edits(func(b *[64]byte, p params) {
			clear(b[32:48])
			copy(b[48-len(p.Salt):48], p.Salt)
		})},
	{"short-person-padded-with-spaces", "a short personalization is padded with spaces", Unreported,
		edits(func(b *[64]byte, p params) {
			if n := len(p.Person); n > 0 {
				copy(b[48+n:], bytes.Repeat([]byte{' '}, 16))
			}
		})},
	{"person-follows-short-salt", "the personalization is put directly behind a short salt", Unreported,
		edits(func(b *[64]byte, p params) {
			clear(b[32:])
			copy(b[32:], append(bytes.Clone(p.Salt), p.Person...))
		})},
	{"tree-ignored", "tree parameters are accepted and not used", "K47",
		edits(func(b *[64]byte, p params) { copy(b[2:32], []byte{1, 1, 31: 0}) })},
	{"sequential-tree-zero", "fanout and depth are 0 in sequential hashing", Unreported,
		edits(func(b *[64]byte, p params) {
			if p.Tree == nil {
				b[2], b[3] = 0, 0
			}
		})},
	{"fanout-and-depth-swapped", "fanout and depth are exchanged", Unreported,
		edits(func(b *[64]byte, p params) { b[2], b[3] = b[3], b[2] })},
	{"fanout-0-changed", "a fanout of 0, which is no limit, is changed to 1", Unreported,
		edits(func(b *[64]byte, p params) { b[2] = max(b[2], 1) })},
	{"depth-0-changed", "a depth of 0, which BLAKE2X has, is changed to 1", "K47",
		edits(func(b *[64]byte, p params) { b[3] = max(b[3], 1) })},
	{"leaf-size-big-endian", "the leaf length is stored with the highest byte first", "https://github.com/python/cpython/issues/76114",
		edits(func(b *[64]byte, p params) { reverse(b[4:8]) })},
	{"leaf-size-shifted-in-32-bits", "the leaf length is put in place by a shift of a 32-bit number by 32, which Java takes modulo 32", "FINDINGS.md bouncycastle",
		edits(func(b *[64]byte, p params) {
			for i := range 4 {
				b[i] |= b[4+i]
			}
			clear(b[4:8])
		})},
	{"leaf-size-16-bits", "the leaf length has 16 bits", Unreported,
		edits(func(b *[64]byte, p params) { clear(b[6:8]) })},
	{"node-offset-big-endian", "the node offset is stored with the highest byte first", "https://github.com/python/cpython/issues/76114",
		edits(func(b *[64]byte, p params) { reverse(b[8:16]) })},
	{"node-offset-32-bits", "the node offset has 32 bits", Unreported,
		edits(func(b *[64]byte, p params) { clear(b[12:16]) })},
	{"node-offset-48-bits", "the node offset has 48 bits, as in BLAKE2s", Unreported,
		edits(func(b *[64]byte, p params) { clear(b[14:16]) })},
	{"node-depth-at-blake2s-offset", "node depth and inner length are at bytes 14 and 15 of the parameter block, as in BLAKE2s", Unreported,
		edits(func(b *[64]byte, p params) { b[14], b[15], b[16], b[17] = b[16], b[17], 0, 0 })},
	{"node-depth-and-inner-size-swapped", "node depth and inner length are exchanged", "K47",
		edits(func(b *[64]byte, p params) { b[16], b[17] = b[17], b[16] })},
	{"inner-size-is-digest-size", "the inner length is set to the digest length", "https://github.com/BLAKE2/BLAKE2/commit/802c795b4340ff69e2e14cdd326565d0a8372cf4",
		edits(func(b *[64]byte, p params) {
			if p.Tree != nil && p.Tree.InnerSize > 0 {
				b[17] = b[0]
			}
		})},
	{"parameters-big-endian", "the words of the parameter block are read with the highest byte first", "https://github.com/RustCrypto/hashes/commit/f6434a1ee2889a740f22f9265c083a3c092bc73b",
		edits(func(b *[64]byte, p params) {
			for i := 0; i < 64; i += 8 {
				reverse(b[i : i+8])
			}
		})},
	{"parameters-first-word-only", "only the first word of the parameter block reaches the state", Unreported,
		edits(func(b *[64]byte, p params) { clear(b[8:]) })},
	{"parameters-signed-bytes", "bytes of the parameter block from 128 up are taken as negative numbers, whose sign fills what is above them", "FINDINGS.md bouncycastle",
		combines(func(i int, param uint64) (word uint64) {
			for j := range 8 {
				word |= uint64(int64(int8(param>>(8*j))) << (8 * j))
			}
			return model.IV[i] ^ word
		})},
	{"parameters-ored", "the parameter block is ORed into the IV", Unreported,
		combines(func(i int, param uint64) uint64 { return model.IV[i] | param })},
	{"parameters-added", "the parameter block is added to the IV", Unreported,
		combines(func(i int, param uint64) uint64 { return model.IV[i] + param })},
	{"parameters-assigned", "where a word of the parameter block is not zero, it takes the place of the IV", Unreported,
		combines(func(i int, param uint64) uint64 {
			if param != 0 {
				return param
			}
			return model.IV[i]
		})},
}

// edits changes the parameter block.
func edits(edit func(b *[64]byte, p params)) func(r *recipe) {
	return func(r *recipe) {
		r.layout = func(p params) [64]byte {
			b := layout(p)
			edit(&b, p)
			return b
		}
	}
}

// combines makes a word of h from the IV and the parameter block in another way.
func combines(word func(i int, param uint64) uint64) func(r *recipe) {
	return func(r *recipe) {
		r.initial = func(param *[64]byte) (h [8]uint64) {
			for i := range h {
				h[i] = word(i, binary.LittleEndian.Uint64(param[8*i:]))
			}
			return h
		}
	}
}

func reverse(b []byte) { slices.Reverse(b) }

// exchange swaps the contents of two slices of one length.
func exchange(a, b []byte) {
	for i := range a {
		a[i], b[i] = b[i], a[i]
	}
}
