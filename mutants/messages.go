package mutants

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"strings"
)

// messages are faults in what a port takes for the message.
var messages = []fault{
	{"message-ends-at-nul", "a message is a text that ends at its first zero byte", "K52",
		reads(func(p []byte) []byte {
			p, _, _ = bytes.Cut(p, []byte{0})
			return p
		})},
	{"message-as-text", "a message is a text: bytes above 127 become two, in UTF-8", "https://github.com/fleet-sdk/fleet/issues/43",
		reads(latin1)},
	{"message-as-valid-text", "a message is decoded as UTF-8: what is not UTF-8 becomes U+FFFD", Unreported,
		reads(func(p []byte) []byte { return []byte(strings.ToValidUTF8(string(p), "\uFFFD")) })},
	{"message-as-hex", "the hex digits of the message are hashed", "https://github.com/polkadot-js/common/pull/614",
		reads(func(p []byte) []byte { return hex.AppendEncode(nil, p) })},
	{"message-as-zeros", "as many zero bytes as the message has are hashed", "https://github.com/emilbayes/blake2b/issues/5",
		reads(func(p []byte) []byte { return make([]byte, len(p)) })},
	{"message-as-number", "a message is a number: it loses the zero bytes that it begins with", Unreported,
		reads(func(p []byte) []byte { return bytes.TrimLeft(p, "\x00") })},
	{"message-in-text-mode", "a message is read in text mode: CR LF becomes LF", Unreported,
		reads(func(p []byte) []byte { return bytes.ReplaceAll(p, []byte("\r\n"), []byte("\n")) })},
	{"message-ends-at-control-z", "a message is read in text mode, where byte 1a is its end", Unreported,
		reads(func(p []byte) []byte {
			p, _, _ = bytes.Cut(p, []byte{0x1a})
			return p
		})},
	{"message-with-newline", "a newline is added to every message, as echo does", Unreported,
		func(r *recipe) {
			r.finish = func(s *state) {
				write(s, []byte("\n"))
				finish(s)
			}
		}},
	{"empty-message-not-compressed", "of an empty message the digest is the initial state", "https://github.com/metadings/Blake2B.cs/issues/3",
		func(r *recipe) {
			r.finish = func(s *state) {
				if s.N > 0 || s.T != [2]uint64{} {
					finish(s)
				}
			}
		}},
	{"empty-message-no-output", "of an empty message the digest is whatever the output held before", "https://github.com/relic-toolkit/relic/commit/1885ae3b681c423c72b65ce1fe70910142cf941c",
		func(r *recipe) {
			r.digest = func(s *state) []byte {
				if s.N == 0 && s.T == [2]uint64{} {
					return make([]byte, s.Length)
				}
				return digest(s)
			}
		}},
	{"first-block-only", "only the first block of a message is hashed", "https://github.com/secworks/blake2/issues/2 https://github.com/hashcat/hashcat/pull/2296",
		func(r *recipe) { r.write = func(s *state, p []byte) { s.N += uint8(copy(s.Buf[s.N:], p)) } }},
	{"last-block-only", "every block is hashed as if it were the first", Unreported,
		func(r *recipe) {
			r.block = func(s *state, b *[128]byte) {
				s.H = r.initial(&s.Param)
				block(s, b)
			}
			r.finish = func(s *state) {
				s.H = r.initial(&s.Param)
				finish(s)
			}
		}},
	{"write-above-62-mib-fails", "a write above 62 MiB is more than the memory of the module, and fails", "https://github.com/mafintosh/blake2b-wasm/issues/18 https://github.com/yoshuawuyts/buffer-graph/issues/6",
		func(r *recipe) {
			r.methodWrite = func(s *state, p []byte) (int, error) {
				if len(p) > 62<<20 {
					return 0, errors.New("offset is out of bounds")
				}
				return methodWrite(s, p)
			}
		}},
	{"write-length-8-bits", "the length of a write has 8 bits", "K57",
		reads(func(p []byte) []byte { return p[:uint8(len(p))] })},
	{"write-length-16-bits", "the length of a write has 16 bits", "K57",
		reads(func(p []byte) []byte { return p[:uint16(len(p))] })},
	{"write-length-int16", "the length of a write is a signed number of 16 bits: from 2^15 bytes on nothing is written", Unreported,
		reads(func(p []byte) []byte { return p[:max(0, int16(len(p)))] })},
	{"write-length-sum-8-bits", "the sum of what is buffered and what is written has 8 bits", Unreported,
		sumOfLengths(math.MaxUint8)},
	{"write-length-sum-16-bits", "the sum of what is buffered and what is written has 16 bits", Unreported,
		sumOfLengths(math.MaxUint16)},
}

// longWrites are faults of single writes of gigabytes.
var longWrites = []fault{
	{"write-length-int32", "the length of a write is a signed number of 32 bits: from 2^31 bytes on nothing is written", Unreported,
		reads(func(p []byte) []byte { return p[:max(0, int32(len(p)))] })},
	{"write-length-32-bits", "the length of a write has 32 bits", "K57",
		reads(func(p []byte) []byte { return p[:uint32(len(p))] })},
	{"write-length-sum-32-bits", "the sum of what is buffered and what is written has 32 bits", "https://github.com/python/cpython/issues/98517",
		sumOfLengths(math.MaxUint32)},
}

// reads makes a write take something else than what it is given.
func reads(take func(p []byte) []byte) func(r *recipe) {
	return func(r *recipe) {
		r.methodWrite = func(s *state, p []byte) (int, error) {
			s.r.write(s, take(p))
			return len(p), nil
		}
	}
}

// sumOfLengths makes a write that is at most a block with what is buffered,
// modulo mask + 1, end in the buffer.
func sumOfLengths(mask uint64) func(r *recipe) {
	return func(r *recipe) {
		r.write = func(s *state, p []byte) {
			if sum := (uint64(s.N) + uint64(len(p))) & mask; sum <= 128 {
				s.N += uint8(copy(s.Buf[s.N:], p[:min(uint64(len(p)), sum)]))
				return
			}
			write(s, p)
		}
	}
}
