package mutants

import (
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
)

// xofs are faults in BLAKE2Xb (BLAKE2X paper, section 2).
var xofs = []fault{
	{"xof-needs-key", "BLAKE2Xb without a key is refused", "https://github.com/BLAKE2/BLAKE2/commit/1f26297f81720be441075f66773b72b88329f79d",
		func(r *recipe) {
			r.expand = func(x xof, h0 []byte) ([]byte, error) {
				if len(x.key) == 0 {
					return nil, errors.New("no key")
				}
				return expand(x, h0)
			}
		}},
	{"xof-nodes-equal", "the offset of the output nodes stays 0", "K48",
		nodes(func(b *[64]byte, x xof, i int) { binary.LittleEndian.PutUint32(b[8:], 0) })},
	{"xof-nodes-from-1", "the output nodes are numbered from 1", Unreported,
		nodes(func(b *[64]byte, x xof, i int) { binary.LittleEndian.PutUint32(b[8:], uint32(i+1)) })},
	{"xof-node-offset-8-bits", "the offset of the output nodes has 8 bits", Unreported,
		nodes(func(b *[64]byte, x xof, i int) { clear(b[9:12]) })},
	{"xof-node-offset-in-bytes", "the offset of an output node is that of its bytes", Unreported,
		nodes(func(b *[64]byte, x xof, i int) { binary.LittleEndian.PutUint32(b[8:], uint32(64*i)) })},
	{"xof-node-offset-big-endian", "the offset of the output nodes is stored with the highest byte first", Unreported,
		nodes(func(b *[64]byte, x xof, i int) { reverse(b[8:12]) })},
	{"xof-node-offset-behind-length", "offset and length of the output are exchanged in the nodes", Unreported,
		nodes(func(b *[64]byte, x xof, i int) { exchange(b[8:12], b[12:16]) })},
	{"xof-nodes-keyed", "the key length is left in the output nodes", "https://github.com/BLAKE2/BLAKE2/commit/7728c30896d3fa0c3b4df52c2bd5a1e36f8f1287",
		nodes(func(b *[64]byte, x xof, i int) { b[1] = byte(len(x.key)) })},
	{"xof-nodes-sequential", "the output nodes have fanout and depth 1", Unreported,
		nodes(func(b *[64]byte, x xof, i int) { b[2], b[3] = 1, 1 })},
	{"xof-nodes-without-leaf-size", "the leaf length is missing in the output nodes", Unreported,
		nodes(func(b *[64]byte, x xof, i int) { clear(b[4:8]) })},
	{"xof-nodes-without-inner-size", "the inner length is missing in the output nodes", Unreported,
		nodes(func(b *[64]byte, x xof, i int) { b[17] = 0 })},
	{"xof-leaf-size-32", "leaf length and inner length of the output nodes are 32, as in BLAKE2Xs", Unreported,
		nodes(func(b *[64]byte, x xof, i int) { b[4], b[17] = 32, 32 })},
	{"xof-nodes-at-depth-1", "the output nodes have node depth 1", Unreported,
		nodes(func(b *[64]byte, x xof, i int) { b[16] = 1 })},
	{"xof-inner-size-is-node-size", "the inner length of an output node is its digest length", Unreported,
		nodes(func(b *[64]byte, x xof, i int) { b[17] = b[0] })},
	{"xof-last-node-whole", "the last output node has a digest length of 64, and is cut", "https://github.com/BLAKE2/BLAKE2/commit/73bd0dc6529657b972cdd00b16bfe7d788d73f8c",
		nodes(func(b *[64]byte, x xof, i int) { b[0] = 64 })},
	{"xof-last-node-of-0", "the last output node of whole nodes has a digest length of 0", Unreported,
		nodes(func(b *[64]byte, x xof, i int) {
			if x.length != math.MaxUint32 && 64*(i+1) == x.n {
				b[0] = 0
			}
		})},
	{"xof-unknown-last-node-short", "of an unknown length, the last output node that is read is a short one", Unreported,
		nodes(func(b *[64]byte, x xof, i int) { b[0] = byte(min(64, x.n-64*i)) })},
	{"xof-nodes-without-length", "the length of the output is missing in its nodes", Unreported,
		nodes(func(b *[64]byte, x xof, i int) { clear(b[12:16]) })},
	{"xof-root-without-length", "the length of the output is missing in the root", Unreported,
		roots(func(p *params, x xof) { p.Tree.NodeOffset = 0 })},
	{"xof-length-missing", "the length of the output is missing everywhere", "K48",
		lengths(func(n uint32) uint32 { return 0 })},
	{"xof-length-16-bits", "the length of the output has 16 bits, as in BLAKE2Xs", Unreported,
		lengths(func(n uint32) uint32 { return uint32(uint16(n)) })},
	{"xof-length-in-bits", "the length of the output is in bits", Unreported,
		lengths(func(n uint32) uint32 { return 8 * n })},
	{"xof-length-in-nodes", "the length of the output is its number of nodes", Unreported,
		lengths(func(n uint32) uint32 { return n/64 + (n%64+63)/64 })},
	{"xof-length-big-endian", "the length of the output is stored with the highest byte first", Unreported,
		lengths(bits.ReverseBytes32)},
	{"xof-unknown-length-0", "an unknown length is 0", Unreported,
		lengths(func(n uint32) uint32 {
			if n == math.MaxUint32 {
				return 0
			}
			return n
		})},
	{"xof-root-digest-32", "the digest of the root has 32 bytes", Unreported,
		roots(func(p *params, x xof) { p.Size = 32 })},
	{"xof-root-digest-of-output-size", "the digest of the root has the length of a short output", Unreported,
		roots(func(p *params, x xof) { p.Size = min(64, x.n) })},
	{"xof-root-is-first-node", "the digest of the root is the beginning of the output", Unreported,
		func(r *recipe) {
			r.expand = func(x xof, h0 []byte) ([]byte, error) {
				out, err := expand(x, h0)
				return append(h0, out...)[:x.n], err
			}
		}},
	{"xof-nodes-chained", "each output node hashes the one before, not the digest of the root", Unreported,
		func(r *recipe) {
			r.expand = func(x xof, in []byte) ([]byte, error) {
				var out []byte
				for i := 0; len(out) < x.n; i++ {
					in = x.hash(i, min(64, x.n-len(out)), in)
					out = append(out, in...)
				}
				return out[:x.n], nil
			}
		}},
	{"xof-nodes-counted-in-message", "the output nodes hash the digest of the root and a counter, as MGF1 does", Unreported,
		func(r *recipe) {
			r.expand = func(x xof, h0 []byte) ([]byte, error) {
				var out []byte
				for i := 0; len(out) < x.n; i++ {
					out = append(out, x.hash(0, min(64, x.n-len(out)), binary.BigEndian.AppendUint32(h0, uint32(i)))...)
				}
				return out[:x.n], nil
			}
		}},
	{"xof-nodes-with-key-block", "the output nodes are keyed with the key of the root", Unreported,
		func(r *recipe) {
			nodes(func(b *[64]byte, x xof, i int) { b[1] = byte(len(x.key)) })(r)
			r.expand = func(x xof, h0 []byte) ([]byte, error) {
				if len(x.key) == 0 {
					return expand(x, h0)
				}
				return expand(x, append(padded(x.key), h0...))
			}
		}},
}

// nodes changes the parameter block of the output nodes.
func nodes(edit func(b *[64]byte, x xof, i int)) func(r *recipe) {
	return func(r *recipe) {
		r.node = func(x xof, i, size int) [64]byte {
			b := node(x, i, size)
			edit(&b, x, i)
			return b
		}
	}
}

// roots changes the parameters of the root.
func roots(edit func(p *params, x xof)) func(r *recipe) {
	return func(r *recipe) {
		r.root = func(x xof) params {
			p := root(x)
			edit(&p, x)
			return p
		}
	}
}

// lengths puts another length into the upper half of all node offsets.
func lengths(length func(n uint32) uint32) func(r *recipe) {
	return func(r *recipe) {
		roots(func(p *params, x xof) { p.Tree.NodeOffset = uint64(length(x.length)) << 32 })(r)
		nodes(func(b *[64]byte, x xof, i int) { binary.LittleEndian.PutUint32(b[12:], length(x.length)) })(r)
	}
}
