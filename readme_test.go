package blake2btest_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"blake2btest"
	"blake2btest/internal/require"
	"blake2btest/mutants"
	"blake2btest/variants"
	"blake2btest/vectors"
)

// block returns the first code block of README.md in a language that has text
// in it.
func block(t *testing.T, language, text string) string {
	t.Helper()
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range strings.Split(string(readme), "```"+language+"\n")[1:] {
		b, _, _ = strings.Cut(b, "```\n")
		if strings.Contains(b, text) {
			return b
		}
	}
	t.Fatalf("README.md has no %s block with %q", language, text)
	return ""
}

// TestReadmeModule does what README.md says to somebody who tests their own
// package with this module. The test there fails for what README.md says of
// x/crypto, and names the bug of a wrong package.
func TestReadmeModule(t *testing.T) {
	if testing.Short() {
		t.Skip("builds another module")
	}
	if _, err := exec.LookPath("go"); err != nil {
		require.Skip(t, "go", err.Error())
	}
	checkout, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	test := block(t, "go", "func TestBLAKE2b")
	commands := strings.ReplaceAll(block(t, "sh", "go mod edit"), "../blake2btest", checkout)
	for _, tt := range []struct{ name, old, new, want string }{
		// It says which checks fail of x/crypto, and why a wrong port does.
		{"right", "", "", "--- FAIL: TestBLAKE2b/go/malformed-states"},
		{"wrong", "blake2b.New(p.Size, p.Key)", "blake2b.New(p.Size, nil)", "like mutant key-ignored"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{
				"go.mod":       "module example.org/mine\n\ngo 1.26.0\n",
				"mine_test.go": strings.ReplaceAll(test, tt.old, tt.new),
			} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			var out []byte
			for line := range strings.Lines(commands) {
				cmd := exec.Command("go", strings.Fields(line)[1:]...)
				cmd.Dir = dir
				out, err = cmd.CombinedOutput()
				if err != nil && !strings.HasPrefix(line, "go test") {
					t.Fatalf("%s: %v\n%s", cmd, err, out)
				}
			}
			if n := strings.Count(string(out), "    --- FAIL"); tt.name == "right" && n != 2 {
				t.Errorf("%d checks fail, want 2:\n%s", n, out)
			}
			if !strings.Contains(string(out), tt.want) {
				t.Errorf("the output has no %q:\n%s", tt.want, out)
			}
		})
	}
}

// TestReadmeNumbers holds the numbers in README.md that no command beside them
// prints, and vectors/README.md's example.
func TestReadmeNumbers(t *testing.T) {
	read := func(name string) string {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	var count, sequences int
	for _, s := range vectors.Sets() {
		count += len(s.Vectors)
		sequences += len(s.Accumulated)
	}
	size := regexp.MustCompile(`(?m)^\| 386 +\| +(\d)(\d+) \| +\d+ \| +(\d+)(\d{3}) \|`).FindStringSubmatch(read("variants/SIZE.md"))
	if size == nil {
		t.Fatal("variants/SIZE.md has no row for 386")
	}
	readme := strings.Join(strings.Fields(read("README.md")), " ")
	for _, want := range []string{
		fmt.Sprintf("%d,%03d vectors and %d accumulated sequences", count/1000, count%1000, sequences),
		fmt.Sprintf("on 386, %s,%s bytes of code against %s,%s", size[1], size[2], size[3], size[4]),
		fmt.Sprintf("holds %d BLAKE2bs that are each wrong", len(mutants.All)-1), // but for the control
		fmt.Sprintf("%d,%03d files of a corpus", corpusFiles/1000, corpusFiles%1000),
	} {
		if !strings.Contains(readme, want) {
			t.Errorf("README.md does not say %q", want)
		}
	}
	example := regexp.MustCompile(`"case": "(.*)",\s*"answer": "(.*)"`).FindStringSubmatch(read("vectors/README.md"))
	if example == nil {
		t.Fatal("vectors/README.md has no example")
	}
	if got := blake2btest.AnswerLine(blake2btest.Over(variants.Default()), example[1]); got != example[2] {
		t.Errorf("the answer to vectors/README.md's example is %s", got)
	}
}
