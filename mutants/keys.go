package mutants

import (
	"bytes"
	"crypto/hmac"
	"crypto/subtle"
	"hash"
	"math"
	"slices"

	"blake2btest"
)

// keys are faults in the key block (RFC 7693, section 3.3).
var keys = []fault{
	{"keyed-empty-not-keyed", "the key block is left out where the message is empty", "https://github.com/hacl-star/hacl-star/pull/495 https://github.com/oconnor663/blake2_simd/commit/0665c38df2913477d6f6cb61e1077a09dae8a3f4",
		lonelyKey(func(s *state) { s.Buf, s.N = [128]byte{}, 0 })},
	{"keyed-empty-zero-block", "where the message is empty, a block of zeros follows the key block", "https://github.com/jedisct1/libhydrogen/issues/4",
		lonelyKey(func(s *state) { s.flush() })},
	{"keyed-empty-not-final", "where the message is empty, the key block is not marked as the last", "https://github.com/BLAKE2/BLAKE2/issues/54",
		func(r *recipe) {
			r.finish = func(s *state) {
				if s.lonely() {
					s.flush()
					return
				}
				finish(s)
			}
		}},
	{"keyed-empty-not-counted", "where the message is empty, the counter of the key block is 0", "https://github.com/BLAKE2/BLAKE2/issues/54",
		func(r *recipe) {
			r.finish = func(s *state) {
				if s.lonely() {
					s.F = flags(s.LastNode)
					s.compress(&s.Buf)
					return
				}
				finish(s)
			}
		}},
	{"empty-key-is-a-key", "an empty key makes a key block of zeros", "https://github.com/dchest/pyblake2/issues/5 https://github.com/RustCrypto/hashes/issues/509 https://github.com/RustCrypto/hashes/pull/914",
		keyBlock(func(key []byte) []byte {
			if key == nil {
				return nil
			}
			return padded(key)
		})},
	{"always-keyed", "without a key, a key block of zeros is hashed", Unreported,
		keyBlock(padded)},
	{"key-ignored", "the key is ignored", "K05",
		asks(func(p *params) { p.Key = nil })},
	{"key-from-stack", "without a key, what happens to lie in memory is used as one", "https://github.com/darjeeling/python-blake2/issues/1",
		asks(func(p *params) {
			if len(p.Key) == 0 {
				p.Key = []byte{0x60, 0xd3, 0xff, 0xff, 0xfe, 0x7f}
			}
		})},
	{"key-padded-to-64", "the key is padded to 64 bytes, not to a block", "K06",
		keyBlock(func(key []byte) []byte {
			if len(key) == 0 {
				return nil
			}
			return padded(key)[:64]
		})},
	{"key-not-padded", "the message follows the key without padding", "K06",
		keyBlock(bytes.Clone)},
	{"key-right-aligned", "the zeros of the key block go before the key", Unreported,
		keyed(func(key []byte) []byte { return append(make([]byte, 128-len(key)), key...) })},
	{"key-repeated", "the key is repeated to fill the key block", Unreported,
		keyed(func(key []byte) []byte { return bytes.Repeat(key, 128)[:128] })},
	{"key-reversed", "the key is put into its block as a number, the highest byte last", Unreported,
		keyed(func(key []byte) []byte {
			key = bytes.Clone(key)
			reverse(key)
			return key
		})},
	{"key-words-big-endian", "the words of the key block have the highest byte first", Unreported,
		keyed(func(key []byte) []byte {
			b := padded(key)
			for i := 0; i < 128; i += 8 {
				reverse(b[i : i+8])
			}
			return b
		})},
	{"key-half-used", "of keys only the first 32 bytes are used, as BLAKE2s has them", Unreported,
		keyed(func(key []byte) []byte { return key[:min(len(key), 32)] })},
	{"key-block-missing", "the key length is in the parameter block, and there is no key block", Unreported,
		keyBlock(func([]byte) []byte { return nil })},
	{"key-block-not-counted", "the counter leaves the key block out", "K25 https://github.com/oconnor663/blake2_simd/commit/97e91a83250d1c7217334c387bce98cf68175b91",
		keyBlockCounts(func(s *state) uint64 { return 0 })},
	{"key-block-counted-as-key", "the counter counts the bytes of the key, not of its block", Unreported,
		keyBlockCounts(func(s *state) uint64 { return uint64(s.Param[1]) })},
	{"key-block-not-counted-at-end", "the counter of the last block is the length of the message alone", Unreported,
		func(r *recipe) {
			r.finish = func(s *state) {
				if s.PrefixLen > 0 {
					s.T[0] -= 128
				}
				finish(s)
			}
		}},
	{"key-block-final", "the key block is marked as the last block", Unreported,
		func(r *recipe) {
			r.block = func(s *state, b *[128]byte) {
				if s.T == [2]uint64{} && s.PrefixLen > 0 {
					s.F = flags(false)
				}
				block(s, b)
				s.F = [2]uint64{}
			}
		}},
}

// lonely says whether the key block is all there is.
func (s *state) lonely() bool { return s.PrefixLen > 0 && s.T == [2]uint64{} && s.N == 128 }

// lonelyKey does something before a key block that is all there is is finished.
func lonelyKey(do func(s *state)) func(r *recipe) {
	return func(r *recipe) {
		r.finish = func(s *state) {
			if s.lonely() {
				do(s)
			}
			finish(s)
		}
	}
}

// keyBlock hashes something else before the message.
func keyBlock(prefix func(key []byte) []byte) func(r *recipe) {
	return func(r *recipe) { r.prefix = prefix }
}

// keyed hashes another key block where there is a key; it is padded.
func keyed(block func(key []byte) []byte) func(r *recipe) {
	return keyBlock(func(key []byte) []byte {
		if len(key) == 0 {
			return nil
		}
		return padded(block(key))
	})
}

// keyBlockCounts makes the counter count something else than 128 for the key
// block.
func keyBlockCounts(n func(s *state) uint64) func(r *recipe) {
	return func(r *recipe) {
		r.start = func(s *state) {
			start(s)
			if s.PrefixLen > 0 {
				s.T = plus([2]uint64{math.MaxUint64 - 127, math.MaxUint64}, n(s)) // counting 128 more is n
			}
		}
	}
}

// constructions are what people take for keyed BLAKE2b.
var constructions = slices.Concat(
	[]Mutant{{Name: "hmac", Bug: "the keyed hash is HMAC with BLAKE2b", Seen: Unreported, Port: blake2btest.MakeHash(newHMAC)}},
	asPorts([]fault{
		{"key-prepended", "the key is put before the message, and the hash is not keyed", Unreported,
			func(r *recipe) {
				r.layout = unkeyed
				r.prefix = bytes.Clone
			}},
		{"key-appended", "the key is put behind the message, and the hash is not keyed", Unreported,
			func(r *recipe) {
				r.layout = unkeyed
				r.prefix = func([]byte) []byte { return nil }
				r.finish = func(s *state) {
					write(s, s.params.Key)
					finish(s)
				}
			}},
		{"key-as-salt", "the first 16 bytes of the key are the salt, and the hash is not keyed", Unreported,
			takes(func(p *params) {
				if n := len(p.Key); n > 0 {
					p.Key, p.Salt = nil, p.Key[:min(n, 16)]
				}
			})},
		{"key-as-person", "the first 16 bytes of the key are the personalization, and the hash is not keyed", Unreported,
			takes(func(p *params) {
				if n := len(p.Key); n > 0 {
					p.Key, p.Person = nil, p.Key[:min(n, 16)]
				}
			})},
		{"key-in-iv", "the key is XORed into the state before the first block, and there is no key block", "https://github.com/paulmillr/noble-hashes/commit/178daf908a8967e780868b59ff61daaf667012de",
			func(r *recipe) {
				r.prefix = func([]byte) []byte { return nil }
				r.layout = func(p params) [64]byte {
					b := layout(p)
					subtle.XORBytes(b[:], b[:], p.Key)
					return b
				}
			}},
	}),
)

func unkeyed(p params) [64]byte {
	p.Key = nil
	return layout(p)
}

func newHMAC(p params) (hash.Hash, error) {
	if _, err := accept(p); err != nil {
		return nil, err
	}
	key := p.Key
	p.Key = nil
	if len(key) == 0 {
		return right().New(p)
	}
	return hmac.New(func() hash.Hash {
		h, err := right().New(p)
		if err != nil {
			panic(err) // p was accepted
		}
		return h
	}, key), nil
}
