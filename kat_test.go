package blake2btest_test

import (
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"

	"blake2btest"
	"blake2btest/internal/require"
	"blake2btest/internal/xcrypto"
	"blake2btest/variants"
	"blake2btest/vectors"

	"github.com/google/go-cmp/cmp"
)

// ports returns the variants, and x/crypto without its known faults.
func ports() []blake2btest.Port {
	var list []blake2btest.Port
	for _, v := range variants.All {
		list = append(list, blake2btest.Over(v))
	}
	return append(list, xcrypto.Sound{})
}

func portName(p blake2btest.Port) string {
	name, _ := p.(blake2btest.Namer).About()
	return name
}

// unsupported says whether a port may answer so to a line.
func unsupported(name, line string) bool {
	switch name {
	case "xcrypto":
		return true
	case "unrolled":
		// It has twelve rounds. Other cases are a fault.
		return strings.HasPrefix(line, "compress : ") && !strings.HasPrefix(line, "compress : 0000000c") ||
			strings.HasPrefix(line, "compress last=1 : ") && !strings.HasPrefix(line, "compress last=1 : 0000000c")
	}
	return false
}

func TestVectors(t *testing.T) {
	for _, p := range ports() {
		name := portName(p)
		t.Run(name, func(t *testing.T) {
			tested, untested := 0, 0
			for s, v := range vectors.All() {
				if s.Name == "big" || testing.Short() && v.Comment == "EIP-152, 8000000 rounds, final true" {
					continue // TestBig; half a minute under emulation
				}
				got := blake2btest.AnswerLine(p, v.Case)
				word, _, _ := strings.Cut(got, " ")
				switch {
				case word == "unsupported" && unsupported(name, v.Case):
					untested++
					continue
				case word == "error" && v.Answer == "error":
				case got != v.Answer:
					t.Errorf("%s: %s (-want +got)\n%s\tcase %s", s.Name, v.Comment, cmp.Diff(strings.Fields(v.Answer), strings.Fields(got)), v.Case)
				}
				tested++
			}
			t.Logf("%d vectors tested, %d not supported", tested, untested)
			if tested < 1500 {
				t.Errorf("only %d vectors were tested", tested)
			}
		})
	}
}

// TestAccumulated follows the sequences: the random ones up to 10,000 cases, or
// 1,024 in short mode, and to their end if BLAKE2BTEST_REQUIRE lists long.
func TestAccumulated(t *testing.T) {
	most := 10_000
	switch {
	case testing.Short():
		most = 1_024
	case require.Listed("long"):
		most = 1_000_000
	}
	for _, s := range vectors.Sets() {
		for _, a := range s.Accumulated {
			points := slices.DeleteFunc(slices.Clone(a.Checkpoints), func(p vectors.Checkpoint) bool { return p.Cases > most })
			var at []int
			for _, p := range points {
				at = append(at, p.Cases)
			}
			for _, p := range ports() {
				t.Run(a.Name+"/"+portName(p), func(t *testing.T) {
					t.Parallel()
					got, err := blake2btest.Accumulate(p, blake2btest.Sequence(a.Name), a.Size, at)
					if errors.Is(err, errors.ErrUnsupported) && unsupported(portName(p), "") {
						t.Skip(err)
					}
					if err != nil {
						t.Error(err)
					}
					if diff := cmp.Diff(points, got); diff != "" {
						t.Errorf("digests after so many cases (-want +got)\n%s", diff)
					}
				})
			}
		}
	}
}

// TestSequence holds the ends of the sequences that have one.
func TestSequence(t *testing.T) {
	for name, want := range map[string]int{
		"rfc7693": 48, "linux-lengths": 4097, "linux-keys": 65 * 64,
		"keys-0": 65 * 64, "keys-1": 65 * 64, "keys-127": 65 * 64, "keys-128": 65 * 64, "keys-129": 65 * 64,
	} {
		n := 0
		for range blake2btest.Sequence(name) {
			n++
		}
		if n != want {
			t.Errorf("sequence %s has %d cases, want %d", name, n, want)
		}
	}
	if blake2btest.Sequence("keys-2") != nil {
		t.Error("there is a sequence keys-2")
	}
}

// TestBig hashes the messages around 2^29, 2^31 and 2^32 bytes: as each is the
// beginning of the next, all at once for each port.
func TestBig(t *testing.T) {
	if !require.Listed("long") {
		t.Skip("takes a minute (to run it, list long in BLAKE2BTEST_REQUIRE)")
	}
	var big vectors.Set
	for _, s := range vectors.Sets() {
		if s.Name == "big" {
			big = s
		}
	}
	piece := vectors.Cycle(251 * 4096) // the messages have period 251
	for name, mh := range map[string]blake2btest.MakeHash{
		"rolled":   blake2btest.Over(variants.All[0]).New,
		"unrolled": blake2btest.Over(variants.All[1]).New,
		"xcrypto":  xcrypto.Port{}.New,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, err := mh(blake2btest.Params{Size: 64})
			if err != nil {
				t.Fatal(err)
			}
			written := uint64(0)
			for _, v := range big.Vectors {
				c, err := blake2btest.ParseCase(v.Case)
				if err != nil {
					t.Fatal(err)
				}
				length := uint64(0)
				for _, s := range c.Steps {
					length += s.Len()
				}
				for written < length {
					from := written % 251
					n, _ := h.Write(piece[from:min(uint64(len(piece)), from+length-written)])
					written += uint64(n)
				}
				if got := cmp.Diff(v.Answer, "ok "+hex.EncodeToString(h.Sum(nil))); got != "" {
					t.Errorf("%s (-want +got)\n%s", v.Comment, got)
				}
			}
			t.Logf("%d messages, the longest of %d bytes", len(big.Vectors), written)
			if written != 1<<32+129 {
				t.Errorf("the longest message has %d bytes", written)
			}
		})
	}
}
