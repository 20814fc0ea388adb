package mutants

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"blake2btest"
	"blake2btest/vectors"
)

// A Score says which mutants the checks kill, and which the published vectors
// kill alone.
type Score struct {
	Level     blake2btest.Level
	Checks    []*blake2btest.Check
	Rows      []Row // in the order of All
	Published []Published

	cache  blake2btest.Cache
	blocks []map[string]int // by level and check, of the right recipe
}

// A Row is what became of a mutant.
type Row struct {
	Mutant *Mutant

	// Cells has a Cell for each check.
	Cells []Cell

	// Killed says in which profiles some check kills the mutant.
	Killed map[Profile]bool

	// Needs are, of a mutant that survives the profile Streaming, the features
	// that the case which kills it takes; empty if none does.
	Needs []string
}

// A Cell is what a check says of a mutant.
type Cell byte

const (
	Dead     Cell = 'x'
	Alive    Cell = '.'
	Untested Cell = ' ' // the check cannot be asked
	NotAsked Cell = '-' // a cheaper check kills, or this has too many blocks for the mutant
)

// slowLimit is how many blocks a check may have for a mutant of F, which is slow.
const slowLimit = 10_000

// A Profile is how much of BLAKE2b a port offers.
type Profile string

const (
	OneShot    Profile = "one-shot"   // digest lengths and keys, of a message in one write
	Streaming  Profile = "streaming"  // and several writes, digests and resets
	Everything Profile = "everything" // all features
)

// Profiles are in ascending order.
var Profiles = []Profile{OneShot, Streaming, Everything}

// Has says whether a port of the profile can be asked a case.
func (p Profile) Has(c blake2btest.Case) bool {
	if p == Everything {
		return true
	}
	if c.Verb != blake2btest.VerbSum || c.Salt != nil || c.Person != nil || c.Tree != nil || c.T != [2]uint64{} || p == OneShot && len(c.Steps) > 1 {
		return false
	}
	for _, s := range c.Steps {
		if s.Op != blake2btest.OpWrite && (p == OneShot || s.Op != blake2btest.OpSum && s.Op != blake2btest.OpReset) {
			return false
		}
	}
	return true
}

// limited is a port of a profile.
type limited struct {
	blake2btest.Port
	profile Profile
}

func (l limited) Answer(c blake2btest.Case) ([]byte, error) {
	if !l.profile.Has(c) {
		return nil, errors.ErrUnsupported
	}
	return l.Port.Answer(c)
}

// Run runs the checks on every mutant: those of level quick, and those of the
// levels above, up to the one given, if none of these kills it. In the poorer
// profiles it runs those of level quick, up to the first that kills. progress, if not nil, is told how
// many mutants are done. The error is that of ctx.
func Run(ctx context.Context, level blake2btest.Level, progress func(done, of int)) (*Score, error) {
	// Small garbage, and much of it: to collect it less often saves a fifth.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	s := &Score{Level: level, Rows: make([]Row, len(All))}
	for l := blake2btest.Quick; l <= level; l++ {
		s.measure(l)
	}
	var done atomic.Int32
	each(len(All), func(i int) {
		if ctx.Err() == nil {
			s.Rows[i] = s.row(&All[i])
		}
		if n := int(done.Add(1)); progress != nil {
			progress(n, len(All))
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.Published = PublishedSets()
	return s, nil
}

// each calls f for the numbers below n, on all CPUs.
func each(n int, f func(i int)) {
	var next atomic.Int32
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	wg.Wait()
}

// measure runs the checks of a level on the right recipe. That fills the cache,
// and counts the blocks that each compresses.
func (s *Score) measure(level blake2btest.Level) {
	n := 0
	count := right()
	count.f = func(rounds uint32, h *[8]uint64, block *[128]byte, t, f [2]uint64) {
		n++
		oneBlock(rounds, h, block, t, f)
	}
	s.Checks = nil
	blocks := make(map[string]int)
	for r := range blake2btest.Run(count, s.options(level)) {
		s.Checks = append(s.Checks, r.Check)
		blocks[r.Check.Name] = n
		n = 0
	}
	s.blocks = append(s.blocks, blocks)
}

// options have no end of time: a mutant is to be asked everything.
func (s *Score) options(level blake2btest.Level) blake2btest.Options {
	return blake2btest.Options{Level: level, Cache: &s.cache, Budget: 1 << 50, Terse: true}
}

func (s *Score) row(m *Mutant) Row {
	row := Row{Mutant: m, Killed: make(map[Profile]bool)}
	for _, p := range []Profile{OneShot, Streaming} {
		// What kills in a poorer profile kills in a richer one.
		row.Killed[p] = row.Killed[OneShot]
		if row.Killed[p] {
			continue
		}
		for _, r := range s.results(limited{m.Port, p}, m, blake2btest.Quick) {
			if r.Outcome == blake2btest.Fail {
				row.Killed[p] = true
				break
			}
		}
	}
	for level := blake2btest.Quick; level <= s.Level && !row.Killed[Everything]; level++ {
		cells := make(map[string]Cell)
		for c, r := range s.results(m.Port, m, level) {
			cells[c.Name] = Alive
			switch r.Outcome {
			case blake2btest.Fail:
				cells[c.Name] = Dead
				if !row.Killed[Everything] && !row.Killed[Streaming] {
					row.Needs = needs(r)
				}
				row.Killed[Everything] = true
			case blake2btest.Untested:
				cells[c.Name] = Untested
			}
		}
		row.Cells = nil
		for _, c := range s.Checks {
			cell, asked := cells[c.Name]
			if !asked {
				cell = NotAsked
			}
			row.Cells = append(row.Cells, cell)
		}
	}
	return row
}

// results yields the result of each check of a level on a port of a mutant, but
// for those that have too many blocks for a slow one.
func (s *Score) results(p blake2btest.Port, m *Mutant, level blake2btest.Level) iter.Seq2[*blake2btest.Check, blake2btest.Result] {
	return func(yield func(*blake2btest.Check, blake2btest.Result) bool) {
		profile, _ := blake2btest.Probe(p)
		r, ok := m.Port.(*recipe)
		slow := ok && r.slow
		for c, run := range profile.Runs(s.options(level)) {
			if slow && s.blocks[level][c.Name] > slowLimit {
				continue
			}
			if !yield(c, run()) {
				return
			}
		}
	}
}

// needs are the features that a failure takes beyond profile Streaming.
func needs(r blake2btest.Result) (list []string) {
	if r.Case == nil {
		return []string{"a Go hash"}
	}
	c := *r.Case
	add := func(feature string, needed bool) {
		if needed && !slices.Contains(list, feature) {
			list = append(list, feature)
		}
	}
	add(string(c.Verb), c.Verb != blake2btest.VerbSum)
	add("salt", c.Salt != nil)
	add("person", c.Person != nil)
	add("tree", c.Tree != nil)
	add("t", c.T != [2]uint64{})
	for _, s := range c.Steps {
		add(string(s.Op), s.Op != blake2btest.OpWrite && s.Op != blake2btest.OpSum && s.Op != blake2btest.OpReset && s.Op != blake2btest.OpSwap)
	}
	return list
}

// A Published is a set of published vectors, and the mutants that it kills.
type Published struct {
	Name   string
	Killed []*Mutant
}

// PublishedSets returns what the published sets kill, and last their union. Each
// set is all that was published under its name.
func PublishedSets() []Published {
	sets := []Published{
		{Name: `RFC 7693, "abc"`}, {Name: "RFC 7693, Appendix E"}, {Name: "official vectors of BLAKE2b"}, {Name: "official vectors of BLAKE2Xb"},
		{Name: "Linux kernel"}, {Name: "EIP-152"},
	}
	questions := make([][]Vector, len(sets))
	for s, v := range vectors.All() {
		i := slices.Index([]string{"rfc7693", "", "official", "xof", "linux", "eip152"}, s.Name)
		ours := s.Name == "xof" && v.Comment != "" || s.Name == "eip152" && !bytes.HasPrefix([]byte(v.Comment), []byte("EIP-152"))
		if i < 0 || ours {
			continue
		}
		if q, err := NewVector(v.Case, v.Answer); err == nil {
			questions[i] = append(questions[i], q)
		}
	}
	for i, name := range map[int][]string{1: {"rfc7693"}, 4: {"linux-lengths", "linux-keys"}} {
		for _, name := range name {
			for c := range blake2btest.Sequence(name) {
				want, err := right().Answer(c)
				if err != nil {
					panic(err)
				}
				questions[i] = append(questions[i], Vector{Case: c, Want: want})
			}
		}
	}
	all := Published{Name: "all of these together"}
	dead := make([][]bool, len(All))
	each(len(All), func(i int) {
		dead[i] = make([]bool, len(sets))
		for j := range sets {
			dead[i][j] = slices.ContainsFunc(questions[j], func(v Vector) bool { return All[i].answersWrongly(v) })
		}
	})
	for i := range All {
		for j := range sets {
			if dead[i][j] {
				sets[j].Killed = append(sets[j].Killed, &All[i])
			}
		}
		if slices.Contains(dead[i], true) {
			all.Killed = append(all.Killed, &All[i])
		}
	}
	return append(sets, all)
}

// A Vector is a case with its answer: nil where it must be refused.
type Vector struct {
	Case blake2btest.Case
	Want []byte
}

// ErrUnscored is the error of a vector that would take the mutants too long, or
// of a line that is rightly refused, and that no Case holds.
var ErrUnscored = errors.New("no mutant can be asked this")

// NewVector parses a case and its answer line, which may be empty. The error says
// that the case has no answer, or another, or is ErrUnscored.
func NewVector(line, answer string) (v Vector, err error) {
	if v.Case, err = blake2btest.ParseCase(line); err != nil {
		if answer == "error" && !errors.Is(err, errors.ErrUnsupported) {
			err = ErrUnscored
		}
		return v, err
	}
	if work(v.Case) > 1<<16 {
		return v, ErrUnscored
	}
	v.Want, err = right().Answer(v.Case)
	want := blake2btest.FormatAnswer(v.Case, v.Want)
	if err != nil {
		v.Want, want = nil, "error"
	}
	if word, _, _ := strings.Cut(answer, " "); answer != "" && answer != want && word != want {
		return v, fmt.Errorf("the answer %q is wrong: it is %q", answer, want)
	}
	return v, nil
}

// answersWrongly says whether the vector kills the mutant.
func (m *Mutant) answersWrongly(v Vector) (wrong bool) {
	r, ok := m.Port.(*recipe)
	if ok && r.slow && work(v.Case) > slowLimit {
		return false
	}
	defer func() {
		if recover() != nil {
			wrong = true
		}
	}()
	got, err := m.Port.Answer(v.Case)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return false
	case v.Want == nil:
		return err == nil
	}
	return err != nil || !bytes.Equal(got, v.Want)
}

// Kills returns the mutants that a set of vectors kills, and those that survive,
// the control left out.
func Kills(set []Vector) (dead, alive []*Mutant) {
	killed := make([]bool, len(All))
	each(len(All), func(i int) {
		killed[i] = slices.ContainsFunc(set, All[i].answersWrongly)
	})
	for i := range All {
		switch {
		case All[i].Control:
		case killed[i]:
			dead = append(dead, &All[i])
		default:
			alive = append(alive, &All[i])
		}
	}
	return dead, alive
}

// A Pick is a vector of a minimal set, and how many mutants it and those before
// it kill.
type Pick struct {
	Vector
	Killed int
}

// Minimal returns up to n vectors among candidates that together kill as many of
// the mutants as they can: each is the one that kills most of what is left, of
// those the shortest.
func Minimal(n int, candidates []Vector, targets []*Mutant) []Pick {
	kills := make([][]bool, len(candidates))
	each(len(candidates), func(i int) {
		kills[i] = make([]bool, len(targets))
		for j, m := range targets {
			kills[i][j] = m.answersWrongly(candidates[i])
		}
	})
	dead := make([]bool, len(targets))
	killed := 0
	var picks []Pick
	for len(picks) < n {
		best, most := -1, 0
		for i := range candidates {
			k := 0
			for j := range targets {
				if kills[i][j] && !dead[j] {
					k++
				}
			}
			if k > most || k == most && k > 0 && len(candidates[i].Case.String()) < len(candidates[best].Case.String()) {
				best, most = i, k
			}
		}
		if best < 0 {
			break
		}
		for j := range targets {
			dead[j] = dead[j] || kills[best][j]
		}
		killed += most
		picks = append(picks, Pick{candidates[best], killed})
	}
	return picks
}

// Candidates are the vectors of this project of at most 300 message bytes, and
// seeded random cases.
func Candidates() []Vector {
	var list []Vector
	for s, v := range vectors.All() {
		if s.Name == "big" {
			continue
		}
		if q, err := NewVector(v.Case, v.Answer); err == nil && len(v.Case) <= 1500 {
			list = append(list, q)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		c := blake2btest.RandomCase(r)
		if len(c.String()) > 1500 {
			continue
		}
		if want, err := right().Answer(c); err == nil {
			list = append(list, Vector{c, want})
		}
	}
	return list
}
