package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blake2btest/internal/fuzzing"
)

// corpus runs the command, and returns what it prints.
func corpus(t *testing.T, args ...string) string {
	t.Helper()
	var out strings.Builder
	if err := run(args, &out); err != nil {
		t.Fatalf("corpus %q: %v", args, err)
	}
	return out.String()
}

// files returns the contents of a folder by name.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	list := make(map[string]string)
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		list[e.Name()] = string(data)
	}
	return list
}

func put(t *testing.T, name, text string) string {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestRoundTrip: what is converted there and back is the same, whichever engine
// it comes from; and what there is already is not written again.
func TestRoundTrip(t *testing.T) {
	dir := t.TempDir()
	first, second, third := filepath.Join(dir, "raw"), filepath.Join(dir, "go"), filepath.Join(dir, "again")
	if err := write(fuzzing.Seeds(fuzzing.Params), first, rawFile, io.Discard); err != nil {
		t.Fatal(err)
	}
	seeds := files(t, first)
	for _, odd := range []string{"", "\x00", "\xff\xfe`\"'\\\n\r", strings.Repeat("\x80", maxInput)} {
		name, _ := rawFile([]byte(odd))
		put(t, filepath.Join(first, name), odd)
	}
	if len(seeds) < 500 {
		t.Errorf("only %d seeds", len(seeds))
	}
	corpus(t, "go", first, second)
	corpus(t, "raw", second, third)
	want := files(t, first)
	if len(want) != len(seeds)+4 {
		t.Errorf("%d files, want %d", len(want), len(seeds)+4)
	}
	got := files(t, third)
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s is %.40q, want %.40q", name, got[name], text)
		}
	}
	if out := corpus(t, "raw", first, second, third); !strings.HasPrefix(out, "0 of ") || len(files(t, third)) != len(want) {
		t.Errorf("the second time: %s", out)
	}
	for name, text := range files(t, second) {
		input, err := fuzzing.ParseFile([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if wantName, wantText := fuzzing.SeedFile(input); name != wantName || text != wantText {
			t.Errorf("Go's %s has %.40q, want %s and %.40q", name, text, wantName, wantText)
		}
	}
}

// TestNames: libFuzzer and go test name their files in this way.
func TestNames(t *testing.T) {
	dir := t.TempDir()
	in := put(t, filepath.Join(dir, "in"), "abc")
	for verb, want := range map[string]string{
		"raw": "a9993e364706816aba3e25717850c26c9cd0d89d",
		"go":  "8108818597222af9",
	} {
		out := filepath.Join(dir, verb)
		corpus(t, verb, in, out)
		if got := files(t, out); len(got) != 1 || got[want] == "" {
			t.Errorf("%s: %q, want %s", verb, got, want)
		}
	}
}

func TestCase(t *testing.T) {
	dir := t.TempDir()
	raw := put(t, filepath.Join(dir, "raw"), "\x01\x1f\x02\x00\xff\x00\x01\x00a\x03\x01\x02\x00\x00bcd")
	in := put(t, filepath.Join(dir, "go"), "go test fuzz v1\n[]byte(\"\\x00\\x3f\")\n")
	for class, want := range map[string]string{
		"hash":   "sum size=32 key=00ff : 61 reset 626364*1\nsum\n",
		"params": "sum size=32 key=00ff : 61 reset 626364*1\nsum\n",
	} {
		if got := corpus(t, "case", class, raw, in); got != want {
			t.Errorf("%s: %q, want %q", class, got, want)
		}
	}
	if got := corpus(t, "case", "compress", raw); !strings.HasPrefix(got, "compress : 0000001f0200ff") {
		t.Error(got)
	}
}

func TestErrors(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	file := func(name, text string) string { return put(t, filepath.Join(dir, name), text) }
	fine := file("fine", "abc")
	folder := filepath.Join(dir, "folder")
	if err := os.MkdirAll(filepath.Join(folder, "inner"), 0o777); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(folder, "good"), "good")
	for _, tt := range []struct {
		args []string
		want string
	}{
		{nil, "want a verb"},
		{[]string{"raw", fine}, "want a verb and two arguments or more"},
		{[]string{"cut", fine, out}, `no verb "cut"`},
		{[]string{"case", "hush", fine}, `no class "hush"`},
		{[]string{"raw", filepath.Join(dir, "none"), out}, "none"},
		{[]string{"raw", folder, out}, "inner: d--------- is no file"},
		{[]string{"raw", fine, fine}, "not a directory"},
		{[]string{"go", file("long", strings.Repeat("a", maxInput+1)), out}, "long: an input of 1048577 bytes is above 1048576"},
		{[]string{"go", file("huge", strings.Repeat("a", maxFile+1)), out}, "huge: a file of 4194369 bytes is above 4194368"},
		{[]string{"raw", file("string", "go test fuzz v1\nstring(\"a\")\n"), out}, `string: line 2 is "string(\"a\")", not []byte("…") alone`},
		{[]string{"raw", file("two", "go test fuzz v1\n[]byte(\"a\")\nint(1)\n"), out}, "two: line 2 is "},
		{[]string{"raw", file("open", "go test fuzz v1\n[]byte(\"a)\n"), out}, "open: line 2 is "},
		{[]string{"raw", file("empty", "go test fuzz v1\n"), out}, `empty: line 2 is "", not`},
		{[]string{"raw", file("nothing", "go test fuzz v1\n[]byte()"), out}, "nothing: line 2 is "},
		{[]string{"raw", file("rune", "go test fuzz v1\n[]byte('a')"), out}, "rune: line 2 is "},
	} {
		err := run(tt.args, &strings.Builder{})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %s", tt.args, err, tt.want)
		}
	}
	// What is right beside it is converted all the same.
	name, _ := rawFile([]byte("good"))
	if got := files(t, out); got[name] != "good" || len(got) != 1 {
		t.Errorf("%q was written, want good alone", got)
	}
}

// TestKeeps: a file is never overwritten.
func TestKeeps(t *testing.T) {
	dir := t.TempDir()
	in := put(t, filepath.Join(dir, "in"), "abc")
	name, _ := rawFile([]byte("abc"))
	out := filepath.Join(dir, "out")
	if err := os.Mkdir(out, 0o777); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(out, name), "mine")
	err := run([]string{"raw", in, out}, &strings.Builder{})
	if err == nil || !strings.Contains(err.Error(), name+" is there with other contents") {
		t.Error(err)
	}
	if got := files(t, out); got[name] != "mine" {
		t.Errorf("it has %q now", got[name])
	}
}

func TestManual(t *testing.T) {
	out := corpus(t, "-h")
	if !strings.HasPrefix(out, "Command corpus ") || !strings.HasSuffix(out, "stderr says why.\n") {
		t.Errorf("the manual is\n%s", out)
	}
}
