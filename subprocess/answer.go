package subprocess

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"blake2btest"
)

// A Fault is what a program does other than answer: it crashes, is silent, or
// breaks the protocol. It is an error of a Port, but never a refusal: a program
// that crashes has not refused an invalid request. Those that cannot import
// this package find it by its method:
//
//	var f interface{ Fault() bool }
//	if errors.As(err, &f) && f.Fault() {
//
// Any other error of Answer is "unsupported" or a refusal in the port's words.
type Fault struct {
	What   string
	Stderr []string // the last lines of the program's stderr
}

// Error returns what happened, and below it the lines of stderr.
func (f *Fault) Error() string {
	var b strings.Builder
	b.WriteString(f.What)
	for _, l := range f.Stderr {
		b.WriteString("\n\tstderr: ")
		b.WriteString(l)
	}
	return b.String()
}

// Fault returns true.
func (f *Fault) Fault() bool { return true }

// A shape is what an answer to a request has to look like.
type shape struct {
	digests, size int // how many digests of how many bytes; 0 where any will do
	about         bool
}

// shapeOf returns the shape of the answer to a case. It says whether an answer
// line can be that long.
func shapeOf(c blake2btest.Case) (s shape, ok bool) {
	size := uint64(c.Size)
	s.digests = 1
	switch c.Verb {
	case blake2btest.VerbAbout:
		return shape{about: true}, true
	case blake2btest.VerbCompress:
		size = 64
	case blake2btest.VerbXOF:
		size = max(size, c.Read)
	case blake2btest.VerbSum:
		// Where BLAKE2b has no such digests, what a port makes of it is for
		// the caller to see.
		if c.Size < 1 || c.Size > blake2btest.MaxSize {
			return shape{}, true
		}
		for _, step := range c.Steps {
			if step.Op == blake2btest.OpSum {
				s.digests++
			}
		}
	}
	if size > maxAnswer/2 {
		return s, false
	}
	s.size = int(size)
	return s, s.length() <= maxAnswer
}

// ParseAnswer returns what a line says in answer to a Case, as Answer of a [Port]
// does that was given it.
func ParseAnswer(c blake2btest.Case, line []byte) ([]byte, error) {
	s, _ := shapeOf(c)
	return s.parse(line)
}

// length returns the length in bytes of the answer line, 0 where it is unknown.
func (s shape) length() int {
	return s.digests * (len(" ") + 2*s.size)
}

// parse returns the bytes that an answer line holds, or what it says instead.
// The error is a Fault where the line is no answer of this shape; digests that
// it has all the same are returned with it. Of about, the bytes are what follows
// ok.
func (s shape) parse(line []byte) ([]byte, error) {
	word, rest, _ := bytes.Cut(line, []byte{' '})
	switch string(word) {
	case "ok":
		switch {
		case !s.about:
			return s.decode(line, rest)
		case isAbout(line):
			return bytes.Clone(rest), nil
		}
		return nil, malformed(line, "is not %q", aboutForm)
	case "unsupported":
		if len(rest) == 0 {
			return nil, errors.ErrUnsupported
		}
		return nil, fmt.Errorf("%s: %w", clip(string(rest)), errors.ErrUnsupported)
	case "error":
		if len(rest) == 0 {
			return nil, errors.New("no reason given")
		}
		return nil, errors.New(clip(string(rest)))
	}
	return nil, malformed(line, "does not begin with ok, unsupported or error")
}

func (s shape) decode(line, words []byte) ([]byte, error) {
	out := make([]byte, 0, len(words)/2)
	digests, wrong := 0, 0 // wrong is a length that is not that of a digest
	for len(words) > 0 {
		var w []byte
		w, words, _ = bytes.Cut(words, []byte{' '})
		var err error
		out, err = hex.AppendDecode(out, w)
		if err != nil || len(w) == 0 || bytes.ContainsAny(w, "ABCDEF") {
			return nil, malformed(line, "has a word that is not bytes in lower-case hex: %s", quote(w))
		}
		if len(w) != 2*s.size {
			wrong = len(w) / 2
		}
		digests++
	}
	switch {
	case s.digests > 0 && digests != s.digests:
		return out, malformed(line, "has %d digests, not %d", digests, s.digests)
	case s.size > 0 && wrong > 0:
		return out, malformed(line, "has a digest of %d bytes, not %d", wrong, s.size)
	}
	return out, nil
}

// aboutForm is the answer to about.
const aboutForm = "ok name=… version=… protocol=1"

// isAbout says whether a line can be the answer to about. No other answer can.
func isAbout(line []byte) bool {
	ok, rest, _ := strings.Cut(string(line), " ")
	return ok == "ok" && value(rest, "protocol") == "1"
}

// value returns what a word "key=value" of a text has.
func value(text, key string) string {
	for w := range strings.FieldsSeq(text) {
		if v, ok := strings.CutPrefix(w, key+"="); ok {
			return v
		}
	}
	return ""
}

func malformed(line []byte, format string, args ...any) *Fault {
	return &Fault{What: fmt.Sprintf("answer %s "+format, append([]any{quote(line)}, args...)...)}
}

// quote shows the beginning of what a program wrote.
func quote(b []byte) string {
	const most = 40
	if len(b) > most {
		return strconv.QuoteToASCII(string(b[:most])) + "…"
	}
	return strconv.QuoteToASCII(string(b))
}

// clip shortens a program's words, and makes them harmless.
func clip(s string) string {
	const most = 200
	if len(s) > most {
		s = s[:most] + "…"
	}
	return printable(s)
}

func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
}
