package blake2btest_test

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"blake2btest"
	"blake2btest/internal/model"
	"blake2btest/variants"

	"github.com/google/go-cmp/cmp"
)

// parseErrors are lines that are not requests, or not of this protocol.
var parseErrors = []struct {
	in, want    string
	unsupported bool
}{
	{in: "", want: `verb ""`, unsupported: true},
	{in: "hash : 61", want: `verb "hash"`, unsupported: true},
	{in: "SUM", want: `verb "SUM"`, unsupported: true},
	{in: " sum", want: `verb ""`, unsupported: true},
	{in: "sum ", want: `word "" is not key=value`},
	{in: "sum  : 61", want: `word "" is not key=value`},
	{in: "sum 61", want: `word "61" is not key=value`},
	{in: "sum : 61 ", want: "an empty word: words are parted by one space"},
	{in: "sum : 61\r", want: `write: "61\r" is not hex in lower case`},
	{in: "sum color=00 : 61", want: `key "color"`, unsupported: true},
	{in: "sum read=1", want: `key "read"`, unsupported: true},
	{in: "xof size=1 salt=00", want: `key "salt"`, unsupported: true},
	{in: "compress size=64 : 00", want: `key "size"`, unsupported: true},
	{in: "about size=64", want: `key "size"`, unsupported: true},
	{in: "sum size=1 size=1", want: `key "size" given twice`},
	{in: "sum size=", want: `size: "" is not a decimal number`},
	{in: "sum size=064", want: `size: "064" is not a decimal number`},
	{in: "sum size=-1", want: `size: "-1" is not a decimal number`},
	{in: "sum size=+1", want: `size: "+1" is not a decimal number`},
	{in: "sum size=4294967296", want: "size: 4294967296 is above 4294967295"},
	{in: "sum size=99999999999999999999", want: "size: 99999999999999999999 is above 4294967295"},
	{in: "sum key=0", want: `key: "0" has an odd number of digits`},
	{in: "sum key=0G", want: `key: "0G" is not hex in lower case`},
	{in: "sum salt=AB", want: `salt: "AB" is not hex in lower case`},
	{in: "sum person=x", want: `person: "x" is not hex in lower case`},
	{in: "sum tree=1,1,0,0,0,0", want: "tree: 6 fields are not 7"},
	{in: "sum tree=256,1,0,0,0,0,0", want: "tree: fanout: 256 is above 255"},
	{in: "sum tree=1,256,0,0,0,0,0", want: "tree: depth: 256 is above 255"},
	{in: "sum tree=1,1,4294967296,0,0,0,0", want: "tree: leaf: 4294967296 is above 4294967295"},
	{in: "sum tree=1,1,0,18446744073709551616,0,0,0", want: "tree: offset: 18446744073709551616 is above 18446744073709551615"},
	{in: "sum tree=1,1,0,0,256,0,0", want: "tree: nodedepth: 256 is above 255"},
	{in: "sum tree=1,1,0,0,0,256,0", want: "tree: inner: 256 is above 255"},
	{in: "sum tree=1,1,0,0,0,0,2", want: "tree: last: 2 is above 1"},
	{in: "sum t=80", want: "t: 1 bytes are not 16"},
	{in: "sum t=01000000000000000000000000000000", want: "t: low word 1 is not a multiple of 128"},
	{in: "sum key=00 t=80000000000000000000000000000000", want: "t: a counter to start from takes no key"},
	{in: "sum : ABCD", want: `write: "ABCD" is not hex in lower case`},
	{in: "sum : abc", want: `write: "abc" has an odd number of digits`},
	{in: "sum : 61*", want: `write count: "" is not a decimal number`},
	{in: "sum : 61*0", want: "write count 0 is below 1"},
	{in: "sum : 61*01", want: `write count: "01" is not a decimal number`},
	{in: "sum : 61*18446744073709551616", want: "write count: 18446744073709551616 is above 18446744073709551615"},
	{in: "sum : *2", want: "write of no bytes has a count"},
	{in: "sum : -*2", want: `write: "-" is not hex in lower case`},
	{in: "sum : finish", want: `step "finish"`, unsupported: true},
	{in: "sum : sum2", want: `step "sum2"`, unsupported: true},
	{in: "sum : write", want: `step "write"`, unsupported: true},
	{in: "sum : swap", want: "swap with no state aside"},
	{in: "sum : 61 swap new", want: "swap with no state aside"},
	{in: "compress", want: "compress takes one write"},
	{in: "compress : 00 00", want: "compress takes one write"},
	{in: "compress : sum", want: "compress takes one write"},
	{in: "compress last=2 : 00", want: "last: 2 is above 1"},
	{in: "xof", want: "xof takes one of size and read"},
	{in: "xof size=1 read=1", want: "xof takes one of size and read"},
	{in: "xof size=0", want: "size: 0 is not from 1 to 4294967294"},
	{in: "xof size=4294967295", want: "size: 4294967295 is not from 1 to 4294967294"},
	{in: "xof read=0", want: "read: 0 is below 1"},
	{in: "xof size=1 : sum", want: `xof with step "sum"`, unsupported: true},
	{in: "about : 61", want: "about takes no steps"},
	{in: "sum : " + strings.Repeat("g", 50), want: `step "` + strings.Repeat("g", 40) + `…"`, unsupported: true},
	{in: "sum : " + strings.Repeat("61", blake2btest.MaxLine/2), want: "line of 1048582 bytes is above 1048576"},
}

func TestParseCaseErrors(t *testing.T) {
	for _, tt := range parseErrors {
		in := tt.in[:min(len(tt.in), 80)]
		c, err := blake2btest.ParseCase(tt.in)
		if err == nil {
			t.Errorf("ParseCase(%q) = %s; want the error %s", in, c, tt.want)
			continue
		}
		want := tt.want
		if tt.unsupported {
			want += ": " + errors.ErrUnsupported.Error()
		}
		if err.Error() != want || errors.Is(err, errors.ErrUnsupported) != tt.unsupported {
			t.Errorf("ParseCase(%q): %q; want %q", in, err, want)
		}
	}
}

func TestCaseString(t *testing.T) {
	for _, tt := range []struct{ in, canonical string }{
		{"sum", "sum"},
		{"sum :", "sum"},
		{"sum size=64 : 616263", "sum : 616263"},
		{"sum key=00ff size=32 : 6162 63", "sum size=32 key=00ff : 6162 63"},
		{"sum size=0", "sum size=0"},
		{"sum key= salt= person=", "sum key= salt= person="},
		{"sum t=80000000000000000100000000000000 tree=2,3,4,5,6,7,1", "sum tree=2,3,4,5,6,7,1 t=80000000000000000100000000000000"},
		{"sum t=00000000000000000000000000000000", "sum"},
		{"sum : - 61*1 61*1000 sum reset new swap clone save", "sum : - 61*1 61*1000 sum reset new swap clone save"},
		{"compress last=1 : 00", "compress last=1 : 00"},
		{"compress last=0 : -", "compress : -"},
		{"xof key=01 size=64 : 61", "xof size=64 key=01 : 61"},
		{"xof read=100", "xof read=100"},
		{"about", "about"},
	} {
		c, err := blake2btest.ParseCase(tt.in)
		if err != nil {
			t.Errorf("ParseCase(%q): %v", tt.in, err)
			continue
		}
		if got := c.String(); got != tt.canonical {
			t.Errorf("ParseCase(%q).String() = %q; want %q", tt.in, got, tt.canonical)
		}
		checkRoundTrip(t, c)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		checkRoundTrip(t, blake2btest.RandomCase(r))
	}
}

func checkRoundTrip(t *testing.T, c blake2btest.Case) {
	t.Helper()
	got, err := blake2btest.ParseCase(c.String())
	if err != nil {
		t.Errorf("ParseCase(c.String()): %v\n\tcase %s", err, c)
	}
	if !reflect.DeepEqual(c, got) {
		t.Errorf("ParseCase(c.String()) is not c (-c +got)\n%s", cmp.Diff(c, got))
	}
}

// TestValidate: what ParseCase cannot make, but a program can, is refused.
func TestValidate(t *testing.T) {
	write := blake2btest.Step{Op: blake2btest.OpWrite, Data: []byte("a")}
	for _, tt := range []struct {
		c    blake2btest.Case
		want string
	}{
		{blake2btest.Case{}, `verb "": unsupported operation`},
		{blake2btest.Case{Verb: "sum", Last: true}, `sum takes no key but ["size" "key" "salt" "person" "tree" "t"]`},
		{blake2btest.Case{Verb: "sum", Read: 1}, `sum takes no key but ["size" "key" "salt" "person" "tree" "t"]`},
		{blake2btest.Case{Verb: "about", Params: blake2btest.Params{Size: 1}}, `about takes no key but []`},
		{blake2btest.Case{Verb: "compress", T: [2]uint64{128}, Steps: []blake2btest.Step{write}}, `compress takes no key but ["last"]`},
		{blake2btest.Case{Verb: "xof", Read: 1, Params: blake2btest.Params{Salt: []byte{}}}, `xof takes no key but ["size" "read" "key"]`},
		{blake2btest.Case{Verb: "xof", Params: blake2btest.Params{Size: -1}}, "size: -1 is not from 1 to 4294967294"},
		{blake2btest.Case{Verb: "sum", Steps: []blake2btest.Step{{Op: "finish"}}}, `step "finish": unsupported operation`},
		{blake2btest.Case{Verb: "sum", Steps: []blake2btest.Step{{Op: "sum", Data: []byte("a")}}}, `step "sum" has data`},
		{blake2btest.Case{Verb: "sum", Steps: []blake2btest.Step{{Op: "write", Count: 2}}}, "write of no bytes has a count"},
	} {
		for _, p := range []blake2btest.Port{blake2btest.Over(variants.All[0]), model.Port{}} {
			if _, err := p.Answer(tt.c); err == nil || err.Error() != tt.want {
				t.Errorf("%s: %+v: got error %v, want %s", portName(p), tt.c, err, tt.want)
			}
		}
	}
}

func TestAnswerLine(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"sum size=32 key=00ff : 6162 63", "ok 48a4de065eb45d31affdb28ec36dd1c9cc90c7d7480acb0b16eb4cc4185d934f"},
		{"sum size=65 : -", "error digest length 65 is above 64"},
		{"sum size=2 : 61 sum", "ok 1e1b 1e1b"},
		{"sum : 61*8589934593", "unsupported message above 8589934592 bytes"},
		{"sum : 61*18446744073709551615 61", "unsupported message above 8589934592 bytes"},
		{"compress : 01000001" + strings.Repeat("00", 209), "unsupported 16777217 rounds, above 16777216"},
		{"compress : 00*213", "ok 08c9bcf367e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5d182e6ad7f520e511f6c3e2b8c68059b6bbd41fbabd9831f79217e1319cde05b"},
		{"compress : 00", "error compress input length 1 is not 213"},
		{"xof size=1048577", "unsupported 1048577 bytes of xof, above 1048576"},
		{"sum\x00\n", `unsupported verb "sum\x00\n"`},
		{"sum : é", `error write: "?" is not hex in lower case`},
	} {
		if got := blake2btest.AnswerLine(blake2btest.Over(variants.All[0]), tt.in); got != tt.want {
			t.Errorf("AnswerLine(%q) = %q; want %q", tt.in, got, tt.want)
		}
	}
	if !testing.Short() {
		for _, most := range []string{"compress : 01000000" + strings.Repeat("00", 209), "xof size=1048576"} {
			if got := blake2btest.AnswerLine(blake2btest.Over(variants.All[0]), most); !strings.HasPrefix(got, "ok ") {
				t.Errorf("AnswerLine(%.24q…) = %.60q; want an answer", most, got)
			}
		}
	}
	if got := blake2btest.AnswerLine(blake2btest.Over(variants.All[1]), "about"); !strings.HasPrefix(got, "ok name=unrolled version=") || !strings.HasSuffix(got, " protocol=1") {
		t.Errorf("about: %s", got)
	}
}

func TestBlockErrors(t *testing.T) {
	for _, tt := range []struct {
		p    blake2btest.Params
		want string
	}{
		{blake2btest.Params{}, "digest length 0 is below 1"},
		{blake2btest.Params{Size: -1}, "digest length -1 is below 1"},
		{blake2btest.Params{Size: 65}, "digest length 65 is above 64"},
		{blake2btest.Params{Size: 64, Key: make([]byte, 65)}, "key length 65 is above 64"},
		{blake2btest.Params{Size: 64, Salt: make([]byte, 17)}, "salt length 17 is above 16"},
		{blake2btest.Params{Size: 64, Person: make([]byte, 17)}, "personalization length 17 is above 16"},
	} {
		if _, err := tt.p.Block(); err == nil || err.Error() != tt.want {
			t.Errorf("Block of %+v: %v; want %s", tt.p, err, tt.want)
		}
		if h, err := blake2btest.Over(variants.Default()).New(tt.p); h != nil || err == nil || err.Error() != tt.want {
			t.Errorf("New(%+v) = %v, %v; want %s", tt.p, h, err, tt.want)
		}
	}
}
