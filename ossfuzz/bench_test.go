package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkLibFuzzer is how many executions of FuzzHash libFuzzer has in a second
// of the processor's time, in one process, and Go's engine with one worker, as go
// test -fuzz builds it. They take turns, and of each the fastest run counts.
//
//	go test -run='^$' -bench=LibFuzzer -benchtime=1x ./ossfuzz
func BenchmarkLibFuzzer(b *testing.B) {
	needLibFuzzer(b)
	dir := b.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	must(b, root(b), "ossfuzz/archive", "hash", in("hash.a"))
	fuzzer := link(b, "-fsanitize=fuzzer", in("hash.a"))
	must(b, root(b), "go", "run", "./cmd/blake2btest", "vectors", "-format", "corpus", "-o", in("vectors"))
	corpus(b, "raw", in("vectors/go/FuzzHash"), in("seeds"))
	must(b, root(b), "go", "test", "-c", "-fuzz=FuzzHash", "-o", in("hash.test"), ".")

	// Each run begins with the seeds alone, and costs something before the first
	// execution beyond them: that of few is taken off.
	const n, few = 100_000, 1000
	seeds := count(b, in("seeds"))
	engines := []func(n int) []string{
		func(n int) []string {
			return []string{fuzzer, fmt.Sprintf("-runs=%d", seeds+n), "found", in("seeds")}
		},
		func(n int) []string {
			return []string{in("hash.test"), "-test.run=^$", "-test.short", "-test.fuzz=^FuzzHash$", fmt.Sprintf("-test.fuzztime=%dx", n),
				"-test.fuzzminimizetime=1x", "-test.parallel=1", "-test.fuzzcachedir=found"}
		},
	}
	took := func(args []string) time.Duration {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = b.TempDir()
		if err := os.Mkdir(filepath.Join(cmd.Dir, "found"), 0o777); err != nil {
			b.Fatal(err)
		}
		cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%q: %v\n%s", cmd.Args, err, out)
		}
		return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	for b.Loop() {
		var perSecond [2]float64
		whole, start := [2]time.Duration{1 << 62, 1 << 62}, [2]time.Duration{1 << 62, 1 << 62}
		for range 3 {
			for i, args := range engines {
				start[i] = min(start[i], took(args(few)))
				whole[i] = min(whole[i], took(args(few+n)))
				perSecond[i] = n / (whole[i] - start[i]).Seconds()
			}
		}
		b.ReportMetric(perSecond[0], "execs/s")
		b.ReportMetric(perSecond[1], "execs/s-of-go")
		x := perSecond[0] / perSecond[1]
		b.ReportMetric(x, "x-of-go")
		if x < 2.5 {
			b.Errorf("libFuzzer is %.2f times as fast as go test -fuzz, want 2.5", x)
		}
	}
}
