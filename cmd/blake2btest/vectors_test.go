package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"blake2btest"
	"blake2btest/internal/fuzzing"
	"blake2btest/internal/require"
	"blake2btest/variants"
	"blake2btest/vectors"
)

// TestVectorsJSON holds the files to those of package vectors.
func TestVectorsJSON(t *testing.T) {
	files, err := vectorsJSONs()
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		want, err := os.ReadFile(filepath.Join("../../vectors", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(data, want) {
			t.Errorf("%s is not as in package vectors", name)
		}
	}
}

// TestFlat has the vectors that C, Go and Wycheproof get answered from their
// parts.
func TestFlat(t *testing.T) {
	total := 0
	for _, verb := range []blake2btest.Verb{blake2btest.VerbSum, blake2btest.VerbCompress, blake2btest.VerbXOF} {
		for _, f := range flatVectors(verb) {
			total++
			c := f.Case
			c.Steps = []blake2btest.Step{{Op: blake2btest.OpWrite, Data: f.message}}
			got, err := blake2btest.Over(variants.All[0]).Answer(c)
			if (err != nil) != (f.answer == nil) || !bytes.Equal(got, f.answer) {
				t.Errorf("%s: got %x, %v; want %x", c, got, err, f.answer)
			}
			block := f.block()
			if verb == blake2btest.VerbSum && f.answer != nil && (len(block) != 64 || int(block[0]) != f.Size || int(block[1]) != len(f.Key)) {
				t.Errorf("%s: parameter block %x", c, block)
			}
		}
	}
	all := 0
	for range vectors.All() {
		all++
	}
	if all-total > 20 {
		t.Errorf("%d of %d vectors are left out", all-total, all)
	}
}

func TestWycheproof(t *testing.T) {
	data, err := wycheproof()
	if err != nil {
		t.Fatal(err)
	}
	validate(t, wycheproofSchema, data)
	var file wycheproofFile
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	results := make(map[string]int)
	id := 0
	for _, g := range file.TestGroups {
		for _, test := range g.Tests {
			if id++; test.ID != id {
				t.Errorf("test %d has the number %d", id, test.ID)
			}
			results[test.Result]++
			for _, flag := range test.Flags {
				if _, ok := file.Notes[flag]; !ok {
					t.Errorf("test %d: flag %s has no note", id, flag)
				}
			}
			if test.Result != "invalid" && uint64(len(test.Digest)) != test.Size/4 {
				t.Errorf("test %d: digest %s is not of %d bits", id, test.Digest, test.Size)
			}
		}
	}
	if id != file.NumberOfTests || len(results) != 3 {
		t.Errorf("%d tests, results %v; the header says %d", id, results, file.NumberOfTests)
	}
}

// flatLines is what the programs below print: a line for each vector.
func flatLines() string {
	var b strings.Builder
	for _, f := range flatVectors(blake2btest.VerbSum) {
		fmt.Fprintf(&b, "sum %d %x %x %x %x %x %x %x %t\n", f.Size, f.Key, f.Salt, f.Person, f.counter(), f.block(), f.message, f.answer, f.optional)
	}
	for _, f := range flatVectors(blake2btest.VerbCompress) {
		fmt.Fprintf(&b, "compress %x %t %x\n", f.message, f.Last, f.answer)
	}
	for _, f := range flatVectors(blake2btest.VerbXOF) {
		n, known := f.outputLen()
		fmt.Fprintf(&b, "xof %d %t %x %x %x\n", n, !known, f.Key, f.message, f.answer)
	}
	return b.String()
}

const cProgram = `#include <stdio.h>
#include "vectors.h"

static void bytes(struct blake2b_bytes b)
{
	size_t i;
	putchar(' ');
	for (i = 0; i < b.n; i++)
		printf("%02x", b.p[i]);
}

static void boolean(int b) { printf(b ? " true" : " false"); }

#define LEN(a) (sizeof(a) / sizeof((a)[0]))

int main(void)
{
	size_t i;
	for (i = 0; i < LEN(blake2b_sums); i++) {
		const struct blake2b_sum *v = &blake2b_sums[i];
		printf("sum %lu", (unsigned long)v->size);
		bytes(v->key); bytes(v->salt); bytes(v->person); bytes(v->counter); bytes(v->block);
		bytes(v->message); bytes(v->digest); boolean(v->optional);
		putchar('\n');
	}
	for (i = 0; i < LEN(blake2b_compressions); i++) {
		const struct blake2b_compression *v = &blake2b_compressions[i];
		printf("compress");
		bytes(v->input); boolean(v->last); bytes(v->state);
		putchar('\n');
	}
	for (i = 0; i < LEN(blake2b_xofs); i++) {
		const struct blake2b_xof *v = &blake2b_xofs[i];
		printf("xof %lu", (unsigned long)v->size);
		boolean(v->unknown); bytes(v->key); bytes(v->message); bytes(v->output);
		putchar('\n');
	}
	return 0;
}
`

const goProgram = `package main

import (
	"fmt"

	v "example.org/vectors/blake2bvectors"
)

func main() {
	for _, s := range v.Sums {
		fmt.Println("sum", s.Size, s.Key, s.Salt, s.Person, s.Counter, s.Block, s.Message, s.Digest, s.Optional)
	}
	for _, c := range v.Compressions {
		fmt.Println("compress", c.Input, c.Last, c.State)
	}
	for _, x := range v.XOFs {
		fmt.Println("xof", x.Size, x.Unknown, x.Key, x.Message, x.Output)
	}
}
`

func TestCHeader(t *testing.T) {
	if _, err := exec.LookPath("cc"); err != nil {
		require.Skip(t, "cc", "there is no C compiler")
	}
	dir := t.TempDir()
	runIn(t, dir, "blake2btest", "vectors", "-format", "c", "-o", "vectors.h")
	write(t, dir, "main.c", cProgram)
	runIn(t, dir, "cc", "-std=c89", "-pedantic", "-Wall", "-Wextra", "-Werror", "-o", "main", "main.c")
	if got := runIn(t, dir, filepath.Join(dir, "main")); got != flatLines() {
		t.Error("a C program that includes the header sees other vectors")
	}
}

func TestGoSource(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.org/vectors\n\ngo 1.26\n")
	write(t, dir, "main.go", goProgram)
	write(t, dir, "blake2bvectors/doc.go", "package blake2bvectors\n")
	runIn(t, dir, "blake2btest", "vectors", "-format", "go", "-o", "blake2bvectors/vectors.go")
	runIn(t, dir, "go", "vet", "./...")
	if got := runIn(t, dir, "go", "run", "."); got != flatLines() {
		t.Error("a Go program that imports the package sees other vectors")
	}
}

// TestCorpus has each input stand for a vector, and go test read its own.
func TestCorpus(t *testing.T) {
	files, err := corpus()
	if err != nil {
		t.Fatal(err)
	}
	kinds := make(map[string]int)
	for name, data := range files {
		dir, _, _ := strings.Cut(name, "/")
		kinds[dir]++
		switch dir {
		case "raw":
			if again, err := fuzzing.Encode(fuzzing.Decode(data, fuzzing.Any)); err != nil || !bytes.Equal(again, data) {
				t.Errorf("%s: %x, %v; want the same as in the file, %x", name, again, err, data)
			}
		case "go":
			if !strings.HasPrefix(string(data), "go test fuzz v1\n[]byte(\"") {
				t.Errorf("%s: %.40q", name, data)
			}
		}
	}
	if kinds["raw"] < 2000 || kinds["go"] < 2000 {
		t.Errorf("%v files", kinds)
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// runIn runs a program in a folder, and returns its output.
func runIn(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, stderr.Bytes())
	}
	return string(out)
}
