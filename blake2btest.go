// Package blake2btest tests implementations of BLAKE2b (RFC 7693), in Go and in
// other languages, on any architecture.
//
// What to compute is a [Case], which has a text form of one line; whoever
// computes it is a [Port]. [Over] makes a Port with every parameter of BLAKE2b
// of a compression function, such as those of package variants. Package vectors
// holds answers that anybody can use.
//
// What must hold of a Port is a [Check]; CHECKS.md lists them. [TestHash] runs
// them on a Go implementation, [TestPort] on any Port, [Run] outside of a test.
// Package subprocess makes a Port of a program in any language, and the command
// blake2btest checks one. Import blake2btest/mutants for its side effect to have
// the likely cause of a failure named.
//
// It is not a library for hashing: use golang.org/x/crypto/blake2b. The truth
// about BLAKE2b is in RFC 7693, in the paper "BLAKE2: simpler, smaller, fast as
// MD5" of 2013 for salt, personalization and trees, and in the paper "BLAKE2X"
// of 2016 for outputs of any length.
package blake2btest

import (
	"strings"
	"testing"

	"blake2btest/variants"
)

//go:generate go test -run=^TestChecks$ . -generate

// TestHash tests a Go implementation: every check is a subtest, those on the
// conduct of a hash.Hash included. What the implementation does not offer is
// skipped, with the reason. The checks are those of level full, or quick in
// short mode, unless options are given.
func TestHash(t *testing.T, mh MakeHash, o ...Options) {
	t.Helper()
	TestPort(t, mh, o...)
}

// TestCompressor tests a compression function: every check is a subtest, on the
// BLAKE2b that [Over] makes of it.
func TestCompressor(t *testing.T, c variants.Compressor, o ...Options) {
	t.Helper()
	TestPort(t, Over(variants.Variant{Name: "compressor", Compress: c}), o...)
}

// TestPort tests a port: every check is a subtest. It fails at once if the port
// answers nothing.
func TestPort(t *testing.T, p Port, o ...Options) {
	t.Helper()
	options := Options{Level: Full}
	if testing.Short() {
		options.Level = Quick
	}
	if len(o) > 0 {
		options = o[0]
	}
	profile, err := Probe(p)
	if err != nil {
		t.Fatal(err)
	}
	s := profile.session(options)
	for _, c := range s.checks {
		t.Run(c.Name, func(t *testing.T) {
			switch r := s.run(c); r.Outcome {
			case Fail:
				t.Error(r)
			case Known:
				t.Log(r)
			case Untested:
				t.Skip(r.Reason)
			default:
				t.Log(strings.Join(append(r.Behaviour, r.String()), "\n"))
			}
		})
	}
}
