package blake2btest

import (
	"bytes"
	"fmt"
	"iter"
	"slices"

	"blake2btest/vectors"
)

// Sources of the parameters.
const (
	rfcKey    = "RFC 7693, sections 2.5 and 3.3"
	paperSalt = "BLAKE2 paper, section 2.5"
	paperTree = "BLAKE2 paper, section 2.10"
)

var parametersChecks = []*Check{
	{
		Name:   "parameters/digest-lengths",
		Must:   "the digest length is part of the parameter block: a short digest is not the beginning of a long one",
		Source: "RFC 7693, section 2.5",
		wrong:  "the digest of this length is wrong",
		questions: func(x *run) iter.Seq[question] {
			return func(yield func(question) bool) {
				for _, n := range []int{0, 3, 128, 129, 300} {
					for size := 1; size <= MaxSize; size++ {
						if !yield(question{Case: sumOf(Params{Size: size}, vectors.Cycle(n))}) {
							return
						}
					}
				}
			}
		},
	},
	{
		Name:   "parameters/keys",
		Must:   "the key, padded with zeros to a block, goes before the message, and its length into the parameter block",
		Source: rfcKey,
		wrong:  "the digest with this key is wrong",
		questions: func(x *run) iter.Seq[question] {
			return func(yield func(question) bool) {
				for _, n := range []int{0, 1, 128, 129, 127, 256, 300} {
					for _, k := range keyLengths() {
						if !yield(x.keyed(keyOf(k), vectors.Cycle(n))) {
							return
						}
					}
				}
			}
		},
	},
	{
		// No mutant needs it: it is the Linux kernel's grid, on more messages, for a
		// port that does something of its own for one pair of lengths.
		Name:   "parameters/keys-and-digest-lengths",
		Must:   "every key length goes with every digest length",
		Source: rfcKey,
		Level:  Full,
		questions: func(x *run) iter.Seq[question] {
			return func(yield func(question) bool) {
				for _, n := range []int{0, 1, 127, 128, 129} {
					for _, k := range keyLengths() {
						key := keyOf(k)
						slices.Reverse(key) // answers/accumulated asks the others
						for size := 1; size <= MaxSize; size++ {
							if !yield(question{Case: sumOf(Params{Size: size, Key: key}, vectors.Cycle(n))}) {
								return
							}
						}
					}
				}
			}
		},
	},
	{
		Name:   "parameters/key-bytes",
		Must:   "a key is any bytes: zeros inside and at its end count, and each of the 256 is a key",
		Source: rfcKey,
		questions: func(x *run) iter.Seq[question] {
			keys := [][]byte{
				{'0'}, {0}, {0, 0}, make([]byte, 32), make([]byte, 64), {0, 1}, {1, 0}, {1, 0, 1}, {1, 0, 0, 0}, {0xff, 0, 0xff},
				append(vectors.Count(1, 31), 0), append(vectors.Count(1, 63), 0), append([]byte{0}, vectors.Count(1, 63)...),
				bytes.Repeat([]byte{0xff}, 64), bytes.Repeat([]byte{0x80}, 16), []byte("\n\r\t key \x00 key"), []byte("0123456789abcdef"),
			}
			for b := range 256 {
				keys = append(keys, []byte{byte(b)})
			}
			return func(yield func(question) bool) {
				for _, k := range keys {
					q := x.keyed(k, []byte("message"))
					if len(k) == 1 {
						q.of = "keys" // where others are too short, "0" may be none
					}
					if !yield(q) {
						return
					}
				}
			}
		},
	},
	{
		Name:   "parameters/keys-differ",
		Must:   "digests with different keys differ, and differ from those with none",
		Source: rfcKey,
		questions: func(x *run) iter.Seq[question] {
			d := differ("another key gave the same digest")
			return func(yield func(question) bool) {
				for _, k := range [][]byte{nil, {0}, {0, 0}, {1}, {1, 0}, make([]byte, 64), vectors.Count(0, 64), vectors.Count(0, 63)} {
					q := x.keyed(k, []byte("message"))
					if q.judge = d; !yield(q) {
						return
					}
				}
			}
		},
	},
	{
		Name:   "parameters/empty-key",
		Must:   "an explicit empty key is no key, or is refused",
		Source: rfcKey,
		questions: func(x *run) iter.Seq[question] {
			return func(yield func(question) bool) {
				for _, n := range []int{0, 1, 128, 129} {
					q := x.keyed([]byte{}, vectors.Cycle(n))
					plain := x.want(x.sum(vectors.Cycle(n)))
					q.judge = either("an explicit empty key", plain, "is as no key", "is refused", "the digest with an explicit empty key is not the one without a key")
					if !yield(q) {
						return
					}
				}
			}
		},
	},
	{
		Name:   "parameters/salt",
		Must:   "the salt is bytes 32 to 47 of the parameter block",
		Source: paperSalt,
		wrong:  "the digest with this salt is wrong",
		questions: func(x *run) iter.Seq[question] {
			return x.fields(func(p *Params, b []byte) { p.Salt = b })
		},
	},
	{
		Name:   "parameters/person",
		Must:   "the personalization is bytes 48 to 63 of the parameter block",
		Source: paperSalt,
		wrong:  "the digest with this personalization is wrong",
		questions: func(x *run) iter.Seq[question] {
			return x.fields(func(p *Params, b []byte) { p.Person = b })
		},
	},
	{
		Name:   "parameters/salt-and-person",
		Must:   "salt and personalization go together, each in its place",
		Source: paperSalt,
		wrong:  "the digest with this salt and personalization is wrong",
		questions: func(x *run) iter.Seq[question] {
			a, b := vectors.Count(0x10, 16), vectors.Count(0xe0, 16)
			return x.params([]Params{{Salt: a, Person: b}, {Salt: b, Person: a}, {Salt: a, Person: a}, {Salt: make([]byte, 16), Person: b}, {Salt: a, Person: make([]byte, 16)}}, 0, 3, 129)
		},
	},
	{
		Name:   "parameters/short-salt",
		Must:   "a salt or personalization of 1 to 15 bytes is padded with zeros, or refused",
		Source: paperSalt,
		questions: func(x *run) iter.Seq[question] {
			return func(yield func(question) bool) {
				for n := 1; n < 16; n++ {
					for _, q := range []question{
						x.program(Params{Salt: vectors.Count(1, n)}, Step{Op: OpWrite, Data: []byte("m")}),
						x.program(Params{Person: vectors.Count(1, n)}, Step{Op: OpWrite, Data: []byte("m")}),
					} {
						what := "a short salt"
						if q.Person != nil {
							what = "a short personalization"
						}
						q.judge = either(what, x.want(q), "is padded with zeros", "is refused", "the digest is not the one with zeros appended")
						if !yield(q) {
							return
						}
					}
				}
			}
		},
	},
	{
		Name:   "parameters/keyed-salt",
		Must:   "with a key, salt and personalization have their places in the parameter block, or are refused",
		Source: paperSalt,
		questions: func(x *run) iter.Seq[question] {
			a, b, key := vectors.Count(0x10, 16), vectors.Count(0xe0, 16), vectors.Count(0x80, 32)
			return x.eithers("salt with a key", []Params{{Key: key, Salt: a}, {Key: key, Person: b}, {Key: key, Salt: a, Person: b}, {Key: key[:1], Salt: b, Person: a}}, 0, 1, 128, 129)
		},
	},
	{
		Name:   "parameters/tree",
		Must:   "fanout, depth, leaf length, node offset, node depth and inner length have their places in the parameter block, little-endian",
		Source: paperTree,
		wrong:  "the digest with these tree parameters is wrong",
		questions: func(x *run) iter.Seq[question] {
			list := []Params{
				{Tree: &Tree{Fanout: 1, MaxDepth: 1}},
				{Tree: &Tree{Fanout: 2, MaxDepth: 3, LeafSize: 0x04050607, NodeOffset: 0x08090a0b0c0d0e0f, NodeDepth: 16, InnerSize: 17}},
				{Tree: &Tree{Fanout: 0, MaxDepth: 255, LeafSize: 1<<32 - 1, NodeOffset: 1<<64 - 1, NodeDepth: 255, InnerSize: 64}},
				{Salt: vectors.Count(1, 16), Person: vectors.Count(17, 16), Tree: &Tree{Fanout: 4, MaxDepth: 2, LeafSize: 1 << 20, NodeOffset: 1<<48 + 1, InnerSize: 32}},
			}
			for bit := range 64 {
				t := Tree{Fanout: 2, MaxDepth: 2, InnerSize: 64, NodeOffset: 1 << bit}
				list = append(list, Params{Tree: &t})
				if bit < 32 {
					t := Tree{Fanout: 2, MaxDepth: 2, InnerSize: 64, LeafSize: 1 << bit}
					list = append(list, Params{Tree: &t})
				}
			}
			return x.params(list, 3, 129)
		},
	},
	{
		Name:   "parameters/last-node",
		Must:   "the last node of a layer has f[1] set in its last block, and no other",
		Source: "BLAKE2 paper, section 2.4",
		wrong:  "the digest of the last node is wrong",
		questions: func(x *run) iter.Seq[question] {
			return x.params([]Params{
				{Tree: &Tree{Fanout: 1, MaxDepth: 1, LastNode: true}},
				{Tree: &Tree{Fanout: 2, MaxDepth: 2, LeafSize: 4096, NodeOffset: 1, InnerSize: 64, LastNode: true}},
				{Tree: &Tree{Fanout: 2, MaxDepth: 2, LeafSize: 4096, NodeOffset: 1, InnerSize: 64}},
			}, 0, 1, 128, 129, 300)
		},
	},
	{
		Name:      "parameters/tree-hash",
		Must:      "whole trees of two levels, node by node, are as published",
		Source:    paperTree,
		questions: published("tree"),
	},
	{
		Name:      "parameters/published",
		Must:      "the vectors with parameters are answered as published",
		Source:    "vectors/parameters.json",
		questions: published("parameters"),
	},
	{
		Name:   "parameters/keyed-tree",
		Must:   "a keyed node has all in its place in the parameter block, or is refused",
		Source: paperTree,
		questions: func(x *run) iter.Seq[question] {
			key := vectors.Count(0x80, 32)
			return x.eithers("a keyed tree node", []Params{
				{Key: key, Tree: &Tree{Fanout: 2, MaxDepth: 2, LeafSize: 4096, InnerSize: 64}},
				{Key: key, Tree: &Tree{Fanout: 2, MaxDepth: 2, LeafSize: 4096, NodeOffset: 1, InnerSize: 64, LastNode: true}},
			}, 0, 1, 128, 129)
		},
	},
	{
		Name:   "parameters/tree-excluded",
		Must:   "tree fields that the paper excludes are refused, or taken as the parameter block gives them",
		Source: paperTree,
		questions: func(x *run) iter.Seq[question] {
			return func(yield func(question) bool) {
				for _, f := range []struct {
					what string
					tree Tree
				}{
					{"depth 0", Tree{Fanout: 1, MaxDepth: 0}},
					{"depth 0", Tree{Fanout: 0, MaxDepth: 0, LeafSize: 64, InnerSize: 64}},
					{"an inner length above 64", Tree{Fanout: 2, MaxDepth: 2, InnerSize: 65}},
					{"an inner length above 64", Tree{Fanout: 2, MaxDepth: 2, InnerSize: 255}},
					{"fanout 1 in a tree", Tree{Fanout: 1, MaxDepth: 2, LeafSize: 64, InnerSize: 64}},
					{"depth 1 in a tree", Tree{Fanout: 2, MaxDepth: 1, LeafSize: 64, InnerSize: 64}},
					{"inner length 0 in a tree", Tree{Fanout: 2, MaxDepth: 2, LeafSize: 64}},
				} {
					q := x.program(Params{Tree: &f.tree}, Step{Op: OpWrite, Data: []byte("m")})
					q.judge = either(f.what, x.want(q), "is accepted", "is refused", "the digest is not what the parameter block gives")
					if !yield(q) {
						return
					}
				}
			}
		},
	},
}

// keyLengths are 0 to 64, edges first.
func keyLengths() []int {
	list := []int{1, 64, 32, 16, 63, 0, 33}
	for k := range MaxKeySize + 1 {
		if !slices.Contains(list, k) {
			list = append(list, k)
		}
	}
	return list
}

// keyOf is a key of k bytes, nil for none.
func keyOf(k int) []byte {
	if k == 0 {
		return nil
	}
	return vectors.Count(128, k)
}

// keyed is the question of a digest with a key, nil for none.
func (x *run) keyed(key, message []byte) question {
	if len(message) == 0 {
		message = nil
	}
	return x.program(Params{Key: key}, Step{Op: OpWrite, Data: message})
}

// params asks for digests of messages of some lengths with each of the
// parameters.
func (x *run) params(list []Params, lengths ...int) iter.Seq[question] {
	return func(yield func(question) bool) {
		for _, n := range lengths {
			for _, p := range list {
				p.Size = x.size
				if !yield(question{Case: sumOf(p, vectors.Cycle(n))}) {
					return
				}
			}
		}
	}
}

// eithers is params of what a port may refuse.
func (x *run) eithers(what string, list []Params, lengths ...int) iter.Seq[question] {
	return func(yield func(question) bool) {
		for q := range x.params(list, lengths...) {
			q.judge = either(what, x.want(q), "is as the parameter block gives it", "is refused", "the digest is not what the parameter block gives")
			if !yield(q) {
				return
			}
		}
	}
}

// fields asks for digests with 16 bytes in a field: asymmetric ones, and every
// bit alone.
func (x *run) fields(set func(p *Params, b []byte)) iter.Seq[question] {
	values := [][]byte{vectors.Count(0, 16), vectors.Count(0xf0, 16), make([]byte, 16), bytes.Repeat([]byte{0xff}, 16)}
	for bit := range 128 {
		b := make([]byte, 16)
		b[bit/8] = 1 << (bit % 8)
		values = append(values, b)
	}
	var list []Params
	for _, b := range values {
		var p Params
		set(&p, b)
		list = append(list, p)
	}
	return x.params(list, 3, 0, 129)
}

// either judges what a port may do or refuse. The behaviour says which it does.
func either(what string, want []byte, does, refuses, wrong string) func(got []byte, err error) verdict {
	return func(got []byte, err error) verdict {
		switch {
		case err != nil:
			return verdict{behaviour: what + " " + refuses}
		case bytes.Equal(got, want):
			return verdict{behaviour: what + " " + does}
		}
		return verdict{wrong: wrong, want: want}
	}
}

// differ judges digests that must all be different.
func differ(wrong string) func(got []byte, err error) verdict {
	seen := make(map[string]bool)
	return func(got []byte, err error) verdict {
		switch {
		case err != nil:
			return verdict{wrong: fmt.Sprintf("a valid case is refused: %v", err)}
		case seen[string(got)]:
			return verdict{wrong: wrong}
		}
		seen[string(got)] = true
		return right
	}
}
