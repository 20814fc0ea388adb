package mutants

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"blake2btest"
	"blake2btest/internal/model"
	"blake2btest/variants"
	"blake2btest/vectors"
)

// special are cases for faults that the vectors and 1,000 random cases leave
// alive.
var special = []string{
	"sum key=30 : 61",        // the digit 0
	"sum size=0 key=00 : 61", // refused without a key, too
	"sum size=0 : 616263",
	"sum : 61*32768",
	"sum : 61 61*65535",
	"sum : 61*65536",
	"sum : 00*65536720",
	"sum key=01020300 : 61 clone swap reset 62",
	"sum salt=01 : 61 clone swap reset 62",
	"sum t=00000000000000000100000000000000 : clone swap 61",
	"xof size=20000 : 61",
	fmt.Sprintf("compress : 00010001%x01", vectors.Count(0, 208)),
}

// question is a case with the right answer.
type question struct {
	c      blake2btest.Case
	source string
	want   string
}

// questions are put to every mutant: first those that all of them answer, then
// those that go on until one is answered wrongly.
var questions = sync.OnceValues(func() (all, until []question) {
	n := 0
	add := func(source string, c blake2btest.Case) {
		q := question{c, source, answer(reference, c)}
		if n++; n%10 == 0 && source != "special" {
			all = append(all, q)
		} else {
			until = append(until, q)
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 1_000 {
		add("random", blake2btest.RandomCase(r))
	}
	for set, v := range vectors.All() {
		// Of the lines to refuse, some are no case.
		if c, err := blake2btest.ParseCase(v.Case); err == nil && work(c) <= slowBlocks {
			add(set.Name, c)
		}
	}
	for _, line := range special {
		add("special", parse(line))
	}
	return all, until
})

var reference = blake2btest.Over(variants.All[0])

func parse(line string) blake2btest.Case {
	c, err := blake2btest.ParseCase(line)
	if err != nil {
		panic(fmt.Sprintf("%s: %v", line, err))
	}
	return c
}

// answer is what p answers: bytes in hex, or that it refuses, lacks what is
// asked for, or panics.
func answer(p blake2btest.Port, c blake2btest.Case) (a string) {
	defer func() {
		if recover() != nil {
			a = "panic"
		}
	}()
	got, err := p.Answer(c)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return "unsupported"
	case err != nil:
		return "error"
	}
	return fmt.Sprintf("%x", got)
}

// TestRight: nothing exchanged, the recipe is right, with either F.
func TestRight(t *testing.T) {
	slow := right()
	cored(func(*core) {})(slow)
	check := func(c blake2btest.Case, want string) {
		for _, p := range []*recipe{right(), slow} {
			if got := answer(p, c); got != want && got != "unsupported" {
				t.Fatalf("%s\n\tgot  %s\n\twant %s", c, got, want)
			}
		}
	}
	all, until := questions()
	for _, q := range slices.Concat(all, until) {
		check(q.c, q.want)
	}
	r := rand.New(rand.NewPCG(1, 2))
	steps := make(map[blake2btest.Op]int)
	for range 5_000 {
		c := blake2btest.RandomCase(r)
		want := answer(reference, c)
		if got := answer(model.Port{}, c); got != want {
			t.Fatalf("%s\n\tmodel     %s\n\treference %s", c, got, want)
		}
		check(c, want)
		for _, s := range c.Steps {
			steps[s.Op]++
		}
	}
	if len(steps) != 7 {
		t.Errorf("steps taken: %v; want all 7", steps)
	}
}

func TestAll(t *testing.T) {
	names := make(map[string]bool)
	bugs := make(map[string]string)
	own, controls := 0, 0
	kebab := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	seen := regexp.MustCompile(`^(not reported|FINDINGS\.md \S+|K\d\d|(K\d\d )?https://\S+( https://\S+)*)$`)
	for _, m := range All {
		switch {
		case names[m.Name]:
			t.Errorf("%s: there are two", m.Name)
		case bugs[m.Bug] != "":
			t.Errorf("%s: the bug of %s", m.Name, bugs[m.Bug])
		case !kebab.MatchString(m.Name):
			t.Errorf("%s: not words joined by hyphens", m.Name)
		case m.Bug == "" || strings.HasSuffix(m.Bug, "."):
			t.Errorf("%s: bug %q is no sentence without a full stop", m.Name, m.Bug)
		case !seen.MatchString(m.Seen):
			t.Errorf("%s: seen %q", m.Name, m.Seen)
		case m.Port == nil:
			t.Errorf("%s: no port", m.Name)
		}
		names[m.Name], bugs[m.Bug] = true, m.Name
		if m.Seen == Unreported {
			own++
		}
		if m.Control {
			controls++
		}
	}
	t.Logf("%d mutants, %d of them our own", len(All), own)
	if len(All) < 150 || own < 40 || controls != 1 {
		t.Errorf("%d mutants, %d our own, %d controls; want 150, 40, and 1", len(All), own, controls)
	}
}

// TestKills: a case or a probe shows each mutant to be wrong, no two are wrong
// in the same way, and the control is right.
func TestKills(t *testing.T) {
	var mu sync.Mutex
	names := make(map[string]string) // by what a mutant answered
	t.Run("mutants", func(t *testing.T) {
		for _, m := range All {
			t.Run(m.Name, func(t *testing.T) {
				t.Parallel()
				answers, killer := ask(m.Port)
				probe, probed := probes[m.Name]
				switch {
				case m.Control && killer != nil:
					t.Errorf("%s, the control, is wrong: %s", m.Name, killer.c)
				case m.Control:
				case probed:
					t.Logf("%s needs a probe", m.Name)
					probe.check(t, m.Port.(*recipe).New)
				case killer == nil:
					t.Errorf("nothing shows that %s is wrong", m.Name)
				default:
					if killer.source == "special" {
						t.Logf("%s needs the special case %.80s", m.Name, killer.c)
					}
					mu.Lock()
					defer mu.Unlock()
					if other := names[answers]; other != "" {
						t.Errorf("%s is wrong as %s is", m.Name, other)
					}
					names[answers] = m.Name
				}
			})
		}
	})
	for name := range probes {
		find(name)
	}
}

// ask puts the questions to p. It returns a digest of what p answered, and the
// first question that it answered wrongly.
func ask(p blake2btest.Port) (answers string, killer *question) {
	digest := sha256.New()
	put := func(q *question) {
		got := answer(p, q.c)
		fmt.Fprintln(digest, got)
		if got != q.want && got != "unsupported" && killer == nil {
			killer = q
		}
	}
	all, until := questions()
	for i := range all {
		put(&all[i])
	}
	for i := 0; i < len(until) && killer == nil; i++ {
		put(&until[i])
	}
	return string(digest.Sum(nil)), killer
}

// TestConcurrent: goroutines get the same answers as one does, but for the
// mutants whose bug that is.
func TestConcurrent(t *testing.T) {
	cases := []blake2btest.Case{
		parse("sum size=20 key=0001 : 61*300 sum reset 62 save clone 63*200 swap"),
		parse("xof size=100 key=01 : 616263"),
		parse("compress : 00*213"),
	}
	for _, m := range All {
		if strings.HasSuffix(m.Name, "-of-process") {
			continue
		}
		for _, c := range cases {
			want := answer(m.Port, c)
			var wg sync.WaitGroup
			for range 2 {
				wg.Go(func() {
					if got := answer(m.Port, c); got != want {
						t.Errorf("%s: %s\n\tgot  %s\n\twant %s", m.Name, c, got, want)
					}
				})
			}
			wg.Wait()
		}
	}
}

// TestDiagnose: a wrong answer has the name of its cause.
func TestDiagnose(t *testing.T) {
	for _, tt := range []struct{ line, mutant string }{
		{"sum size=32 key=00ff : 00 reset 616263", "reset-drops-key"},
		{"sum : 61*128", "eager-last-block"},
		{"sum size=32 : 616263", "digest-truncated"},
		{"sum key=000102 : -", "keyed-empty-not-keyed"},
		{"sum key= : 61", "empty-key-is-a-key"},
		{"sum key=616263 : 646566", "hmac"},
		{"sum size=17 : 616263", "digest-partial-word-lost"},
		{"sum : 01*300", "padding-not-cleared"},
		{"sum t=80ffffffffffffff0000000000000000 : 61*300", "counter-carry-missing"},
		{"sum : 0102030405", "load-big-endian"},
		{"sum : 0102030405", "rotate-62"},
		{"xof size=100 : 616263", "xof-last-node-whole"},
		{fmt.Sprintf("compress : 0000000d%x01", vectors.Count(0, 208)), "call-row-modulo-12"},
		{"sum : 61 new swap 62 swap 63", "buffer-shared"},
	} {
		c := parse(tt.line)
		got, err := find(tt.mutant).Port.Answer(c)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, m := range Diagnose(c, got) {
			names = append(names, m.Name)
		}
		t.Log(tt.line[:min(len(tt.line), 40)], names)
		if !strings.Contains(fmt.Sprint(names), tt.mutant) {
			t.Errorf("%s answered as by %s: diagnosed as %q", c, tt.mutant, names)
		}
	}
	abc := parse("sum : 616263")
	right, _ := reference.Answer(abc)
	for _, tt := range []struct {
		c   blake2btest.Case
		got []byte
	}{
		{abc, right},
		{abc, bytes.Repeat([]byte{1}, 64)},
		{abc, nil},
		{parse("sum : 61*2000000"), make([]byte, 64)},
		{blake2btest.Case{}, nil},
	} {
		if list := Diagnose(tt.c, tt.got); list != nil {
			t.Errorf("%s answered %x: diagnosed as %s", tt.c, tt.got, list[0].Name)
		}
	}
}

func find(name string) Mutant {
	for _, m := range All {
		if m.Name == name {
			return m
		}
	}
	panic(name)
}

func BenchmarkDiagnose(b *testing.B) {
	c := parse("sum size=32 key=00ff : 00 reset 616263")
	for b.Loop() {
		Diagnose(c, make([]byte, 32))
	}
}
