package mutants

import (
	"bytes"
	"encoding/hex"
	"math"
	"math/bits"
)

// endings are faults in the last block: its padding, its flags, and the digest.
var endings = []fault{
	{"padding-not-cleared", "behind the message, the last block holds what was in the buffer before", "https://github.com/odin-lang/Odin/pull/6360 https://github.com/succinctlabs/succinctx/pull/358",
		pads(func(s *state) {})},
	{"padding-cleared-to-64", "the last block is cleared up to byte 64 only", "https://github.com/mirage/digestif/commit/5371836c40d21022213b8187e1c656c58080aa14",
		pads(func(s *state) { clear(s.Buf[min(s.N, 64):64]) })},
	{"padding-cleared-from-64", "of the last block only the bytes from 64 on are cleared", Unreported,
		pads(func(s *state) { clear(s.Buf[max(s.N, 64):]) })},
	{"padding-one-byte-short", "the last byte of the last block is not cleared", Unreported,
		pads(func(s *state) { clear(s.Buf[s.N:max(s.N, 127)]) })},
	{"padding-cleared-with-block", "the buffer is cleared when a block is compressed out of it, and not when it has just become full", "https://github.com/hashcat/hashcat/pull/4447",
		func(r *recipe) {
			r.pad = func(*state) {}
			r.write = func(s *state, p []byte) {
				full := s.N == 128
				write(s, p)
				if !full {
					clear(s.Buf[s.N:])
				}
			}
		}},
	{"padding-from-memory", "the buffer is never initialized, and not cleared", "https://github.com/LoupVaillant/Monocypher/commit/9c41ee5360b81b41ffd071d3a9bc7bf6096b73a5",
		func(r *recipe) {
			pads(func(s *state) {})(r)
			r.start = func(s *state) {
				start(s)
				if s.N == 0 {
					copy(s.Buf[:], bytes.Repeat([]byte{0xdb}, 128))
				}
			}
		}},
	{"padding-with-bit", "the message is followed by a one bit, as in BLAKE and SHA-2", Unreported,
		pads(func(s *state) {
			if pad(s); s.N < 128 {
				s.Buf[s.N] = 0x80
			}
		})},
	{"padding-with-length", "the last block ends with the length of the message, as in BLAKE and SHA-2", Unreported,
		pads(func(s *state) {
			if pad(s); s.N <= 120 {
				n := output(&[8]uint64{bits.ReverseBytes64(8 * (s.T[0] + uint64(s.N)))}, 8)
				copy(s.Buf[120:], n)
			}
		})},
	{"padding-repeats-message", "the last block is padded with its own beginning", Unreported,
		pads(func(s *state) {
			if pad(s); s.N > 0 {
				copy(s.Buf[s.N:], bytes.Repeat(s.Buf[:s.N], 128))
			}
		})},
	{"padding-with-count", "the last block is padded with the number of bytes missing, as ciphers do", Unreported,
		pads(func(s *state) { copy(s.Buf[s.N:], bytes.Repeat([]byte{128 - s.N}, 128)) })},

	{"final-flag-missing", "the last block is not marked", "K51",
		flagged(func(f [2]uint64) [2]uint64 { return [2]uint64{} })},
	{"final-flag-32-bits", "the finalization flag has 32 bits", "https://github.com/BLAKE2/BLAKE2/commit/105d4e49c62847ae033757e953572471bbfdb8c6 https://github.com/RIOT-OS/RIOT/issues/12168",
		flagged(func(f [2]uint64) [2]uint64 { return [2]uint64{f[0] & math.MaxUint32, f[1] & math.MaxUint32} })},
	{"final-flag-16-bits", "the finalization flag has 16 bits", "https://github.com/BLAKE2/BLAKE2/commit/105d4e49c62847ae033757e953572471bbfdb8c6",
		flagged(func(f [2]uint64) [2]uint64 { return [2]uint64{f[0] & math.MaxUint16, f[1] & math.MaxUint16} })},
	{"final-flag-high-half", "only the upper half of the word is inverted by the finalization flag", Unreported,
		flagged(func(f [2]uint64) [2]uint64 { return [2]uint64{f[0] &^ math.MaxUint32, f[1] &^ math.MaxUint32} })},
	{"final-flag-1", "the finalization flag is 1, not all ones", Unreported,
		flagged(func(f [2]uint64) [2]uint64 { return [2]uint64{f[0] & 1, f[1] & 1} })},
	{"final-flag-in-both", "the last block is marked as that of a last node, too", "K51",
		flagged(func(f [2]uint64) [2]uint64 { return [2]uint64{f[0], f[0]} })},
	{"final-flag-in-second", "the last block is marked by the flag of the last node", Unreported,
		flagged(func(f [2]uint64) [2]uint64 { return [2]uint64{f[1], f[0]} })},
	{"final-flag-negated", "the last block is marked by -2, the complement of 1", Unreported,
		flagged(func(f [2]uint64) [2]uint64 { return [2]uint64{f[0] &^ 1, f[1] &^ 1} })},
	{"every-block-final", "every block is marked as the last", Unreported,
		func(r *recipe) {
			r.start = func(s *state) {
				start(s)
				s.F = flags(false)
			}
		}},
	{"last-node-ignored", "the flag of the last node is ignored", "K47",
		flagged(func(f [2]uint64) [2]uint64 { return [2]uint64{f[0], 0} })},
	{"last-node-alone", "the last node is marked by its own flag alone", Unreported,
		flagged(func(f [2]uint64) [2]uint64 { return [2]uint64{f[0] &^ f[1], f[1]} })},
	{"last-node-in-every-block", "the flag of the last node is set in every block of it", Unreported,
		func(r *recipe) {
			r.start = func(s *state) {
				start(s)
				if s.LastNode {
					s.F[1] = math.MaxUint64
				}
			}
		}},
	{"last-node-needs-depth", "the flag of the last node is ignored in leaves", Unreported,
		func(r *recipe) {
			r.finish = func(s *state) {
				s.LastNode = s.LastNode && s.Param[16] > 0
				finish(s)
			}
		}},

	{"digest-partial-word-lost", "the bytes of a digest behind its last whole word are not written", "K15",
		outputs(func(h *[8]uint64, size int) []byte {
			b := output(h, size)
			clear(b[size&^7:])
			return b
		})},
	{"digest-partial-half-word-lost", "the bytes of a digest behind its last 4 are not written", Unreported,
		outputs(func(h *[8]uint64, size int) []byte {
			b := output(h, size)
			clear(b[size&^3:])
			return b
		})},
	{"digest-words-big-endian", "the words of a digest are written with the highest byte first", "https://github.com/paragonie/sodium_compat/pull/103 https://github.com/librsync/librsync/issues/25",
		outputs(func(h *[8]uint64, size int) []byte {
			for i := range h {
				h[i] = bits.ReverseBytes64(h[i])
			}
			return output(h, size)
		})},
	{"digest-halves-swapped", "of the words of a digest the upper halves are written first", Unreported,
		outputs(func(h *[8]uint64, size int) []byte {
			for i := range h {
				h[i] = bits.RotateLeft64(h[i], 32)
			}
			return output(h, size)
		})},
	{"digest-high-halves-lost", "of the words of a digest the lower halves are written alone", Unreported,
		outputs(func(h *[8]uint64, size int) []byte {
			for i := range h {
				h[i] &= math.MaxUint32
			}
			return output(h, size)
		})},
	{"digest-from-end", "a short digest is the end of the state", Unreported,
		outputs(func(h *[8]uint64, size int) []byte { return output(h, 64)[64-size:] })},
	{"digest-reversed", "a digest is written as a number, the highest byte last", Unreported,
		outputs(func(h *[8]uint64, size int) []byte {
			b := output(h, size)
			reverse(b)
			return b
		})},
	{"digest-as-number", "a digest is a number: it loses the zero bytes that it begins with", Unreported,
		outputs(func(h *[8]uint64, size int) []byte { return bytes.TrimLeft(output(h, size), "\x00") })},
	{"digest-ends-at-nul", "a digest is a text: what follows its first zero byte is zero", Unreported,
		outputs(func(h *[8]uint64, size int) []byte {
			b := output(h, size)
			if i := bytes.IndexByte(b, 0); i >= 0 {
				clear(b[i:])
			}
			return b
		})},
	{"digest-in-hex", "a digest is the beginning of the hex digits of the one of 64 bytes", "https://github.com/filecoin-project/rust-fil-proofs/issues/869",
		func(r *recipe) {
			edits(func(b *[64]byte, p params) { b[0] = 64 })(r)
			r.output = func(h *[8]uint64, size int) []byte { return hex.AppendEncode(nil, output(h, 64))[:size] }
		}},
	{"digest-always-64", "a digest has 64 bytes whatever was asked for", "https://github.com/gtank/blake2/issues/1",
		outputs(func(h *[8]uint64, size int) []byte { return output(h, 64) })},
	{"digest-zero", "a digest is all zeros: nothing is implemented", "https://github.com/evmts/voltaire/issues/31",
		outputs(func(h *[8]uint64, size int) []byte { return make([]byte, size) })},
	{"rounds-10", "there are ten rounds, as in BLAKE2s", "K26",
		func(r *recipe) { r.rounds = 10 }},
	{"rounds-11", "there are eleven rounds: the loop ends one too early", Unreported,
		func(r *recipe) { r.rounds = 11 }},
	{"rounds-13", "there are thirteen rounds: the loop ends one too late", Unreported,
		func(r *recipe) { r.rounds = 13 }},
	{"rounds-16", "there are sixteen rounds, as in BLAKE-512", Unreported,
		func(r *recipe) { r.rounds = 16 }},
}

// pads puts something else behind the message. Every byte of it has gone through
// the buffer, so that there may be something left.
func pads(pad func(s *state)) func(r *recipe) {
	return func(r *recipe) {
		r.pad = pad
		r.write = func(s *state, p []byte) {
			for len(p) > 0 {
				if s.N == 128 {
					s.flush()
				}
				k := copy(s.Buf[s.N:], p)
				s.N += uint8(k)
				p = p[k:]
			}
		}
	}
}

// flagged marks the last block with other flags than those.
func flagged(other func(f [2]uint64) [2]uint64) func(r *recipe) {
	return func(r *recipe) {
		r.flags = func(lastNode bool) [2]uint64 { return other(flags(lastNode)) }
	}
}

func outputs(output func(h *[8]uint64, size int) []byte) func(r *recipe) {
	return func(r *recipe) { r.output = output }
}
