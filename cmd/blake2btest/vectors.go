package main

import (
	"bytes"
	"context"
	"crypto/sha1"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"blake2btest/internal/fuzzing"
	"blake2btest/vectors"
)

// A form of the vectors is the text of one file, or of many by their paths in a
// folder.
type form struct {
	file  func() ([]byte, error)
	files func() (map[string][]byte, error)
}

var forms = map[string]form{
	"json":       {vectorsJSON, vectorsJSONs},
	"txt":        {file: vectorsText},
	"wycheproof": {file: wycheproof},
	"c":          {file: cHeader},
	"go":         {file: goSource},
	"corpus":     {files: corpus},
}

// exportVectors is the command vectors.
func exportVectors(_ context.Context, args []string) error {
	names := strings.Join(slices.Sorted(maps.Keys(forms)), ", ")
	f := newFlags("vectors")
	format := f.String("format", "json", "`form` of the vectors: "+names)
	out := f.String("o", "", "write to `path`: a folder for json and corpus, a file for the others")
	if err := parse(f, args); err != nil {
		return err
	}
	form, ok := forms[*format]
	switch {
	case f.NArg() > 0:
		return fmt.Errorf("vectors: %d arguments are above 0", f.NArg())
	case !ok:
		return fmt.Errorf("vectors: format %q is none of %s", *format, names)
	case *out == "" && form.file == nil:
		return fmt.Errorf("vectors: format %s is many files: name a folder for them with -o", *format)
	}
	if err := form.write(*out); err != nil {
		return fmt.Errorf("vectors: %w", err)
	}
	return nil
}

// write writes to a path, or to stdout if there is none.
func (f form) write(out string) error {
	if out == "" || f.files == nil {
		data, err := f.file()
		if err != nil {
			return err
		}
		if out == "" {
			_, err = os.Stdout.Write(data)
			return err
		}
		return os.WriteFile(out, data, 0o666)
	}
	files, err := f.files()
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(out, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, files[name], 0o666); err != nil {
			return err
		}
	}
	return nil
}

func vectorsJSON() ([]byte, error) { return marshal(vectors.Sets()) }

// vectorsJSONs returns the files as they are in this module.
func vectorsJSONs() (map[string][]byte, error) {
	files := make(map[string][]byte)
	for _, s := range vectors.Sets() {
		data, err := marshal(s)
		if err != nil {
			return nil, err
		}
		files[s.Name+".json"] = data
	}
	return files, nil
}

// vectorsText returns a transcript: > and a request, < and its answer.
func vectorsText() ([]byte, error) {
	var b bytes.Buffer
	for _, s := range vectors.Sets() {
		if len(s.Vectors) > 0 {
			fmt.Fprintf(&b, "# %s: %s\n", s.Name, s.Title)
		}
		for _, v := range s.Vectors {
			fmt.Fprintf(&b, "> %s\n< %s\n", v.Case, v.Answer)
		}
	}
	return b.Bytes(), nil
}

// corpus returns the seeds of the fuzz targets: in raw, inputs of all kinds as
// they are, for libFuzzer and others; in go, those of each target in the form of
// go test, for testdata/fuzz. A file has the name that
// the engine would give it.
func corpus() (map[string][]byte, error) {
	files := make(map[string][]byte)
	for _, input := range fuzzing.Seeds(fuzzing.Any) {
		files[fmt.Sprintf("raw/%x", sha1.Sum(input))] = input
	}
	for target, class := range map[string]fuzzing.Class{"FuzzCompress": fuzzing.Compress, "FuzzHash": fuzzing.Hash, "FuzzParams": fuzzing.Params} {
		for _, input := range fuzzing.Seeds(class) {
			name, text := fuzzing.SeedFile(input)
			files["go/"+target+"/"+name] = []byte(text)
		}
	}
	return files, nil
}
