// Package xcrypto is golang.org/x/crypto/blake2b as a Port, and the list of its
// known faults.
package xcrypto

import (
	"encoding"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"runtime/debug"

	"blake2btest"

	"golang.org/x/crypto/blake2b"
	"golang.org/x/sys/cpu"
)

// Port is golang.org/x/crypto/blake2b. It answers compress of twelve rounds,
// and t, through the exported state, whose form is the package's own.
type Port struct{}

// About returns the version of golang.org/x/crypto in this program.
func (Port) About() (name, version string) {
	version = "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == "golang.org/x/crypto" {
				version = m.Version
			}
		}
	}
	return "xcrypto", version
}

// Answer answers every verb but about.
func (p Port) Answer(c blake2btest.Case) ([]byte, error) {
	if c.Verb == blake2btest.VerbSum {
		return blake2btest.MakeHash(p.New).Answer(c)
	}
	if err := c.Validate(); err != nil {
		return nil, err
	}
	switch c.Verb {
	case blake2btest.VerbCompress:
		return compress(c)
	case blake2btest.VerbXOF:
		return xof(c)
	}
	return nil, unsupported("verb %q", c.Verb)
}

func unsupported(format string, args ...any) error {
	return fmt.Errorf(format+": %w", append(args, errors.ErrUnsupported)...)
}

// New is a MakeHash.
func (Port) New(p blake2btest.Params) (hash.Hash, error) {
	switch {
	case p.Salt != nil:
		return nil, unsupported("salt")
	case p.Person != nil:
		return nil, unsupported("person")
	case p.Tree != nil:
		return nil, unsupported("tree")
	}
	h, err := blake2b.New(p.Size, p.Key)
	if err != nil {
		return nil, err
	}
	return digest{h.(state)}, nil
}

// state is what blake2b's hash can do.
type state interface {
	hash.Hash
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

// digest adds SetCounter, by way of the exported state.
type digest struct{ state }

// Offsets in the exported state: "b2b", h and c (big-endian words), the digest
// length, the buffered block and how much of it is in use.
const (
	stateH      = 3
	stateC      = stateH + 64
	stateBlock  = stateC + 16 + 1
	stateOffset = stateBlock + blake2b.BlockSize
)

// SetCounter starts the hash at t, low word first.
func (d digest) SetCounter(t [2]uint64) error {
	s, err := d.MarshalBinary()
	if err != nil {
		return err
	}
	binary.BigEndian.PutUint64(s[stateC:], t[0])
	binary.BigEndian.PutUint64(s[stateC+8:], t[1])
	return d.UnmarshalBinary(s)
}

// compress has F done on a full buffer: with the final flag by Sum, without it
// by the write of one more byte.
func compress(c blake2btest.Case) ([]byte, error) {
	step := c.Steps[0]
	if step.Count > 1 || len(step.Data) != 213 || step.Data[212] > 1 {
		return nil, unsupported("compress of anything but 213 bytes, the last 0 or 1")
	}
	in := step.Data
	if rounds := binary.BigEndian.Uint32(in); rounds != 12 {
		return nil, unsupported("%d rounds", rounds)
	}
	if c.Last {
		return nil, unsupported("last")
	}
	h, err := blake2b.New512(nil)
	if err != nil {
		return nil, err
	}
	d := h.(state)
	s, err := d.MarshalBinary()
	if err != nil {
		return nil, err
	}
	for i := range 8 {
		binary.BigEndian.PutUint64(s[stateH+8*i:], binary.LittleEndian.Uint64(in[4+8*i:]))
	}
	// blake2b adds the block's length itself.
	t0, t1 := binary.LittleEndian.Uint64(in[196:]), binary.LittleEndian.Uint64(in[204:])
	if t0 < blake2b.BlockSize {
		t1--
	}
	binary.BigEndian.PutUint64(s[stateC:], t0-blake2b.BlockSize)
	binary.BigEndian.PutUint64(s[stateC+8:], t1)
	copy(s[stateBlock:], in[68:196])
	s[stateOffset] = blake2b.BlockSize
	if err := d.UnmarshalBinary(s); err != nil {
		return nil, err
	}
	if in[212] == 1 {
		return d.Sum(nil), nil
	}
	d.Write([]byte{0})
	if s, err = d.MarshalBinary(); err != nil {
		return nil, err
	}
	var out []byte
	for i := range 8 {
		out = binary.LittleEndian.AppendUint64(out, binary.BigEndian.Uint64(s[stateH+8*i:]))
	}
	return out, nil
}

// maxXOF is how many bytes of a xof this answers: memory is its limit.
const maxXOF = 1 << 20

func xof(c blake2btest.Case) ([]byte, error) {
	n, size := uint64(c.Size), uint32(c.Size)
	if c.Read != 0 {
		n, size = c.Read, blake2b.OutputLengthUnknown
	}
	if n > maxXOF {
		return nil, unsupported("%d bytes of xof, above %d", n, maxXOF)
	}
	x, err := blake2b.NewXOF(size, c.Key)
	if err != nil {
		return nil, err
	}
	for _, s := range c.Steps {
		for range max(s.Count, 1) {
			x.Write(s.Data)
		}
	}
	out := make([]byte, n)
	_, err = io.ReadFull(x, out)
	return out, err
}

// Sound is a Port that calls the cases of known faults unsupported, so that
// it can be an oracle for the others.
type Sound struct{ Port }

// Answer answers what Known does not name.
func (s Sound) Answer(c blake2btest.Case) ([]byte, error) {
	if Known(c) {
		return nil, unsupported("known fault of the counter")
	}
	return s.Port.Answer(c)
}

// CounterFault says whether this build of blake2b runs the assembly for amd64,
// whose carry into the counter's high word is wrong: it adds a block's 128
// bytes to the low word and tests the sum with a signed branch, so that a low
// word from 2^63 up counts as a carry.
func CounterFault() bool {
	return assembly && cpu.X86.HasSSE41
}

// KnownFaults are the checks that this build of blake2b fails, and why.
func KnownFaults() map[string]string {
	known := map[string]string{
		"go/malformed-states": "UnmarshalBinary takes malformed states, and a later call panics",
		"go/reset-forgets":    "Reset leaves the buffered block in the exported state",
	}
	if CounterFault() {
		const why = "the assembly for amd64 carries into the counter's high word too early, from 2^63-128 bytes on"
		for _, name := range []string{"counter/start", "counter/every-length", "counter/large-writes", "counter/published", "compress/published", "compress/counter", "compress/random", "random/cases"} {
			known[name] = why
		}
	}
	return known
}

// Known says whether the answer to c may be wrong through a known fault.
func Known(c blake2btest.Case) bool {
	if !CounterFault() {
		return false
	}
	switch c.Verb {
	case blake2btest.VerbCompress:
		in := c.Steps[0].Data
		return len(in) == 213 && in[203]>>7 == 1
	case blake2btest.VerbSum:
		n := c.T[0]
		for _, s := range c.Steps {
			n += s.Len()
		}
		return (c.T[0]|n)>>63 == 1
	}
	return false
}
