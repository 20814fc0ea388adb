package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"blake2btest"
	"blake2btest/mutants"
)

// The page is one file: what report.html.tmpl makes, with the style and the script
// in it. They have files of their own because the page's policy, which lets a
// browser load nothing and run nothing else, names them by their hashes.
var (
	//go:embed report.html.tmpl
	pageSource string
	//go:embed report.css
	pageStyle string
	//go:embed report.js
	pageScript string

	pageTemplate = template.Must(template.New("report").Parse(pageSource))
)

// html is the report as a page for a browser. What ports say is on it as text:
// html/template escapes it for where it stands, and it is in no id and no link.
func (r *report) html() ([]byte, error) {
	var b bytes.Buffer
	err := pageTemplate.Execute(&b, r.page())
	return b.Bytes(), err
}

// A page is what the template is given. Its parts have the names of its sections.
type page struct {
	Title, Headline, Lede string
	Circumstances, Day    string
	Style                 template.CSS
	Script                template.JS
	Policy                string

	Listed   bool // whether there are languages and code bases
	Ports    []*portPage
	Verdicts []verdictPage
	Families []familyPage

	Languages, Features []string // to choose from
	Matters             []string // in which ports may choose, and some did

	Axis    *axis // of speeds; nil: none was measured
	Mutants int
	Killed  int  // of these, by all checks
	Less    bool // whether less was asked than what kills them
}

type verdictPage struct {
	Verdict     verdict
	Class       string
	Count, From int // how many ports, and how many are before them
}

type familyPage struct {
	Name   string
	Checks int
}

type portPage struct {
	N                           int
	Name, Version               string
	Language, Codebase, Notes   string
	Command                     string
	Verdict                     verdict
	But                         string // which faults are known
	Class, Summary              string
	Why                         string // there are no results
	Warnings                    []string
	Offered, Missing            []string
	Except                      string
	Behaviour                   []string
	Known                       []knownPage
	Cells                       []*cellPage // one for each family; nil: it was not run
	Choices                     []choice    // one for each matter
	Speed                       string
	SpeedBar, KilledBar, Killed int // bars are of 1,000
}

type knownPage struct{ Why, Checks string }

type cellPage struct {
	Family, State, Mark string
	Part                bool // whether some of its checks were not tested
	Open                bool
	Checks              []checkPage
}

type checkPage struct {
	Name, Must, Source string
	Outcome            blake2btest.Outcome
	Words, Cases       string
	Reason             string
	Behaviour          []string

	// Of a failure.
	Wrong  string
	Fields []field
	Causes []blake2btest.Cause
	Notes  []string
}

type field struct{ Name, Text string }

// A choice is what a port does in a matter in which it may choose.
type choice struct {
	What string
	Rare bool // whether most others do something else
}

// page makes the page.
func (r *report) page() *page {
	g := &page{
		Circumstances: r.circumstances(),
		Day:           time.Now().UTC().Format(time.DateOnly),
		Style:         template.CSS(pageStyle),
		Script:        template.JS(pageScript),
		Policy:        policy(pageStyle, pageScript),
		Listed:        r.listed(),
		Less:          r.Options.Level < blake2btest.Full || r.Options.Filter != nil,
	}
	for _, f := range r.families() {
		n := 0
		for _, c := range r.Selected {
			if familyOf(c) == f {
				n++
			}
		}
		g.Families = append(g.Families, familyPage{f, n})
	}
	killers := mutants.Killers()
	for _, m := range targets() {
		g.Mutants++
		if len(killers[m.Name]) > 0 {
			g.Killed++
		}
	}
	languages := make(map[string]bool)
	for i, p := range r.Ports {
		q := p.page(i, g.Families)
		q.Killed = p.kills(killers)
		q.KilledBar = 1000 * q.Killed / g.Mutants
		g.Ports = append(g.Ports, q)
		if q.Language != "" {
			languages[q.Language] = true
		}
	}
	g.Languages = slices.Sorted(maps.Keys(languages))
	g.Features = slices.DeleteFunc(slices.Clone(blake2btest.Features), func(f string) bool {
		return !slices.ContainsFunc(g.Ports, func(p *portPage) bool { return slices.Contains(p.Offered, f) })
	})
	g.head(r)
	g.speeds(r)
	if len(g.Ports) > 1 { // the choices of one are with it
		g.choices(r)
	}
	return g
}

// policy is what a browser may do for the page: apply its style, run its script.
func policy(style, script string) string {
	hash := func(s string) string {
		h := sha256.Sum256([]byte(s))
		return "'sha256-" + base64.StdEncoding.EncodeToString(h[:]) + "'"
	}
	return fmt.Sprintf("default-src 'none'; style-src %s; script-src %s; base-uri 'none'; form-action 'none'", hash(style), hash(script))
}

// classes are how verdicts look: as cells of that state do.
var classes = map[verdict]string{conforms: "pass", fails: "fail", interrupted: "known", untested: "untested", notRun: "untested"}

// head says what the report comes to.
func (g *page) head(r *report) {
	from := 0
	for _, v := range []verdict{conforms, fails, interrupted, untested, notRun} {
		n := 0
		for _, p := range g.Ports {
			if p.Verdict == v {
				n++
			}
		}
		if n > 0 {
			g.Verdicts = append(g.Verdicts, verdictPage{v, classes[v], n, from})
		}
		from += n
	}
	if len(g.Ports) == 1 {
		p := g.Ports[0]
		g.Title = fmt.Sprintf("%s: %s", p.Name, p.Verdict)
		g.Lede = strings.TrimLeft(strings.TrimPrefix(p.Summary, string(p.Verdict)), ":, ") + "."
		return
	}
	conforming := 0
	if g.Verdicts[0].Verdict == conforms {
		conforming = g.Verdicts[0].Count
	}
	does := "conform"
	if conforming == 1 {
		does += "s"
	}
	g.Headline = fmt.Sprintf("%d of %s %s", conforming, plural(len(g.Ports), "port"), does)
	g.Title = g.Headline + ": BLAKE2b"
	if g.Listed {
		g.Lede, _, _ = strings.Cut(r.count(), ": ")
		g.Lede += "."
	}
	known := 0
	for _, p := range g.Ports {
		if p.But != "" {
			known++
		}
	}
	if known > 0 {
		g.Lede = strings.TrimLeft(fmt.Sprintf("%s Known faults: %s.", g.Lede, plural(known, "port")), " ")
	}
}

// page makes what the page has of port n.
func (p *portReport) page(n int, families []familyPage) *portPage {
	q := &portPage{
		N:       n,
		Name:    cut(p.Name, 80),
		Version: cut(p.Version, 80),
		Command: strings.Join(p.Command, " "),
		Verdict: p.verdict(),
		Class:   classes[p.verdict()],
		Summary: clip(p.summary()),
		Offered: p.Offered,
		Except:  p.exceptions(),
		Cells:   make([]*cellPage, len(families)),
	}
	if l := p.Listing; l != nil {
		q.Language, q.Codebase, q.Notes = l.Language, l.Codebase, l.Notes
	}
	if why := cmp.Or(p.NotRun, p.Nothing); why != nil && len(p.Results) == 0 {
		q.Why = clip(why.Error())
	}
	for _, w := range p.Warnings {
		q.Warnings = append(q.Warnings, clip(w))
	}
	for _, f := range blake2btest.Features {
		why, ok := p.Missing[f]
		if ok && why != f {
			q.Missing = append(q.Missing, fmt.Sprintf("%s (%s)", f, why))
		} else if ok {
			q.Missing = append(q.Missing, f)
		}
	}
	for _, k := range p.reasons(blake2btest.Known) {
		q.Known = append(q.Known, knownPage{k.why, strings.Join(k.checks, ", ")})
	}
	if q.Verdict == conforms && len(q.Known) > 0 {
		q.But = "but for " + plural(len(q.Known), "known fault")
	}
	for _, c := range p.cells() {
		d := &cellPage{Family: c.Family, State: c.state(), Mark: c.mark()}
		d.Open = d.State == "fail" || d.State == "known"
		d.Part = c.checks[blake2btest.Untested] > 0
		for _, r := range c.Results {
			d.Checks = append(d.Checks, checkOf(r))
			q.Behaviour = append(q.Behaviour, r.Behaviour...)
		}
		q.Cells[slices.IndexFunc(families, func(f familyPage) bool { return f.Name == c.Family })] = d
	}
	return q
}

// checkOf makes what the page has of a result.
func checkOf(r blake2btest.Result) checkPage {
	c := checkPage{
		Must:      r.Check.Must,
		Source:    r.Check.Source,
		Outcome:   r.Outcome,
		Words:     map[blake2btest.Outcome]string{blake2btest.Pass: "passed", blake2btest.Fail: "failed", blake2btest.Known: "known", blake2btest.Untested: "not tested"}[r.Outcome],
		Behaviour: r.Behaviour,
	}
	_, c.Name, _ = strings.Cut(r.Check.Name, "/")
	switch {
	case r.Untested > 0:
		c.Cases = fmt.Sprintf("%s of %s", thousands(r.Tested), plural(r.Tested+r.Untested, "case"))
	case r.Tested > 0:
		c.Cases = plural(r.Tested, "case")
	}
	switch why := clip(r.Reason); {
	case r.Outcome == blake2btest.Known:
		c.Reason = "known: " + why
	case r.Outcome == blake2btest.Untested:
		c.Reason = why
	case r.Untested > 0:
		c.Reason = fmt.Sprintf("%s not tested: %s", plural(r.Untested, "case"), why)
	}
	if r.Wrong == "" {
		return c
	}
	c.Wrong, c.Causes = clip(r.Wrong), r.Causes
	line, size := r.Line, 0
	if r.Case != nil {
		line = r.Case.String()
		if r.Case.Verb == blake2btest.VerbSum {
			size = r.Case.Size
		}
	}
	for _, f := range []field{{"case", line}, {"got", words(r.Got, size)}, {"want", words(r.Want, size)}} {
		if f.Text != "" {
			c.Fields = append(c.Fields, field{f.Name, clip(f.Text)})
		}
	}
	for _, n := range r.Notes {
		c.Notes = append(c.Notes, clip(n))
	}
	return c
}

// words returns an answer as digests of size bytes in hex, 0 for one of any length;
// nothing if there was no answer.
func words(b []byte, size int) string {
	switch {
	case b == nil:
		return ""
	case len(b) == 0:
		return "no bytes"
	case size <= 0:
		size = len(b)
	}
	var list []string
	for d := range slices.Chunk(b, size) {
		list = append(list, fmt.Sprintf("%x", d))
	}
	return strings.Join(list, " ")
}

// mostShown is how much of a line is shown, in bytes: the text form has as much.
const mostShown = 1000

// clip cuts a line to what a person can look at.
func clip(s string) string {
	if len(s) <= mostShown {
		return s
	}
	return fmt.Sprintf("%s (%s; whole in -format json)", cut(s, mostShown), plural(len(s), "character"))
}

// cut cuts a text that is longer than so many bytes.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// choices makes the table of what ports do where they may choose: a matter is what
// a behaviour says something of, as in "digest length 0 is refused".
func (g *page) choices(r *report) {
	var matters []string
	check := make(map[string]int)            // by matter: which has it
	times := make(map[string]map[string]int) // by matter and choice
	did := make([]map[string]string, len(r.Ports))
	for i, p := range r.Ports {
		did[i] = make(map[string]string)
		for _, result := range p.Results {
			for _, b := range result.Behaviour {
				what, does := subject(b)
				if times[what] == nil {
					matters = append(matters, what)
					check[what] = slices.Index(r.Selected, result.Check)
					times[what] = make(map[string]int)
				}
				if did[i][what] != "" {
					does = did[i][what] + "; " + does
				}
				did[i][what] = does
			}
		}
		for what, does := range did[i] {
			times[what][does]++
		}
	}
	slices.SortStableFunc(matters, func(a, b string) int { return cmp.Compare(check[a], check[b]) })
	for _, what := range matters {
		g.Matters = append(g.Matters, what)
		most := slices.Max(slices.Collect(maps.Values(times[what])))
		for i, p := range g.Ports {
			does := did[i][what]
			p.Choices = append(p.Choices, choice{cut(does, 200), does != "" && times[what][does] < most})
		}
	}
}

// subject parts a behaviour: what it is about, and what the port does.
func subject(behaviour string) (what, does string) {
	at := len(behaviour)
	for _, verb := range []string{" is ", " gives ", " make "} {
		if i := strings.Index(behaviour, verb); i >= 0 && i < at {
			at = i
		}
	}
	what, does = behaviour[:at], strings.TrimPrefix(behaviour[at:], " is ")
	return what, strings.TrimSpace(does)
}

// kills counts the mutants that a check which the port passed kills.
func (p *portReport) kills(killers map[string][]string) (n int) {
	passed := make(map[string]bool)
	for _, r := range p.Results {
		passed[r.Check.Name] = r.Outcome == blake2btest.Pass
	}
	for _, m := range targets() {
		if slices.ContainsFunc(killers[m.Name], func(c string) bool { return passed[c] }) {
			n++
		}
	}
	return n
}

// An axis is a logarithmic scale.
type axis struct {
	first, decades int
	Labels         []string // at the beginning of each decade
	Ticks          string   // a path, between the decades
}

// speeds makes the bars of speeds, and their axis.
func (g *page) speeds(r *report) {
	slowest, fastest := math.Inf(1), 0.0
	for _, p := range r.Ports {
		if p.Speed > 0 {
			slowest, fastest = min(slowest, p.Speed), max(fastest, p.Speed)
		}
	}
	if fastest == 0 {
		return
	}
	a := &axis{first: int(math.Ceil(math.Log10(slowest))) - 1}
	a.decades = max(1, int(math.Ceil(math.Log10(fastest)))-a.first)
	for i := range a.decades {
		a.Labels = append(a.Labels, rate(math.Pow10(a.first+i)))
		if i > 0 {
			a.Ticks += fmt.Sprintf("M%d 0v1", 1000*i/a.decades)
		}
	}
	for i, p := range r.Ports {
		if p.Speed > 0 {
			g.Ports[i].Speed = rate(p.Speed)
			g.Ports[i].SpeedBar = int(1000 * (math.Log10(p.Speed) - float64(a.first)) / float64(a.decades))
		}
	}
	g.Axis = a
}

// rate returns bytes a second to three digits.
func rate(speed float64) string {
	unit := "B/s"
	for _, u := range []string{"kB/s", "MB/s", "GB/s"} {
		if speed < 999.5 {
			break
		}
		speed, unit = speed/1000, u
	}
	digits := max(0, 2-int(math.Floor(math.Log10(max(speed, 1)))))
	s := fmt.Sprintf("%.*f", digits, speed)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s + " " + unit
}
