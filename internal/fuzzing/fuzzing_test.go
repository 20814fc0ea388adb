package fuzzing_test

import (
	"encoding/hex"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"

	"blake2btest"
	"blake2btest/internal/fuzzing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write testdata/form.golden")

// TestForm pins the meaning of inputs: corpora live longer than code.
func TestForm(t *testing.T) {
	const file = "testdata/form.golden"
	old, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for line := range strings.Lines(string(old)) {
		word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		input, err := hex.DecodeString(strings.TrimSuffix(word, "-"))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&text, "%s %s\n", word, fuzzing.Decode(input, fuzzing.Any))
	}
	if *update {
		if err := os.WriteFile(file, []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(strings.Split(string(old), "\n"), strings.Split(text.String(), "\n")); diff != "" {
		t.Errorf("inputs have another meaning than %s says (-old +new)\n%s", file, diff)
	}
}

func TestEncode(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	held := 0
	for range 5000 {
		c := blake2btest.RandomCase(r)
		input, err := fuzzing.Encode(c)
		if err != nil {
			t.Fatalf("%v\n\tcase %s", err, c)
		}
		if diff := cmp.Diff(c, fuzzing.Decode(input, fuzzing.Any)); diff != "" {
			t.Fatalf("Decode(Encode(c)) is not c (-c +got)\n%s\n\tcase %s", diff, c)
		}
		held++
	}
	t.Logf("%d cases there and back", held)
	for _, line := range []string{
		"about", "sum size=0", "sum size=65", "sum key=" + strings.Repeat("00", 65), "sum salt=" + strings.Repeat("00", 17),
		"sum : 61*1025", "sum : " + strings.Repeat("61", 9) + "*2", "xof size=65537", "compress : 00", "sum : " + strings.Repeat("sum ", 16) + "sum",
		"compress : " + strings.Repeat("00", 212) + "02", "compress : 00000040" + strings.Repeat("00", 209),
	} {
		c, err := blake2btest.ParseCase(line)
		if err != nil {
			t.Fatal(err)
		}
		if input, err := fuzzing.Encode(c); err == nil {
			t.Errorf("Encode(%s) = %x; want an error", line, input)
		}
	}
}

func TestClasses(t *testing.T) {
	for _, tt := range []struct {
		name  string
		class fuzzing.Class
		least int // seeds
	}{
		{"compress", fuzzing.Compress, 150}, {"hash", fuzzing.Hash, 700}, {"params", fuzzing.Params, 1000}, {"any", fuzzing.Any, 1500},
	} {
		seeds := fuzzing.Seeds(tt.class)
		if len(seeds) < tt.least {
			t.Errorf("%s has %d seeds, want at least %d", tt.name, len(seeds), tt.least)
		}
		t.Logf("%s has %d seeds", tt.name, len(seeds))
	}
	for b := range 256 {
		input := []byte{byte(b), 1, 2, 3, 4, 5, 6, 7, 8, 9}
		if c := fuzzing.Decode(input, fuzzing.Compress); c.Verb != blake2btest.VerbCompress {
			t.Errorf("class compress decodes %x as %s", input, c)
		}
		if c := fuzzing.Decode(input, fuzzing.Hash); c.Verb != blake2btest.VerbSum || c.Salt != nil || c.Person != nil || c.Tree != nil || c.T != [2]uint64{} {
			t.Errorf("class hash decodes %x as %s", input, c)
		}
		if c := fuzzing.Decode(input, fuzzing.Params); c.Verb != blake2btest.VerbSum {
			t.Errorf("class params decodes %x as %s", input, c)
		}
	}
}

// FuzzDecode: every input has a valid Case, whose text form and whose input
// lead back to it.
func FuzzDecode(f *testing.F) {
	for _, s := range fuzzing.Seeds(fuzzing.Any) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		for _, class := range []fuzzing.Class{fuzzing.Any, fuzzing.Compress, fuzzing.Hash, fuzzing.Params} {
			c := fuzzing.Decode(input, class)
			parsed, err := blake2btest.ParseCase(c.String())
			if err != nil {
				t.Fatalf("%v\n\tcase %s", err, c)
			}
			if !reflect.DeepEqual(c, parsed) {
				t.Errorf("ParseCase(c.String()) is not c (-c +got)\n%s", cmp.Diff(c, parsed))
			}
			again, err := fuzzing.Encode(c)
			if err != nil {
				t.Fatalf("%v\n\tcase %s", err, c)
			}
			if got := fuzzing.Decode(again, class); !reflect.DeepEqual(c, got) {
				t.Errorf("Decode(Encode(c)) is not c (-c +got)\n%s", cmp.Diff(c, got))
			}
		}
	})
}
