package subprocess

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

// maxAnswer is the length in bytes of the longest answer line: twice that of
// 2^20 bytes of XOF, so that only what is no answer is above it.
const maxAnswer = 4 << 20

// grace is how long a program may take to end by itself, before and after it is
// asked to, and its pipes to be closed by those that it leaves behind.
const grace = 500 * time.Millisecond

// starting is how many times longer than others the first line of a program may
// take: some load a virtual machine first.
const starting = 3

// A process is a running program: lines in, lines out. It knows nothing of what
// they mean. Its methods, but for those of the two goroutines that move bytes,
// are for one goroutine at a time.
type process struct {
	cmd    *exec.Cmd
	exited chan struct{} // closed when cmd.Wait has returned
	stderr tail

	unsent []byte      // lines that the writing goroutine has not been given
	out    chan []byte // to the writing goroutine

	in    chan []byte   // from the reading goroutine, closed at the end
	taken chan struct{} // says that the last bytes were copied
	quit  chan struct{} // closed to end the reading goroutine
	chunk []byte        // what is left of the bytes last received
	lines *bufio.Reader
	spoke bool // a line has been read
	timer *time.Timer
}

// start starts the program that the template describes. The template itself is
// left as it is, since an exec.Cmd can be started only once.
func start(template *exec.Cmd) (*process, error) {
	q := &process{
		cmd: &exec.Cmd{
			Path:        template.Path,
			Args:        template.Args,
			Env:         template.Env,
			Dir:         template.Dir,
			ExtraFiles:  template.ExtraFiles,
			SysProcAttr: template.SysProcAttr,
			Err:         template.Err,
			WaitDelay:   grace,
		},
		exited: make(chan struct{}),
		out:    make(chan []byte),
		in:     make(chan []byte),
		taken:  make(chan struct{}),
		quit:   make(chan struct{}),
		timer:  time.NewTimer(grace), // set for each line
	}
	q.lines = bufio.NewReaderSize(q, 64<<10)
	q.cmd.Stdout = (*stdout)(q)
	q.cmd.Stderr = &q.stderr
	group(q.cmd)
	stdin, err := q.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := q.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		// A write that fails is of no interest: why, the program's end tells.
		for b := range q.out {
			stdin.Write(b)
		}
		stdin.Close()
	}()
	go func() {
		q.cmd.Wait()
		close(q.exited)
	}()
	return q, nil
}

// write adds a line to those to be sent. It never blocks.
func (q *process) write(line string) {
	q.unsent = append(append(q.unsent, line...), '\n')
}

// flush has the lines sent, if the writing goroutine is idle. If not, line
// will.
func (q *process) flush() {
	select {
	case q.out <- q.unsent:
		q.sent()
	default:
	}
}

// sent makes room for as many lines again as the writing goroutine was given.
func (q *process) sent() { q.unsent = make([]byte, 0, len(q.unsent)) }

// What can be wrong with a line, beside its length.
var (
	errEnd     = errors.New("its output ended")
	errTimeout = errors.New("no answer in time")
)

// line returns the next line without its end. It is valid until the next call.
func (q *process) line(timeout time.Duration) ([]byte, error) {
	if !q.spoke {
		timeout *= starting
	}
	q.timer.Reset(timeout)
	line, err := q.lines.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		// A line of a kind that is rare.
		long := slices.Clone(line)
		for errors.Is(err, bufio.ErrBufferFull) && len(long) <= maxAnswer {
			line, err = q.lines.ReadSlice('\n')
			long = append(long, line...)
		}
		if line = long; len(line) > maxAnswer+len("\r\n") {
			err = bufio.ErrBufferFull
		}
	}
	switch {
	case err == nil:
		q.spoke = true
		return bytes.TrimSuffix(line[:len(line)-1], []byte{'\r'}), nil
	case errors.Is(err, bufio.ErrBufferFull):
		return nil, fmt.Errorf("a line of more than %d bytes: %s", maxAnswer, quote(line))
	case errors.Is(err, io.EOF):
		err = errEnd
	default:
		err = fmt.Errorf("%w (%v)", errTimeout, timeout)
	}
	if len(line) > 0 {
		err = fmt.Errorf("%w in the middle of %s", err, quote(line))
	}
	return nil, err
}

// Read reads what the program wrote, or times out. While it waits, it lets
// lines be sent: a program need not read any more before its answers are read.
func (q *process) Read(b []byte) (int, error) {
	for len(q.chunk) == 0 {
		out := q.out
		if len(q.unsent) == 0 {
			out = nil
		}
		select {
		case out <- q.unsent:
			q.sent()
		case chunk, ok := <-q.in:
			if !ok {
				return 0, io.EOF
			}
			q.chunk = chunk
		case <-q.timer.C:
			return 0, os.ErrDeadlineExceeded
		}
	}
	n := copy(b, q.chunk)
	q.chunk = q.chunk[n:]
	if len(q.chunk) == 0 {
		q.taken <- struct{}{}
	}
	return n, nil
}

// stdout is a process as exec.Cmd sees it: where the program's output goes.
type stdout process

// ReadFrom is the reading goroutine. Package os/exec runs it, by io.Copy, and
// ends it by closing r when the program has ended and grace is over, whoever
// else may hold the pipe.
func (q *stdout) ReadFrom(r io.Reader) (int64, error) {
	defer close(q.in)
	return io.Copy(struct{ io.Writer }{q}, r)
}

// Write passes bytes on to Read.
func (q *stdout) Write(b []byte) (int, error) {
	select {
	case q.in <- b:
	case <-q.quit:
		return 0, os.ErrClosed
	}
	select {
	case <-q.taken:
	case <-q.quit:
		return 0, os.ErrClosed
	}
	return len(b), nil
}

// closeInput lets the program's input end, after the lines that the writing
// goroutine has.
func (q *process) closeInput() {
	if q.out != nil {
		close(q.out)
		q.out = nil
	}
}

// stop ends the program and all that is in its group.
func (q *process) stop() {
	q.closeInput()
	close(q.quit)
	if !q.ended(0) {
		terminate(q.cmd.Process)
		q.ended(grace)
	}
	kill(q.cmd.Process)
	// The pipes of a killed program may be open for as long as grace. One that
	// outlives even this, the kernel holds: nobody is to wait for it.
	q.ended(4 * grace)
}

// ended waits for the program to end, for some time.
func (q *process) ended(within time.Duration) bool {
	select {
	case <-q.exited:
		return true
	case <-time.After(within):
		return false
	}
}

// fail stops the program for the reason given, and makes that a Fault. How it
// ended belongs to it where the reason is errEnd.
func (q *process) fail(why error) *Fault {
	what := why.Error()
	if errors.Is(why, errEnd) {
		if q.ended(2 * grace) {
			what += ": " + q.cmd.ProcessState.String()
		} else {
			what += ", and it ran on"
		}
	}
	q.stop()
	return &Fault{What: what, Stderr: q.stderr.last()}
}

// Limits of what is kept of a program's stderr, in bytes and lines.
const (
	tailBytes = 4 << 10
	tailLines = 20
)

// A tail keeps the end of what is written to it.
type tail struct {
	mu sync.Mutex
	b  []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(b)
	t.b = append(t.b, b[max(0, n-tailBytes):]...)
	t.b = slices.Delete(t.b, 0, max(0, len(t.b)-tailBytes))
	return n, nil
}

// last returns the last lines.
func (t *tail) last() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.b) == 0 {
		return nil
	}
	text := strings.TrimRight(string(t.b), "\r\n")
	if len(t.b) == tailBytes {
		// The first line may have lost its beginning.
		_, text, _ = strings.Cut(text, "\n")
	}
	lines := strings.Split(text, "\n")
	lines = lines[max(0, len(lines)-tailLines):]
	for i, l := range lines {
		lines[i] = printable(strings.TrimSuffix(l, "\r"))
	}
	return lines
}
