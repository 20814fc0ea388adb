package mutants

import "errors"

// buffers are faults in how the message is cut into blocks.
var buffers = []fault{
	{"eager-last-block", "a full block is compressed at once, and so never marked as the last", "https://github.com/kmaragon/Konscious.Security.Cryptography/issues/23 https://github.com/ziglang/zig/pull/5968 https://github.com/succinctlabs/succinctx/pull/77 https://github.com/openssl/openssl/pull/566",
		writes(func(s *state, p []byte) {
			for len(p) > 0 {
				k := copy(s.Buf[s.N:], p)
				s.N += uint8(k)
				p = p[k:]
				if s.N == 128 {
					s.flush()
				}
			}
		})},
	{"eager-last-block-of-write", "a write of whole blocks into an empty buffer compresses all of them", "K01",
		writes(func(s *state, p []byte) {
			if s.N > 0 {
				write(s, p)
				return
			}
			s.keep(direct(s, p, len(p)/128))
		})},
	{"eager-last-block-of-several", "a write of two or more whole blocks compresses all of them", "K01",
		writes(func(s *state, p []byte) {
			if s.N > 0 || len(p) < 256 {
				write(s, p)
				return
			}
			s.keep(direct(s, p, len(p)/128))
		})},
	{"eager-topped-up-block", "a buffer that a write fills up to the brim is compressed at once", Unreported,
		writes(func(s *state, p []byte) {
			if s.N == 0 {
				write(s, p)
				return
			}
			p = topUp(s, p)
			if s.N == 128 {
				s.flush()
				write(s, p)
			}
		})},
	{"last-full-block-dropped", "a message of whole blocks is finished without compressing the last", Unreported,
		func(r *recipe) {
			r.finish = func(s *state) {
				if s.N < 128 {
					finish(s)
				}
			}
		}},
	{"last-block-twice", "a full last block is compressed as one of the others, and then again as the last", Unreported,
		func(r *recipe) {
			r.finish = func(s *state) {
				if s.N == 128 {
					s.r.block(s, &s.Buf)
				}
				finish(s)
			}
		}},
	{"block-of-64", "blocks are cut at 64 bytes, as in BLAKE2s", "https://github.com/dint-dev/cryptography/issues/145",
		func(r *recipe) {
			r.block = func(s *state, b *[128]byte) {
				for half := range 2 {
					var c [128]byte
					copy(c[:], b[64*half:64*half+64])
					s.T = s.r.count(s.T, 64)
					s.compress(&c)
				}
			}
			r.finish = func(s *state) {
				if s.N > 64 {
					var c [128]byte
					copy(c[:], s.Buf[:64])
					s.T = s.r.count(s.T, 64)
					s.compress(&c)
					s.keep(s.Buf[64:s.N])
				}
				finish(s)
			}
		}},
	{"extra-block-at-112", "a last block of 112 bytes and more gets another one behind it, as if a length had to follow", "https://github.com/sudo-project/sudo/pull/169",
		func(r *recipe) {
			r.finish = func(s *state) {
				if 112 <= s.N && s.N < 128 {
					s.r.pad(s)
					s.T = s.r.count(s.T, uint64(s.N))
					s.compress(&s.Buf)
					s.N = 0
				}
				finish(s)
			}
		}},
	{"buffer-index-assigned", "a short write sets the number of buffered bytes instead of adding to it", "https://github.com/dchest/blake2s-js/issues/2 https://github.com/kcrypt/scala-blake3/issues/1",
		writes(func(s *state, p []byte) {
			if n := len(p); 0 < n && n < 128-int(s.N) {
				s.keep(p)
				return
			}
			write(s, p)
		})},
	{"buffer-filled-from-0", "what tops up the buffer is copied to its beginning", Unreported,
		writes(func(s *state, p []byte) {
			if 0 < s.N && s.N < 128 {
				k := copy(s.Buf[:128-s.N], p)
				s.N += uint8(k)
				p = p[k:]
			}
			write(s, p)
		})},
	{"source-offset-lost", "after a write has topped up the buffer, it goes on from its first byte", "https://github.com/alphazero/Blake2b/pull/10",
		writes(func(s *state, p []byte) {
			rest := topUp(s, p)
			if len(rest) > 0 && s.N > 0 {
				s.flush()
				rest = p[:len(rest)]
			}
			write(s, rest)
		})},
	{"buffer-compressed-for-blocks", "whole blocks of a long write are taken from the buffer, not from the write", "https://github.com/PointyCastle/pointycastle/issues/221",
		writes(func(s *state, p []byte) {
			p = topUp(s, p)
			if len(p) > 0 && s.N > 0 {
				s.flush()
			}
			for ; len(p) > 128; p = p[128:] {
				s.r.block(s, &s.Buf)
			}
			if len(p) > 0 {
				s.keep(p)
			}
		})},
	{"key-block-overrun", "the first write to a keyed hash fails: the key block has filled the buffer", "https://github.com/PointyCastle/pointycastle/issues/186",
		func(r *recipe) {
			r.methodWrite = func(s *state, p []byte) (int, error) {
				if len(p) > 0 && s.lonely() {
					return 0, errors.New("offset is out of bounds")
				}
				return methodWrite(s, p)
			}
		}},
	{"unaligned-block", "a block that is not at a multiple of 8 in the caller's memory is read from the one before", "https://github.com/weidai11/cryptopp/commit/117a39bafdab5fd847c46fc7af26b976fdb558aa https://github.com/jedisct1/libsodium/commit/8994dc340f848786bc7259b68fe9d62b272911d1",
		writes(func(s *state, p []byte) {
			rest := topUp(s, p)
			if len(rest) > 128 && s.N > 0 {
				s.flush()
				skew := (len(p) - len(rest)) % 8
				rest = p[len(p)-len(rest)-skew : len(p)-skew]
			}
			write(s, rest)
		})},
	{"empty-write-restarts", "a write of no bytes empties the buffer", "https://github.com/trezor/trezor-firmware/commit/b2cc3bcb369b163e31b3f34608878be7f9410a64",
		writes(func(s *state, p []byte) {
			if len(p) == 0 {
				s.N = 0
			}
			write(s, p)
		})},
	{"empty-write-flushes", "a write of no bytes compresses a full buffer", "K20",
		func(r *recipe) {
			r.methodWrite = func(s *state, p []byte) (int, error) {
				if len(p) == 0 && s.N == 128 {
					s.flush()
				}
				return methodWrite(s, p)
			}
		}},
	{"empty-write-fails", "a write of no bytes is an error", "https://github.com/wolfSSL/wolfssl/pull/1575 https://github.com/openssl/openssl/issues/8576 https://github.com/LoupVaillant/Monocypher/commit/8680b35431eff36439c633e8e295bd1491808741",
		func(r *recipe) {
			r.methodWrite = func(s *state, p []byte) (int, error) {
				if len(p) == 0 {
					return 0, errors.New("offset is out of bounds")
				}
				return methodWrite(s, p)
			}
		}},
	{"blocks-counted-once", "a write of several blocks counts one", Unreported,
		writes(func(s *state, p []byte) {
			p = topUp(s, p)
			if len(p) == 0 {
				return
			}
			if s.N > 0 {
				s.flush()
			}
			for first := true; len(p) > 128; p = p[128:] {
				if first {
					s.T = s.r.count(s.T, 128)
				}
				s.compress((*[128]byte)(p))
				first = false
			}
			s.keep(p)
		})},
	{"four-blocks-at-once", "a write of four blocks or more gives all four lanes the counter of the first", Unreported,
		writes(func(s *state, p []byte) {
			if s.N > 0 {
				write(s, p)
				return
			}
			for len(p) > 4*128 {
				t := s.r.count(s.T, 128)
				for range 4 {
					s.T = t
					s.compress((*[128]byte)(p))
					p = p[128:]
				}
				s.T = s.r.count(t, 3*128)
			}
			write(s, p)
		})},
	{"four-blocks-at-once-eager", "a write of a multiple of four blocks compresses all of them", Unreported,
		writes(func(s *state, p []byte) {
			if s.N == 0 {
				p = direct(s, p, len(p)/512*4)
			}
			write(s, p)
		})},
}

func writes(write func(s *state, p []byte)) func(r *recipe) {
	return func(r *recipe) { r.write = write }
}

// direct compresses the first n blocks of p, and returns the rest.
func direct(s *state, p []byte, n int) []byte {
	for range n {
		s.r.block(s, (*[128]byte)(p))
		p = p[128:]
	}
	return p
}
