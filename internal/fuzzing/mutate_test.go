package fuzzing_test

import (
	"testing"

	"blake2btest"
	"blake2btest/internal/fuzzing"
	"blake2btest/variants"
)

func TestSource(t *testing.T) {
	lines := func(seed uint64, worker, n int) (lines []string) {
		s := fuzzing.NewSource(seed, worker)
		for range n {
			lines = append(lines, s.Next().String())
		}
		return lines
	}
	const n = 2000
	first := lines(1, 0, n)
	again := lines(1, 0, n)
	seen := make(map[string]bool)
	for i, l := range first {
		seen[l] = true
		if again[i] != l {
			t.Fatalf("case %d of the same source is another\n\tcase %s\n\tcase %s", i, again[i], l)
		}
	}
	if len(seen) < n*9/10 {
		t.Errorf("%d of %d cases are different, want at least %d", len(seen), n, n*9/10)
	}
	for _, other := range [][]string{lines(2, 0, n), lines(1, 1, n)} {
		same := 0
		for _, l := range other {
			if seen[l] {
				same++
			}
		}
		if same > n/10 {
			t.Errorf("%d of %d cases are those of another seed or worker, want at most %d", same, n, n/10)
		}
	}
}

// TestSourceCases: what a Source gives is valid, has an answer, is of every kind
// and not long.
func TestSourceCases(t *testing.T) {
	s := fuzzing.NewSource(1, 0)
	kinds := make(map[string]int)
	const n = 5000
	bytes := uint64(0)
	for range n {
		c := s.Next()
		if err := c.Validate(); err != nil {
			t.Fatalf("%v\n\tcase %s", err, c)
		}
		if _, err := blake2btest.Over(variants.All[0]).Answer(c); err != nil {
			t.Fatalf("%v\n\tcase %s", err, c)
		}
		for _, step := range c.Steps {
			bytes += step.Len()
			kinds[string(step.Op)]++
		}
		for kind, is := range map[string]bool{
			string(c.Verb): true,
			"key":          c.Key != nil,
			"salt":         c.Salt != nil,
			"person":       c.Person != nil,
			"tree":         c.Tree != nil,
			"t":            c.T != [2]uint64{},
			"whole blocks": len(c.Steps) == 1 && c.Steps[0].Len() > 0 && c.Steps[0].Len()%blake2btest.BlockSize == 0,
		} {
			if is {
				kinds[kind]++
			}
		}
	}
	for _, kind := range []string{"sum", "compress", "xof", "key", "salt", "person", "tree", "t", "whole blocks", "write", "reset", "new", "clone", "swap", "save"} {
		if kinds[kind] < n/200 {
			t.Errorf("%d of %d cases are or have %q, want at least %d", kinds[kind], n, kind, n/200)
		}
	}
	t.Logf("%d bytes a case; %v", bytes/n, kinds)
}

func BenchmarkSource(b *testing.B) {
	s := fuzzing.NewSource(1, 0)
	for b.Loop() {
		s.Next()
	}
}
