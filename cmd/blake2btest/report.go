package main

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"blake2btest"
)

// A report is a run of check: what was asked, and what became of it. The forms
// of a report differ in looks alone.
type report struct {
	Options  blake2btest.Options
	Selected []*blake2btest.Check
	Ports    []*portReport

	Installed bool // whether a port that cannot be run is an error
	Speed     bool // whether speeds are measured
}

// A portReport is the part of a report on one port.
type portReport struct {
	*blake2btest.Profile
	Listing  *listing // nil if the port is in no list
	Command  []string // empty for a built-in port
	Results  []blake2btest.Result
	Warnings []string // about the program, not about its BLAKE2b
	Nothing  error    // why nothing can be tested
	NotRun   error    // why there are no results at all
	Left     int      // checks that were not run, for the run was interrupted
	Speed    float64  // bytes a second; 0: not measured
}

// formats are the forms of a report.
var formats = map[string]func(r *report) ([]byte, error){
	"text":     func(r *report) ([]byte, error) { return r.text(plain), nil },
	"html":     (*report).html,
	"json":     (*report).json,
	"junit":    (*report).junit,
	"markdown": (*report).markdown,
}

func formatNames() []string { return slices.Sorted(maps.Keys(formats)) }

// circumstances says by what, where and how the report was made.
func (r *report) circumstances() string {
	s := fmt.Sprintf("%s, level %v, seed %d", versions(), r.Options.Level, r.Options.Seed)
	if r.Options.Filter != nil {
		s += fmt.Sprintf(", run %s", r.Options.Filter)
	}
	return s
}

// title names the port, and the command that it is.
func (p *portReport) title() string {
	s := p.Name + " " + p.Version
	if len(p.Command) > 0 {
		s += ", which is " + strings.Join(p.Command, " ")
	}
	return s
}

// A verdict is what the results of a port come to.
type verdict string

const (
	conforms    verdict = "conforms"
	notRun      verdict = "not run"
	fails       verdict = "does not conform"
	untested    verdict = "nothing tested"
	interrupted verdict = "interrupted"
)

func (p *portReport) verdict() verdict {
	switch t := count(p.Results); {
	case p.NotRun != nil:
		return notRun
	case t.checks[blake2btest.Fail] > 0:
		return fails
	case p.Left > 0:
		return interrupted
	case t.tested == 0:
		return untested
	}
	return conforms
}

// status returns what the command ends with.
func (r *report) status() status {
	s := statusFine
	run := 0
	for _, p := range r.Ports {
		v := p.verdict()
		switch {
		case v == fails:
			return statusFails
		case v == interrupted, v == untested, v == notRun && r.Installed:
			s = statusNotRun
		}
		if v != notRun {
			run++
		}
	}
	if run == 0 {
		return statusNotRun
	}
	return s
}

// A tally counts checks by their outcome, and cases by whether they were tested.
type tally struct {
	checks           map[blake2btest.Outcome]int
	tested, untested int
}

func count(results []blake2btest.Result) tally {
	t := tally{checks: make(map[blake2btest.Outcome]int)}
	for _, r := range results {
		t.checks[r.Outcome]++
		t.tested += r.Tested
		t.untested += r.Untested
	}
	return t
}

// A reason is why some checks have an outcome that is neither pass nor fail.
type reason struct {
	why    string
	checks []string
}

// reasons returns those of an outcome, each once.
func (p *portReport) reasons(o blake2btest.Outcome) []reason {
	var list []reason
	for _, r := range p.Results {
		if r.Outcome != o {
			continue
		}
		i := slices.IndexFunc(list, func(x reason) bool { return x.why == r.Reason })
		if i < 0 {
			i = len(list)
			list = append(list, reason{why: r.Reason})
		}
		list[i].checks = append(list[i].checks, r.Check.Name)
	}
	return list
}

// values says what the numbers of Profile.NotOffered are numbers of.
var values = []struct{ feature, of string }{
	{"sizes", "digests"},
	{"sizes without a key", "digests without a key"},
	{"keys", "keys"},
	{"salt", "salts"},
	{"salt without a key", "salts without a key"},
	{"person", "personalizations"},
	{"person without a key", "personalizations without a key"},
}

// exceptions says which values of its features the port does not offer.
func (p *portReport) exceptions() string {
	var list []string
	for _, v := range values {
		if n := p.NotOffered[v.feature]; n != "" {
			list = append(list, fmt.Sprintf("%s of %s bytes", v.of, n))
		}
	}
	return strings.Join(list, ", ")
}

// summary returns the verdict in one line, with what it rests on and what it
// leaves open.
func (p *portReport) summary() string {
	v, t := p.verdict(), count(p.Results)
	var b strings.Builder
	b.WriteString(string(v))
	if why := cmp.Or(p.NotRun, p.Nothing); why != nil && (v == notRun || v == untested) {
		fmt.Fprintf(&b, ": %v", why)
		return b.String()
	}
	if n := len(p.reasons(blake2btest.Known)); v == conforms && n > 0 {
		fmt.Fprintf(&b, " but for %s", plural(n, "known fault"))
	}
	if e := p.exceptions(); v == conforms && e != "" {
		fmt.Fprintf(&b, ", except for %s, which are not offered", e)
	}
	b.WriteString(": ")
	if n := t.checks[blake2btest.Fail]; n > 0 {
		fmt.Fprintf(&b, "%s failed, ", plural(n, "check"))
	}
	if n := t.checks[blake2btest.Known]; n > 0 {
		fmt.Fprintf(&b, "%s failed as known, ", plural(n, "check"))
	}
	fmt.Fprintf(&b, "%d of %s passed, %s; not tested: %s, %s",
		t.checks[blake2btest.Pass], plural(len(p.Results)+p.Left, "check"), plural(t.tested, "case"),
		plural(t.checks[blake2btest.Untested]+p.Left, "check"), plural(t.untested, "case"))
	const most = 4
	var why []string
	if p.Left > 0 {
		why = append(why, string(interrupted))
	}
	for _, r := range p.reasons(blake2btest.Untested) {
		why = append(why, r.why)
	}
	if len(why) > most {
		why = append(why[:most], "…")
	}
	if len(why) > 0 {
		fmt.Fprintf(&b, " (%s)", strings.Join(why, ", "))
	}
	return b.String()
}

// A cell is what became of a family of checks.
type cell struct {
	Family  string
	Results []blake2btest.Result
	tally
}

// state is what a cell comes to. The worst of its checks decides; what a port
// does where it may choose is no fault, and is to be seen.
func (c cell) state() string {
	switch {
	case c.checks[blake2btest.Fail] > 0:
		return "fail"
	case c.checks[blake2btest.Known] > 0:
		return "known"
	case c.checks[blake2btest.Pass] == 0:
		return "untested"
	case slices.ContainsFunc(c.Results, func(r blake2btest.Result) bool { return len(r.Behaviour) > 0 }):
		return "behaviour"
	}
	return "pass"
}

// mark is a cell in a few characters: how many checks failed, how many did so as
// known, or how many passed, of how many.
func (c cell) mark() string {
	switch n := len(c.Results); c.state() {
	case "fail":
		return fmt.Sprintf("%d failed", c.checks[blake2btest.Fail])
	case "known":
		return fmt.Sprintf("%d known", c.checks[blake2btest.Known])
	case "untested":
		return "-"
	default:
		if p := c.checks[blake2btest.Pass]; p < n {
			return fmt.Sprintf("%d of %d", p, n)
		}
		return strconv.Itoa(n)
	}
}

// cells returns those of a port, in the order of the families.
func (p *portReport) cells() []cell {
	var list []cell
	for rest := p.Results; len(rest) > 0; {
		name := familyOf(rest[0].Check)
		n := 1
		for n < len(rest) && familyOf(rest[n].Check) == name {
			n++
		}
		list = append(list, cell{name, rest[:n], count(rest[:n])})
		rest = rest[n:]
	}
	return list
}

func familyOf(c *blake2btest.Check) string {
	name, _, _ := strings.Cut(c.Name, "/")
	return name
}

// listed says whether the ports are those of a list.
func (r *report) listed() bool { return len(r.Ports) > 0 && r.Ports[0].Listing != nil }

// count says how many ports came to which verdict, and how many implementations
// they are.
func (r *report) count() string {
	const butKnown = conforms + " but for known faults"
	verdicts := make(map[verdict]int)
	codebases, languages := make(map[string]bool), make(map[string]bool)
	for _, p := range r.Ports {
		v := p.verdict()
		if v == conforms && len(p.reasons(blake2btest.Known)) > 0 {
			v = butKnown
		}
		verdicts[v]++
		if p.NotRun == nil && p.Listing != nil {
			codebases[p.Listing.Codebase], languages[p.Listing.Language] = true, true
		}
	}
	var list []string
	for _, v := range []verdict{conforms, butKnown, fails, untested, interrupted, notRun} {
		if n := verdicts[v]; n > 0 {
			list = append(list, fmt.Sprintf("%s %d", v, n))
		}
	}
	return fmt.Sprintf("%s of %s in %s: %s", plural(len(r.Ports), "port"), plural(len(codebases), "code base"), plural(len(languages), "language"), strings.Join(list, ", "))
}

// families returns the names of those that were asked for, in their order.
func (r *report) families() []string {
	var list []string
	for _, c := range r.Selected {
		list = append(list, familyOf(c))
	}
	return slices.Compact(list)
}

// write writes the report to a file, and its text to stdout; to stdout alone if
// no file is named.
func (r *report) write(format, file string) error {
	if file != "" {
		data, err := formats[format](r)
		if err != nil {
			return err
		}
		if err := os.WriteFile(file, data, 0o666); err != nil {
			return err
		}
		format = "text"
	}
	data := r.text(styleOf(os.Stdout))
	if format != "text" {
		var err error
		if data, err = formats[format](r); err != nil {
			return err
		}
	}
	_, err := os.Stdout.Write(data)
	return err
}

// plural returns a number and its noun, which takes an s.
func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return thousands(n) + " " + noun
}

// thousands returns the digits of a number with commas.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
