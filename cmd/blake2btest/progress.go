package main

import (
	"fmt"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// A progress is a line on the terminal that says what runs, how far it is, and
// for how long it has been at it. Where stderr is no terminal it is nil, and
// does nothing.
type progress struct {
	start time.Time
	quit  chan struct{}
	ended sync.WaitGroup

	mu   sync.Mutex
	what string
}

const eraseLine = "\r\x1b[K"

func startProgress() *progress {
	if !term.IsTerminal(int(os.Stderr.Fd())) {
		return nil
	}
	p := &progress{start: time.Now(), quit: make(chan struct{})}
	p.ended.Go(func() {
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				p.draw()
			case <-p.quit:
				fmt.Fprint(os.Stderr, eraseLine)
				return
			}
		}
	})
	return p
}

// set says what runs now.
func (p *progress) set(format string, args ...any) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.what = fmt.Sprintf(format, args...)
}

func (p *progress) draw() {
	p.mu.Lock()
	line := []rune(fmt.Sprintf("%s, %v", p.what, time.Since(p.start).Round(time.Second)))
	p.mu.Unlock()
	if width, _, err := term.GetSize(int(os.Stderr.Fd())); err == nil && width > 0 && len(line) >= width {
		line = line[:width-1]
	}
	fmt.Fprint(os.Stderr, eraseLine+string(line))
}

// stop erases the line.
func (p *progress) stop() {
	if p == nil {
		return
	}
	close(p.quit)
	p.ended.Wait()
}
