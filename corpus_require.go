//go:build corpus

package blake2btest

// This import, of the smallest package there, keeps go-fuzz-corpus in go.mod
// without having every build download its 276 MB: the tag corpus is never set.
import _ "github.com/dvyukov/go-fuzz-corpus/flate"
