package main

import (
	"crypto/sha1"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"blake2btest/internal/fuzzing"
)

// maxInput is the length in bytes of the longest input, which no engine's comes
// near; a file of Go's has up to four characters for a byte.
const (
	maxInput = 1 << 20
	maxFile  = 4*maxInput + 64
)

// read returns the inputs of files, and of the files in folders. The error joins
// what is wrong with each of them.
func read(names []string) (inputs [][]byte, err error) {
	var errs []error
	for _, name := range names {
		files := []string{name}
		if entries, err := os.ReadDir(name); err == nil {
			files = nil
			for _, e := range entries {
				files = append(files, filepath.Join(name, e.Name()))
			}
		}
		for _, file := range files {
			input, err := readFile(file)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			inputs = append(inputs, input)
		}
	}
	return inputs, errors.Join(errs...)
}

// readFile returns the input of a file, which is not trusted.
func readFile(name string) ([]byte, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %v is no file", name, info.Mode().Type())
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxFile {
		return nil, fmt.Errorf("%s: a file of %d bytes is above %d", name, info.Size(), maxFile)
	}
	input, err := fuzzing.ParseFile(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(input) > maxInput {
		return nil, fmt.Errorf("%s: an input of %d bytes is above %d", name, len(input), maxInput)
	}
	return input, nil
}

// rawFile is as fuzzing.SeedFile for libFuzzer.
func rawFile(input []byte) (name, text string) {
	return fmt.Sprintf("%x", sha1.Sum(input)), string(input)
}

// write writes inputs to a folder, and says how many of them were not there.
func write(inputs [][]byte, dir string, file func(input []byte) (name, text string), stdout io.Writer) error {
	added := 0
	for _, input := range inputs {
		name, text := file(input)
		isNew, err := fuzzing.SaveFile(dir, name, text)
		if err != nil {
			return err
		}
		if isNew {
			added++
		}
	}
	_, err := fmt.Fprintf(stdout, "%d of %d inputs are new in %s\n", added, len(inputs), dir)
	return err
}
