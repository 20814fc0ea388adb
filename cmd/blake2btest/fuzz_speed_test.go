package main

import (
	"bufio"
	"bytes"
	"io"
	"os/exec"
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"blake2btest"
	"blake2btest/internal/fuzzing"
)

// The benchmarks compare with what would be fastest, by turns, and take the least
// time of each: give them a few seconds, and cores that have nothing else to do.
//
//	go test -run='^$' -bench=Fuzz -benchtime=100x ./cmd/blake2btest

// speedCases is how many cases each turn asks.
const speedCases = 5000

// A leastTime is the least of some times.
type leastTime time.Duration

func (l *leastTime) add(d time.Duration) {
	if *l == 0 || leastTime(d) < *l {
		*l = leastTime(d)
	}
}

func (l leastTime) seconds() float64 { return time.Duration(l).Seconds() }

// A fuzzTime is how long one worker takes, and how long for one case.
type fuzzTime struct{ all, one leastTime }

func (t *fuzzTime) add(b *testing.B, opens []func() (blake2btest.Port, error)) {
	for _, run := range []struct {
		n     int
		least *leastTime
	}{{speedCases, &t.all}, {1, &t.one}} {
		f := &fuzzer{opens: opens, workers: 1, most: run.n, out: io.Discard, length: time.Minute, seed: 1}
		if err := f.run(b.Context()); err != nil || f.wrong > 0 {
			b.Fatalf("%v; %s", err, f.summary())
		}
		run.least.add(f.took)
	}
}

// report reports the rate, without the start, and its share of another.
func (t *fuzzTime) report(b *testing.B, fastest leastTime, share string) {
	took := t.all.seconds() - t.one.seconds()
	b.ReportMetric(speedCases/took, "cases/s")
	b.ReportMetric(fastest.seconds()/took, share)
}

// BenchmarkFuzzBuiltIn compares with a loop that draws cases, has a port answer
// them and compares the answers.
func BenchmarkFuzzBuiltIn(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(gcPercent)) // for the loop, too
	list := opens(nil)
	var ports []blake2btest.Port
	for _, open := range list {
		p, err := open()
		if err != nil {
			b.Fatal(err)
		}
		ports = append(ports, p)
	}
	var loop leastTime
	var command fuzzTime
	for b.Loop() {
		start := time.Now()
		source := fuzzing.NewSource(1, 0)
		for i := range speedCases {
			c := source.Next()
			got, err := ports[i/batch%len(ports)].Answer(c)
			want, none := blake2btest.Right(c)
			if none != nil || err == nil && !bytes.Equal(got, want) {
				b.Fatal(c)
			}
		}
		loop.add(time.Since(start))
		command.add(b, list)
	}
	command.report(b, loop, "of-the-loop")
}

// BenchmarkFuzzProgram compares with what a program answers if nobody looks at
// the answers.
func BenchmarkFuzzProgram(b *testing.B) {
	for _, port := range []struct {
		name    string
		command []string
	}{
		{"serve", []string{"blake2btest", "serve", "unrolled"}},
		{"hashlib", []string{"python3", "../../adapters/python/hashlib_port.py"}},
	} {
		b.Run("port="+port.name, func(b *testing.B) {
			if _, err := exec.LookPath(port.command[0]); err != nil {
				b.Skip(err)
			}
			list := opens(port.command)
			p, err := list[0]()
			if err != nil {
				b.Fatal(err)
			}
			profile, err := blake2btest.Probe(p)
			p.(io.Closer).Close()
			if err != nil {
				b.Fatal(err)
			}
			var lines [][]byte
			for source := fuzzing.NewSource(1, 0); len(lines) < speedCases; {
				if c := source.Next(); profile.Lacks(c) == "" {
					lines = append(lines, []byte(c.String()+"\n"))
				}
			}
			var own leastTime
			var command fuzzTime
			for b.Loop() {
				own.add(ownTime(b, port.command, lines))
				command.add(b, list)
			}
			command.report(b, own, "of-its-own")
		})
	}
}

// ownTime is how long a program takes to answer lines, after the first, with 64
// of them in flight.
func ownTime(b *testing.B, command []string, lines [][]byte) time.Duration {
	cmd := exec.Command(command[0], command[1:]...)
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	answers := bufio.NewScanner(out)
	answers.Buffer(nil, 1<<20)
	ask := func(lines [][]byte) {
		if _, err := in.Write(bytes.Join(lines, nil)); err != nil {
			b.Fatal(err)
		}
	}
	answered := func(n int) {
		for range n {
			if !answers.Scan() {
				b.Fatal(answers.Err())
			}
		}
	}
	ask(lines[:1])
	answered(1)
	start := time.Now()
	waiting := 0
	for half := range slices.Chunk(lines, 32) {
		ask(half)
		answered(waiting)
		waiting = len(half)
	}
	answered(waiting)
	took := time.Since(start)
	in.Close()
	cmd.Wait()
	return took
}
