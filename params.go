package blake2btest

import (
	"encoding/binary"
	"fmt"
)

// Sizes in bytes (RFC 7693, sections 2.1 and 2.8; BLAKE2 paper, section 2.5).
const (
	BlockSize     = 128 // a message block
	MaxSize       = 64  // the longest digest
	MaxKeySize    = 64
	MaxSaltSize   = 16
	MaxPersonSize = 16
)

// Params are the parameters of one BLAKE2b: what its parameter block holds
// (BLAKE2 paper, section 2.5; RFC 7693, section 2.8), and the key.
type Params struct {
	// Size is the length of the digest in bytes, 1 to 64. There is no default:
	// 0 is a digest of no bytes, which BLAKE2b does not have.
	Size int

	// Key is at most 64 bytes. Nil is no key; empty but not nil is an explicit
	// empty key, which some interfaces can tell apart. BLAKE2b cannot.
	Key []byte

	// Salt and Person are at most 16 bytes each; shorter ones are padded with
	// zeros. Nil and empty differ as for Key.
	Salt, Person []byte

	// Tree is nil for sequential hashing.
	Tree *Tree
}

// Tree are the parameters of a node in tree hashing (BLAKE2 paper, section
// 2.10). Sequential hashing, the nil *Tree, is {Fanout: 1, MaxDepth: 1}.
type Tree struct {
	Fanout     uint8  // children of a node, 0 for no limit
	MaxDepth   uint8  // height of the tree; the paper excludes 0, and 1 in a tree
	LeafSize   uint32 // message bytes of a leaf, 0 for no limit
	NodeOffset uint64 // place of the node in its layer
	NodeDepth  uint8  // layer of the node, leaves are 0
	InnerSize  uint8  // digest bytes of inner nodes; the paper excludes more than 64, and 0 in a tree
	LastNode   bool   // the node is its layer's last: sets f[1]; not in the parameter block
}

// Block returns the parameter block, 64 bytes, in the order of the BLAKE2
// paper, table 2.1. The error names the field, its value and the limit. Tree
// fields that the paper excludes are accepted, since the block can hold them.
func (p Params) Block() ([64]byte, error) {
	var b [64]byte
	if p.Size < 1 {
		return b, fmt.Errorf("digest length %d is below 1", p.Size)
	}
	for _, f := range []struct {
		name       string
		value, max int
	}{
		{"digest", p.Size, MaxSize},
		{"key", len(p.Key), MaxKeySize},
		{"salt", len(p.Salt), MaxSaltSize},
		{"personalization", len(p.Person), MaxPersonSize},
	} {
		if f.value > f.max {
			return b, fmt.Errorf("%s length %d is above %d", f.name, f.value, f.max)
		}
	}
	t := Tree{Fanout: 1, MaxDepth: 1}
	if p.Tree != nil {
		t = *p.Tree
	}
	b[0] = uint8(p.Size)
	b[1] = uint8(len(p.Key))
	b[2] = t.Fanout
	b[3] = t.MaxDepth
	binary.LittleEndian.PutUint32(b[4:], t.LeafSize)
	binary.LittleEndian.PutUint64(b[8:], t.NodeOffset)
	b[16] = t.NodeDepth
	b[17] = t.InnerSize
	// 18 to 31 are reserved and zero.
	copy(b[32:48], p.Salt)
	copy(b[48:64], p.Person)
	return b, nil
}
