package blake2btest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"math"
	"math/bits"
	"runtime/debug"

	"blake2btest/variants"
)

// iv is the initialization vector (RFC 7693, section 2.6).
var iv = [8]uint64{
	0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
	0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
}

// BLAKE2b is BLAKE2b with every parameter, and BLAKE2Xb, over a variant of the
// compression function. It is a Port for every verb.
type BLAKE2b struct {
	v variants.Variant
}

// Over returns BLAKE2b over v.
func Over(v variants.Variant) *BLAKE2b {
	return &BLAKE2b{v}
}

// About returns the variant's name and this module's version.
func (b *BLAKE2b) About() (name, version string) {
	version = "unknown"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		version = info.Main.Version
	}
	return b.v.Name, version
}

// Answer answers a Case of any verb but about, which is for [AnswerLine].
func (b *BLAKE2b) Answer(c Case) ([]byte, error) {
	if c.Verb == VerbSum {
		return MakeHash(b.New).Answer(c)
	}
	if err := c.Validate(); err != nil {
		return nil, err
	}
	switch c.Verb {
	case VerbCompress:
		return b.answerCompress(c)
	case VerbXOF:
		return b.answerXOF(c)
	}
	return nil, unsupported("verb %q", c.Verb)
}

// compressSize is the length in bytes of F's input in EIP-152.
const compressSize = 4 + 64 + 128 + 16 + 1

func (b *BLAKE2b) answerCompress(c Case) ([]byte, error) {
	if n := c.Steps[0].Len(); n != compressSize {
		return nil, fmt.Errorf("compress input length %d is not %d", n, compressSize)
	}
	in := c.Steps[0].repeat(max(c.Steps[0].Count, 1))
	final := in[compressSize-1]
	if final > 1 {
		return nil, fmt.Errorf("final flag %d is above 1", final)
	}
	rounds := binary.BigEndian.Uint32(in)
	if rounds > maxRounds {
		return nil, unsupported("%d rounds, above %d", rounds, maxRounds)
	}
	var h [8]uint64
	for i := range h {
		h[i] = binary.LittleEndian.Uint64(in[4+8*i:])
	}
	block := in[68:][:BlockSize]
	t := [2]uint64{binary.LittleEndian.Uint64(in[196:]), binary.LittleEndian.Uint64(in[204:])}
	f := flags(final == 1, c.Last)
	switch {
	case b.v.Rounds != nil:
		b.v.Rounds(rounds, &h, block, t, f)
	case rounds == 12:
		b.v.Compress(&h, block, t, f)
	default:
		return nil, unsupported("%d rounds", rounds)
	}
	return appendWords(nil, &h), nil
}

// flags are f[0] and f[1], all ones where set.
func flags(final, last bool) (f [2]uint64) {
	if final {
		f[0] = math.MaxUint64
	}
	if last {
		f[1] = math.MaxUint64
	}
	return f
}

func appendWords(b []byte, h *[8]uint64) []byte {
	for _, w := range h {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return b
}

// digest is the state of one BLAKE2b (RFC 7693, section 3.3).
type digest struct {
	compress variants.Compressor
	params   [64]byte // the parameter block
	last     bool     // the node is its layer's last
	key      [MaxKeySize]byte

	h   [8]uint64
	t   [2]uint64       // bytes compressed, low word first
	buf [BlockSize]byte // a block is held back until more bytes follow:
	n   int             // the last one is compressed with a flag

	// scratch is where Sum finalizes a copy of the state: what goes to
	// compress, a function value, would have to be allocated anew otherwise.
	scratch struct {
		h   [8]uint64
		buf [BlockSize]byte
	}
}

// New returns a hash with the parameters p. It is a MakeHash. The hash is also
// a [hash.Cloner], an [encoding.BinaryMarshaler], BinaryAppender and
// BinaryUnmarshaler, and a [CounterSetter]; its Write and Sum do not allocate.
// The exported state of a keyed hash contains the key. The error is that of
// [Params.Block].
func (b *BLAKE2b) New(p Params) (hash.Hash, error) {
	d, err := b.newDigest(p)
	if err != nil {
		return nil, err
	}
	return d, nil
}

func (b *BLAKE2b) newDigest(p Params) (*digest, error) {
	block, err := p.Block()
	if err != nil {
		return nil, err
	}
	d := &digest{compress: b.v.Compress, params: block, last: p.Tree != nil && p.Tree.LastNode}
	copy(d.key[:], p.Key)
	d.Reset()
	return d, nil
}

func (d *digest) Size() int      { return int(d.params[0]) }
func (d *digest) BlockSize() int { return BlockSize }
func (d *digest) keyed() bool    { return d.params[1] > 0 }

func (d *digest) Reset() {
	for i := range d.h {
		d.h[i] = iv[i] ^ binary.LittleEndian.Uint64(d.params[8*i:])
	}
	d.t = [2]uint64{}
	d.buf = [BlockSize]byte{}
	d.n = 0
	clear(d.scratch.h[:])
	clear(d.scratch.buf[:])
	if d.keyed() {
		// The key, padded with zeros, is the first block.
		d.n = BlockSize
		copy(d.buf[:], d.key[:])
	}
}

func (d *digest) Write(p []byte) (int, error) {
	n := len(p)
	if d.n > 0 { // with none buffered, whole blocks need no copy
		k := copy(d.buf[d.n:], p)
		d.n += k
		p = p[k:]
		if len(p) == 0 {
			return n, nil
		}
		d.blocks(d.buf[:])
		d.n = 0
	}
	if len(p) > BlockSize {
		whole := (len(p) - 1) / BlockSize * BlockSize
		d.blocks(p[:whole])
		p = p[whole:]
	}
	d.n = copy(d.buf[:], p)
	return n, nil
}

// blocks compresses blocks, none of them the last.
func (d *digest) blocks(b []byte) {
	d.compress(&d.h, b, add(d.t, BlockSize), [2]uint64{})
	d.t = add(d.t, uint64(len(b)))
}

// add returns t + n, modulo 2^128.
func add(t [2]uint64, n uint64) [2]uint64 {
	lo, carry := bits.Add64(t[0], n, 0)
	return [2]uint64{lo, t[1] + carry}
}

func (d *digest) Sum(in []byte) []byte {
	s := &d.scratch
	s.h = d.h
	clear(s.buf[copy(s.buf[:], d.buf[:d.n]):])
	d.compress(&s.h, s.buf[:], add(d.t, uint64(d.n)), flags(true, d.last))
	var out [MaxSize]byte
	appendWords(out[:0], &s.h)
	return append(in, out[:d.Size()]...)
}

// Clone returns an independent copy. The error is nil.
func (d *digest) Clone() (hash.Cloner, error) {
	c := *d
	return &c, nil
}

// SetCounter makes d, to which nothing has been written, start as if t bytes
// had been, t a multiple of 128.
func (d *digest) SetCounter(t [2]uint64) error {
	switch {
	case d.keyed():
		return errors.New("a counter to start from takes no key")
	case d.n > 0 || d.t != [2]uint64{}:
		return errors.New("a counter to start from was set after a write")
	case t[0]%BlockSize != 0:
		return fmt.Errorf("counter %d is not a multiple of %d", t[0], BlockSize)
	}
	d.t = t
	return nil
}

// The exported state: magic, parameter block, last node (1 byte), key, h, t
// (little-endian words), n (1 byte), buf. What is not in use is zero.
const (
	stateMagic = "blake2b\x01"
	stateSize  = len(stateMagic) + 64 + 1 + MaxKeySize + 64 + 16 + 1 + BlockSize
)

func (d *digest) MarshalBinary() ([]byte, error) {
	return d.AppendBinary(make([]byte, 0, stateSize))
}

func (d *digest) AppendBinary(b []byte) ([]byte, error) {
	b = append(b, stateMagic...)
	b = append(b, d.params[:]...)
	if d.last {
		b = append(b, 1)
	} else {
		b = append(b, 0)
	}
	b = append(b, d.key[:]...)
	b = appendWords(b, &d.h)
	b = binary.LittleEndian.AppendUint64(b, d.t[0])
	b = binary.LittleEndian.AppendUint64(b, d.t[1])
	b = append(b, byte(d.n))
	b = append(b, d.buf[:d.n]...)
	return append(b, make([]byte, BlockSize-d.n)...), nil
}

// UnmarshalBinary replaces state and parameters by those in b. On an error it
// leaves both as they were.
func (d *digest) UnmarshalBinary(b []byte) error {
	if len(b) != stateSize {
		return fmt.Errorf("state of %d bytes is not %d", len(b), stateSize)
	}
	if !bytes.HasPrefix(b, []byte(stateMagic)) {
		return fmt.Errorf("state begins with %q, not %q", b[:len(stateMagic)], stateMagic)
	}
	next := func(n int) []byte {
		p := b[:n]
		b = b[n:]
		return p
	}
	next(len(stateMagic))
	s := digest{compress: d.compress}
	copy(s.params[:], next(64))
	last := next(1)[0]
	s.last = last == 1
	copy(s.key[:], next(MaxKeySize))
	for i := range s.h {
		s.h[i] = binary.LittleEndian.Uint64(next(8))
	}
	for i := range s.t {
		s.t[i] = binary.LittleEndian.Uint64(next(8))
	}
	s.n = int(next(1)[0])
	copy(s.buf[:], b)

	size, keyLen := s.params[0], s.params[1]
	switch {
	case size < 1 || size > MaxSize:
		return fmt.Errorf("state: digest length %d is not from 1 to %d", size, MaxSize)
	case keyLen > MaxKeySize:
		return fmt.Errorf("state: key length %d is above %d", keyLen, MaxKeySize)
	case !zero(s.params[18:32]):
		return fmt.Errorf("state: reserved parameters %x are not zero", s.params[18:32])
	case last > 1:
		return fmt.Errorf("state: last node flag %d is above 1", last)
	case !zero(s.key[keyLen:]):
		return fmt.Errorf("state: key is not zero beyond its %d bytes", keyLen)
	case s.t[0]%BlockSize != 0:
		return fmt.Errorf("state: counter %d is not a multiple of %d", s.t[0], BlockSize)
	case s.n > BlockSize:
		return fmt.Errorf("state: %d buffered bytes are above %d", s.n, BlockSize)
	case !zero(s.buf[s.n:]):
		return fmt.Errorf("state: buffer is not zero beyond its %d bytes", s.n)
	}
	*d = s
	return nil
}

func zero(b []byte) bool {
	return len(bytes.Trim(b, "\x00")) == 0
}
