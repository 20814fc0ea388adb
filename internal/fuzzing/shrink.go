package fuzzing

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
	"slices"
	"strconv"

	"blake2btest"
)

// maxCalls is how often Shrink asks whether a Case is wrong.
const maxCalls = 20_000

// maxWhole is the length in bytes up to which Shrink looks at a write with a
// count as the bytes that it stands for.
const maxWhole = 1 << 16

// Shrink returns a Case that is wrong as c is and easier to read: one with a
// shorter line, then with fewer bytes of message, with parameters at their
// defaults, with more zeros. It takes away and simplifies one thing after the
// other until nothing more can go.
//
// What it asks about is valid. It asks at most 20,000 times, never twice about
// one Case, and not about c: that c is wrong is known. The same answers lead to
// the same result.
func Shrink(c blake2btest.Case, wrong func(blake2btest.Case) bool) blake2btest.Case {
	s := &shrinker{Case: c, rank: rankOf(c), wrong: wrong, asked: make(map[[sha256.Size]byte]bool)}
	for line := ""; line != s.line; {
		for line != s.line {
			line = s.line
			s.descend()
		}
		s.ascend()
	}
	return s.Case
}

// descend simplifies one thing after the other.
func (s *shrinker) descend() {
	if s.Verb == blake2btest.VerbCompress {
		s.compress()
		return
	}
	s.drop()
	s.steps()
	s.merge()
	for i := range len(s.Steps) {
		s.contents(i)
		s.length(i)
	}
	s.split()
	s.params()
}

// A shrinker is the best Case so far.
type shrinker struct {
	blake2btest.Case
	rank

	wrong func(blake2btest.Case) bool
	asked map[[sha256.Size]byte]bool // by the hash of the line
}

// try changes a copy of the best Case. If that is better, and wrong, it is the
// best from there on. Change must not write to the bytes of a slice.
func (s *shrinker) try(change func(c *blake2btest.Case)) bool {
	c := s.Case
	c.Steps = slices.Clone(c.Steps)
	if c.Tree != nil {
		t := *c.Tree
		c.Tree = &t
	}
	change(&c)
	if len(c.Steps) == 0 {
		c.Steps = nil // as ParseCase has it
	}
	r := rankOf(c)
	if r.compare(s.rank) >= 0 || len(s.asked) == maxCalls || c.Validate() != nil {
		return false
	}
	key := sha256.Sum256([]byte(r.line))
	if s.asked[key] {
		return false
	}
	s.asked[key] = true
	if !s.wrong(c) {
		return false
	}
	s.Case, s.rank = c, r
	return true
}

// A rank says how easy a Case is to read: less is easier.
type rank struct {
	line    string
	message uint64 // bytes of it
	fields  int    // of the tree, not at their defaults
	digits  int    // of bytes in hex, that are not 0
	t       [2]uint64
}

func rankOf(c blake2btest.Case) rank {
	r := rank{line: c.String(), t: c.T}
	for _, f := range byteFields {
		r.digits += nonzero(*f(&c))
	}
	for _, s := range c.Steps {
		r.message += s.Len()
		r.digits += nonzero(s.Data)
	}
	r.digits += nonzero(counterBytes(c))
	if c.Tree != nil {
		for _, f := range treeFields(c.Tree) {
			if f.value != f.normal {
				r.fields++
			}
		}
	}
	return r
}

// nonzero counts the hex digits of b that are not 0.
func nonzero(b []byte) (n int) {
	for _, v := range b {
		if v>>4 != 0 {
			n++
		}
		if v&0xf != 0 {
			n++
		}
	}
	return n
}

// counterBytes returns the counter as the line has it.
func counterBytes(c blake2btest.Case) []byte {
	b := binary.LittleEndian.AppendUint64(make([]byte, 0, 16), c.T[0])
	return binary.LittleEndian.AppendUint64(b, c.T[1])
}

// compare orders by length first. The order is total, and has no endless way
// down, so that shrinking ends.
func (r rank) compare(o rank) int {
	return cmp.Or(
		cmp.Compare(len(r.line), len(o.line)),
		cmp.Compare(r.message, o.message),
		cmp.Compare(r.fields, o.fields),
		cmp.Compare(r.digits, o.digits),
		cmp.Compare(r.t[1], o.t[1]),
		cmp.Compare(r.t[0], o.t[0]),
		cmp.Compare(r.line, o.line),
	)
}

// lower takes a number down while the Case stays wrong: to 0, by halves of what
// it is, and so on, to one unit at a time. It returns what is left.
func (s *shrinker) lower(n, unit uint64, set func(c *blake2btest.Case, n uint64)) uint64 {
	for d := n / unit; d > 0; d /= 2 {
		for n >= d*unit && s.try(func(c *blake2btest.Case) { set(c, n-d*unit) }) {
			n -= d * unit
		}
	}
	return n
}

// simplify turns bytes into zeros, in windows of ever fewer bytes, and what
// cannot be zero into 1, one of its bits, or fewer bits.
func (s *shrinker) simplify(b []byte, set func(c *blake2btest.Case, b []byte)) {
	try := func(from, to int, v byte) bool {
		n := slices.Clone(b)
		for i := range n[from:to] {
			n[from+i] = v
		}
		if bytes.Equal(n, b) || !s.try(func(c *blake2btest.Case) { set(c, n) }) {
			return false
		}
		b = n
		return true
	}
	if len(b) == 0 {
		return
	}
	for w := 1 << bits.Len(uint(len(b)-1)); w > 0; w /= 2 {
		for i := 0; i < len(b); i += w {
			try(i, min(i+w, len(b)), 0)
		}
	}
	for i, v := range b {
		if v == 0 || try(i, i+1, 1) {
			continue
		}
		for bit := range 8 {
			if v>>bit&1 == 1 && try(i, i+1, 1<<bit) {
				break
			}
		}
		for bit := range 8 {
			try(i, i+1, b[i]&^(0x80>>bit))
		}
	}
}

// drop makes a sum of a xof, and leaves out parameters as a whole.
func (s *shrinker) drop() {
	if s.Verb == blake2btest.VerbXOF {
		s.try(func(c *blake2btest.Case) { c.Verb, c.Size, c.Read = blake2btest.VerbSum, blake2btest.MaxSize, 0 })
	}
	for _, f := range byteFields {
		s.try(func(c *blake2btest.Case) { *f(c) = nil })
	}
	s.try(func(c *blake2btest.Case) { c.Tree = nil })
	s.try(func(c *blake2btest.Case) { c.T = [2]uint64{} })
	if s.Verb == blake2btest.VerbSum {
		s.try(func(c *blake2btest.Case) { c.Size = blake2btest.MaxSize })
	}
}

// byteFields are the parameters that are bytes.
var byteFields = []func(c *blake2btest.Case) *[]byte{
	func(c *blake2btest.Case) *[]byte { return &c.Key },
	func(c *blake2btest.Case) *[]byte { return &c.Salt },
	func(c *blake2btest.Case) *[]byte { return &c.Person },
}

// A treeField is a field of a tree: its value, and that of sequential hashing.
type treeField struct {
	value, normal uint64
	set           func(v uint64)
}

func treeFields(t *blake2btest.Tree) []treeField {
	last := uint64(0)
	if t.LastNode {
		last = 1
	}
	return []treeField{
		{uint64(t.Fanout), 1, func(v uint64) { t.Fanout = uint8(v) }},
		{uint64(t.MaxDepth), 1, func(v uint64) { t.MaxDepth = uint8(v) }},
		{uint64(t.LeafSize), 0, func(v uint64) { t.LeafSize = uint32(v) }},
		{t.NodeOffset, 0, func(v uint64) { t.NodeOffset = v }},
		{uint64(t.NodeDepth), 0, func(v uint64) { t.NodeDepth = uint8(v) }},
		{uint64(t.InnerSize), 0, func(v uint64) { t.InnerSize = uint8(v) }},
		{last, 0, func(v uint64) { t.LastNode = v == 1 }},
	}
}

// params makes the parameters that are left shorter and simpler.
func (s *shrinker) params() {
	for _, f := range byteFields {
		s.lower(uint64(len(*f(&s.Case))), 1, func(c *blake2btest.Case, n uint64) { *f(c) = (*f(&s.Case))[:n:n] })
		s.simplify(*f(&s.Case), func(c *blake2btest.Case, b []byte) { *f(c) = b })
	}
	if s.Tree != nil {
		for i, f := range treeFields(s.Tree) {
			set := func(c *blake2btest.Case, v uint64) { treeFields(c.Tree)[i].set(v) }
			if !s.try(func(c *blake2btest.Case) { set(c, f.normal) }) {
				s.lower(f.value, 1, set)
			}
		}
	}
	s.counter()
	// A digest of no bytes, or an output, is another matter.
	if s.Size > 1 {
		s.lower(uint64(s.Size-1), 1, func(c *blake2btest.Case, n uint64) { c.Size = int(1 + n) })
	}
	if s.Read > 1 {
		s.lower(s.Read-1, 1, func(c *blake2btest.Case, n uint64) { c.Read = 1 + n })
	}
}

// counter takes the counter to a power of two, to one block before it, or at
// least to more zeros.
func (s *shrinker) counter() {
	if s.T == [2]uint64{} {
		return
	}
	const block = 7 // bits
	for _, less := range []uint64{0, blake2btest.BlockSize} {
		for bit := block; bit < 128; bit++ {
			var t [2]uint64
			t[bit/64] = 1 << (bit % 64)
			var borrow uint64
			t[0], borrow = bits.Sub64(t[0], less, 0)
			t[1] -= borrow
			if s.try(func(c *blake2btest.Case) { c.T = t }) {
				break
			}
		}
	}
	s.simplify(counterBytes(s.Case), func(c *blake2btest.Case, b []byte) {
		c.T = [2]uint64{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])}
	})
}

// maxAscent is how many numbers ascend tries for one.
const maxAscent = 512

// ascend tries what descend cannot reach, as where a key of 7 or of 50 bytes is
// wrong, or one as long as the digest, or two writes of 128 bytes together: each
// number from the least up, any two taken down together, of two writes, one given
// the other's bytes, and a block in the place of the key.
func (s *shrinker) ascend() {
	for i := range s.numbers() {
		n := s.numbers()[i]
		for v := n.least; v < min(n.value, n.least+maxAscent); v++ {
			if s.try(func(c *blake2btest.Case) { n.set(c, v) }) {
				break
			}
		}
	}
	for i := range s.numbers() {
		for j := range i {
			a, b := s.numbers()[j], s.numbers()[i]
			if !s.together(a, b) && a.grows && b.grows {
				s.give(a, b)
			}
		}
		if n := s.numbers()[i]; n.grows {
			s.try(func(c *blake2btest.Case) { c.Key = nil; n.set(c, n.value+blake2btest.BlockSize) })
		}
	}
}

func (s *shrinker) together(a, b number) bool {
	for d := min(a.value-a.least, b.value-b.least, maxAscent); d > 0; d-- {
		if s.try(func(c *blake2btest.Case) { a.set(c, a.value-d); b.set(c, b.value-d) }) {
			return true
		}
	}
	return false
}

func (s *shrinker) give(a, b number) {
	both := a.value + b.value
	for v := uint64(1); v < min(both, maxAscent); v++ {
		if s.try(func(c *blake2btest.Case) { a.set(c, v); b.set(c, both-v) }) ||
			s.try(func(c *blake2btest.Case) { a.set(c, both-v); b.set(c, v) }) {
			return
		}
	}
}

// A number is one of those that a Case of digests or output has.
type number struct {
	value, least uint64
	grows        bool // it is the length of a write that is not empty
	set          func(c *blake2btest.Case, v uint64)
}

// numbers are the lengths: of the digest or output, of what is bytes, of writes.
func (s *shrinker) numbers() (list []number) {
	// A digest of no bytes, or an output, is another matter.
	switch {
	case s.Verb == blake2btest.VerbCompress:
		return nil
	case s.Read > 0:
		list = append(list, number{s.Read, 1, false, func(c *blake2btest.Case, v uint64) { c.Read = v }})
	case s.Size > 0:
		list = append(list, number{uint64(s.Size), 1, false, func(c *blake2btest.Case, v uint64) { c.Size = int(v) }})
	}
	for _, f := range byteFields {
		b := *f(&s.Case)
		list = append(list, number{uint64(len(b)), 0, false, func(c *blake2btest.Case, v uint64) { *f(c) = b[:v:v] }})
	}
	for i, step := range s.Steps {
		if step.Op == blake2btest.OpWrite {
			list = append(list, number{step.Len(), 0, step.Len() > 0, func(c *blake2btest.Case, v uint64) { c.Steps[i] = first(step, v) }})
		}
	}
	return list
}

// steps leaves out steps: ranges of them, long ones first, then any two, since
// what is put aside and fetched again can only go together.
func (s *shrinker) steps() {
	for n := len(s.Steps); n > 0; n-- {
		for i := 0; i+n <= len(s.Steps); {
			if !s.try(func(c *blake2btest.Case) { c.Steps = slices.Delete(c.Steps, i, i+n) }) {
				i++
			}
		}
	}
	for i := 0; i < len(s.Steps); i++ {
		for j := i + 1; j < len(s.Steps); j++ {
			s.try(func(c *blake2btest.Case) { c.Steps = slices.Delete(slices.Delete(c.Steps, j, j+1), i, i+1) })
		}
	}
	for i := range s.Steps {
		if s.Steps[i].Op == blake2btest.OpClone {
			s.try(func(c *blake2btest.Case) { c.Steps[i].Op = blake2btest.OpNew })
		}
	}
}

// merge makes one write of two.
func (s *shrinker) merge() {
	for i := 0; i+1 < len(s.Steps); {
		a, b := s.Steps[i], s.Steps[i+1]
		if a.Op != blake2btest.OpWrite || b.Op != blake2btest.OpWrite || a.Len() > maxWhole || b.Len() > maxWhole ||
			!s.try(func(c *blake2btest.Case) {
				c.Steps = slices.Replace(c.Steps, i, i+2, write(slices.Concat(whole(a), whole(b)), 1))
			}) {
			i++
		}
	}
}

// contents makes the bytes of a write simpler: all zeros, all ones, all as the
// first, or more zeros.
func (s *shrinker) contents(i int) {
	step := s.Steps[i]
	if len(step.Data) == 0 {
		return
	}
	set := func(c *blake2btest.Case, unit []byte, times uint64) { c.Steps[i] = write(unit, times) }
	for _, v := range []byte{0, 1, step.Data[0]} {
		if s.try(func(c *blake2btest.Case) { set(c, []byte{v}, step.Len()) }) {
			return
		}
	}
	s.simplify(step.Data, func(c *blake2btest.Case, b []byte) { set(c, b, max(step.Count, 1)) })
}

// length makes a write shorter, at its end and at its start: by blocks, by
// units of what is repeated, by bytes.
func (s *shrinker) length(i int) {
	for range 2 {
		for _, unit := range []uint64{blake2btest.BlockSize, uint64(len(s.Steps[i].Data)), 1} {
			if step := s.Steps[i]; unit > 0 && len(step.Data) > 0 {
				s.lower(step.Len(), unit, func(c *blake2btest.Case, n uint64) { c.Steps[i] = first(step, n) })
			}
		}
		if step := s.Steps[i]; len(step.Data) > 1 && step.Len() <= maxWhole {
			b := whole(step)
			s.lower(step.Len(), 1, func(c *blake2btest.Case, n uint64) { c.Steps[i] = write(b[len(b)-int(n):], 1) })
		}
	}
}

// split makes three writes of one that has a long run of one byte in it: many
// writes with counts are a shorter line than one without.
func (s *shrinker) split() {
	for i := 0; i < len(s.Steps); i++ {
		b := s.Steps[i].Data
		if s.Steps[i].Count > 1 || len(b) == 0 {
			continue
		}
		from, to := longestRun(b)
		var parts []blake2btest.Step
		for _, p := range [][]byte{b[:from], b[from:to], b[to:]} {
			if len(p) > 0 {
				parts = append(parts, write(p, 1))
			}
		}
		if s.try(func(c *blake2btest.Case) { c.Steps = slices.Replace(c.Steps, i, i+1, parts...) }) {
			i-- // there may be more of them in the first part
		}
	}
}

func longestRun(b []byte) (from, to int) {
	for i := 0; i < len(b); {
		j := i + 1
		for j < len(b) && b[j] == b[i] {
			j++
		}
		if j-i > to-from {
			from, to = i, j
		}
		i = j
	}
	return from, to
}

// compress makes a call of F simpler: fewer rounds, no flags, and zeros for h,
// m and t.
func (s *shrinker) compress() {
	s.try(func(c *blake2btest.Case) { c.Last = false })
	if s.Steps[0].Len() != 213 {
		return
	}
	in := whole(s.Steps[0])
	part := func(from, to int) func(c *blake2btest.Case, b []byte) {
		return func(c *blake2btest.Case, b []byte) {
			c.Steps[0] = blake2btest.Step{Op: blake2btest.OpWrite, Data: slices.Replace(slices.Clone(whole(s.Steps[0])), from, to, b...)}
		}
	}
	for _, field := range [][2]int{{4, 68}, {68, 196}, {196, 212}, {212, 213}} {
		s.simplify(in[field[0]:field[1]], part(field[0], field[1]))
	}
	s.lower(uint64(binary.BigEndian.Uint32(in)), 1, func(c *blake2btest.Case, rounds uint64) {
		part(0, 4)(c, binary.BigEndian.AppendUint32(nil, uint32(rounds)))
	})
}

// write returns the write of a unit so many times over whose text is shortest.
func write(unit []byte, times uint64) blake2btest.Step {
	if n := period(unit); n < len(unit) {
		unit, times = unit[:n], times*uint64(len(unit)/n)
	}
	s := blake2btest.Step{Op: blake2btest.OpWrite}
	switch {
	case len(unit) == 0 || times == 0:
	case times > maxWhole || 2*len(unit)+len("*")+len(strconv.FormatUint(times, 10)) < 2*len(unit)*int(times):
		s.Data, s.Count = unit, times
	default:
		s.Data = bytes.Repeat(unit, int(times))
	}
	return s
}

// period returns the length of the shortest prefix that b repeats.
func period(b []byte) int {
	for n := 1; n < len(b); n++ {
		if len(b)%n == 0 && bytes.Equal(b[n:], b[:len(b)-n]) {
			return n
		}
	}
	return len(b)
}

// whole returns the bytes of a write.
func whole(s blake2btest.Step) []byte {
	return bytes.Repeat(s.Data, int(max(s.Count, 1)))
}

// first returns the write of the first n bytes of a write; or all of them,
// where these are too many to look at one by one.
func first(s blake2btest.Step, n uint64) blake2btest.Step {
	unit := uint64(len(s.Data))
	switch {
	case n%unit == 0:
		return write(s.Data, n/unit)
	case n > maxWhole:
		return s
	}
	return write(bytes.Repeat(s.Data, int(n/unit+1))[:n], 1)
}
