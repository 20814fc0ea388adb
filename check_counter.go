package blake2btest

import (
	"iter"

	"blake2btest/vectors"
)

const rfcCounter = "RFC 7693, section 2.2: t is a byte counter of 128 bits"

var counterChecks = []*Check{
	{
		Name:   "counter/start",
		Must:   "bytes are counted in 128 bits: beyond 2^29, 2^31, 2^32, 2^53, 2^63 and 2^64",
		Source: rfcCounter,
		wrong:  "the digest after so many bytes is wrong",
		questions: func(x *run) iter.Seq[question] {
			return x.counters(func(yield func(int) bool) {
				for _, n := range []int{1, 128, 129, 0, 127, 256, 257, 300, 1024} {
					if !yield(n) {
						return
					}
				}
			})
		},
	},
	{
		// No mutant needs it: for a port that carries in the middle of a message.
		Name:   "counter/every-length",
		Must:   "bytes are counted in 128 bits, after messages of any length",
		Source: rfcCounter,
		wrong:  "the digest after so many bytes is wrong",
		Level:  Full,
		questions: func(x *run) iter.Seq[question] {
			return x.counters(func(yield func(int) bool) {
				for n := 1; n <= 1024; n += 41 {
					if !yield(n) {
						return
					}
				}
			})
		},
	},
	{
		// No mutant needs it: for a port that counts a large write at once.
		Name:   "counter/large-writes",
		Must:   "a single large write is counted in full",
		Source: rfcCounter,
		wrong:  "the digest after so many bytes is wrong",
		Level:  Full,
		questions: func(x *run) iter.Seq[question] {
			return x.counters(func(yield func(int) bool) {
				for _, n := range []int{65536, 65537, 1 << 18} {
					if !yield(n) {
						return
					}
				}
			})
		},
	},
	{
		Name:      "counter/published",
		Must:      "the vectors of the counter are answered as published",
		Source:    "vectors/counter.json",
		questions: published("counter"),
	},
	{
		Name:   "counter/reset-and-copy",
		Must:   "a reset, or a new hash, starts to count at 0; a copy, or an import, goes on counting",
		Source: rfcCounter,
		wrong:  "the counter is wrong after a step",
		questions: func(x *run) iter.Seq[question] {
			return func(yield func(question) bool) {
				a, b := wr(vectors.Cycle(200)), wr(vectors.Count(50, 100))
				for _, t := range [][2]uint64{{128, 0}, {1 << 32, 0}, {0, 1}, {1<<64 - 128, 0}, {1 << 40, 1 << 40}} {
					for _, steps := range [][]Step{
						{{Op: OpReset}, a}, {a, {Op: OpReset}, b}, {a, {Op: OpNew}, {Op: OpSwap}, b}, {a, {Op: OpClone}, b, {Op: OpSwap}, b}, {a, {Op: OpSave}, b}, {a, {Op: OpSum}, b}, {{Op: OpSave}, a}, {{Op: OpClone}, {Op: OpSwap}, a},
					} {
						q := x.program(Params{}, steps...)
						if q.T = t; !yield(q) {
							return
						}
					}
				}
			}
		},
	},
	{
		Name:   "counter/carries",
		Must:   "additions of 64 bits carry from their lower half into the upper one",
		Source: "RFC 7693, section 3.1",
		wrong:  "the digest of a message whose additions carry just so is wrong",
		questions: func(x *run) iter.Seq[question] {
			return func(yield func(question) bool) {
				for q := range published("carry")(x) {
					if q.Verb == VerbSum && !yield(q) {
						return
					}
				}
			}
		},
	},
}

// counters asks for digests of messages of some lengths, from starting values
// around each power of two at which a counter may end.
func (x *run) counters(lengths iter.Seq[int]) iter.Seq[question] {
	return func(yield func(question) bool) {
		for n := range lengths {
			for _, power := range []int{32, 64, 63, 31, 53, 29, 16, 33, 96} {
				for _, below := range []uint64{0, 128, 256, 512, 1024} {
					var t [2]uint64
					t[power/64] = 1 << (power % 64)
					if t[0] < below {
						t[1]--
					}
					t[0] -= below
					if t[1] == 1<<64-1 {
						continue // 2^64 and below: t[1] must not wrap
					}
					q := x.program(Params{}, wr(vectors.Cycle(n)))
					if q.T = t; !yield(q) {
						return
					}
				}
			}
		}
	}
}
