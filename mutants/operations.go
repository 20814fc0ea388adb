package mutants

import (
	"encoding/binary"
	"math"

	"blake2btest/internal/model"
)

// operations are faults in what is done with a state.
var operations = []fault{
	{"sum-finishes-state", "a digest is taken from the state itself: what follows goes on from a finished one", "https://github.com/BLAKE2/BLAKE2/commit/bcc99c1b6a4888fe0c289995879144b489f0dff8",
		digests(func(s *state) []byte {
			s.r.finish(s)
			s.F = [2]uint64{}
			return output(&s.H, int(s.Length))
		})},
	{"sum-finishes-state-and-empties-buffer", "a digest is taken from the state itself, and the buffer is empty afterwards", "K39",
		digests(func(s *state) []byte {
			s.r.finish(s)
			s.F, s.N = [2]uint64{}, 0
			return output(&s.H, int(s.Length))
		})},
	{"sum-leaves-final-flag", "the finalization flag stays set after a digest was taken", "K39",
		digests(func(s *state) []byte {
			b := digest(s)
			s.F = flags(s.LastNode)
			return b
		})},
	{"sum-wipes-state", "the state is all zeros after a digest was taken", "K39",
		digests(func(s *state) []byte {
			b := digest(s)
			s.H = [8]uint64{}
			return b
		})},
	{"sum-wipes-buffer", "the buffer is all zeros after a digest was taken", Unreported,
		digests(func(s *state) []byte {
			b := digest(s)
			s.Buf = [128]byte{}
			return b
		})},
	{"sum-empties-buffer", "the buffer is empty after a digest was taken", Unreported,
		digests(func(s *state) []byte {
			b := digest(s)
			s.N = 0
			return b
		})},
	{"sum-resets", "the hash is reset after a digest was taken", Unreported,
		digests(func(s *state) []byte {
			b := digest(s)
			start(s)
			return b
		})},
	{"sum-counts", "the bytes of the last block are counted each time a digest is taken", Unreported,
		digests(func(s *state) []byte {
			b := digest(s)
			s.T = plus(s.T, uint64(s.N))
			return b
		})},
	{"sum-keeps-padding", "after a digest was taken, the padding of the last block counts as message", Unreported,
		digests(func(s *state) []byte {
			b := digest(s)
			if s.N > 0 {
				pad(s)
				s.N = 128
			}
			return b
		})},
	{"sum-forever", "what is written after a digest was taken is ignored", Unreported,
		func(r *recipe) {
			r.digest = func(s *state) []byte {
				if s.F == [2]uint64{} {
					s.r.finish(s)
				}
				return output(&s.H, int(s.Length))
			}
			r.write = func(s *state, p []byte) {
				if s.F == [2]uint64{} {
					write(s, p)
				}
			}
		}},

	{"reset-drops-key", "Reset forgets that the hash is keyed", "https://github.com/DaGenix/rust-crypto/pull/353",
		resets(func(s *state) {
			s.Param[1], s.PrefixLen = 0, 0
			start(s)
		})},
	{"reset-drops-key-block", "Reset does not write the key block again", "https://github.com/DaGenix/rust-crypto/pull/353",
		resets(func(s *state) {
			start(s)
			s.N = 0
		})},
	{"reset-unpads-key", "Reset writes the key without its padding", "https://github.com/RustCrypto/hashes/commit/e9c8bc2714892d2565bd8c13bc2263e76b6c96d5",
		resets(func(s *state) {
			start(s)
			s.N = min(s.N, s.Param[1])
		})},
	{"reset-drops-salt", "Reset forgets salt and personalization", "https://github.com/weidai11/cryptopp/issues/921",
		resets(func(s *state) {
			clear(s.Param[32:])
			start(s)
		})},
	{"reset-drops-tree", "Reset forgets the tree parameters", Unreported,
		resets(func(s *state) {
			copy(s.Param[2:32], []byte{1, 1, 29: 0})
			start(s)
		})},
	{"reset-drops-last-node", "Reset forgets that the node is the last", Unreported,
		resets(func(s *state) {
			s.LastNode = false
			start(s)
		})},
	{"reset-drops-size", "Reset sets the digest length in the parameter block to 64", Unreported,
		resets(func(s *state) {
			s.Param[0] = 64
			start(s)
		})},
	{"reset-to-plain-iv", "Reset sets the state to the IV, without the parameters", Unreported,
		resets(func(s *state) {
			start(s)
			s.H = initial(new([64]byte))
		})},
	{"reset-keeps-state", "Reset empties the buffer and leaves the state", Unreported,
		resets(func(s *state) {
			h := s.H
			start(s)
			s.H = h
		})},
	{"reset-keeps-counter", "Reset leaves the counter", "K41",
		resets(func(s *state) {
			t := s.T
			start(s)
			s.T = t
		})},
	{"reset-keeps-high-counter-word", "Reset leaves the high counter word", Unreported,
		resets(func(s *state) {
			t := s.T[1]
			start(s)
			s.T[1] = t
		})},
	{"reset-keeps-buffer", "Reset leaves what is buffered", Unreported,
		resets(func(s *state) {
			n, buf := s.N, s.Buf
			start(s)
			s.N, s.Buf = n, buf
		})},
	{"reset-keeps-stale-bytes", "Reset empties the buffer and does not clear it, and the padding of a first block relies on a clear buffer", "https://github.com/bcgit/bc-java/issues/183 https://github.com/bcgit/bc-java/commit/a50a37ed5800f44e61a206186bf72a07ba6c3fa2",
		func(r *recipe) {
			r.reset = func(s *state) {
				buf := s.Buf
				start(s)
				if s.N == 0 {
					s.Buf = buf
				}
			}
			r.pad = func(s *state) {
				if s.T != [2]uint64{} {
					pad(s)
				}
			}
		}},
	{"reset-does-nothing", "Reset does nothing", Unreported,
		resets(func(s *state) {})},

	{"clone-is-itself", "a copy is the hash itself", "K42",
		clones(func(s *state) *state { return s })},
	{"clone-is-new", "a copy is a new hash", "https://github.com/bcgit/bc-java/commit/ff9fc038aacff337c56a474aae7570bbbe60c2e9",
		copies(func(c *state) { start(c) })},
	{"clone-drops-key", "a copy has no key to return to", "https://github.com/bcgit/bc-java/commit/c24180c323878a166ea17e9724a1363928dc437f",
		copies(func(c *state) { c.PrefixLen = 0 })},
	{"clone-drops-salt", "a copy has no salt and personalization to return to", "https://github.com/bcgit/bc-java/commit/c24180c323878a166ea17e9724a1363928dc437f",
		copies(func(c *state) { clear(c.Param[32:]) })},
	{"clone-drops-counter", "a copy starts with a counter of 0", "https://github.com/bcgit/bc-java/commit/c24180c323878a166ea17e9724a1363928dc437f",
		copies(func(c *state) { c.T = [2]uint64{} })},
	{"clone-drops-high-counter-word", "a copy starts with a high counter word of 0", Unreported,
		copies(func(c *state) { c.T[1] = 0 })},
	{"clone-drops-buffer", "a copy starts with an empty buffer", Unreported,
		copies(func(c *state) { c.N = 0 })},
	{"clone-drops-last-node", "a copy is not its layer's last node", Unreported,
		copies(func(c *state) { c.LastNode = false })},
	{"clone-drops-size", "a copy gives digests of 64 bytes", Unreported,
		copies(func(c *state) { c.Length = 64 })},
	{"clone-shares-buffer", "a copy has its own counters, and the buffer of the original", "K42",
		twins(func(s, twin *state) { twin.Buf = s.Buf })},
	{"clone-shares-state", "a copy has its own buffer, and the state of the original", Unreported,
		twins(func(s, twin *state) { twin.H = s.H })},

	{"save-drops-buffer", "the exported state leaves the buffer out", "K43",
		saves(func(m *memory) { m.N = 0 })},
	{"save-drops-buffered-bytes", "the exported state says how much is buffered, and not what", Unreported,
		saves(func(m *memory) { m.Buf = [128]byte{} })},
	{"save-drops-counter", "the exported state leaves the counter out", Unreported,
		saves(func(m *memory) { m.T = [2]uint64{} })},
	{"save-drops-high-counter-word", "the exported state leaves the high counter word out", "K43",
		saves(func(m *memory) { m.T[1] = 0 })},
	{"save-counter-32-bits", "the exported state has 32 bits of the counter", Unreported,
		saves(func(m *memory) { m.T = [2]uint64{m.T[0] & math.MaxUint32, 0} })},
	{"save-full-buffer-as-empty", "the exported state holds the number of buffered bytes modulo 128", Unreported,
		saves(func(m *memory) { m.N %= 128 })},
	{"save-drops-key", "the exported state leaves the key out: Reset after an import gives an unkeyed hash", Unreported,
		saves(func(m *memory) { m.PrefixLen, m.Param[1] = 0, 0 })},
	{"save-drops-salt", "the exported state leaves salt and personalization out: Reset after an import forgets them", Unreported,
		saves(func(m *memory) { clear(m.Param[32:]) })},
	{"save-drops-last-node", "the exported state leaves the flag of the last node out", Unreported,
		saves(func(m *memory) { m.LastNode = false })},
	{"save-drops-size", "the exported state leaves the digest length out: an import has 64 bytes", Unreported,
		saves(func(m *memory) { m.Length = 64 })},
	{"save-compresses-buffer", "an export compresses what is buffered first", Unreported,
		func(r *recipe) {
			r.save = func(m *memory) {
				if s := (state{r: r, memory: *m}); s.N > 0 {
					pad(&s)
					s.T = plus(s.T, uint64(s.N))
					s.compress(&s.Buf)
					s.N = 0
					*m = s.memory
				}
			}
		}},
}

func digests(digest func(s *state) []byte) func(r *recipe) {
	return func(r *recipe) { r.digest = digest }
}

func resets(reset func(s *state)) func(r *recipe) {
	return func(r *recipe) { r.reset = reset }
}

func clones(clone func(s *state) *state) func(r *recipe) {
	return func(r *recipe) { r.clone = clone }
}

// copies loses something of a copy.
func copies(lose func(c *state)) func(r *recipe) {
	return clones(func(s *state) *state {
		c := clone(s)
		lose(c)
		return c
	})
}

// twins makes what a write changes in a hash or in its copy change in both.
func twins(share func(s, twin *state)) func(r *recipe) {
	return func(r *recipe) {
		r.clone = func(s *state) *state {
			c := clone(s)
			c.twin, s.twin = s, c
			return c
		}
		r.write = func(s *state, p []byte) {
			write(s, p)
			if s.twin != nil {
				share(s, s.twin)
			}
		}
	}
}

func saves(save func(m *memory)) func(r *recipe) {
	return func(r *recipe) { r.save = save }
}

// shared are faults in what two hashes of one process have in common: variables
// that should have been theirs.
var shared = []fault{
	{"buffer-shared", "all hashes have one buffer", "K45 https://github.com/dcposch/blakejs/blob/master/blake2b.js",
		sharing(func(from, to *memory) { to.Buf = from.Buf })},
	{"counter-shared", "all hashes have one counter", Unreported,
		sharing(func(from, to *memory) { to.T = from.T })},
	{"iv-changed-by-parameters", "the parameters of a hash are XORed into the IV itself, from which the next hash starts", "https://github.com/paulmillr/noble-hashes/commit/178daf908a8967e780868b59ff61daaf667012de",
		func(r *recipe) {
			iv := model.IV
			r.initial = func(param *[64]byte) [8]uint64 {
				for i := range iv {
					iv[i] ^= binary.LittleEndian.Uint64(param[8*i:])
				}
				return iv
			}
		}},
	{"iv-inverted-by-final-flag", "the finalization flag inverts a word of the IV itself, which stays inverted", Unreported,
		func(r *recipe) {
			var inverted [2]uint64
			rightF := r.f
			r.f = func(rounds uint32, h *[8]uint64, block *[128]byte, t, f [2]uint64) {
				inverted = [2]uint64{inverted[0] ^ f[0], inverted[1] ^ f[1]}
				rightF(rounds, h, block, t, inverted)
			}
		}},
	{"working-vector-kept", "the working vector is a variable of the process, whose second half is not set again", Unreported,
		func(r *recipe) {
			c := rightCore()
			c.feed = func(h *[8]uint64, v *[16]uint64) {
				feed(h, v)
				copy(c.iv[:], v[8:])
			}
			r.f = c.compress
			r.slow = true
		}},
}

// sharing gives all hashes of a recipe one memory: merge copies what they share.
func sharing(merge func(from, to *memory)) func(r *recipe) {
	return func(r *recipe) {
		var common memory
		r.start = func(s *state) {
			start(s)
			merge(&s.memory, &common)
		}
		r.methodWrite = func(s *state, p []byte) (int, error) {
			merge(&common, &s.memory)
			defer merge(&s.memory, &common)
			return methodWrite(s, p)
		}
		r.digest = func(s *state) []byte {
			merge(&common, &s.memory)
			return digest(s)
		}
	}
}
