package blake2btest

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Verb says what kind of answer a [Case] asks for.
type Verb string

const (
	VerbSum      Verb = "sum"      // digests
	VerbCompress Verb = "compress" // one call of F, in EIP-152's form
	VerbXOF      Verb = "xof"      // output of BLAKE2Xb
	VerbAbout    Verb = "about"    // name and version of the port
)

// An Op is an operation on the state of a hash.
type Op string

const (
	OpWrite Op = "write" // append bytes to the message
	OpSum   Op = "sum"   // take a digest, leave the state as it was
	OpReset Op = "reset" // return to the initial state of the same parameters
	OpNew   Op = "new"   // put a fresh hash of the same parameters aside
	OpClone Op = "clone" // put a copy of the current state aside
	OpSwap  Op = "swap"  // exchange the current state and the one aside
	OpSave  Op = "save"  // export the state and go on from a fresh import of it
)

// A Step is one operation, and for OpWrite what to write.
type Step struct {
	Op   Op
	Data []byte // nil for a write of no bytes

	// Count is how many times over Data is written, as one write; 0 where the
	// text form has no count.
	Count uint64
}

// Len returns the number of bytes that the step writes. It saturates.
func (s Step) Len() uint64 {
	n := uint64(len(s.Data))
	if s.Count > 0 && n > math.MaxUint64/s.Count {
		return math.MaxUint64
	}
	return n * max(s.Count, 1)
}

// A Case says what to compute: a verb, parameters, and the steps to take. It
// has a text form of one line, that of a request in the line protocol:
//
//	request = verb *( " " key "=" value ) [ " :" *( " " step ) ]
//	verb    = "sum" | "compress" | "xof" | "about"
//	step    = write | "sum" | "reset" | "new" | "clone" | "swap" | "save"
//	write   = hex | "-" | hex "*" count
//
// The keys of sum are size, key, salt, person, tree and t; of compress, last;
// of xof, size or read, and key. Bytes are hex in lower case.
//
//	sum : 616263                           BLAKE2b-512 of "abc"
//	sum size=32 key=00ff : 61 reset 6162   a keyed digest, after a reset
//	sum t=80000000000000000000000000000000 : 61*129
//	xof size=100 : 616263
type Case struct {
	Verb Verb

	// Params are those of sum. Of xof, Size is the length of the output where
	// it is known in advance, up to 2^32-2; and there may be a key.
	Params

	// T is the byte counter that the hash of a sum starts from, low word
	// first: a multiple of 128, without a key.
	T [2]uint64

	// Read is how many bytes a xof of unknown length gives; 0 where Size says.
	Read uint64

	// Last is whether compress sets f[1], too, which EIP-152 has no room for.
	Last bool

	// Steps of sum are any, with one more OpSum implied at the end; of xof,
	// writes; of compress, one write: rounds (4 bytes, big-endian), h (64), m
	// (128), t (16), all little-endian words, and the final flag (1).
	Steps []Step
}

// MaxLine is the length in bytes of the longest request line.
const MaxLine = 1 << 20

// keys holds, for each verb, the keys that it takes, in canonical order.
var keys = map[Verb][]string{
	VerbSum:      {"size", "key", "salt", "person", "tree", "t"},
	VerbCompress: {"last"},
	VerbXOF:      {"size", "read", "key"},
	VerbAbout:    nil,
}

// ParseCase parses the text form. What it does not know, an error wrapping
// [errors.ErrUnsupported] names: the form may grow. Any other error is a fault
// of the line. Values that a Case can hold and BLAKE2b excludes, such as
// size=65, are not errors here: they are what a port has to refuse.
func ParseCase(line string) (Case, error) {
	c, err := parseCase(line)
	if err != nil {
		return Case{}, err
	}
	return c, c.Validate()
}

func parseCase(line string) (Case, error) {
	var c Case
	if len(line) > MaxLine {
		return c, fmt.Errorf("line of %d bytes is above %d", len(line), MaxLine)
	}
	words := strings.Split(line, " ")
	c.Verb = Verb(words[0])
	known, ok := keys[c.Verb]
	if !ok {
		return c, unknown("verb", words[0])
	}
	if c.Verb == VerbSum {
		c.Size = MaxSize
	}
	words = words[1:]
	seen := make(map[string]bool)
	for ; len(words) > 0 && words[0] != ":"; words = words[1:] {
		key, value, ok := strings.Cut(words[0], "=")
		switch {
		case !ok:
			return c, fmt.Errorf("word %q is not key=value", clip(words[0]))
		case seen[key]:
			return c, fmt.Errorf("key %q given twice", clip(key))
		}
		seen[key] = true
		if !slices.Contains(known, key) {
			return c, unknown("key", key)
		}
		if err := c.set(key, value); err != nil {
			return c, fmt.Errorf("%s: %w", key, err)
		}
	}
	if len(words) == 0 {
		return c, nil
	}
	for _, w := range words[1:] {
		s, err := parseStep(w)
		if err != nil {
			return c, err
		}
		c.Steps = append(c.Steps, s)
	}
	return c, nil
}

// set sets the field of a known key.
func (c *Case) set(key, value string) (err error) {
	switch key {
	case "size":
		var n uint64
		n, err = decimal(value, math.MaxUint32)
		if c.Verb == VerbXOF && (n < 1 || n > math.MaxUint32-1) && err == nil {
			err = fmt.Errorf("%d is not from 1 to %d", n, uint32(math.MaxUint32-1))
		}
		if n > math.MaxInt && err == nil {
			err = fmt.Errorf("%d is above %d: %w", n, math.MaxInt, errors.ErrUnsupported)
		}
		c.Size = int(n)
	case "read":
		c.Read, err = decimal(value, math.MaxUint64)
		if c.Read == 0 && err == nil {
			err = errors.New("0 is below 1")
		}
	case "key":
		c.Key, err = unhex(value)
	case "salt":
		c.Salt, err = unhex(value)
	case "person":
		c.Person, err = unhex(value)
	case "tree":
		c.Tree, err = parseTree(value)
	case "t":
		var b []byte
		b, err = unhex(value)
		if len(b) != 16 && err == nil {
			err = fmt.Errorf("%d bytes are not 16", len(b))
		}
		if err == nil {
			c.T = [2]uint64{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])}
		}
	case "last":
		c.Last, err = parseFlag(value)
	}
	return err
}

func parseTree(s string) (*Tree, error) {
	f := strings.Split(s, ",")
	if len(f) != 7 {
		return nil, fmt.Errorf("%d fields are not 7", len(f))
	}
	var v [6]uint64
	for i, field := range []struct {
		name string
		max  uint64
	}{
		{"fanout", math.MaxUint8},
		{"depth", math.MaxUint8},
		{"leaf", math.MaxUint32},
		{"offset", math.MaxUint64},
		{"nodedepth", math.MaxUint8},
		{"inner", math.MaxUint8},
	} {
		var err error
		if v[i], err = decimal(f[i], field.max); err != nil {
			return nil, fmt.Errorf("%s: %w", field.name, err)
		}
	}
	last, err := parseFlag(f[6])
	if err != nil {
		return nil, fmt.Errorf("last: %w", err)
	}
	return &Tree{uint8(v[0]), uint8(v[1]), uint32(v[2]), v[3], uint8(v[4]), uint8(v[5]), last}, nil
}

func parseFlag(s string) (bool, error) {
	n, err := decimal(s, 1)
	return n == 1, err
}

// decimal parses a number without sign and leading zeros, at most max.
func decimal(s string, max uint64) (uint64, error) {
	n, err := strconv.ParseUint(s, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange) || err == nil && n > max:
		return 0, fmt.Errorf("%s is above %d", clip(s), max)
	case err != nil || s != strconv.FormatUint(n, 10):
		return 0, fmt.Errorf("%q is not a decimal number", clip(s))
	}
	return n, nil
}

// unhex parses bytes; of no bytes it makes an empty slice that is not nil.
func unhex(s string) ([]byte, error) {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return nil, fmt.Errorf("%q is not hex in lower case", clip(s))
		}
	}
	if len(s)%2 != 0 {
		return nil, fmt.Errorf("%q has an odd number of digits", clip(s))
	}
	return hex.DecodeString(s)
}

func parseStep(w string) (Step, error) {
	switch op := Op(w); op {
	case OpSum, OpReset, OpNew, OpClone, OpSwap, OpSave:
		return Step{Op: op}, nil
	case "-":
		return Step{Op: OpWrite}, nil
	case "":
		return Step{}, errors.New("an empty word: words are parted by one space")
	}
	digits, count, repeated := strings.Cut(w, "*")
	data, err := unhex(digits)
	if err != nil {
		// A word of a later protocol has a letter beyond f, so that none is hex.
		if strings.ContainsFunc(digits, func(r rune) bool { return 'g' <= r && r <= 'z' }) {
			return Step{}, unknown("step", w)
		}
		return Step{}, fmt.Errorf("write: %w", err)
	}
	s := Step{Op: OpWrite, Data: data}
	if repeated {
		s.Count, err = decimal(count, math.MaxUint64)
		switch {
		case err != nil:
			return s, fmt.Errorf("write count: %w", err)
		case s.Count == 0:
			return s, errors.New("write count 0 is below 1")
		case len(data) == 0:
			return s, errors.New("write of no bytes has a count")
		}
	}
	return s, nil
}

func unknown(what, word string) error {
	return fmt.Errorf("%s %q: %w", what, clip(word), errors.ErrUnsupported)
}

// clip shortens a word from outside for a message.
func clip(s string) string {
	if len(s) <= 40 {
		return s
	}
	return s[:40] + "…"
}

// Validate says whether c is a request that can be asked at all, as ParseCase
// makes them. What is asked may still be something to refuse.
func (c Case) Validate() error {
	if _, ok := keys[c.Verb]; !ok {
		return unknown("verb", string(c.Verb))
	}
	p := c.Params
	switch c.Verb {
	case VerbSum:
		if c.T[0]%BlockSize != 0 {
			return fmt.Errorf("t: low word %d is not a multiple of %d", c.T[0], BlockSize)
		}
		if c.T != [2]uint64{} && len(c.Key) > 0 {
			return errors.New("t: a counter to start from takes no key")
		}
	case VerbXOF:
		p.Size, p.Key = 0, nil
		if (c.Size == 0) == (c.Read == 0) {
			return errors.New("xof takes one of size and read")
		}
		if c.Size < 0 || uint64(c.Size) >= math.MaxUint32 {
			return fmt.Errorf("size: %d is not from 1 to %d", c.Size, uint32(math.MaxUint32-1))
		}
	case VerbCompress:
		if len(c.Steps) != 1 || c.Steps[0].Op != OpWrite {
			return errors.New("compress takes one write")
		}
	case VerbAbout:
		if len(c.Steps) > 0 {
			return errors.New("about takes no steps")
		}
	}
	if c.Verb != VerbSum && (p.Size != 0 || p.Key != nil || p.Salt != nil || p.Person != nil || p.Tree != nil || c.T != [2]uint64{}) ||
		c.Verb != VerbXOF && c.Read != 0 || c.Verb != VerbCompress && c.Last {
		return fmt.Errorf("%s takes no key but %q", c.Verb, keys[c.Verb])
	}
	aside := false
	for _, s := range c.Steps {
		switch {
		case c.Verb == VerbXOF && s.Op != OpWrite:
			return fmt.Errorf("xof with step %q: %w", s.Op, errors.ErrUnsupported)
		case s.Op != OpWrite && (s.Data != nil || s.Count != 0):
			return fmt.Errorf("step %q has data", s.Op)
		case s.Op == OpSwap && !aside:
			return errors.New("swap with no state aside")
		}
		switch s.Op {
		case OpWrite:
			if len(s.Data) == 0 && s.Count != 0 {
				return errors.New("write of no bytes has a count")
			}
		case OpNew, OpClone:
			aside = true
		case OpSum, OpReset, OpSwap, OpSave:
		default:
			return unknown("step", string(s.Op))
		}
	}
	return nil
}

// String returns the canonical text form: keys in order, nothing that is the
// default. It is the inverse of ParseCase.
func (c Case) String() string {
	b := []byte(c.Verb)
	if c.Verb == VerbSum && c.Size != MaxSize || c.Verb == VerbXOF && c.Read == 0 {
		b = fmt.Appendf(b, " size=%d", c.Size)
	}
	if c.Read != 0 {
		b = fmt.Appendf(b, " read=%d", c.Read)
	}
	for _, f := range []struct {
		key   string
		value []byte
	}{{"key", c.Key}, {"salt", c.Salt}, {"person", c.Person}} {
		if f.value != nil {
			b = fmt.Appendf(b, " %s=%x", f.key, f.value)
		}
	}
	if t := c.Tree; t != nil {
		last := 0
		if t.LastNode {
			last = 1
		}
		b = fmt.Appendf(b, " tree=%d,%d,%d,%d,%d,%d,%d", t.Fanout, t.MaxDepth, t.LeafSize, t.NodeOffset, t.NodeDepth, t.InnerSize, last)
	}
	if c.T != [2]uint64{} {
		var t [16]byte
		binary.LittleEndian.PutUint64(t[:], c.T[0])
		binary.LittleEndian.PutUint64(t[8:], c.T[1])
		b = fmt.Appendf(b, " t=%x", t)
	}
	if c.Last {
		b = append(b, " last=1"...)
	}
	if len(c.Steps) > 0 {
		b = append(b, " :"...)
	}
	for _, s := range c.Steps {
		b = append(b, ' ')
		switch {
		case s.Op != OpWrite:
			b = append(b, s.Op...)
		case len(s.Data) == 0:
			b = append(b, '-')
		default:
			b = hex.AppendEncode(b, s.Data)
			if s.Count != 0 {
				b = append(b, '*')
				b = strconv.AppendUint(b, s.Count, 10)
			}
		}
	}
	return string(b)
}

// repeat returns the step's data so many times over: a copy, since a port may
// change what it is given.
func (s Step) repeat(times uint64) []byte {
	return bytes.Repeat(s.Data, int(times))
}
