package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"runtime"

	"blake2btest"
)

// reportSchema is the version of the form below, which report.schema.json
// describes. Fields may be added to it; any other change is another version.
const reportSchema = 1

type jsonReport struct {
	Schema  int        `json:"schema"`
	Version string     `json:"version"`
	Go      string     `json:"go"`
	OS      string     `json:"os"`
	Arch    string     `json:"arch"`
	Level   string     `json:"level"`
	Run     string     `json:"run,omitempty"`
	Require []string   `json:"require,omitempty"`
	Seed    uint64     `json:"seed,string"` // not every reader has integers of 64 bits
	Ports   []jsonPort `json:"ports"`
}

type jsonPort struct {
	Name       string            `json:"name"`
	Version    string            `json:"version"`
	Language   string            `json:"language,omitempty"`
	Codebase   string            `json:"codebase,omitempty"`
	Notes      string            `json:"notes,omitempty"`
	Command    []string          `json:"command,omitempty"`
	Verdict    verdict           `json:"verdict"`
	Summary    string            `json:"summary"`
	Offered    []string          `json:"offered"`
	Missing    map[string]string `json:"missing"`
	NotOffered map[string]string `json:"notOffered"`
	Warnings   []string          `json:"warnings,omitempty"`
	Checks     []jsonCheck       `json:"checks"`
	Left       int               `json:"left,omitempty"`
	Speed      int64             `json:"speed,omitempty"`
}

type jsonCheck struct {
	Name      string              `json:"name"`
	Must      string              `json:"must"`
	Source    string              `json:"source"`
	Outcome   blake2btest.Outcome `json:"outcome"`
	Tested    int                 `json:"tested"`
	Untested  int                 `json:"untested"`
	Reason    string              `json:"reason,omitempty"`
	Behaviour []string            `json:"behaviour,omitempty"`
	Failure   *jsonFailure        `json:"failure,omitempty"`
}

type jsonFailure struct {
	Wrong  string      `json:"wrong"`
	Case   string      `json:"case,omitempty"`
	Got    *string     `json:"got,omitempty"`
	Want   *string     `json:"want,omitempty"`
	Notes  []string    `json:"notes,omitempty"`
	Causes []jsonCause `json:"causes,omitempty"`
}

type jsonCause struct {
	Mutant string `json:"mutant"`
	Bug    string `json:"bug"`
}

// json is the report for programs.
func (r *report) json() ([]byte, error) {
	j := jsonReport{
		Schema:  reportSchema,
		Version: moduleVersion(),
		Go:      runtime.Version(),
		OS:      runtime.GOOS,
		Arch:    runtime.GOARCH,
		Level:   r.Options.Level.String(),
		Require: r.Options.Require,
		Seed:    r.Options.Seed,
		Ports:   []jsonPort{},
	}
	if r.Options.Filter != nil {
		j.Run = r.Options.Filter.String()
	}
	for _, p := range r.Ports {
		j.Ports = append(j.Ports, p.json())
	}
	return marshal(j)
}

func (p *portReport) json() jsonPort {
	j := jsonPort{
		Name:       p.Name,
		Version:    p.Version,
		Command:    p.Command,
		Verdict:    p.verdict(),
		Summary:    p.summary(),
		Offered:    append([]string{}, p.Offered...),
		Missing:    orEmpty(p.Missing),
		NotOffered: orEmpty(p.NotOffered),
		Warnings:   p.Warnings,
		Checks:     []jsonCheck{},
		Left:       p.Left,
		Speed:      int64(p.Speed),
	}
	if l := p.Listing; l != nil {
		j.Language, j.Codebase, j.Notes = l.Language, l.Codebase, l.Notes
	}
	for _, r := range p.Results {
		c := jsonCheck{
			Name:      r.Check.Name,
			Must:      r.Check.Must,
			Source:    r.Check.Source,
			Outcome:   r.Outcome,
			Tested:    r.Tested,
			Untested:  r.Untested,
			Reason:    r.Reason,
			Behaviour: r.Behaviour,
		}
		if r.Wrong != "" {
			c.Failure = failure(r)
		}
		j.Checks = append(j.Checks, c)
	}
	return j
}

// orEmpty returns a map that JSON has as an object, not as null.
func orEmpty(m map[string]string) map[string]string {
	if m == nil {
		return map[string]string{}
	}
	return m
}

func failure(r blake2btest.Result) *jsonFailure {
	f := &jsonFailure{Wrong: r.Wrong, Case: r.Line, Got: hexOf(r.Got), Want: hexOf(r.Want), Notes: r.Notes}
	if r.Case != nil {
		f.Case = r.Case.String()
	}
	for _, c := range r.Causes {
		f.Causes = append(f.Causes, jsonCause{c.Name, c.Bug})
	}
	return f
}

// hexOf tells no answer, nil, from one of no bytes.
func hexOf(b []byte) *string {
	if b == nil {
		return nil
	}
	s := hex.EncodeToString(b)
	return &s
}

// marshal writes JSON as the files of package vectors have it.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", " ")
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}
