package fuzzing

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash"
	"hash/fnv"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"blake2btest"
)

// A Maker is a Port whose hashes can be had.
type Maker interface {
	blake2btest.Port
	New(p blake2btest.Params) (hash.Hash, error)
}

// A Batch is a fuzz target that shares the engine's work on one input, and that
// of making hashes, among many Cases: those of [Hash], and of the simplest form.
type Batch struct {
	Makers []Maker // have to agree; the first is taken to be right
	Seldom []Maker // have to agree with them on a row in sixteen, being slow
	Dir    string  // has the seeds of the target of Hash
}

// What is derived from an input: rows, each of one hash a Maker, of messages.
const (
	rows     = 16
	messages = 16
)

// BatchCases is how many Cases a Batch asks for one input: its own, and those
// derived from it.
const BatchCases = 1 + rows*messages

// Fuzz is the body of the target.
func (b Batch) Fuzz(f *testing.F) {
	for _, s := range b.Seeds() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		if err := b.Try(input); err != nil {
			t.Error(err)
		}
	})
}

// Seeds are one in 32 of those of Hash: each stands for many Cases.
func (Batch) Seeds() (few [][]byte) {
	for s := range slices.Chunk(Seeds(Hash), 32) {
		few = append(few, s[0])
	}
	return few
}

// Try asks the Cases of one input. The error is about the first on which the
// Makers differ, as simple as Shrink makes it. It is written to Dir as a seed.
func (b Batch) Try(input []byte) error {
	all := append(b.Makers[:len(b.Makers):len(b.Makers)], b.Seldom...)
	c := Decode(input, Hash)
	if err := b.reduce(c, all); err != nil {
		return err
	}
	d := newDeriver(input, c)
	for i := range rows {
		makers := b.Makers
		if i == 0 {
			makers = all
		}
		p, wrong := d.row(makers)
		if wrong < 0 {
			continue
		}
		c := blake2btest.Case{Verb: blake2btest.VerbSum, Params: p, Steps: d.messages[wrong].steps()}
		if err := b.reduce(c, all); err != nil {
			return err
		}
		// A hash that answers one message alone rightly may not after others.
		var before []blake2btest.Step
		for _, m := range d.messages[:wrong] {
			before = append(before, m.steps()...)
			before = append(before, blake2btest.Step{Op: blake2btest.OpSum}, blake2btest.Step{Op: blake2btest.OpReset})
		}
		c.Steps = append(before, c.Steps...)
		if err := b.reduce(c, all); err != nil {
			return err
		}
		return fmt.Errorf("ports differed, and do not if they are asked again\n\tcase %s", c)
	}
	return nil
}

// reduce returns nil if makers agree on a Case. If not, it writes the seed.
func (b Batch) reduce(c blake2btest.Case, makers []Maker) error {
	ports := make([]blake2btest.Port, len(makers))
	for i, m := range makers {
		ports[i] = m
	}
	c, why := Reduce(c, ports...)
	if why == nil {
		return nil
	}
	input, err := Encode(c)
	if err != nil {
		return fmt.Errorf("%w\n\tnot written as a seed: %w", why, err)
	}
	name, text := SeedFile(input)
	if _, err := SaveFile(b.Dir, name, text); err != nil {
		return fmt.Errorf("%w\n\tnot written as a seed: %w", why, err)
	}
	return fmt.Errorf("%w\n\tseed %s", why, filepath.Join(b.Dir, name))
}

// A deriver makes messages like those of a Case, but nearer to where lengths and
// parameters have their edges, and has them hashed.
type deriver struct {
	*rand.Rand
	like     blake2btest.Case
	text     []byte // of which messages and keys are parts
	messages [messages]message
	hashes   []hash.Hash
	digests  [][]byte
}

func newDeriver(input []byte, c blake2btest.Case) *deriver {
	seed := fnv.New64a()
	seed.Write(input)
	d := &deriver{Rand: rand.New(rand.NewPCG(seed.Sum64(), 0)), like: c}
	// What the Case writes, over and over; bits that are all set; and random ones.
	const part = 4 * blake2btest.BlockSize
	for _, s := range c.Steps {
		d.text = append(d.text, s.Data[:min(len(s.Data), part)]...)
	}
	d.text = append(d.text, 0)
	d.text = bytes.Repeat(d.text, part/len(d.text)+1)[:part:part]
	d.text = append(d.text, bytes.Repeat([]byte{0xff}, part)...)
	for range part / 8 {
		d.text = binary.LittleEndian.AppendUint64(d.text, d.Uint64())
	}
	return d
}

// near returns n, or as often a number next to it, from 0 to most.
func (d *deriver) near(n, most int) int {
	return min(max(n+[...]int{-1, 0, 0, 1}[d.IntN(4)], 0), most)
}

// length returns a number up to most, of which half are next to whole blocks.
func (d *deriver) length(most int) int {
	if d.IntN(2) == 0 {
		return d.IntN(most + 1)
	}
	return d.near(blake2btest.BlockSize*d.IntN(most/blake2btest.BlockSize+1), most)
}

// bytes returns n bytes.
func (d *deriver) bytes(n int) []byte {
	i := d.IntN(len(d.text) - n + 1)
	return d.text[i : i+n : i+n]
}

func (d *deriver) params() blake2btest.Params {
	p := blake2btest.Params{Size: blake2btest.MaxSize}
	switch d.IntN(4) {
	case 0:
	case 1:
		p.Size = [...]int{1, 20, 32, 48, 63, max(d.near(d.like.Size, blake2btest.MaxSize), 1)}[d.IntN(6)]
	default:
		p.Size = 1 + d.IntN(blake2btest.MaxSize)
	}
	switch d.IntN(4) {
	case 0:
	case 1:
		p.Key = d.bytes([...]int{1, 32, 63, 64, d.near(len(d.like.Key), blake2btest.MaxKeySize)}[d.IntN(5)])
	default:
		p.Key = d.bytes(d.IntN(blake2btest.MaxKeySize + 1))
	}
	return p
}

// row has each of makers hash messages with one hash, reset after each. It
// returns the number of the first message on which they differ, or -1.
func (d *deriver) row(makers []Maker) (p blake2btest.Params, wrong int) {
	p = d.params()
	for i := range d.messages {
		d.draw(&d.messages[i])
	}
	defer func() {
		recover() // from a panic: wrong is the message that it happened to
	}()
	d.hashes = d.hashes[:0]
	for i, m := range makers {
		h, err := m.New(p)
		if err != nil {
			return p, 0
		}
		d.hashes = append(d.hashes, h)
		if i == len(d.digests) {
			d.digests = append(d.digests, nil)
		}
	}
	for wrong = range d.messages {
		for i, h := range d.hashes {
			d.digests[i] = d.messages[wrong].hash(h, d.digests[i][:0])
			if !bytes.Equal(d.digests[i], d.digests[0]) {
				return p, wrong
			}
			h.Reset()
		}
	}
	return p, -1
}

// A message is in up to three writes.
type message struct {
	writes [3][]byte
	n      int  // of them
	sums   bool // a digest is taken after each
}

// draw makes m another message.
func (d *deriver) draw(m *message) {
	left := d.bytes(d.length(3 * blake2btest.BlockSize))
	m.n = 0
	for range d.IntN(len(m.writes)) {
		n := d.length(len(left))
		m.writes[m.n], left = left[:n:n], left[n:]
		m.n++
	}
	m.writes[m.n] = left
	m.n++
	m.sums = d.IntN(8) == 0
}

func (m *message) hash(h hash.Hash, digests []byte) []byte {
	for i, w := range m.writes[:m.n] {
		if i > 0 && m.sums {
			digests = h.Sum(digests)
		}
		h.Write(w)
	}
	return h.Sum(digests)
}

// steps are what hash does.
func (m *message) steps() (steps []blake2btest.Step) {
	for i, w := range m.writes[:m.n] {
		if i > 0 && m.sums {
			steps = append(steps, blake2btest.Step{Op: blake2btest.OpSum})
		}
		if len(w) == 0 {
			w = nil
		}
		steps = append(steps, blake2btest.Step{Op: blake2btest.OpWrite, Data: w})
	}
	return steps
}
