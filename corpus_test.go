package blake2btest_test

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"blake2btest"
	"blake2btest/internal/fuzzing"
	"blake2btest/internal/require"
	"blake2btest/internal/xcrypto"
	"blake2btest/variants"
)

// corpusModule is the module of the files; internal/corpus has go.mod keep it.
const corpusModule = "github.com/dvyukov/go-fuzz-corpus"

// What the corpus at the version in go.mod holds: so many files, and the digest
// of the paths and the files' BLAKE2b-512, in path order.
const (
	corpusFiles  = 60_861
	corpusDigest = "6a0c10d68aed49e6699713ea16323522016153af40ad754e8587cf4c530da87a"
)

// corpus returns the folder of the files: what BLAKE2BTEST_CORPUS names, else
// the module's in the module cache, if it has been downloaded.
func corpus() (string, error) {
	if dir := os.Getenv("BLAKE2BTEST_CORPUS"); dir != "" {
		return dir, nil
	}
	out, err := exec.Command("go", "list", "-mod=mod", "-m", "-f", "{{.Dir}}", corpusModule).Output()
	if err != nil {
		return "", fmt.Errorf("go list -m %s: %w", corpusModule, err)
	}
	dir := strings.TrimSpace(string(out))
	if dir == "" {
		return "", errors.New("the corpus is not there: run go mod download " + corpusModule)
	}
	return dir, nil
}

// files returns the regular files below dir, as slash paths in byte order.
func files(dir string) (paths []string, err error) {
	err = fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			paths = append(paths, path)
		}
		return err
	})
	slices.Sort(paths)
	return paths, err
}

// TestCorpus hashes each file of the corpus, real data of sixty formats, with
// the variants and x/crypto.
func TestCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 60,861 files")
	}
	dir, err := corpus()
	if err != nil {
		require.Skip(t, "corpus", err.Error())
	}
	paths, err := files(dir)
	if err != nil {
		t.Fatal(err)
	}
	type named struct {
		name string
		hash.Hash
	}
	x, err := xcrypto.Port{}.New(blake2btest.Params{Size: 64})
	if err != nil {
		t.Fatal(err)
	}
	hashes := []named{{"xcrypto", x}}
	for _, v := range variants.All {
		hashes = append(hashes, named{v.Name, newHash(t, v, blake2btest.Params{Size: 64})})
	}
	all := sha256.New()
	size := 0
	for _, path := range paths {
		data, err := os.ReadFile(filepath.Join(dir, path))
		if err != nil {
			t.Fatal(err)
		}
		size += len(data)
		var want []byte
		for i, h := range hashes {
			h.Reset()
			h.Write(data)
			got := h.Sum(nil)
			if i == 0 {
				want = got
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s: %s gives %x, %s %x", path, h.name, got, hashes[0].name, want)
			}
		}
		fmt.Fprintf(all, "%s %x\n", path, want)
	}
	t.Logf("%d files, %d bytes, %d implementations", len(paths), size, len(hashes))
	if len(paths) != corpusFiles {
		t.Errorf("%d files, want %d", len(paths), corpusFiles)
	}
	if got := hex.EncodeToString(all.Sum(nil)); got != corpusDigest {
		t.Errorf("digest over all files is %s, want %s", got, corpusDigest)
	}
}

// corpusSeeds returns 64 files of the corpus as inputs, of lengths spread over
// those that there are: none if the corpus is not there, or in short mode.
func corpusSeeds(f *testing.F) (seeds [][]byte) {
	if testing.Short() {
		return nil
	}
	dir, err := corpus()
	if err != nil {
		return nil
	}
	paths, err := files(dir)
	if err != nil {
		f.Fatal(err)
	}
	type file struct {
		path string
		size int64
	}
	byLength := make(map[int64]file)
	for _, path := range paths {
		info, err := os.Stat(filepath.Join(dir, path))
		if err != nil {
			f.Fatal(err)
		}
		if n := info.Size(); n <= 4096 && byLength[n].path == "" {
			byLength[n] = file{path, n}
		}
	}
	var lengths []file
	for _, l := range byLength {
		lengths = append(lengths, l)
	}
	slices.SortFunc(lengths, func(a, b file) int { return cmp.Compare(a.size, b.size) })
	for i := range 64 {
		data, err := os.ReadFile(filepath.Join(dir, lengths[i*len(lengths)/64].path))
		if err != nil {
			f.Fatal(err)
		}
		input, err := fuzzing.Encode(sum(blake2btest.Params{Size: 64}, data))
		if err != nil {
			f.Fatal(err)
		}
		seeds = append(seeds, input)
	}
	return seeds
}
