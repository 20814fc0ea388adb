package blake2btest_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"blake2btest"
	"blake2btest/internal/fuzzing"
	"blake2btest/internal/require"
)

// planted is a file of this package in which a variant is wrong on some machines:
// as real ones were, in the counter of bytes and in the flag of a last node; or by
// the first byte of a block, which says where.
const planted = `package blake2btest_test

import (
	"encoding/binary"
	"math/bits"
	"os"
	"runtime"

	"blake2btest/variants"
)

func init() {
	short := bits.UintSize == 32
	big := binary.NativeEndian.Uint16([]byte{0, 1}) == 1
	marks := map[byte]bool{0xa0: true, 0xa1: !short, 0xa2: !big, 0xa3: short && big, 0xa4: runtime.GOARCH == "arm"}
	variants.All = append(variants.All, variants.Variant{
		Name: "planted",
		Compress: func(h *[8]uint64, blocks []byte, t, f [2]uint64) {
			if short {
				t[0] = uint64(uint32(t[0]))
			}
			if big {
				f[1] = 0
			}
			if marks[blocks[0]] {
				h[0]++
			}
			if short && blocks[0] == 0xaf {
				os.Exit(1)
			}
			variants.All[0].Compress(h, blocks, t, f)
		},
	})
}
`

// writeFile writes a file and returns its name.
func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(text), 0o666)); err != nil {
		t.Fatal(err)
	}
	return name
}

// crosstest has crosstest.sh replay a corpus, with the planted variant.
func crosstest(t *testing.T, corpus string, rows ...string) (out string, status int) {
	t.Helper()
	dir := t.TempDir()
	variant, err := filepath.Abs("planted_test.go")
	if err != nil {
		t.Fatal(err)
	}
	overlay := writeFile(t, filepath.Join(dir, "overlay.json"), fmt.Sprintf(`{"Replace": {%q: %q}}`,
		variant, writeFile(t, filepath.Join(dir, "planted_test.go"), planted)))
	cmd := exec.Command("./crosstest.sh", append([]string{"-c", corpus}, rows...)...)
	cmd.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -overlay="+overlay, "GOTMPDIR="+dir)
	b, err := cmd.CombinedOutput()
	if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		t.Fatal(err)
	}
	return string(b), cmd.ProcessState.ExitCode()
}

// input returns the name and the text of the file of a Case in a corpus.
func input(t *testing.T, line string) (name, text string) {
	t.Helper()
	c, err := blake2btest.ParseCase(line)
	if err != nil {
		t.Fatal(err)
	}
	b, err := fuzzing.Encode(c)
	if err != nil {
		t.Fatal(err)
	}
	name, text = fuzzing.SeedFile(b)
	return "FuzzParams/" + name, text
}

func TestCrosstest(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the tests for five machines")
	}
	for _, tool := range []string{"bash", "go", "qemu-arm"} {
		if _, err := exec.LookPath(tool); err != nil {
			require.Skip(t, tool, "there is no "+tool)
		}
	}

	t.Run("signatures", func(t *testing.T) {
		corpus := t.TempDir()
		var names, want []string
		for line, where := range map[string]string{
			"sum t=00000000010000000000000000000000 : 61": "32-bit only: 386 arm7 mips",
			"sum tree=2,2,0,0,0,64,1 : 61":                "big-endian only: s390x mips",
			"sum size=20 : a0":                            "everywhere: native 386 arm7 s390x mips",
			"sum size=20 : a1":                            "64-bit only: native s390x",
			"sum size=20 : a2":                            "little-endian only: native 386 arm7",
			"sum size=20 : a3":                            "32-bit big-endian only: mips",
			"sum size=20 : a4":                            "on arm7 only",
			"sum size=20 : a5":                            "",
		} {
			name, text := input(t, line)
			writeFile(t, filepath.Join(corpus, name), text)
			names = append(names, name)
			if where != "" {
				want = append(want, fmt.Sprintf("%s  %s\n    case %s", name, where, line))
			}
		}
		out, status := crosstest(t, corpus, "386", "arm7", "s390x", "mips")
		if status != 1 || !strings.HasSuffix(out, "\n0 passed, 5 failed, 0 skipped\n") {
			t.Errorf("status %d; want 1, and five failed rows:\n%s", status, out)
		}
		slices.Sort(want)
		if got := regexp.MustCompile(`(?m)^Fuzz.*\n    case .*$`).FindAllString(out, -1); !slices.Equal(got, want) {
			t.Errorf("got\n%s\nwant\n%s\nin\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"), out)
		}
		slices.Sort(names)
		if now, err := fs.Glob(os.DirFS(corpus), "*/*"); err != nil || !slices.Equal(now, names) {
			t.Errorf("%v; the corpus has become %q, was %q", err, now, names)
		}
	})

	fine, fineText := input(t, "sum size=20 : a5")
	deadly, deadlyText := input(t, "sum size=20 : af")
	for _, tt := range []struct {
		name   string
		corpus map[string]string
		want   string
		status int
	}{
		{"passes", map[string]string{fine: fineText, "FuzzPort/0": "not looked at", "0.case": "nor this"},
			"not replayed: FuzzPort is no target of package blake2btest\n", 0},
		{"dies", map[string]string{deadly: deadlyText}, "\n" + deadly + "  on 386 only\n1 passed, 1 failed, 0 skipped\n", 1},
		{"malformed", map[string]string{fine: fineText, "FuzzHash/bad": "go test fuzz v1\n[]byte(\"\n"}, "FuzzHash/bad", 1},
		{"wrong type", map[string]string{fine: fineText, "FuzzHash/bad": "go test fuzz v1\nint(1)\n"}, "FuzzHash/bad", 1},
		{"empty", map[string]string{"FuzzPort/0": ""}, "crosstest.sh: -c wants inputs of FuzzCompress FuzzHash ", 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			corpus := t.TempDir()
			for name, text := range tt.corpus {
				writeFile(t, filepath.Join(corpus, name), text)
			}
			if out, status := crosstest(t, corpus, "386"); status != tt.status || !strings.Contains(out, tt.want) {
				t.Errorf("status %d; want %d, and %q in\n%s", status, tt.status, tt.want, out)
			}
		})
	}
	for _, corpus := range []string{"", "nowhere", "go.mod"} {
		want := fmt.Sprintf("crosstest.sh: -c wants a folder, not %q\n", corpus)
		if out, status := crosstest(t, corpus); status != 2 || out != want {
			t.Errorf("status %d and %q; want 2 and %q", status, out, want)
		}
	}
}

// TestFuzzScript has fuzz.sh fuzz with a script that says what it is asked.
func TestFuzzScript(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		require.Skip(t, "bash", "there is no bash")
	}
	fake := writeFile(t, filepath.Join(t.TempDir(), "fake"), `#!/bin/sh
case "$*" in
*-test.list=*) printf 'FuzzBatch\nFuzzHash\nok something\n' ;;
*FuzzBatch*) echo "$@"; exit 1 ;;
*) echo "$@" ;;
esac
`)
	if err := os.Chmod(fake, 0o777); err != nil {
		t.Fatal(err)
	}
	const usage = "fuzz.sh: want a count of executions, not %q\n"
	for _, tt := range []struct {
		args   []string
		want   string
		status int
	}{
		{nil, fmt.Sprintf(usage, ""), 2},
		{[]string{"10s"}, fmt.Sprintf(usage, "10s"), 2},
		{[]string{"0"}, fmt.Sprintf(usage, "0"), 2},
		{[]string{"5", "true"}, "fuzz.sh: no targets: true\n", 1},
		{[]string{"201", fake, "-x"}, "== FuzzBatch, 3 executions: " + fake + " -x\n" +
			"-x -test.run=^$ -test.fuzz=^FuzzBatch$ -test.fuzztime=3x -test.fuzzminimizetime=1x\n" +
			"== FuzzHash, 201 executions: " + fake + " -x\n" +
			"-x -test.run=^$ -test.fuzz=^FuzzHash$ -test.fuzztime=201x -test.fuzzminimizetime=1x\n", 1},
	} {
		cmd := exec.Command("./fuzz.sh", tt.args...)
		b, err := cmd.CombinedOutput()
		if string(b) != tt.want || cmd.ProcessState.ExitCode() != tt.status {
			t.Errorf("fuzz.sh %q: %v and\n%s\nwant status %d and\n%s", tt.args, err, b, tt.status, tt.want)
		}
	}
}
