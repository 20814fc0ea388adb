package subprocess_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"blake2btest"
	"blake2btest/internal/model"
	"blake2btest/subprocess"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the answers in transcript.txt")

// named has a version that does not depend on the build.
type named struct{ blake2btest.Port }

func (named) About() (name, version string) { return "rolled", "1" }

// TestTranscript: Serve over rolled answers as the transcript says.
func TestTranscript(t *testing.T) {
	var requests, want strings.Builder
	n := 0
	for e := range subprocess.Transcript() {
		requests.WriteString(e.Request + "\n")
		want.WriteString(e.Answer + "\n")
		n++
	}
	var got bytes.Buffer
	if err := subprocess.Serve(context.Background(), strings.NewReader(requests.String()), &got, named{rolled}); err != nil {
		t.Fatal(err)
	}
	if *update {
		writeAnswers(t, strings.Split(got.String(), "\n"))
		return
	}
	if diff := cmp.Diff(strings.Split(want.String(), "\n"), strings.Split(got.String(), "\n")); diff != "" {
		t.Errorf("answers (-want +got)\n%s", diff)
	}
	if n < 100 {
		t.Errorf("only %d requests", n)
	}
}

func writeAnswers(t *testing.T, answers []string) {
	const file = "transcript.txt"
	old, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for line := range strings.Lines(string(old)) {
		if line[0] == '<' || line[0] == '?' {
			line = line[:1] + " " + answers[0] + "\n"
			answers = answers[1:]
		}
		text.WriteString(line)
	}
	if err := os.WriteFile(file, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// sumsOnce refuses second digests.
type sumsOnce struct{ blake2btest.Port }

func (p sumsOnce) Answer(c blake2btest.Case) ([]byte, error) {
	if slices.ContainsFunc(c.Steps, func(s blake2btest.Step) bool { return s.Op == blake2btest.OpSum }) {
		return nil, errors.New("the digest was taken already")
	}
	return p.Port.Answer(c)
}

// TestCheckTranscript: the answers are confirmed by the model, which has
// nothing in common with rolled, and by any program that is right.
func TestCheckTranscript(t *testing.T) {
	for name, p := range map[string]blake2btest.Port{
		"rolled": rolled,
		"model":  model.Port{},
		"right":  mustOpen(t, "right"),
		"crlf":   mustOpen(t, "crlf"),
		"sums":   sumsOnce{rolled}, // a second digest may be refused
	} {
		right, err := subprocess.CheckTranscript(p)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		t.Logf("%s: %d answers are right", name, right)
		if right < 80 {
			t.Errorf("%s: only %d answers are right", name, right)
		}
	}
	for name, want := range map[string]string{
		"ignores-options": `to "sum salt=101112131415161718191a1b1c1d1e1f : 61": answer `,
		"crash-on-tree":   "its output ended: exit status 1",
	} {
		_, err := subprocess.CheckTranscript(mustOpen(t, name))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v; want %q", name, err, want)
		}
	}
}
