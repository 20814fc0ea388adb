// Package subprocess is the line protocol of blake2btest: Start makes a program
// in any language a Port, and Serve makes a Port such a program. PROTOCOL.md
// beside it is for the authors of such programs.
//
// A program is not trusted. It may crash, hang, write what it likes, as much as
// it likes, and leave children behind: the case that it happens to fails with a
// [Fault], the program is started anew, and the other cases are answered.
package subprocess

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"blake2btest"
)

// Options are what can be set of a Port. The zero Options are good.
type Options struct {
	// Timeout is how long one answer may take; 0 is 10 seconds. The first
	// answer of a program takes its start as well, and one that takes gigabytes
	// or millions of rounds may take longer: see slack.
	Timeout time.Duration

	// Window is how many requests may be written before their answers are
	// read; 0 is 64.
	Window int
}

const (
	// maxFaults is the number of faults in a row after which a program is
	// given up, maxHangs that of answers not given in time: it has hung long
	// enough.
	maxFaults = 100
	maxHangs  = 3

	// maxAhead is how many bytes of requests and their answers there may be in
	// flight, beside one request that may have any length.
	maxAhead = 1 << 20
)

// A Port is a program that answers the line protocol. It is a [blake2btest.Port],
// a Namer, a Pipeliner and a LineAnswerer. What a program does other than answer
// or refuse is an error of type [*Fault]. Cases that are not valid, or too long
// for a line, do not reach the program.
//
// Methods may be called concurrently, and while Answers is ranged over. They
// wait for each other, as there is one program.
//
// No answer is believed before the line after it is known to belong to another
// request: a program may answer twice, or not at all, and then every later
// answer is that of another case. So the last request of each batch is followed
// by the request "about", whose answer cannot be taken for any other. When
// something is wrong, the program is started anew, and what was in flight is
// asked again one by one, so that the right case gets the blame: which requests
// a program had read when it crashed, nobody knows.
type Port struct {
	template      *exec.Cmd
	timeout       time.Duration
	name, version string

	// What Close needs while another method has the lock.
	closing atomic.Bool
	running atomic.Pointer[process]

	mu       sync.Mutex
	window   int
	warnings []string
	process  *process   // nil: to be started
	queue    []*request // asked and not answered
	sent     int        // how many of the queue are written to the process
	unsynced int        // how many of these are after the last about
	ahead    int        // bytes of the queue and of its answers
	faults   int        // in a row
	hangs    int        // among these
	single   bool       // one request at a time, until one is answered
	gone     error      // why nothing is answered any more
}

// A request is a line, and in time its answer.
type request struct {
	line  string
	want  shape
	slack time.Duration // how much longer than others the answer may take
	sync  bool          // about follows

	forgotten bool // nobody waits for the answer
	done      bool
	answer    []byte
	err       error
}

// weight is what a request adds to Port.ahead.
func (r *request) weight() int { return len(r.line) + r.want.length() }

// Start starts the program that cmd describes, and checks that it speaks the
// protocol, so that a broken adapter is told from a broken port. The error is a
// *Fault unless the program could not be started at all.
//
// Of cmd, the fields Path, Args, Env, Dir, ExtraFiles and SysProcAttr are used.
// It is a template, since the program is started again after each fault. On
// Unix, the program gets a process group of its own, by which what it starts is
// ended with it; so an interrupt from the terminal does not reach it.
func Start(cmd *exec.Cmd, options ...Options) (*Port, error) {
	p := &Port{template: cmd, timeout: 10 * time.Second, window: 64}
	for _, o := range options {
		if o.Timeout > 0 {
			p.timeout = o.Timeout
		}
		if o.Window > 0 {
			p.window = o.Window
		}
	}
	var err error
	if p.process, err = start(cmd); err != nil {
		return nil, err
	}
	p.running.Store(p.process)
	if err := p.checkAdapter(); err != nil {
		return nil, p.process.fail(err)
	}
	return p, nil
}

// About returns what the program says of itself; what it leaves out is "unknown".
func (p *Port) About() (name, version string) { return p.name, p.version }

// Warnings returns what is wrong with the adapter without being in the way.
func (p *Port) Warnings() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.warnings)
}

// Answer has the program answer a Case.
func (p *Port) Answer(c blake2btest.Case) ([]byte, error) {
	return p.wait(p.ask(c))
}

// AnswerLine has the program answer a line, whether it is a Case or not. If it
// is not, the bytes are those of all words of the answer, whatever their
// lengths. Of about, they are what follows "ok".
func (p *Port) AnswerLine(line string) ([]byte, error) {
	if strings.Contains(line, "\n") {
		return nil, errors.New("a line break inside a line")
	}
	if c, err := blake2btest.ParseCase(line); err == nil {
		return p.wait(p.askLine(line, c))
	}
	verb, _, _ := strings.Cut(line, " ")
	return p.wait(p.enqueue(&request{line: line, want: shape{about: verb == string(blake2btest.VerbAbout)}}))
}

// Answers has the program answer cases, and asks ahead.
func (p *Port) Answers(cases iter.Seq[blake2btest.Case]) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		var asked []*request
		defer func() { p.forget(asked) }()
		next := func() bool {
			r := asked[0]
			asked = asked[1:]
			return yield(p.wait(r))
		}
		for c := range cases {
			for len(asked) > 0 && p.full() {
				if !next() {
					return
				}
			}
			asked = append(asked, p.ask(c))
		}
		for len(asked) > 0 {
			if !next() {
				return
			}
		}
	}
}

// slack is how much longer a Case may take than a small one: a second for each
// 8 MiB to hash, or for each 100,000 rounds. That is a slow port.
func slack(c blake2btest.Case) time.Duration {
	const bytes, rounds = 8 << 20, 100_000
	var n uint64
	for _, s := range c.Steps {
		n += min(s.Len(), 1<<40)
	}
	if c.Verb == blake2btest.VerbCompress && n >= 4 && len(c.Steps[0].Data) >= 4 {
		return time.Second * time.Duration(binary.BigEndian.Uint32(c.Steps[0].Data)) / rounds
	}
	return time.Second * time.Duration(n/bytes)
}

// full says whether no more is to be asked before an answer.
func (p *Port) full() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.queue) >= p.window || p.ahead >= maxAhead
}

// ask asks a Case, if it can be asked.
func (p *Port) ask(c blake2btest.Case) *request {
	if err := c.Validate(); err != nil {
		return &request{done: true, err: err}
	}
	return p.askLine(c.String(), c)
}

// askLine asks a Case with the given text.
func (p *Port) askLine(line string, c blake2btest.Case) *request {
	want, ok := shapeOf(c)
	switch {
	case len(line) > blake2btest.MaxLine:
		return &request{done: true, err: fmt.Errorf("line of %d bytes is above %d: %w", len(line), blake2btest.MaxLine, errors.ErrUnsupported)}
	case !ok:
		return &request{done: true, err: fmt.Errorf("answer line above %d bytes: %w", maxAnswer, errors.ErrUnsupported)}
	}
	return p.enqueue(&request{line: line, want: want, slack: slack(c)})
}

func (p *Port) enqueue(r *request) *request {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.queue = append(p.queue, r)
	p.ahead += r.weight()
	p.send()
	return r
}

// forget gives up the answers to requests. What is in flight stays there.
func (p *Port) forget(requests []*request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range requests {
		r.forgotten = true
	}
	p.drop(p.sent)
}

// wait returns the answer to a request.
func (p *Port) wait(r *request) ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for !r.done {
		p.send()
		n := p.sent
		if i, err := p.receive(); err != nil {
			p.investigate(n, i, err)
		}
	}
	return r.answer, r.err
}

// send writes as much of the queue as may be in flight, and starts the program
// if need be. It does not block.
func (p *Port) send() {
	if p.gone == nil && p.closing.Load() {
		p.gone = errClosed
	}
	if p.gone != nil {
		p.finish(len(p.queue), p.gone)
		return
	}
	if p.process == nil {
		q, err := start(p.template)
		if err != nil {
			p.giveUp(fmt.Sprintf("it could not be started again: %v", err))
			return
		}
		p.process = q
		p.running.Store(q)
		if p.closing.Load() {
			kill(q.cmd.Process) // Close did not see it
		}
	}
	for p.sent < len(p.queue) && (p.sent == 0 || !p.single && p.sent < p.window) {
		p.process.write(p.queue[p.sent].line)
		p.sent++
		p.unsynced++
		// Half of the window is answered while the other half is asked.
		if p.unsynced >= p.window/2 {
			p.synchronize()
		}
	}
}

// synchronize lets about follow the last request that was sent.
func (p *Port) synchronize() {
	p.queue[p.sent-1].sync = true
	p.process.write(string(blake2btest.VerbAbout))
	p.process.flush()
	p.unsynced = 0
}

// receive reads the answers up to the next about. If one is amiss, it returns
// the error and the number of the request in the queue that first comes to mind.
func (p *Port) receive() (int, error) {
	if p.sent == 0 {
		return 0, nil
	}
	if p.unsynced == p.sent {
		p.synchronize()
	}
	for i, r := range p.queue[:p.sent] {
		line, err := p.process.line(p.timeout + r.slack)
		if err != nil {
			return i, err
		}
		if !r.want.about && isAbout(line) {
			return i, errors.New("no answer: the next is that to the request after it")
		}
		r.answer, r.err = r.want.parse(line)
		if f, ok := r.err.(*Fault); ok {
			f.Stderr = p.process.stderr.last()
		}
		if !r.sync {
			continue
		}
		first := quote(line)
		line, err = p.process.line(p.timeout)
		switch {
		case err != nil:
			return i, fmt.Errorf("answer %s, and then: %w", first, err)
		case !isAbout(line):
			return 0, fmt.Errorf("a line too many: answer %s, and then %s", first, quote(line))
		}
		p.faults, p.hangs, p.single = 0, 0, false
		p.finish(i+1, nil)
		return 0, nil
	}
	panic("subprocess: no about in flight")
}

// finish takes the first n requests off the queue. Their answers are known, or
// they all have the same error.
func (p *Port) finish(n int, err error) {
	for _, r := range p.queue[:n] {
		r.done = true
		if err != nil {
			r.answer, r.err = nil, err
		}
		p.ahead -= r.weight()
	}
	p.queue = slices.Delete(p.queue, 0, n)
	p.sent = max(0, p.sent-n)
}

// investigate starts the program anew after an error that came to light at the
// i-th of n requests in flight, and finds the one to blame.
func (p *Port) investigate(n, i int, why error) {
	f := p.stop(why)
	if n == 1 {
		p.blame(f, why)
		return
	}
	suspect := p.queue[i]
	wanted := 0
	for _, r := range p.queue[:n] {
		if !r.forgotten {
			wanted++
		}
	}
	p.drop(0)
	for range wanted {
		p.single = true
		p.send()
		if _, err := p.receive(); err != nil {
			p.blame(p.stop(err), err)
			return
		}
	}
	// One by one, they were answered. If one of those that are forgotten was in
	// flight as well, it is to blame, and nobody wants to know.
	if wanted < n {
		return
	}
	// Each was in time, if that was what was wrong: a program that writes its
	// answers in blocks may be slow.
	if errors.Is(why, errTimeout) {
		p.warnings = append(p.warnings, fmt.Sprintf("%v with %d requests in flight, but for each alone: asked one at a time from here on", why, n))
		p.window = 1
		return
	}
	f.What += "; not so when it was asked alone"
	suspect.answer, suspect.err = nil, f
}

// stop stops the program, for the reason given.
func (p *Port) stop(why error) *Fault {
	f := p.process.fail(why)
	p.process = nil
	for _, r := range p.queue[:p.sent] {
		r.sync = false
	}
	p.sent, p.unsynced = 0, 0
	return f
}

// drop takes requests that are forgotten out of the queue, from the i-th on.
func (p *Port) drop(i int) {
	kept := slices.DeleteFunc(p.queue[i:], func(r *request) bool {
		if r.forgotten {
			p.ahead -= r.weight()
		}
		return r.forgotten
	})
	p.queue = p.queue[:i+len(kept)]
}

// blame makes a fault, which is why, the answer to the first request.
func (p *Port) blame(f *Fault, why error) {
	p.finish(1, f)
	p.single = true
	p.faults++
	if errors.Is(why, errTimeout) {
		p.hangs++
	}
	if p.faults == maxFaults || p.hangs == maxHangs {
		p.giveUp(fmt.Sprintf("%d faults in a row, the last: %v", p.faults, f))
	}
}

func (p *Port) giveUp(why string) {
	p.gone = &Fault{What: "the program was given up after " + why}
	p.finish(len(p.queue), p.gone)
}

// errClosed is the answer to everything after Close.
var errClosed = &Fault{What: "the program was closed"}

// Close ends the program's input, and so the program; at once, if a method is
// waiting for an answer. The error is a *Fault if the program does not end by
// itself, with success, and without another word. Nothing is answered afterwards.
func (p *Port) Close() error {
	p.closing.Store(true)
	if !p.mu.TryLock() {
		kill(p.running.Load().cmd.Process)
		p.mu.Lock()
	}
	defer p.mu.Unlock()
	q := p.process
	idle := p.sent == 0
	p.process, p.sent, p.unsynced = nil, 0, 0
	p.gone = errClosed
	p.finish(len(p.queue), p.gone)
	if q == nil {
		return nil
	}
	if !idle {
		q.stop()
		return nil
	}
	q.closeInput()
	line, err := q.line(4 * grace)
	switch {
	case err == nil:
		return q.fail(fmt.Errorf("a line that nobody asked for: %s", quote(line)))
	case !errors.Is(err, errEnd) || !q.ended(2*grace) || !q.cmd.ProcessState.Success():
		return q.fail(fmt.Errorf("after the end of its input: %w", err))
	}
	q.stop()
	return nil
}
