package subprocess_test

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"blake2btest"
	"blake2btest/subprocess"

	"github.com/google/go-cmp/cmp"
)

var (
	_ blake2btest.Namer        = (*subprocess.Port)(nil)
	_ blake2btest.Pipeliner    = (*subprocess.Port)(nil)
	_ blake2btest.LineAnswerer = (*subprocess.Port)(nil)
)

// open starts a program whose processes, and those that they start, all have
// ended when the test has.
func open(t testing.TB, name string, o ...subprocess.Options) (*subprocess.Port, error) {
	pids := filepath.Join(t.TempDir(), "pids")
	cmd := program(t, name)
	cmd.Env = append(cmd.Env, pidsVar+"="+pids)
	t.Cleanup(func() {
		text, err := os.ReadFile(pids)
		if err != nil {
			t.Error(err)
		}
		var pid int
		for line := range strings.Lines(string(text)) {
			if _, err := fmt.Sscan(line, &pid); err != nil {
				t.Error(err)
			}
			for wait := time.Millisecond; alive(pid); wait *= 2 {
				if time.Sleep(wait); wait > time.Second {
					t.Errorf("%s: process %d is left", name, pid)
					break
				}
			}
		}
	})
	p, err := subprocess.Start(cmd, o...)
	if err == nil {
		t.Cleanup(func() { p.Close() })
	}
	return p, err
}

func mustOpen(t testing.TB, name string, o ...subprocess.Options) *subprocess.Port {
	p, err := open(t, name, o...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func parse(t testing.TB, line string) blake2btest.Case {
	c, err := blake2btest.ParseCase(line)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// around returns n cases, and the bad one in their midst.
func around(t *testing.T, n int) []blake2btest.Case {
	var cases []blake2btest.Case
	for i := range n {
		cases = append(cases, parse(t, fmt.Sprintf("sum size=32 : %04x", i)))
	}
	return slices.Insert(cases, n/2, parse(t, bad))
}

// oneByOne asks without asking ahead.
func oneByOne(p blake2btest.Port, cases iter.Seq[blake2btest.Case]) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for c := range cases {
			if !yield(p.Answer(c)) {
				return
			}
		}
	}
}

// TestHostile: whatever a program does, in time the right case has failed, with
// what the program wrote to stderr, and the others are answered.
func TestHostile(t *testing.T) {
	const hang = time.Second
	for _, tt := range []struct{ program, want string }{
		{"right", ""},
		{"crlf", ""},
		{"slow", ""},
		{"flood-stderr-right", ""},
		{"crash", "its output ended: exit status 3\n\tstderr: this is the end"},
		{"crash-block", "its output ended: exit status 3\n\tstderr: this is the end"},
		{"panic", "exit status 2\n\tstderr: panic: no such block"},
		{"exit-0", "its output ended: exit status 0"},
		{"exit-0-answered", `answer "ok ab5db6b3edaec24f4e1ec7c60cc5f1e469312"…, and then: its output ended: exit status 0`},
		{"hang", "no answer in time (1s)"},
		{"hang-ignoring-term", "no answer in time (1s)"},
		{"close-stdout", "its output ended, and it ran on"},
		{"child-holds-pipes", "its output ended: exit status 0"},
		{"child-holds-pipes-hang", "no answer in time (1s)"},
		{"twice", "a line too many: answer"},
		{"not-at-all", "no answer: the next is that to the request after it"},
		{"rubbish", `answer "Segmentation fault" does not begin with ok, unsupported or error`},
		{"empty-line", `answer "" does not begin with ok, unsupported or error`},
		{"nul", "does not begin with ok, unsupported or error"},
		{"nul-in-hex", "has a word that is not bytes in lower-case hex"},
		{"upper-case", "has a word that is not bytes in lower-case hex"},
		{"short-digest", "has a digest of 31 bytes, not 32"},
		{"odd-digits", "has a word that is not bytes in lower-case hex"},
		{"extra-digest", "has 2 digests, not 1"},
		{"no-digest", `answer "ok" has 0 digests, not 1`},
		{"about-digest", "no answer: the next is that to the request after it"},
		{"partial-line", `no answer in time (1s) in the middle of "ok `},
		{"partial-line-crash", `its output ended in the middle of "ok `},
		{"endless-line", "a line of more than 4194304 bytes"},
		{"dribble", `no answer in time (1s) in the middle of "aaaaaa`},
		{"endless-lines", "a line too many: answer"},
		{"flood-stderr", "no answer in time (1s)\n\tstderr: help help"},
	} {
		for mode, answers := range map[string]func(*subprocess.Port, iter.Seq[blake2btest.Case]) iter.Seq2[[]byte, error]{
			"ahead": (*subprocess.Port).Answers,
			"alone": func(p *subprocess.Port, cases iter.Seq[blake2btest.Case]) iter.Seq2[[]byte, error] {
				return oneByOne(p, cases)
			},
		} {
			t.Run(tt.program+"/"+mode, func(t *testing.T) {
				t.Parallel()
				p := mustOpen(t, tt.program, subprocess.Options{Timeout: hang})
				began := time.Now()
				cases := around(t, 80)
				i := 0
				for got, err := range answers(p, slices.Values(cases)) {
					c := cases[i]
					i++
					if c.String() == bad && tt.want != "" {
						var f *subprocess.Fault
						if !errors.As(err, &f) || !f.Fault() || !strings.Contains(err.Error(), tt.want) {
							t.Errorf("%s: %x, %v; want the fault %q", c, got, err, tt.want)
						}
						continue
					}
					if want, _ := rolled.Answer(c); err != nil || !bytes.Equal(got, want) {
						t.Errorf("%s: %x, %v; want %x", c, got, err, want)
					}
				}
				if i != len(cases) {
					t.Errorf("%d answers to %d cases", i, len(cases))
				}
				if d := time.Since(began); d > 8*time.Second {
					t.Errorf("took %v", d)
				}
			})
		}
	}
	t.Cleanup(func() {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		if m.Sys > 200e6 {
			t.Errorf("the memory has grown to %d bytes", m.Sys)
		}
		t.Logf("memory %.0f MB", float64(m.Sys)/1e6)
	})
}

// TestAnswerTooLate: a second answer that comes when other requests are in
// flight costs one case, not all that follow.
func TestAnswerTooLate(t *testing.T) {
	p := mustOpen(t, "twice-late")
	cases := around(t, 2000)
	faults := 0
	i := 0
	for got, err := range p.Answers(slices.Values(cases)) {
		c := cases[i]
		i++
		if want, _ := rolled.Answer(c); err == nil && bytes.Equal(got, want) {
			// The cases take longer than the second answer.
			if i%20 == 0 {
				time.Sleep(5 * time.Millisecond)
			}
			continue
		}
		faults++
		if i < 1000 || !strings.Contains(fmt.Sprint(err), "a line too many") {
			t.Errorf("%s: %x, %v", c, got, err)
		}
	}
	if err := p.Close(); err != nil && strings.Contains(err.Error(), "a line that nobody asked for") {
		faults++ // it was even later
	}
	if faults != 1 {
		t.Errorf("%d faults, want 1", faults)
	}
}

// TestBrokenAdapter: what is wrong from the beginning is an error of Start.
func TestBrokenAdapter(t *testing.T) {
	const first = "broken adapter: its first line, to answer about, is "
	for _, tt := range []struct{ program, want string }{
		{"exit-at-once", "broken adapter: to about: its output ended: exit status 0\n\tstderr: no licence"},
		{"silent", "broken adapter: to about: no answer in time (1.5s)"},
		{"deaf", "broken adapter: to about: no answer in time (1.5s)"},
		{"banner", first + `"Welcome to BLAKE 2000!", not "ok name=… version=… protocol=1"`},
		{"no-about", first + `"unsupported", not`},
		{"protocol-2", first + `"ok name=rolled version=`},
		{"always-twice", `broken adapter: to "hash : 61" it answers "ok name=`},
		{"all-ok", `broken adapter: to "hash : 61" it answers "ok", but an unknown verb is to be answered "unsupported"`},
		{"ignores-keys", `broken adapter: to "sum color=00 : 61" it answers "ok 333fcb4ee1aa7c115355ec66ceac917c8bfd8`},
		{"ignores-steps", `broken adapter: to "sum : 61 turn" it answers "ok 333fcb4ee1aa7c115355ec66ceac917c8bfd8`},
		{"one-line-a-read", `broken adapter: to "sum color=00 : 61", with more lines written behind it: no answer in time (500ms)`},
		{"one-answer-a-run", `broken adapter: to "hash : 61", with more lines written behind it: its output ended: exit status 0`},
	} {
		t.Run(tt.program, func(t *testing.T) {
			began := time.Now()
			_, err := open(t, tt.program, subprocess.Options{Timeout: 500 * time.Millisecond})
			var f *subprocess.Fault
			if !errors.As(err, &f) || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("error %v; want the fault %q", err, tt.want)
			}
			if d := time.Since(began); d > 4*time.Second {
				t.Errorf("took %v", d)
			}
		})
	}
	if _, err := subprocess.Start(exec.Command("blake2btest-no-such-program")); !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("a program that is not there: error %v", err)
	}
}

func TestWarnings(t *testing.T) {
	p := mustOpen(t, "lenient")
	want := []string{
		"its answer to about has no word name=…",
		"its answer to about has no word version=…",
		`to "hash : 61" it answers "error what?", but an unknown verb is to be answered "unsupported"`,
		`to "sum : 61 turn" it answers "error what?", but an unknown step is to be answered "unsupported"`,
		`to "sum size=64 size=64 : 61" it answers "ok 333fcb4ee1aa7c115355ec66ceac917c8bfd8"…, but a key given twice is to be answered "error"`,
	}
	if diff := cmp.Diff(want, p.Warnings()); diff != "" {
		t.Errorf("warnings (-want +got)\n%s", diff)
	}
	if name, version := p.About(); name != "unknown" || version != "unknown" {
		t.Errorf("About() = %q, %q", name, version)
	}
	if _, err := p.AnswerLine("sum size=1"); err == nil || err.Error() != "no reason given" {
		t.Errorf("an error without a text is the error %v", err)
	}
	if _, err := p.AnswerLine("sum size=2"); err != errors.ErrUnsupported {
		t.Errorf("unsupported without a text is the error %v", err)
	}
}

// TestCrashAhead: a crash that cannot be repeated is a fault none the less.
func TestCrashAhead(t *testing.T) {
	p := mustOpen(t, "crash-ahead")
	cases := around(t, 80)
	i := 0
	for got, err := range p.Answers(slices.Values(cases)) {
		c := cases[i]
		i++
		want, _ := rolled.Answer(c)
		if c.String() == bad {
			const fault = "its output ended: exit status 5; not so when it was asked alone"
			if err == nil || err.Error() != fault {
				t.Errorf("%s: %x, %v; want the fault %q", c, got, err, fault)
			}
		} else if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %x, %v; want %x", c, got, err, want)
		}
	}
}

// TestSlow: a program is given its time for each answer, also where it writes
// them in blocks.
func TestSlow(t *testing.T) {
	p := mustOpen(t, "slow-block", subprocess.Options{Timeout: 300 * time.Millisecond})
	cases := around(t, 80)
	i := 0
	for got, err := range p.Answers(slices.Values(cases)) {
		if want, _ := rolled.Answer(cases[i]); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %x, %v; want %x", cases[i], got, err, want)
		}
		i++
	}
	if w := p.Warnings(); len(w) != 1 || !strings.HasPrefix(w[0], "no answer in time (300ms) with 64 requests in flight, but for each alone") {
		t.Errorf("warnings %q", w)
	}
}

// TestSlowStart: the first answer may take longer than the others.
func TestSlowStart(t *testing.T) {
	p := mustOpen(t, "slow-start", subprocess.Options{Timeout: 500 * time.Millisecond})
	if _, err := p.Answer(around(t, 1)[0]); err != nil {
		t.Error(err)
	}
}

// TestGivenUp: a program that does nothing but crash is not started for ever.
func TestGivenUp(t *testing.T) {
	p := mustOpen(t, "always-crash")
	c := parse(t, "sum : 6161")
	i := 0
	for _, err := range p.Answers(func(yield func(blake2btest.Case) bool) {
		for range 5000 {
			if !yield(c) {
				return
			}
		}
	}) {
		want := "its output ended: exit status 1"
		if i++; i > 100 {
			want = "the program was given up after 100 faults in a row, the last: its output ended: exit status 1"
		}
		var f *subprocess.Fault
		if !errors.As(err, &f) || f.Error() != want {
			t.Fatalf("case %d: error %v; want %q", i, err, want)
		}
	}
	if i != 5000 {
		t.Errorf("%d answers to 5000 cases", i)
	}
}

// TestCannotRestart: the program is gone when it is to be started again.
func TestCannotRestart(t *testing.T) {
	exe, err := os.ReadFile(program(t, "").Path)
	if err != nil {
		t.Fatal(err)
	}
	cmd := program(t, "crash")
	cmd.Path = filepath.Join(t.TempDir(), "port.exe")
	if err := os.WriteFile(cmd.Path, exe, 0o777); err != nil {
		t.Fatal(err)
	}
	p, err := subprocess.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if err := os.Remove(cmd.Path); err != nil {
		t.Skip(err) // as on Windows, where it runs
	}
	for _, want := range []string{"its output ended: exit status 3", "the program was given up after it could not be started again: ", "the program was given up after "} {
		var f *subprocess.Fault
		if _, err := p.Answer(parse(t, bad)); !errors.As(err, &f) || !strings.HasPrefix(f.What, want) {
			t.Errorf("error %v; want the fault %q", err, want)
		}
	}
}

// TestInStep: whoever asks gets the answer to what was asked, while answers are
// ranged over, after that was left early, and from many goroutines.
func TestInStep(t *testing.T) {
	p := mustOpen(t, "right")
	check := func(c blake2btest.Case) {
		t.Helper()
		got, err := p.Answer(c)
		if want, _ := rolled.Answer(c); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %x, %v; want %x", c, got, err, want)
		}
	}
	cases := around(t, 200)
	for leave := range 150 {
		i := 0
		for got, err := range p.Answers(slices.Values(cases)) {
			if want, _ := rolled.Answer(cases[i]); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: %x, %v; want %x", cases[i], got, err, want)
			}
			if i == leave {
				check(parse(t, "sum size=5 : 77"))
				break
			}
			i++
		}
		if leave%2 == 0 {
			check(parse(t, "sum size=5 : 78"))
		}
	}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(1, uint64(i)))
			for range 50 {
				check(blake2btest.RandomCase(r))
			}
		})
	}
	wg.Wait()
}

// TestLeftInAHang: answers that nobody waits for cost one timeout at most.
func TestLeftInAHang(t *testing.T) {
	p := mustOpen(t, "hang", subprocess.Options{Timeout: 500 * time.Millisecond})
	for range p.Answers(slices.Values(around(t, 80))) {
		break
	}
	began := time.Now()
	c := parse(t, "sum : 61")
	got, err := p.Answer(c)
	if want, _ := rolled.Answer(c); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s: %x, %v; want %x", c, got, err, want)
	}
	if d := time.Since(began); d > 2*time.Second {
		t.Errorf("took %v", d)
	}
	if w := p.Warnings(); w != nil {
		t.Errorf("warnings %q", w)
	}
}

// TestRandom: all there is to ask, in the lengths that there are.
func TestRandom(t *testing.T) {
	p := mustOpen(t, "right")
	r := rand.New(rand.NewPCG(1, 1))
	var cases []blake2btest.Case
	for range 2000 {
		cases = append(cases, blake2btest.RandomCase(r))
	}
	for i := 0; i < len(cases); i += 100 {
		message := strings.Repeat("61", (blake2btest.MaxLine-len("sum : "))/2)
		cases[i] = parse(t, "sum : "+message)
		cases[i+50] = parse(t, fmt.Sprintf("xof size=%d : 61", 1<<20-i))
		cases[i+70] = parse(t, "sum size=65 : 61")
		cases[i+80] = parse(t, "sum size=0 : 61")
	}
	i := 0
	for got, err := range p.Answers(slices.Values(cases)) {
		c := cases[i]
		i++
		want, refused := rolled.Answer(c)
		switch {
		case fmt.Sprint(err) != fmt.Sprint(refused):
			t.Errorf("%.80s: error %v; want %v", c, err, refused)
		case !bytes.Equal(got, want):
			t.Errorf("%.80s: %.80x; want %.80x", c, got, want)
		}
	}
}

func TestAnswerLine(t *testing.T) {
	p := mustOpen(t, "right")
	for _, tt := range []struct{ line, want, refused string }{
		{line: "sum size=4 : 61 sum", want: "ca234c55ca234c55"},
		{line: "sum size=4 size=4", refused: `key "size" given twice`},
		{line: "sum : AB", refused: `write: "AB" is not hex in lower case`},
		{line: "", refused: "empty line"},
		{line: "hash", refused: `verb "hash": unsupported operation`},
		{line: "sum\n", refused: "a line break inside a line"},
		{line: "sum : 61*8589934593", refused: "message above 8589934592 bytes: unsupported operation"},
		{line: "xof size=2097153", refused: "answer line above 4194304 bytes: unsupported operation"},
		{line: strings.Repeat("a", 1<<20+1), refused: "line of more than 1048576 bytes"},
		{line: strings.Repeat("a", 1<<20+2), refused: "line of more than 1048576 bytes"},
		{line: strings.Repeat("a", 10<<20), refused: "line of more than 1048576 bytes"},
	} {
		got, err := p.AnswerLine(tt.line)
		text := ""
		if err != nil {
			text = err.Error()
		}
		if fmt.Sprintf("%x", got) != tt.want || text != tt.refused {
			t.Errorf("%.40q: %x, %q; want %s, %q", tt.line, got, text, tt.want, tt.refused)
		}
	}
	if got, err := p.AnswerLine("about"); err != nil || !strings.HasPrefix(string(got), "name=rolled version=") {
		t.Errorf("about: %q, %v", got, err)
	}
	if _, err := p.AnswerLine("about size=64"); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("about size=64: %v", err)
	}
	invalid := blake2btest.Case{Verb: "sum\nabout"}
	if _, err := p.Answer(invalid); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a verb with a line break: %v", err)
	}
}

func TestClose(t *testing.T) {
	for _, tt := range []struct{ program, want string }{
		{"right", ""},
		{"afterword", `a line that nobody asked for: "good bye"`},
		{"bad-status", "after the end of its input: its output ended: exit status 4"},
		{"stays", "after the end of its input: no answer in time (2s)"},
	} {
		p := mustOpen(t, tt.program)
		got := ""
		if err := p.Close(); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: Close() = %q, want %q", tt.program, got, tt.want)
		}
		if err := p.Close(); err != nil {
			t.Errorf("%s: a second Close() = %v", tt.program, err)
		}
		if _, err := p.Answer(parse(t, bad)); err == nil || err.Error() != "the program was closed" {
			t.Errorf("%s: an answer after Close: error %v", tt.program, err)
		}
	}
	// With answers in flight that nobody waits for.
	p := mustOpen(t, "right")
	for range p.Answers(slices.Values(around(t, 80))) {
		break
	}
	if err := p.Close(); err != nil {
		t.Errorf("Close() = %v", err)
	}
}

// TestCloseAtOnce: Close does not wait for an answer that does not come.
func TestCloseAtOnce(t *testing.T) {
	p, err := subprocess.Start(program(t, "hang"), subprocess.Options{Timeout: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		_, err := p.Answer(parse(t, bad))
		done <- err
	}()
	time.Sleep(100 * time.Millisecond)
	start := time.Now()
	p.Close()
	if d := time.Since(start); d > 10*time.Second {
		t.Errorf("Close took %v", d)
	}
	select {
	case err := <-done:
		if err == nil {
			t.Error("a port that hangs has answered")
		}
	case <-time.After(10 * time.Second):
		t.Error("Answer goes on after Close")
	}
}

// TestSlack: what takes a slow port long may take long.
func TestSlack(t *testing.T) {
	for _, tt := range []struct {
		line string
		want time.Duration
	}{
		{"sum : 61*1000", 0},
		{"sum : 00*4294967296", 512 * time.Second},
		{"compress : 007a1200" + strings.Repeat("00", 209), 80 * time.Second},
		{"compress : 0000000c" + strings.Repeat("00", 209), 120 * time.Microsecond},
		{"compress : 00", 0},
		{"sum : 00*18446744073709551615", (1 << 40) / (8 << 20) * time.Second},
	} {
		if got := subprocess.Slack(parse(t, tt.line)); got != tt.want {
			t.Errorf("%.60s: %v, want %v", tt.line, got, tt.want)
		}
	}
}
