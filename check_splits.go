package blake2btest

import (
	"iter"

	"blake2btest/vectors"
)

const rfcStream = "RFC 7693, section 3.3: the digest is that of the concatenation"

var splitsChecks = []*Check{
	{
		Name:   "splits/edges",
		Must:   "a message may be written in parts: where a part ends at or next to the end of a block",
		Source: rfcStream,
		wrong:  "the digest of a message in parts is wrong",
		questions: func(x *run) iter.Seq[question] {
			sizes := []int{1, 127, 128, 129, 255, 256, 257, 384}
			return x.splits(Params{}, func(yield func([]int) bool) {
				for _, a := range sizes {
					for _, b := range sizes {
						if !yield([]int{a, b}) {
							return
						}
					}
				}
				for _, a := range sizes {
					for _, b := range sizes {
						for _, c := range []int{1, 127, 128, 129} {
							if !yield([]int{a, b, c}) {
								return
							}
						}
					}
				}
			})
		},
	},
	{
		Name:   "splits/two-parts",
		Must:   "a message of 300 bytes may be cut in two anywhere",
		Source: rfcStream,
		wrong:  "the digest of a message in parts is wrong",
		questions: func(x *run) iter.Seq[question] {
			return x.splits(Params{}, cuts(300))
		},
	},
	{
		Name:   "splits/two-parts-keyed",
		Must:   "with a key, too, a message may be cut in two anywhere",
		Source: rfcStream,
		wrong:  "the digest of a message in parts is wrong",
		questions: func(x *run) iter.Seq[question] {
			return x.splits(Params{Key: vectors.Count(1, 32)}, cuts(300))
		},
	},
	{
		// No mutant needs it: it leaves no combination of small parts to doubt, where
		// others test some.
		Name:   "splits/three-parts",
		Must:   "a message of 384 bytes may be cut in three anywhere",
		Source: rfcStream,
		wrong:  "the digest of a message in parts is wrong",
		Level:  Full,
		questions: func(x *run) iter.Seq[question] {
			return x.splits(Params{}, func(yield func([]int) bool) {
				for a := 0; a < 384; a++ {
					for b := a + 1; b <= 384; b++ {
						if !yield([]int{a, b - a, 384 - b}) {
							return
						}
					}
				}
			})
		},
	},
	{
		Name:   "splits/steps",
		Must:   "a message may be written in parts of any one length, byte by byte too",
		Source: rfcStream,
		wrong:  "the digest of a message in parts is wrong",
		questions: func(x *run) iter.Seq[question] {
			return x.splits(Params{}, func(yield func([]int) bool) {
				for step := 1; step <= 200; step++ {
					var parts []int
					for left := 400; left > 0; left -= step {
						parts = append(parts, min(step, left))
					}
					if !yield(parts) {
						return
					}
				}
			})
		},
	},
	{
		Name:   "splits/empty-writes",
		Must:   "a write of no bytes changes nothing, wherever it stands",
		Source: rfcStream,
		wrong:  "a write of no bytes changed the digest",
		questions: func(x *run) iter.Seq[question] {
			return func(yield func(question) bool) {
				for _, p := range []Params{{}, {Key: vectors.Count(1, 64)}} {
					for q := range x.splits(p, func(yield func([]int) bool) {
						for _, n := range []int{0, 1, 127, 128, 129, 256} {
							for _, parts := range [][]int{{0}, {0, n}, {n, 0}, {0, 0, n, 0, 0}, {n, 0, 128}, {n, 0, 1, 0, 127, 0}} {
								if !yield(parts) {
									return
								}
							}
						}
					}) {
						if !yield(q) {
							return
						}
					}
				}
			}
		},
	},
	{
		Name:   "splits/part-full",
		Must:   "a large write goes on where a small one left a block part full",
		Source: rfcStream,
		wrong:  "the digest of a message in parts is wrong",
		questions: func(x *run) iter.Seq[question] {
			return x.splits(Params{}, func(yield func([]int) bool) {
				for _, n := range []int{128, 255, 256, 257, 300, 384, 1000, 4096, 65535, 65536, 65600} {
					for _, first := range []int{1, 64, 127, 128} {
						if !yield([]int{first, n}) || !yield([]int{first, n, n}) || !yield([]int{n, first, n}) {
							return
						}
					}
				}
			})
		},
	},
	{
		Name:   "splits/random",
		Must:   "a message may be written in any parts",
		Source: rfcStream,
		wrong:  "the digest of a message in parts is wrong",
		questions: func(x *run) iter.Seq[question] {
			r := x.rng()
			return x.splits(Params{Key: vectors.Count(1, 5)}, func(yield func([]int) bool) {
				for range map[Level]int{Quick: 300, Full: 3000, Long: 100_000}[x.Level] {
					var parts []int
					for range 1 + r.IntN(8) {
						parts = append(parts, [...]int{r.IntN(4), r.IntN(130), 126 + r.IntN(5), r.IntN(520)}[r.IntN(4)])
					}
					if !yield(parts) {
						return
					}
				}
			})
		},
	},
}

// splits asks for messages written in parts of the given lengths. The oracle is
// asked for each message once, whole.
func (x *run) splits(p Params, lists iter.Seq[[]int]) iter.Seq[question] {
	return func(yield func(question) bool) {
		wants := make(map[int]func() []byte) // by the length of the message
		for parts := range lists {
			total := 0
			for _, n := range parts {
				total += n
			}
			message := vectors.Cycle(total)
			if wants[total] == nil {
				wants[total] = x.wantOf(x.program(p, wr(message)).Case)
			}
			var steps []Step
			for _, n := range parts {
				s := Step{Op: OpWrite}
				if n > 0 {
					s.Data = message[:n]
				}
				steps = append(steps, s)
				message = message[n:]
			}
			q := x.program(p, steps...)
			if q.want = wants[total]; !yield(q) {
				return
			}
		}
	}
}

// cuts are all ways to cut n bytes in two, of which one may have none.
func cuts(n int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		for a := range n + 1 {
			if !yield([]int{a, n - a}) {
				return
			}
		}
	}
}
