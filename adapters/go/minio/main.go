// Command minio is github.com/minio/blake2b-simd: New, whose Config has all
// parameters, as documented there.
package main

import (
	"hash"
	"math"

	"blake2btest"
	"blake2btest/adapters/go/protocol"

	blake2b "github.com/minio/blake2b-simd"
)

func main() {
	protocol.Serve(protocol.Library{Hash: newHash}, "github.com/minio/blake2b-simd")
}

func newHash(p blake2btest.Params) (hash.Hash, error) {
	if p.Size > math.MaxUint8 {
		return nil, protocol.Unsupported("size %d", p.Size)
	}
	c := &blake2b.Config{Size: uint8(p.Size), Key: p.Key, Salt: p.Salt, Person: p.Person}
	sequential := blake2btest.Tree{Fanout: 1, MaxDepth: 1}
	if t := p.Tree; t != nil && *t != sequential { // for which there is to be no Tree
		c.Tree = &blake2b.Tree{
			Fanout: t.Fanout, MaxDepth: t.MaxDepth, LeafSize: t.LeafSize, NodeOffset: t.NodeOffset,
			NodeDepth: t.NodeDepth, InnerHashSize: t.InnerSize, IsLastNode: t.LastNode,
		}
	}
	return blake2b.New(c)
}
