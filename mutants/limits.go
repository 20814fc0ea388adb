package mutants

import (
	"bytes"
	"errors"
	"fmt"
)

// limits are faults in what a port accepts (RFC 7693, section 2.1).
var limits = []fault{
	{"size-0-accepted", "a digest length of 0 is accepted, and gives nothing", "https://github.com/paulmillr/noble-hashes/commit/9a216b5840bb309d3a4815a5c2e489268095685f https://github.com/BLAKE2/BLAKE2/commit/d0bf1ed303f05b74ee7033111869f7393965f333",
		sizes(0, 64)},
	{"size-0-accepted-with-key", "with a key, a digest length of 0 is accepted, and gives nothing", "FINDINGS.md ironclad",
		func(r *recipe) {
			sizes(0, 64)(r)
			lenient := r.accept
			r.accept = func(p params) (params, error) {
				if p.Key == nil {
					return accept(p)
				}
				return lenient(p)
			}
		}},
	{"size-65-accepted", "the limit of the digest length is off by one", "https://github.com/mirage/digestif/commit/d9acdc3a48bac3b6972332dab501e23f043f18fc https://github.com/pyca/pynacl/issues/964",
		sizes(1, 65)},
	{"size-255-accepted", "any digest length that fits a byte is accepted", "https://github.com/openssl/openssl/pull/22659",
		sizes(1, 255)},
	{"size-above-64-clamped", "a digest length above 64 gives 64 bytes", Unreported,
		asks(func(p *params) { p.Size = min(p.Size, 64) })},
	{"size-modulo-64", "a digest length is taken modulo 64", "K13",
		asks(func(p *params) { p.Size = (p.Size-1)&63 + 1 })},
	{"size-modulo-256", "a digest length is cut to 8 bits before it is checked", "K13 https://github.com/mirage/digestif/pull/166",
		asks(func(p *params) { p.Size = int(byte(p.Size)) })},
	{"size-65-gives-zeros", "a digest length that is too large gives zeros instead of an error", "https://github.com/lvh/caesium/issues/12",
		func(r *recipe) {
			sizes(1, 1<<20)(r)
			right := r.output
			r.output = func(h *[8]uint64, size int) []byte {
				if size > 64 {
					return make([]byte, size)
				}
				return right(h, size)
			}
		}},
	{"size-named-only", "digest lengths other than 20, 32, 48 and 64 are refused", "https://github.com/bcgit/bc-java/commit/2d6ae35ef80f11fcc1b40671a32205a63648a8b8",
		refuses(func(p params) bool { return p.Size != 20 && p.Size != 32 && p.Size != 48 && p.Size != 64 })},
	{"size-28-bound-to-32", "the name of BLAKE2b-224 calls BLAKE2b-256", "https://github.com/IntersectMBO/plutus/pull/5716",
		takes(func(p *params) {
			if p.Size == 28 {
				p.Size = 32
			}
		})},
	{"size-ignored", "the digest length is stored and never used", "https://github.com/openssl/openssl/pull/22074",
		takes(func(p *params) { p.Size = 64 })},

	{"key-above-64-cut", "a key above 64 bytes is cut to 64", "https://github.com/franckverrot/blake2/issues/9",
		asks(func(p *params) { p.Key = p.Key[:min(len(p.Key), 64)] })},
	{"key-above-64-hashed", "a key above 64 bytes is hashed first, as HMAC does", "K11",
		asks(func(p *params) {
			if len(p.Key) > 64 {
				s, _ := right().newState(params{Size: 64})
				s.Write(p.Key)
				p.Key = s.Sum(nil)
			}
		})},
	{"key-above-64-dropped", "a key above 64 bytes is treated as none", Unreported,
		asks(func(p *params) {
			if len(p.Key) > 64 {
				p.Key = nil
			}
		})},
	{"key-length-unchecked", "a key of any length is copied into the key block", "https://github.com/hacl-star/hacl-star/issues/874 https://github.com/gobytecoin/gobyte/pull/59",
		keyLimit(1 << 20)},
	{"key-65-accepted", "the limit of the key length is off by one", Unreported,
		keyLimit(65)},
	{"key-64-refused", "a key of 64 bytes is refused: the limit is off by one", Unreported,
		refuses(func(p params) bool { return len(p.Key) == 64 })},
	{"key-below-16-refused", "keys under 16 bytes are refused", "https://github.com/RubyCrypto/rbnacl/issues/87 https://github.com/mafintosh/blake2b-wasm/issues/22",
		refuses(func(p params) bool { return 0 < len(p.Key) && len(p.Key) < 16 })},
	{"key-below-16-padded", "keys under 16 bytes are padded to 16, and called 16 bytes long", "K12",
		asks(func(p *params) {
			if n := len(p.Key); 0 < n && n < 16 {
				p.Key = padded(p.Key)[:16]
			}
		})},

	{"salt-above-16-cut", "a salt above 16 bytes is cut to 16", "K10",
		asks(func(p *params) { p.Salt = p.Salt[:min(len(p.Salt), 16)] })},
	{"person-above-16-cut", "a personalization above 16 bytes is cut to 16", "K10",
		asks(func(p *params) { p.Person = p.Person[:min(len(p.Person), 16)] })},
	{"salt-overflows", "a salt above 16 bytes runs on into the personalization", Unreported,
		func(r *recipe) {
			r.accept = func(p params) (params, error) {
				_, err := accept(params{Size: p.Size, Key: p.Key, Person: p.Person})
				return p, err
			}
			r.layout = func(p params) [64]byte {
				b := layout(p)
				if len(p.Salt) > 16 {
					copy(b[48:], p.Salt[16:])
				}
				return b
			}
		}},
	{"key-ends-at-nul", "a key is a text that ends at its first zero byte", "K52",
		asks(func(p *params) { p.Key, _, _ = bytes.Cut(p.Key, []byte{0}) })},
	{"salt-ends-at-nul", "salt and personalization are texts that end at their first zero byte", Unreported,
		asks(func(p *params) {
			p.Salt, _, _ = bytes.Cut(p.Salt, []byte{0})
			p.Person, _, _ = bytes.Cut(p.Person, []byte{0})
		})},
	{"key-as-text", "a key is a text: bytes above 127 become two, in UTF-8", "K52",
		asks(func(p *params) { p.Key = latin1(p.Key) })},
	{"key-digit-0-ignored", "the key \"0\" is taken for none, as PHP's empty does", "FINDINGS.md sodium_compat",
		asks(func(p *params) {
			if string(p.Key) == "0" {
				p.Key = nil
			}
		})},
	{"key-as-number", "a key is a number: it loses the zero bytes that it begins with", Unreported,
		asks(func(p *params) { p.Key = bytes.TrimLeft(p.Key, "\x00") })},
}

// asks edits what is asked for before it is checked.
func asks(edit func(p *params)) func(r *recipe) {
	return func(r *recipe) {
		r.accept = func(p params) (params, error) {
			edit(&p)
			return accept(p)
		}
	}
}

// takes edits what is asked for after it was checked.
func takes(edit func(p *params)) func(r *recipe) {
	return func(r *recipe) {
		r.accept = func(p params) (params, error) {
			_, err := accept(p)
			edit(&p)
			return p, err
		}
	}
}

func refuses(what func(p params) bool) func(r *recipe) {
	return func(r *recipe) {
		r.accept = func(p params) (params, error) {
			if what(p) {
				return p, errors.New("not supported")
			}
			return accept(p)
		}
	}
}

// sizes has other limits of the digest length. Beyond what there is of a
// digest, zeros follow.
func sizes(least, most int) func(r *recipe) {
	return func(r *recipe) {
		r.accept = func(p params) (params, error) {
			if p.Size < least || p.Size > most {
				return p, fmt.Errorf("digest length %d is not from %d to %d", p.Size, least, most)
			}
			_, err := accept(params{Size: 64, Key: p.Key, Salt: p.Salt, Person: p.Person})
			return p, err
		}
		r.output = func(h *[8]uint64, size int) []byte {
			return append(output(h, min(size, 64)), make([]byte, max(0, size-64))...)
		}
	}
}

// keyLimit has another limit of the key length.
func keyLimit(n int) func(r *recipe) {
	return func(r *recipe) {
		r.accept = func(p params) (params, error) {
			if len(p.Key) > n {
				return p, fmt.Errorf("key length %d is above %d", len(p.Key), n)
			}
			_, err := accept(params{Size: p.Size, Salt: p.Salt, Person: p.Person})
			return p, err
		}
	}
}

// latin1 returns the UTF-8 of the characters whose numbers are p's bytes.
func latin1(p []byte) []byte {
	var b []rune
	for _, c := range p {
		b = append(b, rune(c))
	}
	return []byte(string(b))
}
