package fuzzing

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

const seedMagic = "go test fuzz v1\n"

// SeedFile returns the name and the text of the file that go test keeps an input
// in, below testdata/fuzz.
func SeedFile(input []byte) (name, text string) {
	text = fmt.Sprintf(seedMagic+"[]byte(%q)\n", input)
	return fmt.Sprintf("%.8x", sha256.Sum256([]byte(text))), text
}

// ParseFile returns the input in a file of any engine: one as SeedFile makes it, or
// else the bytes themselves.
func ParseFile(data []byte) ([]byte, error) {
	rest, ok := bytes.CutPrefix(data, []byte(seedMagic))
	if !ok {
		return data, nil
	}
	line := bytes.TrimSpace(rest)
	literal, ok1 := bytes.CutPrefix(line, []byte("[]byte("))
	literal, ok2 := bytes.CutSuffix(literal, []byte(")"))
	input, err := strconv.Unquote(string(literal))
	if !ok1 || !ok2 || err != nil || literal[0] == '\'' {
		return nil, fmt.Errorf("line 2 is %.60q, not []byte(\"…\") alone", line)
	}
	return []byte(input), nil
}

// SaveFile writes a file whose name is a hash of its text, in a folder that it makes
// if need be. It says whether the file is new. One that is there with other contents
// stays as it is: that is an error.
func SaveFile(dir, name, text string) (added bool, err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return false, err
	}
	name = filepath.Join(dir, name)
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		if old, err := os.ReadFile(name); err != nil || string(old) != text {
			return false, fmt.Errorf("%s is there with other contents, and stays as it is", name)
		}
		return false, nil
	}
	if err != nil {
		return false, err
	}
	_, err = io.WriteString(file, text)
	return true, errors.Join(err, file.Close())
}
