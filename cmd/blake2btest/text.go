package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"blake2btest"

	"golang.org/x/term"
)

// A style marks what is good and what is bad.
type style struct{ good, bad, end string }

var (
	plain    style
	coloured = style{good: "\x1b[32m", bad: "\x1b[31m", end: "\x1b[m"}
)

// styleOf returns coloured for a terminal (and see https://no-color.org).
func styleOf(f *os.File) style {
	if term.IsTerminal(int(f.Fd())) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" {
		return coloured
	}
	return plain
}

// summary returns the port's, its verdict marked.
func (s style) summary(p *portReport) string {
	v := p.verdict()
	begin, end := "", s.end
	switch v {
	case conforms:
		begin = s.good
	case fails:
		begin = s.bad
	default:
		end = ""
	}
	return begin + string(v) + end + strings.TrimPrefix(p.summary(), string(v))
}

// text is the report for a person, who reads its last lines first.
func (r *report) text(s style) []byte {
	var b bytes.Buffer
	for _, p := range r.Ports {
		if len(r.Ports) > 1 && p.verdict() == fails {
			fmt.Fprintf(&b, "of %s:\n\n", p.title())
		}
		p.failures(&b, s)
	}
	by := fmt.Sprintf("by          %s\n", r.circumstances())
	if len(r.Ports) > 1 {
		if r.listed() {
			r.matrix(&b)
		}
		for _, p := range r.Ports {
			for _, w := range p.Warnings {
				fmt.Fprintf(&b, "warning: %s: %s\n", p.Name, w)
			}
		}
		b.WriteString(by + "\n")
		r.table(&b, s)
		r.totals(&b)
		return b.Bytes()
	}
	p := r.Ports[0]
	if len(p.Results) > 0 {
		p.choices(&b)
		p.table(&b)
		p.offers(&b)
	}
	fmt.Fprintf(&b, "port        %s\n%s", p.title(), by)
	for _, w := range p.Warnings {
		fmt.Fprintf(&b, "warning: %s\n", w)
	}
	fmt.Fprintf(&b, "%s\n", s.summary(p))
	return b.Bytes()
}

// failures writes what failed, and after it what is known to. Of failures alike,
// as when a program is given up, the first stands for all.
func (p *portReport) failures(b *bytes.Buffer, s style) {
	alike := make(map[string][]string)
	for _, r := range p.Results {
		if r.Outcome == blake2btest.Fail && r.Got == nil {
			alike[r.Wrong] = append(alike[r.Wrong], r.Check.Name)
		}
	}
	for _, r := range p.Results {
		also := alike[r.Wrong]
		if r.Outcome != blake2btest.Fail || r.Got == nil && also[0] != r.Check.Name {
			continue
		}
		name, rest, _ := strings.Cut(lines(r), ":")
		fmt.Fprintf(b, "%s%s%s:%s\n", s.bad, name, s.end, rest)
		if r.Got == nil && len(also) > 1 {
			fmt.Fprintf(b, "\tand so %s\n", strings.Join(also[1:], ", "))
		}
		b.WriteByte('\n')
	}
	for _, known := range p.reasons(blake2btest.Known) {
		fmt.Fprintf(b, "known of %s: %s\n\tin %s\n\n", p.Name, known.why, strings.Join(known.checks, ", "))
	}
}

// lines returns a failure with its lines cut to what a person can look at.
func lines(r blake2btest.Result) string {
	const most = 1000
	var b strings.Builder
	for line := range strings.Lines(r.String()) {
		line, end := strings.CutSuffix(line, "\n")
		if len(line) > most {
			line = fmt.Sprintf("%s… (%s; whole in -format json)", line[:most], plural(len(line), "character"))
		}
		b.WriteString(line)
		if end {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// choices writes what the port does where it may choose.
func (p *portReport) choices(b *bytes.Buffer) {
	heading := "where a port may choose\n"
	for _, r := range p.Results {
		for _, what := range r.Behaviour {
			fmt.Fprintf(b, "%s\t%s\n", heading, what)
			heading = ""
		}
	}
	if heading == "" {
		b.WriteByte('\n')
	}
}

// table writes a line for each family of checks.
func (p *portReport) table(b *bytes.Buffer) {
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, c := range p.cells() {
		var outcomes []string
		for _, o := range []struct {
			outcome blake2btest.Outcome
			words   string
		}{
			{blake2btest.Fail, "failed"},
			{blake2btest.Known, "failed as known"},
			{blake2btest.Pass, "passed"},
			{blake2btest.Untested, "not tested"},
		} {
			if n := c.checks[o.outcome]; n > 0 {
				outcomes = append(outcomes, fmt.Sprintf("%d %s", n, o.words))
			}
		}
		cases := plural(c.tested, "case")
		if c.untested > 0 {
			cases = fmt.Sprintf("%s of %s", thousands(c.tested), plural(c.tested+c.untested, "case"))
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", c.Family, strings.Join(outcomes, ", "), cases)
	}
	w.Flush()
	b.WriteByte('\n')
}

// offers writes which features the port has, and what it says of the others.
func (p *portReport) offers(b *bytes.Buffer) {
	fmt.Fprintf(b, "offers      %s\n", strings.Join(p.Offered, ", "))
	var missing []string
	for _, f := range blake2btest.Features {
		why, ok := p.Missing[f]
		switch {
		case why == f:
			missing = append(missing, f)
		case ok:
			missing = append(missing, fmt.Sprintf("%s (%s)", f, why))
		}
	}
	if len(missing) > 0 {
		fmt.Fprintf(b, "not offered %s\n", strings.Join(missing, ", "))
	}
	var gaps []string
	for _, g := range p.reasons(blake2btest.Untested) {
		gaps = append(gaps, fmt.Sprintf("%s (%s)", g.why, plural(len(g.checks), "check")))
	}
	for _, g := range p.reasons(blake2btest.Pass) {
		if g.why != "" {
			gaps = append(gaps, fmt.Sprintf("%s (%s in part)", g.why, plural(len(g.checks), "check")))
		}
	}
	if len(gaps) > 0 {
		fmt.Fprintf(b, "not tested  %s\n", strings.Join(gaps, ", "))
	}
}

// matrix writes, for each port and each family of checks, how many passed.
func (r *report) matrix(b *bytes.Buffer) {
	families := r.families()
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "checks passed\t%s\n", strings.Join(families, "\t"))
	for _, p := range r.Ports {
		if p.NotRun == nil {
			fmt.Fprintf(w, "%s\t%s\n", p.Name, strings.Join(p.marks(families), "\t"))
		}
	}
	w.Flush()
	b.WriteByte('\n')
}

// marks returns a mark for each family.
func (p *portReport) marks(families []string) []string {
	list := make([]string, len(families))
	for _, c := range p.cells() {
		list[slices.Index(families, c.Family)] = c.mark()
	}
	return list
}

// totals writes how many ports of a list came to which verdict.
func (r *report) totals(b *bytes.Buffer) {
	if r.listed() {
		fmt.Fprintf(b, "\n%s\n", r.count())
	}
}

// table writes a line for each port.
func (r *report) table(b *bytes.Buffer, s style) {
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, p := range r.Ports {
		fmt.Fprintf(w, "%s\t%s\t%s\n", p.Name, p.Version, s.summary(p))
	}
	w.Flush()
}
