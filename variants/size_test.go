package variants_test

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"blake2btest/internal/require"

	gocmp "github.com/google/go-cmp/cmp"
)

var generate = flag.Bool("generate", false, "write the files of figures")

// sizeText is SIZE.md, with the version of Go and the rows of the table.
const sizeText = `# Size of the variants

Bytes of code and of stack frame of the compression function with twelve rounds,
as compiled by %s for Linux: of rolled, its text for the words of the machine,
and of small, Compress and CompressRounds together and the larger of their frames.
Written by ` + "`go generate ./variants`" + ` and checked by TestSize.

| GOARCH  | rolled code | frame | unrolled code | frame | small code | frame | unrolled code / rolled |
|---------|------------:|------:|--------------:|------:|-----------:|------:|-----------------------:|
%s
For comparison, in the Linux kernel change of December 2025 the same choice in C
with gcc on i386 took 27,584 bytes unrolled and 3,632 rolled.
`

var sizeVersion = regexp.MustCompile(`compiled by\s(go\S+)`)

// sizeTargets are the architectures of SIZE.md. The level is Go's default, set
// so that the tester's own does not change the figures. Those not measured always
// take long the first time: the library below encoding/binary is compiled, too.
var sizeTargets = []struct {
	goarch, level string
	always        bool
	words32       bool
	rolled        int // the most bytes of code of rolled; 0: a third of unrolled's
	small         int // the most bytes of code of small; 0: 1400
}{
	{goarch: "386", level: "GO386=sse2", always: true, words32: true, rolled: 3500},
	{goarch: "arm", level: "GOARM=7", always: true, words32: true, rolled: 3850},
	{goarch: "amd64", level: "GOAMD64=v1", always: true, rolled: 1730},
	{goarch: "arm64", level: "GOARM64=v8.0"},
	{goarch: "mips", level: "GOMIPS=hardfloat", words32: true, small: 1600}, // it has no carry, nor rotation
	{goarch: "riscv64", level: "GORISCV64=rva20u64"},
	{goarch: "s390x"}, // Go has one level only
	{goarch: "ppc64le", level: "GOPPC64=power8"},
}

// TestSize tests that rolled is small, its reason to exist, and that SIZE.md is
// fresh. It measures every target if CI is set, BLAKE2BTEST_REQUIRE lists sizes,
// or SIZE.md is to be written.
func TestSize(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles for other architectures")
	}
	required := require.Listed("sizes")
	if _, err := exec.LookPath("go"); err != nil {
		require.Skip(t, "sizes", err.Error())
	}
	old, err := os.ReadFile("SIZE.md")
	if err != nil && !*generate {
		t.Fatalf("%v\nrun: go generate ./variants", err)
	}

	rows := make([]string, len(sizeTargets))
	measured := t.Run("measure", func(t *testing.T) {
		for i, target := range sizeTargets {
			if !target.always && !required && !*generate && os.Getenv("CI") == "" {
				rows[i] = string(regexp.MustCompile(`(?m)^\| ` + target.goarch + ` .*\n`).Find(old))
				continue
			}
			t.Run(target.goarch, func(t *testing.T) {
				t.Parallel()
				env := []string{"GOARCH=" + target.goarch, target.level}
				compress := "Compress64"
				if target.words32 {
					compress = "Compress32"
				}
				rolled, rolledFrame := size(t, env, "rolled", compress)
				unrolled, unrolledFrame := size(t, env, "unrolled", "Compress")
				small, smallFrame := size(t, env, "small", "Compress", "CompressRounds")
				rows[i] = fmt.Sprintf("| %-7s | %11d | %5d | %13d | %5d | %10d | %5d | %22.1f |\n", target.goarch,
					rolled, rolledFrame, unrolled, unrolledFrame, small, smallFrame, float64(unrolled)/float64(rolled))

				for _, limit := range []struct {
					what      string
					got, most int
				}{
					{"rolled, code", rolled, cmp.Or(target.rolled, unrolled/3)},
					{"rolled, frame", rolledFrame, 300},
					{"small, code", small, cmp.Or(target.small, 1400)},
				} {
					if limit.got > limit.most {
						t.Errorf("%s: %d bytes, want at most %d", limit.what, limit.got, limit.most)
					}
				}
			})
		}
	})
	if !measured {
		return
	}

	t.Run("table", func(t *testing.T) {
		version := strings.TrimSpace(goCommand(t, nil, "env", "GOVERSION"))
		text := fmt.Sprintf(sizeText, version, strings.Join(rows, ""))
		if *generate {
			if err := os.WriteFile("SIZE.md", []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			return
		}
		if m := sizeVersion.FindSubmatch(old); m != nil && string(m[1]) != version {
			t.Skipf("SIZE.md has the figures of %s, not of %s", m[1], version)
		}
		if diff := gocmp.Diff(strings.Split(string(old), "\n"), strings.Split(text, "\n")); diff != "" {
			t.Errorf("SIZE.md is stale (-file, +measured):\n%s\nrun: go generate ./variants", diff)
		}
	})
}

// size compiles the variant named pkg with env and returns the bytes of code of
// functions together, and the largest frame among them.
func size(t *testing.T, env []string, pkg string, functions ...string) (code, frame int) {
	t.Helper()
	archive := filepath.Join(t.TempDir(), pkg+".a")
	listing := goCommand(t, env, "build", "-gcflags=-S", "-o", archive, "./"+pkg)
	symbols := goCommand(t, env, "tool", "nm", "-size", archive)
	for _, f := range functions {
		name := `/` + pkg + `\.` + f
		code += submatch(t, symbols, `(?m)\s(\d+) T \S+`+name+`$`)
		frame = max(frame, submatch(t, listing, `(?m)^\S+`+name+` STEXT .* locals=(0x[0-9a-f]+)`))
	}
	return code, frame
}

// submatch returns the number that pattern finds in the output of a command.
func submatch(t *testing.T, output, pattern string) int {
	t.Helper()
	m := regexp.MustCompile(pattern).FindStringSubmatch(output)
	if m == nil {
		t.Fatalf("no %s in:\n%s", pattern, output)
	}
	n, err := strconv.ParseInt(m[1], 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	return int(n)
}

// goCommand returns the output of the go command, listings included: it repeats
// them when the package is in its cache. What else of the tester's environment
// could change the code is reset before env is applied.
func goCommand(t *testing.T, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "GOENV=off", "GOFLAGS=", "GOEXPERIMENT=", "GOOS=linux", "CGO_ENABLED=0")
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	return string(out)
}
