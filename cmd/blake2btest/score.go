package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"html/template"
	"io"
	"os"
	"slices"
	"strings"

	"blake2btest"
	"blake2btest/mutants"
	"blake2btest/vectors"
)

// score is the subcommand of that name: what the checks, or somebody's vectors,
// are worth, by the mutants that they kill.
func score(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("score", flag.ContinueOnError)
	flags.SetOutput(stderr)
	file := flags.String("vectors", "", "score the vectors in `file` instead of the checks")
	minimal := flags.Int("minimal", 0, "print the `n` vectors that together kill most")
	profile := flags.String("profile", string(mutants.Everything), "what vectors of -minimal may need: one-shot, streaming or everything")
	levelName := flags.String("level", "full", "of the checks: quick, full or long")
	format := flags.String("format", "text", "text, json or html")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	fail := func(err error) int {
		fmt.Fprintf(stderr, "blake2btest: score: %v\n", err)
		return 2
	}
	level, err := blake2btest.ParseLevel(*levelName)
	switch {
	case err != nil:
		return fail(err)
	case flags.NArg() > 0:
		return fail(fmt.Errorf("argument %q: score takes none", flags.Arg(0)))
	case !slices.Contains([]string{"text", "json", "html"}, *format):
		return fail(fmt.Errorf("format %q is none of text, json, html", *format))
	case !slices.Contains(mutants.Profiles, mutants.Profile(*profile)):
		return fail(fmt.Errorf("profile %q is none of %v", *profile, mutants.Profiles))
	case *minimal < 0:
		return fail(fmt.Errorf("-minimal %d is below 0", *minimal))
	}
	switch {
	case *file != "":
		data, err := os.ReadFile(*file)
		if err != nil {
			return fail(err)
		}
		set, err := readVectors(*file, data)
		if err != nil {
			return fail(err)
		}
		return scoreVectors(stdout, *file, set)
	case *minimal > 0:
		for _, p := range mutants.Minimal(*minimal, candidates(mutants.Profile(*profile)), targets()) {
			fmt.Fprintf(stdout, "# %d of %d mutants\n", p.Killed, len(targets()))
			printVector(stdout, p.Vector)
		}
		return 0
	}
	s, err := mutants.Run(ctx, level, nil)
	if err != nil {
		return fail(err)
	}
	switch *format {
	case "json":
		e := json.NewEncoder(stdout)
		e.SetIndent("", " ")
		err = e.Encode(scoreReport(s))
	case "html":
		err = scorePage.Execute(stdout, scoreReport(s))
	default:
		err = scoreText(stdout, scoreReport(s))
	}
	if err != nil {
		return fail(err)
	}
	for _, r := range s.Rows {
		if r.Killed[mutants.Everything] == r.Mutant.Control {
			return 1 // one that should be dead lives, or the control is dead
		}
	}
	return 0
}

// targets are the mutants that are to be killed: all but the control.
func targets() (list []*mutants.Mutant) {
	for i := range mutants.All {
		if !mutants.All[i].Control {
			list = append(list, &mutants.All[i])
		}
	}
	return list
}

// candidates are the vectors that a port of a profile can be asked.
func candidates(p mutants.Profile) []mutants.Vector {
	return slices.DeleteFunc(mutants.Candidates(), func(v mutants.Vector) bool { return !p.Has(v.Case) })
}

func printVector(w io.Writer, v mutants.Vector) {
	answer := "error"
	if v.Want != nil {
		answer = blake2btest.FormatAnswer(v.Case, v.Want)
	}
	fmt.Fprintf(w, "> %s\n< %s\n", v.Case, answer)
}

// scoreVectors prints what somebody's vectors kill, what they miss, and which of
// ours would help most.
func scoreVectors(w io.Writer, name string, set []mutants.Vector) int {
	dead, alive := mutants.Kills(set)
	fmt.Fprintf(w, "%s: %d vectors kill %d of %d mutants\n", name, len(set), len(dead), len(dead)+len(alive))
	for _, p := range mutants.PublishedSets() {
		fmt.Fprintf(w, "for comparison, %s: %d\n", p.Name, len(p.Killed))
	}
	if len(alive) == 0 {
		return 0
	}
	fmt.Fprintln(w, "\nthey miss:")
	for _, m := range alive {
		fmt.Fprintf(w, "\t%-36s %s\n", m.Name, m.Bug)
	}
	fmt.Fprintln(w, "\nthese would help most:")
	for _, p := range mutants.Minimal(10, candidates(mutants.Everything), alive) {
		fmt.Fprintf(w, "# %d of %d mutants\n", len(dead)+p.Killed, len(dead)+len(alive))
		printVector(w, p.Vector)
	}
	return 1
}

// readVectors reads vectors of one of three forms: a file of package vectors,
// the BLAKE2 reference package's JSON, or lines, each a case, with "> " before it
// or not, and maybe the answer to the one before, after "< ". Lines that begin
// with # are comments. An answer that is wrong is an error.
func readVectors(name string, data []byte) ([]mutants.Vector, error) {
	switch trimmed := bytes.TrimSpace(data); {
	case bytes.HasPrefix(trimmed, []byte("{")):
		var s vectors.Set
		d := json.NewDecoder(bytes.NewReader(data))
		d.DisallowUnknownFields()
		if err := d.Decode(&s); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return collect(len(s.Vectors), func(i int) (mutants.Vector, error) {
			v, err := mutants.NewVector(s.Vectors[i].Case, s.Vectors[i].Answer)
			if err != nil {
				err = fmt.Errorf("%s: vectors[%d]: %w", name, i, err)
			}
			return v, err
		})
	case bytes.HasPrefix(trimmed, []byte("[")):
		var list []struct{ Hash, In, Key, Out string }
		if err := json.Unmarshal(data, &list); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list = slices.DeleteFunc(list, func(v struct{ Hash, In, Key, Out string }) bool {
			return v.Hash != "blake2b" && v.Hash != "blake2xb"
		})
		return collect(len(list), func(i int) (mutants.Vector, error) {
			v := list[i]
			verb, in := "sum", v.In
			if v.Hash == "blake2xb" {
				verb = "xof"
			}
			if in == "" {
				in = "-"
			}
			line := fmt.Sprintf("%s size=%d", verb, len(v.Out)/2)
			if v.Key != "" {
				line += " key=" + v.Key
			}
			w, err := mutants.NewVector(line+" : "+in, "ok "+v.Out)
			if err != nil {
				err = fmt.Errorf("%s: %s vector %d: %w", name, v.Hash, i, err)
			}
			return w, err
		})
	}
	var set []mutants.Vector
	var line string // the case that has no answer yet
	number, at := 0, 0
	flush := func(answer string) error {
		if line == "" {
			if answer != "" {
				return fmt.Errorf("%s:%d: an answer without a case", name, number)
			}
			return nil
		}
		v, err := mutants.NewVector(line, answer)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", name, at, err)
		}
		set, line = append(set, v), ""
		return nil
	}
	scanner := bufio.NewScanner(bytes.NewReader(data))
	scanner.Buffer(nil, 2*blake2btest.MaxLine)
	for scanner.Scan() {
		number++
		text := strings.TrimSuffix(scanner.Text(), "\r")
		answer, isAnswer := strings.CutPrefix(text, "< ")
		switch {
		case text == "" || text[0] == '#':
		case isAnswer:
			if err := flush(answer); err != nil {
				return nil, err
			}
		default:
			if err := flush(""); err != nil {
				return nil, err
			}
			line, at = strings.TrimPrefix(text, "> "), number
		}
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, number+1, err)
	}
	if err := flush(""); err != nil {
		return nil, err
	}
	if len(set) == 0 {
		return nil, fmt.Errorf("%s: no vectors", name)
	}
	return set, nil
}

// collect calls f for the numbers below n.
func collect(n int, f func(i int) (mutants.Vector, error)) (list []mutants.Vector, err error) {
	for i := range n {
		v, err := f(i)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	if n == 0 {
		err = errors.New("no vectors")
	}
	return list, err
}

// A scoreJSON is the report: JSON as it is, text and html made of it.
type scoreJSON struct {
	Schema    int              `json:"schema"`
	Level     string           `json:"level"`
	Checks    []scoreCheck     `json:"checks"`
	Mutants   []scoreMutant    `json:"mutants"`
	Killed    map[string]int   `json:"killed"` // by profile
	Of        int              `json:"of"`
	Published []scorePublished `json:"published"`
}

type scoreCheck struct {
	Name  string `json:"name"`
	Kills int    `json:"kills"`
}

type scoreMutant struct {
	Name    string   `json:"name"`
	Bug     string   `json:"bug"`
	Seen    string   `json:"seen"`
	Control bool     `json:"control,omitempty"`
	Cells   string   `json:"cells"`  // x kills, . lives, - not asked, blank: cannot be asked
	Killed  []string `json:"killed"` // in these profiles
	Needs   []string `json:"needs,omitempty"`
}

type scorePublished struct {
	Name   string   `json:"name"`
	Killed []string `json:"killed"`
}

func scoreReport(s *mutants.Score) scoreJSON {
	r := scoreJSON{Schema: 1, Level: s.Level.String(), Killed: make(map[string]int), Of: len(targets())}
	for i, c := range s.Checks {
		n := 0
		for _, row := range s.Rows {
			if row.Cells[i] == mutants.Dead {
				n++
			}
		}
		r.Checks = append(r.Checks, scoreCheck{c.Name, n})
	}
	for _, row := range s.Rows {
		m := scoreMutant{Name: row.Mutant.Name, Bug: row.Mutant.Bug, Seen: row.Mutant.Seen, Control: row.Mutant.Control, Needs: row.Needs}
		for _, c := range row.Cells {
			m.Cells += string(rune(c))
		}
		for _, p := range mutants.Profiles {
			if row.Killed[p] {
				m.Killed = append(m.Killed, string(p))
				r.Killed[string(p)]++
			}
		}
		r.Mutants = append(r.Mutants, m)
	}
	for _, p := range s.Published {
		q := scorePublished{Name: p.Name, Killed: []string{}}
		for _, m := range p.Killed {
			q.Killed = append(q.Killed, m.Name)
		}
		r.Published = append(r.Published, q)
	}
	return r
}

// families returns the runs of checks of one family, as half-open ranges.
func (r scoreJSON) families() (names []string, ranges [][2]int) {
	for i, c := range r.Checks {
		f, _, _ := strings.Cut(c.Name, "/")
		if len(names) == 0 || names[len(names)-1] != f {
			names, ranges = append(names, f), append(ranges, [2]int{i, i})
		}
		ranges[len(ranges)-1][1] = i + 1
	}
	return names, ranges
}

func scoreText(out io.Writer, r scoreJSON) error {
	w := bufio.NewWriter(out)
	names, ranges := r.families()
	fmt.Fprintf(w, "%-36s", "mutant")
	width := make([]int, len(names))
	for i, n := range names {
		width[i] = max(len(n), ranges[i][1]-ranges[i][0])
		fmt.Fprintf(w, " %-*s", width[i], n)
	}
	fmt.Fprintln(w)
	for _, m := range r.Mutants {
		fmt.Fprintf(w, "%-36s", m.Name)
		for i, x := range ranges {
			fmt.Fprintf(w, " %-*s", width[i], m.Cells[x[0]:x[1]])
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "\nx: the check kills the mutant; .: it does not; -: not asked, too slow; blank: the mutant cannot be asked\n\nmutants killed by each check:\n")
	for _, c := range r.Checks {
		fmt.Fprintf(w, "%5d  %s\n", c.Kills, c.Name)
	}
	fmt.Fprintf(w, "\nmutants killed, of %d, at level %s:\n", r.Of, r.Level)
	for _, p := range mutants.Profiles {
		fmt.Fprintf(w, "%5d  by the checks, of a port that offers %s\n", r.Killed[string(p)], profileText[p])
	}
	for _, p := range r.Published {
		fmt.Fprintf(w, "%5d  by %s\n", len(p.Killed), p.Name)
	}
	for _, p := range mutants.Profiles {
		fmt.Fprintf(w, "\nsurvivors of %s:\n", p)
		none := true
		for _, m := range r.Mutants {
			if slices.Contains(m.Killed, string(p)) {
				continue
			}
			none = false
			why := ""
			switch {
			case m.Control:
				why = ": the control, which is right"
			case len(m.Killed) > 0 && p == mutants.OneShot && slices.Contains(m.Killed, string(mutants.Streaming)):
				why = ": needs streaming"
			case len(m.Needs) > 0:
				why = ": needs " + strings.Join(m.Needs, ", ")
			}
			fmt.Fprintf(w, "\t%s%s\n", m.Name, why)
		}
		if none {
			fmt.Fprintln(w, "\tnone")
		}
	}
	return w.Flush()
}

var profileText = map[mutants.Profile]string{
	mutants.OneShot:    "digest lengths and keys, of a message in one write",
	mutants.Streaming:  "several writes, digests and resets, too",
	mutants.Everything: "everything",
}

var scorePage = template.Must(template.New("score").Funcs(template.FuncMap{
	"cells": func(s string) []string { return strings.Split(s, "") },
}).Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>blake2btest: score</title>
<style>
:root { color-scheme: light dark; font: 15px/1.4 system-ui, sans-serif }
body { margin: 1rem; max-width: 80rem }
table { border-collapse: collapse; font-size: 12px }
th, td { padding: 1px 4px; text-align: left; vertical-align: bottom }
.matrix th.check { writing-mode: vertical-rl; font-weight: normal }
.matrix td.x { background: #2a7f3f; color: #fff } .matrix td { border: 1px solid #8884; text-align: center } .matrix td.name { text-align: left }
div { overflow-x: auto }
</style>
<h1>What the checks are worth</h1>
<p>Wrong BLAKE2bs that are found to be wrong, of {{.Of}}, at level {{.Level}}:</p>
<table>{{range $p, $n := .Killed}}<tr><td>{{$n}}<td>by the checks, profile {{$p}}{{end}}
{{range .Published}}<tr><td>{{len .Killed}}<td>by {{.Name}}{{end}}</table>
<h2>The matrix</h2>
<div><table class="matrix"><tr><th>mutant{{range .Checks}}<th class="check">{{.Name}} ({{.Kills}}){{end}}
{{range .Mutants}}<tr><td class="name" title="{{.Bug}}">{{.Name}}{{range cells .Cells}}<td class="{{.}}">{{.}}{{end}}
{{end}}</table></div>
</html>
`))
