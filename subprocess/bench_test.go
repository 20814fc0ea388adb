package subprocess_test

import (
	"fmt"
	"testing"

	"blake2btest"
	"blake2btest/subprocess"
)

// BenchmarkAnswer asks for digests of 128 bytes, one at a time and ahead.
func BenchmarkAnswer(b *testing.B) {
	c := blake2btest.Case{Verb: blake2btest.VerbSum}
	c.Size = blake2btest.MaxSize
	c.Steps = []blake2btest.Step{{Op: blake2btest.OpWrite, Data: make([]byte, 128)}}
	for _, window := range []int{1, 64} {
		b.Run(fmt.Sprintf("window=%d", window), func(b *testing.B) {
			p := mustOpen(b, "right", subprocess.Options{Window: window})
			b.ReportAllocs()
			for _, err := range p.Answers(func(yield func(blake2btest.Case) bool) {
				for b.Loop() {
					if !yield(c) {
						return
					}
				}
			}) {
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
		})
	}
}
