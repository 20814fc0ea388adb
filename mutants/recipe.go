package mutants

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"math"
	"slices"

	"blake2btest"
	"blake2btest/internal/model"
	"blake2btest/variants"
)

// params is short for what nearly every fault of the mode is about.
type params = blake2btest.Params

// recipe is BLAKE2b in parts that can be exchanged. right returns the one with
// nothing exchanged; a fault changes a part, often to a function that calls the
// right one. A recipe is a Port for every verb, and its New is a MakeHash.
type recipe struct {
	f      function
	rounds uint32 // of F in a hash
	slow   bool   // f is a core

	// Parameters: what is accepted, and maybe changed; their block; h before the
	// first block; what is hashed before the message.
	accept  func(p params) (params, error)
	layout  func(p params) [64]byte
	initial func(param *[64]byte) [8]uint64
	prefix  func(key []byte) []byte

	// Message: the initial state; the buffering; a block that is not the last;
	// the last; the counter after n more bytes, in blocks before the last and in
	// the last; what goes behind the message; the flags of the last block; the
	// bytes of a digest.
	start     func(s *state)
	write     func(s *state, p []byte)
	block     func(s *state, b *[128]byte)
	finish    func(s *state)
	count     func(t [2]uint64, n uint64) [2]uint64
	countLast func(t [2]uint64, n uint64) [2]uint64
	pad       func(s *state)
	flags     func(lastNode bool) [2]uint64
	output    func(h *[8]uint64, size int) []byte

	// Operations: a digest; a return to the start; a copy; what is exported; what
	// is refused of an import.
	digest func(s *state) []byte
	reset  func(s *state)
	clone  func(s *state) *state
	save   func(m *memory)
	load   func(b []byte) (memory, error)

	// The methods of hash.Hash, where they are more than the operation.
	methodWrite func(s *state, p []byte) (int, error)
	methodSum   func(s *state, b []byte) []byte
	size        func(s *state) int
	blockSize   int

	// BLAKE2Xb: parameters of the root; parameter block of an output node; how
	// the nodes make the output.
	root   func(x xof) params
	node   func(x xof, i, size int) [64]byte
	expand func(x xof, h0 []byte) ([]byte, error)

	// The verb compress.
	eip152 func(r *recipe, in []byte, last bool) ([]byte, error)
}

// function is F with a number of rounds, on one block.
type function = func(rounds uint32, h *[8]uint64, block *[128]byte, t, f [2]uint64)

func oneBlock(rounds uint32, h *[8]uint64, block *[128]byte, t, f [2]uint64) {
	variants.All[0].Rounds(rounds, h, block[:], t, f)
}

func right() *recipe {
	return &recipe{
		f:      oneBlock,
		rounds: 12,

		accept:  accept,
		layout:  layout,
		initial: initial,
		prefix:  prefix,

		start:     start,
		write:     write,
		block:     block,
		finish:    finish,
		count:     plus,
		countLast: plus,
		pad:       pad,
		flags:     flags,
		output:    output,

		digest: digest,
		reset:  reset,
		clone:  clone,
		save:   func(*memory) {},
		load:   load,

		methodWrite: methodWrite,
		methodSum:   methodSum,
		size:        size,
		blockSize:   128,

		root:   root,
		node:   node,
		expand: expand,

		eip152: eip152,
	}
}

// state is a hash by a recipe.
type state struct {
	r *recipe
	memory
	borrowed
}

// memory is all that the right recipe remembers, and the exported form of it.
type memory struct {
	Param     [64]byte // the parameter block
	Length    uint32   // of the digest
	LastNode  bool
	Prefix    [128]byte // the key block:
	PrefixLen uint8     // 128 or 0 of these

	H   [8]uint64
	T   [2]uint64 // bytes compressed, low word first
	F   [2]uint64 // finalization flags
	N   uint8     // bytes in Buf
	Buf [128]byte
}

// borrowed is memory that a hash has no right to hold on to: only wrong recipes
// look at it.
type borrowed struct {
	params params // with the caller's slices
	input  []byte
	out    []byte
	twin   *state // one is the copy of the other
}

func (r *recipe) New(p params) (hash.Hash, error) {
	s, err := r.newState(p)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (r *recipe) newState(p params) (*state, error) {
	p, err := r.accept(p)
	if err != nil {
		return nil, err
	}
	s := &state{r: r}
	s.params = p
	s.Param = r.layout(p)
	s.Length = uint32(p.Size)
	s.LastNode = p.Tree != nil && p.Tree.LastNode
	s.PrefixLen = uint8(copy(s.Prefix[:], r.prefix(p.Key)))
	r.start(s)
	return s, nil
}

func (s *state) Write(p []byte) (int, error) { return s.r.methodWrite(s, p) }
func (s *state) Sum(b []byte) []byte         { return s.r.methodSum(s, b) }
func (s *state) Reset()                      { s.r.reset(s) }
func (s *state) Size() int                   { return s.r.size(s) }
func (s *state) BlockSize() int              { return s.r.blockSize }

func (s *state) Clone() (hash.Cloner, error) { return s.r.clone(s), nil }

func (s *state) SetCounter(t [2]uint64) error {
	if s.PrefixLen > 0 || s.N > 0 {
		return errors.New("a counter to start from was set on a hash with a key, or after a write")
	}
	s.T = t
	return nil
}

func (s *state) MarshalBinary() ([]byte, error) {
	m := s.memory
	s.r.save(&m)
	return binary.Append(nil, binary.LittleEndian, m)
}

func (s *state) UnmarshalBinary(b []byte) error {
	m, err := s.r.load(b)
	if err != nil {
		return err
	}
	s.memory = m
	return nil
}

// The parts of the right recipe follow, in the order of its fields.

func accept(p params) (params, error) {
	_, err := p.Block()
	return p, err
}

// layout is the parameter block of the BLAKE2 paper, table 2.1. It holds what is
// out of range, too, as far as a byte can.
func layout(p params) (b [64]byte) {
	t := blake2btest.Tree{Fanout: 1, MaxDepth: 1}
	if p.Tree != nil {
		t = *p.Tree
	}
	b[0], b[1], b[2], b[3] = byte(p.Size), byte(len(p.Key)), t.Fanout, t.MaxDepth
	binary.LittleEndian.PutUint32(b[4:], t.LeafSize)
	binary.LittleEndian.PutUint64(b[8:], t.NodeOffset)
	b[16], b[17] = t.NodeDepth, t.InnerSize
	copy(b[32:48], p.Salt)
	copy(b[48:64], p.Person)
	return b
}

func initial(param *[64]byte) (h [8]uint64) {
	for i := range h {
		h[i] = model.IV[i] ^ binary.LittleEndian.Uint64(param[8*i:])
	}
	return h
}

func prefix(key []byte) []byte {
	if len(key) == 0 {
		return nil
	}
	return padded(key)
}

// padded returns the key with zeros up to a block, or what fits of it.
func padded(key []byte) []byte {
	b := make([]byte, 128)
	copy(b, key)
	return b
}

func start(s *state) {
	s.H = s.r.initial(&s.Param)
	s.T, s.F, s.N, s.Buf = [2]uint64{}, [2]uint64{}, 0, [128]byte{}
	s.r.write(s, s.Prefix[:s.PrefixLen])
}

// write holds a full block back until more bytes follow.
func write(s *state, p []byte) {
	p = topUp(s, p)
	if len(p) == 0 {
		return
	}
	if s.N > 0 {
		s.flush()
	}
	for len(p) > 128 {
		s.r.block(s, (*[128]byte)(p))
		p = p[128:]
	}
	s.keep(p)
}

// topUp moves bytes into a buffer that has some, and returns the rest.
func topUp(s *state, p []byte) []byte {
	if s.N == 0 {
		return p
	}
	k := copy(s.Buf[s.N:], p)
	s.N += uint8(k)
	return p[k:]
}

// flush compresses the buffer as a block that is not the last.
func (s *state) flush() {
	s.r.block(s, &s.Buf)
	s.N = 0
}

// keep puts bytes into the empty buffer.
func (s *state) keep(p []byte) { s.N = uint8(copy(s.Buf[:], p)) }

func block(s *state, b *[128]byte) {
	s.T = s.r.count(s.T, 128)
	s.compress(b)
}

func (s *state) compress(b *[128]byte) { s.r.f(s.r.rounds, &s.H, b, s.T, s.F) }

func finish(s *state) {
	s.r.pad(s)
	s.T = s.r.countLast(s.T, uint64(s.N))
	s.F = s.r.flags(s.LastNode)
	s.compress(&s.Buf)
}

func plus(t [2]uint64, n uint64) [2]uint64 {
	if t[0]+n < n {
		t[1]++
	}
	return [2]uint64{t[0] + n, t[1]}
}

func pad(s *state) { clear(s.Buf[s.N:]) }

func flags(lastNode bool) [2]uint64 {
	if lastNode {
		return [2]uint64{math.MaxUint64, math.MaxUint64}
	}
	return [2]uint64{math.MaxUint64, 0}
}

func output(h *[8]uint64, size int) []byte {
	var b []byte
	for _, w := range h {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return b[:size]
}

func digest(s *state) []byte {
	c := *s
	s.r.finish(&c)
	return s.r.output(&c.H, int(s.Length))
}

func reset(s *state) { s.r.start(s) }

func clone(s *state) *state {
	c := *s
	return &c
}

// load refuses what would make a hash panic.
func load(b []byte) (m memory, err error) {
	n, err := binary.Decode(b, binary.LittleEndian, &m)
	switch {
	case err != nil:
		return m, err
	case n != len(b):
		return m, fmt.Errorf("state of %d bytes is not %d", len(b), n)
	case m.Length < 1 || m.Length > 64 || m.PrefixLen%128 != 0 || m.N > 128:
		return m, errors.New("state is malformed")
	}
	return m, nil
}

func methodWrite(s *state, p []byte) (int, error) {
	s.r.write(s, p)
	return len(p), nil
}

func methodSum(s *state, b []byte) []byte { return append(b, s.r.digest(s)...) }

func size(s *state) int { return int(s.Length) }

// Limits of a recipe, in blocks of work: with a slow F; of what is answered
// from a whole message, with any F.
const (
	slowBlocks  = 10_000
	wholeBlocks = 1 << 17
)

// Answer answers every verb but about. Some recipes change the bytes that they
// are given to write, which are not those of the case.
func (r *recipe) Answer(c blake2btest.Case) ([]byte, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if n := work(c); r.slow && n > slowBlocks || c.Verb != blake2btest.VerbSum && n > wholeBlocks {
		return nil, fmt.Errorf("%d blocks of work: %w", n, errors.ErrUnsupported)
	}
	switch c.Verb {
	case blake2btest.VerbSum:
		return blake2btest.MakeHash(r.New).Answer(cloned(c))
	case blake2btest.VerbCompress:
		return r.eip152(r, written(c.Steps[0]), c.Last)
	case blake2btest.VerbXOF:
		return r.answerXOF(c)
	}
	return nil, fmt.Errorf("verb %q: %w", c.Verb, errors.ErrUnsupported)
}

// work is how many blocks have to be compressed for a case, twelve rounds being
// one. It saturates.
func work(c blake2btest.Case) uint64 {
	var bytes uint64
	for _, s := range c.Steps {
		bytes += min(s.Len(), math.MaxUint32)
	}
	switch c.Verb {
	case blake2btest.VerbXOF:
		bytes += 2 * max(uint64(c.Size), min(c.Read, math.MaxUint32))
	case blake2btest.VerbCompress:
		if bytes == eip152Size {
			return uint64(binary.BigEndian.Uint32(written(c.Steps[0]))) / 12
		}
	}
	return bytes/128 + uint64(len(c.Steps))
}

// cloned returns c with message bytes of its own.
func cloned(c blake2btest.Case) blake2btest.Case {
	c.Steps = slices.Clone(c.Steps)
	for i := range c.Steps {
		c.Steps[i].Data = bytes.Clone(c.Steps[i].Data)
	}
	return c
}

func written(s blake2btest.Step) []byte {
	return bytes.Repeat(s.Data, int(max(s.Count, 1)))
}

// xof is a request for BLAKE2Xb (BLAKE2X paper, section 2).
type xof struct {
	r      *recipe
	length uint32 // of the output, 2^32-1 if unknown
	n      int    // bytes of output to give
	key    []byte
}

func (r *recipe) answerXOF(c blake2btest.Case) ([]byte, error) {
	x := xof{r: r, length: uint32(c.Size), n: c.Size, key: c.Key}
	if c.Read > 0 {
		x.length, x.n = math.MaxUint32, int(c.Read)
	}
	root, err := r.newState(r.root(x))
	if err != nil {
		return nil, err
	}
	for _, s := range c.Steps {
		r.write(root, written(s))
	}
	return r.expand(x, r.digest(root))
}

func root(x xof) params {
	return params{Size: 64, Key: x.key, Tree: &blake2btest.Tree{Fanout: 1, MaxDepth: 1, NodeOffset: uint64(x.length) << 32}}
}

func node(x xof, i, size int) [64]byte {
	return x.r.layout(params{Size: size, Tree: &blake2btest.Tree{LeafSize: 64, NodeOffset: uint64(x.length)<<32 | uint64(i), InnerSize: 64}})
}

func expand(x xof, h0 []byte) ([]byte, error) {
	var out []byte
	for i := 0; len(out) < x.n; i++ {
		out = append(out, x.hash(i, min(64, x.n-len(out)), h0)...)
	}
	return out[:x.n], nil
}

// hash returns the digest of output node i. Of an unknown length every node is
// whole.
func (x xof) hash(i, size int, in []byte) []byte {
	if x.length == math.MaxUint32 {
		size = 64
	}
	s := &state{r: x.r}
	s.Param = x.r.node(x, i, size)
	s.Length = uint32(size)
	x.r.start(s)
	x.r.write(s, in)
	return x.r.digest(s)
}

// eip152Size is the length of F's input in EIP-152: rounds 4 bytes, h 64, m 128,
// t 16, flag 1. Above maxRounds, we give up.
const (
	eip152Size = 4 + 64 + 128 + 16 + 1
	maxRounds  = 1 << 20
)

func eip152(r *recipe, in []byte, last bool) ([]byte, error) {
	if len(in) != eip152Size {
		return nil, fmt.Errorf("input length %d is not %d", len(in), eip152Size)
	}
	if in[212] > 1 {
		return nil, fmt.Errorf("final flag %d is above 1", in[212])
	}
	rounds := binary.BigEndian.Uint32(in)
	if rounds > maxRounds {
		return nil, fmt.Errorf("%d rounds: %w", rounds, errors.ErrUnsupported)
	}
	var h [8]uint64
	for i := range h {
		h[i] = binary.LittleEndian.Uint64(in[4+8*i:])
	}
	t := [2]uint64{binary.LittleEndian.Uint64(in[196:]), binary.LittleEndian.Uint64(in[204:])}
	var f [2]uint64
	if in[212] == 1 {
		f = r.flags(last)
	} else if last {
		f[1] = math.MaxUint64
	}
	r.f(rounds, &h, (*[128]byte)(in[68:]), t, f)
	return output(&h, 64), nil
}
