package fuzzing_test

import (
	"errors"
	"fmt"
	"hash"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"blake2btest"
	"blake2btest/internal/fuzzing"
	"blake2btest/internal/model"
	"blake2btest/internal/xcrypto"
	"blake2btest/variants"
)

// batch is that of FuzzBatch.
var batch = fuzzing.Batch{
	Makers: []fuzzing.Maker{blake2btest.Over(variants.All[0]), blake2btest.Over(variants.All[1]), xcrypto.Sound{}},
	Seldom: []fuzzing.Maker{blake2btest.Over(variants.All[2])},
}

// A spy is rolled, and looks on: what it is told of a digest may be wrong.
type spy struct {
	wrong func(use) bool
	asked int
}

// A use is what a hash was used for when a digest is taken.
type use struct {
	size, key int
	writes    []int // since the last reset
	sums      int   // since then, before this one
	before    int   // bytes before the last reset, -1 if there was none
}

func (u use) length() (n int) {
	for _, w := range u.writes {
		n += w
	}
	return n
}

func (*spy) About() (name, version string) { return "spy", "1" }

func (s *spy) Answer(c blake2btest.Case) ([]byte, error) {
	s.asked++
	return blake2btest.MakeHash(s.New).Answer(c)
}

func (s *spy) New(p blake2btest.Params) (hash.Hash, error) {
	h, err := blake2btest.Over(variants.All[0]).New(p)
	return &spied{h, s, use{size: p.Size, key: len(p.Key), before: -1}}, err
}

type spied struct {
	hash.Hash
	*spy
	use
}

func (h *spied) Write(p []byte) (int, error) {
	h.writes = append(h.writes, len(p))
	return h.Hash.Write(p)
}

func (h *spied) Reset() {
	h.use = use{size: h.use.size, key: h.use.key, before: h.length()}
	h.Hash.Reset()
}

func (h *spied) Sum(b []byte) []byte {
	b = h.Hash.Sum(b)
	if h.wrong(h.use) {
		b[len(b)-1] ^= 1
	}
	h.sums++
	return b
}

// bugs are what may be wrong, and the least Case that shows it.
var bugs = []struct {
	name  string
	wrong func(u use) bool
	want  string
}{
	{"last block whole", func(u use) bool { return u.key == 0 && u.length() > 0 && u.length()%128 == 0 }, "sum : 00*128"},
	{"last block whole, keyed", func(u use) bool { return u.key > 0 && u.length() > 0 && u.length()%128 == 0 }, "sum key=00 : 00*128"},
	{"two whole blocks", func(u use) bool { return u.length() == 256 }, "sum : 00*256"},
	{"key of 33 bytes", func(u use) bool { return u.key == 33 }, "sum key=" + strings.Repeat("00", 33)},
	{"key of 64 bytes", func(u use) bool { return u.key == 64 && u.length() > 0 }, "sum key=" + strings.Repeat("00", 64) + " : 00"},
	{"digest of one byte", func(u use) bool { return u.size == 1 }, "sum size=1"},
	{"digests of 20 and 40 bytes", func(u use) bool { return u.size == 20 || u.size == 40 }, "sum size=20"},
	{"message of 129 bytes", func(u use) bool { return u.length() == 129 }, "sum : 00*129"},
	{"one length in 127", func(u use) bool { return u.length()%127 == 86 }, "sum : 00*86"},
	{"block filled up", func(u use) bool {
		return len(u.writes) > 1 && u.writes[0] > 0 && u.writes[1] > 0 && u.writes[0]+u.writes[1] == 128
	}, "sum : 00 00*127"},
	{"block after a part of one", func(u use) bool { return len(u.writes) > 1 && u.writes[0]%128 > 0 && u.writes[1] > 128 }, "sum : 00 00*129"},
	{"second sum", func(u use) bool { return u.sums > 0 }, "sum : sum"},
	{"reset", func(u use) bool { return u.before > 0 && u.key > 0 }, "sum key=00 : 00 reset"},
	{"panic", func(u use) bool {
		return u.length() > 200 && []byte{}[u.length()] == 0
	}, "sum : 00*201"},
}

// TestBatchFinds: what is wrong is found in the first few inputs, reduced to the
// least Case that shows it, and written as a seed that shows it again.
func TestBatchFinds(t *testing.T) {
	for _, tt := range bugs {
		t.Run(strings.ReplaceAll(tt.name, " ", "-"), func(t *testing.T) {
			s := &spy{wrong: tt.wrong}
			b := batch
			b.Makers, b.Dir = append(slices.Clone(b.Makers), s), filepath.Join(t.TempDir(), "FuzzHash")
			inputs := append(b.Seeds(), fuzzing.Seeds(fuzzing.Hash)...)
			var err error
			tried := 0
			for err == nil && tried < len(inputs) {
				s.asked = 0
				err = b.Try(inputs[tried])
				tried++
			}
			if err == nil {
				t.Fatal("not found")
			}
			t.Logf("found in input %d, reduced by %d questions", tried, s.asked)
			if tried > 2*len(b.Seeds()) || s.asked > 1000 {
				t.Errorf("found in input %d, reduced by %d questions; want at most %d and 1000", tried, s.asked, 2*len(b.Seeds()))
			}
			files, _ := filepath.Glob(filepath.Join(b.Dir, "*"))
			if len(files) != 1 {
				t.Fatalf("files %q, want one", files)
			}
			for _, line := range []string{"\n\tcase " + tt.want + "\n", "\n\tseed " + files[0] + "\n"} {
				if !strings.Contains(err.Error()+"\n", line) {
					t.Errorf("no %q in\n%v", line, err)
				}
			}
			c := fuzzing.Decode(readSeed(t, files[0]), fuzzing.Hash)
			if c.String() != tt.want {
				t.Errorf("the seed is %s, want %s", c, tt.want)
			}
			if _, err := fuzzing.Agree(c, batch.Makers[0], s); err == nil {
				t.Error("the seed's ports agree")
			}
		})
	}
}

// readSeed reads a file as go test keeps inputs in.
func readSeed(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	input, err := fuzzing.ParseFile(data)
	if err != nil {
		t.Fatal(err)
	}
	return input
}

// BenchmarkBatch is what FuzzBatch does without an engine.
func BenchmarkBatch(b *testing.B) {
	inputs := fuzzing.Seeds(fuzzing.Hash)
	i := 0
	for b.Loop() {
		if err := batch.Try(inputs[i%len(inputs)]); err != nil {
			b.Fatal(err)
		}
		i++
	}
	b.ReportMetric(float64(b.N*fuzzing.BatchCases)/b.Elapsed().Seconds(), "cases/s")
}

// BenchmarkReduce is from the input that finds a fault to the seed.
func BenchmarkReduce(b *testing.B) {
	for _, bug := range bugs {
		b.Run("bug="+strings.ReplaceAll(bug.name, " ", "-"), func(b *testing.B) {
			s := &spy{wrong: bug.wrong}
			batch := batch
			batch.Makers, batch.Dir = append(slices.Clone(batch.Makers), s), b.TempDir()
			inputs := batch.Seeds()
			for b.Loop() {
				if !slices.ContainsFunc(inputs, func(input []byte) bool { return batch.Try(input) != nil }) {
					b.Fatal("not found")
				}
			}
		})
	}
}

// A fault is an error as that of a program that crashes.
type fault struct{ error }

func (fault) Fault() bool { return true }

// A givenUp is a port that has a fault for ever, once it is wrong.
type givenUp struct {
	model.Port
	gone bool
}

func (p *givenUp) Answer(c blake2btest.Case) ([]byte, error) {
	switch {
	case p.gone:
		return nil, fault{errors.New("given up")}
	case len(message(c)) > 200:
		p.gone = true
		return nil, nil
	}
	return p.Port.Answer(c)
}

// TestReduceFault: what is reported is what was wrong first.
func TestReduceFault(t *testing.T) {
	c := parse(t, "sum size=20 key=00ff : 6162*100 63")
	p := new(givenUp)
	for _, want := range []string{"model and model differ\n\tcase " + c.String() + "\n", "given up"} {
		got, err := fuzzing.Reduce(c, model.Port{}, p)
		if err == nil || !strings.Contains(err.Error(), want) || got.String() != c.String() {
			t.Errorf("case %s, error %v; want case %s, error %q", got, err, c, want)
		}
	}
}

// TestBatchNotWritten: where there is no seed, the error says so.
func TestBatchNotWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	digests := 0
	for _, tt := range []struct {
		name  string
		wrong func(u use) bool
		want  string
	}{
		{"no folder", func(u use) bool { return u.length() == 128 }, "\n\tnot written as a seed: "},
		{"once", func(u use) bool { digests++; return digests == 100 }, "ports differed, and do not if they are asked again\n\tcase sum "},
	} {
		b := batch
		b.Makers, b.Dir = append(slices.Clone(b.Makers), &spy{wrong: tt.wrong}), filepath.Join(file, "FuzzHash")
		if err := b.Try(b.Seeds()[0]); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v; want %q", tt.name, err, tt.want)
		}
	}
}

// TestBatchCases: what the seeds lead to has nearly every length of key and
// digest, and the edges often.
func TestBatchCases(t *testing.T) {
	keys, sizes, kinds := make(map[int]int), make(map[int]int), make(map[string]int)
	messages := make(map[int]int)
	digests := 0
	s := &spy{wrong: func(u use) bool {
		digests++
		keys[u.key]++
		sizes[u.size]++
		messages[u.length()]++
		more := len(u.writes) > 1
		for kind, is := range map[string]bool{
			"whole blocks":           u.length() > 0 && u.length()%128 == 0,
			"two writes":             len(u.writes) == 2,
			"three writes":           len(u.writes) == 3,
			"an empty write":         more && slices.Contains(u.writes, 0),
			"a cut between blocks":   more && u.writes[0] > 0 && u.writes[0]%128 == 0 && u.writes[1] > 0,
			"a write beyond a block": more && u.writes[0]%128 > 0 && u.writes[1] > 128,
			"a sum before":           u.sums > 0,
			"a reset before":         u.before >= 0,
		} {
			if is {
				kinds[kind]++
			}
		}
		return false
	}}
	b := batch
	b.Makers = []fuzzing.Maker{s}
	for _, input := range b.Seeds() {
		if err := b.Try(input); err != nil {
			t.Fatal(err)
		}
	}
	if cases := len(b.Seeds()) * fuzzing.BatchCases; digests < cases || digests > cases*5/4 {
		t.Errorf("%d digests in %d cases", digests, cases)
	}
	if len(keys) < 60 || len(sizes) < 60 || len(messages) < 380 {
		t.Errorf("%d lengths of keys, %d of digests, %d of messages; want at least 60, 60, 380", len(keys), len(sizes), len(messages))
	}
	for _, k := range []int{0, 1, 63, 64} {
		kinds[fmt.Sprintf("key of %d bytes", k)] = keys[k]
	}
	for _, n := range []int{0, 1, 127, 128, 129, 255, 256, 257, 383, 384} {
		kinds[fmt.Sprintf("message of %d bytes", n)] = messages[n]
	}
	for _, n := range []int{1, 20, 32, 48, 63, 64} {
		kinds[fmt.Sprintf("digest of %d bytes", n)] = sizes[n]
	}
	for kind, n := range kinds {
		t.Logf("%4.1f %% %s", 100*float64(n)/float64(digests), kind)
		if n < digests/100 {
			t.Errorf("%d of %d digests are of a %s, want one in a hundred", n, digests, kind)
		}
	}
}
