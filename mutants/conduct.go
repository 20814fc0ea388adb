package mutants

import (
	"encoding/binary"
	"errors"
	"sync"
)

// conduct are faults in how a hash.Hash behaves to its caller.
var conduct = []fault{
	{"sum-overwrites-prefix", "Sum writes the digest over what its argument holds", Unreported,
		sums(func(s *state, b []byte) []byte { return append(b[:0], s.r.digest(s)...) })},
	{"sum-drops-prefix", "Sum returns the digest without its argument before it", Unreported,
		sums(func(s *state, b []byte) []byte { return s.r.digest(s) })},
	{"sum-hashes-argument", "Sum takes its argument for the rest of the message", "https://github.com/golang/go/issues/30315",
		sums(func(s *state, b []byte) []byte {
			c := *s
			s.r.write(&c, b)
			return s.r.digest(&c)
		})},
	{"sum-appends-64", "Sum appends 64 bytes whatever the digest length", "https://github.com/gtank/blake2/issues/1",
		sums(func(s *state, b []byte) []byte {
			d := s.r.digest(s)
			return append(append(b, d...), make([]byte, 64-len(d))...)
		})},
	{"sum-writes-behind-digest", "Sum writes 64 bytes into the capacity of its argument, and returns as many as it should", "K14",
		sums(func(s *state, b []byte) []byte {
			d := s.r.digest(s)
			return append(append(b, d...), make([]byte, 64-len(d))...)[:len(b)+len(d)]
		})},
	{"sum-offset-in-words", "Sum takes the length of its argument for a number of words of the digest to leave out", "https://github.com/bcgit/bc-java/commit/1ddf13b596e6e8f3cf5f428f18148fe88c999293",
		sums(func(s *state, b []byte) []byte {
			d := s.r.digest(s)
			lost := min(8*len(b), len(d))
			return append(append(b, d[lost:]...), make([]byte, lost)...)
		})},
	{"sum-offset-ignored", "Sum writes the digest to the beginning of what it returns", "https://github.com/bcgit/bc-java/commit/11c950f3d7c08ff9cd8d88fbfa21502c859ba6ef",
		sums(func(s *state, b []byte) []byte {
			d := s.r.digest(s)
			b = append(b, make([]byte, len(d))...)
			copy(b, d)
			return b
		})},
	{"sum-returns-its-buffer", "Sum of nil returns memory of the hash, which the next Sum overwrites", Unreported,
		sums(func(s *state, b []byte) []byte {
			s.out = append(s.out[:0], s.r.digest(s)...)
			if b == nil {
				return s.out
			}
			return append(b, s.out...)
		})},
	{"size-64", "Size is 64 whatever the digest length", "https://github.com/openssl/openssl/issues/22708",
		func(r *recipe) { r.size = func(*state) int { return 64 } }},
	{"size-in-bits", "Size is in bits", "https://github.com/typed-io/cryptoxide/pull/42",
		func(r *recipe) { r.size = func(s *state) int { return 8 * int(s.Length) } }},
	{"block-size-64", "BlockSize is 64, as of BLAKE2s: HMAC is wrong", "https://github.com/RustCrypto/hashes/commit/7f3080be055b2feef44c408870654619eb14524f",
		func(r *recipe) { r.blockSize = 64 }},
	{"block-size-0", "BlockSize is 0: HMAC is wrong or fails", "https://github.com/weidai11/cryptopp/commit/758939ab2e1b24f0da77aa0ee1dbf78de423aa53",
		func(r *recipe) { r.blockSize = 0 }},
	{"write-returns-0", "Write returns 0", Unreported,
		methods(func(s *state, p []byte) (int, error) {
			_, err := methodWrite(s, p)
			return 0, err
		})},
	{"write-returns-buffered", "Write returns how many bytes it put into the buffer", Unreported,
		methods(func(s *state, p []byte) (int, error) {
			_, err := methodWrite(s, p)
			return min(len(p), int(s.N)), err
		})},
	{"write-wipes-input", "Write wipes what it was given", Unreported,
		methods(func(s *state, p []byte) (int, error) {
			n, err := methodWrite(s, p)
			clear(p)
			return n, err
		})},
	{"write-swaps-input", "Write swaps the bytes of whole blocks where they are, and does not swap them back", Unreported,
		methods(func(s *state, p []byte) (int, error) {
			n, err := methodWrite(s, p)
			reverseWords(p[:len(p)/128*128])
			return n, err
		})},
	{"write-keeps-input", "Write keeps what it was given, and reads it when more comes", "K44",
		func(r *recipe) {
			// catchUp writes what was kept.
			catchUp := func(s *state) {
				p := s.input
				s.input = nil
				s.r.write(s, p)
			}
			r.methodWrite = func(s *state, p []byte) (int, error) {
				catchUp(s)
				s.input = p
				return len(p), nil
			}
			r.digest = func(s *state) []byte {
				catchUp(s)
				return digest(s)
			}
			r.clone = func(s *state) *state {
				catchUp(s)
				return clone(s)
			}
			r.reset = func(s *state) {
				s.input = nil
				reset(s)
			}
		}},
	{"write-after-sum-fails", "Write after Sum is an error", Unreported,
		func(r *recipe) {
			r.methodSum = func(s *state, b []byte) []byte {
				s.out = s.r.digest(s)
				return append(b, s.out...)
			}
			r.methodWrite = func(s *state, p []byte) (int, error) {
				if s.out != nil {
					return 0, errors.New("hash is finished")
				}
				return methodWrite(s, p)
			}
			r.reset = func(s *state) {
				s.out = nil
				reset(s)
			}
		}},
	{"key-kept-by-reference", "Reset reads the key from the caller's memory again", "K44",
		func(r *recipe) {
			r.reset = func(s *state) {
				copy(s.Prefix[:], s.params.Key)
				reset(s)
			}
		}},
	{"salt-kept-by-reference", "Reset reads salt and personalization from the caller's memory again", Unreported,
		func(r *recipe) {
			r.reset = func(s *state) {
				s.Param = layout(s.params)
				reset(s)
			}
		}},
	{"reset-leaves-secrets", "Reset empties the buffer and does not clear it: the exported state holds old input", "https://github.com/golang/go/issues/81381",
		func(r *recipe) {
			r.reset = func(s *state) {
				buf := s.Buf
				if reset(s); s.N == 0 {
					s.Buf = buf
				}
			}
		}},
	{"import-short-accepted", "UnmarshalBinary accepts a state that ends early, and takes zeros for the rest", "K43",
		func(r *recipe) {
			r.load = func(b []byte) (memory, error) {
				return load(append(b[:len(b):len(b)], make([]byte, max(0, stateSize-len(b)))...))
			}
		}},
	{"import-long-accepted", "UnmarshalBinary ignores what follows a state", Unreported,
		func(r *recipe) {
			r.load = func(b []byte) (memory, error) { return load(b[:min(len(b), stateSize)]) }
		}},
	{"import-unchecked", "UnmarshalBinary accepts any values: a later Write or Sum panics", "K43",
		func(r *recipe) {
			r.load = func(b []byte) (m memory, err error) {
				if len(b) != stateSize {
					return load(b)
				}
				_, err = binary.Decode(b, binary.LittleEndian, &m)
				return m, err
			}
		}},
	{"buffer-of-process", "all hashes of the process have one buffer", "K45",
		func(r *recipe) {
			sharing(func(from, to *memory) { to.N, to.Buf = from.N, from.Buf })(r)
			serialize(r)
		}},
	{"hash-of-process", "all hashes of the process are one", "https://github.com/soramitsu/fearless-utils-Android/pull/90",
		func(r *recipe) {
			sharing(func(from, to *memory) { *to = *from })(r)
			serialize(r)
		}},
}

var stateSize = binary.Size(memory{})

func sums(sum func(s *state, b []byte) []byte) func(r *recipe) {
	return func(r *recipe) { r.methodSum = sum }
}

func methods(write func(s *state, p []byte) (int, error)) func(r *recipe) {
	return func(r *recipe) { r.methodWrite = write }
}

// serialize lets one goroutine at a time use what all hashes share, so that
// what goes wrong is not a data race.
func serialize(r *recipe) {
	var mu sync.Mutex
	start, write, digest := r.start, r.methodWrite, r.digest
	r.start = func(s *state) {
		mu.Lock()
		defer mu.Unlock()
		start(s)
	}
	r.methodWrite = func(s *state, p []byte) (int, error) {
		mu.Lock()
		defer mu.Unlock()
		return write(s, p)
	}
	r.digest = func(s *state) []byte {
		mu.Lock()
		defer mu.Unlock()
		return digest(s)
	}
}
