package blake2btest

import (
	"cmp"
	"encoding"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"
	"strings"
)

// A Port is an implementation of BLAKE2b: whatever answers a [Case].
//
// Answer returns the digests of a sum one after the other, the state h after
// compress, the output of a xof. An error says that the port refused or failed,
// one that wraps [errors.ErrUnsupported] that it has no way to be asked.
type Port interface {
	Answer(c Case) ([]byte, error)
}

// A Namer is a Port that knows its name and version; both are one word.
type Namer interface {
	About() (name, version string)
}

// A Pipeliner is a Port that is faster when it is asked ahead. Answers yields
// the answer to each case in order, and may take cases before it has answered
// those that went before; when it is left early, those are forgotten.
type Pipeliner interface {
	Port
	Answers(cases iter.Seq[Case]) iter.Seq2[[]byte, error]
}

// A LineAnswerer is a Port that speaks the line protocol itself, and so can be
// asked what no Case can hold. An error is a Port's.
type LineAnswerer interface {
	Port
	AnswerLine(line string) ([]byte, error)
}

// MakeHash returns a new hash with the given parameters. It returns an error
// for parameters that BLAKE2b does not have, and one that wraps
// [errors.ErrUnsupported] for those that the implementation does not offer.
//
// It is a Port for the verb sum. What a hash can do beyond Write, Sum and Reset
// is found by assertion: [hash.Cloner] for clone, [encoding.BinaryMarshaler]
// and [encoding.BinaryUnmarshaler] for save, [CounterSetter] for t.
type MakeHash func(p Params) (hash.Hash, error)

// A CounterSetter is a hash that can start as if t bytes had been hashed before.
// SetCounter is called on a new hash without a key; t, low word first, is a
// multiple of 128.
type CounterSetter interface {
	SetCounter(t [2]uint64) error
}

// Limits of the ports in this package: of the message bytes of a sum, the
// rounds of compress, the bytes of a xof; and of the bytes of one repeated
// write, above which it is fed in pieces.
const (
	maxMessage = 1 << 33
	maxRounds  = 1 << 24
	maxXOF     = 1 << 20
	maxWrite   = 1 << 27
)

// Answer runs the steps of a sum.
func (mh MakeHash) Answer(c Case) ([]byte, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if c.Verb != VerbSum {
		return nil, unsupported("verb %q", c.Verb)
	}
	if err := c.checkLength(); err != nil {
		return nil, err
	}
	h, err := mh(c.Params)
	if err != nil {
		return nil, err
	}
	if c.T != [2]uint64{} {
		s, ok := h.(CounterSetter)
		if !ok {
			return nil, unsupported("t")
		}
		if err := s.SetCounter(c.T); err != nil {
			return nil, err
		}
	}
	var digests []byte
	var aside hash.Hash
	for _, s := range c.Steps {
		switch s.Op {
		case OpWrite:
			err = s.feed(h)
		case OpSum:
			digests = h.Sum(digests)
		case OpReset:
			h.Reset()
		case OpNew:
			aside, err = mh(c.Params)
		case OpClone:
			aside, err = clone(h)
		case OpSwap:
			h, aside = aside, h
		case OpSave:
			h, err = mh.save(c.Params, h)
		}
		if err != nil {
			return nil, err
		}
	}
	return h.Sum(digests), nil
}

func clone(h hash.Hash) (hash.Hash, error) {
	c, ok := h.(hash.Cloner)
	if !ok {
		return nil, unsupported("clone")
	}
	return c.Clone()
}

// save returns a fresh hash that has imported the exported state of h.
func (mh MakeHash) save(p Params, h hash.Hash) (hash.Hash, error) {
	m, ok := h.(encoding.BinaryMarshaler)
	if !ok {
		return nil, unsupported("save")
	}
	state, err := m.MarshalBinary()
	if err != nil {
		return nil, unsupported("save: %v", err)
	}
	fresh, err := mh(p)
	if err != nil {
		return nil, err
	}
	u, ok := fresh.(encoding.BinaryUnmarshaler)
	if !ok {
		return nil, unsupported("save: a state can be exported but not imported")
	}
	if err := u.UnmarshalBinary(state); err != nil {
		return nil, fmt.Errorf("import of the hash's own exported state: %w", err)
	}
	return fresh, nil
}

// feed writes the step's bytes, in one write where they are at most maxWrite.
func (s Step) feed(w io.Writer) error {
	unit := uint64(len(s.Data))
	left := max(s.Count, 1)
	times := min(left, max(1, maxWrite/max(unit, 1)))
	p := s.repeat(times)
	for ; left > 0; left -= times {
		times = min(times, left)
		p = p[:times*unit]
		if n, err := w.Write(p); err != nil {
			return err
		} else if n != len(p) {
			return fmt.Errorf("Write took %d of %d bytes without an error", n, len(p))
		}
	}
	return nil
}

// checkLength says whether the steps write more than maxMessage bytes.
func (c Case) checkLength() error {
	left := uint64(maxMessage)
	for _, s := range c.Steps {
		n := s.Len()
		if n > left {
			return unsupported("message above %d bytes", uint64(maxMessage))
		}
		left -= n
	}
	return nil
}

func unsupported(format string, args ...any) error {
	return fmt.Errorf(format+": %w", append(args, errors.ErrUnsupported)...)
}

// AnswerLine has p answer a request line and returns the answer line of the
// protocol: "ok" and a word in hex for each digest, or "unsupported" or "error"
// and why.
func AnswerLine(p Port, line string) string {
	c, err := ParseCase(line)
	if err != nil {
		return refusal(err)
	}
	if c.Verb == VerbAbout {
		return about(p)
	}
	out, err := p.Answer(c)
	if err != nil {
		return refusal(err)
	}
	return FormatAnswer(c, out)
}

// FormatAnswer returns the answer line with what a Port answered to c.
func FormatAnswer(c Case, out []byte) string {
	size := 0
	if c.Verb == VerbSum {
		size = c.Size
	}
	b := []byte("ok")
	for d := range digests(out, size) {
		b = hex.AppendEncode(append(b, ' '), d)
	}
	return string(b)
}

// notOffered returns in one line what an error says of what is unsupported.
func notOffered(err error) string {
	return cmp.Or(strings.TrimPrefix(strings.TrimPrefix(refusal(err), "unsupported"), " "), "not offered")
}

// refusal is the answer line for an error, in one line whatever err says.
func refusal(err error) string {
	line := "error " + err.Error()
	if errors.Is(err, errors.ErrUnsupported) {
		line = strings.TrimRight("unsupported "+strings.TrimSuffix(err.Error(), errors.ErrUnsupported.Error()), ": ")
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, line)
}

func about(p Port) string {
	name, version := "unknown", "unknown"
	if n, ok := p.(Namer); ok {
		name, version = n.About()
	}
	return fmt.Sprintf("ok name=%s version=%s protocol=1", name, version)
}
