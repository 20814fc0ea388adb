package blake2btest

import (
	"fmt"
	"iter"
	"slices"

	"blake2btest/vectors"
)

const goHash = "hash.Hash"

// places are message lengths at which a state is of another kind: empty, part
// full, about to be full, full, and beyond.
var places = []int{1, 128, 129, 0, 127, 256, 300}

var stateChecks = []*Check{
	{
		Name:   "state/second-sum",
		Must:   "a second digest of the same message is the same, or is refused",
		Source: goHash + ": Sum does not change the underlying hash state",
		questions: func(x *run) iter.Seq[question] {
			return func(yield func(question) bool) {
				// The probe has asked once, and may have been refused.
				if x.sumAfterSum != nil {
					x.result.Behaviour = append(x.result.Behaviour, fmt.Sprintf("a second digest is refused: %v", x.sumAfterSum))
				}
				for _, n := range places {
					for _, k := range []int{0, 32} {
						q := x.program(Params{Key: keyOf(k)}, wr(vectors.Cycle(n)), Step{Op: OpSum}, Step{Op: OpSum})
						q.of = "second-sum" // other checks leave second digests out if they are wrong
						q.judge = func(got []byte, err error) verdict {
							if v := x.judge(question{Case: q.Case}, got, err); v.wrong != "" {
								v.wrong = "a second digest of the same message is another"
								return v
							}
							return verdict{behaviour: "a second digest is the same"}
						}
						if !yield(q) {
							return
						}
					}
				}
			}
		},
	},
	{
		Name:      "state/write-after-sum",
		Must:      "a write after a digest goes on with the message",
		Source:    goHash + ": Sum does not change the underlying hash state",
		wrong:     "a digest taken on the way changed a later one",
		questions: (*run).writeAfterSum,
	},
	{
		Name:   "state/reset",
		Must:   "Reset returns the hash to its initial state",
		Source: goHash,
		wrong:  "the digest after a reset is not the digest of a new hash",
		questions: func(x *run) iter.Seq[question] {
			return x.resets(Params{})
		},
	},
	{
		Name:   "state/reset-keyed",
		Must:   "Reset returns the hash to its initial state, which includes its key",
		Source: goHash,
		wrong:  "the digest after a reset is not the digest of a new hash",
		questions: func(x *run) iter.Seq[question] {
			return x.resets(Params{Key: vectors.Count(1, 32)}, Params{Key: []byte{0xff}}, Params{Key: vectors.Count(1, 64)})
		},
	},
	{
		Name:   "state/reset-parameters",
		Must:   "Reset returns the hash to its initial state, which includes salt, personalization and tree parameters",
		Source: goHash,
		wrong:  "the digest after a reset is not the digest of a new hash",
		questions: func(x *run) iter.Seq[question] {
			return x.resets(Params{Salt: vectors.Count(1, 16)}, Params{Person: vectors.Count(1, 16)}, Params{Tree: &Tree{Fanout: 2, MaxDepth: 2, LeafSize: 4096, NodeOffset: 1, InnerSize: 64, LastNode: true}})
		},
	},
	{
		Name:   "state/reset-sizes",
		Must:   "Reset returns the hash to its initial state, which includes its digest length",
		Source: goHash,
		wrong:  "the digest after a reset is not the digest of a new hash",
		questions: func(x *run) iter.Seq[question] {
			return func(yield func(question) bool) {
				for size := 1; size <= MaxSize; size++ {
					q := x.program(Params{}, wr([]byte("abc")), Step{Op: OpReset}, wr([]byte("d")))
					if q.Size = size; !yield(q) {
						return
					}
				}
			}
		},
	},
	{
		Name:   "state/new",
		Must:   "two hashes at once do not disturb each other",
		Source: goHash,
		wrong:  "a hash was disturbed by another",
		questions: func(x *run) iter.Seq[question] {
			return x.pairs(OpNew)
		},
	},
	{
		Name:   "state/clone",
		Must:   "a copy and its original go on independently from the same state",
		Source: "hash.Cloner",
		wrong:  "a copy, or its original, has another state",
		questions: func(x *run) iter.Seq[question] {
			return x.pairs(OpClone)
		},
	},
	{
		Name:   "state/save",
		Must:   "a state that is exported and imported goes on as it was",
		Source: "encoding.BinaryMarshaler",
		wrong:  "an imported state is not the exported one",
		questions: func(x *run) iter.Seq[question] {
			return func(yield func(question) bool) {
				for _, p := range x.kinds() {
					for _, n := range places {
						for _, m := range []int{1, 0, 128, 129} {
							if !yield(x.program(p, wr(vectors.Cycle(n)), Step{Op: OpSave}, wr(vectors.Count(200, m)))) ||
								!yield(x.program(p, wr(vectors.Cycle(n)), Step{Op: OpSave}, Step{Op: OpReset}, wr(vectors.Count(200, m)))) {
								return
							}
						}
					}
				}
			}
		},
	},
	{
		Name:   "state/programs",
		Must:   "any program of steps is answered as each hash by itself would be",
		Source: goHash,
		wrong:  "a digest in a program of steps is wrong",
		questions: func(x *run) iter.Seq[question] {
			return func(yield func(question) bool) {
				r := x.rng()
				for range map[Level]int{Quick: 500, Full: 5000, Long: 200_000}[x.Level] {
					c := RandomCase(r)
					if c.Verb != VerbSum {
						continue
					}
					c.T = [2]uint64{}
					if !x.unkeyed.sizes[c.Size] {
						c.Size = x.size
					}
					if !yield(question{Case: c}) {
						return
					}
				}
			}
		},
	},
}

// wr is a write step.
func wr(data []byte) Step {
	if len(data) == 0 {
		data = nil
	}
	return Step{Op: OpWrite, Data: data}
}

// kinds are parameters of which a state may keep too little.
func (x *run) kinds() []Params {
	return []Params{{}, {Key: vectors.Count(1, 32)}, {Salt: vectors.Count(1, 16), Person: vectors.Count(17, 16)}, {Tree: &Tree{Fanout: 2, MaxDepth: 2, LeafSize: 4096, NodeOffset: 1, InnerSize: 64, LastNode: true}}}
}

func (x *run) writeAfterSum() iter.Seq[question] {
	return func(yield func(question) bool) {
		for _, k := range []int{0, 32} {
			for _, n := range places {
				for _, m := range []int{1, 127, 128, 129, 300} {
					if !yield(x.program(Params{Key: keyOf(k)}, wr(vectors.Cycle(n)), Step{Op: OpSum}, wr(vectors.Count(100, m)), Step{Op: OpSum}, wr([]byte{1}))) {
						return
					}
				}
			}
		}
	}
}

// resets asks for resets at each place, before and after a digest, and for the
// digests of long and short messages after it.
func (x *run) resets(list ...Params) iter.Seq[question] {
	return func(yield func(question) bool) {
		reset, sum := Step{Op: OpReset}, Step{Op: OpSum}
		for _, p := range list {
			for _, n := range places {
				for _, m := range []int{3, 0, 1, 128, 129, 200} {
					before, after := wr(vectors.Cycle(n)), wr(vectors.Count(99, m))
					for _, steps := range [][]Step{
						{before, reset, after},
						{before, sum, reset, after},
						{reset, before, reset, reset, after},
						{before, reset, after, sum, reset, after},
					} {
						if !yield(x.program(p, steps...)) {
							return
						}
					}
				}
			}
		}
	}
}

// pairs asks for two hashes at once, the second made by op, with writes to both
// that differ, large ones among them.
func (x *run) pairs(op Op) iter.Seq[question] {
	return func(yield func(question) bool) {
		make, swap, sum, reset := Step{Op: op}, Step{Op: OpSwap}, Step{Op: OpSum}, Step{Op: OpReset}
		// A large write may move the memory that both live in.
		large := Step{Op: OpWrite, Data: []byte{0x62}, Count: 1 << 20}
		steps := []Step{wr([]byte{0x61}), make, large, swap}
		if !yield(x.program(Params{}, steps...)) || !yield(x.program(Params{}, append(slices.Clone(steps), swap, wr([]byte{0x63}))...)) {
			return
		}
		for range 600 {
			steps = append(steps, wr([]byte{0x61}), swap)
		}
		if !yield(x.program(Params{}, steps...)) {
			return
		}
		for _, p := range x.kinds() {
			for _, n := range places {
				for _, m := range []int{1, 128, 129, 5000} {
					first, a, b := wr(vectors.Cycle(n)), wr(vectors.Count(50, m)), wr(vectors.Count(150, m+1))
					for _, steps := range [][]Step{
						{first, make, a, swap, b},
						{first, make, a, swap, b, swap},
						{first, make, swap, a, swap, b, swap, a, swap, a},
						{first, make, swap, reset, a},
						{first, make, swap, reset, a, swap, b},
						{first, make, reset, a, swap, b},
						{first, make, sum, a, swap, sum, b, sum, swap},
					} {
						if !yield(x.program(p, steps...)) {
							return
						}
					}
				}
			}
		}
	}
}
