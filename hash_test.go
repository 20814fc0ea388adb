package blake2btest_test

import (
	"bytes"
	"encoding"
	"fmt"
	"hash"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"blake2btest"
	"blake2btest/variants"
	"blake2btest/vectors"
)

// fullHash is what the hashes of Over can do.
type fullHash interface {
	hash.Cloner
	encoding.BinaryMarshaler
	encoding.BinaryAppender
	encoding.BinaryUnmarshaler
	blake2btest.CounterSetter
}

func newHash(t testing.TB, v variants.Variant, p blake2btest.Params) fullHash {
	t.Helper()
	h, err := blake2btest.Over(v).New(p)
	if err != nil {
		t.Fatal(err)
	}
	return h.(fullHash)
}

// stateParams are parameters of all kinds.
var stateParams = []blake2btest.Params{
	{Size: 64},
	{Size: 1, Key: vectors.Count(1, 64)},
	{Size: 20, Salt: vectors.Count(1, 16), Person: vectors.Count(33, 7)},
	{Size: 32, Key: []byte{0}, Salt: []byte{1}, Tree: &blake2btest.Tree{Fanout: 2, MaxDepth: 3, LeafSize: 4, NodeOffset: 5, NodeDepth: 6, InnerSize: 7, LastNode: true}},
}

func exported(t testing.TB, p blake2btest.Params, n int) []byte {
	t.Helper()
	h := newHash(t, variants.Default(), p)
	h.Write(vectors.Count(0, n))
	state, err := h.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// checkState: a hash that imported a state exports it again, and can be used.
func checkState(t *testing.T, h fullHash, state []byte) {
	t.Helper()
	again, err := h.AppendBinary([]byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	if want := append([]byte("x"), state...); !bytes.Equal(again, want) {
		t.Errorf("an imported state is exported as\n%x; want\n%x", again, want)
	}
	h.Write(make([]byte, 300))
	if n := len(h.Sum(nil)); n != h.Size() {
		t.Errorf("digest of %d bytes, want %d", n, h.Size())
	}
	h.Reset()
	h.Sum(nil)
}

func TestUnmarshal(t *testing.T) {
	for _, p := range stateParams {
		for _, n := range []int{0, 1, 127, 128, 129, 300} {
			state := exported(t, p, n)
			h := newHash(t, variants.All[0], blake2btest.Params{Size: 64})
			if err := h.UnmarshalBinary(state); err != nil {
				t.Fatal(err)
			}
			want := newHash(t, variants.All[1], p)
			want.Write(vectors.Count(0, n))
			if got, want := h.Sum(nil), want.Sum(nil); !bytes.Equal(got, want) {
				t.Errorf("%s, %d bytes: digest after import is %x, want %x", sum(p, nil), n, got, want)
			}
			h.Reset()
			want.Reset()
			if got, want := h.Sum(nil), want.Sum(nil); !bytes.Equal(got, want) {
				t.Errorf("%s, %d bytes: digest after import and reset is %x, want %x", sum(p, nil), n, got, want)
			}
			h.UnmarshalBinary(state)
			checkState(t, h, state)
		}
	}
}

func TestUnmarshalErrors(t *testing.T) {
	// Offsets in the state, as hash.go lays it out.
	const params, last, key, counter, n, buf = 8, 72, 73, 201, 217, 218
	state := exported(t, blake2btest.Params{Size: 64, Key: []byte("k")}, 129)
	for _, tt := range []struct {
		name   string
		change func(s []byte) []byte
		want   string
	}{
		{"empty", func(s []byte) []byte { return nil }, "state of 0 bytes is not 346"},
		{"short", func(s []byte) []byte { return s[:345] }, "state of 345 bytes is not 346"},
		{"long", func(s []byte) []byte { return append(s, 0) }, "state of 347 bytes is not 346"},
		{"magic", func(s []byte) []byte { s[7] = 2; return s }, `state begins with "blake2b\x02", not "blake2b\x01"`},
		{"size 0", func(s []byte) []byte { s[params] = 0; return s }, "state: digest length 0 is not from 1 to 64"},
		{"size 65", func(s []byte) []byte { s[params] = 65; return s }, "state: digest length 65 is not from 1 to 64"},
		{"key length", func(s []byte) []byte { s[params+1] = 65; return s }, "state: key length 65 is above 64"},
		{"reserved", func(s []byte) []byte { s[params+31] = 1; return s }, "state: reserved parameters 0000000000000000000000000001 are not zero"},
		{"last", func(s []byte) []byte { s[last] = 2; return s }, "state: last node flag 2 is above 1"},
		{"key", func(s []byte) []byte { s[key+1] = 1; return s }, "state: key is not zero beyond its 1 bytes"},
		{"counter", func(s []byte) []byte { s[counter]++; return s }, "state: counter 257 is not a multiple of 128"},
		{"n", func(s []byte) []byte { s[n] = 129; return s }, "state: 129 buffered bytes are above 128"},
		{"buffer", func(s []byte) []byte { s[n] = 1; s[buf+1] = 7; return s }, "state: buffer is not zero beyond its 1 bytes"},
	} {
		h := newHash(t, variants.Default(), blake2btest.Params{Size: 32})
		h.Write([]byte("before"))
		want := h.Sum(nil)
		err := h.UnmarshalBinary(tt.change(bytes.Clone(state)))
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s: error %v, want %s", tt.name, err, tt.want)
		}
		if got := h.Sum(nil); !bytes.Equal(got, want) {
			t.Errorf("%s: a refused state changed the hash", tt.name)
		}
	}
}

func TestSetCounter(t *testing.T) {
	h := newHash(t, variants.Default(), blake2btest.Params{Size: 64})
	if err := h.SetCounter([2]uint64{1, 0}); err == nil || err.Error() != "counter 1 is not a multiple of 128" {
		t.Errorf("counter 1: %v", err)
	}
	h.Write([]byte{1})
	if err := h.SetCounter([2]uint64{128, 0}); err == nil || err.Error() != "a counter to start from was set after a write" {
		t.Errorf("counter after a write: %v", err)
	}
	keyed := newHash(t, variants.Default(), blake2btest.Params{Size: 64, Key: []byte{1}})
	if err := keyed.SetCounter([2]uint64{128, 0}); err == nil || err.Error() != "a counter to start from takes no key" {
		t.Errorf("counter of a keyed hash: %v", err)
	}
}

func TestAllocations(t *testing.T) {
	for _, v := range variants.All {
		h := newHash(t, v, blake2btest.Params{Size: 64, Key: []byte("key")})
		p, buf := make([]byte, 1000), make([]byte, 0, 64)
		if n := testing.AllocsPerRun(10, func() {
			h.Write(p)
			buf = h.Sum(buf[:0])
		}); n != 0 {
			t.Errorf("%s: Write and Sum make %v allocations, want 0", v.Name, n)
		}
	}
}

func TestXOF(t *testing.T) {
	b := blake2btest.Over(variants.Default())
	x, err := b.NewXOF(1000, []byte("key"))
	if err != nil {
		t.Fatal(err)
	}
	x.Write([]byte("abc"))
	want, err := io.ReadAll(x)
	if err != nil || len(want) != 1000 {
		t.Fatalf("read %d bytes, %v; want 1000", len(want), err)
	}
	if n, err := x.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("Read at the end = %d, %v; want 0, EOF", n, err)
	}
	func() {
		defer func() {
			if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), "Write to a XOF after Read") {
				t.Errorf("Write after Read: recovered %v", r)
			}
		}()
		x.Write(nil)
	}()
	// The same bytes, in reads of any length, after a reset.
	r := rand.New(rand.NewPCG(1, 3))
	for range 20 {
		x.Reset()
		x.Write([]byte("a"))
		x.Write([]byte("bc"))
		var got []byte
		for len(got) < 1000 {
			p := make([]byte, r.IntN(200))
			n, err := x.Read(p)
			if err != nil || n != min(len(p), 1000-len(got)) {
				t.Fatalf("Read of %d bytes = %d, %v", len(p), n, err)
			}
			got = append(got, p[:n]...)
		}
		if !bytes.Equal(got, want) {
			t.Fatal("reads of other lengths give other bytes")
		}
	}
	if _, err := b.NewXOF(0, nil); err == nil || err.Error() != "xof length 0 is below 1" {
		t.Errorf("NewXOF(0): %v", err)
	}
	if _, err := b.NewXOF(1, make([]byte, 65)); err == nil || err.Error() != "key length 65 is above 64" {
		t.Errorf("NewXOF with a key of 65 bytes: %v", err)
	}
}

// TestMetadata: a hash says its sizes, and copies are independent.
func TestMetadata(t *testing.T) {
	h := newHash(t, variants.Default(), blake2btest.Params{Size: 20})
	if h.Size() != 20 || h.BlockSize() != 128 {
		t.Errorf("Size %d, BlockSize %d; want 20, 128", h.Size(), h.BlockSize())
	}
	h.Write([]byte("a"))
	c, err := h.Clone()
	if err != nil {
		t.Fatal(err)
	}
	want := h.Sum([]byte("prefix"))
	c.Write([]byte("b"))
	if got := h.Sum([]byte("prefix")); !bytes.Equal(got, want) || !bytes.HasPrefix(got, []byte("prefix")) || len(got) != 26 {
		t.Errorf("after a write to its copy: %x, want %x", got, want)
	}
}

// TestPieces: writes above 2^27 bytes are fed in pieces, which changes nothing.
func TestPieces(t *testing.T) {
	if testing.Short() {
		t.Skip("hashes 400 MB")
	}
	p := blake2btest.Over(variants.Default())
	one := blake2btest.AnswerLine(p, "sum : 616263*45000000")
	two := blake2btest.AnswerLine(p, "sum : 616263*20000000 616263*25000000")
	if one != two || !strings.HasPrefix(one, "ok ") {
		t.Errorf("in one write %s, in two %s", one, two)
	}
}
