package main

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"blake2btest"
)

// markdown is the report for where a summary is shown as a page. What ports say
// is in it, and must not be taken for markup.
func (r *report) markdown() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("| port | verdict |\n|---|---|\n")
	for _, p := range r.Ports {
		fmt.Fprintf(&b, "| %s | %s |\n", escape(p.title()), escape(p.summary()))
	}
	fmt.Fprintf(&b, "\nBy %s.\n", escape(r.circumstances()))
	for _, p := range r.Ports {
		for _, r := range p.Results {
			if r.Outcome == blake2btest.Fail {
				fmt.Fprintf(&b, "\n    %s\n", strings.ReplaceAll(lines(r), "\n", "\n    "))
			}
		}
	}
	return b.Bytes(), nil
}

var markup = regexp.MustCompile("[\\\\`*_{}\\[\\]<>|#&~]")

func escape(s string) string { return markup.ReplaceAllString(s, `\$0`) }
