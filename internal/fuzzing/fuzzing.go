// Package fuzzing turns bytes into Cases and back, and runs the bodies of the
// fuzz targets. One form serves every engine: a file is the input's bytes.
//
// Every byte string is an input, and has one meaning:
//
//	flags     1  bits 6 and 7: 0 sum, 1 compress, 2 xof of known length, 3 of unknown
//	             bits 0 to 4: a key, a salt, a personalization, tree fields, a
//	             counter follow
//
// A compress goes on with rounds (1 byte, modulo 64), h (64), m (128), t (16),
// and a byte whose bits 0 and 1 are the flags f[0] and f[1]. Anything else goes
// on with
//
//	size      1  of a sum: modulo 64, plus 1; of a xof: 2 bytes, plus 1
//	key       1  length modulo 65, and so many bytes
//	salt      1  length modulo 17, and so many bytes
//	person    1  likewise
//	tree     17  fanout, depth, leaf (4), offset (8), nodedepth, inner, bit 0: last
//	counter  16  rounded down to a multiple of 128; not with a key
//
// of which a xof has size and key alone, and then with steps to the end, at
// most 16 of them:
//
//	0  n (2) and so many bytes, or what is left: a write
//	1  n (1), modulo 8, plus 1; count (2), modulo 1024, plus 1; n bytes: a write
//	2  sum    3  reset    4  new    5  clone    6  swap    7  save
//
// by a byte modulo 8. A swap with nothing aside, and any step of a xof but a
// write, is passed over. Numbers are little-endian, bytes beyond the end are
// zeros, and bytes after the last step are ignored.
//
// Counters and lengths are cut out of the bytes because Go's engine changes an
// argument that is an integer by no more than 100 at a time.
package fuzzing

import (
	"encoding/binary"
	"errors"
	"fmt"

	"blake2btest"
)

// A Class is the set of Cases that a target is about; it fixes bits of flags.
type Class struct{ keep, set byte }

// The classes of the fuzz targets, and of all Cases.
var (
	Any      = Class{keep: 0xff}
	Compress = Class{keep: 0, set: 1 << 6}
	Hash     = Class{keep: hasKey}
	Params   = Class{keep: hasKey | hasSalt | hasPerson | hasTree | hasCounter}
)

// Classes are the classes by their names.
var Classes = map[string]Class{"any": Any, "compress": Compress, "hash": Hash, "params": Params}

const (
	hasKey = 1 << iota
	hasSalt
	hasPerson
	hasTree
	hasCounter
)

const maxSteps = 16

// ops are the steps by their byte.
var ops = [8]blake2btest.Op{
	blake2btest.OpWrite, blake2btest.OpWrite, blake2btest.OpSum, blake2btest.OpReset,
	blake2btest.OpNew, blake2btest.OpClone, blake2btest.OpSwap, blake2btest.OpSave,
}

// reader takes bytes off an input.
type reader []byte

// next returns the next n bytes, zeros beyond the end.
func (r *reader) next(n int) []byte {
	b := make([]byte, n)
	*r = (*r)[copy(b, *r):]
	return b
}

func (r *reader) byte() byte { return r.next(1)[0] }

func (r *reader) uint16() int { return int(binary.LittleEndian.Uint16(r.next(2))) }

// bytes returns a field of up to max bytes with its length before it.
func (r *reader) bytes(max int) []byte { return r.next(int(r.byte()) % (max + 1)) }

// Decode returns the Case of an input, one that Validate accepts.
func Decode(input []byte, class Class) blake2btest.Case {
	r := reader(input)
	flags := r.byte()&class.keep | class.set
	switch flags >> 6 {
	case 1:
		return decodeCompress(&r)
	case 2, 3:
		return decodeXOF(&r, flags)
	}
	c := blake2btest.Case{Verb: blake2btest.VerbSum}
	c.Size = 1 + int(r.byte())%blake2btest.MaxSize
	if flags&hasKey != 0 {
		c.Key = r.bytes(blake2btest.MaxKeySize)
	}
	if flags&hasSalt != 0 {
		c.Salt = r.bytes(blake2btest.MaxSaltSize)
	}
	if flags&hasPerson != 0 {
		c.Person = r.bytes(blake2btest.MaxPersonSize)
	}
	if flags&hasTree != 0 {
		c.Tree = &blake2btest.Tree{
			Fanout:     r.byte(),
			MaxDepth:   r.byte(),
			LeafSize:   binary.LittleEndian.Uint32(r.next(4)),
			NodeOffset: binary.LittleEndian.Uint64(r.next(8)),
			NodeDepth:  r.byte(),
			InnerSize:  r.byte(),
			LastNode:   r.byte()&1 == 1,
		}
	}
	if flags&hasCounter != 0 {
		lo, hi := binary.LittleEndian.Uint64(r.next(8)), binary.LittleEndian.Uint64(r.next(8))
		if len(c.Key) == 0 {
			c.T = [2]uint64{lo &^ (blake2btest.BlockSize - 1), hi}
		}
	}
	c.Steps = decodeSteps(&r, true)
	return c
}

func decodeCompress(r *reader) blake2btest.Case {
	in := binary.BigEndian.AppendUint32(nil, uint32(r.byte()%64))
	in = append(in, r.next(64+128+16)...)
	f := r.byte()
	return blake2btest.Case{
		Verb:  blake2btest.VerbCompress,
		Last:  f&2 != 0,
		Steps: []blake2btest.Step{{Op: blake2btest.OpWrite, Data: append(in, f&1)}},
	}
}

func decodeXOF(r *reader, flags byte) blake2btest.Case {
	c := blake2btest.Case{Verb: blake2btest.VerbXOF}
	if n := 1 + r.uint16(); flags>>6 == 2 {
		c.Size = n
	} else {
		c.Read = uint64(n)
	}
	if flags&hasKey != 0 {
		c.Key = r.bytes(blake2btest.MaxKeySize)
	}
	c.Steps = decodeSteps(r, false)
	return c
}

// decodeSteps reads steps to the end of the input; operations says whether
// there may be others than writes.
func decodeSteps(r *reader, operations bool) (steps []blake2btest.Step) {
	aside := false
	for len(*r) > 0 && len(steps) < maxSteps {
		b := r.byte() % 8
		s := blake2btest.Step{Op: ops[b]}
		switch s.Op {
		case blake2btest.OpWrite:
			if b == 0 {
				if n := min(r.uint16(), len(*r)); n > 0 {
					s.Data = r.next(n)
				}
				break
			}
			n := 1 + int(r.byte())%8
			s.Count = uint64(1 + r.uint16()%1024)
			s.Data = r.next(n)
		case blake2btest.OpNew, blake2btest.OpClone:
			aside = true
		case blake2btest.OpSwap:
			if !aside {
				continue
			}
		}
		if operations || s.Op == blake2btest.OpWrite {
			steps = append(steps, s)
		}
	}
	return steps
}

// Encode returns an input whose Case is c, in any class that has such Cases.
// The error says what of c the form cannot hold.
func Encode(c blake2btest.Case) ([]byte, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	var flags byte
	var b []byte
	field := func(flag byte, max int, v []byte) error {
		if v == nil {
			return nil
		}
		if len(v) > max {
			return fmt.Errorf("fuzzing: field of %d bytes is above %d", len(v), max)
		}
		flags |= flag
		b = append(append(b, byte(len(v))), v...)
		return nil
	}
	switch c.Verb {
	case blake2btest.VerbCompress:
		return encodeCompress(c)
	case blake2btest.VerbXOF:
		n := uint64(c.Size)
		flags = 2 << 6
		if c.Read != 0 {
			n, flags = c.Read, 3<<6
		}
		if n > 1<<16 {
			return nil, fmt.Errorf("fuzzing: xof of %d bytes is above %d", n, 1<<16)
		}
		b = binary.LittleEndian.AppendUint16(b, uint16(n-1))
		if err := field(hasKey, blake2btest.MaxKeySize, c.Key); err != nil {
			return nil, err
		}
	case blake2btest.VerbSum:
		if c.Size < 1 || c.Size > blake2btest.MaxSize {
			return nil, fmt.Errorf("fuzzing: digest length %d is not from 1 to %d", c.Size, blake2btest.MaxSize)
		}
		b = append(b, byte(c.Size-1))
		if err := errors.Join(
			field(hasKey, blake2btest.MaxKeySize, c.Key),
			field(hasSalt, blake2btest.MaxSaltSize, c.Salt),
			field(hasPerson, blake2btest.MaxPersonSize, c.Person),
		); err != nil {
			return nil, err
		}
		if t := c.Tree; t != nil {
			flags |= hasTree
			b = append(b, t.Fanout, t.MaxDepth)
			b = binary.LittleEndian.AppendUint32(b, t.LeafSize)
			b = binary.LittleEndian.AppendUint64(b, t.NodeOffset)
			b = append(b, t.NodeDepth, t.InnerSize, 0)
			if t.LastNode {
				b[len(b)-1] = 1
			}
		}
		if c.T != [2]uint64{} {
			flags |= hasCounter
			b = binary.LittleEndian.AppendUint64(b, c.T[0])
			b = binary.LittleEndian.AppendUint64(b, c.T[1])
		}
	default:
		return nil, fmt.Errorf("fuzzing: verb %q", c.Verb)
	}
	if len(c.Steps) > maxSteps {
		return nil, fmt.Errorf("fuzzing: %d steps are above %d", len(c.Steps), maxSteps)
	}
	for _, s := range c.Steps {
		switch {
		case s.Op != blake2btest.OpWrite:
			for i, op := range ops {
				if op == s.Op {
					b = append(b, byte(i))
				}
			}
		case s.Count == 0:
			if len(s.Data) > 1<<16-1 {
				return nil, fmt.Errorf("fuzzing: write of %d bytes is above %d", len(s.Data), 1<<16-1)
			}
			b = binary.LittleEndian.AppendUint16(append(b, 0), uint16(len(s.Data)))
			b = append(b, s.Data...)
		case len(s.Data) > 8 || s.Count > 1024:
			return nil, fmt.Errorf("fuzzing: write of %d bytes %d times over is above 8 or 1024", len(s.Data), s.Count)
		default:
			b = append(b, 1, byte(len(s.Data)-1))
			b = binary.LittleEndian.AppendUint16(b, uint16(s.Count-1))
			b = append(b, s.Data...)
		}
	}
	return append([]byte{flags}, b...), nil
}

func encodeCompress(c blake2btest.Case) ([]byte, error) {
	s := c.Steps[0]
	if s.Count != 0 || len(s.Data) != 213 || s.Data[212] > 1 {
		return nil, errors.New("fuzzing: compress of anything but 213 bytes, the last 0 or 1")
	}
	rounds := binary.BigEndian.Uint32(s.Data)
	if rounds > 63 {
		return nil, fmt.Errorf("fuzzing: %d rounds are above 63", rounds)
	}
	f := s.Data[212]
	if c.Last {
		f |= 2
	}
	b := append([]byte{1 << 6, byte(rounds)}, s.Data[4:212]...)
	return append(b, f), nil
}
