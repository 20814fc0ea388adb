package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
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
func score(ctx context.Context, args []string) error {
	f := newFlags("score")
	levelName := f.String("level", "full", "what the checks ask: quick, full or long")
	format := f.String("format", "text", "form of the matrix: text, json or html")
	file := f.String("vectors", "", "score the vectors in `file` instead of the checks")
	minimal := f.Int("minimal", 0, "print the `n` vectors that together kill most")
	profile := f.String("profile", string(mutants.Everything), "what these may need: one-shot, streaming or everything")
	if err := parse(f, args); err != nil {
		return err
	}
	level, err := blake2btest.ParseLevel(*levelName)
	switch {
	case err != nil:
		return fmt.Errorf("score: %w", err)
	case f.NArg() > 0:
		return fmt.Errorf("score: takes no argument, and has %q", f.Arg(0))
	case !slices.Contains([]string{"text", "json", "html"}, *format):
		return fmt.Errorf("score: format %q is none of text, json, html", *format)
	case !slices.Contains(mutants.Profiles, mutants.Profile(*profile)):
		return fmt.Errorf("score: profile %q is none of one-shot, streaming, everything", *profile)
	case *minimal < 0:
		return fmt.Errorf("score: -minimal %d is below 0", *minimal)
	}
	w := bufio.NewWriter(os.Stdout)
	switch {
	case *file != "":
		set, unscored, err := readVectors(*file)
		if err != nil {
			return err
		}
		if unscored > 0 {
			message("score: %s left out: too large, or more than a case can hold", plural(unscored, "vector"))
		}
		scoreVectors(w, *file, set)
	case *minimal > 0:
		printPicks(w, mutants.Minimal(*minimal, candidates(mutants.Profile(*profile)), targets()), 0)
	default:
		return scoreChecks(ctx, w, level, *format)
	}
	return w.Flush()
}

// scoreChecks prints the matrix. It fails if a mutant survives that should not.
func scoreChecks(ctx context.Context, w *bufio.Writer, level blake2btest.Level, format string) error {
	p := startProgress()
	s, err := mutants.Run(ctx, level, func(done, of int) { p.set("score: %d of %d mutants", done, of) })
	p.stop()
	if err != nil {
		return fmt.Errorf("score: %w", err)
	}
	report := newScoreReport(s)
	switch format {
	case "json":
		e := json.NewEncoder(w)
		e.SetIndent("", " ")
		err = e.Encode(report)
	case "html":
		err = scorePage.Execute(w, report)
	default:
		report.text(w)
	}
	if err := errors.Join(err, w.Flush()); err != nil {
		return err
	}
	for _, r := range s.Rows {
		if r.Killed[mutants.Everything] == r.Mutant.Control && !(r.Mutant.Long && level < blake2btest.Long) {
			return statusFails
		}
	}
	return nil
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

// printPicks prints vectors as the command vectors does in form txt, each with
// the number of mutants dead after it, of which there were some before.
func printPicks(w io.Writer, picks []mutants.Pick, before int) {
	for _, p := range picks {
		answer := "error"
		if p.Want != nil {
			answer = blake2btest.FormatAnswer(p.Case, p.Want)
		}
		fmt.Fprintf(w, "# %d of %d mutants\n> %s\n< %s\n", before+p.Killed, len(targets()), p.Case, answer)
	}
}

// scoreVectors prints what somebody's vectors kill, what they miss, and which of
// ours would help most.
func scoreVectors(w io.Writer, name string, set []mutants.Vector) {
	dead, alive := mutants.Kills(set)
	fmt.Fprintf(w, "mutants killed, of %d:\n%5d  by %s of %s\n", len(targets()), len(dead), plural(len(set), "vector"), name)
	for _, p := range mutants.PublishedSets() {
		fmt.Fprintf(w, "%5d  by %s\n", len(p.Killed), p.Name)
	}
	if len(alive) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s misses:\n", name)
	for _, m := range alive {
		fmt.Fprintf(w, "\t%-36s %s\n", m.Name, m.Bug)
	}
	fmt.Fprintln(w, "\nthese would help most:")
	printPicks(w, mutants.Minimal(10, candidates(mutants.Everything), alive), len(dead))
}

// readVectors reads vectors of one of three forms: a file of package vectors,
// the BLAKE2 reference package's JSON, or lines, each a case, with "> " before it
// or not, and maybe the answer to the one before, after "< ". An answer that is
// wrong is an error. Vectors that no mutant can be asked are counted and left out.
func readVectors(file string) (set []mutants.Vector, unscored int, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, 0, err
	}
	add := func(line, answer string) error {
		v, err := mutants.NewVector(line, answer)
		switch {
		case err == nil:
			set = append(set, v)
		case errors.Is(err, mutants.ErrUnscored):
			unscored++
			return nil
		}
		return err
	}
	switch trimmed := bytes.TrimSpace(data); {
	case bytes.HasPrefix(trimmed, []byte("{")):
		var s vectors.Set
		d := json.NewDecoder(bytes.NewReader(data))
		d.DisallowUnknownFields()
		if err := d.Decode(&s); err != nil {
			return nil, 0, fmt.Errorf("%s: %w", file, err)
		}
		for i, v := range s.Vectors {
			if err := add(v.Case, v.Answer); err != nil {
				return nil, 0, fmt.Errorf("%s: vectors[%d]: %w", file, i, err)
			}
		}
	case bytes.HasPrefix(trimmed, []byte("[")):
		var list []struct{ Hash, In, Key, Out string }
		if err := json.Unmarshal(data, &list); err != nil {
			return nil, 0, fmt.Errorf("%s: %w", file, err)
		}
		for i, v := range list {
			verb, ok := map[string]string{"blake2b": "sum", "blake2xb": "xof"}[v.Hash]
			if !ok {
				continue // the package has BLAKE2s in the same file
			}
			line := fmt.Sprintf("%s size=%d", verb, len(v.Out)/2)
			if v.Key != "" {
				line += " key=" + v.Key
			}
			if v.In != "" {
				line += " : " + v.In
			}
			if err := add(line, "ok "+v.Out); err != nil {
				return nil, 0, fmt.Errorf("%s: [%d]: %w", file, i, err)
			}
		}
	default:
		if err := readLines(file, data, add); err != nil {
			return nil, 0, err
		}
	}
	if len(set) == 0 {
		return nil, 0, fmt.Errorf("%s: no vectors", file)
	}
	return set, unscored, nil
}

// readLines calls f for each case in a file of lines, with its answer or none.
func readLines(file string, data []byte, f func(line, answer string) error) error {
	last := "" // a case that has no answer yet
	flush := func(answer string) error {
		line := last
		last = ""
		if line == "" {
			return nil
		}
		return f(line, answer)
	}
	err := eachLine(file, data, func(text string) error {
		if answer, ok := strings.CutPrefix(text, "< "); ok {
			if last == "" {
				return errors.New("an answer without a case")
			}
			return flush(answer)
		}
		err := flush("")
		last = strings.TrimPrefix(text, "> ")
		return err
	})
	if err != nil {
		return err
	}
	if err := flush(""); err != nil {
		return fmt.Errorf("%s: last case: %w", file, err)
	}
	return nil
}

// A scoreReport is the matrix: JSON as it is, text and html made of it.
type scoreReport struct {
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

func newScoreReport(s *mutants.Score) scoreReport {
	r := scoreReport{Schema: 1, Level: s.Level.String(), Killed: make(map[string]int), Of: len(targets())}
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
func (r scoreReport) families() (names []string, ranges [][2]int) {
	for i, c := range r.Checks {
		f, _, _ := strings.Cut(c.Name, "/")
		if len(names) == 0 || names[len(names)-1] != f {
			names, ranges = append(names, f), append(ranges, [2]int{i, i})
		}
		ranges[len(ranges)-1][1] = i + 1
	}
	return names, ranges
}

// text writes the matrix, a line for a mutant, and the totals.
func (r scoreReport) text(w io.Writer) {
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
	fmt.Fprintf(w, "\nx: the check kills the mutant; .: it does not; -: not asked, since a cheaper one kills\nor it would take too long; blank: the mutant cannot be asked\n\nmutants killed by each check:\n")
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
body { margin: 1rem }
table { border-collapse: collapse; font-size: 12px }
th, td { padding: 1px 4px; text-align: left; vertical-align: bottom }
.matrix th.check { writing-mode: vertical-rl; font-weight: normal }
.matrix td.x { background: #2a7f3f; color: #fff } .matrix td { border: 1px solid #8884; text-align: center } .matrix td.name { text-align: left; white-space: nowrap }
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
