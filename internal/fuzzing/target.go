package fuzzing

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"testing"

	"blake2btest"
	"blake2btest/vectors"
)

// Fuzz is the body of a fuzz target: the ports agree on every Case of a class.
// Seeds are added to those of the vectors and Seeds.
func Fuzz(f *testing.F, class Class, seeds [][]byte, ports ...blake2btest.Port) {
	for _, s := range append(Seeds(class), seeds...) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		c := Decode(input, class)
		switch simplest, err := Reduce(c, ports...); {
		case err == nil:
		case simplest.String() == c.String():
			t.Error(err)
		default:
			t.Errorf("%v\n\tfrom %s", err, c)
		}
	})
}

// Agree asks ports for the answer to a valid Case, and returns that of the
// first. The error says which of the others that support the Case differ.
func Agree(c blake2btest.Case, ports ...blake2btest.Port) ([]byte, error) {
	want, err := answer(ports[0], c)
	if err != nil {
		return nil, fmt.Errorf("%s refuses a valid case: %w\n\tcase %s", name(ports[0]), err, c)
	}
	for _, p := range ports[1:] {
		got, err := answer(p, c)
		switch {
		case errors.Is(err, errors.ErrUnsupported):
		case err != nil:
			return nil, fmt.Errorf("%s refuses a valid case: %w\n\tcase %s", name(p), err, c)
		case !bytes.Equal(got, want):
			return nil, fmt.Errorf("%s and %s differ\n\tcase %s\n\t%-8s %x\n\t%-8s %x", name(p), name(ports[0]), c, name(p), got, name(ports[0]), want)
		}
	}
	return want, nil
}

// Reduce returns the error of Agree for the simplest Case in which ports differ,
// and that Case, if they differ in c. Faults are left as they are: a program that
// has been given up has one for any Case.
func Reduce(c blake2btest.Case, ports ...blake2btest.Port) (blake2btest.Case, error) {
	_, why := Agree(c, ports...)
	if why == nil || blake2btest.IsFault(why) {
		return c, why
	}
	c = Shrink(c, func(c blake2btest.Case) bool {
		_, err := Agree(c, ports...)
		if err == nil || blake2btest.IsFault(err) {
			return false
		}
		why = err
		return true
	})
	return c, why
}

// answer makes an error of a panic.
func answer(p blake2btest.Port, c blake2btest.Case) (out []byte, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	return p.Answer(c)
}

func name(p blake2btest.Port) string {
	if n, ok := p.(blake2btest.Namer); ok {
		name, _ := n.About()
		return name
	}
	return fmt.Sprintf("%T", p)
}

// Seeds are inputs that a class begins with: every vector that has an answer
// and that the form can hold, and what the vectors leave out.
func Seeds(class Class) [][]byte {
	var seeds [][]byte
	add := func(line string) {
		c, err := blake2btest.ParseCase(line)
		if err != nil {
			return
		}
		if input, err := Encode(c); err == nil && reflect.DeepEqual(Decode(input, class), c) {
			seeds = append(seeds, input)
		}
	}
	for _, v := range vectors.All() {
		if v.Answer != "error" {
			add(v.Case)
		}
	}
	for _, n := range []int{0, 1, 127, 128, 129, 255, 256, 257, 384} {
		for _, k := range []int{0, 1, 64} {
			for _, first := range []int{1, 127, 128, 129} {
				c := blake2btest.Case{Verb: blake2btest.VerbSum, Params: blake2btest.Params{Size: 1 + (n+k)%64, Key: vectors.Count(0, k)}}
				message := vectors.Count(1, n)
				first = min(first, n)
				for _, part := range [][]byte{message[:first], message[first:]} {
					if len(part) > 0 {
						c.Steps = append(c.Steps, blake2btest.Step{Op: blake2btest.OpWrite, Data: part})
					}
				}
				add(c.String())
			}
		}
	}
	for _, steps := range []string{
		"- sum - sum",
		"61*128 sum 62 sum",
		"61*127 clone 62 sum swap 63 sum swap",
		"61*128 reset sum 62*129 reset 63",
		"61*300 new 62 swap 63*128 swap 64",
		"61*129 save 62*128 save",
		"61*1024 62*1024 sum 63",
	} {
		for _, key := range []string{"", " key=", " key=00", " size=1 key=ff00"} {
			add("sum" + key + " : " + steps)
		}
	}
	return seeds
}
