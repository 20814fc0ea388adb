package fuzzing_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"blake2btest/internal/fuzzing"
)

// BenchmarkEngine is how many cases the fuzz targets of the root package ask in
// a second of the processor's time, of one worker: built as go test -fuzz does,
// with coverage counted, and as go test -c does, without; and the share that
// this is of BenchmarkBatch, which is the work of FuzzBatch alone.
//
//	go test -run='^$' -bench=Engine -benchtime=1x ./internal/fuzzing
func BenchmarkEngine(b *testing.B) {
	dir := b.TempDir()
	build := func(name string, args ...string) string {
		exe := filepath.Join(dir, name+".exe")
		cmd := exec.Command("go", append([]string{"test", "-c", "-o", exe}, args...)...)
		cmd.Dir = "../.."
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Skipf("%q: %v\n%s", cmd.Args, err, out)
		}
		return exe
	}
	loop := build("loop", "./internal/fuzzing")
	builds := map[string]string{"plain": build("plain", "."), "counted": build("counted", "-fuzz=.", ".")}
	// spend returns the time that the processor has for n of what a program does,
	// beyond that for one: the least of several runs, in the first of which much
	// coverage is new to an engine.
	spend := func(exe string, n int, args func(n int) []string) time.Duration {
		once := func(n int) time.Duration {
			cmd := exec.Command(exe, append(args(n), "-test.run=^$", "-test.short")...)
			cmd.Dir = "../.."
			cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
			if out, err := cmd.CombinedOutput(); err != nil {
				b.Fatalf("%q: %v\n%s", cmd.Args, err, out)
			}
			return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		}
		least := time.Duration(1 << 62)
		for range 3 {
			least = min(least, once(n)-once(1))
		}
		return least
	}
	for _, target := range []struct {
		name      string
		cases, of int // cases of one execution; executions
	}{{"FuzzCompress", 1, 40_000}, {"FuzzHash", 1, 20_000}, {"FuzzParams", 1, 20_000}, {"FuzzBatch", fuzzing.BatchCases, 10_000}} {
		for _, kind := range []string{"plain", "counted"} {
			b.Run(fmt.Sprintf("target=%s/build=%s", target.name, kind), func(b *testing.B) {
				cache := b.TempDir()
				for range b.N {
					took := spend(builds[kind], target.of, func(n int) []string {
						return []string{"-test.fuzz=^" + target.name + "$", fmt.Sprintf("-test.fuzztime=%dx", n),
							"-test.fuzzminimizetime=1x", "-test.fuzzcachedir=" + cache, "-test.parallel=1"}
					})
					b.ReportMetric(float64(target.of*target.cases)/took.Seconds(), "cases/s")
					if target.name == "FuzzBatch" {
						alone := spend(loop, target.of, func(n int) []string {
							return []string{"-test.bench=^BenchmarkBatch$", fmt.Sprintf("-test.benchtime=%dx", n)}
						})
						b.ReportMetric(alone.Seconds()/took.Seconds(), "of-the-loop")
					}
				}
			})
		}
	}
}
