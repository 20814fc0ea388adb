//go:build libfuzzer

package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"unsafe"

	"blake2btest"
	"blake2btest/internal/fuzzing"
	"blake2btest/internal/model"
	"blake2btest/internal/xcrypto"
	"blake2btest/mutants"
	"blake2btest/variants"
)

// #include <stddef.h>
// #include <stdint.h>
// #include <stdlib.h>
import "C"

// Set by the linker: the name of the class of inputs, and that of a mutant which
// is to be found.
var (
	target = "hash"
	mutant = ""
)

func init() {
	debug.SetGCPercent(1000) // of the little that outlives an input
}

var (
	class = fuzzing.Classes[target]
	ports = judged()
)

// judged returns the ports that have to agree: the C port that is linked in and
// the reference, or else those of the fuzz targets in Go.
func judged() []blake2btest.Port {
	if _, ok := fuzzing.Classes[target]; !ok {
		fail(fmt.Errorf("there is no class %q", target))
	}
	reference := blake2btest.Over(variants.All[0])
	list := []blake2btest.Port{reference}
	if p, ok := linkedPort(); ok {
		list = append(list, p)
	} else {
		for _, v := range variants.All[1:] {
			list = append(list, blake2btest.Over(v))
		}
		list = append(list, xcrypto.Sound{}, model.Port{})
	}
	if mutant == "" {
		return list
	}
	i := slices.IndexFunc(mutants.All, func(m mutants.Mutant) bool { return m.Name == mutant })
	if i < 0 {
		fail(fmt.Errorf("there is no mutant %q", mutant))
	}
	return append(list, mutants.All[i].Port)
}

// LLVMFuzzerTestOneInput is called by the engine with each input. It ends the
// process where ports differ, so that the engine keeps the input.
//
//export LLVMFuzzerTestOneInput
func LLVMFuzzerTestOneInput(data *C.uint8_t, n C.size_t) C.int {
	c := fuzzing.Decode(unsafe.Slice((*byte)(data), n), class)
	if _, err := fuzzing.Reduce(c, ports...); err != nil {
		fail(fmt.Errorf("%w\n\tfrom %s", err, c))
	}
	return 0
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "blake2btest:", err)
	C.abort()
}
