// Package vectorgen makes the files of package vectors: the inputs are set out
// here, the answers are computed by the reference variant. The package's test
// writes the files with -generate; without it, it says when they are stale, and
// has every value confirmed by other implementations.
package vectorgen

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"blake2btest"
	"blake2btest/internal/model"
	"blake2btest/variants"
	"blake2btest/vectors"
)

// reference computes the answers.
var reference = blake2btest.Over(variants.All[0])

// What a set says of its source.
const (
	ours    = "this project"
	command = "go generate ./vectors"
)

// Sets returns all sets but big, whose answers take half a minute. long says
// whether the random sequences are followed to their end.
func Sets(long bool) []vectors.Set {
	return []vectors.Set{
		carry(),
		counter(),
		eip152(),
		keys(),
		linux(),
		official(),
		parameters(),
		random(long),
		refused(),
		rfc7693(),
		tree(),
		xof(),
	}
}

// set fills in what all sets share.
func set(s vectors.Set) vectors.Set {
	s.Schema = vectors.Schema
	s.License = "CC0-1.0"
	s.Command = command
	return s
}

// answered is the vector of a line that the reference has to answer.
func answered(comment, line string) vectors.Vector {
	answer := blake2btest.AnswerLine(reference, line)
	if !strings.HasPrefix(answer, "ok ") {
		panic(fmt.Sprintf("%s: %s", line, answer))
	}
	return vectors.Vector{Comment: comment, Case: line, Answer: answer}
}

// sum is the vector of one digest with the parameters and a message.
func sum(comment string, p blake2btest.Params, message []byte) vectors.Vector {
	return answered(comment, sumCase(p, message).String())
}

func sumCase(p blake2btest.Params, message []byte) blake2btest.Case {
	return blake2btest.Case{Verb: blake2btest.VerbSum, Params: p, Steps: []blake2btest.Step{{Op: blake2btest.OpWrite, Data: message}}}
}

// compression is one call of F.
type compression struct {
	rounds uint32
	h      [8]uint64
	m      [16]uint64
	t      [2]uint64
	final  bool
	last   bool
}

// bytes are its input in EIP-152's form.
func (c compression) bytes() []byte {
	b := binary.BigEndian.AppendUint32(nil, c.rounds)
	for _, w := range slices.Concat(c.h[:], c.m[:], c.t[:]) {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	if c.final {
		return append(b, 1)
	}
	return append(b, 0)
}

// line is its request.
func (c compression) line() string {
	return blake2btest.Case{
		Verb:  blake2btest.VerbCompress,
		Last:  c.last,
		Steps: []blake2btest.Step{{Op: blake2btest.OpWrite, Data: c.bytes()}},
	}.String()
}

// initial is the state of an unkeyed BLAKE2b with digests of 64 bytes.
func initial() [8]uint64 {
	return [8]uint64{
		0x6a09e667f3bcc908 ^ 0x01010040, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
		0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
	}
}

// accumulated follows a sequence up to each of the numbers of cases given.
func accumulated(name string, size int, loop []string, at ...int) vectors.Accumulated {
	points, err := blake2btest.Accumulate(reference, blake2btest.Sequence(name), size, at)
	if err != nil {
		panic(err)
	}
	return vectors.Accumulated{Name: name, Loop: loop, Size: size, Checkpoints: points}
}

func rfc7693() vectors.Set {
	message := []byte("abc")
	c := compression{rounds: 12, h: initial(), t: [2]uint64{3, 0}, final: true}
	copy(c.m[:], []uint64{0x636261})
	rounds := vectors.Rounds{Case: c.line()}
	for _, v := range model.Working(c.bytes(), c.last) {
		var words [16]string
		for i, w := range v {
			words[i] = fmt.Sprintf("%016x", w)
		}
		rounds.V = append(rounds.V, words)
	}
	answer := answered("", c.line()).Answer
	h, err := hex.DecodeString(strings.TrimPrefix(answer, "ok "))
	if err != nil {
		panic(err)
	}
	for i := range rounds.H {
		rounds.H[i] = fmt.Sprintf("%016x", binary.LittleEndian.Uint64(h[8*i:]))
	}
	return set(vectors.Set{
		Name:    "rfc7693",
		Title:   `RFC 7693: Appendix A, BLAKE2b-512 of "abc" with all working vectors, and Appendix E, the self-test`,
		Source:  "RFC 7693, Appendices A and E",
		Vectors: []vectors.Vector{sum("Appendix A", blake2btest.Params{Size: 64}, message)},
		Rounds:  []vectors.Rounds{rounds},
		Accumulated: []vectors.Accumulated{accumulated("rfc7693", 32, []string{
			"for size in 20, 32, 48, 64:",
			"  for n in 0, 3, 128, 129, 255, 1024:",
			"    absorb blake2b(size=size, message=bytes(n))",
			"    absorb blake2b(size=size, key=bytes(size), message=bytes(n))",
			"bytes(n):  # uint32 arithmetic",
			"  a = 0xDEAD4BAD * n; b = 1",
			"  n times: t = a + b; a = b; b = t; give t >> 24",
		}, 1, 2, 4, 8, 16, 32, 48)},
	})
}

func official() vectors.Set {
	s := vectors.Set{
		Name:   "official",
		Title:  "BLAKE2b-512 of the bytes 00 01 02 …, 0 to 255 of them, without a key and with the key 00 … 3f",
		Source: "BLAKE2 reference package, testvectors/blake2-kat.json (CC0)",
	}
	for _, key := range [][]byte{nil, vectors.Count(0, 64)} {
		for n := range 256 {
			s.Vectors = append(s.Vectors, sum("", blake2btest.Params{Size: 64, Key: key}, vectors.Count(0, n)))
		}
	}
	return set(s)
}

func xof() vectors.Set {
	s := vectors.Set{
		Name:   "xof",
		Title:  "BLAKE2Xb of the bytes 00 … ff, 1 to 256 bytes of output, without a key and with the key 00 … 3f; lengths around node boundaries, and outputs of unknown length",
		Source: "BLAKE2 reference package, testvectors/blake2-kat.json (CC0): all without a comment; " + ours + ": the others",
	}
	message := []blake2btest.Step{{Op: blake2btest.OpWrite, Data: vectors.Count(0, 256)}}
	for _, key := range [][]byte{nil, vectors.Count(0, 64)} {
		for n := 1; n <= 256; n++ {
			c := blake2btest.Case{Verb: blake2btest.VerbXOF, Params: blake2btest.Params{Size: n, Key: key}, Steps: message}
			s.Vectors = append(s.Vectors, answered("", c.String()))
		}
	}
	for _, key := range [][]byte{nil, vectors.Count(0, 64)} {
		for _, n := range []uint64{1, 64, 65, 129, 1000} {
			c := blake2btest.Case{Verb: blake2btest.VerbXOF, Params: blake2btest.Params{Key: key}, Read: n, Steps: message}
			s.Vectors = append(s.Vectors, answered("length unknown in advance", c.String()))
		}
		for _, n := range []int{1, 64, 65, 1000} {
			c := blake2btest.Case{Verb: blake2btest.VerbXOF, Params: blake2btest.Params{Size: n, Key: key}}
			s.Vectors = append(s.Vectors, answered("no message", c.String()))
		}
	}
	return set(s)
}

func linux() vectors.Set {
	s := vectors.Set{
		Name:   "linux",
		Title:  "BLAKE2b-512 of the lengths that the Linux kernel tests, and its two consolidated digests",
		Source: "Linux, lib/crypto/tests/blake2b-testvecs.h: the values, which are facts; the messages are computed",
	}
	for _, n := range []int{0, 1, 2, 3, 16, 32, 48, 49, 63, 64, 65, 127, 128, 129, 256, 511, 513, 1000, 3333, 4096, 4128, 4160, 4224, 16384} {
		s.Vectors = append(s.Vectors, sum("", blake2btest.Params{Size: 64}, vectors.Linear(n)))
	}
	bytes := []string{
		"bytes(n):  # uint64 arithmetic",
		"  s = n",
		"  n times: s = (s * 25214903917 + 11) mod 2^48; give (s >> 16) mod 256",
	}
	s.Accumulated = []vectors.Accumulated{
		accumulated("linux-lengths", 64, append([]string{
			"data = bytes(4096)",
			"for n in 0 … 4096: absorb blake2b(size=64, message=data[:n])",
		}, bytes...), powers(4097)...),
		accumulated("linux-keys", 64, append([]string{
			"for k in 0 … 64:",
			"  for size in 1 … 64: absorb blake2b(size=size, key=bytes(k), message=bytes(100))",
		}, bytes...), powers(65*64)...),
	}
	return set(s)
}

// powers returns the powers of two below n, and n.
func powers(n int) []int {
	var p []int
	for i := 1; i < n; i *= 2 {
		p = append(p, i)
	}
	return append(p, n)
}

func eip152() vectors.Set {
	s := vectors.Set{
		Name:   "eip152",
		Title:  "F with any number of rounds: EIP-152's vectors; other rounds; the finalization flag of the last node; flags and counters that no message reaches",
		Source: "EIP-152 (CC0): the vectors whose comment begins with EIP-152; " + ours + ": the others",
	}
	abc := compression{rounds: 12, h: initial(), t: [2]uint64{3, 0}, final: true}
	abc.m[0] = 0x636261
	refuse := func(comment, line string) {
		s.Vectors = append(s.Vectors, vectors.Vector{Comment: comment, Case: line, Answer: "error"})
	}
	line := abc.line()
	refuse("EIP-152, input of 0 bytes", "compress : -")
	refuse("EIP-152, input of 212 bytes", "compress : "+line[len("compress : ")+2:])
	refuse("EIP-152, input of 214 bytes", "compress : 00"+line[len("compress : "):])
	refuse("EIP-152, final flag 2", line[:len(line)-2]+"02")
	for _, v := range []struct {
		rounds uint32
		final  bool
	}{{0, true}, {12, true}, {12, false}, {1, true}, {8_000_000, true}} {
		c := abc
		c.rounds, c.final = v.rounds, v.final
		s.Vectors = append(s.Vectors, answered(fmt.Sprintf("EIP-152, %d rounds, final %t", c.rounds, c.final), c.line()))
	}
	refuse("input of 214 bytes", line+"00")
	refuse("input of 4 bytes", "compress : 0000000c")
	refuse("input of 426 bytes", line+line[len("compress : "):])
	for _, flag := range []string{"03", "80", "ff"} {
		refuse("final flag "+flag, line[:len(line)-2]+flag)
	}
	r := rng("eip152")
	for _, rounds := range []uint32{0, 1, 2, 9, 10, 11, 12, 13, 14, 20, 21, 22, 23, 24, 255, 256, 257, 1000} {
		for i := range 4 {
			c := compression{rounds: rounds, t: [2]uint64{r.Uint64(), r.Uint64()}, final: i&1 == 1, last: i&2 == 2}
			fill(r, c.h[:])
			fill(r, c.m[:])
			s.Vectors = append(s.Vectors, answered(fmt.Sprintf("%d rounds, random input", rounds), c.line()))
		}
	}
	ones := [2]uint64{math.MaxUint64, math.MaxUint64}
	for _, t := range [][2]uint64{{0, 0}, {1, 0}, {1 << 31, 0}, {1 << 32, 0}, {math.MaxUint32, 0}, {1 << 63, 0}, {math.MaxUint64, 0}, {0, 1}, {0, 1 << 32}, {0, 1 << 63}, ones} {
		c := abc
		c.t = t
		s.Vectors = append(s.Vectors, answered(fmt.Sprintf("counter %#x %#x", t[1], t[0]), c.line()))
	}
	return set(s)
}

// rng is a source of the same numbers in each run.
func rng(name string) *rand.Rand {
	var seed [32]byte
	copy(seed[:], name)
	return rand.New(rand.NewChaCha8(seed))
}

func fill(r *rand.Rand, words []uint64) {
	for i := range words {
		words[i] = r.Uint64()
	}
}

func keys() vectors.Set {
	s := vectors.Set{
		Name:   "keys",
		Title:  "Every key length with every digest length, on messages of 0, 1, 127, 128 and 129 bytes; with a checkpoint after each key length",
		Source: ours,
	}
	for _, n := range []int{0, 1, 127, 128, 129} {
		var at []int
		for k := range 65 {
			at = append(at, 64*(k+1))
		}
		s.Accumulated = append(s.Accumulated, accumulated(fmt.Sprintf("keys-%d", n), 64, []string{
			"for k in 0 … 64:",
			"  for size in 1 … 64:",
			"    absorb blake2b(size=size, key=count(128, k), message=count(0, " + fmt.Sprint(n) + "))",
			"count(first, n): n bytes that count from first up, 255 being followed by 0",
		}, at...))
	}
	for _, size := range []int{1, 20, 32, 63, 64} {
		for _, k := range []int{0, 1, 16, 32, 63, 64} {
			p := blake2btest.Params{Size: size}
			if k > 0 {
				p.Key = vectors.Count(128, k)
			}
			for _, n := range []int{0, 1, 128, 129} {
				s.Vectors = append(s.Vectors, sum("", p, vectors.Count(0, n)))
			}
		}
	}
	return set(s)
}

func parameters() vectors.Set {
	s := vectors.Set{
		Name:   "parameters",
		Title:  "Salt, personalization and tree parameters: each alone, short ones, together, with a key; every bit of each",
		Source: ours,
	}
	message := []byte("abc")
	add := func(comment string, p blake2btest.Params) {
		if p.Size == 0 {
			p.Size = 64
		}
		s.Vectors = append(s.Vectors, sum(comment, p, message))
	}
	salt, person, key := vectors.Count(0x10, 16), vectors.Count(0xe0, 16), vectors.Count(0x80, 32)
	add("salt alone", blake2btest.Params{Salt: salt})
	add("personalization alone", blake2btest.Params{Person: person})
	add("both", blake2btest.Params{Salt: salt, Person: person})
	add("both, exchanged", blake2btest.Params{Salt: person, Person: salt})
	add("salt and key", blake2btest.Params{Salt: salt, Key: key})
	add("personalization and key", blake2btest.Params{Person: person, Key: key})
	add("both and key, 32 bytes", blake2btest.Params{Size: 32, Salt: salt, Person: person, Key: key})
	for n := 1; n < 16; n++ {
		add("short salt, padded with zeros", blake2btest.Params{Salt: salt[:n]})
		add("short personalization, padded with zeros", blake2btest.Params{Person: person[:n]})
	}
	for bit := range 128 {
		one := make([]byte, 16)
		one[bit/8] = 1 << (bit % 8)
		add(fmt.Sprintf("salt, bit %d", bit), blake2btest.Params{Salt: one})
		add(fmt.Sprintf("personalization, bit %d", bit), blake2btest.Params{Person: one})
	}
	add("the tree parameters of sequential hashing", blake2btest.Params{Tree: &blake2btest.Tree{Fanout: 1, MaxDepth: 1}})
	for _, f := range []struct {
		name string
		bits int
		flip func(t *blake2btest.Tree, bit int)
	}{
		{"fanout", 8, func(t *blake2btest.Tree, bit int) { t.Fanout ^= 1 << bit }},
		{"depth", 8, func(t *blake2btest.Tree, bit int) { t.MaxDepth ^= 1 << bit }},
		{"leaf length", 32, func(t *blake2btest.Tree, bit int) { t.LeafSize ^= 1 << bit }},
		{"node offset", 64, func(t *blake2btest.Tree, bit int) { t.NodeOffset ^= 1 << bit }},
		{"node depth", 8, func(t *blake2btest.Tree, bit int) { t.NodeDepth ^= 1 << bit }},
		{"inner length", 8, func(t *blake2btest.Tree, bit int) { t.InnerSize ^= 1 << bit }},
		{"last node", 1, func(t *blake2btest.Tree, bit int) { t.LastNode = !t.LastNode }},
	} {
		for bit := range f.bits {
			t := blake2btest.Tree{Fanout: 1, MaxDepth: 1}
			f.flip(&t, bit)
			add(fmt.Sprintf("%s, bit %d", f.name, bit), blake2btest.Params{Tree: &t})
		}
	}
	r := rng("parameters")
	some := func(n int) []byte {
		b := make([]byte, r.IntN(n+1))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	for range 64 {
		p := blake2btest.Params{Size: 1 + r.IntN(64), Key: some(64), Salt: some(16), Person: some(16), Tree: &blake2btest.Tree{
			Fanout: uint8(r.Uint32()), MaxDepth: uint8(1 + r.IntN(255)), LeafSize: r.Uint32(), NodeOffset: r.Uint64(),
			NodeDepth: uint8(r.Uint32()), InnerSize: uint8(r.IntN(65)), LastNode: r.IntN(2) == 1,
		}}
		s.Vectors = append(s.Vectors, sum("all together", p, some(300)))
	}
	return set(s)
}

func tree() vectors.Set {
	s := vectors.Set{
		Name:   "tree",
		Title:  "Whole tree hashes of two levels, node by node: the message of the root is the digests of the leaves",
		Source: ours,
	}
	for _, v := range []struct {
		comment           string
		size, leaf, inner int
		fanout            uint8
		key               []byte
		message           []byte
	}{
		{"6,000 zeros in leaves of 4,096 bytes, as in CPython's documentation of hashlib", 32, 4096, 64, 2, nil, make([]byte, 6000)},
		{"1,000 bytes in leaves of 256, fanout unlimited", 64, 256, 64, 0, nil, vectors.Cycle(1000)},
		{"512 bytes in leaves of 128 with a key, inner digests of 32 bytes", 48, 128, 32, 4, vectors.Count(0x80, 32), vectors.Cycle(512)},
	} {
		leaves := slices.Collect(slices.Chunk(v.message, v.leaf))
		node := func(i, depth int, last bool) *blake2btest.Tree {
			return &blake2btest.Tree{
				Fanout: v.fanout, MaxDepth: 2, LeafSize: uint32(v.leaf), NodeOffset: uint64(i),
				NodeDepth: uint8(depth), InnerSize: uint8(v.inner), LastNode: last,
			}
		}
		var inner []byte
		for i, leaf := range leaves {
			a := sum(fmt.Sprintf("%s: leaf %d", v.comment, i),
				blake2btest.Params{Size: v.inner, Key: v.key, Tree: node(i, 0, i == len(leaves)-1)}, leaf)
			s.Vectors = append(s.Vectors, a)
			digest, err := hex.DecodeString(strings.TrimPrefix(a.Answer, "ok "))
			if err != nil {
				panic(err)
			}
			inner = append(inner, digest...)
		}
		s.Vectors = append(s.Vectors, sum(v.comment+": root", blake2btest.Params{Size: v.size, Key: v.key, Tree: node(0, 1, true)}, inner))
	}
	return set(s)
}

func counter() vectors.Set {
	s := vectors.Set{
		Name:   "counter",
		Title:  "The byte counter, started around 2^29, 2^31, 2^32, 2^53, 2^63, 2^64, 2^96 and 2^128, followed by 1 to 1,024 bytes",
		Source: ours,
	}
	for _, power := range []int{29, 31, 32, 53, 63, 64, 96, 128} {
		for _, below := range []uint64{1024, 512, 128, 0} {
			for _, n := range []int{1, 127, 128, 129, 256, 384, 513, 1024} {
				var t [2]uint64
				if power < 128 {
					t[power/64] = 1 << (power % 64)
				} else if uint64(n) >= below {
					continue // 2^128 bytes and more cannot be counted
				}
				if t[0] < below {
					t[1]--
				}
				t[0] -= below
				c := sumCase(blake2btest.Params{Size: 64}, vectors.Cycle(n))
				c.T = t
				s.Vectors = append(s.Vectors, answered(fmt.Sprintf("2^%d - %d, %d bytes", power, below, n), c.String()))
			}
		}
	}
	return set(s)
}

func refused() vectors.Set {
	s := vectors.Set{
		Name:   "refused",
		Title:  "What BLAKE2b does not have, and a port must refuse; digest length 0 may also give a digest of the port's default length",
		Source: "RFC 7693, section 2.1; BLAKE2 paper, section 2.5; BLAKE2X paper, section 2.1",
	}
	add := func(comment, line string) {
		s.Vectors = append(s.Vectors, vectors.Vector{Comment: comment, Case: line, Answer: "error"})
	}
	for _, size := range []int{0, 65, 66, 96, 127, 128, 129, 192, 255, 256, 257, 288, 320, 512, 65536, 65600} {
		add("digest length", fmt.Sprintf("sum size=%d : 616263", size))
	}
	for _, n := range []int{65, 66, 127, 128, 129, 192, 255, 256, 257, 288, 320} {
		add("key length", fmt.Sprintf("sum key=%x : 616263", vectors.Count(0, n)))
	}
	for _, n := range []int{17, 24, 32, 255, 256, 257, 272} {
		add("salt length", fmt.Sprintf("sum salt=%x : 616263", vectors.Count(0, n)))
		add("personalization length", fmt.Sprintf("sum person=%x : 616263", vectors.Count(0, n)))
	}
	add("digest and key length", fmt.Sprintf("sum size=65 key=%x : 616263", vectors.Count(0, 65)))
	for _, tree := range []string{"256,2,0,0,0,64,0", "2,256,0,0,0,64,0", "2,2,4294967296,0,0,64,0", "2,2,0,18446744073709551616,0,64,0", "2,2,0,0,256,64,0", "2,2,0,0,0,256,0"} {
		add("tree field that its place in the parameter block cannot hold", "sum tree="+tree+" : 616263")
	}
	for _, n := range []string{"0", "4294967295", "4294967296"} {
		add("output length", "xof size="+n+" : 616263")
	}
	add("xof key length", fmt.Sprintf("xof size=64 key=%x : 616263", vectors.Count(0, 65)))
	return set(s)
}

func random(long bool) vectors.Set {
	draw := []string{
		"x = 2463534242; pool = 4096 times draw(256)",
		"draw(n):  # uint32 arithmetic, Marsaglia's xorshift",
		"  x ^= x << 13; x ^= x >> 17; x ^= x << 5; give x mod n",
		"slice(n): from = draw(4096 - n); give pool[from:from+n]",
		"often(max): n = draw(2) * draw(max + 1); give none if n = 0, else slice(n)",
		"message(): n = draw(1025); if draw(2) = 1: n = n - n mod 128; give slice(n)",
		"cut(message): n = draw(length of message + 1); give message[:n], message[n:]",
	}
	checkpoints := powers(1 << 20)
	checkpoints = append(checkpoints[:len(checkpoints)-1], 10_000, 1_000_000)
	slices.Sort(checkpoints)
	if !long {
		checkpoints = slices.DeleteFunc(checkpoints, func(n int) bool { return n > 10_000 })
	}
	return set(vectors.Set{
		Name:   "random",
		Title:  "Random parameters, lengths and splits: 10,000 and 1,000,000 cases in one digest, with checkpoints at the powers of two. Draws are made in the order written.",
		Source: ours,
		Accumulated: []vectors.Accumulated{
			accumulated("random", 64, append(slices.Clone(draw),
				"repeat:",
				"  size = 1 + draw(64); key = often(64)",
				"  absorb blake2b(size, key, two writes: cut(message()))",
			), checkpoints...),
			accumulated("random-parameters", 64, append(slices.Clone(draw),
				"repeat:",
				"  size = 1 + draw(64); key = often(64); salt = often(16); person = often(16)",
				"  if draw(2) = 1: fanout = draw(256); depth = 1 + draw(255); leaf = draw(2^30);",
				"    offset = draw(2^30) * 2^32 + draw(2^30); nodedepth = draw(256); inner = draw(65); last = draw(2)",
				"  absorb blake2b(all of these, two writes: cut(message()))",
			), checkpoints...),
		},
	})
}

// Big is the set of messages around 2^29, 2^31 and 2^32 bytes.
func Big() vectors.Set {
	s := vectors.Set{
		Name:   "big",
		Title:  "BLAKE2b-512 of messages around 2^29, 2^31 and 2^32 bytes: byte i is i mod 251",
		Source: ours,
	}
	for _, n := range []uint64{1<<29 - 1, 1 << 29, 1<<29 + 1, 1 << 31, 1<<32 - 128, 1<<32 - 1, 1 << 32, 1<<32 + 1, 1<<32 + 129} {
		period := vectors.Cycle(251)
		line := fmt.Sprintf("sum : %x*%d", period, n/251)
		if rest := n % 251; rest > 0 {
			line += fmt.Sprintf(" %x", period[:rest])
		}
		s.Vectors = append(s.Vectors, answered(fmt.Sprintf("%d bytes", n), line))
	}
	return set(s)
}

// provenance is PROVENANCE.md: a table of the sets.
func provenance(sets []vectors.Set) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `# Provenance

Written by %s from what each file says of itself. All are %s. The answers
are computed by the variant %s; the same command's tests confirm them by
internal/model and golang.org/x/crypto/blake2b, and confirm.py by CPython's
hashlib, or by the plain BLAKE2b in it where hashlib lacks a parameter.

| file | holds | vectors | sequences | source |
|---|---|--:|--:|---|
`, "`"+command+"`", "CC0-1.0", variants.All[0].Name)
	slices.SortFunc(sets, func(a, b vectors.Set) int { return strings.Compare(a.Name, b.Name) })
	for _, s := range sets {
		fmt.Fprintf(&b, "| %s.json | %s | %d | %d | %s |\n", s.Name, s.Title, len(s.Vectors), len(s.Accumulated), s.Source)
	}
	return b.Bytes()
}
