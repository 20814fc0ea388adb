package xcrypto_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"blake2btest"
	"blake2btest/internal/model"
	"blake2btest/internal/xcrypto"
	"blake2btest/vectors"

	"golang.org/x/crypto/blake2b"
)

// edges are the words around which a counter may go wrong.
func edges() (words []uint64) {
	for _, power := range []int{7, 31, 32, 53, 62, 63} {
		for k := range uint64(9) {
			words = append(words, 1<<power-512+128*k)
		}
	}
	for k := range uint64(9) {
		words = append(words, -(128 * k))
	}
	return words
}

// TestCounterFault states the known fault exactly: on amd64, in the assembly,
// F carries into the high word of the counter in each block whose counter has a
// low word from 2^63 up, and a digest is wrong if that happens in any block of
// its message. All else is right.
func TestCounterFault(t *testing.T) {
	wrong := 0
	check := func(c blake2btest.Case, fault bool) {
		t.Helper()
		want, err := model.Port{}.Answer(c)
		if err != nil {
			t.Fatal(err)
		}
		got, err := xcrypto.Port{}.Answer(c)
		if err != nil {
			t.Fatal(err)
		}
		fault = fault && xcrypto.CounterFault()
		if fault {
			wrong++
		}
		switch equal := bytes.Equal(got, want); {
		case equal && fault:
			t.Errorf("x/crypto is right where its amd64 assembly was wrong: the fault is mended, take it off the lists\n\tcase %s", c)
		case !equal && !fault:
			t.Errorf("x/crypto is wrong beyond its known fault\n\tcase %s\n\tgot  %x\n\twant %x", c, got, want)
		}
		if fault && !xcrypto.Known(c) {
			t.Errorf("Known does not name\n\tcase %s", c)
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	for _, t0 := range edges() {
		for _, t1 := range []uint64{0, 1, 1 << 63, 1<<64 - 1} {
			for _, final := range []byte{0, 1} {
				in := binary.BigEndian.AppendUint32(nil, 12)
				for range 8 + 16 {
					in = binary.LittleEndian.AppendUint64(in, r.Uint64())
				}
				in = binary.LittleEndian.AppendUint64(in, t0)
				in = binary.LittleEndian.AppendUint64(in, t1)
				c := blake2btest.Case{Verb: blake2btest.VerbCompress, Steps: []blake2btest.Step{{Op: blake2btest.OpWrite, Data: append(in, final)}}}
				check(c, t0 >= 1<<63)
			}
			if t1 == 1<<64-1 {
				continue // a message would go beyond 2^128 bytes
			}
			for _, n := range []int{0, 1, 127, 128, 129, 256, 300} {
				c := blake2btest.Case{Verb: blake2btest.VerbSum, Params: blake2btest.Params{Size: 64}, T: [2]uint64{t0, t1}}
				if n > 0 {
					c.Steps = []blake2btest.Step{{Op: blake2btest.OpWrite, Data: vectors.Count(0, n)}}
				}
				fault := false
				for done := 0; ; {
					done = min(done+128, n)
					fault = fault || t0+uint64(done) >= 1<<63
					if done == n {
						break
					}
				}
				check(c, fault && c.T != [2]uint64{})
			}
		}
	}
	t.Logf("in this build the fault is there: %t; %d cases wrong by it", xcrypto.CounterFault(), wrong)
}

// TestStateFault states the other known fault: UnmarshalBinary takes malformed
// states, and a later call panics.
func TestStateFault(t *testing.T) {
	const size, offset = 3 + 64 + 16, 3 + 64 + 16 + 1 + 128
	for _, tt := range []struct {
		name  string
		at    int
		value byte
	}{{"digest length 65", size, 65}, {"200 buffered bytes", offset, 200}} {
		h, err := blake2b.New512(nil)
		if err != nil {
			t.Fatal(err)
		}
		m := h.(interface {
			MarshalBinary() ([]byte, error)
			UnmarshalBinary([]byte) error
		})
		state, err := m.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		state[tt.at] = tt.value
		err = m.UnmarshalBinary(state)
		panicked := func() (r any) {
			defer func() { r = recover() }()
			h.Sum(nil)
			return nil
		}()
		if err != nil || panicked == nil {
			t.Errorf("a state with %s: error %v, then panic %v: the fault is mended, take it off the lists", tt.name, err, panicked)
		}
	}
}

func TestAnswer(t *testing.T) {
	p := xcrypto.Port{}
	for _, tt := range []struct {
		line        string
		unsupported bool
	}{
		{"sum size=65 : 61", false},
		{"sum size=0 : 61", false},
		{"sum key=" + fmt.Sprintf("%x", make([]byte, 65)), false},
		{"sum salt=00", true},
		{"sum person=00", true},
		{"sum tree=1,1,0,0,0,0,0", true},
		{"sum : clone", true},
		{"sum key=00 : save", true},
		{"compress last=1 : 0000000c" + fmt.Sprintf("%x", make([]byte, 209)), true},
		{"compress : 00*213", true},
		{"compress : 00", true},
		{"xof size=4294967294", true},
		{"about", true},
	} {
		c, err := blake2btest.ParseCase(tt.line)
		if err != nil {
			t.Fatal(err)
		}
		if out, err := p.Answer(c); err == nil || errors.Is(err, errors.ErrUnsupported) != tt.unsupported {
			t.Errorf("%s: %x, %v; want an error, unsupported %t", tt.line, out, err, tt.unsupported)
		}
	}
	// A test binary does not know the versions of its modules.
	if got := blake2btest.AnswerLine(p, "about"); !strings.HasPrefix(got, "ok name=xcrypto version=") {
		t.Errorf("about: %s", got)
	}
}
