package mutants

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"

	"blake2btest/internal/model"
)

// calls are faults in what a port makes of a call of F in EIP-152's form.
var calls = []fault{
	{"call-rounds-little-endian", "the number of rounds is read with the lowest byte first", "K28",
		func(r *recipe) {
			called(func(in []byte) { reverse(in[:4]) })(r)
			right := r.eip152
			r.eip152 = func(r *recipe, in []byte, last bool) ([]byte, error) {
				out, err := right(r, in, last)
				if errors.Is(err, errors.ErrUnsupported) {
					err = errors.New("out of gas") // twelve rounds are 201,326,592
				}
				return out, err
			}
		}},
	{"call-rounds-8-bits", "the number of rounds has 8 bits", "K28",
		rounds(func(n uint32) uint32 { return uint32(uint8(n)) })},
	{"call-rounds-16-bits", "the number of rounds has 16 bits", Unreported,
		rounds(func(n uint32) uint32 { return uint32(uint16(n)) })},
	{"call-rounds-always-12", "the number of rounds is ignored: there are always twelve", Unreported,
		rounds(func(uint32) uint32 { return 12 })},
	{"call-rounds-0-is-12", "0 rounds are taken for the default", "K28",
		rounds(func(n uint32) uint32 {
			if n == 0 {
				return 12
			}
			return n
		})},
	{"call-rounds-at-least-1", "0 rounds are 1: the loop tests at its end", Unreported,
		rounds(func(n uint32) uint32 { return max(n, 1) })},
	{"call-rounds-at-most-12", "more than twelve rounds are twelve", "K27",
		rounds(func(n uint32) uint32 { return min(n, 12) })},
	{"call-rounds-one-more", "there is one round more than asked for", Unreported,
		rounds(func(n uint32) uint32 { return n + 1 })},
	{"call-rounds-lost", "the number of rounds is overwritten by the gas that is left", "https://github.com/0xPolygonZero/zk_evm/pull/78",
		rounds(func(n uint32) uint32 { return 1<<12 - n%(1<<12) })},
	{"call-rounds-above-12-fail", "more than twelve rounds run out of the table of words, and fail", "https://github.com/ethereumjs/ethereumjs-monorepo/pull/584",
		func(r *recipe) {
			r.eip152 = func(r *recipe, in []byte, last bool) ([]byte, error) {
				if len(in) == eip152Size && binary.BigEndian.Uint32(in) > 12 {
					return nil, errors.New("index 12 is out of range")
				}
				return eip152(r, in, last)
			}
		}},
	{"call-row-modulo-12", "round r takes row r modulo 12 of a table of twelve", "https://github.com/evmts/tevm/pull/1834",
		cored(func(c *core) { c.row = func(r int) [16]int { return row(r % 12) } })},
	{"call-row-missing-from-12", "from round 12 on all message words are that of index 0", Unreported,
		cored(func(c *core) {
			c.row = func(r int) (s [16]int) {
				if r < 12 {
					s = row(r)
				}
				return s
			}
		})},
	{"call-row-stays-last", "from round 12 on the row of words stays the last", Unreported,
		cored(func(c *core) { c.row = func(r int) [16]int { return row(min(r, 11)) } })},
	{"call-short-padded", "a call that is too short is padded with zeros", "K50",
		sized(func(in []byte) []byte { return append(bytes.Clone(in), make([]byte, max(0, eip152Size-len(in)))...) })},
	{"call-long-cut", "what goes beyond 213 bytes of a call is ignored", "K50",
		sized(func(in []byte) []byte { return in[:min(len(in), eip152Size)] })},
	{"call-invalid-empty", "an invalid call succeeds with an empty answer", "https://github.com/PegaSysEng/pantheon/pull/1882",
		failing(func([]byte) []byte { return nil })},
	{"call-invalid-zeros", "an invalid call is answered with zeros", Unreported,
		failing(func([]byte) []byte { return make([]byte, 64) })},
	{"call-invalid-keeps-output", "an invalid call is answered with the h that it began with", "https://github.com/status-im/nimbus-eth1/pull/2919",
		failing(func(in []byte) []byte {
			out := make([]byte, 64)
			copy(out, in[min(len(in), 4):])
			return out
		})},
	{"call-flag-any", "every final flag but 0 is taken for 1", "K50",
		called(func(in []byte) { in[212] = min(in[212], 1) })},
	{"call-flag-lowest-bit", "of the final flag only the lowest bit is looked at", Unreported,
		called(func(in []byte) { in[212] &= 1 })},
	{"call-flag-ignored", "the final flag is checked and ignored", "K51",
		called(func(in []byte) { in[212] &^= 1 })},
	{"call-flag-always", "the final flag is checked and taken for 1", Unreported,
		called(func(in []byte) { in[212] |= 1 })},
	{"call-flag-inverted", "the final flag is taken for its contrary", Unreported,
		called(func(in []byte) { in[212] ^= 1 })},
	{"call-h-big-endian", "the words of h are read with the highest byte first", Unreported,
		called(func(in []byte) { reverseWords(in[4:68]) })},
	{"call-m-big-endian", "the words of m are read with the highest byte first", Unreported,
		called(func(in []byte) { reverseWords(in[68:196]) })},
	{"call-t-big-endian", "the words of t are read with the highest byte first", Unreported,
		called(func(in []byte) { reverseWords(in[196:212]) })},
	{"call-t-as-number", "t is read as a number of 128 bits with the highest byte first", Unreported,
		called(func(in []byte) { reverse(in[196:212]) })},
	{"call-t-words-swapped", "the two words of t are exchanged", Unreported,
		called(func(in []byte) { exchange(in[196:204], in[204:212]) })},
	{"call-t-before-m", "t is read before m", Unreported,
		called(func(in []byte) { copy(in[68:], append(bytes.Clone(in[84:212]), in[68:84]...)) })},
	{"call-h-from-iv", "h is taken for the IV's place: the IV is XORed into it", Unreported,
		called(func(in []byte) {
			for i, w := range model.IV {
				b := in[4+8*i:]
				binary.LittleEndian.PutUint64(b, binary.LittleEndian.Uint64(b)^w)
			}
		})},
	{"call-output-big-endian", "the words of the answer have the highest byte first", Unreported,
		answered(reverseWords)},
	{"call-output-32", "half of h is answered", Unreported,
		func(r *recipe) {
			r.eip152 = func(r *recipe, in []byte, last bool) ([]byte, error) {
				out, err := eip152(r, in, last)
				return out[:len(out)/2], err
			}
		}},
	{"call-counter-63-bits", "the words of t are signed numbers, of which a negative one is 0", Unreported,
		called(func(in []byte) {
			for _, b := range [][]byte{in[196:204], in[204:212]} {
				if binary.LittleEndian.Uint64(b) > math.MaxInt64 {
					clear(b)
				}
			}
		})},
}

// called edits a call of the right length before it is looked at.
func called(edit func(in []byte)) func(r *recipe) {
	return sized(func(in []byte) []byte {
		in = bytes.Clone(in)
		if len(in) == eip152Size {
			edit(in)
		}
		return in
	})
}

// sized makes another call of any.
func sized(other func(in []byte) []byte) func(r *recipe) {
	return func(r *recipe) {
		r.eip152 = func(r *recipe, in []byte, last bool) ([]byte, error) { return eip152(r, other(in), last) }
	}
}

func rounds(other func(n uint32) uint32) func(r *recipe) {
	return called(func(in []byte) { binary.BigEndian.PutUint32(in, other(binary.BigEndian.Uint32(in))) })
}

// failing answers a call that is an error.
func failing(answer func(in []byte) []byte) func(r *recipe) {
	return func(r *recipe) {
		r.eip152 = func(r *recipe, in []byte, last bool) ([]byte, error) {
			if out, err := eip152(r, in, last); err == nil {
				return out, nil
			}
			return answer(in), nil
		}
	}
}

// answered edits the answer to a call.
func answered(edit func(out []byte)) func(r *recipe) {
	return func(r *recipe) {
		r.eip152 = func(r *recipe, in []byte, last bool) ([]byte, error) {
			out, err := eip152(r, in, last)
			edit(out)
			return out, err
		}
	}
}

func reverseWords(b []byte) {
	for ; len(b) >= 8; b = b[8:] {
		reverse(b[:8])
	}
}
