// Package blake2btest tests implementations of BLAKE2b (RFC 7693), in Go and in
// other languages, on any architecture.
//
// What to compute is a [Case], which has a text form of one line; whoever
// computes it is a [Port]. [Over] makes a Port with every parameter of BLAKE2b
// of a compression function, such as those of package variants. Package vectors
// holds the answers.
//
// It is not a library for hashing: use golang.org/x/crypto/blake2b. The truth
// about BLAKE2b is in RFC 7693, in the paper "BLAKE2: simpler, smaller, fast as
// MD5" of 2013 for salt, personalization and trees, and in the paper "BLAKE2X"
// of 2016 for outputs of any length.
package blake2btest
