package blake2btest_test

import (
	"flag"
	"math/rand/v2"
	"testing"

	"blake2btest"
	"blake2btest/internal/fuzzing"
	"blake2btest/internal/model"
	"blake2btest/variants"
)

var (
	seed  = flag.Uint64("seed", 1, "seed of TestDiff's random cases")
	cases = flag.Int("cases", 0, "number of TestDiff's random cases; 0 is 20,000, or 2,000 in short mode")
)

// TestDiff asks the variants, the model and x/crypto for random cases. The
// digest of the transcript is the same on each architecture: crosstest.sh
// compares it, which catches what all of them get wrong alike on one.
func TestDiff(t *testing.T) {
	n := *cases
	switch {
	case n > 0:
	case testing.Short():
		n = 2_000
	default:
		n = 20_000
	}
	transcript, err := blake2btest.Over(variants.Default()).New(blake2btest.Params{Size: 16})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(*seed, 0))
	all := append([]blake2btest.Port{model.Port{}}, ports()...)
	for range n {
		c := blake2btest.RandomCase(r)
		answer, err := fuzzing.Agree(c, all...)
		if err != nil {
			t.Fatal(err)
		}
		transcript.Write([]byte(c.String()))
		transcript.Write(answer)
	}
	t.Logf("transcript seed=%d cases=%d digest=%x", *seed, n, transcript.Sum(nil))
}
