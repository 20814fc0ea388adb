package variants_test

import (
	"flag"
	"math"
	"math/bits"
	"math/rand"
	"testing"
	"testing/quick"

	"blake2btest/variants"
	"blake2btest/variants/rolled"
)

var seed = flag.Int64("seed", 1, "seed of the random blocks")

func TestAll(t *testing.T) {
	if got, want := variants.All[0].Name, "rolled"; got != want {
		t.Errorf("All[0].Name = %q, want %q", got, want)
	}
	seen := make(map[string]bool)
	for _, v := range variants.All {
		if seen[v.Name] {
			t.Errorf("two variants are named %q", v.Name)
		}
		seen[v.Name] = true
	}
}

func TestDefault(t *testing.T) {
	want := "rolled"
	if bits.UintSize == 64 {
		want = "unrolled"
	}
	if got := variants.Default().Name; got != want {
		t.Errorf("Default().Name = %q with words of %d bits, want %q", got, bits.UintSize, want)
	}
}

// TestSame tests that all variants, with twelve rounds chosen or built in,
// compute what the first computes.
func TestSame(t *testing.T) {
	want := value(variants.All[0].Compress)
	for _, v := range variants.All {
		t.Run(v.Name, func(t *testing.T) {
			if err := quick.CheckEqual(value(v.Compress), want, random()); err != nil {
				t.Errorf("%s.Compress (output 1) and %s.Compress (output 2), seed %d: %v",
					v.Name, variants.All[0].Name, *seed, err)
			}
			if v.Rounds == nil {
				return
			}
			twelve := func(h *[8]uint64, blocks []byte, t, f [2]uint64) { v.Rounds(12, h, blocks, t, f) }
			if err := quick.CheckEqual(value(twelve), want, random()); err != nil {
				t.Errorf("%s.Rounds(12) (output 1) and %s.Compress (output 2), seed %d: %v",
					v.Name, variants.All[0].Name, *seed, err)
			}
		})
	}
}

// TestTexts tests that both texts of rolled, of which a machine uses one, compute
// the same.
func TestTexts(t *testing.T) {
	if err := quick.CheckEqual(value(rolled.Compress32), value(rolled.Compress64), random()); err != nil {
		t.Errorf("Compress32 (output 1) and Compress64 (output 2), seed %d: %v", *seed, err)
	}
}

// TestBlocks tests that blocks in one call are as good as a call each, also where
// the counter's carry is between them.
func TestBlocks(t *testing.T) {
	r := rand.New(rand.NewSource(*seed))
	message := make([]byte, 4*128)
	r.Read(message)
	for _, v := range variants.All {
		for n := range 5 {
			for _, start := range [][2]uint64{{128, 0}, {math.MaxUint64 - 255, 0}, {math.MaxUint64 - 255, math.MaxUint64}} {
				var got, want [8]uint64
				v.Compress(&got, message[:128*n], start, [2]uint64{})
				for i := range n {
					lo, carry := bits.Add64(start[0], uint64(128*i), 0)
					variants.All[0].Compress(&want, message[128*i:][:128], [2]uint64{lo, start[1] + carry}, [2]uint64{})
				}
				if got != want {
					t.Errorf("%s: %d blocks from counter %#x: %#x, want %#x", v.Name, n, start, got, want)
				}
			}
		}
	}
}

// value is c, on two blocks, as a function of values, which package quick can compare.
func value(c variants.Compressor) func(h [8]uint64, blocks [256]byte, t, f [2]uint64) [8]uint64 {
	return func(h [8]uint64, blocks [256]byte, t, f [2]uint64) [8]uint64 {
		c(&h, blocks[:], t, f)
		return h
	}
}

// random returns the source of a thousand random inputs, the same each time.
func random() *quick.Config {
	return &quick.Config{MaxCount: 1000, Rand: rand.New(rand.NewSource(*seed))}
}
