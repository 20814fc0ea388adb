// Command xcrypto is golang.org/x/crypto/blake2b: its hashes, with t and F by way
// of the exported state, and its XOF. How, is in blake2btest/internal/xcrypto.
package main

import (
	"blake2btest/adapters/go/protocol"
	"blake2btest/internal/xcrypto"
)

func main() {
	protocol.Serve(xcrypto.Port{}, "golang.org/x/crypto")
}
