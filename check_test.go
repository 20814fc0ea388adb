package blake2btest_test

import (
	"errors"
	"flag"
	"fmt"
	"hash"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"blake2btest"
	"blake2btest/internal/model"
	"blake2btest/internal/xcrypto"
	"blake2btest/variants"

	"github.com/google/go-cmp/cmp"
)

var generate = flag.Bool("generate", false, "write CHECKS.md")

func TestVariants(t *testing.T) {
	for _, v := range variants.All {
		t.Run(v.Name, func(t *testing.T) { blake2btest.TestHash(t, blake2btest.Over(v).New) })
	}
	t.Run("every verb", func(t *testing.T) { blake2btest.TestPort(t, blake2btest.Over(variants.All[0])) })
}

func TestCompressors(t *testing.T) {
	for _, v := range variants.All {
		t.Run(v.Name, func(t *testing.T) { blake2btest.TestCompressor(t, v.Compress) })
	}
}

// TestXCrypto is TestPort of x/crypto, whose known faults are expected.
func TestXCrypto(t *testing.T) {
	o := blake2btest.Options{Level: blake2btest.Full, Known: xcrypto.KnownFaults()}
	if testing.Short() {
		o.Level = blake2btest.Quick
	}
	blake2btest.TestPort(t, xcrypto.Port{}, o)
}

// TestModel has the checks judge the model: they and it are independent.
func TestModel(t *testing.T) {
	blake2btest.TestPort(t, model.Port{}, blake2btest.Options{Level: blake2btest.Quick})
}

// TestChecks holds names, which are API, and that each check says what it must.
// CHECKS.md is the list.
func TestChecks(t *testing.T) {
	name := regexp.MustCompile(`^[a-z]+/[a-z0-9-]+$`)
	var list strings.Builder
	list.WriteString("# The checks\n\nWritten by `go generate .` from the table in the code. Each is named family/check.\nAn option that takes a regexp, such as -run, is matched with these names; a file\nof known failures lists them.\n")
	family := ""
	seen := make(map[string]bool)
	for _, c := range blake2btest.Checks() {
		if !name.MatchString(c.Name) || seen[c.Name] || c.Must == "" || c.Source == "" || strings.HasSuffix(c.Must, ".") {
			t.Errorf("check %q, must %q, source %q: not well-formed, or there twice", c.Name, c.Must, c.Source)
		}
		seen[c.Name] = true
		if f, _, _ := strings.Cut(c.Name, "/"); f != family {
			family = f
			list.WriteString("\n## " + f + "\n\n| check | must hold | source | from level |\n|---|---|---|---|\n")
		}
		list.WriteString("| " + c.Name + " | " + c.Must + " | " + c.Source + " | " + c.Level.String() + " |\n")
	}
	if *generate {
		if err := os.WriteFile("CHECKS.md", []byte(list.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	old, err := os.ReadFile("CHECKS.md")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(old), "\n"), strings.Split(list.String(), "\n")); diff != "" {
		t.Errorf("CHECKS.md is stale (-file +code): a renamed check breaks somebody's list\n%s\nrun: go generate .", diff)
	}
}

// wrongPort answers as rolled, but for what change makes of a case's answer.
type wrongPort func(c blake2btest.Case, out []byte, err error) ([]byte, error)

func (p wrongPort) Answer(c blake2btest.Case) ([]byte, error) {
	out, err := blake2btest.Over(variants.All[0]).Answer(c)
	return p(c, out, err)
}

func result(t *testing.T, p blake2btest.Port, name string, o blake2btest.Options) blake2btest.Result {
	t.Helper()
	o.Filter = regexp.MustCompile("^" + name + "$")
	results := slices.Collect(blake2btest.Run(p, o))
	if len(results) != 1 {
		t.Fatalf("%d results of %s, want 1", len(results), name)
	}
	return results[0]
}

func TestResultString(t *testing.T) {
	// Reset forgets that the hash is keyed.
	p := blake2btest.MakeHash(func(p blake2btest.Params) (hash.Hash, error) {
		h, err := blake2btest.Over(variants.All[0]).New(p)
		if err != nil || p.Key == nil {
			return h, err
		}
		plain, err := blake2btest.Over(variants.All[0]).New(blake2btest.Params{Size: p.Size})
		return &dropsKey{h, plain}, err
	})
	want := `state/reset-keyed: the digest after a reset is not the digest of a new hash
	case sum key=0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20 : 00 reset 636465
	got  844e053cb51be3e9f27da5262265591568e3daf2c4fbdc9d5ea3753ba57a6f772c7c265856945ef5025facda5f26f3bf8e3f25d1c87e15b4a7c354f8045db62e
	want 17de48fd62c2cacb3dacbacbef4bc49cd9b86387591f044498f625eff7b9f83b000c8e9b6685c30e5dee4f9d3d311e2fda321960cacd0ffd87e8acbd73e7bac2
	must hash.Hash: Reset returns the hash to its initial state, which includes its key
	like mutant key-ignored: the key is ignored
	like mutant reset-drops-key: Reset forgets that the hash is keyed`
	got := result(t, p, "state/reset-keyed", blake2btest.Options{}).String()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

type dropsKey struct {
	hash.Hash
	plain hash.Hash
}

func (d *dropsKey) Reset() { d.Hash = d.plain; d.Hash.Reset() }

func TestOutcomes(t *testing.T) {
	right := wrongPort(func(c blake2btest.Case, out []byte, err error) ([]byte, error) { return out, err })
	unsupported := wrongPort(func(blake2btest.Case, []byte, error) ([]byte, error) { return nil, errors.ErrUnsupported })
	panics := wrongPort(func(c blake2btest.Case, out []byte, err error) ([]byte, error) {
		if err != nil {
			panic("index out of range")
		}
		return out, err
	})
	answersAll := wrongPort(func(c blake2btest.Case, out []byte, err error) ([]byte, error) {
		if err != nil {
			return make([]byte, 64), nil
		}
		return out, nil
	})
	known := blake2btest.Options{Known: map[string]string{"limits/key-length": "issue 7"}}
	hasty := known
	hasty.Budget = 1 // no time for more than a few questions
	for _, tt := range []struct {
		what    string
		p       blake2btest.Port
		o       blake2btest.Options
		outcome blake2btest.Outcome
		wrong   string
	}{
		{"a known failure that there is no time for", right, hasty, blake2btest.Pass, ""},
		{"a refusal", right, blake2btest.Options{}, blake2btest.Pass, ""},
		{"no refusal", answersAll, blake2btest.Options{}, blake2btest.Fail, "what must be refused is answered"},
		{"a panic is no refusal", panics, blake2btest.Options{}, blake2btest.Fail, "the port fails: panic: index out of range"},
		{"nothing", unsupported, blake2btest.Options{}, blake2btest.Untested, ""},
		{"a known failure", answersAll, known, blake2btest.Known, "what must be refused is answered"},
		{"a known failure that passes", right, known, blake2btest.Fail, "it passes, and is listed as known to fail: issue 7"},
		{"a known failure that is not tested", unsupported, known, blake2btest.Untested, ""},
	} {
		r := result(t, tt.p, "limits/key-length", tt.o)
		if r.Outcome != tt.outcome || r.Wrong != tt.wrong {
			t.Errorf("%s: %s, %q; want %s, %q", tt.what, r.Outcome, r.Wrong, tt.outcome, tt.wrong)
		}
	}
	if _, err := blake2btest.Probe(unsupported); err == nil {
		t.Error("Probe of a port that answers nothing gives no error")
	}
	require := result(t, right, "features/required", blake2btest.Options{Require: []string{"keys", "xof", "speed"}})
	if require.Outcome != blake2btest.Fail || require.Wrong != "the port does not offer speed (there is no such feature)" {
		t.Errorf("required: %s, %q", require.Outcome, require.Wrong)
	}
}

// TestHashedOnce: the oracle hashes next to nothing twice: some short messages that
// are in several checks, where to look an answer up would take as long.
func TestHashedOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every check at level full")
	}
	port := blake2btest.Over(variants.Default()) // what it compresses is not counted
	defer func(all []variants.Variant) { variants.All = all }(variants.All)
	variants.All = slices.Clone(variants.All)
	type last struct { // what goes into the last F of a digest
		h     [8]uint64
		block [blake2btest.BlockSize]byte
		t, f  [2]uint64
	}
	seen := make(map[last]bool)
	blocks, all, again := 0, 0, 0
	for i, v := range variants.All {
		variants.All[i].Compress = func(h *[8]uint64, b []byte, t, f [2]uint64) {
			blocks += len(b) / blake2btest.BlockSize
			if f[0] != 0 {
				l := last{*h, [blake2btest.BlockSize]byte(b), t, f}
				all += blocks
				if seen[l] {
					again += blocks
				}
				seen[l], blocks = true, 0
			}
			v.Compress(h, b, t, f)
		}
	}
	for range blake2btest.Run(port, blake2btest.Options{Level: blake2btest.Full, Budget: time.Hour}) {
	}
	if again > all/10 {
		t.Errorf("of the %d blocks that the oracle compresses, %d are for digests that it had; want a tenth at most", all, again)
	}
}

// TestChain: a chain never comes back to where it was.
func TestChain(t *testing.T) {
	asked := make(map[string]int)
	p := wrongPort(func(c blake2btest.Case, out []byte, err error) ([]byte, error) {
		asked[c.String()]++
		return out, err
	})
	r := result(t, p, "random/chain", blake2btest.Options{Level: blake2btest.Full})
	if r.Outcome != blake2btest.Pass || r.Tested != 3000 || len(asked) < 3000 {
		t.Errorf("%s; %d different ones, want 3000", r, len(asked))
	}
}

// timedPort is a port that adds up the time it takes.
type timedPort struct {
	blake2btest.Port
	took *time.Duration
}

func (p timedPort) Answer(c blake2btest.Case) ([]byte, error) {
	start := time.Now()
	defer func() { *p.took += time.Since(start) }()
	return p.Port.Answer(c)
}

// BenchmarkRun tells what a check costs beside the port's own work.
func BenchmarkRun(b *testing.B) {
	for _, level := range []blake2btest.Level{blake2btest.Quick, blake2btest.Full} {
		b.Run(level.String(), func(b *testing.B) {
			var port time.Duration
			for b.Loop() {
				for range blake2btest.Run(timedPort{blake2btest.Over(variants.Default()), &port}, blake2btest.Options{Level: level}) {
				}
			}
			checker := b.Elapsed() - port
			b.ReportMetric(float64(port.Milliseconds())/float64(b.N), "port-ms/op")
			b.ReportMetric(float64(checker.Milliseconds())/float64(b.N), "checker-ms/op")
			b.ReportMetric(float64(checker)/float64(port), "checker/port")
		})
	}
}

// TestTooLarge: what would take a slow port too long is not asked, and what comes
// after it is.
func TestTooLarge(t *testing.T) {
	slow := wrongPort(func(c blake2btest.Case, out []byte, err error) ([]byte, error) {
		n := uint64(0)
		for _, s := range c.Steps {
			n += s.Len()
		}
		time.Sleep(time.Duration(n) * time.Second / (16 << 20))
		return out, err
	})
	r := result(t, slow, "answers/megabytes", blake2btest.Options{Level: blake2btest.Full, Budget: time.Second})
	if r.Outcome != blake2btest.Pass || r.Tested != 2 || r.Untested != 4 || r.Reason != "no time left" {
		t.Errorf("%s; want 2 of 6 cases, no time left", r)
	}
}

// TestUnofferedKeys: a port that takes no short keys is asked one all the same,
// for it may take the key "0" for none.
func TestUnofferedKeys(t *testing.T) {
	p := wrongPort(func(c blake2btest.Case, out []byte, err error) ([]byte, error) {
		switch {
		case string(c.Key) == "0":
			c.Key = nil
			return blake2btest.Right(c)
		case len(c.Key) > 0 && len(c.Key) < 16:
			return nil, fmt.Errorf("key length %d is below 16: %w", len(c.Key), errors.ErrUnsupported)
		}
		return out, err
	})
	r := result(t, p, "parameters/key-bytes", blake2btest.Options{})
	if r.Outcome != blake2btest.Fail || string(r.Case.Key) != "0" {
		t.Errorf("%s", r)
	}
	r = result(t, p, "parameters/keys", blake2btest.Options{})
	if want := "no keys of 1 bytes"; r.Outcome != blake2btest.Pass || r.Reason != want {
		t.Errorf("%s, reason %q; want pass, %q", r, r.Reason, want)
	}
}

// TestKeyedDigestOfNoBytes: what is refused without a key must be with one.
func TestKeyedDigestOfNoBytes(t *testing.T) {
	p := wrongPort(func(c blake2btest.Case, out []byte, err error) ([]byte, error) {
		if c.Size == 0 && len(c.Key) > 0 {
			return []byte{}, nil
		}
		return out, err
	})
	r := result(t, p, "limits/digest-length-0", blake2btest.Options{})
	if want := "with a key, digest length 0 is answered, and not by the digest of another length"; r.Outcome != blake2btest.Fail || r.Wrong != want {
		t.Errorf("%s; want that %s", r, want)
	}
}

// TestSecondSum: of a port whose second digest is another, that is said, and not
// again by every check that takes digests on the way.
func TestSecondSum(t *testing.T) {
	p := wrongPort(func(c blake2btest.Case, out []byte, err error) ([]byte, error) {
		for i := c.Size; c.Verb == blake2btest.VerbSum && i < len(out); i++ {
			out[i] ^= 1
		}
		return out, err
	})
	var failed []string
	for r := range blake2btest.Run(p, blake2btest.Options{}) {
		if r.Outcome == blake2btest.Fail {
			failed = append(failed, r.Check.Name)
		}
	}
	if diff := cmp.Diff([]string{"state/second-sum"}, failed); diff != "" {
		t.Errorf("failed (-want +got)\n%s", diff)
	}
}

// TestKeyedValues: a port may offer more with a key than without, as OpenSSL does.
func TestKeyedValues(t *testing.T) {
	p := wrongPort(func(c blake2btest.Case, out []byte, err error) ([]byte, error) {
		if c.Key == nil && (c.Size != 64 || c.Salt != nil) || c.Size == 63 || c.Person != nil {
			return nil, errors.ErrUnsupported
		}
		return out, err
	})
	profile, err := blake2btest.Probe(p)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"sizes": "63", "sizes without a key": "1-62", "salt without a key": "1-16"}
	if diff := cmp.Diff(want, profile.NotOffered); diff != "" {
		t.Errorf("NotOffered (-want +got)\n%s", diff)
	}
	for line, want := range map[string]string{
		"sum size=20 : 61":                                        "no digests of 20 bytes",
		"sum size=20 key=00 : 61":                                 "",
		"sum size=63 key=00 : 61":                                 "no digests of 63 bytes",
		"sum key=00 salt=000102030405060708090a0b0c0d0e0f : 61":   "",
		"sum salt=000102030405060708090a0b0c0d0e0f : 61":          "no salt of 16 bytes",
		"sum key=00 person=000102030405060708090a0b0c0d0e0f : 61": "no person",
	} {
		c, err := blake2btest.ParseCase(line)
		if err != nil {
			t.Fatal(err)
		}
		if got := profile.Lacks(c); got != want {
			t.Errorf("%s: lacks %q, want %q", line, got, want)
		}
	}
	if r := result(t, p, "parameters/keyed-salt", blake2btest.Options{}); r.Outcome != blake2btest.Pass {
		t.Error(r)
	}
}

// TestMayRefuse: what the BLAKE2 paper excludes, or nobody fixes, may be refused.
func TestMayRefuse(t *testing.T) {
	for line, want := range map[string]bool{
		"sum : 61":         false,
		"sum key=00 : 61":  false,
		"sum key= : 61":    true,
		"sum salt=00 : 61": true,
		"sum key=00 person=000102030405060708090a0b0c0d0e0f : 61": true,
		"sum tree=1,1,0,0,0,0,0":                                  false,
		"sum tree=2,2,64,0,0,64,0":                                false,
		"sum tree=0,255,0,0,0,1,1":                                false,
		"sum tree=2,0,64,0,0,64,0":                                true,
		"sum tree=2,2,64,0,0,65,0":                                true,
		"sum tree=1,1,0,0,0,0,1":                                  true,
		"sum tree=1,2,64,0,0,64,0":                                true,
		"sum tree=2,1,64,0,0,64,0":                                true,
		"sum tree=2,2,64,0,0,0,0":                                 true,
		"sum key=00 tree=2,2,64,0,0,1,0":                          true,
	} {
		c, err := blake2btest.ParseCase(line)
		if err != nil {
			t.Fatal(err)
		}
		if got := blake2btest.MayRefuse(c); got != want {
			t.Errorf("%s: %t, want %t", line, got, want)
		}
	}
}

// TestNothing: of a port that answers nothing, nothing is tested; of one that is
// F alone, F is.
func TestNothing(t *testing.T) {
	nothing := wrongPort(func(blake2btest.Case, []byte, error) ([]byte, error) { return nil, errors.ErrUnsupported })
	onlyF := wrongPort(func(c blake2btest.Case, out []byte, err error) ([]byte, error) {
		if c.Verb != blake2btest.VerbCompress {
			return nil, errors.ErrUnsupported
		}
		return out, err
	})
	for _, tt := range []struct {
		name string
		p    blake2btest.Port
		pass bool
	}{{"nothing", nothing, false}, {"only F", onlyF, true}} {
		passed := 0
		for r := range blake2btest.Run(tt.p, blake2btest.Options{}) {
			switch r.Outcome {
			case blake2btest.Fail:
				t.Errorf("%s: %s", tt.name, r)
			case blake2btest.Pass:
				passed++
			}
		}
		if passed > 0 != tt.pass {
			t.Errorf("%s: %d checks pass", tt.name, passed)
		}
	}
}

// TestProfile: a port of few values has those that it lacks told.
func TestProfile(t *testing.T) {
	p := blake2btest.MakeHash(func(p blake2btest.Params) (hash.Hash, error) {
		if p.Size != 32 && p.Size != 20 || len(p.Key) > 0 && len(p.Key) < 16 || p.Salt != nil || p.Person != nil || p.Tree != nil {
			return nil, errors.ErrUnsupported
		}
		return blake2btest.Over(variants.All[0]).New(p)
	})
	profile, err := blake2btest.Probe(p)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"sizes": "1-19,21-31,33-64", "keys": "1-15"}, profile.NotOffered); diff != "" {
		t.Errorf("NotOffered (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{"sizes", "keys", "streaming", "second-sum", "reset", "new", "clone", "save", "t"}, profile.Offered); diff != "" {
		t.Errorf("Offered (-want +got)\n%s", diff)
	}
	failed := 0
	for r := range profile.Run(blake2btest.Options{}) {
		if r.Outcome == blake2btest.Fail {
			t.Error(r)
			failed++
		}
	}
}
