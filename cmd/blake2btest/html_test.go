package main

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"blake2btest"
)

// pageOf renders a report.
func pageOf(t *testing.T, r *report) string {
	t.Helper()
	b, err := r.html()
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// saying returns a report on ports that have the same text for all that a port,
// or who lists it, can say.
func saying(text string) *report {
	check := blake2btest.Checks()[0]
	fail := blake2btest.Result{Check: check, Outcome: blake2btest.Fail, Tested: 1, Untested: 2, Wrong: text, Line: text, Got: []byte(text), Notes: []string{text}, Causes: []blake2btest.Cause{{Name: text, Bug: text}}, Reason: text}
	known := fail
	known.Outcome = blake2btest.Known
	pass := blake2btest.Result{Check: check, Outcome: blake2btest.Pass, Tested: 1, Behaviour: []string{text, text + " is " + text}}
	untested := blake2btest.Result{Check: check, Outcome: blake2btest.Untested, Reason: text}
	port := func(results ...blake2btest.Result) *portReport {
		return &portReport{
			Profile: &blake2btest.Profile{
				Name: text, Version: text,
				Offered:    []string{"keys", text},
				Missing:    map[string]string{"salt": text},
				NotOffered: map[string]string{"keys": text},
			},
			Listing:  &listing{Name: text, Version: text, Language: text, Codebase: text, Command: []string{text}, Notes: text},
			Command:  []string{text, text},
			Warnings: []string{text},
			Results:  results,
		}
	}
	away := port()
	away.NotRun = errors.New(text)
	return &report{
		Selected: []*blake2btest.Check{check},
		Ports:    []*portReport{port(fail, pass, untested), port(known), port(pass), away},
	}
}

var tags = regexp.MustCompile(`<[a-zA-Z/!][^>]*>`)

// TestPageHostile: what ports say is text wherever it stands. The page has the
// same elements and attributes whatever they say, and no other links.
func TestPageHostile(t *testing.T) {
	outline := func(text string) (names []string) {
		page := pageOf(t, saying(text))
		if !strings.Contains(page, html.EscapeString(text)) && !strings.Contains(page, text) {
			t.Errorf("the page does not have %q", text)
		}
		for _, tag := range tags.FindAllString(page, -1) {
			// Values are in quotes, and have none inside.
			for i, part := range strings.Split(tag, `"`) {
				switch {
				case i%2 == 0:
					names = append(names, part)
				case strings.HasSuffix(names[len(names)-1], "href="), strings.HasSuffix(names[len(names)-1], "id="):
					names = append(names, part)
				}
			}
		}
		return names
	}
	want := outline("tame")
	for _, text := range []string{
		`<script>alert(1)</script><img src=x onerror=alert(1)>`,
		`" autofocus onfocus="alert(1)" x="`,
		`' onmouseover='alert(1)`,
		"` onmouseover=`alert(1)",
		`</style></script></title></bdi></details>-->`,
		`javascript:alert(1)`,
		`{{.}}${1}`,
		`&lt;&quot;&#34;`,
	} {
		got := outline(text)
		if i := slices.IndexFunc(got, func(s string) bool { return strings.Contains(s, "alert") }); i >= 0 {
			t.Errorf("%q is in a tag: %s", text, got[i])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q makes other elements", text)
		}
	}
}

// TestPageLinks: each id is there once, and each link leads to one. Nothing leads
// off the page.
func TestPageLinks(t *testing.T) {
	one := saying("x")
	one.Ports = one.Ports[:1]
	for _, r := range []*report{saying("x"), one} {
		page := pageOf(t, r)
		ids := make(map[string]bool)
		for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(page, -1) {
			if ids[m[1]] {
				t.Errorf("id %q is there twice", m[1])
			}
			ids[m[1]] = true
		}
		links := 0
		for _, m := range regexp.MustCompile(` (href|src|action|data|aria-labelledby)="([^"]*)"`).FindAllStringSubmatch(page, -1) {
			to, ok := strings.CutPrefix(m[2], "#")
			if !ok && m[1] != "aria-labelledby" || !ids[to] {
				t.Errorf("%s leads nowhere on the page", m[0])
			}
			links++
		}
		if links < 10 {
			t.Errorf("there are %d links", links)
		}
	}
}

// TestPageCounts: the numbers of the page are those of the report.
func TestPageCounts(t *testing.T) {
	r := saying("x")
	page := pageOf(t, r)
	for _, want := range []string{
		"<h1>2 of 4 ports conform</h1>",
		`<p class="lede">4 ports of 1 code base in 1 language. Known faults: 1 port.</p>`,
		`<li class="pass"><b>2</b> conforms</li>`,
		`<li class="fail"><b>1</b> does not conform</li>`,
		`<li class="untested"><b>1</b> not run</li>`,
		`<th scope="col" class="family">features <small>of 1</small>`,
		`<a class="fail part" href="#p0-features" aria-label="x, features: 1 failed">1 failed</a>`,
		`<a class="known" href="#p1-features" aria-label="x, features: 1 known">1 known</a>`,
		`<a class="behaviour" href="#p2-features" aria-label="x, features: 1, with a choice">1<sup>†</sup></a>`,
		`<td class="why" colspan="1"><bdi>x</bdi>`,
		`conforms <small>but for 1 known fault</small>`,
		`<i>1 of 3 cases</i>`,
		`<dt>got<dd tabindex="0"><code>78</code>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not have %s", want)
		}
	}

	// Of one port the verdict is the headline.
	r.Ports = r.Ports[:1]
	r.Ports[0].Listing = nil
	page = pageOf(t, r)
	for _, want := range []string{`<h1><bdi>x</bdi> <small><bdi>x</bdi></small> <span class="fail">does not conform</span></h1>`, `<details class="port" data-port="0" open>`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page of one port does not have %s", want)
		}
	}
	for _, not := range []string{"<form", "code base<"} {
		if strings.Contains(page, not) {
			t.Errorf("the page of one port has %s", not)
		}
	}
}

// TestPagePolicy: the policy names the style and the script as they are on the
// page, to the byte.
func TestPagePolicy(t *testing.T) {
	page := pageOf(t, saying("x"))
	inside := func(element string) string {
		_, rest, _ := strings.Cut(page, "<"+element+">")
		text, _, _ := strings.Cut(rest, "</"+element+">")
		return text
	}
	want := html.EscapeString(policy(inside("style"), inside("script")))
	m := regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(page)
	if len(m) == 0 || html.UnescapeString(m[1]) != html.UnescapeString(want) {
		t.Errorf("the policy is %q; want %q", m, want)
	}
}

func TestRate(t *testing.T) {
	for _, tt := range []struct {
		speed float64
		want  string
	}{
		{0.4, "0.4 B/s"},
		{999, "999 B/s"},
		{999.6, "1 kB/s"},
		{12_340, "12.3 kB/s"},
		{470_748_028, "471 MB/s"},
		{999_700_000, "1 GB/s"},
		{1_006_000_000, "1.01 GB/s"},
		{20_000_000_000_000, "20000 GB/s"},
	} {
		if got := rate(tt.speed); got != tt.want {
			t.Errorf("%v: %s; want %s", tt.speed, got, tt.want)
		}
	}
}

// TestSubject parts what checks say of choices.
func TestSubject(t *testing.T) {
	for behaviour, want := range map[string][2]string{
		"digest length 0 is refused":                         {"digest length 0", "refused"},
		"digest length 0 gives a digest of 64 bytes":         {"digest length 0", "gives a digest of 64 bytes"},
		"a second digest is refused: that is so":             {"a second digest", "refused: that is so"},
		"Write and Sum make 2 allocations":                   {"Write and Sum", "make 2 allocations"},
		"salt with a key is as the parameter block gives it": {"salt with a key", "as the parameter block gives it"},
		"something else":                                     {"something else", ""},
	} {
		if what, does := subject(behaviour); what != want[0] || does != want[1] {
			t.Errorf("%s: %q, %q; want %q", behaviour, what, does, want)
		}
	}
}

// TestPageClip: what is long is cut, and says so.
func TestPageClip(t *testing.T) {
	page := pageOf(t, saying(strings.Repeat("é", 3000)))
	if !strings.Contains(page, "… (6,000 characters; whole in -format json)") {
		t.Error("a long line is not cut")
	}
	if bytes.ContainsRune([]byte(page), '\uFFFD') {
		t.Error("a character is cut")
	}
	if got := fmt.Sprint(words(nil, 8), words([]byte{}, 8), words([]byte{1, 2, 3, 4}, 2), words([]byte{1, 2}, 0)); got != "no bytes0102 03040102" {
		t.Errorf("words are %s", got)
	}
}
