package blake2btest

import (
	"encoding/binary"
	"fmt"
	"iter"
	"slices"

	"blake2btest/vectors"
)

var randomChecks = []*Check{
	{
		Name:   "random/cases",
		Must:   "any case is answered rightly",
		Source: rfcHash,
		questions: func(x *run) iter.Seq[question] {
			return func(yield func(question) bool) {
				r := x.rng()
				for range map[Level]int{Quick: 2_000, Full: 20_000, Long: 5_000_000}[x.Level] {
					if !yield(question{Case: RandomCase(r)}) {
						return
					}
				}
			}
		},
	},
	{
		Name:   "random/accumulated",
		Must:   "the digests of random cases, hashed into one, are as published",
		Source: "vectors/random.json",
		serial: true,
		questions: func(x *run) iter.Seq[question] {
			return x.accumulated("random", "random-parameters")
		},
	},
	{
		// As NIST's Monte Carlo tests do: one wrong digest spoils all that follow,
		// and the inputs are nobody's choice.
		Name:   "random/chain",
		Must:   "a chain in which each digest chooses the next case is as the oracle's",
		Source: rfcHash,
		serial: true,
		questions: func(x *run) iter.Seq[question] {
			return func(yield func(question) bool) {
				seed := fmt.Appendf(nil, "seed %d", x.Seed)
				for range map[Level]int{Quick: 300, Full: 3000, Long: 100_000}[x.Level] {
					next, _ := Right(sumOf(Params{Size: 64}, seed))
					p := Params{Size: x.size}
					if n := 1 + int(next[0])%MaxSize; x.unkeyed.sizes[n] {
						p.Size = n
					}
					if k := int(next[1]) % (MaxKeySize + 1); x.offers("keys") && x.keys[k] {
						p.Key = keyOf(k)
					}
					n := int(binary.LittleEndian.Uint16(next[2:])) % 700
					cut := int(binary.LittleEndian.Uint16(next[4:])) % (n + 1)
					message := slices.Concat(next, vectors.Cycle(n))
					q := question{Case: sumOf(p, message)}
					if x.offers("streaming") {
						q.Case = sumOf(p, message[:cut], message[cut:])
					}
					q.judge = func(got []byte, err error) verdict {
						// Not the digest alone: after a short one the chain would
						// soon be in a circle.
						seed = slices.Concat(next, got)
						return x.judge(question{Case: q.Case}, got, err)
					}
					if !yield(q) {
						return
					}
				}
			}
		},
	},
}

var senseChecks = []*Check{
	{
		Name:   "sense/every-bit",
		Must:   "every bit of the message counts: no two messages that differ in one bit have the same digest",
		Source: rfcHash,
		questions: func(x *run) iter.Seq[question] {
			d := differ("two messages that differ in one bit have the same digest")
			return func(yield func(question) bool) {
				message := vectors.Cycle(260)
				for bit := -1; bit < 8*len(message); bit++ {
					m := append([]byte(nil), message...)
					if bit >= 0 {
						m[bit/8] ^= 1 << (bit % 8)
					}
					q := x.sum(m)
					if x.size >= 8 { // shorter digests are the same by chance
						q.judge = d
					}
					if !yield(q) {
						return
					}
				}
			}
		},
	},
	{
		Name:   "sense/every-length",
		Must:   "the length of the message counts: zeros at its end are not padding",
		Source: rfcHash,
		questions: func(x *run) iter.Seq[question] {
			d := differ("a message with zeros at its end has the digest of a shorter one")
			return func(yield func(question) bool) {
				for n := range 400 {
					q := x.sum(make([]byte, n))
					if x.size >= 8 {
						q.judge = d
					}
					if !yield(q) {
						return
					}
				}
			}
		},
	},
}
