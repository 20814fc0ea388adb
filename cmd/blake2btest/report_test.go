package main

import (
	"errors"
	"strings"
	"testing"

	"blake2btest"
)

func TestSummary(t *testing.T) {
	result := func(o blake2btest.Outcome, tested, untested int, reason string) blake2btest.Result {
		return blake2btest.Result{Check: blake2btest.Checks()[0], Outcome: o, Tested: tested, Untested: untested, Reason: reason}
	}
	pass := result(blake2btest.Pass, 12_345, 1, "no time left")
	fail := result(blake2btest.Fail, 1, 0, "")
	known := result(blake2btest.Known, 2, 0, "issue 7")
	unasked := result(blake2btest.Untested, 0, 8, "no salt")
	for _, tt := range []struct {
		what   string
		p      portReport
		want   string
		status status
	}{
		{"all right", portReport{Results: []blake2btest.Result{pass}},
			"conforms: 1 of 1 check passed, 12,345 cases; not tested: 0 checks, 1 case", statusFine},
		{"a failure", portReport{Results: []blake2btest.Result{pass, fail, unasked}},
			"does not conform: 1 check failed, 1 of 3 checks passed, 12,346 cases; not tested: 1 check, 9 cases (no salt)", statusFails},
		{"known failures", portReport{Results: []blake2btest.Result{known, pass, known}},
			"conforms but for 1 known fault: 2 checks failed as known, 1 of 3 checks passed, 12,349 cases; not tested: 0 checks, 1 case", statusFine},
		{"values that are not offered", portReport{Profile: &blake2btest.Profile{NotOffered: map[string]string{"sizes": "1-15,17", "keys": "1-15"}}, Results: []blake2btest.Result{pass}},
			"conforms, except for digests of 1-15,17 bytes, keys of 1-15 bytes, which are not offered: 1 of 1 check passed, 12,345 cases; not tested: 0 checks, 1 case", statusFine},
		{"nothing to ask", portReport{Nothing: errors.New("no answer")},
			"nothing tested: no answer", statusNotRun},
		{"nothing asked", portReport{Results: []blake2btest.Result{unasked, unasked}},
			"nothing tested: 0 of 2 checks passed, 0 cases; not tested: 2 checks, 16 cases (no salt)", statusNotRun},
		{"an interruption", portReport{Results: []blake2btest.Result{pass}, Left: 3},
			"interrupted: 1 of 4 checks passed, 12,345 cases; not tested: 3 checks, 1 case (interrupted)", statusNotRun},
		{"an interruption after a failure", portReport{Results: []blake2btest.Result{pass, fail}, Left: 2},
			"does not conform: 1 check failed, 1 of 4 checks passed, 12,346 cases; not tested: 2 checks, 1 case (interrupted)", statusFails},
	} {
		if tt.p.Profile == nil {
			tt.p.Profile = &blake2btest.Profile{}
		}
		r := report{Ports: []*portReport{&tt.p}}
		if got := tt.p.summary(); got != tt.want || r.status() != tt.status {
			t.Errorf("%s:\n\tgot  %s, status %d\n\twant %s, status %d", tt.what, got, r.status(), tt.want, tt.status)
		}
	}
}

// TestEscape: what a port says of itself is no markup.
func TestEscape(t *testing.T) {
	const name = "a|b<i>`*"
	p := &portReport{Profile: &blake2btest.Profile{Name: name, Version: "1"}}
	got, err := (&report{Ports: []*portReport{p}}).markdown()
	if want := "| a\\|b\\<i\\>\\`\\* 1 |"; err != nil || !strings.Contains(string(got), want) {
		t.Errorf("got %s, %v; want it to have %s", got, err, want)
	}
}
