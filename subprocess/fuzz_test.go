package subprocess_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"blake2btest"
	"blake2btest/internal/fuzzing"
	"blake2btest/subprocess"
)

// portVar names the program that FuzzPort is to test, and its arguments, with
// spaces between them.
const portVar = "BLAKE2BTEST_PORT"

// FuzzPort: a program gives the right answers. See internal/fuzzing for the
// inputs. Each worker of Go's engine starts the program once:
//
//	BLAKE2BTEST_PORT='cmd args' go test -run='^$' -fuzz=FuzzPort -fuzzminimizetime=1x ./subprocess
func FuzzPort(f *testing.F) {
	words := strings.Fields(os.Getenv(portVar))
	if len(words) == 0 {
		f.Skipf("there is no program to test (to name one, set %s to a command)", portVar)
	}
	p, err := subprocess.Start(exec.Command(words[0], words[1:]...))
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { p.Close() })
	for _, w := range p.Warnings() {
		f.Log(w)
	}
	// Of the variants, rolled has any number of rounds.
	fuzzing.Fuzz(f, fuzzing.Any, nil, rolled, p)
}

// brief is a port without the cases that take seconds.
type brief struct{ blake2btest.Port }

func (p brief) Answer(c blake2btest.Case) ([]byte, error) {
	for _, s := range c.Steps {
		if s.Len() > 1<<20 {
			return nil, errors.ErrUnsupported
		}
		if c.Verb == blake2btest.VerbCompress && !bytes.HasPrefix(s.Data, []byte{0, 0}) {
			return nil, errors.ErrUnsupported
		}
	}
	return p.Port.Answer(c)
}

// FuzzServe: whatever the lines, each has an answer, in one line.
func FuzzServe(f *testing.F) {
	for e := range subprocess.Transcript() {
		f.Add([]byte(e.Request))
		f.Add([]byte("sum : 61\r\n" + e.Request + "\nabout\n"))
	}
	f.Fuzz(func(t *testing.T, requests []byte) {
		n := bytes.Count(requests, []byte("\n"))
		if len(requests) > 0 && requests[len(requests)-1] != '\n' {
			n++
		}
		got := serve(t, brief{rolled}, bytes.NewReader(requests))
		if answers := strings.Count(got, "\n"); answers != n {
			t.Errorf("%d answers to %d lines", answers, n)
		}
		for line := range strings.Lines(got) {
			word, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			if word != "ok" && word != "unsupported" && word != "error" {
				t.Errorf("answer %q", line)
			}
		}
	})
}
