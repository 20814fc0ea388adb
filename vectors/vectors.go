// Package vectors embeds the test vectors of BLAKE2b and BLAKE2Xb: published
// ones and what those leave open. README.md says how to use the files in any
// language, PROVENANCE.md where each value comes from and who confirms it. They
// are in the public domain (CC0, see LICENSE).
package vectors

import (
	"embed"
	"encoding/json"
	"fmt"
	"iter"
	"sync"
)

//go:generate go test ../internal/vectorgen -generate

//go:embed *.json
var files embed.FS

// Schema is the version of the form of the files, which schema.json describes.
const Schema = 1

// A Set is one file.
type Set struct {
	Schema  int    `json:"schema"`
	Name    string `json:"name"`    // of the file, without .json
	Title   string `json:"title"`   // what it holds
	Source  string `json:"source"`  // where inputs and answers were published, or that they are this project's
	License string `json:"license"` // SPDX identifier
	Command string `json:"command"` // what wrote the file

	Vectors     []Vector      `json:"vectors,omitempty"`
	Accumulated []Accumulated `json:"accumulated,omitempty"`
	Rounds      []Rounds      `json:"rounds,omitempty"`
}

// A Vector is a request line of the protocol with its answer line; the answer
// "error" stands for any refusal.
type Vector struct {
	Comment string `json:"comment,omitempty"`
	Case    string `json:"case"`
	Answer  string `json:"answer"`
}

// Accumulated is a sequence of cases whose digests are hashed, one after the
// other, into one BLAKE2b without a key.
type Accumulated struct {
	Name        string       `json:"name"`
	Loop        []string     `json:"loop"` // the sequence, as pseudocode
	Size        int          `json:"size"` // digest bytes of the outer hash
	Checkpoints []Checkpoint `json:"checkpoints"`
}

// A Checkpoint is the outer digest after so many cases, in hex.
type Checkpoint struct {
	Cases  int    `json:"cases"`
	Digest string `json:"digest"`
}

// Rounds is one call of F with its working vector before the first round and
// after each: twelve rounds make thirteen vectors of sixteen words, each word
// the hex digits of the number.
type Rounds struct {
	Case string       `json:"case"` // a compress
	V    [][16]string `json:"v"`
	H    [8]string    `json:"h"` // the state afterwards
}

// Sets returns all files, in order of their names.
func Sets() []Set { return sets() }

var sets = sync.OnceValue(func() []Set {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err)
	}
	var sets []Set
	for _, e := range entries {
		if e.Name() == "schema.json" {
			continue
		}
		data, err := files.ReadFile(e.Name())
		if err != nil {
			panic(err)
		}
		var s Set
		if err := json.Unmarshal(data, &s); err != nil {
			panic(fmt.Sprintf("vectors: %s: %v", e.Name(), err)) // embedded: a test looks at each
		}
		sets = append(sets, s)
	}
	return sets
})

// All returns every vector of every set.
func All() iter.Seq2[Set, Vector] {
	return func(yield func(Set, Vector) bool) {
		for _, s := range Sets() {
			for _, v := range s.Vectors {
				if !yield(s, v) {
					return
				}
			}
		}
	}
}

// Count returns n bytes that count from first up, 255 being followed by 0: the
// messages and keys of the official vectors.
func Count(first, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(first + i)
	}
	return b
}

// Cycle returns n bytes of which byte i is i mod 251. As 251 is a prime, no two
// blocks of a message are alike.
func Cycle(n int) []byte {
	b := make([]byte, n)
	for i := range min(n, 251) {
		b[i] = byte(i)
	}
	for i := 251; i < n; i *= 2 {
		copy(b[i:], b[:i])
	}
	return b
}

// Fibonacci returns n bytes of the generator of RFC 7693, Appendix E, which is
// seeded with n.
func Fibonacci(n int) []byte {
	x, y := 0xDEAD4BAD*uint32(n), uint32(1)
	b := make([]byte, n)
	for i := range b {
		x, y = y, x+y
		b[i] = byte(y >> 24)
	}
	return b
}

// Linear returns n bytes of the congruential generator of the Linux kernel's
// hash tests, which is seeded with n.
func Linear(n int) []byte {
	s := uint64(n)
	b := make([]byte, n)
	for i := range b {
		s = (s*25214903917 + 11) & (1<<48 - 1)
		b[i] = byte(s >> 16)
	}
	return b
}
