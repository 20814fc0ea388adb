package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"blake2btest"
	"blake2btest/internal/fuzzing"
	"blake2btest/internal/model"
	_ "blake2btest/mutants" // for likely causes
	"blake2btest/subprocess"
	"blake2btest/variants"
)

// fuzz is the command fuzz.
func fuzz(ctx context.Context, args []string) error {
	f := &fuzzer{out: os.Stdout}
	flags := newFlags("fuzz")
	flags.DurationVar(&f.length, "for", 30*time.Second, "how long to ask")
	flags.IntVar(&f.most, "n", 0, "how many cases to ask at most; 0: any number")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of the cases: another one has others")
	flags.TextVar(&f.shard, "shard", shard{}, "be shard `i/n`: the n of them, with the same seed, draw their cases from\ndifferent streams, whatever -j is; for n machines")
	flags.IntVar(&f.workers, "j", runtime.GOMAXPROCS(0), "how many processes of the port to ask at a time")
	flags.StringVar(&f.dir, "save", "", "save what is answered wrongly in `dir`, by names that are hashes: those of\nseveral runs are merged by copying; crosstest.sh -c takes it")
	flags.BoolVar(&f.keep, "keep", false, "go on after a wrong answer")
	if err := parse(flags, args); err != nil {
		return err
	}
	switch {
	case f.length <= 0:
		return fmt.Errorf("fuzz: for %v is not above 0", f.length)
	case f.most < 0:
		return fmt.Errorf("fuzz: n %d is below 0", f.most)
	case f.workers < 1:
		return fmt.Errorf("fuzz: j %d is below 1", f.workers)
	}
	if f.dir != "" {
		if err := os.MkdirAll(f.dir, 0o777); err != nil {
			return fmt.Errorf("fuzz: %w", err)
		}
	}
	f.opens = opens(flags.Args())
	f.show = startProgress()
	err := f.run(ctx)
	f.show.stop()
	if err != nil {
		err = fmt.Errorf("fuzz: %w", err)
	}
	if f.asked > 0 {
		fmt.Println(f.summary())
	}
	if f.wrong > 0 {
		if err != nil {
			message("%v", err)
		}
		return statusFails
	}
	return err
}

// opens are how the ports are started: the program of a command, or the built-in
// ones if there is none. The default variant is not among these, for it is what
// all answers are compared with.
func opens(command []string) (list []func() (blake2btest.Port, error)) {
	if len(command) > 0 {
		return append(list, func() (blake2btest.Port, error) {
			return subprocess.Start(exec.Command(command[0], command[1:]...))
		})
	}
	ports := []blake2btest.Port{model.Port{}}
	for _, v := range variants.All {
		if v.Name != variants.Default().Name {
			ports = append(ports, blake2btest.Over(v))
		}
	}
	for _, p := range ports {
		list = append(list, func() (blake2btest.Port, error) { return p, nil })
	}
	return list
}

// A fuzzer is a run of the command.
type fuzzer struct {
	opens   []func() (blake2btest.Port, error) // the ports; each call is a fresh process
	length  time.Duration
	most    int
	seed    uint64
	shard   shard
	workers int
	dir     string
	keep    bool
	out     io.Writer
	show    *progress

	took time.Duration
	stop context.Context // done when no more is to be asked
	end  context.CancelFunc

	mu                        sync.Mutex
	asked, unsupported, wrong int

	looking sync.Mutex      // one finding at a time is looked into
	seen    map[string]bool // the shrunk cases that were shown
}

// gcPercent is as debug.SetGCPercent has it: what a case allocates is garbage by
// the next, and a collection finds little that is not.
const gcPercent = 400

// run asks until the time is over, or ctx is done, or an answer is wrong.
func (f *fuzzer) run(ctx context.Context) error {
	defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	var profiles []*blake2btest.Profile
	for _, open := range f.opens {
		h := &hand{open: open}
		port, err := h.ready()
		if err != nil {
			return fmt.Errorf("the port does not start: %w", err)
		}
		profile, err := blake2btest.Probe(port)
		h.drop()
		if err != nil {
			return err
		}
		profiles = append(profiles, profile)
	}
	if f.most == 0 {
		f.most = math.MaxInt
	}
	f.seen = make(map[string]bool)
	start := time.Now()
	f.stop, f.end = context.WithTimeout(ctx, f.length)
	defer f.end()
	var workers sync.WaitGroup
	errs := make([]error, f.workers)
	for i := range f.workers {
		workers.Go(func() {
			errs[i] = f.worker(i, profiles).work(ctx)
			if errs[i] != nil {
				f.end()
			}
		})
	}
	workers.Wait()
	f.took = time.Since(start)
	return errors.Join(errs...)
}

// summary is the last line.
func (f *fuzzer) summary() string {
	var which string
	if f.shard.others > 0 {
		which = fmt.Sprintf("shard %s: ", f.shard)
	}
	return fmt.Sprintf("%s%s cases in %v, %s/s, %s not supported, %s wrong", which, thousands(f.asked), f.took.Round(10*time.Millisecond),
		thousands(int(float64(f.asked)/f.took.Seconds())), thousands(f.unsupported), thousands(f.wrong))
}

// A shard is one of several runs that share a seed and no stream of cases. The
// zero shard is the only one.
type shard struct{ before, others int } // shards before it, and shards but for it

// maxShards leaves room for the workers' numbers in 32 bits.
const maxShards = 1 << 16

// stream returns the number of a worker's stream: of n shards, each has every
// nth. So shards of one worker each have the streams of one run with n workers.
func (s shard) stream(worker int) int { return worker*(s.others+1) + s.before }

func (s shard) String() string { return fmt.Sprintf("%d/%d", s.before+1, s.others+1) }

// MarshalText and UnmarshalText are for flag.TextVar.
func (s shard) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

func (s *shard) UnmarshalText(text []byte) error {
	before, after, _ := strings.Cut(string(text), "/")
	i, err := strconv.Atoi(before)
	n, err2 := strconv.Atoi(after)
	switch {
	case err != nil || err2 != nil:
		return errors.New("not two numbers i/n")
	case n < 1 || n > maxShards:
		return fmt.Errorf("n %d is not from 1 to %d", n, maxShards)
	case i < 1 || i > n:
		return fmt.Errorf("i %d is not from 1 to %d", i, n)
	}
	*s = shard{i - 1, n - 1}
	return nil
}

// batch is how many cases a port is asked before it is another's turn.
const batch = 256

// A worker asks a share of the cases, of each port in turn.
type worker struct {
	*fuzzer
	hands    []*hand
	profiles []*blake2btest.Profile
	source   *fuzzing.Source
	share    int   // cases to ask
	err      error // why no case can be drawn

	mu                 sync.Mutex         // a port may take cases in a goroutine of its own
	waiting            []blake2btest.Case // drawn, and not yet answered
	asked, unsupported int                // since they were added to the fuzzer's
}

func (f *fuzzer) worker(i int, profiles []*blake2btest.Profile) *worker {
	w := &worker{fuzzer: f, profiles: profiles, source: fuzzing.NewSource(f.seed, f.shard.stream(i)), share: f.most / f.workers}
	if i < f.most%f.workers {
		w.share++
	}
	for _, open := range f.opens {
		w.hands = append(w.hands, &hand{open: open})
	}
	return w
}

func (w *worker) work(ctx context.Context) error {
	for _, h := range w.hands {
		// A port that is closed answers at once.
		defer context.AfterFunc(ctx, h.drop)()
		defer h.drop()
	}
	for turn := 0; w.share > 0 && w.stop.Err() == nil; turn++ {
		i := turn % len(w.hands)
		n := min(batch, w.share)
		if len(w.hands) == 1 {
			n = w.share // a pipe that is never empty is fastest
		}
		w.share -= n
		for (n > 0 || len(w.waiting) > 0) && w.stop.Err() == nil {
			failed, err := w.ask(ctx, w.hands[i], w.draw(w.profiles[i], &n))
			w.count()
			if err != nil || w.err != nil {
				return cmp.Or(err, w.err)
			}
			if failed != nil {
				w.found(ctx, w.hands[i].open, w.profiles[i], failed)
				w.hands[i].drop() // what is wrong with it may last
			}
		}
	}
	return nil
}

// draw yields the cases that are waiting, and draws up to n that a port can be
// asked, by which it lowers n.
func (w *worker) draw(p *blake2btest.Profile, n *int) iter.Seq[blake2btest.Case] {
	return func(yield func(blake2btest.Case) bool) {
		for _, c := range slices.Clone(w.waiting) {
			if !yield(c) {
				return
			}
		}
		const most = 100_000
		for lacks := 0; *n > 0 && w.stop.Err() == nil; {
			c := w.source.Next()
			if p.Lacks(c) == "" {
				lacks = 0
				*n--
				w.mu.Lock()
				w.waiting = append(w.waiting, c)
				w.mu.Unlock()
				if !yield(c) {
					return
				}
				continue
			}
			w.lacks()
			if lacks++; lacks == most {
				w.err = fmt.Errorf("the port supports none of %s cases", thousands(most))
				return
			}
		}
	}
}

// answered returns the case that an answer is to.
func (w *worker) answered() blake2btest.Case {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := w.waiting[0]
	w.waiting = w.waiting[1:]
	w.asked++
	return c
}

// lacks counts a case that a port cannot be asked, or does not answer.
func (w *worker) lacks() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.unsupported++
}

// count adds to what all workers have counted.
func (w *worker) count() {
	f := w.fuzzer
	f.mu.Lock()
	defer f.mu.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	f.asked += w.asked
	f.unsupported += w.unsupported
	w.asked, w.unsupported = 0, 0
	f.show.set("%s cases, %s wrong", thousands(f.asked), thousands(f.wrong))
}

// A finding is a case with its wrong answer.
type finding struct {
	blake2btest.Case
	judgement
	before []blake2btest.Case  // what the same process was asked before, at most so many
	causes []blake2btest.Cause // that are likely
}

// remembered is how many cases before a failure are kept.
const remembered = 100

// last returns the last n of the cases before.
func (f *finding) last(n int) []blake2btest.Case { return f.before[max(0, len(f.before)-n):] }

// ask asks cases until one is answered wrongly, or no more is to be asked.
func (w *worker) ask(ctx context.Context, h *hand, cases iter.Seq[blake2btest.Case]) (failed *finding, err error) {
	port, err := h.ready()
	if err != nil {
		return nil, err
	}
	for got, err := range answers(port, cases) {
		if ctx.Err() != nil {
			break // the answer may be the interruption's
		}
		c := w.answered()
		v := judge(c, got, err)
		if v.kind == notSupported {
			w.lacks()
		} else if v.kind != fine {
			before := h.before[max(0, len(h.before)-remembered):]
			return &finding{Case: c, judgement: v, before: slices.Clone(before), causes: v.causes(c)}, nil
		}
		h.remember(c)
		if w.asked == batch {
			w.count()
		}
		if w.stop.Err() != nil {
			break
		}
	}
	return nil, nil
}

// answers has a port answer cases, and asks ahead where it can be.
func answers(p blake2btest.Port, cases iter.Seq[blake2btest.Case]) iter.Seq2[[]byte, error] {
	if p, ok := p.(blake2btest.Pipeliner); ok {
		return p.Answers(cases)
	}
	return func(yield func([]byte, error) bool) {
		for c := range cases {
			if !yield(p.Answer(c)) {
				return
			}
		}
	}
}

// A kind is a kind of answer.
type kind string

const (
	fine         kind = ""
	notSupported kind = "not supported"
	differs      kind = "the answer is wrong"
	refuses      kind = "a valid case is refused"
	faults       kind = "the port fails"
	notStarted   kind = "the port does not start"
)

// A judgement is what an answer is worth.
type judgement struct {
	kind
	err       error
	got, want []byte
}

func judge(c blake2btest.Case, got []byte, err error) judgement {
	v := judgement{err: err, got: got}
	fault := blake2btest.IsFault(err)
	if !fault && (errors.Is(err, errors.ErrUnsupported) || err != nil && blake2btest.MayRefuse(c)) {
		v.kind = notSupported
		return v
	}
	var none error
	v.want, none = blake2btest.Right(c)
	switch {
	case none != nil: // a case that Shrink has made
	case fault:
		v.kind = faults
	case err != nil:
		v.kind = refuses
	case !bytes.Equal(got, v.want):
		v.kind = differs
	}
	return v
}

// causes returns the known bugs that give the same answer.
func (v judgement) causes(c blake2btest.Case) []blake2btest.Cause {
	if v.got == nil {
		return nil
	}
	return blake2btest.Diagnose(c, v.got)
}

// common returns the causes of a shrunk case that are also those of the one it
// was shrunk from: many bugs look alike in simple cases, and more by chance in
// short digests. It returns all if there are none such, as where the port has
// two bugs.
func common(shrunk, from []blake2btest.Cause) []blake2btest.Cause {
	both := slices.DeleteFunc(slices.Clone(shrunk), func(c blake2btest.Cause) bool { return !slices.Contains(from, c) })
	if len(both) == 0 {
		return shrunk
	}
	return both
}

// A hand holds a port for one worker, and starts it when it is needed.
type hand struct {
	open func() (blake2btest.Port, error)

	mu     sync.Mutex
	port   blake2btest.Port
	before []blake2btest.Case
}

func (h *hand) ready() (blake2btest.Port, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.port == nil {
		port, err := h.open()
		if err != nil {
			return nil, err
		}
		h.port, h.before = port, nil
	}
	return h.port, nil
}

// drop ends the port's process, if it has one.
func (h *hand) drop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if c, ok := h.port.(io.Closer); ok {
		c.Close() // how it ends is a question for check
	}
	h.port = nil
}

func (h *hand) remember(c blake2btest.Case) {
	if len(h.before) == 2*remembered {
		h.before = append(h.before[:0], h.before[remembered:]...)
	}
	h.before = append(h.before, c)
}

// judge asks one case. After a fault it starts the port anew for the next.
func (h *hand) judge(c blake2btest.Case) judgement {
	port, err := h.ready()
	if err != nil {
		return judgement{kind: notStarted, err: err}
	}
	got, err := port.Answer(c)
	v := judge(c, got, err)
	if v.kind == faults {
		h.drop()
	}
	return v
}

// shrinkTime is how long a failure is looked into: each question to a port that
// hangs takes seconds.
const shrinkTime = time.Minute

// found finds the simplest case that is wrong as a failure is, and reports it.
func (f *fuzzer) found(ctx context.Context, open func() (blake2btest.Port, error), p *blake2btest.Profile, failed *finding) {
	f.looking.Lock()
	defer f.looking.Unlock()
	if !f.keep && len(f.seen) > 0 {
		return // another worker was first
	}
	f.mu.Lock()
	f.wrong++
	f.mu.Unlock()
	if !f.keep {
		f.end()
	}
	h := &hand{open: open}
	defer context.AfterFunc(ctx, h.drop)()
	defer h.drop()
	ctx, cancel := context.WithTimeout(ctx, shrinkTime)
	defer cancel()
	var note string
	failed, note = h.reduce(ctx, failed)
	if ctx.Err() != nil {
		note = "not looked into to the end, for want of time"
	}
	if line := failed.String(); !f.seen[line] {
		f.seen[line] = true
		f.report(p, failed, note)
	}
}

// reduce shrinks a failure if it is one of the case alone. If not, it looks for
// what has to be asked before. The note says what a reader has to know.
func (h *hand) reduce(ctx context.Context, failed *finding) (reduced *finding, note string) {
	again := func(c blake2btest.Case) (v judgement, same bool) {
		if ctx.Err() != nil {
			return v, false
		}
		v = h.judge(c)
		return v, v.kind == failed.kind && ctx.Err() == nil
	}
	if v, same := again(failed.Case); v.kind == notStarted {
		return failed, fmt.Sprintf("not shrunk: the port does not start again: %v", v.err)
	} else if same {
		c := fuzzing.Shrink(failed.Case, func(c blake2btest.Case) bool { _, same := again(c); return same })
		h.drop() // for a process that Shrink has asked nothing
		if v, same := again(c); same {
			return &finding{Case: c, judgement: v, causes: common(v.causes(c), failed.causes)}, ""
		}
		return &finding{Case: failed.Case, judgement: failed.judgement, causes: failed.causes}, "not shrunk: what is wrong depends on what was asked before"
	}
	after := func(before []blake2btest.Case) bool {
		h.drop()
		for _, c := range before {
			again(c)
		}
		_, same := again(failed.Case)
		return same
	}
	enough := 1
	for ; enough < len(failed.before) && !after(failed.last(enough)); enough *= 2 {
	}
	before := failed.last(enough)
	if !after(before) {
		return failed, fmt.Sprintf("a fresh process answers it rightly, also after the %d cases that were asked before", len(before))
	}
	for i := 0; i < len(before); {
		if fewer := slices.Delete(slices.Clone(before), i, i+1); after(fewer) {
			before = fewer
		} else {
			i++
		}
	}
	return &finding{Case: failed.Case, judgement: failed.judgement, before: before}, "a fresh process answers it rightly; not so if it is asked these cases before"
}

// fuzzChecks are what a failure is one of.
var fuzzChecks = map[blake2btest.Verb]*blake2btest.Check{
	blake2btest.VerbSum:      {Name: "fuzz/sum", Must: "any case is answered rightly", Source: "RFC 7693, section 3.3"},
	blake2btest.VerbCompress: {Name: "fuzz/compress", Must: "any case is answered rightly", Source: "RFC 7693, section 3.2"},
	blake2btest.VerbXOF:      {Name: "fuzz/xof", Must: "any case is answered rightly", Source: "BLAKE2X paper, section 2"},
}

// report prints a failure, and saves it.
func (f *fuzzer) report(p *blake2btest.Profile, failed *finding, note string) {
	r := blake2btest.Result{
		Check:   fuzzChecks[failed.Verb],
		Outcome: blake2btest.Fail,
		Wrong:   string(failed.kind),
		Case:    &failed.Case,
		Got:     failed.got,
		Want:    failed.want,
		Causes:  failed.causes,
		Notes:   []string{fmt.Sprintf("port %s %s", p.Name, p.Version)},
	}
	if failed.err != nil {
		r.Wrong += ": " + failed.err.Error()
	}
	if note != "" {
		r.Notes = append(r.Notes, note)
	}
	for _, c := range failed.before {
		r.Notes = append(r.Notes, "after "+c.String())
	}
	if f.show != nil {
		io.WriteString(os.Stderr, eraseLine)
	}
	fmt.Fprintln(f.out, r)
	for _, s := range snippets {
		fmt.Fprintf(f.out, "\nIn %s:\n\n%s", s.language, s.write(failed.Case, failed.want))
	}
	fmt.Fprintln(f.out)
	if f.dir == "" {
		return
	}
	if err := save(f.dir, failed.Case, r.String()); err != nil {
		message("%v", err)
	}
}

// fuzzTargets are those that a case of each kind can be an input of.
var fuzzTargets = map[blake2btest.Verb]string{
	blake2btest.VerbSum:      "FuzzParams",
	blake2btest.VerbCompress: "FuzzCompress",
	blake2btest.VerbXOF:      "FuzzPort",
}

// save saves a case in files whose names are hashes: NAME.case has its line, with
// what is known of it in comments before; and TARGET/NAME the input of a fuzz
// target, to be copied to testdata/fuzz, if there is one.
func save(dir string, c blake2btest.Case, known string) error {
	var text strings.Builder
	for line := range strings.Lines(known) {
		fmt.Fprintf(&text, "# %s\n", strings.TrimSpace(line))
	}
	fmt.Fprintln(&text, c)
	if _, err := fuzzing.SaveFile(dir, fmt.Sprintf("%.8x.case", sha256.Sum256([]byte(c.String()))), text.String()); err != nil {
		return err
	}
	input, none := fuzzing.Encode(c)
	if none != nil {
		return nil
	}
	name, seed := fuzzing.SeedFile(input)
	_, err := fuzzing.SaveFile(filepath.Join(dir, fuzzTargets[c.Verb]), name, seed)
	return err
}
