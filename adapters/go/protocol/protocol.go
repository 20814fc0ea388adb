// Package protocol is what the programs of this module share: each hands Serve
// what its library offers.
package protocol

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"runtime/debug"

	"blake2btest"
	"blake2btest/subprocess"
)

// A Library is what a library offers of the three verbs. What is nil, it lacks.
type Library struct {
	Hash     blake2btest.MakeHash
	Compress func(h *[8]uint64, m [16]uint64, t [2]uint64, final bool, rounds uint32)
	XOF      func(size uint32, key []byte) (io.ReadWriter, error) // size 0: unknown
}

// Answer makes a Library a Port.
func (l Library) Answer(c blake2btest.Case) ([]byte, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	switch {
	case c.Verb == blake2btest.VerbSum && l.Hash != nil:
		return l.Hash.Answer(c)
	case c.Verb == blake2btest.VerbCompress && l.Compress != nil:
		return l.compress(c)
	case c.Verb == blake2btest.VerbXOF && l.XOF != nil:
		return l.xof(c)
	}
	return nil, Unsupported("verb %q", c.Verb)
}

// Limits of what is asked for in one request.
const (
	maxRounds = 1 << 24
	maxXOF    = 1 << 20
	maxWrite  = 1 << 27
)

func (l Library) compress(c blake2btest.Case) ([]byte, error) {
	if c.Last {
		return nil, Unsupported("last")
	}
	if n := c.Steps[0].Len(); n != 213 {
		return nil, fmt.Errorf("compress input length %d is not 213", n)
	}
	in := written(c.Steps[0])
	rounds, final := binary.BigEndian.Uint32(in), in[212]
	if final > 1 {
		return nil, fmt.Errorf("final flag %d is above 1", final)
	}
	if rounds > maxRounds {
		return nil, Unsupported("%d rounds, above %d", rounds, maxRounds)
	}
	var words [8 + 16 + 2]uint64
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(in[4+8*i:])
	}
	h := [8]uint64(words[:])
	l.Compress(&h, [16]uint64(words[8:]), [2]uint64(words[8+16:]), final == 1, rounds)
	var out []byte
	for _, word := range h {
		out = binary.LittleEndian.AppendUint64(out, word)
	}
	return out, nil
}

func (l Library) xof(c blake2btest.Case) ([]byte, error) {
	n := max(uint64(c.Size), c.Read)
	if n > maxXOF {
		return nil, Unsupported("%d bytes of xof, above %d", n, maxXOF)
	}
	x, err := l.XOF(uint32(c.Size), c.Key)
	if err != nil {
		return nil, err
	}
	for _, s := range c.Steps {
		if n := s.Len(); n > maxWrite {
			return nil, Unsupported("a write of %d bytes to a xof, above %d", n, maxWrite)
		}
		if _, err := x.Write(written(s)); err != nil {
			return nil, err
		}
	}
	out := make([]byte, n)
	_, err = io.ReadFull(x, out)
	return out, err
}

// written returns the bytes of a write.
func written(s blake2btest.Step) []byte {
	return bytes.Repeat(s.Data, int(max(s.Count, 1)))
}

// Unsupported is the error that says so.
func Unsupported(format string, args ...any) error {
	return fmt.Errorf(format+": %w", append(args, errors.ErrUnsupported)...)
}

// named is a Port that says what it is.
type named struct {
	blake2btest.Port
	name, version string
}

func (n named) About() (name, version string) { return n.name, n.version }

// Serve answers requests with p, of the module with that path, until there are
// no more. The port has the name of the program, or of $ADAPTER_NAME.
func Serve(p blake2btest.Port, module string) {
	name := os.Getenv("ADAPTER_NAME")
	if name == "" {
		name = filepath.Base(os.Args[0])
	}
	n := named{p, name, version(module)}
	if err := subprocess.Serve(context.Background(), os.Stdin, os.Stdout, n); err != nil {
		log.Fatal(err)
	}
}

// packaged is the version of the library, where the linker is told one: of a
// library that is no module.
var packaged string

// version returns the version of a module in this program.
func version(path string) string {
	if packaged != "" {
		return packaged
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, m := range info.Deps {
		if m.Path == path {
			if m.Replace != nil && m.Replace.Version != "" {
				m = m.Replace
			}
			return m.Version
		}
	}
	return "unknown"
}
