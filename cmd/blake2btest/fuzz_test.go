package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"blake2btest"
	"blake2btest/internal/fuzzing"
	"blake2btest/internal/model"
	"blake2btest/internal/require"
)

// test fuzzes and returns what is printed.
func (f *fuzzer) test(t *testing.T) (out string, err error) {
	t.Helper()
	var b bytes.Buffer
	f.out, f.length, f.seed = &b, time.Minute, 1
	err = f.run(t.Context())
	return b.String(), err
}

// inProcess is how a port is started that needs no start.
func inProcess(p blake2btest.Port) []func() (blake2btest.Port, error) {
	return []func() (blake2btest.Port, error){func() (blake2btest.Port, error) { return p, nil }}
}

var summaryLine = regexp.MustCompile(`^[0-9,]+ cases in .*s, [0-9,]+/s, [0-9,]+ not supported, 0 wrong$`)

func TestFuzzRight(t *testing.T) {
	for _, command := range [][]string{nil, {"blake2btest", "serve", "unrolled"}} {
		f := &fuzzer{opens: opens(command), workers: 2, most: 3001}
		out, err := f.test(t)
		if err != nil || out != "" || f.asked != 3001 || !summaryLine.MatchString(f.summary()) {
			t.Errorf("fuzz %q: %v; %s\n%s", command, err, f.summary(), out)
		}
	}
}

func TestFuzzWrong(t *testing.T) {
	for _, tt := range []struct{ mutant, want string }{
		{"eager-last-block", "sum : 00*128"},
		{"reset-drops-key", "sum key=00 : reset"},
		{"digest-truncated", "sum size=1"},
		{"counter-32-bits", "sum t=00000000010000000000000000000000"},
		{"blocks-counted-once", "sum : 00*257"},
	} {
		t.Run(tt.mutant, func(t *testing.T) {
			dir := t.TempDir()
			f := &fuzzer{opens: opens([]string{"blake2btest", "serve", "mutant/" + tt.mutant}), workers: 1, most: 100_000, dir: dir}
			out, err := f.test(t)
			if err != nil || f.wrong != 1 {
				t.Fatalf("%v; %s", err, f.summary())
			}
			for _, line := range []string{
				"\tcase " + tt.want + "\n",
				"\tlike mutant " + tt.mutant + ": ",
				"\tnote port mutant/" + tt.mutant + " ",
				"\nIn Go:\n\npackage ", "\nIn C:\n\n/* ", "\nIn Python:\n\n# ",
			} {
				if !strings.Contains(out, line) {
					t.Errorf("no %q in\n%s", line, out)
				}
			}
			lines, err := filepath.Glob(filepath.Join(dir, "*.case"))
			inputs, err2 := filepath.Glob(filepath.Join(dir, "FuzzParams", "*"))
			if err != nil || err2 != nil || len(lines) != 1 || len(inputs) != 1 {
				t.Fatalf("saved %q and %q, %v, %v; want a file of each", lines, inputs, err, err2)
			}
			checkSaved(t, lines[0], inputs[0], tt.want)
		})
	}
}

// checkSaved reads what was saved: a case after comments, and the same as an
// input of a fuzz target.
func checkSaved(t *testing.T, caseFile, fuzzFile, want string) {
	t.Helper()
	text, err := os.ReadFile(caseFile)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for i, l := range lines {
		if last := i == len(lines)-1; last && l != want || !last && !strings.HasPrefix(l, "# ") {
			t.Errorf("%s: line %d is %q; want comments and %q", caseFile, i+1, l, want)
		}
	}
	data, err := os.ReadFile(fuzzFile)
	if err != nil {
		t.Fatal(err)
	}
	quoted, ok := strings.CutPrefix(strings.TrimSuffix(string(data), ")\n"), "go test fuzz v1\n[]byte(")
	input, err := strconv.Unquote(quoted)
	if !ok || err != nil {
		t.Fatalf("%s is %q", fuzzFile, data)
	}
	if got := fuzzing.Decode([]byte(input), fuzzing.Params).String(); got != want {
		t.Errorf("%s is for %s, want %s", fuzzFile, got, want)
	}
}

func TestSave(t *testing.T) {
	dir := filepath.Join(t.TempDir())
	c, err := blake2btest.ParseCase("sum : 61")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the same twice is no error
		if err := save(dir, c, "one"); err != nil {
			t.Fatal(err)
		}
	}
	if err := save(dir, c, "two"); err == nil || !strings.Contains(err.Error(), "other contents") {
		t.Errorf("saving other contents: %v", err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.case"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %q, %v; want one", files, err)
	}
	if err := save(files[0], c, "one"); err == nil {
		t.Error("saving to a folder that is a file: no error")
	}
}

func TestFuzzKeep(t *testing.T) {
	f := &fuzzer{opens: opens([]string{"blake2btest", "serve", "mutant/reset-drops-key"}), workers: 2, most: 500, keep: true}
	out, err := f.test(t)
	if err != nil || f.asked != 500 || f.wrong < 5 {
		t.Errorf("%v; asked %d times, %d wrong; want 500 and at least 5", err, f.asked, f.wrong)
	}
	if n := strings.Count(out, "\tcase sum key=00 : reset\n"); n != 1 {
		t.Errorf("the same case is shown %d times, want once:\n%s", n, out)
	}
}

// A recorder notes what it is asked.
type recorder struct {
	model.Port
	mu    sync.Mutex
	lines []string
}

func (r *recorder) Answer(c blake2btest.Case) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, c.String())
	return r.Port.Answer(c)
}

func TestFuzzSeed(t *testing.T) {
	ask := func() []string {
		r := new(recorder)
		f := &fuzzer{opens: inProcess(r), workers: 3, most: 1000}
		if _, err := f.test(t); err != nil {
			t.Fatal(err)
		}
		return slices.Sorted(slices.Values(r.lines))
	}
	if first := ask(); !slices.Equal(first, ask()) {
		t.Error("the same seed and workers ask other cases")
	} else if n := len(slices.Compact(first)); n < 900 {
		t.Errorf("only %d of 1000 cases are different", n)
	}
}

// TestFuzzShard asks three shards of one worker what one run with three workers
// is asked.
func TestFuzzShard(t *testing.T) {
	ask := func(workers, most int, shards ...shard) []string {
		r := new(recorder)
		for _, s := range shards {
			f := &fuzzer{opens: inProcess(r), workers: workers, most: most, shard: s}
			if _, err := f.test(t); err != nil {
				t.Fatal(err)
			}
		}
		return slices.Compact(slices.Sorted(slices.Values(r.lines)))
	}
	one := ask(3, 900, shard{})
	if !slices.Equal(one, ask(1, 300, shard{0, 2}, shard{1, 2}, shard{2, 2})) {
		t.Error("shards of one worker ask other cases than one run of as many workers")
	}
	if slices.Equal(one, ask(3, 900, shard{0, 2})) {
		t.Error("a shard of three workers asks the cases of the only one")
	}
}

func TestShardStreams(t *testing.T) {
	of := make(map[int]string)
	for s := (shard{others: 4}); s.before <= s.others; s.before++ {
		for worker := range 2 + s.before { // whatever -j is
			n := s.stream(worker)
			if of[n] != "" {
				t.Errorf("stream %d is that of shards %s and %s", n, of[n], s)
			}
			of[n] = s.String()
		}
	}
	for worker := range 3 {
		if n := (shard{}).stream(worker); n != worker {
			t.Errorf("worker %d of the only shard has stream %d", worker, n)
		}
	}
}

// leaky spoils the answer after the one to a long key.
type leaky struct {
	model.Port
	spoilt bool
}

func (p *leaky) Answer(c blake2btest.Case) ([]byte, error) {
	out, err := p.Port.Answer(c)
	if p.spoilt && len(c.Key) == 0 && len(out) > 0 {
		out[0] ^= 1
	}
	p.spoilt = len(c.Key) > 30
	return out, err
}

func TestFuzzState(t *testing.T) {
	f := &fuzzer{opens: []func() (blake2btest.Port, error){func() (blake2btest.Port, error) { return new(leaky), nil }}, workers: 1, most: 1000}
	out, err := f.test(t)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out, "\tnote a fresh process answers it rightly; not so if it is asked these cases before\n") || strings.Count(out, "\tnote after ") != 1 {
		t.Errorf("the report does not have the one case that was asked before:\n%s", out)
	}
}

// answerer is a port made of a function.
type answerer func(c blake2btest.Case) ([]byte, error)

func (f answerer) Answer(c blake2btest.Case) ([]byte, error) { return f(c) }

func TestFuzzRefusals(t *testing.T) {
	refuses := func(refused func(c blake2btest.Case) bool) answerer {
		return func(c blake2btest.Case) ([]byte, error) {
			if refused(c) {
				return nil, errors.New("no")
			}
			return model.Port{}.Answer(c)
		}
	}
	for _, tt := range []struct {
		name    string
		refused func(c blake2btest.Case) bool
		wrong   string
	}{
		{"short salt", func(c blake2btest.Case) bool { return c.Salt != nil && len(c.Salt) < 16 }, ""},
		{"keyed tree", func(c blake2btest.Case) bool { return c.Tree != nil && len(c.Key) > 0 }, ""},
		{"short digest", func(c blake2btest.Case) bool { return c.Verb == blake2btest.VerbSum && c.Size < 20 }, "a valid case is refused: no\n\tcase sum size=1\n"},
		{"xof", func(c blake2btest.Case) bool { return c.Verb == blake2btest.VerbXOF }, "a valid case is refused: no\n\tcase xof "},
	} {
		f := &fuzzer{opens: inProcess(refuses(tt.refused)), workers: 1, most: 2000}
		out, err := f.test(t)
		if err != nil || !strings.Contains(out, tt.wrong) || (f.wrong == 0) != (tt.wrong == "") {
			t.Errorf("%s refused: %v, and\n%s", tt.name, err, out)
		}
	}
}

func TestFuzzNotRun(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"-for=0s"}, "for 0s is not above 0"},
		{[]string{"-n=-1"}, "n -1 is below 0"},
		{[]string{"-j=-1"}, "j -1 is below 1"},
		{[]string{"-shard=2"}, `"2" for flag -shard: not two numbers i/n`},
		{[]string{"-shard=1/0"}, `"1/0" for flag -shard: n 0 is not from 1 to 65536`},
		{[]string{"-shard=1/65537"}, `"1/65537" for flag -shard: n 65537 is not from 1 to 65536`},
		{[]string{"-shard=0/4"}, `"0/4" for flag -shard: i 0 is not from 1 to 4`},
		{[]string{"-shard=5/4"}, `"5/4" for flag -shard: i 5 is not from 1 to 4`},
		{[]string{"no-such-program"}, "the port does not start: "},
		{[]string{"-save=fuzz_test.go", "blake2btest", "serve"}, "fuzz_test.go"},
	} {
		err := fuzz(t.Context(), tt.args)
		if _, ok := errors.AsType[status](err); err == nil || ok || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("fuzz %q: %v; want %q", tt.args, err, tt.want)
		}
	}
	nothing := answerer(func(blake2btest.Case) ([]byte, error) { return nil, errors.ErrUnsupported })
	f := &fuzzer{opens: inProcess(nothing), workers: 1, most: 1}
	if out, err := f.test(t); err == nil {
		t.Errorf("a port that answers nothing: no error, and\n%s", out)
	}
}

func TestFuzzInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var b bytes.Buffer
	f := &fuzzer{opens: opens([]string{"blake2btest", "serve"}), workers: 2, most: 1 << 30, length: time.Hour, out: &b}
	time.AfterFunc(100*time.Millisecond, cancel)
	if err := f.run(ctx); err != nil || b.Len() > 0 || f.wrong > 0 {
		t.Errorf("%v; %s\n%s", err, f.summary(), b.String())
	}
}

// snippetCases are of every form that a snippet has.
var snippetCases = []string{
	"sum",
	"sum : 00*128",
	"sum size=32 key=00ff : 6162*100",
	"sum key= : 616263",
	"sum size=7 : - sum",
	"sum size=20 key=0102 salt=0f person=abcd tree=2,3,4,5,6,7,1 : 61 sum 62*2 clone 63 swap 64 sum swap save reset 65 new swap 66",
	"sum tree=2,0,0,0,0,64,0 : 61",
	"sum t=80ffffff000000000000000000000000 : 00*129",
	"sum t=80ffffff000000000000000000000000 : 00*129 reset",
	"xof size=100 key=0102 : 616263",
	"compress : 0000000c" + strings.Repeat("01", 208) + "01",
}

func eachSnippet(t *testing.T, f func(t *testing.T, c blake2btest.Case, want []byte)) {
	t.Helper()
	for _, line := range snippetCases {
		c, err := blake2btest.ParseCase(line)
		if err != nil {
			t.Fatal(err)
		}
		want, err := blake2btest.Right(c)
		if err != nil {
			t.Fatal(err)
		}
		f(t, c, want)
	}
}

// output runs a command and returns what it prints.
func output(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%q: %v\n%s%s", cmd.Args, err, out, problems.String())
	}
	return string(out)
}

func TestPythonSnippet(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		require.Skip(t, "python3", "there is no python3")
	}
	vectors, err := filepath.Abs("../../vectors")
	if err != nil {
		t.Fatal(err)
	}
	eachSnippet(t, func(t *testing.T, c blake2btest.Case, want []byte) {
		text := pythonSnippet(c, want)
		cmd := exec.Command(python, "-c", text)
		cmd.Env = append(os.Environ(), "PYTHONPATH="+vectors, "PYTHONDONTWRITEBYTECODE=1")
		got := strings.Fields(output(t, cmd))
		digests := strings.Fields(blake2btest.FormatAnswer(c, want))[1:]
		if c.T != [2]uint64{} && len(c.Steps) > 1 {
			digests = nil // there is nothing to ask
		}
		if !slices.Equal(got, digests) {
			t.Errorf("the snippet prints %q, want %q\n%s", got, digests, text)
		}
	})
}

// echo is a blake2b that prints its arguments.
const echo = `#include <stdio.h>
int blake2b(void *out, size_t outlen, const void *key, size_t keylen, const void *in, size_t inlen);
int blake2b(void *out, size_t outlen, const void *key, size_t keylen, const void *in, size_t inlen)
{
	size_t i;
	for (i = 0; i < outlen; i++)
		((unsigned char *)out)[i] = 0xab;
	printf("size=%d key=", (int)outlen);
	for (i = 0; i < keylen; i++)
		printf("%02x", ((const unsigned char *)key)[i]);
	printf(" in=");
	for (i = 0; i < inlen; i++)
		printf("%02x", ((const unsigned char *)in)[i]);
	printf("\n");
	return 0;
}
`

func TestCSnippet(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		require.Skip(t, "cc", "there is no cc")
	}
	asked := 0
	eachSnippet(t, func(t *testing.T, c blake2btest.Case, want []byte) {
		text := cSnippet(c, want)
		if oneShotLacks(c) != "" {
			if !strings.HasPrefix(text, "/* none: ") || strings.Count(text, "\n") != 1 {
				t.Errorf("case %s\n%s", c, text)
			}
			return
		}
		asked++
		dir := t.TempDir()
		for name, text := range map[string]string{"case.c": text, "echo.c": echo} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		program := filepath.Join(dir, "case")
		output(t, exec.Command(cc, "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-o", program, filepath.Join(dir, "case.c"), filepath.Join(dir, "echo.c")))
		var in []byte
		for _, s := range c.Steps {
			in = bytes.Repeat(s.Data, int(max(s.Count, 1)))
		}
		if got, want := output(t, exec.Command(program)), fmt.Sprintf("size=%d key=%x in=%x\n%s\n", c.Size, c.Key, in, strings.Repeat("ab", c.Size)); got != want {
			t.Errorf("the snippet asks %q, want %q\n%s", got, want, text)
		}
	})
	if asked == 0 {
		t.Error("no case has a snippet")
	}
}

// TestGoSnippet runs snippets in a module that has a checkout of this one.
func TestGoSnippet(t *testing.T) {
	tool, err := exec.LookPath("go")
	if err != nil {
		require.Skip(t, "go", "there is no go command")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	files := map[string]string{
		"go.mod": fmt.Sprintf("module mine\n\ngo 1.26.0\n\nrequire blake2btest v0.0.0\n\nreplace blake2btest => %q\n", root),
		"go.sum": string(sums),
	}
	eachSnippet(t, func(t *testing.T, c blake2btest.Case, want []byte) {
		files[fmt.Sprintf("case%d/case_test.go", len(files))] = goSnippet(c, want)
	})
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(tool, "test", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	if n := strings.Count(output(t, cmd), "ok  \tmine/case"); n != len(snippetCases) {
		t.Errorf("%d snippets pass, want %d", n, len(snippetCases))
	}
}
