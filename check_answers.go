package blake2btest

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"blake2btest/variants"
	"blake2btest/vectors"
)

// rfcHash is the source of most checks: what BLAKE2b is.
const rfcHash = "RFC 7693, section 3.3"

var answersChecks = []*Check{
	{
		Name:      "answers/published",
		Must:      "the published vectors are answered as published",
		Source:    "RFC 7693, Appendix A; BLAKE2 reference package; Linux, lib/crypto/tests",
		questions: published("rfc7693", "official", "linux"),
	},
	{
		Name:   "answers/lengths",
		Must:   "a message of any length is hashed, its last block padded with zeros and marked as the last",
		Source: rfcHash,
		questions: func(x *run) iter.Seq[question] {
			// Edges of blocks first: a slow port gets to them.
			lengths := []int{0, 1, 127, 128, 129, 255, 256, 257, 384, 385, 512, 1024}
			for n := range 1026 {
				lengths = append(lengths, n)
			}
			return x.messages(lengths...)
		},
	},
	{
		Name:   "answers/bands",
		Must:   "lengths around 1, 4, 16 and 64 KiB are no different",
		Source: rfcHash,
		questions: func(x *run) iter.Seq[question] {
			var lengths []int
			for _, k := range []int{1 << 10, 4 << 10, 16 << 10, 64 << 10} {
				for _, d := range []int{0, 1, -1, 127, 128, 129, -127, -128, -129} {
					lengths = append(lengths, k+d)
				}
			}
			return x.messages(lengths...)
		},
	},
	{
		Name:   "answers/large-writes",
		Must:   "a write may have more bytes than 16 bits count",
		Source: rfcHash,
		questions: func(x *run) iter.Seq[question] {
			return x.messages(65535, 65536, 65537, 65536+128, 98304, 131071, 131072, 131073)
		},
	},
	{
		// Each byte value at each place of a word: bytes that are read as signed
		// numbers, or as characters, go wrong here and not on small values.
		Name:   "answers/byte-values",
		Must:   "each of the 256 bytes is a byte, wherever it stands",
		Source: "RFC 7693, section 2.4",
		questions: func(x *run) iter.Seq[question] {
			return func(yield func(question) bool) {
				for v := range 256 {
					for place := range 8 {
						m := bytes.Repeat([]byte{byte(v)}, 17)
						m[place]++
						if !yield(x.sum(m)) {
							return
						}
					}
				}
			}
		},
	},
	{
		Name:   "answers/megabytes",
		Must:   "messages of 1, 8 and 64 MiB are hashed, in one write as in three",
		Source: rfcHash,
		Level:  Full,
		questions: func(x *run) iter.Seq[question] {
			return func(yield func(question) bool) {
				// No write begins or ends where a block does, but at the start.
				unit := vectors.Cycle(BlockSize - 1)
				for _, times := range []uint64{1 << 13, 1<<16 + 1, 1<<19 + 1} { // whole blocks, and not
					whole := x.program(Params{}, Step{Op: OpWrite, Data: unit, Count: times})
					parts := x.program(Params{}, wr(unit[:1]), Step{Op: OpWrite, Data: slices.Concat(unit[1:], unit[:1]), Count: times - 1}, wr(unit[1:]))
					whole.want = x.wantOf(whole.Case)
					if parts.want = whole.want; !yield(whole) || !yield(parts) {
						return
					}
				}
			}
		},
	},
	{
		Name:      "answers/gigabytes",
		Must:      "messages around 2^29, 2^31 and 2^32 bytes are hashed",
		Source:    rfcHash,
		Level:     Long,
		questions: published("big"),
	},
	{
		// The golden digest is not the oracle's: if both were wrong alike, this
		// would tell.
		Name:   "answers/accumulated",
		Must:   "the digests of a sequence of cases, hashed into one, are as published",
		Source: "RFC 7693, Appendix E; Linux, lib/crypto/tests; vectors/keys.json",
		serial: true,
		questions: func(x *run) iter.Seq[question] {
			return x.accumulated("rfc7693", "linux-keys", "linux-lengths", "keys-0", "keys-1", "keys-127", "keys-128", "keys-129")
		},
	},
}

// sum is the question of a digest of x's length, of one write.
func (x *run) sum(message []byte) question {
	return question{Case: sumOf(Params{Size: x.size}, message)}
}

// program is the question of steps, with x's digest length and p's other
// parameters.
func (x *run) program(p Params, steps ...Step) question {
	p.Size = x.size
	return question{Case: Case{Verb: VerbSum, Params: p, Steps: steps}}
}

// messages asks for the digests of messages of the given lengths, once each.
func (x *run) messages(lengths ...int) iter.Seq[question] {
	return func(yield func(question) bool) {
		seen := make(map[int]bool)
		for _, n := range lengths {
			if seen[n] {
				continue
			}
			seen[n] = true
			if !yield(x.sum(vectors.Cycle(n))) {
				return
			}
		}
	}
}

// published asks the vectors of the sets with the given names, those that are
// answered with their answers and those that are refused.
func published(names ...string) func(x *run) iter.Seq[question] {
	return func(x *run) iter.Seq[question] {
		return func(yield func(question) bool) {
			for _, name := range names {
				for _, q := range publishedQuestions()[name] {
					if q.Verb == VerbCompress && x.Level < Full && q.want != nil && binary.BigEndian.Uint32(q.Steps[0].Data) > 1<<16 {
						continue // takes longer than the level
					}
					if !yield(q) {
						return
					}
				}
			}
		}
	}
}

// publishedQuestions are the vectors of each set.
var publishedQuestions = sync.OnceValue(func() map[string][]question {
	sets := make(map[string][]question)
	for s, v := range vectors.All() {
		q := question{judge: refused}
		c, err := ParseCase(v.Case)
		if q.Case = c; err != nil {
			q.line = v.Case
		}
		if v.Answer != "error" {
			want := answerBytes(v.Answer)
			q.judge, q.want = nil, func() []byte { return want }
		}
		sets[s.Name] = append(sets[s.Name], q)
	}
	return sets
})

// answerBytes are the digests of an answer line of ours.
func answerBytes(line string) []byte {
	b, err := hex.DecodeString(strings.ReplaceAll(strings.TrimPrefix(line, "ok "), " ", ""))
	if err != nil {
		panic(fmt.Sprintf("%q: %v", line, err))
	}
	return b
}

// refused judges the answer to what must be refused.
func refused(got []byte, err error) verdict {
	if err == nil {
		return verdict{wrong: "what must be refused is answered"}
	}
	return right
}

// accumulated asks the cases of sequences, and compares the outer digest with
// the published ones. Where it differs, the oracle says which case was wrong.
func (x *run) accumulated(names ...string) iter.Seq[question] {
	most := map[Level]int{Quick: 500, Full: 10_000, Long: 1_000_000}[x.Level]
	return func(yield func(question) bool) {
		for _, name := range names {
			if !x.follow(name, most, yield) {
				return
			}
		}
	}
}

// follow asks a sequence up to its last checkpoint within so many cases.
func (x *run) follow(name string, most int, yield func(question) bool) bool {
	a := findAccumulated(name)
	points := slices.DeleteFunc(slices.Clone(a.Checkpoints), func(p vectors.Checkpoint) bool { return p.Cases > most })
	if len(points) == 0 {
		return true
	}
	outer, err := Over(variants.Default()).New(Params{Size: a.Size})
	if err != nil {
		panic(err)
	}
	done := 0
	var since []question // asked since the last checkpoint
	var answers [][]byte // and what was answered
	judge := func(got []byte, err error) verdict {
		if err != nil {
			if c := since[len(answers)].Case; MayRefuse(c) {
				return right
			}
			return verdict{wrong: fmt.Sprintf("a valid case is refused: %v", err)}
		}
		outer.Write(got)
		answers = append(answers, got)
		if done++; done < points[0].Cases {
			return right
		}
		want := answerBytes(points[0].Digest)
		if digest := outer.Sum(nil); !bytes.Equal(digest, want) {
			for i, got := range answers {
				if right := x.want(since[i]); !bytes.Equal(got, right) {
					return verdict{
						wrong:  fmt.Sprintf("sequence %s: the digest of %d cases is not as published, by this case first", name, done),
						want:   right,
						blamed: &since[i].Case,
						got:    got,
					}
				}
			}
			return verdict{wrong: fmt.Sprintf("sequence %s: the digest after %d cases is not the published one", name, done), want: want}
		}
		points, since, answers = points[1:], since[len(answers):], nil
		return right
	}
	n := 0
	last := points[len(points)-1].Cases
	for c := range Sequence(name) {
		if x.Lacks(c) != "" {
			break
		}
		q := question{Case: c}
		since = append(since, q)
		q.judge = judge
		if !yield(q) {
			return false
		}
		// Without one case there is no digest of all.
		if n++; n == last || done < n {
			break
		}
	}
	return true
}

func findAccumulated(name string) vectors.Accumulated {
	for _, s := range vectors.Sets() {
		for _, a := range s.Accumulated {
			if a.Name == name {
				return a
			}
		}
	}
	panic("no accumulated vector " + name)
}
