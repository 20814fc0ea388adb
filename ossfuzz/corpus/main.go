/*
Command corpus turns the inputs of one fuzz engine into those of another, and
into Cases to read.

	corpus raw in... out         for libFuzzer: a file is the input's bytes, its name their SHA-1
	corpus go in... out          for go test -fuzz, whose folder is testdata/fuzz/FuzzName
	corpus case class in...      prints each input as one line

in is a file or a folder of them, of either engine; a class is compress, hash,
params or any, as internal/fuzzing says. blake2btest vectors -format corpus writes
the inputs to begin with. Files that are in the folder out stay as
they are. Exit status: 0 done, 1 not, and stderr says why.
*/
package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"blake2btest/internal/fuzzing"
)

//go:embed main.go
var source string

// manual is the package comment.
func manual() string {
	text, _, _ := strings.Cut(source, "*/")
	return strings.TrimPrefix(text, "/*\n")
}

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout io.Writer) error {
	if len(args) == 1 && strings.TrimLeft(args[0], "-") == "h" {
		_, err := io.WriteString(stdout, manual())
		return err
	}
	if len(args) < 3 {
		return fmt.Errorf("want a verb and two arguments or more, not %q: corpus -h prints how it is used", args)
	}
	verb, args := args[0], args[1:]
	last := len(args) - 1
	switch verb {
	case "raw":
		return convert(args[:last], args[last], rawFile, stdout)
	case "go":
		return convert(args[:last], args[last], fuzzing.SeedFile, stdout)
	case "case":
		class, ok := fuzzing.Classes[args[0]]
		if !ok {
			return fmt.Errorf("there is no class %q", args[0])
		}
		inputs, err := read(args[1:])
		for _, input := range inputs {
			fmt.Fprintln(stdout, fuzzing.Decode(input, class))
		}
		return err
	}
	return fmt.Errorf("there is no verb %q", verb)
}

// convert writes what can be read, also where something else cannot.
func convert(in []string, out string, file func(input []byte) (name, text string), stdout io.Writer) error {
	inputs, err := read(in)
	return errors.Join(err, write(inputs, out, file, stdout))
}
