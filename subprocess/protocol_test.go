package subprocess_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"blake2btest"
	"blake2btest/internal/require"
	"blake2btest/subprocess"

	"github.com/google/go-cmp/cmp"
)

// block returns the block of PROTOCOL.md that begins so.
func block(t *testing.T, begin string) string {
	text, err := os.ReadFile("PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), "\n"+begin)
	b, _, _ := strings.Cut(rest, "```\n")
	if !ok {
		t.Fatalf("PROTOCOL.md has no %q", begin)
	}
	return b
}

// TestProtocolSession: Serve gives the answers of the session in PROTOCOL.md.
func TestProtocolSession(t *testing.T) {
	var requests, want string
	for line := range strings.Lines(block(t, "```\n> about\n")) {
		if request, ok := strings.CutPrefix(line, "> "); ok {
			requests += request
		} else {
			want += strings.TrimPrefix(line, "< ")
		}
	}
	if diff := cmp.Diff(want, serve(t, named{rolled}, strings.NewReader("about\n"+requests))); diff != "" {
		t.Errorf("answers (-want +got)\n%s", diff)
	}
}

// TestProtocolAdapter: the adapter in PROTOCOL.md is a good one.
func TestProtocolAdapter(t *testing.T) {
	// zip with strict came with 3.10.
	const version = "import sys; sys.exit(sys.version_info < (3, 10))"
	if err := exec.Command("python3", "-c", version).Run(); err != nil {
		require.Skip(t, "python3", "python3 of 3.10 or later: "+err.Error())
	}
	file := filepath.Join(t.TempDir(), "adapter.py")
	if err := os.WriteFile(file, []byte(block(t, "```python\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	p, err := subprocess.Start(exec.Command("python3", file))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}()
	if w := p.Warnings(); w != nil {
		t.Errorf("warnings %q", w)
	}
	right, err := subprocess.CheckTranscript(p)
	if err != nil {
		t.Error(err)
	}
	t.Logf("%d answers of the transcript are right", right)
	if right < 60 {
		t.Errorf("only %d answers of the transcript are right", right)
	}

	r := rand.New(rand.NewPCG(1, 1))
	var asked []blake2btest.Case
	answered := 0
	for got, err := range p.Answers(func(yield func(blake2btest.Case) bool) {
		for range 2000 {
			c := blake2btest.RandomCase(r)
			asked = append(asked, c)
			if !yield(c) {
				return
			}
		}
	}) {
		c := asked[0]
		asked = asked[1:]
		// The paper excludes a depth of 0, and hashlib does.
		if errors.Is(err, errors.ErrUnsupported) || err != nil && c.Tree != nil && c.Tree.MaxDepth == 0 {
			continue
		}
		answered++
		if want, _ := rolled.Answer(c); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %x, %v; want %x", c, got, err, want)
		}
	}
	if answered < 700 {
		t.Errorf("only %d cases were answered", answered)
	}
}
