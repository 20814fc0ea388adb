package mutants

import (
	"math"
	"math/bits"
)

// counters are faults in the byte counter t (RFC 7693, section 3.3).
var counters = []fault{
	{"counter-32-bits", "the counter has 32 bits", "K22 https://github.com/randombit/botan/commit/9a37a338e8798c2b94342c8984136b35e7a7394d",
		narrow(func(t uint64) uint64 { return uint64(uint32(t)) })},
	{"counter-31-bits", "the counter is a number of 31 bits and loses its sign", Unreported,
		narrow(func(t uint64) uint64 { return t & math.MaxInt32 })},
	{"counter-int32", "the counter is a signed number of 32 bits: its sign fills the upper half", "https://github.com/emn178/js-md5/issues/18",
		narrow(func(t uint64) uint64 { return uint64(int32(t)) })},
	{"counter-bits-32", "the counter is kept in bits, of which it has 32", "https://github.com/cloudtools/sha256/issues/2 https://github.com/srijs/rusha/issues/23",
		narrow(func(t uint64) uint64 { return uint64(uint32(8*t)) / 8 })},
	{"counter-bits-int32", "the counter is kept in bits, in a signed number of 32 bits", "https://github.com/bitwiseshiftleft/sjcl/issues/299",
		narrow(func(t uint64) uint64 { return uint64(int32(8*t) / 8) })},
	{"counter-bits-64", "the counter is kept in bits, of which it has 64", Unreported,
		narrow(func(t uint64) uint64 { return 8 * t / 8 })},
	{"counter-float64", "the counter is a floating-point number: exact up to 2^53", "https://github.com/dcposch/blakejs/blob/master/blake2b.js",
		narrow(func(t uint64) uint64 { return float(t) })},
	{"counter-float32", "the counter is a floating-point number of 32 bits: exact up to 2^24", Unreported,
		narrow(func(t uint64) uint64 { return float(uint64(float32(t>>1)) << 1) })},
	{"counter-63-bits", "the counter has 63 bits, as numbers in OCaml have", Unreported,
		narrow(func(t uint64) uint64 { return t &^ (1 << 63) })},
	{"counter-int64-saturates", "the counter stops at 2^63-1", Unreported,
		narrow(func(t uint64) uint64 { return min(t, math.MaxInt64) })},
	{"counter-16-bits", "the counter has 16 bits", Unreported,
		narrow(func(t uint64) uint64 { return uint64(uint16(t)) })},
	{"counter-high-half-in-t1", "the counter has two words of 32 bits, as in BLAKE2s: what is above 2^32 goes to the high word", Unreported,
		counts(func(t [2]uint64, n uint64) [2]uint64 {
			low := t[0]&math.MaxUint32 + n
			return [2]uint64{low & math.MaxUint32, t[1] + low>>32}
		})},
	{"counter-halves-swapped", "the two halves of the low counter word are exchanged", Unreported,
		shows(func(t [2]uint64) [2]uint64 { return [2]uint64{t[0]<<32 | t[0]>>32, t[1]} })},
	{"counter-in-bits", "the counter counts bits", Unreported,
		shows(func(t [2]uint64) [2]uint64 { return [2]uint64{8 * t[0], t[1]<<3 | t[0]>>61} })},
	{"counter-in-blocks", "the counter counts blocks", Unreported,
		shows(func(t [2]uint64) [2]uint64 { return [2]uint64{(t[0] + 127) / 128, t[1]} })},
	{"counter-big-endian", "the bytes of the counter are swapped", Unreported,
		shows(func(t [2]uint64) [2]uint64 { return [2]uint64{bits.ReverseBytes64(t[0]), bits.ReverseBytes64(t[1])} })},
	{"counter-after-block", "the counter is increased after a block is compressed, not before", Unreported,
		shows(func(t [2]uint64) [2]uint64 {
			if t[0]%128 == 0 {
				return plus(t, math.MaxUint64-127)
			}
			return [2]uint64{t[0] &^ 127, t[1]}
		})},
	{"counter-missing", "the counter is not used", Unreported,
		shows(func([2]uint64) [2]uint64 { return [2]uint64{} })},
	{"counter-of-padding", "the counter of the last block counts its padding", Unreported,
		func(r *recipe) {
			r.countLast = func(t [2]uint64, n uint64) [2]uint64 { return plus(t, 128) }
		}},
	{"counter-of-last-block-alone", "the counter of the last block is the length of that block", Unreported,
		func(r *recipe) {
			r.countLast = func(t [2]uint64, n uint64) [2]uint64 { return [2]uint64{n, 0} }
		}},
	{"counter-not-increased-at-end", "the bytes of the last block are not counted", Unreported,
		func(r *recipe) {
			r.countLast = func(t [2]uint64, n uint64) [2]uint64 { return t }
		}},

	{"counter-carry-missing", "the high counter word is never increased", "https://github.com/alphazero/Blake2b/issues/1",
		counts(func(t [2]uint64, n uint64) [2]uint64 { return [2]uint64{t[0] + n, t[1]} })},
	{"counter-carry-when-zero", "the high counter word is increased whenever the low word is 0, so also of an empty message", "K23",
		counts(func(t [2]uint64, n uint64) [2]uint64 {
			if t[0] += n; t[0] == 0 {
				t[1]++
			}
			return t
		})},
	{"counter-carry-too-easy", "the high counter word is increased when the low word is the number of bytes just added", Unreported,
		counts(func(t [2]uint64, n uint64) [2]uint64 {
			if t[0] += n; t[0] <= n {
				t[1]++
			}
			return t
		})},
	{"counter-carry-early-in-last-block", "the last block increases the high counter word although the low word has not wrapped", "https://github.com/bcgit/bc-java/pull/214",
		func(r *recipe) {
			r.countLast = func(t [2]uint64, n uint64) [2]uint64 {
				t[0] += n
				if int64(t[0]) < 0 && int64(n) > -int64(t[0]) {
					t[1]++
				}
				return t
			}
		}},
	{"counter-carry-missing-in-last-block", "the last block does not increase the high counter word", "K23",
		func(r *recipe) {
			r.countLast = func(t [2]uint64, n uint64) [2]uint64 { return [2]uint64{t[0] + n, t[1]} }
		}},
	{"counter-carry-not-taken-back", "the last block is counted as 128 bytes, and its padding is taken off the low counter word without a borrow", "K23",
		func(r *recipe) {
			r.countLast = func(t [2]uint64, n uint64) [2]uint64 {
				t = plus(t, 128)
				t[0] -= 128 - n
				return t
			}
		}},
	{"counter-carry-signed", "the carry is found by a signed comparison: from 2^63 on the high counter word counts blocks", "https://github.com/golang/crypto/commit/9e9c7d4ed3e28836a0741f74011e308570bec743 https://github.com/oconnor663/blake2_simd/commit/4edcb27d35bede3ac2aead76fcf0f56a6725c16c",
		counts(func(t [2]uint64, n uint64) [2]uint64 {
			if t[0] += n; int64(t[0]) < int64(n) {
				t[1]++
			}
			return t
		})},
	{"counter-carry-at-sign", "the carry is found by a signed comparison with the counter before: it comes at 2^63, not at 2^64", Unreported,
		counts(func(t [2]uint64, n uint64) [2]uint64 {
			before := t[0]
			if t[0] += n; int64(t[0]) < int64(before) {
				t[1]++
			}
			return t
		})},
	{"counter-carry-at-half-doubled", "the low counter word is kept in halves, whose carry is added to the high word, too", Unreported,
		counts(func(t [2]uint64, n uint64) [2]uint64 {
			if uint32(t[0])+uint32(n) < uint32(n) {
				t[1]++
			}
			return [2]uint64{t[0] + n, t[1]}
		})},
	{"counter-high-word-32-bits", "the high counter word has 32 bits", Unreported,
		counts(func(t [2]uint64, n uint64) [2]uint64 {
			t = plus(t, n)
			return [2]uint64{t[0], uint64(uint32(t[1]))}
		})},
}

// counts adds to the counter in another way.
func counts(count func(t [2]uint64, n uint64) [2]uint64) func(r *recipe) {
	return func(r *recipe) { r.count, r.countLast = count, count }
}

// narrow keeps the counter in less than 64 bits.
func narrow(cut func(t uint64) uint64) func(r *recipe) {
	return counts(func(t [2]uint64, n uint64) [2]uint64 { return [2]uint64{cut(t[0] + n), 0} })
}

// shows counts well and gives F something else.
func shows(what func(t [2]uint64) [2]uint64) func(r *recipe) {
	return func(r *recipe) {
		f := r.f
		r.f = func(rounds uint32, h *[8]uint64, block *[128]byte, t, flags [2]uint64) {
			f(rounds, h, block, what(t), flags)
		}
	}
}
