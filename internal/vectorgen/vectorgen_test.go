package vectorgen

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blake2btest"
	"blake2btest/internal/model"
	"blake2btest/internal/xcrypto"
	"blake2btest/variants"
	"blake2btest/vectors"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
)

var generate = flag.Bool("generate", false, "write the files of package vectors")

const dir = "../../vectors"

// TestFresh compares the files with what the generator makes; the long random
// sequences up to 10,000 cases, and without big.json.
func TestFresh(t *testing.T) {
	sets := Sets(*generate)
	if *generate {
		sets = append(sets, Big())
	}
	for _, s := range sets {
		t.Run(s.Name, func(t *testing.T) {
			file := filepath.Join(dir, s.Name+".json")
			if *generate {
				write(t, file, marshal(t, s))
				return
			}
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var old vectors.Set
			if err := json.Unmarshal(data, &old); err != nil {
				t.Fatal(err)
			}
			if got := marshal(t, old); !bytes.Equal(got, data) {
				t.Error("the file is not formatted as the generator does it\nrun: go generate ./vectors")
			}
			for i, a := range s.Accumulated {
				if i < len(old.Accumulated) && len(old.Accumulated[i].Checkpoints) > len(a.Checkpoints) {
					old.Accumulated[i].Checkpoints = old.Accumulated[i].Checkpoints[:len(a.Checkpoints)]
				}
			}
			if diff := cmp.Diff(old, s); diff != "" {
				t.Errorf("%s is stale (-file +generated)\n%srun: go generate ./vectors", file, diff)
			}
		})
	}
	t.Run("provenance", func(t *testing.T) {
		file := filepath.Join(dir, "PROVENANCE.md")
		var all []vectors.Set
		if *generate {
			all = sets
		} else {
			all = vectors.Sets()
		}
		text := provenance(all)
		if *generate {
			write(t, file, text)
			return
		}
		old, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(old), string(text)); diff != "" {
			t.Errorf("%s is stale (-file +generated)\n%srun: go generate ./vectors", file, diff)
		}
	})
}

func write(t *testing.T, file string, data []byte) {
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

func marshal(t *testing.T, s vectors.Set) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", " ")
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestSchema(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(dir, "schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(data, &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	valid := func(data []byte) error {
		var v any
		if err := json.Unmarshal(data, &v); err != nil {
			return err
		}
		return resolved.Validate(v)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) < 2 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, file := range files {
		if filepath.Base(file) == "schema.json" {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := valid(data); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if wrong := bytes.Replace(data, []byte(`"schema": 1`), []byte(`"schema": 2`), 1); valid(wrong) == nil {
			t.Errorf("%s: schema 2 is accepted", file)
		}
	}
}

// TestConfirmed has every value confirmed by other implementations than the
// reference: the model and x/crypto. What neither can answer is confirmed by
// vectors/confirm.py.
func TestConfirmed(t *testing.T) {
	ports := map[string]blake2btest.Port{"model": model.Port{}, "xcrypto": xcrypto.Port{}}
	for _, s := range vectors.Sets() {
		if s.Name == "big" {
			continue // TestBig of the root package
		}
		t.Run(s.Name, func(t *testing.T) {
			count := make(map[string]int)
			for _, v := range s.Vectors {
				c, err := blake2btest.ParseCase(v.Case)
				if err != nil {
					if v.Answer != "error" {
						t.Errorf("%s: %v", v.Case, err)
					}
					continue
				}
				for name, p := range ports {
					if name == "xcrypto" && xcrypto.Known(c) {
						continue
					}
					got := blake2btest.AnswerLine(p, v.Case)
					word, _, _ := strings.Cut(got, " ")
					switch {
					case word == "unsupported":
					case word == "error" && v.Answer == "error" || got == v.Answer:
						count[name]++
					default:
						t.Errorf("%s\n\tcase %s\n\tgot  %s\n\twant %s", name, v.Case, got, v.Answer)
					}
				}
			}
			for _, a := range s.Accumulated {
				points := a.Checkpoints
				for len(points) > 1 && points[len(points)-1].Cases > 10_000 {
					points = points[:len(points)-1]
				}
				var at []int
				for _, p := range points {
					at = append(at, p.Cases)
				}
				for name, p := range ports {
					got, err := blake2btest.Accumulate(p, blake2btest.Sequence(a.Name), a.Size, at)
					if errors.Is(err, errors.ErrUnsupported) {
						continue
					}
					if err != nil {
						t.Errorf("%s: %v", name, err)
					}
					if diff := cmp.Diff(points, got); diff != "" {
						t.Errorf("%s: %s (-want +got)\n%s", a.Name, name, diff)
					}
					count[name] += len(got)
				}
			}
			t.Logf("confirmed of %d vectors and %d sequences: %v", len(s.Vectors), len(s.Accumulated), count)
			if s.Name != "refused" && count["model"] == 0 {
				t.Error("the model confirms nothing")
			}
		})
	}
}

// TestCarry looks at the operands of each addition of the first round and says
// whether they are what the vector's comment says.
func TestCarry(t *testing.T) {
	type key struct {
		place, addition int
		edge            string
		message         bool
	}
	seen := make(map[key]bool)
	for _, v := range carry().Vectors {
		where, name, _ := strings.Cut(v.Comment, ": ")
		k := key{edge: name}
		if _, err := fmt.Sscanf(where, "G %d, addition %d", &k.place, &k.addition); err != nil {
			t.Fatal(err)
		}
		c, err := blake2btest.ParseCase(v.Case)
		if err != nil {
			t.Fatal(err)
		}
		in := c.Steps[0].Data
		if k.message = c.Verb == blake2btest.VerbSum; k.message {
			c := compression{rounds: 12, h: initial(), t: [2]uint64{128, 0}, final: true}
			for i := range c.m {
				c.m[i] = binary.LittleEndian.Uint64(in[8*i:])
			}
			in = c.bytes()
		}
		ops := operands(in)[k.place][k.addition]
		for _, e := range edges {
			if e.name == name && e.low(uint32(ops[0]), uint32(ops[1]), uint32(ops[2])) {
				seen[k] = true
			}
		}
		if !seen[k] {
			t.Errorf("%s is not what happens: operands %x\n\tcase %s", v.Comment, ops, v.Case)
		}
	}
	// What can be arranged: all of it but what the IV and a message's h fix.
	for place := range 8 {
		for addition := range 4 {
			for _, e := range edges {
				if e.three && addition%2 == 1 {
					continue
				}
				column := place < 4
				ivFixed := column && addition == 1 && e.name == edges[0].name // c is a word of the IV
				if !seen[key{place, addition, e.name, false}] && !ivFixed {
					t.Errorf("G %d, addition %d: %s is missing", place, addition, e.name)
				}
				if !seen[key{place, addition, e.name, true}] && !column {
					t.Errorf("G %d, addition %d: %s is missing as a message", place, addition, e.name)
				}
			}
		}
	}
}

// operands returns, for each G of the first round and each of its additions,
// the two or three operands.
func operands(in []byte) (ops [8][4][3]uint64) {
	v := model.Working(in, false)[0]
	m := func(i int) uint64 { return binary.LittleEndian.Uint64(in[68+8*i:]) }
	for i, p := range [8][4]int{
		{0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15},
		{0, 5, 10, 15}, {1, 6, 11, 12}, {2, 7, 8, 13}, {3, 4, 9, 14},
	} {
		a, b, c, d := &v[p[0]], &v[p[1]], &v[p[2]], &v[p[3]]
		ops[i][0] = [3]uint64{*a, *b, m(2 * i)}
		*a += *b + m(2*i)
		*d = bits.RotateLeft64(*d^*a, -32)
		ops[i][1] = [3]uint64{*c, *d}
		*c += *d
		*b = bits.RotateLeft64(*b^*c, -24)
		ops[i][2] = [3]uint64{*a, *b, m(2*i + 1)}
		*a += *b + m(2*i+1)
		*d = bits.RotateLeft64(*d^*a, -16)
		ops[i][3] = [3]uint64{*c, *d}
		*c += *d
		*b = bits.RotateLeft64(*b^*c, -63)
	}
	if v != model.Working(append([]byte{0, 0, 0, 1}, in[4:]...), false)[1] {
		panic("operands: not the first round of F")
	}
	return ops
}

// TestRounds holds the working vectors of Appendix A against the reference,
// round by round: after r rounds, h is folded with both halves of v.
func TestRounds(t *testing.T) {
	for _, s := range vectors.Sets() {
		for _, r := range s.Rounds {
			in, err := hex.DecodeString(strings.TrimPrefix(r.Case, "compress : "))
			if err != nil {
				t.Fatal(err)
			}
			word := func(s string) uint64 {
				b, err := hex.DecodeString(s)
				if err != nil {
					t.Fatal(err)
				}
				return binary.BigEndian.Uint64(b)
			}
			for n, v := range r.V {
				var h [8]uint64
				for i := range h {
					h[i] = binary.LittleEndian.Uint64(in[4+8*i:])
				}
				want := h
				for i := range want {
					want[i] ^= word(v[i]) ^ word(v[i+8])
				}
				t01 := [2]uint64{binary.LittleEndian.Uint64(in[196:]), binary.LittleEndian.Uint64(in[204:])}
				variants.All[0].Rounds(uint32(n), &h, in[68:][:128], t01, [2]uint64{^uint64(0), 0})
				if h != want {
					t.Errorf("after %d rounds: got %x, want %x", n, h, want)
				}
			}
		}
	}
}
