//go:build corpus

// Package corpus keeps github.com/dvyukov/go-fuzz-corpus in go.mod, by an
// import of the smallest package there. The tag corpus is never set, and nobody
// imports this package: so no build, nor anyone who depends on this module,
// downloads the 276 MB, but for those who run TestCorpus.
package corpus

import _ "github.com/dvyukov/go-fuzz-corpus/flate"
