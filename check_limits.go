package blake2btest

import (
	"bytes"
	"fmt"
	"iter"

	"blake2btest/vectors"
)

var limitsChecks = []*Check{
	{
		Name:   "limits/digest-length",
		Must:   "a digest of more than 64 bytes is refused",
		Source: "RFC 7693, section 2.1",
		questions: func(x *run) iter.Seq[question] {
			refusals := x.refusals(65, 66, 96, 127, 128, 129, 192, 255, 256, 257, 256+64, 512, 65535, 65536, 65536+64)
			return func(yield func(question) bool) {
				for _, key := range [][]byte{nil, vectors.Count(1, 32)} {
					for q := range refusals(func(n int) Params { return Params{Size: n, Key: key} }) {
						if !yield(q) {
							return
						}
					}
				}
			}
		},
	},
	{
		Name:   "limits/digest-length-0",
		Must:   "a digest of no bytes is refused, or gives one of the port's default length",
		Source: "RFC 7693, section 2.1",
		questions: func(x *run) iter.Seq[question] {
			return func(yield func(question) bool) {
				for _, p := range []struct {
					key  []byte
					with string
				}{{nil, ""}, {vectors.Count(1, 32), "with a key, "}, {[]byte{1}, "with a key, "}} {
					q := question{Case: sumOf(Params{Key: p.key}, []byte("abc"))}
					q.judge = func(got []byte, err error) verdict {
						if err != nil {
							return verdict{behaviour: p.with + "digest length 0 is refused"}
						}
						if n := len(got); n >= 1 && n <= MaxSize && bytes.Equal(got, x.want(question{Case: sumOf(Params{Size: n, Key: p.key}, []byte("abc"))})) {
							return verdict{behaviour: fmt.Sprintf("%sdigest length 0 gives a digest of %d bytes", p.with, n)}
						}
						return verdict{wrong: p.with + "digest length 0 is answered, and not by the digest of another length"}
					}
					if !yield(q) {
						return
					}
				}
			}
		},
	},
	{
		Name:   "limits/key-length",
		Must:   "a key of more than 64 bytes is refused",
		Source: "RFC 7693, section 2.1",
		questions: func(x *run) iter.Seq[question] {
			return x.refusals(65, 66, 96, 127, 128, 129, 192, 255, 256, 257, 256+32, 256+64, 512)(func(n int) Params { return Params{Size: x.size, Key: vectors.Count(1, n)} })
		},
	},
	{
		Name:   "limits/salt-length",
		Must:   "a salt of more than 16 bytes is refused",
		Source: paperSalt,
		questions: func(x *run) iter.Seq[question] {
			return x.refusals(17, 18, 24, 32, 64, 255, 256, 257, 256+16)(func(n int) Params { return Params{Size: x.size, Salt: vectors.Count(1, n)} })
		},
	},
	{
		Name:   "limits/person-length",
		Must:   "a personalization of more than 16 bytes is refused",
		Source: paperSalt,
		questions: func(x *run) iter.Seq[question] {
			return x.refusals(17, 18, 24, 32, 64, 255, 256, 257, 256+16)(func(n int) Params { return Params{Size: x.size, Person: vectors.Count(1, n)} })
		},
	},
	{
		// No mutant can be asked a line: it is for programs.
		Name:   "limits/tree-fields",
		Must:   "tree fields that the parameter block cannot hold are refused",
		Source: paperTree,
		serial: true,
		questions: func(x *run) iter.Seq[question] {
			return func(yield func(question) bool) {
				for _, tree := range []string{"256,2,0,0,0,64,0", "257,2,0,0,0,64,0", "2,256,0,0,0,64,0", "2,2,4294967296,0,0,64,0", "2,2,0,18446744073709551616,0,64,0", "2,2,0,0,256,64,0", "2,2,0,0,0,256,0"} {
					// The Case says what the port needs to be asked it.
					q := x.program(Params{Tree: &Tree{}}, Step{Op: OpWrite, Data: []byte("abc")})
					q.line, q.judge = fmt.Sprintf("sum size=%d tree=%s : 616263", x.size, tree), refused
					if !yield(q) {
						return
					}
				}
			}
		},
	},
	{
		Name:   "limits/after-refusals",
		Must:   "what was refused leaves nothing behind: valid requests are answered as before",
		Source: rfcHash,
		wrong:  "after thousands of refusals a valid request is answered wrongly",
		questions: func(x *run) iter.Seq[question] {
			return func(yield func(question) bool) {
				valid := []question{x.sum([]byte("abc")), x.keyed(vectors.Count(1, 32), []byte("abc")), x.sum(vectors.Cycle(300))}
				times := map[Level]int{Quick: 100, Full: 1000, Long: 10_000}[x.Level]
				for i := range times {
					for _, p := range []Params{{Size: 65}, {Size: x.size, Key: vectors.Count(1, 65)}, {Size: x.size, Salt: vectors.Count(1, 17)}} {
						// Whether it is refused is another check's question.
						if !yield(question{Case: sumOf(p, []byte("abc")), judge: func([]byte, error) verdict { return right }}) {
							return
						}
					}
					if i < 3 || i == times-1 {
						for _, q := range valid {
							if !yield(q) {
								return
							}
						}
					}
				}
			}
		},
	},
}

// refusals asks what must be refused, for each of the lengths that params makes
// parameters of.
func (x *run) refusals(lengths ...int) func(params func(n int) Params) iter.Seq[question] {
	return func(params func(n int) Params) iter.Seq[question] {
		return func(yield func(question) bool) {
			for _, message := range [][]byte{[]byte("abc"), nil} {
				for _, n := range lengths {
					if !yield(question{Case: sumOf(params(n), message), judge: refused}) {
						return
					}
				}
			}
		}
	}
}
