package subprocess

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"blake2btest"
)

//go:embed transcript.txt
var transcript string

// An Exchange is a request and its answer.
type Exchange struct {
	Request, Answer string

	// Choice says that the answer is that of Serve, and that another may be
	// as good.
	Choice bool
}

// Transcript returns a session that has every word of the protocol, and much
// that is none, in the order of the file transcript.txt. The answers are those
// of Serve over a port that has everything.
func Transcript() iter.Seq[Exchange] {
	return func(yield func(Exchange) bool) {
		var request string
		for line := range strings.Lines(transcript) {
			line = strings.TrimSuffix(line, "\n")
			switch text := line[min(len(line), len("> ")):]; {
			case strings.HasPrefix(line, ">"):
				request = text
			case strings.HasPrefix(line, "<"), strings.HasPrefix(line, "?"):
				if !yield(Exchange{request, text, line[0] == '?'}) {
					return
				}
			}
		}
	}
}

// takesTwo says whether a request asks for more than one digest.
func takesTwo(request string) bool {
	c, err := blake2btest.ParseCase(request)
	return err == nil && slices.ContainsFunc(c.Steps, func(s blake2btest.Step) bool { return s.Op == blake2btest.OpSum })
}

// CheckTranscript asks a port what is in the transcript, but for what it may
// choose. It returns how many answers were as they have to be, those that it
// does not offer not among them, and an error that has a line for each of the
// others. A program is asked line for line.
func CheckTranscript(p blake2btest.Port) (right int, err error) {
	ask := func(line string) ([]byte, error) {
		return shape{}.parse([]byte(blake2btest.AnswerLine(p, line)))
	}
	if p, ok := p.(blake2btest.LineAnswerer); ok {
		ask = p.AnswerLine
	}
	var wrong []error
	for e := range Transcript() {
		if e.Choice {
			continue
		}
		want, refusal := shape{}.parse([]byte(e.Answer))
		got, err := ask(e.Request)
		var f *Fault
		switch {
		case errors.As(err, &f):
			wrong = append(wrong, fmt.Errorf("to %q: %w; want %q", e.Request, err, e.Answer))
		case errors.Is(err, errors.ErrUnsupported):
			if errors.Is(refusal, errors.ErrUnsupported) {
				right++
			}
		case err != nil && refusal == nil && takesTwo(e.Request):
			// A second digest may be refused.
		case errors.Is(refusal, errors.ErrUnsupported) || (err == nil) != (refusal == nil) || !bytes.Equal(got, want):
			wrong = append(wrong, fmt.Errorf("to %q: answer %x, error %v; want %q", e.Request, got, err, e.Answer))
		default:
			right++
		}
	}
	return right, errors.Join(wrong...)
}
