module blake2btest

go 1.26.0

// What tests need, and internal/xcrypto.
require (
	github.com/dvyukov/go-fuzz-corpus v0.0.0-20190920191254-c42c1b2914c7
	github.com/google/go-cmp v0.7.0
	github.com/google/jsonschema-go v0.4.3
	golang.org/x/crypto v0.59.0
	golang.org/x/sys v0.50.0
)

// What the command needs, and the scripts that test it.
require (
	github.com/rogpeppe/go-internal v1.16.0
	golang.org/x/term v0.48.0
)

require golang.org/x/tools v0.26.0 // indirect

// What adapters/install puts there may have files of Go in it.
ignore (
	./adapters/build
	node_modules
)
