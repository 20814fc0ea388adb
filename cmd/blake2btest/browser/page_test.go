// Package browser looks at the page of a report in a browser, as a reader does:
// does it say what the JSON says, and is it fit to be read? It is a module of its
// own because the browser's driver is nobody else's business.
//
//	go test -C cmd/blake2btest/browser -count=1 .
//
// Without -count=1, go test may not see that the command is another than the last
// time. BLAKE2BTEST_REQUIRE=chromium makes it a failure that there is no Chromium.
// With -screenshots, pictures of the pages are left in a folder, to be looked at.
package browser

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"blake2btest"
	"blake2btest/internal/require"
	"blake2btest/mutants"
	"blake2btest/subprocess"
	"blake2btest/variants"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

var screenshots = flag.String("screenshots", "", "leave pictures of the pages in `folder`")

// The test binary is a port, too, whose words are markup.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "hostile" {
		if err := subprocess.Serve(context.Background(), os.Stdin, os.Stdout, hostile{blake2btest.Over(variants.Default())}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// markup is what a port might say: it gets out of text, attributes, styles and
// scripts, where it is not taken for text.
const markup = `"'></style></script><script>document.title='x'</script><img/src=x/onerror=document.title='x'>{{.}}javascript:alert(1)`

// hostile is a port that says it wherever a port can say something.
type hostile struct{ right *blake2btest.BLAKE2b }

func (hostile) About() (name, version string) { return "hostile" + markup, markup }

func (h hostile) Answer(c blake2btest.Case) ([]byte, error) {
	switch {
	case c.Salt != nil:
		return nil, fmt.Errorf("%s: %w", markup, errors.ErrUnsupported)
	case len(c.Key) == 3, slices.ContainsFunc(c.Steps, func(s blake2btest.Step) bool { return s.Op == blake2btest.OpSum }):
		return nil, errors.New(markup)
	}
	return h.right.Answer(c)
}

// A listing is a port in the list of the test.
type listing struct {
	Name     string   `json:"name"`
	Version  string   `json:"version"`
	Language string   `json:"language"`
	Codebase string   `json:"codebase"`
	Command  []string `json:"command"`
	Notes    string   `json:"notes"`
}

// The parts of the report in JSON that are looked at.
type report struct{ Ports []*port }

type port struct {
	Name, Version, Language, Codebase, Notes string
	Command                                  []string
	Verdict, Summary                         string
	Offered                                  []string
	Missing, NotOffered                      map[string]string
	Warnings                                 []string
	Checks                                   []*check
	Speed                                    int64
}

type check struct {
	Name, Must, Source string
	Outcome            blake2btest.Outcome
	Tested, Untested   int
	Reason             string
	Behaviour          []string
	Failure            *struct {
		Wrong, Case string
		Got, Want   *string
		Notes       []string
		Causes      []struct{ Mutant, Bug string }
	}
}

func TestPages(t *testing.T) {
	chromium := find(t)
	dir := t.TempDir()
	command := filepath.Join(dir, "blake2btest")
	if out, err := exec.Command("go", "build", "-C", filepath.Join("..", "..", ".."), "-o", command, "./cmd/blake2btest").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	list := []listing{
		{"rolled", "1.0", "Go", "this module", []string{command, "serve", "rolled"}, "the reference, as it stands in the RFC"},
		{"xcrypto", "v0.59.0", "Go", "golang.org/x/crypto", []string{command, "serve", "xcrypto"}, ""},
		{"reset-drops-key", "2", "C", "a mutant: of this module", []string{command, "serve", "mutant/reset-drops-key"}, ""},
		{"a-port-with-a-name-that-is-so-long-that-it-has-to-be-broken", "0.0.0-20190920191254-c42c1b2914c7", "Common Lisp", "a mutant: of this module", []string{command, "serve", "mutant/key-as-text"}, ""},
		{"nothing", "3", "C++", "false", []string{command, "serve", "mutant/no-such"}, ""},
		{"gone", "4", "Rust", "nobody's", []string{filepath.Join(dir, "gone")}, ""},
		{"hostile" + markup, markup, "C++ " + markup, markup, []string{self, "hostile"}, markup},
	}
	data, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	ports := filepath.Join(dir, "ports.json")
	if err := os.WriteFile(ports, data, 0o666); err != nil {
		t.Fatal(err)
	}

	pages := []struct {
		name string
		args []string
	}{
		{"list", []string{"-ports", ports, "-j", "1"}},
		{"one", []string{self, "hostile"}},
		{"builtin", nil},
	}
	browser := start(t, chromium)
	for _, p := range pages {
		t.Run(p.name, func(t *testing.T) {
			// One after the other, so that neither leaves the other no time.
			file := filepath.Join(dir, p.name+".html")
			run(t, command, append([]string{"-format", "html", "-o", file}, p.args...))
			var want report
			if err := json.Unmarshal(run(t, command, append([]string{"-format", "json"}, p.args...)), &want); err != nil {
				t.Fatal(err)
			}
			g := open(t, browser, file)
			items := itemsOf(t, g)
			reconcile(t, want, items)
			t.Run("counts", func(t *testing.T) { counts(t, g, want) })
			t.Run("checks", func(t *testing.T) { checks(t, want, items) })
			t.Run("hostile", func(t *testing.T) { text(t, g, want) })
			t.Run("links", func(t *testing.T) { links(t, g) })
			t.Run("filters", func(t *testing.T) { filters(t, g, want) })
			t.Run("contrast", func(t *testing.T) { contrast(t, g) })
			t.Run("narrow", func(t *testing.T) { narrow(t, g) })
			t.Run("noscript", func(t *testing.T) { noscript(t, g) })
			t.Run("quiet", func(t *testing.T) { quiet(t, g) })
			g.pictures(t, p.name)
		})
	}
}

// find returns the path of Chromium.
func find(t *testing.T) string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	require.Skip(t, "chromium", "there is no Chromium")
	return ""
}

// run runs the command check at level quick.
func run(t *testing.T, command string, args []string) []byte {
	t.Helper()
	out, err := exec.Command(command, append([]string{"check", "-level", "quick"}, args...)...).Output()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		t.Fatalf("check %q: %v\n%s", args, err, out)
	}
	return out
}

// start starts the browser.
func start(t *testing.T, chromium string) context.Context {
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(chromium),
		chromedp.NoSandbox,
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
	)
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// A page is one that is open, and what the browser said of it.
type page struct {
	ctx context.Context
	url string

	mu       sync.Mutex
	said     []string // on the console, or as an exception
	requests []string
}

// open opens a page, on a screen of the usual size.
func open(t *testing.T, browser context.Context, file string) *page {
	ctx, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	g := &page{ctx: ctx, url: "file://" + filepath.ToSlash(file)}
	err := chromedp.Listen(ctx, func(event any) {
		g.mu.Lock()
		defer g.mu.Unlock()
		switch e := event.(type) {
		case *runtime.EventConsoleAPICalled:
			g.said = append(g.said, fmt.Sprintf("console: %v", e.Type))
		case *runtime.EventExceptionThrown:
			g.said = append(g.said, fmt.Sprintf("exception: %v", e.ExceptionDetails))
		case *log.EventEntryAdded:
			g.said = append(g.said, fmt.Sprintf("%v: %s", e.Entry.Source, e.Entry.Text))
		case *network.EventRequestWillBeSent:
			g.requests = append(g.requests, e.Request.URL)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	g.screen(t, 1280, 1000)
	g.do(t, chromedp.Navigate(g.url))
	return g
}

func (g *page) do(t *testing.T, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	ctx, cancel := context.WithTimeout(g.ctx, 30*time.Second)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

func (g *page) screen(t *testing.T, width, height int64) {
	t.Helper()
	g.do(t, chromedp.EmulateViewport(width, height))
}

func (g *page) scheme(t *testing.T, name string) {
	t.Helper()
	_, err := chromedp.Call(g.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}})
	if err != nil {
		t.Fatal(err)
	}
}

// eval returns what a function of JavaScript, which may be asynchronous, returns.
func eval[T any](t *testing.T, g *page, function string, args ...any) T {
	t.Helper()
	list, err := json.Marshal(append([]any{}, args...))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(g.ctx, 30*time.Second)
	defer cancel()
	// As JSON, so that an object comes whole.
	s, err := chromedp.Run(ctx, chromedp.Evaluate[string](fmt.Sprintf("(async () => JSON.stringify(await (%s)(...%s) ?? null))()", function, list), chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	var v T
	if err := json.Unmarshal([]byte(s), &v); err != nil {
		t.Fatalf("%v: %s", err, s)
	}
	return v
}

// family returns that of a check, and the rest of its name.
func family(c *check) (family, name string) {
	family, name, _ = strings.Cut(c.Name, "/")
	return family, name
}

// families returns the checks of a port by family, and the families in order.
func (p *port) families() (names []string, checks map[string][]*check) {
	checks = make(map[string][]*check)
	for _, c := range p.Checks {
		f, _ := family(c)
		if checks[f] == nil {
			names = append(names, f)
		}
		checks[f] = append(checks[f], c)
	}
	return names, checks
}

// mark is what the cell of a family has to say.
func mark(checks []*check) string {
	n := make(map[blake2btest.Outcome]int)
	chose := false
	for _, c := range checks {
		n[c.Outcome]++
		chose = chose || len(c.Behaviour) > 0
	}
	pass := n[blake2btest.Pass]
	switch {
	case n[blake2btest.Fail] > 0:
		return fmt.Sprintf("%d failed", n[blake2btest.Fail])
	case n[blake2btest.Known] > 0:
		return fmt.Sprintf("%d known", n[blake2btest.Known])
	case pass == 0:
		return "–"
	}
	s := strconv.Itoa(pass)
	if pass < len(checks) {
		s += fmt.Sprintf(" of %d", len(checks))
	}
	if chose {
		s += "†"
	}
	return s
}

// counts: the numbers of the page, and its tables, are those of the JSON.
func counts(t *testing.T, g *page, want report) {
	verdicts := make(map[string]int)
	listed := want.Ports[0].Language != ""
	var families []string
	for _, p := range want.Ports {
		verdicts[p.Verdict]++
		if names, _ := p.families(); len(names) > len(families) {
			families = names
		}
	}
	if len(want.Ports) > 1 {
		got := eval[map[string]int](t, g, `() => Object.fromEntries([...document.querySelectorAll(".counts li")].map((li) => [li.lastChild.data.trim(), +li.querySelector("b").textContent]))`)
		if !maps.Equal(got, verdicts) {
			t.Errorf("the verdicts are %v; want %v", got, verdicts)
		}
		headline := fmt.Sprintf("%d of %d port", verdicts["conforms"], len(want.Ports))
		if got := eval[string](t, g, `() => document.querySelector("h1").textContent`); !strings.HasPrefix(got, headline) {
			t.Errorf("the headline is %q; want %q", got, headline)
		}
	}

	type row struct{ Head, Cells []string }
	rows := eval[[]row](t, g, `() => [...document.querySelectorAll(".matrix tr")].map((tr) => ({
		Head: [...tr.querySelectorAll("th bdi")].map((e) => e.textContent),
		Cells: [...tr.cells].slice(1).map((e) => e.innerText.replace(/\s+/g, " ").trim()),
	}))`)
	wantHead := []string{"verdict"}
	for _, f := range families {
		_, checks := want.Ports[0].families()
		wantHead = append(wantHead, fmt.Sprintf("%s of %d", f, len(checks[f])))
	}
	if listed {
		wantHead = append(wantHead, "language", "code base")
	}
	if !slices.Equal(rows[0].Cells, wantHead) {
		t.Errorf("the matrix has columns %q; want %q", rows[0].Cells, wantHead)
	}
	if len(rows)-1 != len(want.Ports) {
		t.Fatalf("the matrix has %d rows; want %d", len(rows)-1, len(want.Ports))
	}
	killers := mutants.Killers()
	killed := eval[map[string]string](t, g, `() => Object.fromEntries([...document.querySelectorAll(".bars tbody tr")].map((tr) => [tr.dataset.port, [...tr.querySelectorAll(".number")].at(-1).textContent]))`)
	for i, p := range want.Ports {
		got := rows[i+1]
		if head := []string{p.Name, p.Version}; !equal(got.Head, head) {
			t.Errorf("row %d is headed %q; want %q", i, got.Head, head)
		}
		cells := []string{p.Verdict}
		known := make(map[string]bool)
		passed := make(map[string]bool)
		for _, c := range p.Checks {
			if c.Outcome == blake2btest.Known {
				known[c.Reason] = true
			}
			passed[c.Name] = c.Outcome == blake2btest.Pass
		}
		if len(known) > 0 && p.Verdict == "conforms" {
			cells[0] += fmt.Sprintf(" but for %d known fault", len(known))
		}
		if names, checks := p.families(); len(p.Checks) == 0 {
			cells = append(cells, strings.Join(strings.Fields(strings.TrimPrefix(p.Summary, p.Verdict+": ")), " "))
		} else {
			for _, f := range names {
				cells = append(cells, mark(checks[f]))
			}
		}
		if listed {
			cells = append(cells, p.Language, p.Codebase)
		}
		if !equal(got.Cells, cells) {
			t.Errorf("the row of %s is\n\t%q; want\n\t%q", p.Name, got.Cells, cells)
		}
		n := 0
		for _, m := range mutants.All {
			if !m.Control && slices.ContainsFunc(killers[m.Name], func(c string) bool { return passed[c] }) {
				n++
			}
		}
		if got := killed[strconv.Itoa(i)]; len(p.Checks) > 0 && got != strconv.Itoa(n) {
			t.Errorf("the checks that %s passed kill %s mutants; want %d", p.Name, got, n)
		}
	}
}

// equal compares texts. What is long is cut, and what is plural has an s.
func equal(got, want []string) bool {
	return slices.EqualFunc(got, want, func(got, want string) bool {
		before, _, cut := strings.Cut(got, "…")
		return got == want || got == want+"s" || cut && len(before) >= 80 && strings.HasPrefix(want, before)
	})
}

// An item is what the page has of a check.
type item struct {
	Outcome, Name, Text, Cases string
	Wrong                      string
	Fields                     map[string]string
}

// itemsOf returns them by their lists' ids.
func itemsOf(t *testing.T, g *page) map[string][]item {
	return eval[map[string][]item](t, g, `() => Object.fromEntries([...document.querySelectorAll(".checks")].map((ul) => [ul.id, [...ul.children].map((li) => ({
		Outcome: li.querySelector("b").textContent,
		Name: li.querySelector("strong").textContent,
		Text: li.querySelector(":scope > span").textContent,
		Cases: li.querySelector("i").textContent,
		Wrong: li.querySelector(".wrong p")?.textContent ?? "",
		Fields: Object.fromEntries([...li.querySelectorAll(".wrong dt")].map((dt) => [dt.textContent === "like mutant" ? "like " + dt.nextSibling.textContent : dt.textContent, dt.nextSibling.textContent])),
	}))]))`)
}

// outcomes are the page's words for them.
var outcomes = map[string]blake2btest.Outcome{"passed": blake2btest.Pass, "failed": blake2btest.Fail, "known": blake2btest.Known, "not tested": blake2btest.Untested}

// reconcile has the JSON take over from the page what the two runs could not
// agree about: a check may pass in one of them because no time was left for the
// case that fails in the other. That is rare.
func reconcile(t *testing.T, want report, items map[string][]item) {
	n := 0
	for i, p := range want.Ports {
		names, byFamily := p.families()
		for _, f := range names {
			got := items[fmt.Sprintf("p%d-%s", i, f)]
			for j, c := range byFamily[f] {
				if j < len(got) && outcomes[got[j].Outcome] != c.Outcome && (c.Untested > 0 || strings.Contains(got[j].Cases, " of ")) {
					t.Logf("%s of %s is not compared: one of the runs had no time for it", c.Name, p.Name)
					c.Outcome, c.Failure = outcomes[got[j].Outcome], nil
					n++
				}
			}
		}
	}
	if n > 5 {
		t.Errorf("the runs differ in %d checks", n)
	}
}

// checks: of each check there is what the JSON has, in the section of its port
// and family.
func checks(t *testing.T, want report, items map[string][]item) {
	counted := 0
	for i, p := range want.Ports {
		names, byFamily := p.families()
		for _, f := range names {
			id := fmt.Sprintf("p%d-%s", i, f)
			got := items[id]
			if len(got) != len(byFamily[f]) {
				t.Errorf("%s has %d checks; want %d", id, len(got), len(byFamily[f]))
				continue
			}
			for j, c := range byFamily[f] {
				_, name := family(c)
				x := got[j]
				if outcomes[x.Outcome] != c.Outcome || x.Name != name {
					t.Errorf("%s has %s %s; want %s %s", id, x.Name, x.Outcome, name, c.Outcome)
				}
				whole := c.Untested == 0 && !strings.Contains(x.Cases, " of ")
				said := []string{c.Must, c.Source}
				if whole {
					said = append(said, c.Behaviour...)
				}
				for _, s := range said {
					if !strings.Contains(x.Text, s) {
						t.Errorf("%s %s has %q; want it to have %q", id, name, x.Text, s)
					}
				}
				if c.Outcome != blake2btest.Pass && !strings.Contains(x.Text, c.Reason) {
					t.Errorf("%s %s has %q; want reason %q", id, name, x.Text, c.Reason)
				}
				// How much there is time for differs from run to run.
				if digits := strings.ReplaceAll(x.Cases, ",", ""); c.Outcome == blake2btest.Pass && whole {
					if !equal([]string{digits}, []string{fmt.Sprintf("%d case", c.Tested)}) {
						t.Errorf("%s %s has %q; want %d cases", id, name, x.Cases, c.Tested)
					}
					counted++
				}
				if c.Failure == nil {
					continue
				}
				if x.Wrong != c.Failure.Wrong {
					t.Errorf("%s %s is wrong: %q; want %q", id, name, x.Wrong, c.Failure.Wrong)
				}
				fields := map[string]*string{"case": &c.Failure.Case, "got": c.Failure.Got, "want": c.Failure.Want}
				for _, m := range c.Failure.Causes {
					s := m.Mutant + ": " + m.Bug
					fields["like "+s] = &s
				}
				for what, s := range fields {
					switch got := x.Fields[what]; {
					case s == nil || *s == "":
					case what == "case" && got != *s && !strings.Contains(got, "…"),
						strings.HasPrefix(what, "like") && got != *s,
						(what == "got" || what == "want") && strings.ReplaceAll(got, " ", "") != *s && !strings.Contains(got, "…"):
						t.Errorf("%s %s has %s %q; want %q", id, name, what, got, *s)
					}
				}
			}
		}
	}
	if counted < 20 {
		t.Errorf("the cases of %d checks were compared", counted)
	}
}

// text: what ports say is text, and all of it is there.
func text(t *testing.T, g *page, want report) {
	got := eval[struct {
		Title, Text string
		Elements    int
	}](t, g, `() => ({
		Title: document.title,
		Text: document.body.textContent,
		Elements: document.querySelectorAll("script, style, img, iframe, object, embed, base, link, [onerror], [style]").length,
	})`)
	if got.Elements != 2 {
		t.Errorf("there are %d elements that might do something; want a style and a script", got.Elements)
	}
	if got.Title == "x" {
		t.Error("the words of a port were run")
	}
	for _, p := range want.Ports {
		said := []string{p.Name, p.Version, p.Language, p.Codebase, p.Notes, strings.Join(p.Command, " ")}
		said = append(said, p.Warnings...)
		said = slices.AppendSeq(said, maps.Values(p.Missing))
		for _, s := range said {
			if len(s) > 80 {
				s = s[:80]
			}
			if !strings.Contains(got.Text, s) {
				t.Errorf("the page does not have %q", s)
			}
		}
	}
}

// links: each leads to something, and shows it: on a screen so low that the matrix
// has to be scrolled.
func links(t *testing.T, g *page) {
	g.screen(t, 1280, 360)
	defer g.screen(t, 1280, 1000)
	got := eval[struct {
		Links    int
		Problems []string
	}](t, g, `async () => {
		const problems = [];
		const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
		if (new Set(ids).size !== ids.length) problems.push("an id is there twice");
		const links = [...document.querySelectorAll("a")];
		const details = [...document.querySelectorAll("details")];
		const was = details.map((d) => d.open);
		const seen = new Set();
		for (const a of links) {
			const href = a.getAttribute("href");
			if (!href.startsWith("#")) { problems.push(href + " leads away"); continue; }
			const target = document.getElementById(href.slice(1));
			if (!target) { problems.push(href + " leads nowhere"); continue; }
			if (seen.has(href)) continue;
			seen.add(href);
			for (const d of details) d.open = false;
			for (let e = a; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
			for (let again = 0; again < 2; again++) { // when the hash is there already, too
				a.click();
				await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
				const box = target.getBoundingClientRect();
				const at = document.elementFromPoint(box.left + Math.min(20, box.width / 2), box.top + Math.min(12, box.height / 2));
				if (!target.checkVisibility({ contentVisibilityAuto: true })) problems.push(href + " leads to what is hidden");
				else if (!target.contains(at)) problems.push(href + " leads to what is not on the screen, or covered: " + Math.round(box.top));
				for (const d of details) if (!d.contains(a)) d.open = false;
			}
		}
		details.forEach((d, i) => d.open = was[i]);
		return { Links: links.length, Problems: problems };
	}`)
	if got.Links < 10 {
		t.Errorf("there are %d links", got.Links)
	}
	for _, p := range got.Problems {
		t.Error(p)
	}
}

// shown are the ports that the parts of the page show, which must agree.
const shown = `() => {
	const parts = [".matrix tbody tr", ".choices tbody tr", ".bars tbody tr", "details.port"].map((s) =>
		[...document.querySelectorAll(s)].filter((e) => e.checkVisibility()).map((e) => +e.dataset.port));
	const whole = parts[0].filter((n) => document.querySelector('.bars [data-port="' + n + '"]'));
	return {
		Ports: parts[0],
		Agree: String(parts[0]) === String(parts[3]) && String(whole) === String(parts[1]) && String(whole) === String(parts[2]),
		Says: document.querySelector("#filters output").value,
	};
}`

// filters: each shows what it should, in all parts of the page.
func filters(t *testing.T, g *page, want report) {
	if len(want.Ports) == 1 {
		if eval[bool](t, g, `() => document.querySelector("form") !== null`) {
			t.Error("there are filters, and one port")
		}
		return
	}
	expect := func(what string, fits func(p *port) bool) {
		t.Helper()
		ports := []int{}
		for i, p := range want.Ports {
			if fits(p) {
				ports = append(ports, i)
			}
		}
		says := fmt.Sprintf("%d of %d shown", len(ports), len(want.Ports))
		got := eval[struct {
			Ports []int
			Agree bool
			Says  string
		}](t, g, shown)
		if !slices.Equal(got.Ports, ports) || !got.Agree || got.Says != says {
			t.Errorf("%s: %+v; want ports %d in all parts", what, got, ports)
		}
	}
	set := func(name, value string) {
		t.Helper()
		if !eval[bool](t, g, `(name, value) => {
			const e = document.getElementById("filters").elements[name];
			e.value = value;
			e.dispatchEvent(new Event("input", { bubbles: true }));
			return e.value === value;
		}`, name, value) {
			t.Errorf("%s cannot be %q", name, value)
		}
	}
	options := func(name string) []string {
		t.Helper()
		return eval[[]string](t, g, `(name) => [...document.getElementById("filters").elements[name]?.options ?? []].map((o) => o.value)`, name)
	}
	any := func(*port) bool { return true }
	expect("at first", any)
	for name, has := range map[string]func(p *port, value string) bool{
		"verdict":  func(p *port, value string) bool { return p.Verdict == value },
		"language": func(p *port, value string) bool { return p.Language == value },
		"offers":   func(p *port, value string) bool { return slices.Contains(p.Offered, value) },
	} {
		list := options(name)
		for _, p := range want.Ports {
			if values := map[string][]string{"verdict": {p.Verdict}, "language": {p.Language}, "offers": p.Offered}[name]; len(list) > 0 {
				for _, v := range values {
					if !slices.Contains(list, v) {
						t.Errorf("%s %q is not to be chosen", name, v)
					}
				}
			}
		}
		for _, value := range list {
			set(name, value)
			expect(name+" "+value, func(p *port) bool { return value == "" || has(p, value) })
		}
		if len(list) > 0 {
			set(name, "")
		}
	}
	expect("after all", any)

	search := func(s string) func(p *port) bool {
		return func(p *port) bool {
			return strings.Contains(strings.ToLower(p.Name+"\n"+p.Codebase), strings.ToLower(s))
		}
	}
	for _, s := range []string{"ROLLED", "a mutant: of", "golang.org/x", "<img", "no such port", " "} {
		set("text", s)
		expect("text "+s, search(strings.TrimSpace(s)))
	}
	// As a reader does it: types, and chooses another filter, too.
	set("text", "")
	g.do(t, chromedp.SendKeys(chromedp.CSS(`#filters input`), "roll"))
	expect("typed", search("roll"))
	set("verdict", want.Ports[0].Verdict)
	set("offers", "clone")
	expect("three at once", func(p *port) bool {
		return search("roll")(p) && p.Verdict == want.Ports[0].Verdict && slices.Contains(p.Offered, "clone")
	})
	set("text", "no such port")
	expect("none", func(*port) bool { return false })
	g.do(t, chromedp.Click(chromedp.CSS(`#filters button`)), chromedp.Sleep(50*time.Millisecond))
	expect("after the button", any)

	// A link into what is filtered out shows it.
	set("text", "no such port")
	eval[any0](t, g, `() => { location.hash = "#p1" }`)
	g.do(t, chromedp.Sleep(50*time.Millisecond))
	expect("after a link", any)
}

// any0 is a result that is not looked at.
type any0 = *struct{}

// contrast: text differs from its ground as WCAG 2 asks at level AA, in both
// schemes. All is unfolded, so that all is looked at.
func contrast(t *testing.T, g *page) {
	for _, scheme := range []string{"light", "dark"} {
		g.scheme(t, scheme)
		got := eval[struct {
			Texts   int
			Schemes string
			Low     map[string]float64
		}](t, g, `() => {
			for (const d of document.querySelectorAll("details")) d.open = true;
			const rgba = (s) => {
				const n = s.match(/[\d.]+/g).map(Number);
				if (!s.startsWith("rgb")) throw new Error("colour " + s);
				return { c: n.slice(0, 3), a: n[3] ?? 1 };
			};
			const luminance = (c) => {
				const [r, g, b] = c.map((v) => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
				return .2126 * r + .7152 * g + .0722 * b;
			};
			const ground = (e) => {
				for (; e; e = e.parentElement) {
					const { c, a } = rgba(getComputedStyle(e).backgroundColor);
					if (a === 1) return c;
					if (a > 0) throw new Error("a ground that is seen through");
				}
				throw new Error("no ground");
			};
			const low = {};
			let texts = 0;
			const look = (e, style) => {
				texts++;
				const [x, y] = [luminance(rgba(style.color).c), luminance(ground(e))].sort((a, b) => b - a);
				const ratio = (x + .05) / (y + .05);
				if (ratio < 4.5) low[e.tagName + "." + e.className + " " + e.closest("[class]")?.className] = ratio;
			};
			for (const e of document.body.querySelectorAll("*")) {
				if (e.tagName === "SCRIPT" || e.tagName === "OPTION" || !e.checkVisibility()) continue;
				if ([...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) look(e, getComputedStyle(e));
				if (e.tagName === "INPUT") { look(e, getComputedStyle(e)); look(e, getComputedStyle(e, "::placeholder")); }
				if (e.tagName === "SELECT") look(e, getComputedStyle(e));
				if (e.tagName === "SUMMARY") look(e, getComputedStyle(e, "::before"));
			}
			return { Texts: texts, Low: low, Schemes: String(matchMedia("(prefers-color-scheme: dark)").matches) + luminance(ground(document.body)).toFixed(1) };
		}`)
		if want := map[string]string{"light": "false1.0", "dark": "true0.0"}[scheme]; got.Schemes != want || got.Texts < 500 {
			t.Errorf("%s: %d texts, %s; want %s", scheme, got.Texts, got.Schemes, want)
		}
		for what, ratio := range got.Low {
			t.Errorf("%s: the contrast of %s is %.2f", scheme, what, ratio)
		}
	}
	g.scheme(t, "light")
}

// narrow: on a small phone nothing is wider than the screen, but what is in a box
// of its own, which can be scrolled.
func narrow(t *testing.T, g *page) {
	g.screen(t, 360, 740)
	defer g.screen(t, 1280, 1000)
	for _, p := range eval[[]string](t, g, `() => {
		for (const d of document.querySelectorAll("details")) d.open = true;
		const width = document.documentElement.clientWidth;
		const wide = [];
		if (document.documentElement.scrollWidth > width) wide.push("the page: " + document.documentElement.scrollWidth);
		for (const e of document.body.querySelectorAll("*")) {
			if (e.closest(".box *, svg *, caption") || !e.checkVisibility()) continue;
			const right = e.getBoundingClientRect().right;
			if (right > width + .5) wide.push(e.tagName + "." + e.className + " in " + e.parentElement.className + ": " + right);
		}
		return wide.slice(0, 10);
	}`) {
		t.Errorf("at a width of 360, %s", p)
	}
	if size := eval[float64](t, g, `() => Math.min(...[...document.body.querySelectorAll("*")].filter((e) => e.checkVisibility() && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())).map((e) => parseFloat(getComputedStyle(e).fontSize)))`); size < 10 {
		t.Errorf("some text is of %v pixels", size)
	}
}

// noscript: without its script, too, all can be read, and links unfold what they
// lead into.
func noscript(t *testing.T, g *page) {
	disable := func(v bool) {
		t.Helper()
		if _, err := chromedp.Call(g.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: v}); err != nil {
			t.Fatal(err)
		}
	}
	disable(true)
	defer disable(false)
	g.do(t, chromedp.Navigate("about:blank"), chromedp.Navigate(g.url+"#p0-state"), chromedp.Sleep(100*time.Millisecond))
	if !eval[bool](t, g, `() => document.getElementById("filters")?.checkVisibility() !== true`) {
		t.Error("there are filters, and no script")
	}
	if !eval[bool](t, g, `() => { const e = document.getElementById("p0-state"); return e.checkVisibility() && e.getBoundingClientRect().top < innerHeight }`) {
		t.Error("a link does not unfold what it leads into")
	}
}

// quiet: the page has asked for nothing, and nothing was said of it.
func quiet(t *testing.T, g *page) {
	// The listener hears what there is.
	eval[any0](t, g, `() => { console.error("heard") }`)
	g.do(t, chromedp.Sleep(50*time.Millisecond))
	g.mu.Lock()
	defer g.mu.Unlock()
	if n := len(g.said); n == 0 || g.said[n-1] != "console: error" {
		t.Error("an error on the console was not heard")
	} else {
		for _, s := range g.said[:n-1] {
			t.Error(s)
		}
	}
	if len(g.requests) == 0 {
		t.Error("not even the request for the page was seen")
	}
	for _, url := range g.requests {
		if file, _, _ := strings.Cut(url, "#"); file != g.url && url != "about:blank" {
			t.Errorf("the page asked for %s", url)
		}
	}
}

// pictures leaves some, if that is asked for.
func (g *page) pictures(t *testing.T, name string) {
	if *screenshots == "" {
		return
	}
	if err := os.MkdirAll(*screenshots, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, scheme := range []string{"light", "dark"} {
		for kind, width := range map[string]int64{"": 1280, "-phone": 390} {
			g.screen(t, width, 840)
			g.scheme(t, scheme)
			g.do(t, chromedp.Navigate("about:blank"), chromedp.Navigate(g.url))
			png, err := chromedp.Run(g.ctx, chromedp.FullScreenshot(100))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(*screenshots, name+"-"+scheme+kind+".png"), png, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}
