package blake2btest_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"blake2btest"
	"blake2btest/internal/fuzzing"
	"blake2btest/internal/xcrypto"
	"blake2btest/variants"
	"blake2btest/vectors"
)

// makers returns x/crypto and the variants, those apart that take twice as long
// as the others.
func makers() (fast, slow []fuzzing.Maker) {
	for _, v := range variants.All {
		if m := blake2btest.Over(v); v.Name == "small" {
			slow = append(slow, m)
		} else {
			fast = append(fast, m)
		}
	}
	return append(fast, xcrypto.Sound{}), slow
}

// maxGrid is the length in bytes of the longest message in the grid.
const maxGrid = 3 * blake2btest.BlockSize

// The digests of the grid, and of one case in 101, as CPython has them:
//
//	import hashlib
//	for every in 1, 101:
//	    grid, i = hashlib.sha256(), 0
//	    for size in range(1, 65):
//	        for key in range(65):
//	            row = hashlib.sha256()
//	            for n in range(385):
//	                if i % every == 0:
//	                    row.update(hashlib.blake2b(bytes(x % 251 for x in range(n)), digest_size=size, key=bytes(range(1, key + 1))).digest())
//	                i += 1
//	            grid.update(row.digest())
//	    print(grid.hexdigest())
const (
	gridDigest  = "49877ab8ad4233bac995f3cc8c83a8b2f815979cfa06ffa6f3e39316eff015a2"
	gridInShort = "02d1ba248b9c1fd166684f59857089e9bb3580bdc6443f0bb8d975c0adff1515"
)

// TestGrid asks the fast variants and x/crypto for every digest length, key
// length and message length up to three blocks: 1,601,600 cases; in short mode,
// one in 101, and as many of the slow variants. Each is one write to a new hash:
// a reset instead would save a quarter of the time, and be what is tested.
func TestGrid(t *testing.T) {
	every, want := 1, gridDigest
	if testing.Short() {
		every, want = 101, gridInShort
	}
	fast, slow := makers()
	digest, n, err := grid(every, fast, slow)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d cases", n)
	if got := fmt.Sprintf("%x", digest); got != want {
		t.Errorf("digest of the grid is %s, want %s", got, want)
	}
}

// grid asks one case in so many. The error is about the simplest in which the
// makers differ.
func grid(every int, fast, slow []fuzzing.Maker) (digest []byte, n int, err error) {
	const keys = blake2btest.MaxKeySize + 1
	message, key := vectors.Cycle(maxGrid), vectors.Count(1, blake2btest.MaxKeySize)
	all := append(fast[:len(fast):len(fast)], slow...)
	var ports []blake2btest.Port
	for _, m := range all {
		ports = append(ports, m)
	}
	rows := make([][]byte, blake2btest.MaxSize*keys)
	errs := make([]error, len(rows))
	var next, cases atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			outs := make([][]byte, len(all))
			for {
				row := int(next.Add(1)) - 1
				if row >= len(rows) {
					return
				}
				p := blake2btest.Params{Size: 1 + row/keys, Key: key[:row%keys]}
				digests := sha256.New()
				for n := range maxGrid + 1 {
					i := row*(maxGrid+1) + n
					if i%every != 0 {
						continue
					}
					asked := fast
					if i%101 == 0 {
						asked = all
					}
					cases.Add(1)
					for j, m := range asked {
						h, err := m.New(p)
						if err == nil {
							h.Write(message[:n])
							outs[j] = h.Sum(outs[j][:0])
						}
						if err != nil || !bytes.Equal(outs[j], outs[0]) {
							_, errs[row] = fuzzing.Reduce(sum(p, message[:n]), ports...)
							next.Store(int64(len(rows)))
							return
						}
					}
					digests.Write(outs[0])
				}
				rows[row] = digests.Sum(nil)
			}
		})
	}
	workers.Wait()
	d := sha256.Sum256(bytes.Join(rows, nil))
	return d[:], int(cases.Load()), errors.Join(errs...)
}

// TestGridFinds: what is wrong in one place of the grid is found there, and shown
// as simply as can be.
func TestGridFinds(t *testing.T) {
	right := variants.All[0]
	wrong := variants.Variant{Name: "wrong", Compress: func(h *[8]uint64, blocks []byte, t, f [2]uint64) {
		if t[0] == 3*blake2btest.BlockSize && f[0] != 0 && blocks[127] != 0 {
			f[0] = 0
		}
		right.Compress(h, blocks, t, f)
	}}
	_, _, err := grid(101, []fuzzing.Maker{blake2btest.Over(right), blake2btest.Over(wrong)}, nil)
	if err == nil || !strings.Contains(err.Error(), "\n\tcase sum : 01*384\n") {
		t.Errorf("error %v", err)
	}
}
