// Package require lets a test that lacks a tool or data be skipped here and be
// a failure there: where the environment variable BLAKE2BTEST_REQUIRE, a list
// with commas, has its name. CI lists them all.
//
//	corpus     the files of github.com/dvyukov/go-fuzz-corpus
//	reference  the folder that BLAKE2BTEST_REFERENCE names
//	long       tests of minutes
//	sizes      the go command, and all architectures of variants/SIZE.md
//	ports      all ports that adapters/ports.json lists
//	ccross     the C compilers that variants/c_test.go lists, and QEMU
//	libfuzzer  clang-14 with its runtime for fuzzers, libb2, libsodium and zip
//	chromium   a browser of that kind
//	go, cc, python3, sh, bash, valgrind, qemu-arm, qemu-aarch64
//	           the program of that name
package require

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// Listed says whether BLAKE2BTEST_REQUIRE has the name.
func Listed(name string) bool {
	return slices.Contains(strings.Split(os.Getenv("BLAKE2BTEST_REQUIRE"), ","), name)
}

// Skip ends the test for the reason given: as a failure if the name is listed.
func Skip(t testing.TB, name, reason string) {
	t.Helper()
	if Listed(name) {
		t.Fatalf("%s, and BLAKE2BTEST_REQUIRE has %s", reason, name)
	}
	t.Skipf("%s (to make this a failure, list %s in BLAKE2BTEST_REQUIRE)", reason, name)
}
