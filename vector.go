package blake2btest

import (
	"encoding/hex"
	"fmt"
	"iter"

	"blake2btest/variants"
	"blake2btest/vectors"
)

// Sequence returns the cases of the accumulated vector with the given name
// ([vectors.Accumulated]), in order, or nil if there is none. Its Loop is the
// same in pseudocode; the random ones never end.
func Sequence(name string) iter.Seq[Case] {
	switch name {
	case "rfc7693":
		return rfc7693
	case "linux-lengths":
		return linuxLengths
	case "linux-keys":
		return keySizes(vectors.Linear(100), vectors.Linear)
	case "random":
		return func(yield func(Case) bool) { random(yield, false) }
	case "random-parameters":
		return func(yield func(Case) bool) { random(yield, true) }
	}
	for _, n := range []int{0, 1, 127, 128, 129} {
		if name == fmt.Sprintf("keys-%d", n) {
			return keySizes(vectors.Count(0, n), func(k int) []byte { return vectors.Count(128, k) })
		}
	}
	return nil
}

func sumOf(p Params, message ...[]byte) Case {
	c := Case{Verb: VerbSum, Params: p}
	for _, m := range message {
		if len(m) == 0 {
			m = nil
		}
		c.Steps = append(c.Steps, Step{Op: OpWrite, Data: m})
	}
	return c
}

func rfc7693(yield func(Case) bool) {
	for _, size := range []int{20, 32, 48, 64} {
		for _, n := range []int{0, 3, 128, 129, 255, 1024} {
			message := vectors.Fibonacci(n)
			if !yield(sumOf(Params{Size: size}, message)) ||
				!yield(sumOf(Params{Size: size, Key: vectors.Fibonacci(size)}, message)) {
				return
			}
		}
	}
}

func linuxLengths(yield func(Case) bool) {
	data := vectors.Linear(4096)
	for n := range len(data) + 1 {
		if !yield(sumOf(Params{Size: MaxSize}, data[:n])) {
			return
		}
	}
}

// keySizes is every key length with every digest length, on one message.
func keySizes(message []byte, key func(n int) []byte) iter.Seq[Case] {
	return func(yield func(Case) bool) {
		for k := range MaxKeySize + 1 {
			p := Params{}
			if k > 0 {
				p.Key = key(k)
			}
			for p.Size = 1; p.Size <= MaxSize; p.Size++ {
				if !yield(sumOf(p, message)) {
					return
				}
			}
		}
	}
}

// random is the loop of vectors/random.json. What it draws, and in which order,
// is part of the vectors.
func random(yield func(Case) bool, parameters bool) {
	x := uint32(2463534242) // Marsaglia's xorshift32, and his seed
	draw := func(n int) int {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		return int(x % uint32(n))
	}
	pool := make([]byte, 4096)
	for i := range pool {
		pool[i] = byte(draw(256))
	}
	slice := func(n int) []byte {
		from := draw(len(pool) - n)
		return pool[from : from+n]
	}
	// often gives no bytes half of the time, and any number up to max otherwise.
	often := func(max int) []byte {
		if n := draw(2) * draw(max+1); n > 0 {
			return slice(n)
		}
		return nil
	}
	for {
		var p Params
		p.Size = 1 + draw(MaxSize)
		p.Key = often(MaxKeySize)
		if parameters {
			p.Salt = often(MaxSaltSize)
			p.Person = often(MaxPersonSize)
			if draw(2) == 1 {
				p.Tree = &Tree{
					Fanout:     uint8(draw(256)),
					MaxDepth:   uint8(1 + draw(255)),
					LeafSize:   uint32(draw(1 << 30)),
					NodeOffset: uint64(draw(1<<30))<<32 | uint64(draw(1<<30)),
					NodeDepth:  uint8(draw(256)),
					InnerSize:  uint8(draw(65)),
					LastNode:   draw(2) == 1,
				}
			}
		}
		n := draw(1025)
		if draw(2) == 1 {
			n = n / BlockSize * BlockSize // whole blocks
		}
		message := slice(n)
		cut := draw(n + 1)
		if !yield(sumOf(p, message[:cut], message[cut:])) {
			return
		}
	}
}

// Accumulate has p answer the cases of a sequence and returns the outer digest,
// of size bytes, after each of the given numbers of cases, in ascending order.
// It stops at the last number, or at the first error.
func Accumulate(p Port, cases iter.Seq[Case], size int, at []int) ([]vectors.Checkpoint, error) {
	outer, err := Over(variants.Default()).New(Params{Size: size})
	if err != nil {
		return nil, err
	}
	var points []vectors.Checkpoint
	n := 0
	for c := range cases {
		if len(points) == len(at) {
			break
		}
		digest, err := p.Answer(c)
		if err != nil {
			return points, fmt.Errorf("%s: %w", c, err)
		}
		outer.Write(digest)
		if n++; n == at[len(points)] {
			points = append(points, vectors.Checkpoint{Cases: n, Digest: hex.EncodeToString(outer.Sum(nil))})
		}
	}
	return points, nil
}
