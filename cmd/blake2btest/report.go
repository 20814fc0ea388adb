package main

import (
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
}

// A portReport is the part of a report on one port.
type portReport struct {
	*blake2btest.Profile
	Command  []string // empty for a built-in port
	Results  []blake2btest.Result
	Warnings []string // about the program, not about its BLAKE2b
	Nothing  error    // why nothing can be tested
	Left     int      // checks that were not run, for the run was interrupted
}

// formats are the forms of a report.
var formats = map[string]func(r *report) ([]byte, error){
	"text":     func(r *report) ([]byte, error) { return r.text(plain), nil },
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
	fails       verdict = "does not conform"
	untested    verdict = "nothing tested"
	interrupted verdict = "interrupted"
)

func (p *portReport) verdict() verdict {
	switch t := count(p.Results); {
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
	for _, p := range r.Ports {
		switch p.verdict() {
		case fails:
			return statusFails
		case interrupted, untested:
			s = statusNotRun
		}
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
	{"keys", "keys"},
	{"salt", "salts"},
	{"person", "personalizations"},
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
	if v == untested && p.Nothing != nil {
		fmt.Fprintf(&b, ": %v", p.Nothing)
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

// families yields the families of checks in order, with their results.
func (p *portReport) families(yield func(name string, results []blake2btest.Result) bool) {
	family := func(r blake2btest.Result) string {
		name, _, _ := strings.Cut(r.Check.Name, "/")
		return name
	}
	for rest := p.Results; len(rest) > 0; {
		name := family(rest[0])
		n := 1
		for n < len(rest) && family(rest[n]) == name {
			n++
		}
		if !yield(name, rest[:n]) {
			return
		}
		rest = rest[n:]
	}
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
