package mutants

import (
	"bytes"
	"encoding"
	"flag"
	"hash"
	"math"
	"testing"

	"blake2btest"
	"blake2btest/vectors"
)

var big = flag.Bool("big", false, "probe mutants with writes of 4 GiB, too")

// A probe says whether hashes misbehave in a way that no case shows.
type probe func(t *testing.T, mh blake2btest.MakeHash) bool

// check probes hashes of mh, and of the right recipe.
func (misbehaves probe) check(t *testing.T, mh blake2btest.MakeHash) {
	if !misbehaves(t, mh) {
		t.Error("the probe does not show that it is wrong")
	}
	if misbehaves(t, right().New) {
		t.Error("the probe shows the right recipe to be wrong")
	}
}

var probes = map[string]probe{
	"sum-overwrites-prefix": func(t *testing.T, mh blake2btest.MakeHash) bool {
		return string(newHash(t, mh).Sum([]byte("prefix"))[:6]) != "prefix"
	},
	"sum-drops-prefix": func(t *testing.T, mh blake2btest.MakeHash) bool {
		return len(newHash(t, mh).Sum([]byte("prefix"))) != 6+32
	},
	"sum-writes-behind-digest": func(t *testing.T, mh blake2btest.MakeHash) bool {
		b := bytes.Repeat([]byte{1}, 100)
		newHash(t, mh).Sum(b[:0])
		return bytes.IndexByte(b, 0) >= 32
	},
	"size-64":       size32,
	"size-in-bits":  size32,
	"block-size-64": block128,
	"block-size-0":  block128,
	"write-wipes-input": func(t *testing.T, mh blake2btest.MakeHash) bool {
		return writeChanges(t, mh, 1)
	},
	"write-swaps-input": func(t *testing.T, mh blake2btest.MakeHash) bool {
		return writeChanges(t, mh, 300)
	},
	"write-keeps-input": func(t *testing.T, mh blake2btest.MakeHash) bool {
		p := []byte("input")
		h := newHash(t, mh)
		h.Write(p)
		clear(p)
		want := newHash(t, mh)
		want.Write([]byte("input"))
		return !bytes.Equal(h.Sum(nil), want.Sum(nil))
	},
	"key-kept-by-reference": func(t *testing.T, mh blake2btest.MakeHash) bool {
		key := []byte("key")
		return resetChanges(t, mh, blake2btest.Params{Size: 32, Key: key}, key)
	},
	"salt-kept-by-reference": func(t *testing.T, mh blake2btest.MakeHash) bool {
		salt := []byte("salt")
		return resetChanges(t, mh, blake2btest.Params{Size: 32, Salt: salt}, salt)
	},
	"reset-leaves-secrets": func(t *testing.T, mh blake2btest.MakeHash) bool {
		h := newHash(t, mh)
		h.Write([]byte("secret"))
		h.Reset()
		return bytes.Contains(export(t, h), []byte("secret"))
	},
	"import-short-accepted": func(t *testing.T, mh blake2btest.MakeHash) bool {
		b := export(t, newHash(t, mh))
		return imports(t, mh, b[:len(b)-1])
	},
	"import-long-accepted": func(t *testing.T, mh blake2btest.MakeHash) bool {
		return imports(t, mh, append(export(t, newHash(t, mh)), 0))
	},
	"import-unchecked": func(t *testing.T, mh blake2btest.MakeHash) bool {
		return imports(t, mh, bytes.Repeat([]byte{0xff}, stateSize))
	},
	"write-length-int32":       func(t *testing.T, mh blake2btest.MakeHash) bool { return ignores(t, mh, 0, 1<<31) },
	"write-length-32-bits":     func(t *testing.T, mh blake2btest.MakeHash) bool { return ignores(t, mh, 0, 1<<32) },
	"write-length-sum-32-bits": func(t *testing.T, mh blake2btest.MakeHash) bool { return ignores(t, mh, 1, 1<<32-1) },
}

// newHash is a hash with digests of 32 bytes.
func newHash(t *testing.T, mh blake2btest.MakeHash) hash.Hash {
	h, err := mh(blake2btest.Params{Size: 32})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func size32(t *testing.T, mh blake2btest.MakeHash) bool { return newHash(t, mh).Size() != 32 }

func block128(t *testing.T, mh blake2btest.MakeHash) bool { return newHash(t, mh).BlockSize() != 128 }

func writeChanges(t *testing.T, mh blake2btest.MakeHash, n int) bool {
	p := vectors.Count(1, n)
	newHash(t, mh).Write(p)
	return !bytes.Equal(p, vectors.Count(1, n))
}

// resetChanges says whether a hash that is reset after memory of its parameters
// was cleared gives another digest.
func resetChanges(t *testing.T, mh blake2btest.MakeHash, p blake2btest.Params, memory []byte) bool {
	h, err := mh(p)
	if err != nil {
		t.Fatal(err)
	}
	want := h.Sum(nil)
	clear(memory)
	h.Reset()
	return !bytes.Equal(h.Sum(nil), want)
}

func export(t *testing.T, h hash.Hash) []byte {
	b, err := h.(encoding.BinaryMarshaler).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// imports says whether a hash accepts a state.
func imports(t *testing.T, mh blake2btest.MakeHash, b []byte) bool {
	return newHash(t, mh).(encoding.BinaryUnmarshaler).UnmarshalBinary(b) == nil
}

// ignores says whether, after a write of before bytes, a long one changes
// nothing. What is never written to takes no memory.
func ignores(t *testing.T, mh blake2btest.MakeHash, before int, n uint64) bool {
	if !*big || n > math.MaxInt {
		t.Skip("needs a write of 2 GiB: -big")
	}
	h := newHash(t, mh)
	h.Write(make([]byte, before))
	short := h.Sum(nil)
	h.Write(make([]byte, n))
	return bytes.Equal(h.Sum(nil), short)
}
