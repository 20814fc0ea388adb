package main

import (
	"encoding/xml"
	"strings"

	"blake2btest"
)

// The form that CI systems know from JUnit: a suite for each family of checks
// of each port, and one for its verdict.
type junitSuites struct {
	XMLName xml.Name `xml:"testsuites"`
	junitCounts
	Suites []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	junitCounts
	Cases []junitCase `xml:"testcase"`
}

type junitCounts struct {
	Name     string `xml:"name,attr"`
	Tests    int    `xml:"tests,attr"`
	Failures int    `xml:"failures,attr"`
	Skipped  int    `xml:"skipped,attr"`
}

type junitCase struct {
	Class   string     `xml:"classname,attr"`
	Name    string     `xml:"name,attr"`
	Skipped *junitText `xml:"skipped"`
	Failure *junitText `xml:"failure"`
	Out     string     `xml:"system-out,omitempty"`
}

type junitText struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// junit is the report for CI systems. What is known to fail is skipped there.
func (r *report) junit() ([]byte, error) {
	all := junitSuites{junitCounts: junitCounts{Name: r.circumstances()}}
	for _, p := range r.Ports {
		for _, cell := range p.cells() {
			var cases []junitCase
			for _, r := range cell.Results {
				cases = append(cases, junitCaseOf(p, r))
			}
			all.add(p.Name+" "+cell.Family, cases)
		}
		verdict := junitCase{Class: p.Name, Name: "verdict", Out: p.title()}
		switch v := p.verdict(); {
		case v == notRun && !r.Installed:
			verdict.Skipped = &junitText{Message: p.summary()}
		case v != conforms:
			verdict.Failure = &junitText{Message: p.summary()}
		}
		all.add(p.Name, []junitCase{verdict})
	}
	data, err := xml.MarshalIndent(all, "", " ")
	return append([]byte(xml.Header), append(data, '\n')...), err
}

func junitCaseOf(p *portReport, r blake2btest.Result) junitCase {
	c := junitCase{Class: p.Name, Name: r.Check.Name, Out: strings.Join(r.Behaviour, "\n")}
	switch r.Outcome {
	case blake2btest.Fail:
		c.Failure = &junitText{r.Wrong, r.String()}
	case blake2btest.Known:
		c.Skipped = &junitText{"known to fail: " + r.Reason, r.String()}
	case blake2btest.Untested:
		c.Skipped = &junitText{Message: "not tested: " + r.Reason}
	}
	return c
}

// add adds a suite, and counts.
func (all *junitSuites) add(name string, cases []junitCase) {
	n := junitCounts{Name: name, Tests: len(cases)}
	for _, c := range cases {
		if c.Failure != nil {
			n.Failures++
		}
		if c.Skipped != nil {
			n.Skipped++
		}
	}
	all.Suites = append(all.Suites, junitSuite{n, cases})
	all.Tests += n.Tests
	all.Failures += n.Failures
	all.Skipped += n.Skipped
}
