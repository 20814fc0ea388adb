package mutants

import (
	"context"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"blake2btest"
	"blake2btest/internal/require"

	"github.com/google/go-cmp/cmp"
)

// idle are checks that kill no mutant, and why they are there.
var idle = map[string]string{
	"limits/tree-fields":                 "asks lines, which no mutant can be asked",
	"parameters/keys-and-digest-lengths": "exhaustive, where cheaper checks kill",
	"splits/three-parts":                 "exhaustive, where cheaper checks kill",
	"counter/every-length":               "exhaustive, where cheaper checks kill",
	"counter/large-writes":               "exhaustive, where cheaper checks kill",
	"go/xof":                             "the mutants have no NewXOF",
	"go/allocations":                     "tells, and fails nothing",
}

var generate = flag.Bool("generate", false, "write kills.txt")

// TestScore: every mutant dies at level full, the control lives, and every check
// kills.
func TestScore(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	s, err := Run(context.Background(), blake2btest.Full, nil)
	if err != nil {
		t.Fatal(err)
	}
	killed := make(map[string]int)
	for _, r := range s.Rows {
		m := r.Mutant
		switch dead := r.Killed[Everything]; {
		case m.Control && dead:
			t.Errorf("the control %s is killed", m.Name)
		case !m.Control && !m.Long && !dead:
			t.Errorf("%s survives: %s", m.Name, m.Bug)
		}
		for i, c := range r.Cells {
			if c == Dead {
				killed[s.Checks[i].Name]++
			}
		}
	}
	switch got := s.record(); {
	case *generate:
		if err := os.WriteFile("kills.txt", []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	case got != kills:
		t.Errorf("kills.txt is not what the checks kill (-file +run): go generate ./mutants\n%s", cmp.Diff(strings.Split(kills, "\n"), strings.Split(got, "\n")))
	}
	for _, c := range s.Checks {
		if why, ok := idle[c.Name]; ok == (killed[c.Name] > 0) {
			t.Errorf("%s kills %d mutants; listed as idle: %q", c.Name, killed[c.Name], why)
		}
	}
	union := s.Published[len(s.Published)-1]
	t.Logf("%d mutants; the checks kill %d, all published vectors %d", len(All), count(s, Everything), len(union.Killed))
	if count(s, Everything) < len(union.Killed) {
		t.Errorf("published vectors kill more than the checks")
	}
}

func count(s *Score, p Profile) (n int) {
	for _, r := range s.Rows {
		if r.Killed[p] {
			n++
		}
	}
	return n
}

// TestLong: level long kills what a message can reach, in profile streaming, and
// single writes of gigabytes.
func TestLong(t *testing.T) {
	if !require.Listed("long") {
		t.Skip("takes minutes (to run it, list long in BLAKE2BTEST_REQUIRE)")
	}
	o := blake2btest.Options{Level: blake2btest.Long, Budget: 1 << 50, Terse: true}
	for _, m := range All {
		reachable := slices.Contains([]string{"counter-32-bits", "counter-int32", "counter-31-bits", "counter-bits-32", "counter-bits-int32"}, m.Name)
		if !reachable && !m.Long {
			continue
		}
		t.Run(m.Name, func(t *testing.T) {
			check, port := "answers/gigabytes", blake2btest.Port(limited{m.Port, Streaming})
			if m.Long {
				check, port = "go/one-write", m.Port
			}
			profile, err := blake2btest.Probe(port)
			if err != nil {
				t.Fatal(err)
			}
			for c, run := range profile.Runs(o) {
				if c.Name == check {
					if r := run(); r.Outcome != blake2btest.Fail {
						t.Errorf("%s survives %s: %s", m.Name, check, r)
					}
				}
			}
		})
	}
}

func TestProfiles(t *testing.T) {
	for _, tt := range []struct {
		line               string
		oneShot, streaming bool
	}{
		{"sum", true, true},
		{"sum size=20 key=00 : 61*1000", true, true},
		{"sum : 61 62", false, true},
		{"sum : 61 sum reset 62", false, true},
		{"sum : 61 clone 62", false, false},
		{"sum salt=00 : 61", false, false},
		{"sum t=80000000000000000000000000000000", false, false},
		{"compress : 00", false, false},
	} {
		c, err := blake2btest.ParseCase(tt.line)
		if err != nil {
			t.Fatal(err)
		}
		if OneShot.Has(c) != tt.oneShot || Streaming.Has(c) != tt.streaming || !Everything.Has(c) {
			t.Errorf("%s: one-shot %t, streaming %t; want %t, %t", tt.line, OneShot.Has(c), Streaming.Has(c), tt.oneShot, tt.streaming)
		}
	}
}

// TestMinimal: a few vectors kill most, each more than the one before, and are
// what Kills says they are.
func TestMinimal(t *testing.T) {
	var targets []*Mutant
	for i := range All {
		if !All[i].Control {
			targets = append(targets, &All[i])
		}
	}
	var set []Vector
	killed := 0
	for _, p := range Minimal(5, Candidates()[:300], targets) {
		if p.Killed <= killed {
			t.Errorf("%s kills nothing new", p.Case)
		}
		killed = p.Killed
		set = append(set, p.Vector)
	}
	dead, alive := Kills(set)
	if len(dead) != killed || len(dead)+len(alive) != len(targets) || killed < len(targets)/3 {
		t.Errorf("Minimal says %d, Kills %d of %d", killed, len(dead), len(targets))
	}
}

func TestNewVector(t *testing.T) {
	for _, tt := range []struct{ line, answer, want string }{
		{"sum : 616263", "", ""},
		{"sum size=2 : 61", "ok 1e1b", ""},
		{"sum size=65", "error", ""},
		{"sum size=65", "ok 00", `the answer "ok 00" is wrong: it is "error"`},
		{"sum size=2 : 61", "ok 1e1c", `the answer "ok 1e1c" is wrong: it is "ok 1e1b"`},
		{"hash", "", `verb "hash": unsupported operation`},
	} {
		_, err := NewVector(tt.line, tt.answer)
		if err == nil && tt.want != "" || err != nil && err.Error() != tt.want {
			t.Errorf("NewVector(%q, %q): %v; want %q", tt.line, tt.answer, err, tt.want)
		}
	}
}
