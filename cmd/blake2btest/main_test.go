package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"blake2btest/internal/require"
	"blake2btest/internal/xcrypto"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/rogpeppe/go-internal/testscript"
)

// The test binary is the command blake2btest, too.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"blake2btest": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		Condition: func(cond string) (bool, error) {
			if cond == "counterfault" {
				return xcrypto.CounterFault(), nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Setup: func(e *testscript.Env) error {
			return os.WriteFile(filepath.Join(e.WorkDir, "xcrypto.known"), xcryptoKnown(), 0o666)
		},
	})
}

// xcryptoKnown returns a file of the known failures of x/crypto on this machine.
func xcryptoKnown() []byte {
	var b bytes.Buffer
	for check, why := range xcrypto.KnownFaults() {
		fmt.Fprintf(&b, "xcrypto %s %s\n", check, why)
	}
	return b.Bytes()
}

// TestManual runs the examples of the manual: what follows a line that begins
// with $ is its output, but for numbers and versions.
func TestManual(t *testing.T) {
	if testing.Short() {
		t.Skip("takes ten seconds")
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		require.Skip(t, "sh", "the examples are for a shell")
	}
	examples := 0
	for block := range strings.SplitSeq(manual(), "\n\n\t$ ") {
		if examples++; examples == 1 {
			continue // what is before the first
		}
		// Blocks of output have empty lines in them, too: all that is indented is one.
		var lines []string
		for line := range strings.Lines(block) {
			if len(lines) > 0 && line != "\n" && line[0] != '\t' {
				break
			}
			lines = append(lines, strings.TrimPrefix(line, "\t"))
		}
		command, want := strings.TrimSpace(lines[0]), strings.Join(lines[1:], "")
		cmd := exec.Command(sh, "-c", command)
		cmd.Dir = t.TempDir()
		got, err := cmd.Output()
		if len(got) == 0 {
			t.Fatalf("%s: %v", command, err)
		}
		if diff := cmp.Diff(blur(want), blur(string(got))); diff != "" {
			t.Errorf("$ %s (-manual +run)\n%s", command, diff)
		}
	}
	if examples < 4 {
		t.Errorf("the manual has %d examples", examples-1)
	}
}

// TestManualKnown reads the manual's file of known failures.
func TestManualKnown(t *testing.T) {
	_, text, _ := strings.Cut(manual(), "\t# mine.known\n")
	text, _, _ = strings.Cut(text, "\n\n")
	file := filepath.Join(t.TempDir(), "mine.known")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if known, err := readKnown(file); err != nil || len(known["mine"]) != 2 {
		t.Errorf("%v, %v; want two checks of mine", known, err)
	}
}

var (
	versionPattern = regexp.MustCompile(`\(devel\)|unknown|v[0-9][^ ]*|go1[^ ]* [a-z0-9]+/[a-z0-9]+`)
	numberPattern  = regexp.MustCompile(`\b[0-9][0-9,]*\b`)
	spacePattern   = regexp.MustCompile(` +`)
)

// blur returns the lines of a text without what differs between machines, and
// what changes with every check that is added.
func blur(s string) []string {
	s = versionPattern.ReplaceAllString(strings.TrimSpace(s), "VERSION")
	s = numberPattern.ReplaceAllString(s, "N")
	return strings.Split(spacePattern.ReplaceAllString(s, " "), "\n")
}

// TestUsage holds the manual to the commands and the flags that there are.
func TestUsage(t *testing.T) {
	for _, c := range commands {
		help, err := exec.Command("blake2btest", c.name, "-h").CombinedOutput()
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(help)) {
			name, ok := strings.CutPrefix(line, "  -")
			if !ok {
				continue
			}
			if name = strings.Fields(name)[0]; !regexp.MustCompile(`[\[ ]-` + name + `[\] ]`).MatchString(usage(c.name)) {
				t.Errorf("the usage lines of %s have no flag %q", c.name, name)
			}
		}
	}
}

// validate checks a document against a schema in this folder.
func validate(t *testing.T, schema string, document []byte) {
	t.Helper()
	data, err := os.ReadFile(schema)
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(document, &v); err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(v); err != nil {
		t.Errorf("%s: %v", schema, err)
	}
}

func TestReportSchema(t *testing.T) {
	for _, args := range [][]string{
		nil,
		{"blake2btest", "serve", "mutant/reset-drops-key"},
	} {
		out, err := exec.Command("blake2btest", append([]string{"check", "-level", "quick", "-run", ".", "-require", "keys", "-format", "json"}, args...)...).Output()
		if len(out) == 0 {
			t.Fatal(err)
		}
		validate(t, "report.schema.json", out)
	}
}
