package unroll

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var generate = flag.Bool("generate", false, "write unrolled.go and rounds.go")

const rolledFile = "../../variants/rolled/rolled.go"

// TestFresh tests that unrolled.go and rounds.go are what is made of rolled.go.
func TestFresh(t *testing.T) {
	src, err := os.ReadFile(rolledFile)
	if err != nil {
		t.Fatal(err)
	}
	for file, write := range map[string]func([]byte) ([]byte, error){
		"../../variants/unrolled/unrolled.go": Unroll,
		"../../variants/rolled/rounds.go":     Rounds,
	} {
		want, err := write(src)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(file)
		switch {
		case err == nil && bytes.Equal(got, want):
		case *generate:
			if err := os.WriteFile(file, want, 0o666); err != nil {
				t.Fatal(err)
			}
		case err != nil:
			t.Errorf("%v\nrun: go generate ./variants", err)
		default:
			t.Errorf("%s is not what rolled.go gives (-file +generated)\n%s\nrun: go generate ./variants",
				file, cmp.Diff(strings.Split(string(got), "\n"), strings.Split(string(want), "\n")))
		}
	}
}

// TestShape tests that Unroll refuses a rolled.go that it cannot read.
func TestShape(t *testing.T) {
	src, err := os.ReadFile(rolledFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ old, new, want string }{
		{"package rolled\n", "pakcage rolled\n", "expected 'package'"},
		{"func Compress64(", "func Press(", "no function Compress64 and"},
		{"var sigma", "var schedule", "and variable sigma"},
		{"range sigma", "range 12", "no loop that begins with"},
		{"s := &sigma[r]", "s := sigma[r]", "no loop that begins with"},
		{"m[s[1]]", "m[s[16]]", "s[16] is not a word"},
		{"m[s[1]]", "m[s[i]]", "s[i] is not a word"},
		{"\t{14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},\n", "", "sigma has 11 rows"},
		{"{14, 10, 4,", "{14, 4,", "row 1 of sigma has 15 numbers"},
		{"{14, 10, 4,", "{14, ten, 4,", "row 1 of sigma has 15 numbers"},
	} {
		changed := strings.Replace(string(src), tt.old, tt.new, 1)
		if changed == string(src) {
			t.Fatalf("%q is not in rolled.go", tt.old)
		}
		if _, err := Unroll([]byte(changed)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("with %q for %q: error %v, want %s", tt.new, tt.old, err, tt.want)
		}
	}
}
