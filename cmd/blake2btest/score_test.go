package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blake2btest"
	"blake2btest/mutants"
)

// TestScoreReport renders a small matrix in each form.
func TestScoreReport(t *testing.T) {
	s := &mutants.Score{
		Level:  blake2btest.Full,
		Checks: blake2btest.Checks()[1:4],
		Rows: []mutants.Row{
			{Mutant: &mutants.All[0], Cells: []mutants.Cell{mutants.Dead, mutants.Alive, mutants.NotAsked}, Killed: map[mutants.Profile]bool{mutants.OneShot: true, mutants.Streaming: true, mutants.Everything: true}},
			{Mutant: &mutants.Mutant{Name: "needs-clone", Bug: "<b> & more"}, Cells: []mutants.Cell{mutants.Untested, mutants.Dead, mutants.Dead}, Killed: map[mutants.Profile]bool{mutants.Everything: true}, Needs: []string{"clone"}},
			{Mutant: &mutants.Mutant{Name: "right", Control: true}, Cells: []mutants.Cell{mutants.Alive, mutants.Alive, mutants.Alive}, Killed: map[mutants.Profile]bool{}},
		},
		Published: []mutants.Published{{Name: "abc", Killed: []*mutants.Mutant{&mutants.All[0]}}},
	}
	r := newScoreReport(s)
	var text, page bytes.Buffer
	r.text(&text)
	for _, want := range []string{
		"needs-clone                           xx    \n",
		"    1  answers/published\n", "    1  answers/lengths\n",
		"    2  by the checks, of a port that offers everything\n", "    1  by abc\n",
		"survivors of streaming:\n\tneeds-clone: needs clone\n\tright: the control, which is right\n",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the text has no %q:\n%s", want, text.String())
		}
	}
	if err := scorePage.Execute(&page, r); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(page.String(), `<td class="x">`); n != 3 {
		t.Errorf("the page has %d cells of kills, want 3", n)
	}
	if strings.Contains(page.String(), "<b> & more") {
		t.Error("the page has unescaped text")
	}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back scoreReport
	if err := json.Unmarshal(data, &back); err != nil || back.Mutants[1].Cells != " xx" || back.Killed["everything"] != 2 || back.Schema != 1 {
		t.Errorf("the JSON gives %+v, %v", back, err)
	}
}

// TestReadVectors reads each of the three forms.
func TestReadVectors(t *testing.T) {
	for _, tt := range []struct {
		name, text    string
		set, unscored int
	}{
		{"lines", "# two\n> sum size=1\r\n< ok 2e\r\nsum : 61\n\n> sum tree=256,1,0,0,0,0,0\n< error\n> sum : 00*1000000000\n", 2, 2},
		{"ours", `{"schema": 1, "vectors": [{"case": "sum size=1", "answer": "ok 2e"}]}`, 1, 0},
		{"the package's", `[{"hash": "blake2s", "in": "", "key": "", "out": "00"}, {"hash": "blake2b", "in": "", "key": "", "out": "2e"}, {"hash": "blake2xb", "in": "61", "key": "00", "out": "d8"}]`, 2, 0},
	} {
		file := filepath.Join(t.TempDir(), "vectors")
		if err := os.WriteFile(file, []byte(tt.text), 0o666); err != nil {
			t.Fatal(err)
		}
		set, unscored, err := readVectors(file)
		if err != nil || len(set) != tt.set || unscored != tt.unscored {
			t.Errorf("%s: %d vectors, %d unscored, %v; want %d, %d", tt.name, len(set), unscored, err, tt.set, tt.unscored)
		}
	}
}
