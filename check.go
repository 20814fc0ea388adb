package blake2btest

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Level says how much is asked of a port, and how long that may take.
type Level int

const (
	Quick Level = iota // a second
	Full               // ten seconds
	Long               // minutes
)

var levels = []string{"quick", "full", "long"}

func (l Level) String() string { return levels[l] }

// ParseLevel parses the name of a level.
func ParseLevel(s string) (Level, error) {
	i := slices.Index(levels, s)
	if i < 0 {
		return 0, fmt.Errorf("level %q is none of %s", s, strings.Join(levels, ", "))
	}
	return Level(i), nil
}

// budgets is what a level may take on a slow port.
var budgets = [...]time.Duration{Quick: 2 * time.Second, Full: 10 * time.Second, Long: 15 * time.Minute}

// A Check is something that must hold of a Port.
type Check struct {
	Name   string // family/check
	Must   string // what must hold, as a sentence without a full stop
	Source string // where that is written
	Level  Level  // the first level that has the check

	wrong  string // what a wrong digest means; empty: that it is wrong
	serial bool   // a question depends on the answer to the one before

	// A check either asks questions, most telling first, or does what it must
	// to set the run's result.
	questions func(x *run) iter.Seq[question]
	inspect   func(x *run)
}

// A question is a Case and what the answer must be: what want returns if it is
// not nil, what judge says if that is not nil, otherwise what the oracle answers.
type question struct {
	Case
	want  func() []byte
	judge func(got []byte, err error) verdict

	// line is asked instead of the Case where it is not empty, of ports that
	// can be asked a line.
	line string

	// of is a feature: a port that has it is asked, whatever values of it the
	// port does not offer.
	of string

	n int // the place among the check's questions, from 1 up
}

// A verdict is what an answer is worth.
type verdict struct {
	wrong     string // what is wrong; empty: nothing
	want      []byte // what would be right, where there is such
	blamed    *Case  // the case that was answered wrongly, if it is an earlier one
	got       []byte // and its answer
	behaviour string // what the port does where it may choose
}

// right is the verdict on what is as it must be.
var right verdict

// An Outcome is what became of a Check.
type Outcome string

const (
	Pass     Outcome = "pass"
	Fail     Outcome = "fail"
	Known    Outcome = "known"    // it fails, as Options.Known says
	Untested Outcome = "untested" // the port cannot be asked
)

// A Result is the outcome of a Check.
type Result struct {
	Check   *Check
	Outcome Outcome

	// Of a failure: what is wrong; the case, or the line that no Case holds, and
	// the answer; what would have been right; what else is known of the cause.
	Wrong     string
	Case      *Case
	Line      string
	Got, Want []byte
	Notes     []string
	Causes    []Cause

	// Behaviour is what the port does where it may choose.
	Behaviour []string

	// Tested and Untested count cases; Reason says why the latter were not
	// tested. Of a known failure, Reason is why it is known.
	Tested, Untested int
	Reason           string
}

// String returns the result as lines for a person: of a failure, what went
// wrong, the case, got, want, what requires it, and the likely cause.
func (r Result) String() string {
	var b strings.Builder
	switch r.Outcome {
	case Pass:
		return fmt.Sprintf("%s: pass, %s", r.Check.Name, r.counts())
	case Untested:
		return fmt.Sprintf("%s: not tested, %s", r.Check.Name, r.Reason)
	}
	fmt.Fprintf(&b, "%s: %s", r.Check.Name, r.Wrong)
	size := 0
	switch {
	case r.Line != "":
		fmt.Fprintf(&b, "\n\tcase %s", r.Line)
	case r.Case != nil:
		fmt.Fprintf(&b, "\n\tcase %s", *r.Case)
		if r.Case.Verb == VerbSum {
			size = r.Case.Size
		}
	}
	if r.Got != nil {
		fmt.Fprintf(&b, "\n\tgot  %s", hexWords(r.Got, size))
	}
	if r.Want != nil {
		fmt.Fprintf(&b, "\n\twant %s", hexWords(r.Want, size))
	}
	fmt.Fprintf(&b, "\n\tmust %s: %s", r.Check.Source, r.Check.Must)
	for _, c := range r.Causes {
		fmt.Fprintf(&b, "\n\tlike mutant %s: %s", c.Name, c.Bug)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "\n\tnote %s", n)
	}
	if r.Outcome == Known {
		fmt.Fprintf(&b, "\n\tknown %s", r.Reason)
	}
	return b.String()
}

func (r Result) counts() string {
	switch {
	case r.Untested == 0 && r.Tested == 1:
		return "1 case"
	case r.Untested == 0:
		return fmt.Sprintf("%d cases", r.Tested)
	}
	return fmt.Sprintf("%d of %d cases: %s", r.Tested, r.Tested+r.Untested, r.Reason)
}

// hexWords returns digests of size bytes as words, cut visibly where they are long.
func hexWords(b []byte, size int) string {
	var words []string
	for d := range digests(b, size) {
		words = append(words, fmt.Sprintf("%x", d))
	}
	s := strings.Join(words, " ")
	if s == "" {
		return "no bytes"
	}
	if len(s) > 600 {
		return fmt.Sprintf("%s… (%d bytes)", s[:600], len(b))
	}
	return s
}

// digests cuts an answer into digests of size bytes, 0 for one of any length.
func digests(b []byte, size int) iter.Seq[[]byte] {
	if size <= 0 {
		size = len(b)
	}
	return slices.Chunk(b, max(size, 1))
}

// Options say how a port is checked. The zero Options are level quick.
type Options struct {
	Level   Level
	Seed    uint64            // of random cases
	Filter  *regexp.Regexp    // of the names of checks; nil: all
	Known   map[string]string // checks that are known to fail, and why
	Require []string          // features that must be offered
	Budget  time.Duration     // what the checks may take; 0: what the level says

	// Context, if not nil, ends the checks when it is done: what was not asked
	// by then was not tested.
	Context context.Context

	// Terse leaves failures without causes and notes, which take time to find.
	Terse bool

	// Cache, if not nil, keeps the right answers for other ports that are asked
	// the same.
	Cache *Cache
}

// Checks returns the checks that the options ask for. Where nothing is required,
// there is no check that it is offered.
func (o Options) Checks() []*Check {
	return slices.DeleteFunc(Checks(), func(c *Check) bool {
		return c.Level > o.Level || o.Filter != nil && !o.Filter.MatchString(c.Name) || c.Name == "features/required" && len(o.Require) == 0
	})
}

// A Cache keeps the right answers to the questions of checks. Its zero value is
// empty and ready; runs at the same time may share it.
type Cache struct {
	mu      sync.Mutex
	answers map[string][][]byte
}

// get returns the answer to question n of a list, which answer computes if it is
// not there.
func (c *Cache) get(list string, n int, answer func() []byte) []byte {
	c.mu.Lock()
	if l := c.answers[list]; n < len(l) && l[n] != nil {
		defer c.mu.Unlock()
		return l[n]
	}
	c.mu.Unlock()
	a := answer()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.answers == nil {
		c.answers = make(map[string][][]byte)
	}
	l := c.answers[list]
	for len(l) <= n {
		l = append(l, nil)
	}
	l[n] = a
	c.answers[list] = l
	return a
}

// Checks returns all checks, in the order in which they are reported.
func Checks() []*Check {
	return slices.Concat(featuresChecks, answersChecks, parametersChecks, limitsChecks, splitsChecks, stateChecks,
		counterChecks, compressChecks, xofChecks, randomChecks, senseChecks, goChecks)
}

// Run checks a port and yields the result of each check that the options ask
// for. Of a port for which [Probe] has an error, nothing is tested.
func Run(p Port, o Options) iter.Seq[Result] {
	profile, _ := Probe(p)
	return profile.Run(o)
}

// Run is the function Run for a port that has been probed.
func (p *Profile) Run(o Options) iter.Seq[Result] {
	return func(yield func(Result) bool) {
		for _, run := range p.Runs(o) {
			if !yield(run()) {
				return
			}
		}
	}
}

// Runs yields the checks that the options ask for, each with the function that
// runs it: who does not call that passes the check over.
func (p *Profile) Runs(o Options) iter.Seq2[*Check, func() Result] {
	return func(yield func(*Check, func() Result) bool) {
		s := p.session(o)
		for _, c := range s.checks {
			if !yield(c, func() Result { return s.run(c) }) {
				return
			}
		}
	}
}

// A session runs checks one after the other, and shares out their time.
type session struct {
	*Profile
	Options
	checks []*Check
	left   int
	end    time.Time
	speed  float64 // of the port, as far as a question has needed to know it
	slow   bool    // speed is all that it has
}

func (p *Profile) session(o Options) *session {
	s := &session{Profile: p, Options: o, checks: o.Checks()}
	if s.Budget == 0 {
		s.Budget = budgets[o.Level]
	}
	s.left, s.end = len(s.checks), time.Now().Add(s.Budget)
	return s
}

// A run is one check in a session.
type run struct {
	*session
	check    *Check
	deadline time.Time
	result   Result
	late     bool   // there was no time for all questions
	list     string // of the check's questions, in a Cache
}

// run runs a check. What others leave of their time is its, too.
func (s *session) run(c *Check) Result {
	x := &run{session: s, check: c, result: Result{Check: c, Outcome: Pass}}
	x.list = fmt.Sprint(c.Name, s.Level, s.Seed, s.size, s.Offered, s.NotOffered)
	// Thrice its share: many checks take less, or cannot be asked.
	x.deadline = time.Now().Add(3 * time.Until(s.end) / time.Duration(max(s.left, 1)))
	s.left--
	if c.inspect != nil {
		c.inspect(x)
	} else {
		x.ask()
	}
	r := &x.result
	if r.Outcome == Pass && r.Tested == 0 {
		r.Outcome = Untested
	}
	if why, ok := s.Known[c.Name]; ok {
		switch {
		case r.Outcome == Fail:
			r.Outcome, r.Reason = Known, why
		case r.Outcome == Pass && !x.late:
			r.Outcome, r.Wrong = Fail, fmt.Sprintf("it passes, and is listed as known to fail: %s", why)
		}
	}
	return *r
}

// least is how many questions a check asks whatever the time.
const least = 16

// ask asks the check's questions, in order, until one is answered wrongly.
func (x *run) ask() {
	var mu sync.Mutex // the port may take questions in a goroutine of its own
	var asked []question
	take := func(yield func(question) bool) {
		n, over := 0, false
		for q := range x.check.questions(x) {
			n++
			q.n = n
			mu.Lock()
			r := &x.result
			lacks := x.Lacks(q.Case)
			if q.of != "" && x.offers(q.of) {
				lacks = ""
			}
			if q.line != "" {
				if _, ok := x.Port.(LineAnswerer); !ok {
					lacks = "no port in this process can be asked a line"
				}
			}
			switch {
			case x.Context != nil && x.Context.Err() != nil:
				lacks, x.late, over = "interrupted", true, true
			case lacks == "" && x.takesTooLong(q):
				lacks, x.late = "no time left", true
			case lacks == "" && r.Tested+len(asked) >= least && time.Now().After(x.deadline):
				lacks, x.late, over = "no time left", true, true
			}
			if lacks != "" {
				r.Untested++
				if r.Reason == "" || x.late {
					r.Reason = lacks
				}
				mu.Unlock()
				if over && (x.check.serial || lacks == "interrupted") {
					return
				}
				continue
			}
			asked = append(asked, q)
			mu.Unlock()
			if !yield(q) {
				return
			}
		}
	}
	judge := func(got []byte, err error) bool {
		mu.Lock()
		q := asked[0]
		asked = asked[1:]
		if why := x.excuse(q, err); why != "" {
			x.result.Untested++
			x.result.Reason = why
			mu.Unlock()
			return true
		}
		mu.Unlock()
		v := x.judge(q, got, err)
		mu.Lock()
		defer mu.Unlock()
		x.result.Tested++
		if v.behaviour != "" && !slices.Contains(x.result.Behaviour, v.behaviour) {
			x.result.Behaviour = append(x.result.Behaviour, v.behaviour)
		}
		if v.wrong == "" {
			return true
		}
		x.fail(q, got, v)
		return false
	}
	if p, ok := x.Port.(Pipeliner); ok && !x.check.serial {
		cases := func(yield func(Case) bool) {
			for q := range take {
				if !yield(q.Case) {
					return
				}
			}
		}
		for got, err := range p.Answers(cases) {
			if !judge(got, err) {
				return
			}
		}
		return
	}
	for q := range take {
		var got []byte
		var err error
		if q.line != "" {
			got, err = x.Port.(LineAnswerer).AnswerLine(q.line)
		} else {
			got, err = x.Profile.ask(q.Case)
		}
		if !judge(got, err) {
			return
		}
	}
}

// large is the length of message from which a question is asked only of a port that
// is fast enough for it.
const large = 4 << 20

// takesTooLong says whether a question has a message so large that it would take
// the port more than a quarter of the budget.
func (x *run) takesTooLong(q question) bool {
	n := uint64(0)
	for _, s := range q.Steps {
		n += min(s.Len(), 1<<40)
	}
	if q.Verb != VerbSum || n < large {
		return false
	}
	needed := float64(n) / (x.Budget / 4).Seconds()
	if x.speed < needed && !x.slow {
		x.speed = x.speedUpTo(needed)
		x.slow = x.speed < needed
	}
	return x.speed > 0 && x.speed < needed
}

// excuse says why an error is no answer to judge; empty: it is one.
func (x *run) excuse(q question, err error) string {
	switch {
	case err == nil || IsFault(err):
		return ""
	case errors.Is(err, errors.ErrUnsupported):
		return notOffered(err)
	case q.judge == nil && MayRefuse(q.Case):
		return "refused, as it may be"
	}
	return ""
}

// MayRefuse says whether a port may refuse a valid case: one with an explicit
// empty key, a short salt or personalization, a key together with these or with
// tree parameters, or tree parameters that the BLAKE2 paper excludes. If it
// answers, the answer must be right.
func MayRefuse(c Case) bool {
	short := func(b []byte, whole int) bool { return b != nil && len(b) < whole }
	return c.Key != nil && (len(c.Key) == 0 || c.Salt != nil || c.Person != nil || c.Tree != nil) ||
		short(c.Salt, MaxSaltSize) || short(c.Person, MaxPersonSize) || c.Tree.excluded()
}

// excluded says whether the BLAKE2 paper, section 2.10, excludes the parameters: a
// depth of 0, an inner length above 64, and outside of sequential mode a fanout
// or depth of 1, or an inner length of 0.
func (t *Tree) excluded() bool {
	if t == nil || *t == (Tree{Fanout: 1, MaxDepth: 1}) {
		return false
	}
	return t.MaxDepth <= 1 || t.Fanout == 1 || t.InnerSize == 0 || t.InnerSize > MaxSize
}

// judge says what an answer is worth.
func (x *run) judge(q question, got []byte, err error) verdict {
	switch {
	case IsFault(err):
		return verdict{wrong: fmt.Sprintf("the port fails: %v", err)}
	case q.judge != nil:
		return q.judge(got, err)
	case err != nil:
		return verdict{wrong: fmt.Sprintf("a valid case is refused: %v", err), want: x.want(q)}
	}
	want := x.want(q)
	if bytes.Equal(got, want) {
		return right
	}
	wrong := x.check.wrong
	if wrong == "" {
		wrong = "the answer is wrong"
	}
	return verdict{wrong: wrong, want: want}
}

// want is what a question that has no judge must be answered.
func (x *run) want(q question) []byte {
	switch {
	case x.Cache != nil && q.n > 0:
		n := q.n
		q.n = 0
		return x.Cache.get(x.list, n, func() []byte { return x.want(q) })
	case q.want != nil:
		return q.want()
	}
	want, err := Right(q.Case)
	if err != nil {
		panic(fmt.Sprintf("%s asks what has no answer: %v\n\tcase %s", x.check.Name, err, q.Case))
	}
	return want
}

// wantOf is the want of all questions that have the answer of a case: the oracle
// hashes it once, and only if one of them is asked.
func (x *run) wantOf(c Case) func() []byte {
	return sync.OnceValue(func() []byte { return x.want(question{Case: c}) })
}

// fail makes the result a failure on a question.
func (x *run) fail(q question, got []byte, v verdict) {
	r := &x.result
	if v.blamed != nil {
		q, got = question{Case: *v.blamed}, v.got
	}
	r.Outcome, r.Wrong, r.Got, r.Want, r.Line = Fail, v.wrong, got, v.want, q.line
	if q.line == "" {
		r.Case = &q.Case
	}
	if x.Terse {
		return
	}
	if got != nil && q.line == "" {
		r.Causes = Diagnose(q.Case, got)
	}
	if n := x.firstWrongRound(); n != "" {
		r.Notes = append(r.Notes, n)
	}
}

// firstWrongRound asks a port that has F with any number of rounds for 0 to 12.
func (x *run) firstWrongRound() string {
	if !x.offers("compress") {
		return ""
	}
	for rounds := range 13 {
		c := Case{Verb: VerbCompress, Steps: []Step{{Op: OpWrite, Data: compressInput(byte(rounds))}}}
		got, err := x.Profile.ask(c)
		if err != nil {
			return ""
		}
		if want, _ := Right(c); !bytes.Equal(got, want) {
			if rounds == 0 {
				return "F is wrong before its first round"
			}
			return fmt.Sprintf("F is right up to %d rounds, and wrong with %d", rounds-1, rounds)
		}
	}
	return ""
}

// rng returns a source of numbers that depend on the seed and the check alone.
func (x *run) rng() *rand.Rand {
	seed := binary.LittleEndian.AppendUint64(make([]byte, 0, 32), x.Seed)
	return rand.New(rand.NewChaCha8([32]byte(append(seed, fmt.Sprintf("%-24.24s", x.check.Name)...))))
}
