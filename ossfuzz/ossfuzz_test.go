package main_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"blake2btest"
	"blake2btest/internal/require"
	"blake2btest/mutants"
)

const cc, cxx = "clang-14", "clang++-14"

// sanitize is how a C port is compiled.
var sanitize = []string{"-fsanitize=fuzzer,address,undefined", "-fno-sanitize-recover=undefined", "-g", "-O1", "-std=gnu11", "-DIN_PROCESS"}

// needLibFuzzer ends the test where a fuzzer cannot be linked, with the libraries
// that are tested here, or packed.
func needLibFuzzer(t testing.TB) {
	t.Helper()
	cmd := exec.Command(cc, "-fsanitize=fuzzer", "-x", "c", "-", "-lb2", "-lsodium", "-o", filepath.Join(t.TempDir(), "nothing"))
	cmd.Stdin = strings.NewReader("#include <blake2.h>\n#include <sodium.h>\nint LLVMFuzzerTestOneInput(void) { return 0; }\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		require.Skip(t, "libfuzzer", fmt.Sprintf("%v: %v\n%s", cmd, err, out))
	}
	if _, err := exec.LookPath("zip"); err != nil {
		require.Skip(t, "libfuzzer", err.Error())
	}
}

// root returns the folder of the module.
func root(t testing.TB) string {
	t.Helper()
	dir, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// run runs a program in a folder. It returns all that the program prints, and how
// it ended.
func run(t testing.TB, dir string, env []string, args ...string) (string, *os.ProcessState) {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "CC="+cc), env...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState
}

// must runs a program that has to succeed.
func must(t testing.TB, dir string, args ...string) string {
	t.Helper()
	out, state := run(t, dir, nil, args...)
	if !state.Success() {
		t.Fatalf("%q: %v\n%s", args, state, out)
	}
	return out
}

// corpus runs the command of that name.
func corpus(t testing.TB, args ...string) string {
	t.Helper()
	return must(t, root(t), append([]string{"go", "run", "./ossfuzz/corpus"}, args...)...)
}

// link links a fuzzer, and returns its name.
func link(t testing.TB, args ...string) string {
	t.Helper()
	exe := filepath.Join(t.TempDir(), "fuzzer")
	must(t, root(t), slices.Concat([]string{cc}, args, []string{"-o", exe})...)
	return exe
}

// count returns the number of files in a folder.
func count(t testing.TB, dir string) int {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

// crasher returns the file that a fuzzer has written to a folder.
func crasher(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "crash-*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("the inputs that fail are %q, want one", files)
	}
	return files[0]
}

var classes = []string{"compress", "hash", "params"}

// TestOSSFuzz has build.sh run where OSS-Fuzz and ClusterFuzzLite would run it,
// and then does with what it makes what they do, and more.
func TestOSSFuzz(t *testing.T) {
	if testing.Short() {
		t.Skip("builds fuzzers")
	}
	needLibFuzzer(t)
	src, out, work := t.TempDir(), t.TempDir(), t.TempDir()
	if err := os.Symlink(root(t), filepath.Join(src, "blake2btest")); err != nil {
		t.Fatal(err)
	}
	text, state := run(t, src, []string{
		"SRC=" + src, "OUT=" + out, "WORK=" + work,
		"SANITIZER=address", "FUZZING_ENGINE=libfuzzer", "ARCHITECTURE=x86_64",
		"CXX=" + cxx, "CFLAGS=-O1 -fsanitize=address,fuzzer-no-link", "CXXFLAGS=-O1 -fsanitize=address,fuzzer-no-link",
		"LIB_FUZZING_ENGINE=-fsanitize=fuzzer",
	}, "bash", "-eux", filepath.Join(root(t), ".clusterfuzzlite", "build.sh"))
	if !state.Success() {
		t.Fatalf("build.sh: %v\n%s", state, text)
	}

	t.Run("files", func(t *testing.T) {
		var want []string
		for _, class := range classes {
			want = append(want, "fuzz_"+class, "fuzz_"+class+".options", "fuzz_"+class+"_seed_corpus.zip")
		}
		entries, err := os.ReadDir(out)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range entries {
			got = append(got, e.Name())
		}
		if !slices.Equal(got, want) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	})

	for _, class := range classes {
		t.Run("seeds/"+class, func(t *testing.T) {
			seeds := t.TempDir()
			z, err := zip.OpenReader(filepath.Join(out, "fuzz_"+class+"_seed_corpus.zip"))
			if err != nil {
				t.Fatal(err)
			}
			defer z.Close()
			if err := os.CopyFS(seeds, z); err != nil {
				t.Fatal(err)
			}
			if n := count(t, seeds); n < 20 {
				t.Errorf("only %d seeds", n)
			}
			must(t, t.TempDir(), filepath.Join(out, "fuzz_"+class), "-runs=0", seeds)
		})
	}

	for class, name := range map[string]string{"compress": "t-high-word-unused", "hash": "reset-drops-key", "params": "node-offset-32-bits"} {
		t.Run("mutant/"+name, func(t *testing.T) {
			mutant := mutants.All[slices.IndexFunc(mutants.All, func(m mutants.Mutant) bool { return m.Name == name })]
			dir := t.TempDir()
			archive := filepath.Join(dir, "mutant.a")
			if out, state := run(t, root(t), []string{"MUTANT=" + name}, "ossfuzz/archive", class, archive); !state.Success() {
				t.Fatalf("%v\n%s", state, out)
			}
			text, state := run(t, dir, nil, link(t, "-fsanitize=fuzzer", archive), "-runs=10000000", "-max_total_time=10")
			if state.Success() {
				t.Fatalf("not found\n%s", text)
			}
			reduced := regexp.MustCompile(`(?m)^\tcase (.*)$`).FindStringSubmatch(text)
			if reduced == nil {
				t.Fatalf("no case in\n%s", text)
			}
			t.Logf("found in %v: %s", state.UserTime().Round(time.Millisecond), reduced[1])
			for _, line := range []string{reduced[1], strings.TrimSpace(corpus(t, "case", class, crasher(t, dir)))} {
				c, err := blake2btest.ParseCase(line)
				if err != nil {
					t.Fatal(err)
				}
				want, err := blake2btest.Right(c)
				if err != nil {
					t.Fatal(err)
				}
				if got, err := mutant.Port.Answer(c); err == nil && bytes.Equal(got, want) {
					t.Errorf("the mutant is right\n\tcase %s", c)
				}
			}
		})
	}

	// Each class has what the others do not: salts and trees, or F alone.
	for _, tt := range []struct {
		name, class string
		args        []string
		says        string
	}{
		{"libb2", "params", []string{"adapters/c/libb2.c", "-lb2"}, "the port is libb2 "},
		{"libsodium", "params", []string{"adapters/c/libsodium.c", "-lsodium"}, "the port is libsodium "},
		{"rolled", "hash", []string{"-DBLAKE2B_UNROLL=0", "variants/c/port.c"}, "the port is c-rolled "},
		{"unrolled", "compress", []string{"variants/c/port.c"}, "the port is c-unrolled "},
	} {
		t.Run("c/"+tt.name, func(t *testing.T) {
			exe := link(t, slices.Concat(sanitize, tt.args, []string{filepath.Join(work, tt.class+".a")})...)
			text := must(t, t.TempDir(), exe, "-runs=20000", filepath.Join(work, "seeds_"+tt.class))
			if !strings.Contains(text, tt.says) || !strings.Contains(text, "Done 20000 runs") {
				t.Errorf("no %q in\n%s", tt.says, text)
			}
		})
	}

	for kind, what := range map[string]string{"w": "READ of size 1", "k": "READ of size 1", "d": "WRITE of size 1"} {
		t.Run("beyond/"+kind, func(t *testing.T) {
			exe := link(t, slices.Concat(sanitize, []string{"-DBEYOND='" + kind + "'", "ossfuzz/testdata/beyond.c", filepath.Join(work, "hash.a"), "-lb2"})...)
			dir := t.TempDir()
			text, state := run(t, dir, nil, exe, "-runs=1000000")
			if state.Success() || !strings.Contains(text, "heap-buffer-overflow") || !strings.Contains(text, what) {
				t.Fatalf("%v, want a heap-buffer-overflow and %s\n%s", state, what, text)
			}
			t.Logf("found in %v: %s", state.UserTime().Round(time.Millisecond), corpus(t, "case", "hash", crasher(t, dir)))
		})
	}

	t.Run("corpora", func(t *testing.T) { testCorpora(t, filepath.Join(out, "fuzz_hash"), filepath.Join(work, "seeds_hash")) })
}

// testCorpora: a corpus that two jobs of libFuzzer share is taken by Go's engine,
// and what that adds by libFuzzer; and nothing changes on the way.
func testCorpora(t *testing.T, fuzzer, seeds string) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	same := func(a, b string) {
		t.Helper()
		must(t, dir, "diff", "-r", in(a), in(b))
	}
	for _, name := range []string{"raw", "cache"} {
		if err := os.Mkdir(in(name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	must(t, dir, fuzzer, "-jobs=2", "-workers=2", "-runs=20000", "raw", seeds)
	for _, log := range []string{"fuzz-0.log", "fuzz-1.log"} {
		if text, err := os.ReadFile(in(log)); err != nil || !strings.Contains(string(text), "Done 20000 runs") {
			t.Errorf("%s: %v, %s", log, err, text)
		}
	}
	found := count(t, in("raw"))
	if found < 10 {
		t.Errorf("two jobs found only %d inputs", found)
	}

	corpus(t, "go", in("raw"), in("testdata/fuzz/FuzzHash"))
	test := in("hash.test")
	must(t, root(t), "go", "test", "-c", "-fuzz=FuzzHash", "-o", test, ".")
	text := must(t, dir, test, "-test.short", "-test.v", "-test.run=^FuzzHash$")
	passed := len(regexp.MustCompile(`(?m)^ +--- PASS: FuzzHash/[0-9a-f]{16} `).FindAllString(text, -1))
	if passed != found {
		t.Errorf("Go's engine has run %d inputs, want %d", passed, found)
	}

	text = must(t, dir, test, "-test.short", "-test.run=^$", "-test.fuzz=^FuzzHash$", "-test.fuzztime=5000x",
		"-test.fuzzminimizetime=1x", "-test.parallel=1", "-test.fuzzcachedir="+in("cache"))
	if count(t, in("cache/FuzzHash")) == 0 {
		t.Errorf("Go's engine found nothing\n%s", text)
	}
	must(t, dir, "cp", "-r", "testdata/fuzz/FuzzHash/.", "cache/FuzzHash")
	corpus(t, "raw", in("cache/FuzzHash"), in("raw2"))
	must(t, dir, fuzzer, "-runs=0", "raw2")
	corpus(t, "go", in("raw2"), in("go2"))
	same("cache/FuzzHash", "go2")
}
