package blake2btest_test

import (
	"testing"

	"blake2btest"
	"blake2btest/internal/fuzzing"
	"blake2btest/internal/model"
	"blake2btest/variants"
)

// The targets ask the variants and the model for one Case each, and x/crypto
// where it has what the Case needs. See internal/fuzzing for the inputs. Run
// them with counts, and without minimizing:
//
//	go test -run='^$' -fuzz='^FuzzHash$' -fuzztime=200000x -fuzzminimizetime=1x .

// FuzzCompress: one call of F, with any h, m, t, f and up to 63 rounds.
func FuzzCompress(f *testing.F) {
	fuzzing.Fuzz(f, fuzzing.Compress, nil, append(ports(), model.Port{})...)
}

// FuzzHash: a key, a digest length, and a message cut into writes, with sums,
// resets, copies and exports between them.
func FuzzHash(f *testing.F) {
	fuzzing.Fuzz(f, fuzzing.Hash, corpusSeeds(f), append(ports(), model.Port{})...)
}

// FuzzParams: the same with salt, personalization, tree parameters and counter.
func FuzzParams(f *testing.F) {
	fuzzing.Fuzz(f, fuzzing.Params, nil, append(ports(), model.Port{})...)
}

// FuzzBatch: as FuzzHash, in simple Cases, 257 of which are made of each input: the
// engine takes longer than they do. A wrong one becomes a seed of FuzzHash.
func FuzzBatch(f *testing.F) {
	fast, slow := makers()
	fuzzing.Batch{Makers: fast, Seldom: slow, Dir: "testdata/fuzz/FuzzHash"}.Fuzz(f)
}

// FuzzParseCase: what ParseCase accepts, String gives back.
func FuzzParseCase(f *testing.F) {
	for _, line := range parseErrors {
		f.Add(line.in)
	}
	for _, input := range fuzzing.Seeds(fuzzing.Any) {
		f.Add(fuzzing.Decode(input, fuzzing.Any).String())
	}
	f.Fuzz(func(t *testing.T, line string) {
		c, err := blake2btest.ParseCase(line)
		if err != nil {
			return
		}
		checkRoundTrip(t, c)
	})
}

// FuzzUnmarshal: a state is refused, or works.
func FuzzUnmarshal(f *testing.F) {
	for _, p := range stateParams {
		f.Add(exported(f, p, 129))
	}
	f.Fuzz(func(t *testing.T, state []byte) {
		h := newHash(t, variants.Default(), blake2btest.Params{Size: 64})
		if err := h.UnmarshalBinary(state); err != nil {
			return
		}
		checkState(t, h, state)
	})
}
