package blake2btest

import (
	"errors"
	"hash"
	"io"
	"math"
)

// UnknownSize is the size of a BLAKE2Xb whose length is not known in advance
// (BLAKE2X paper, section 2.1).
const UnknownSize = math.MaxUint32

// xof is BLAKE2Xb (BLAKE2X paper, section 2).
type xof struct {
	b      *BLAKE2b
	size   uint32
	root   *digest // absorbs the message
	h0     []byte  // the root's digest, nil before the first Read
	nodes  uint64  // how many there have been
	left   uint64  // bytes of output not read, nodes' included
	unread []byte  // of the last node
}

// NewXOF returns BLAKE2Xb with an output of size bytes, 1 to 2^32-2, or of any
// number of bytes up to 2^38 with [UnknownSize]; key is at most 64 bytes.
func (b *BLAKE2b) NewXOF(size uint32, key []byte) (hash.XOF, error) {
	if size == 0 {
		return nil, errors.New("xof length 0 is below 1")
	}
	// The upper half of the node offset holds the length of the output.
	root, err := b.newDigest(Params{Size: MaxSize, Key: key, Tree: &Tree{Fanout: 1, MaxDepth: 1, NodeOffset: uint64(size) << 32}})
	if err != nil {
		return nil, err
	}
	x := &xof{b: b, size: size, root: root}
	x.Reset()
	return x, nil
}

func (x *xof) BlockSize() int { return BlockSize }

func (x *xof) Reset() {
	x.root.Reset()
	x.h0, x.unread, x.nodes = nil, nil, 0
	x.left = uint64(x.size)
	if x.size == UnknownSize {
		x.left = MaxSize << 32 // node offsets have 32 bits
	}
}

// Write panics after a Read, as hash.XOF demands.
func (x *xof) Write(p []byte) (int, error) {
	if x.h0 != nil {
		panic("blake2btest: Write to a XOF after Read")
	}
	return x.root.Write(p)
}

func (x *xof) Read(p []byte) (int, error) {
	if x.h0 == nil {
		x.h0 = x.root.Sum(nil)
	}
	if x.left == 0 {
		return 0, io.EOF
	}
	p = p[:min(uint64(len(p)), x.left)]
	for n := 0; n < len(p); {
		if len(x.unread) == 0 {
			x.unread = x.node()
		}
		k := copy(p[n:], x.unread)
		x.unread = x.unread[k:]
		x.left -= uint64(k)
		n += k
	}
	return len(p), nil
}

// node returns the next 64 bytes of output, or what is left.
func (x *xof) node() []byte {
	d, err := x.b.newDigest(Params{
		Size: int(min(x.left, MaxSize)),
		Tree: &Tree{LeafSize: MaxSize, NodeOffset: uint64(x.size)<<32 | x.nodes, InnerSize: MaxSize},
	})
	if err != nil {
		panic(err) // the size is from 1 to 64: left is not 0
	}
	x.nodes++
	d.Write(x.h0)
	return d.Sum(nil)
}

// answerXOF answers a Case of that verb.
func (b *BLAKE2b) answerXOF(c Case) ([]byte, error) {
	if err := c.checkLength(); err != nil {
		return nil, err
	}
	n, size := uint64(c.Size), uint32(c.Size)
	if c.Read != 0 {
		n, size = c.Read, UnknownSize
	}
	if n > maxXOF {
		return nil, unsupported("%d bytes of xof, above %d", n, maxXOF)
	}
	x, err := b.NewXOF(size, c.Key)
	if err != nil {
		return nil, err
	}
	for _, s := range c.Steps {
		if err := s.feed(x); err != nil {
			return nil, err
		}
	}
	out := make([]byte, n)
	_, err = io.ReadFull(x, out)
	return out, err
}
