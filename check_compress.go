package blake2btest

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"

	"blake2btest/vectors"
)

const rfcF = "RFC 7693, section 3.2"

var compressChecks = []*Check{
	{
		Name:      "compress/published",
		Must:      "the vectors of EIP-152 and of F are answered as published",
		Source:    "EIP-152; vectors/eip152.json",
		questions: published("eip152"),
	},
	{
		Name:   "compress/rounds",
		Must:   "F has as many rounds as it is told, round r with row r mod 10 of sigma",
		Source: "EIP-152",
		wrong:  "F with this number of rounds is wrong",
		questions: func(x *run) iter.Seq[question] {
			return func(yield func(question) bool) {
				r := x.rng()
				for _, rounds := range []uint32{12, 0, 1, 2, 9, 10, 11, 13, 14, 20, 21, 22, 23, 24, 255, 256, 257, 1000, 65535, 65536, 65537} {
					for range 3 {
						if !yield(compression(r, rounds, r.Uint64N(1<<63), r.Uint64(), byte(r.IntN(2)), false)) {
							return
						}
					}
				}
			}
		},
	},
	{
		Name:   "compress/counter",
		Must:   "both words of t go into F",
		Source: rfcF,
		wrong:  "F with this counter is wrong",
		questions: func(x *run) iter.Seq[question] {
			return func(yield func(question) bool) {
				r := x.rng()
				words := []uint64{0, 1, 128, math.MaxUint32, 1 << 32, 1<<53 + 1, 1 << 63, math.MaxUint64}
				for bit := range 64 {
					words = append(words, 1<<bit)
				}
				for _, w := range words {
					for _, t := range [][2]uint64{{w, 0}, {0, w}, {w, w}} {
						if !yield(compression(r, 12, t[0], t[1], 1, false)) {
							return
						}
					}
				}
			}
		},
	},
	{
		Name:   "compress/flags",
		Must:   "the final flag inverts v[14] whole, that of the last node v[15], and nothing else",
		Source: rfcF + "; BLAKE2 paper, section 2.4",
		wrong:  "F with these flags is wrong",
		questions: func(x *run) iter.Seq[question] {
			return func(yield func(question) bool) {
				r := x.rng()
				for range 8 {
					for final := range byte(2) {
						for _, last := range []bool{false, true} {
							if !yield(compression(r, 12, r.Uint64N(1<<63), r.Uint64(), final, last)) {
								return
							}
						}
					}
				}
			}
		},
	},
	{
		Name:   "compress/carries",
		Must:   "additions of 64 bits carry from their lower half into the upper one",
		Source: "RFC 7693, section 3.1",
		wrong:  "F of operands that carry just so is wrong",
		questions: func(x *run) iter.Seq[question] {
			return func(yield func(question) bool) {
				for q := range published("carry")(x) {
					if q.Verb == VerbCompress && !yield(q) {
						return
					}
				}
			}
		},
	},
	{
		Name:   "compress/limits",
		Must:   "an input of other than 213 bytes, or with a flag other than 0 and 1, is refused",
		Source: "EIP-152",
		questions: func(x *run) iter.Seq[question] {
			return func(yield func(question) bool) {
				in := compressInput(12)
				inputs := [][]byte{nil, in[:4], in[:68], in[:196], in[:212], append(in[:213:213], 0), append(in[:213:213], in...)}
				for _, flag := range []byte{2, 3, 4, 127, 128, 254, 255} {
					inputs = append(inputs, append(in[:212:212], flag))
				}
				for _, in := range inputs {
					if !yield(question{Case: Case{Verb: VerbCompress, Steps: []Step{wr(in)}}, judge: refused}) {
						return
					}
				}
			}
		},
	},
	{
		Name:   "compress/random",
		Must:   "F of any input is as the RFC has it",
		Source: rfcF,
		wrong:  "F is wrong",
		questions: func(x *run) iter.Seq[question] {
			return func(yield func(question) bool) {
				r := x.rng()
				for range map[Level]int{Quick: 500, Full: 10_000, Long: 1_000_000}[x.Level] {
					if !yield(question{Case: randomCompress(r)}) {
						return
					}
				}
			}
		},
	},
	{
		Name:   "compress/alone",
		Must:   "a call of F changes no hash, and a hash no call of F",
		Source: rfcF,
		wrong:  "an answer after a call of F is wrong",
		questions: func(x *run) iter.Seq[question] {
			return func(yield func(question) bool) {
				r := x.rng()
				for i := range 50 {
					if !yield(x.sum(vectors.Cycle(100*i))) || !yield(compression(r, uint32(i), r.Uint64N(1<<63), r.Uint64(), byte(i&1), i&2 != 0)) {
						return
					}
				}
			}
		},
	},
}

// compression is the question of a call of F with random h and m. Counters from
// 2^63 up are for check compress/counter: a port may go wrong there alone.
func compression(r *rand.Rand, rounds uint32, t0, t1 uint64, final byte, last bool) question {
	in := binary.BigEndian.AppendUint32(nil, rounds)
	for range 8 + 16 {
		in = binary.LittleEndian.AppendUint64(in, r.Uint64())
	}
	in = binary.LittleEndian.AppendUint64(in, t0)
	in = binary.LittleEndian.AppendUint64(in, t1)
	return question{Case: Case{Verb: VerbCompress, Last: last, Steps: []Step{{Op: OpWrite, Data: append(in, final)}}}}
}

const paperXOF = "BLAKE2X paper, section 2"

var xofChecks = []*Check{
	{
		Name:      "xof/published",
		Must:      "the published vectors of BLAKE2Xb are answered as published",
		Source:    "BLAKE2 reference package",
		questions: published("xof"),
	},
	{
		Name:   "xof/lengths",
		Must:   "the length of the output is part of the parameter block, and the last node is as long as what is left",
		Source: paperXOF,
		wrong:  "the output of this length is wrong",
		questions: func(x *run) iter.Seq[question] {
			lengths := []int{64, 65, 1, 63, 127, 128, 129, 1000, 4096, 65537}
			for n := range 300 {
				lengths = append(lengths, n+1)
			}
			return func(yield func(question) bool) {
				for _, k := range []int{0, 32} {
					for _, n := range lengths {
						c := Case{Verb: VerbXOF, Params: Params{Size: n, Key: keyOf(k)}, Steps: []Step{wr([]byte("abc"))}}
						if !yield(question{Case: c}) {
							return
						}
						if c.Size, c.Read = 0, uint64(n); !yield(question{Case: c}) {
							return
						}
					}
				}
			}
		},
	},
	{
		Name:   "xof/messages",
		Must:   "the root hashes the message, of any length and in any parts, with the key",
		Source: paperXOF,
		wrong:  "the output for this message is wrong",
		questions: func(x *run) iter.Seq[question] {
			return func(yield func(question) bool) {
				for _, k := range []int{0, 1, 64} {
					for _, n := range []int{0, 1, 127, 128, 129, 256, 300} {
						m := vectors.Cycle(n)
						for _, steps := range [][]Step{{wr(m)}, {wr(m[:n/2]), wr(m[n/2:])}} {
							if !yield(question{Case: Case{Verb: VerbXOF, Params: Params{Size: 100, Key: keyOf(k)}, Steps: steps}}) {
								return
							}
						}
					}
				}
			}
		},
	},
	{
		Name:   "xof/limits",
		Must:   "an output of no bytes, or of 2^32-1 and more, and a key of more than 64 bytes are refused",
		Source: "BLAKE2X paper, section 2.1",
		serial: true,
		questions: func(x *run) iter.Seq[question] {
			return func(yield func(question) bool) {
				c := Case{Verb: VerbXOF, Params: Params{Size: 64}, Steps: []Step{wr([]byte("abc"))}}
				for _, n := range []string{"0", "4294967295", "4294967296", "4294967360"} {
					if !yield(question{Case: c, judge: refused, line: fmt.Sprintf("xof size=%s : 616263", n)}) {
						return
					}
				}
				for _, n := range []int{65, 128, 256 + 32} {
					c.Key = vectors.Count(1, n)
					if !yield(question{Case: c, judge: refused}) {
						return
					}
				}
			}
		},
	},
}
