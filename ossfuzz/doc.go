// Command ossfuzz is no program, but what libFuzzer is linked with: the fuzz
// targets of the root package for engines other than Go's, and for ports in C,
// which may be in the same process. archive builds it, FUZZING.md says how it is
// used, and build.sh is how OSS-Fuzz and ClusterFuzzLite do.
//
// An input is what it is for go test -fuzz; see internal/fuzzing.
package main

// main is never called: the engine has its own.
func main() {}
