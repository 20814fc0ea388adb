package blake2btest_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"testing"
)

// layers are the structure of the project: a package may import what stands in
// the lines above its own, and, with a star, other modules. Change this to state
// a decision, not to make a build pass.
const layers = `
	variants/rolled variants/unrolled variants/small internal/unroll internal/require internal/corpus*
	variants vectors
	.
	internal/model internal/xcrypto* internal/fuzzing
	internal/vectorgen mutants subprocess
	cmd/blake2btest* ossfuzz ossfuzz/corpus
`

// foreign says whether a folder is no part of this module: it is another one, or
// nothing of Go at all.
func foreign(folder string) bool {
	_, err := os.Stat(path.Join(folder, "go.mod"))
	return folder != "." && err == nil || folder == "adapters"
}

func TestImports(t *testing.T) {
	layer := make(map[string]int)
	others := make(map[string]bool)
	for i, l := range strings.Split(strings.TrimSpace(layers), "\n") {
		for _, p := range strings.Fields(l) {
			name := strings.TrimSuffix(p, "*")
			layer[name] = i
			others[name] = name != p
		}
	}
	seen := 0
	err := fs.WalkDir(os.DirFS("."), ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || len(d.Name()) > 1 && d.Name()[0] == '.' || foreign(file)) {
			return fs.SkipDir
		}
		if path.Ext(file) != ".go" {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		dir := path.Dir(file)
		if strings.HasSuffix(file, "_test.go") {
			if dir == "." && f.Name.Name != "blake2btest_test" {
				t.Errorf("%s is of package %s, not blake2btest_test: root's tests import what is above root", file, f.Name.Name)
			}
			return nil
		}
		from, ok := layer[dir]
		if !ok {
			t.Errorf("package %s is in no layer", dir)
		}
		seen++
		for _, spec := range f.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			first, rest, _ := strings.Cut(imported, "/")
			switch {
			case first == "blake2btest":
				if rest == "" {
					rest = "."
				}
				if to, ok := layer[rest]; !ok || to >= from {
					t.Errorf("%s imports %s, which is not in a layer above its own", file, imported)
				}
			case strings.Contains(first, ".") && !others[dir]:
				t.Errorf("%s imports %s: %s needs the standard library alone", file, imported, dir)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 10 {
		t.Errorf("only %d files were looked at", seen)
	}
}
