package main

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"time"

	"blake2btest"
)

// markdown is the report for where a summary is shown as a page. What ports say
// is in it, and must not be taken for markup.
func (r *report) markdown() ([]byte, error) {
	var b bytes.Buffer
	if r.listed() {
		r.markdownMatrix(&b)
	} else {
		b.WriteString("| port | verdict |\n|---|---|\n")
		for _, p := range r.Ports {
			fmt.Fprintf(&b, "| %s | %s |\n", escape(p.title()), escape(p.summary()))
		}
	}
	fmt.Fprintf(&b, "\nBy %s.\n", escape(r.circumstances()))
	for _, p := range r.Ports {
		if len(r.Ports) > 1 && p.verdict() == fails {
			fmt.Fprintf(&b, "\n## %s\n", escape(p.title()))
		}
		for _, r := range p.Results {
			if r.Outcome == blake2btest.Fail {
				fmt.Fprintf(&b, "\n    %s\n", strings.ReplaceAll(lines(r), "\n", "\n    "))
			}
		}
	}
	return b.Bytes(), nil
}

// markdownMatrix writes a line for each port of a list: what it is, a cell for
// each family of checks, the verdict. Below it stands what is known to fail.
func (r *report) markdownMatrix(b *bytes.Buffer) {
	families := r.families()
	fmt.Fprintf(b, "%s, on %s.\n\n", escape(r.count()), time.Now().UTC().Format(time.DateOnly))
	fmt.Fprintf(b, "| port | version | language | code base | %s | verdict |\n|%s\n", strings.Join(families, " | "), strings.Repeat("---|", len(families)+5))
	for _, p := range r.Ports {
		fmt.Fprintf(b, "| %s | %s | %s | %s |", escape(p.Name), escape(p.Version), escape(p.Listing.Language), escape(p.Listing.Codebase))
		for _, m := range p.marks(families) {
			fmt.Fprintf(b, " %s |", m)
		}
		v := string(p.verdict())
		if p.NotRun != nil {
			v = p.summary()
		} else if n := len(p.reasons(blake2btest.Known)); n > 0 && v == string(conforms) {
			v += " but for " + plural(n, "known fault")
		}
		fmt.Fprintf(b, " %s |\n", escape(v))
	}
	b.WriteString("\nA number is how many checks of the family passed; those missing to all, and a -, were not tested.\n\n")
	for _, p := range r.Ports {
		for _, k := range p.reasons(blake2btest.Known) {
			fmt.Fprintf(b, "- %s: %s (%s)\n", escape(p.Name), escape(k.why), strings.Join(k.checks, ", "))
		}
	}
}

var markup = regexp.MustCompile("[\\\\`*_{}\\[\\]<>|#&~]")

func escape(s string) string { return markup.ReplaceAllString(s, `\$0`) }
