// Command go-ethereum is github.com/ethereum/go-ethereum/crypto/blake2b: a fork of
// golang.org/x/crypto/blake2b that adds F, with its assembly rewritten for it.
package main

import (
	"encoding"
	"encoding/binary"
	"hash"
	"io"

	"blake2btest"
	"blake2btest/adapters/go/protocol"

	"github.com/ethereum/go-ethereum/crypto/blake2b"
)

func main() {
	protocol.Serve(protocol.Library{Hash: newHash, Compress: blake2b.F, XOF: newXOF}, "github.com/ethereum/go-ethereum")
}

func newHash(p blake2btest.Params) (hash.Hash, error) {
	if p.Salt != nil || p.Person != nil || p.Tree != nil {
		return nil, protocol.Unsupported("salt, person and tree")
	}
	h, err := blake2b.New(p.Size, p.Key)
	if err != nil {
		return nil, err
	}
	return digest{h.(state)}, nil
}

func newXOF(size uint32, key []byte) (io.ReadWriter, error) {
	return blake2b.NewXOF(size, key)
}

// state is what the package's hash can do.
type state interface {
	hash.Hash
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

// digest adds SetCounter, by way of the exported state.
type digest struct{ state }

// counter is where the exported state has the byte counter, behind "b2b" and h:
// two big-endian words, the low one first.
const counter = len("b2b") + 64

// SetCounter starts the hash at t.
func (d digest) SetCounter(t [2]uint64) error {
	s, err := d.MarshalBinary()
	if err != nil {
		return err
	}
	binary.BigEndian.PutUint64(s[counter:], t[0])
	binary.BigEndian.PutUint64(s[counter+8:], t[1])
	return d.UnmarshalBinary(s)
}
