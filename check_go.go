package blake2btest

import (
	"bytes"
	"encoding"
	"errors"
	"fmt"
	"hash"
	"io"
	"math/bits"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"

	"blake2btest/vectors"
)

// goChecks are about what a Go hash promises beyond its digests. They are for
// ports that are a MakeHash, or have one as their method New.
var goChecks = []*Check{
	{
		Name:   "go/sizes",
		Must:   "Size is the number of bytes Sum will return, and BlockSize is that of the hash, 128",
		Source: goHash,
		inspect: conduct(func(x *run, mh MakeHash) error {
			for n := 1; n <= MaxSize; n++ {
				if !x.unkeyed.sizes[n] {
					continue
				}
				h, err := mh(Params{Size: n})
				if err != nil {
					return err
				}
				if h.Size() != n || h.BlockSize() != BlockSize {
					return fmt.Errorf("Size, BlockSize of a hash with digests of %d bytes = %d, %d; want %d, %d", n, h.Size(), h.BlockSize(), n, BlockSize)
				}
				if got := len(h.Sum(nil)); got != n {
					return fmt.Errorf("Sum of a hash with digests of %d bytes returns %d", n, got)
				}
			}
			return nil
		}),
	},
	{
		// 4 GiB of zeros, of which the system keeps one page.
		Name:   "go/one-write",
		Must:   "a single write may have more bytes than 32 bits count",
		Source: goHash,
		Level:  Long,
		inspect: conduct(func(x *run, mh MakeHash) error {
			if bits.UintSize < 64 {
				return unsupported("a slice of 4 GiB")
			}
			for _, n := range []uint64{1<<31 + 1, 1<<32 + 1, 1<<32 + 300} {
				h, err := mh(Params{Size: x.size})
				if err != nil {
					return err
				}
				h.Write([]byte{1})
				h.Write(make([]byte, n))
				c := sumOf(Params{Size: x.size}, []byte{1}, []byte{0})
				c.Steps[1].Count = n
				if got, want := h.Sum(nil), x.want(question{Case: c}); !bytes.Equal(got, want) {
					return fmt.Errorf("the digest of a write of %d bytes = %x; want %x", n, got, want)
				}
			}
			return nil
		}),
	},
	{
		Name:   "go/sum-appends",
		Must:   "Sum appends the digest to b and returns the resulting slice",
		Source: goHash,
		inspect: onHashes(func(h hash.Hash, want []byte, message []byte) error {
			h.Write(message)
			for _, prefix := range [][]byte{nil, {}, {1}, vectors.Count(1, 100)} {
				for _, spare := range []int{0, 10, 200} {
					b := append(make([]byte, 0, len(prefix)+spare), prefix...)
					if got := h.Sum(b); !bytes.Equal(got, append(bytes.Clone(prefix), want...)) {
						return fmt.Errorf("Sum of %d bytes with a capacity of %d = %x; want %x", len(b), cap(b), got, append(bytes.Clone(prefix), want...))
					}
					if !bytes.Equal(b, prefix) {
						return fmt.Errorf("Sum changed the %d bytes that it was to append to", len(b))
					}
				}
			}
			return nil
		}),
	},
	{
		Name:   "go/sum-capacity",
		Must:   "Sum touches no bytes beyond the digest",
		Source: goHash + ": Sum appends",
		inspect: onHashes(func(h hash.Hash, want []byte, message []byte) error {
			h.Write(message)
			guard := bytes.Repeat([]byte{0xa5}, 300)
			for _, room := range []int{0, len(want) - 1, len(want), len(want) + 1, 200} {
				b := bytes.Clone(guard)
				h.Sum(b[: 50 : 50+room])
				touched := 50
				if room >= len(want) {
					touched += len(want)
				}
				if !bytes.Equal(b[:50], guard[:50]) || !bytes.Equal(b[touched:], guard[touched:]) {
					return fmt.Errorf("Sum with room for %d bytes changed bytes beyond the digest's %d", room, len(want))
				}
			}
			return nil
		}),
	},
	{
		Name:   "go/write-returns",
		Must:   "Write returns the number of bytes, and never an error",
		Source: "hash.Hash; io.Writer",
		inspect: conduct(func(x *run, mh MakeHash) error {
			for _, p := range x.goParams() {
				h, err := mh(p)
				if err != nil {
					return err
				}
				for _, n := range []int{0, 1, 127, 128, 129, 5, 300, 0, 65536} {
					if got, err := h.Write(make([]byte, n)); got != n || err != nil {
						return fmt.Errorf("Write of %d bytes = %d, %v; want %d, nil", n, got, err, n)
					}
				}
				if got, err := h.Write(nil); got != 0 || err != nil {
					return fmt.Errorf("Write(nil) = %d, %v; want 0, nil", got, err)
				}
			}
			return nil
		}),
	},
	{
		Name:   "go/input-unmodified",
		Must:   "Write does not modify its input, not even temporarily",
		Source: "io.Writer",
		inspect: onHashes(func(h hash.Hash, want []byte, message []byte) error {
			b := bytes.Clone(message)
			h.Write(b)
			h.Sum(nil)
			if !bytes.Equal(b, message) {
				return fmt.Errorf("Write of %d bytes changed them", len(b))
			}
			return nil
		}),
	},
	{
		Name:   "go/input-not-kept",
		Must:   "Write does not retain its input",
		Source: "io.Writer",
		inspect: onHashes(func(h hash.Hash, want []byte, message []byte) error {
			b := bytes.Clone(message)
			for part := range slices.Chunk(b, 100) {
				h.Write(part)
				for i := range part {
					part[i] = 0xee
				}
			}
			if got := h.Sum(nil); !bytes.Equal(got, want) {
				return fmt.Errorf("the digest of %d bytes that are overwritten after their Write = %x; want %x", len(b), got, want)
			}
			return nil
		}),
	},
	{
		Name:   "go/parameters-not-kept",
		Must:   "the key, the salt and the personalization are copied: the caller may overwrite them",
		Source: "io.Writer, by analogy",
		inspect: conduct(func(x *run, mh MakeHash) error {
			for _, p := range x.goParams() {
				want := x.want(question{Case: sumOf(p, []byte("abc"))})
				q := Params{Size: p.Size, Key: bytes.Clone(p.Key), Salt: bytes.Clone(p.Salt), Person: bytes.Clone(p.Person)}
				h, err := mh(q)
				if err != nil {
					return err
				}
				for _, b := range [][]byte{q.Key, q.Salt, q.Person} {
					for i := range b {
						b[i] = 0xee
					}
				}
				for range 2 {
					h.Write([]byte("abc"))
					if got := h.Sum(nil); !bytes.Equal(got, want) {
						return fmt.Errorf("the digest after its parameters were overwritten = %x; want %x", got, want)
					}
					h.Reset()
				}
			}
			return nil
		}),
	},
	{
		Name:   "go/overlap",
		Must:   "the digest may overwrite its own message",
		Source: "io.Writer: Write does not retain its input",
		inspect: onHashes(func(h hash.Hash, want []byte, message []byte) error {
			b := append(bytes.Clone(message), make([]byte, MaxSize)...)
			for _, at := range []int{0, 1, len(message)} {
				h.Reset()
				copy(b, message)
				h.Write(b[:len(message)])
				if got := h.Sum(b[:at])[at:]; !bytes.Equal(got, want) {
					return fmt.Errorf("the digest of %d bytes, put over them from byte %d on = %x; want %x", len(message), at, got, want)
				}
				if got := h.Sum(nil); !bytes.Equal(got, want) {
					return fmt.Errorf("the digest after the message was overwritten = %x; want %x", got, want)
				}
			}
			return nil
		}),
	},
	{
		Name:   "go/unaligned",
		Must:   "the message may begin at any address",
		Source: "the Go specification: a slice of bytes has no alignment",
		inspect: onHashes(func(h hash.Hash, want []byte, message []byte) error {
			for offset := range 17 {
				b := append(make([]byte, offset, offset+len(message)), message...)
				h.Reset()
				h.Write(b[offset:])
				if got := h.Sum(nil); !bytes.Equal(got, want) {
					return fmt.Errorf("the digest of %d bytes at offset %d = %x; want %x", len(message), offset, got, want)
				}
			}
			return nil
		}),
	},
	{
		Name:   "go/goroutines",
		Must:   "hashes in different goroutines share nothing",
		Source: "the Go memory model",
		inspect: conduct(func(x *run, mh MakeHash) error {
			const workers, times = 8, 50
			wrong := make(chan error, workers)
			var wg sync.WaitGroup
			for w := range workers {
				p := x.goParams()[w%len(x.goParams())]
				message := vectors.Cycle(100 * w)
				want := x.want(question{Case: sumOf(p, message)})
				wg.Go(func() {
					defer func() {
						if r := recover(); r != nil {
							wrong <- fmt.Errorf("panic: %v", r)
						}
					}()
					for range times {
						h, err := mh(p)
						if err != nil {
							wrong <- err
							return
						}
						for part := range slices.Chunk(message, 37) {
							h.Write(part)
						}
						if got := h.Sum(nil); !bytes.Equal(got, want) {
							wrong <- fmt.Errorf("a digest beside %d other goroutines = %x; want %x", workers-1, got, want)
							return
						}
					}
				})
			}
			wg.Wait()
			close(wrong)
			return <-wrong
		}),
	},
	{
		Name:   "go/reset-forgets",
		Must:   "no part of the message stays in the state after Reset",
		Source: goHash + ": Reset resets the Hash to its initial state",
		inspect: conduct(func(x *run, mh MakeHash) error {
			for _, n := range []int{8, 100, 128, 200, 300} {
				h, err := mh(Params{Size: x.size})
				if err != nil {
					return err
				}
				secret := vectors.Count(77, n)
				h.Write(secret)
				h.Sum(nil)
				h.Reset()
				state, err := exportState(h)
				if err != nil {
					return err
				}
				for i := 0; i+8 <= len(secret); i++ {
					if bytes.Contains(state, secret[i:i+8]) {
						return fmt.Errorf("after %d bytes and a Reset the exported state has bytes %d to %d of them", n, i, i+7)
					}
				}
			}
			return nil
		}),
	},
	{
		Name:   "go/export",
		Must:   "an export changes nothing, is the same each time, and AppendBinary appends it",
		Source: "encoding.BinaryMarshaler, encoding.BinaryAppender",
		inspect: conduct(func(x *run, mh MakeHash) error {
			h, err := mh(Params{Size: x.size})
			if err != nil {
				return err
			}
			h.Write(vectors.Cycle(200))
			state, err := exportState(h)
			if err != nil {
				return err
			}
			again, err := exportState(h)
			if err != nil || !bytes.Equal(state, again) {
				return fmt.Errorf("a second export is %x, %v; want %x", again, err, state)
			}
			if a, ok := h.(encoding.BinaryAppender); ok {
				if got, err := a.AppendBinary([]byte("prefix")); err != nil || !bytes.Equal(got, append([]byte("prefix"), state...)) {
					return fmt.Errorf("AppendBinary(prefix) = %x, %v; want the prefix and %x", got, err, state)
				}
			}
			if got, want := h.Sum(nil), x.want(x.sum(vectors.Cycle(200))); !bytes.Equal(got, want) {
				return fmt.Errorf("the digest after an export = %x; want %x", got, want)
			}
			return nil
		}),
	},
	{
		Name:   "go/malformed-states",
		Must:   "a malformed state is refused: none makes a later call panic",
		Source: "encoding.BinaryUnmarshaler",
		inspect: conduct(func(x *run, mh MakeHash) error {
			h, err := mh(Params{Size: x.size})
			if err != nil {
				return err
			}
			h.Write(vectors.Cycle(150))
			state, err := exportState(h)
			if err != nil {
				return err
			}
			if _, ok := h.(encoding.BinaryUnmarshaler); !ok {
				return unsupported("import of a state")
			}
			for n := range state {
				if h.(encoding.BinaryUnmarshaler).UnmarshalBinary(state[:n]) == nil {
					return fmt.Errorf("%d bytes of a state of %d are imported", n, len(state))
				}
			}
			if h.(encoding.BinaryUnmarshaler).UnmarshalBinary(append(bytes.Clone(state), 0)) == nil {
				return errors.New("a state with a byte more is imported")
			}
			values := []byte{0, 129, 255}
			if x.Level > Quick {
				values = append(values, 1, 65, 127, 128, 200)
			}
			for i := range state {
				for _, v := range values {
					b := bytes.Clone(state)
					b[i] = v
					h, err := mh(Params{Size: x.size})
					if err != nil {
						return err
					}
					if r := use(h, b); r != nil {
						return fmt.Errorf("a state whose byte %d is %d is imported, and then: panic: %v", i, v, r)
					}
				}
			}
			return nil
		}),
	},
	{
		Name:   "go/clone",
		Must:   "Clone returns a hash of the same kind, and no error",
		Source: "hash.Cloner",
		inspect: conduct(func(x *run, mh MakeHash) error {
			for _, p := range x.goParams() {
				h, err := mh(p)
				if err != nil {
					return err
				}
				c, ok := h.(hash.Cloner)
				if !ok {
					return unsupported("clone")
				}
				d, err := c.Clone()
				if err != nil {
					return err
				}
				if d.Size() != h.Size() || d.BlockSize() != h.BlockSize() {
					return fmt.Errorf("Size, BlockSize of a clone = %d, %d; want %d, %d", d.Size(), d.BlockSize(), h.Size(), h.BlockSize())
				}
			}
			return nil
		}),
	},
	{
		// The mutants have no NewXOF: it is for those who write one.
		Name:   "go/xof",
		Must:   "a XOF is read in parts of any length to io.EOF, panics at a Write after a Read, and starts anew after Reset",
		Source: "hash.XOF",
		inspect: func(x *run) {
			p, ok := x.Port.(interface {
				NewXOF(size uint32, key []byte) (hash.XOF, error)
			})
			if !ok {
				x.result.Reason = "there is no method NewXOF"
				return
			}
			x.conduct(func() error {
				o, err := p.NewXOF(200, []byte("key"))
				if err != nil {
					return err
				}
				return xofConduct(o, x.want(question{Case: Case{Verb: VerbXOF, Params: Params{Size: 200, Key: []byte("key")}, Steps: []Step{wr([]byte("abc"))}}}))
			})
		},
	},
	{
		Name:   "go/allocations",
		Must:   "how often Write and Sum allocate is told, and fails nothing",
		Source: "behaviour",
		inspect: conduct(func(x *run, mh MakeHash) error {
			h, err := mh(Params{Size: x.size})
			if err != nil {
				return err
			}
			const times = 100
			p, b := make([]byte, 1000), make([]byte, 0, MaxSize)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for range times {
				h.Write(p)
				b = h.Sum(b[:0])
			}
			runtime.ReadMemStats(&after)
			// In whole numbers, since other goroutines allocate, too.
			x.result.Behaviour = append(x.result.Behaviour, fmt.Sprintf("Write and Sum make %d allocations", (after.Mallocs-before.Mallocs)/times))
			return nil
		}),
	},
}

// goParams are parameters of the kinds that the port offers.
func (x *run) goParams() []Params {
	list := []Params{{Size: x.size}}
	if n := slices.Index(x.unkeyed.sizes[:], true); n > 0 && n < x.size {
		list = append(list, Params{Size: n})
	}
	for _, p := range []Params{{Key: vectors.Count(1, 32)}, {Salt: vectors.Count(1, 16)}, {Person: vectors.Count(1, 16)}} {
		p.Size = x.size
		if x.Lacks(sumOf(p, nil)) == "" {
			list = append(list, p)
		}
	}
	return list
}

// conduct is the inspect of a check on the port's MakeHash. An error that wraps
// ErrUnsupported says that the port cannot be looked at.
func conduct(f func(x *run, mh MakeHash) error) func(x *run) {
	return func(x *run) {
		var mh MakeHash
		switch p := x.Port.(type) {
		case MakeHash:
			mh = p
		case interface {
			New(p Params) (hash.Hash, error)
		}:
			mh = p.New
		}
		if mh == nil || !x.core {
			x.result.Reason = "not a Go hash"
			return
		}
		x.conduct(func() error { return f(x, mh) })
	}
}

// conduct takes what f returns as the check's result.
func (x *run) conduct(f func() error) {
	err := func() (err error) {
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
			}
		}()
		return f()
	}()
	switch {
	case err == nil:
		x.result.Tested++
	case errors.Is(err, errors.ErrUnsupported):
		x.result.Untested++
		x.result.Reason = err.Error()
	default:
		x.result.Tested++
		x.result.Outcome, x.result.Wrong = Fail, err.Error()
	}
}

// onHashes is conduct on a new hash of each of goParams and for messages at each
// of places, with the digest that is right.
func onHashes(f func(h hash.Hash, want, message []byte) error) func(x *run) {
	return conduct(func(x *run, mh MakeHash) error {
		for _, p := range x.goParams() {
			for _, n := range places {
				h, err := mh(p)
				if err != nil {
					return err
				}
				message := vectors.Cycle(n)
				if err := f(h, x.want(question{Case: sumOf(p, message)}), message); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func exportState(h hash.Hash) ([]byte, error) {
	m, ok := h.(encoding.BinaryMarshaler)
	if !ok {
		return nil, unsupported("export of a state")
	}
	return m.MarshalBinary()
}

// use imports a state and, if that works, uses the hash. It returns what a call
// panicked with.
func use(h hash.Hash, state []byte) (r any) {
	defer func() { r = recover() }()
	if h.(encoding.BinaryUnmarshaler).UnmarshalBinary(state) == nil {
		h.Sum(nil)
		h.Write(make([]byte, 300))
		h.Sum(nil)
		h.Reset()
		h.Write(make([]byte, 1))
		h.Sum(nil)
	}
	return nil
}

func xofConduct(o hash.XOF, want []byte) error {
	for _, step := range []int{1, 63, 64, 65, 200, 500} {
		o.Reset()
		o.Write([]byte("abc"))
		var got []byte
		for {
			b := make([]byte, step)
			n, err := o.Read(b)
			got = append(got, b[:n]...)
			if err == io.EOF || err == nil && n == 0 {
				break
			}
			if err != nil {
				return err
			}
		}
		if !bytes.Equal(got, want) {
			return fmt.Errorf("output read %d bytes at a time = %x; want %x", step, got, want)
		}
	}
	if func() (r any) {
		defer func() { r = recover() }()
		o.Write([]byte{1})
		return nil
	}() == nil {
		return errors.New("Write after Read does not panic")
	}
	return nil
}
