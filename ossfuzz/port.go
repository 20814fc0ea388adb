//go:build libfuzzer

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"unsafe"

	"blake2btest"
	"blake2btest/subprocess"
)

// #include <stddef.h>
// #include <stdlib.h>
//
// // Of adapters/c/protocol.h with -DIN_PROCESS; weak, as it may not be there.
// __attribute__((weak)) const char *blake2btest_answer(const char *line, size_t n, size_t *answer_n);
//
// static int linked(void) { return blake2btest_answer != NULL; }
import "C"

// cPort is the port in C that is linked in.
type cPort struct{}

// About returns what the port says of itself.
func (p cPort) About() (name, version string) {
	words, err := p.Answer(blake2btest.Case{Verb: blake2btest.VerbAbout})
	if err != nil {
		fail(err)
	}
	for word := range strings.FieldsSeq(string(words)) {
		switch key, value, _ := strings.Cut(word, "="); key {
		case "name":
			name = value
		case "version":
			version = value
		}
	}
	return name, version
}

// Answer has the port answer a Case.
func (cPort) Answer(c blake2btest.Case) ([]byte, error) {
	line := c.String()
	if len(line) > blake2btest.MaxLine {
		return nil, errors.ErrUnsupported
	}
	request := C.CString(line)
	defer C.free(unsafe.Pointer(request))
	var n C.size_t
	answer := C.blake2btest_answer(request, C.size_t(len(line)), &n)
	return subprocess.ParseAnswer(c, bytes.TrimSuffix(unsafe.Slice((*byte)(unsafe.Pointer(answer)), n), []byte("\n")))
}

// offered is a port that is asked what it offers, and may refuse what it may.
type offered struct{ *blake2btest.Profile }

// linkedPort returns the port in C, if there is one, and says so.
func linkedPort() (p offered, ok bool) {
	if C.linked() == 0 {
		return p, false
	}
	profile, err := blake2btest.Probe(cPort{})
	if err != nil {
		fail(err)
	}
	fmt.Fprintf(os.Stderr, "blake2btest: the port is %s %s\n", profile.Name, profile.Version)
	return offered{profile}, true
}

func (p offered) About() (name, version string) { return p.Name, p.Version }

func (p offered) Answer(c blake2btest.Case) ([]byte, error) {
	if why := p.Lacks(c); why != "" {
		return nil, fmt.Errorf("%s: %w", why, errors.ErrUnsupported)
	}
	out, err := p.Port.Answer(c)
	if err != nil && !blake2btest.IsFault(err) && blake2btest.MayRefuse(c) {
		err = fmt.Errorf("%w: %w", err, errors.ErrUnsupported)
	}
	return out, err
}
