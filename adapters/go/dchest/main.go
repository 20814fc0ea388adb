//go:build ignore

// Command dchest is github.com/dchest/blake2b: New, whose Config has all
// parameters, as documented there. Debian has that package, and no module proxy: so
// this file is no part of the module, and ../build builds it by name.
package main

import (
	"hash"
	"math"

	"blake2btest"
	"blake2btest/adapters/go/protocol"

	"github.com/dchest/blake2b"
)

func main() {
	protocol.Serve(protocol.Library{Hash: newHash}, "github.com/dchest/blake2b")
}

func newHash(p blake2btest.Params) (hash.Hash, error) {
	if p.Size > math.MaxUint8 {
		return nil, protocol.Unsupported("size %d", p.Size)
	}
	c := &blake2b.Config{Size: uint8(p.Size), Key: p.Key, Salt: p.Salt, Person: p.Person}
	if t := p.Tree; t != nil {
		c.Tree = &blake2b.Tree{
			Fanout: t.Fanout, MaxDepth: t.MaxDepth, LeafSize: t.LeafSize, NodeOffset: t.NodeOffset,
			NodeDepth: t.NodeDepth, InnerHashSize: t.InnerSize, IsLastNode: t.LastNode,
		}
	}
	return blake2b.New(c)
}
