package main

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"

	"blake2btest"
	"blake2btest/vectors"
)

// A flat vector is one without a program of steps: a message, and parameters as
// bytes, for those who have no parser of Cases.
type flat struct {
	blake2btest.Case
	set      vectors.Set
	comment  string
	message  []byte
	answer   []byte // nil: to be refused
	optional bool   // may be refused, too
}

// maxFlat is the length of the longest message of a flat vector.
const maxFlat = 1 << 20

// flatVectors returns the vectors of a verb, but for those that are too long,
// and those whose values no field can hold.
func flatVectors(verb blake2btest.Verb) []flat {
	var list []flat
	for set, v := range vectors.All() {
		c, err := blake2btest.ParseCase(v.Case)
		if err != nil || c.Verb != verb || messageLen(c) > maxFlat {
			continue
		}
		f := flat{Case: c, set: set, comment: cmp.Or(v.Comment, set.Name), message: []byte{}, optional: optional(c)}
		for _, s := range c.Steps {
			f.message = append(f.message, bytes.Repeat(s.Data, int(max(s.Count, 1)))...)
		}
		if digest, ok := strings.CutPrefix(v.Answer, "ok "); ok {
			f.answer, err = hex.DecodeString(digest)
			if err != nil {
				panic(fmt.Sprintf("vectors: %s: %v", v.Case, err)) // embedded: a test looks at each
			}
		}
		list = append(list, f)
	}
	return list
}

func messageLen(c blake2btest.Case) (n uint64) {
	for _, s := range c.Steps {
		n += s.Len()
	}
	return n
}

// optional says whether a port may refuse a case, and must not answer anything
// else.
func optional(c blake2btest.Case) bool {
	switch {
	case c.Key != nil && len(c.Key) == 0,
		len(c.Salt)%blake2btest.MaxSaltSize != 0,
		len(c.Person)%blake2btest.MaxPersonSize != 0,
		c.Key != nil && (c.Salt != nil || c.Person != nil || c.Tree != nil):
		return true
	}
	// The paper excludes these, and the parameter block holds them.
	return c.Tree != nil && (c.Tree.MaxDepth == 0 || c.Tree.InnerSize > blake2btest.MaxSize)
}

// counter returns the 16 bytes of T, or nil if it is 0.
func (f flat) counter() []byte {
	if f.T == [2]uint64{} {
		return nil
	}
	b := binary.LittleEndian.AppendUint64(nil, f.T[0])
	return binary.LittleEndian.AppendUint64(b, f.T[1])
}

// block returns the parameter block, or nil if there is none.
func (f flat) block() []byte {
	b, err := f.Block()
	if err != nil {
		return nil
	}
	return b[:]
}

// outputLen returns the length of a xof's output, and whether it is known to the port in
// advance.
func (f flat) outputLen() (n uint64, known bool) {
	if f.Read != 0 {
		return f.Read, false
	}
	return uint64(f.Size), true
}
