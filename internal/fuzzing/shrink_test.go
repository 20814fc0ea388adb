package fuzzing_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"blake2btest"
	"blake2btest/internal/fuzzing"
	"blake2btest/internal/model"
)

func parse(t *testing.T, line string) blake2btest.Case {
	t.Helper()
	c, err := blake2btest.ParseCase(line)
	if err != nil {
		t.Fatalf("%v\n\tcase %s", err, line)
	}
	return c
}

func has(c blake2btest.Case, ops ...blake2btest.Op) bool {
	for _, s := range c.Steps {
		if len(ops) > 0 && s.Op == ops[0] {
			ops = ops[1:]
		}
	}
	return len(ops) == 0
}

// message returns all that is written, in the order in which it is.
func message(c blake2btest.Case) (m []byte) {
	for _, s := range c.Steps {
		m = append(m, bytes.Repeat(s.Data, int(max(s.Count, 1)))...)
	}
	return m
}

// wrongs are what may be wrong with a port, and the simplest Case to show it.
var wrongs = []struct {
	name  string
	wrong func(c blake2btest.Case) bool
	want  string
}{
	{"everything", func(c blake2btest.Case) bool { return true }, "sum"},
	{"keyed and long", func(c blake2btest.Case) bool { return len(c.Key) > 0 && len(message(c)) >= 257 }, "sum key=00 : 00*257"},
	{"an empty key", func(c blake2btest.Case) bool { return c.Key != nil }, "sum key="},
	{"a key of 33 bytes", func(c blake2btest.Case) bool { return len(c.Key) > 32 }, "sum key=" + strings.Repeat("00", 33)},
	{"a key that is not zeros", func(c blake2btest.Case) bool { return slices.Max(append(c.Key, 0)) > 0x7f }, "sum key=80"},
	{"a salt", func(c blake2btest.Case) bool { return len(c.Salt) == 16 }, "sum salt=" + strings.Repeat("00", 16)},
	{"salt and person", func(c blake2btest.Case) bool { return len(c.Salt) > 0 && len(c.Person) > 0 }, "sum salt=00 person=00"},
	{"a short digest", func(c blake2btest.Case) bool { return c.Size < 64 }, "sum size=1"},
	{"a digest of odd length", func(c blake2btest.Case) bool { return c.Size%2 == 1 && c.Size > 8 }, "sum size=9"},
	{"tree: an offset of 33 bits", func(c blake2btest.Case) bool { return c.Tree != nil && c.Tree.NodeOffset >= 1<<32 }, "sum tree=1,1,0,4294967296,0,0,0"},
	{"tree: any", func(c blake2btest.Case) bool { return c.Tree != nil }, "sum tree=1,1,0,0,0,0,0"},
	{"tree: last node", func(c blake2btest.Case) bool { return c.Tree != nil && c.Tree.LastNode }, "sum tree=1,1,0,0,0,0,1"},
	{"counter from 2^64", func(c blake2btest.Case) bool { return c.T[1] > 0 }, "sum t=00000000000000000100000000000000"},
	{"counter from 2^63", func(c blake2btest.Case) bool { return c.T[0] >= 1<<63 }, "sum t=00000000000000800000000000000000"},
	{"counter that carries", func(c blake2btest.Case) bool { return len(message(c)) > 0 && uint32(c.T[0]) > 1<<32-129 }, "sum t=80ffffff000000000000000000000000 : 00"},
	{"whole blocks", func(c blake2btest.Case) bool { n := len(message(c)); return n > 0 && n%128 == 0 }, "sum : 00*128"},
	{"one write of whole blocks", func(c blake2btest.Case) bool {
		return slices.ContainsFunc(c.Steps, func(s blake2btest.Step) bool { return s.Len() > 0 && s.Len()%128 == 0 })
	}, "sum : 00*128"},
	{"two writes", func(c blake2btest.Case) bool {
		return len(c.Steps) > 1 && c.Steps[0].Len() > 0 && c.Steps[1].Len() > 128
	}, "sum : 00 00*129"},
	{"ones", func(c blake2btest.Case) bool { m := message(c); return len(m) > 140 && !slices.Contains(m[130:], 0) }, "sum : 01*141"},
	{"an odd length", func(c blake2btest.Case) bool { n := len(message(c)); return n > 130 && n%2 == 1 }, "sum : 00*131"},
	{"one byte", func(c blake2btest.Case) bool {
		return slices.ContainsFunc(message(c), func(b byte) bool { return b == 0x81 || b == 0x85 })
	}, "sum : 81"},
	{"one byte in its place", func(c blake2btest.Case) bool { m := message(c); return len(m) > 150 && m[150]&0x40 != 0 }, "sum : 40*151"},
	{"a count", func(c blake2btest.Case) bool {
		return slices.ContainsFunc(c.Steps, func(s blake2btest.Step) bool { return s.Count > 0 })
	}, "sum : 00*3"},
	{"reset", func(c blake2btest.Case) bool { return len(c.Key) > 0 && has(c, "reset") }, "sum key=00 : reset"},
	{"second sum", func(c blake2btest.Case) bool { return has(c, "write", "sum") }, "sum : - sum"},
	{"new is not fresh", func(c blake2btest.Case) bool { return has(c, "new", "swap") }, "sum : new swap"},
	{"clone shares", func(c blake2btest.Case) bool { return has(c, "clone", "write", "swap") }, "sum : clone - swap"},
	{"save", func(c blake2btest.Case) bool { return has(c, "write", "save") }, "sum : - save"},
}

func TestShrink(t *testing.T) {
	from := []string{
		"sum size=33 key=" + strings.Repeat("fe", 64) + " salt=" + strings.Repeat("ab", 16) + " person=" + strings.Repeat("cd", 16) +
			" tree=7,9,77777,99999999999999,3,33,1 : " + strings.Repeat("6d", 255) + "85 sum 62 clone 6162636465*1024 swap sum 83 new reset save " + strings.Repeat("77", 769) + " clone 61 swap",
		"sum size=7 salt=" + strings.Repeat("ab", 16) + " t=80ffffffffffffff7700000000000000 : " + strings.Repeat("6d81", 600) + " 62*301 save 62*128",
		"sum t=80ffffffffffff0000000000000000ff : " + strings.Repeat("6d81", 192) + " 6283*256",
	}
	for _, tt := range wrongs {
		t.Run(strings.ReplaceAll(tt.name, " ", "-"), func(t *testing.T) {
			asked := 0
			for _, line := range from {
				c := parse(t, line)
				if !tt.wrong(c) {
					continue
				}
				calls := 0
				got := fuzzing.Shrink(c, func(c blake2btest.Case) bool { calls++; return tt.wrong(c) })
				if got.String() != tt.want {
					t.Errorf("from %s\ngot  %s\nwant %s", line, got, tt.want)
				}
				if calls > 500 {
					t.Errorf("asked %d times, want at most 500", calls)
				}
				asked++
			}
			if asked == 0 {
				t.Error("no case to begin with is wrong")
			}
		})
	}
}

// TestShrinkLeast: of what has a key, a digest length and a message in one or two
// writes, no Case that is wrong is easier to read than that of Shrink.
func TestShrinkLeast(t *testing.T) {
	const maxKey, maxMessage = 9, 300
	zeros := func(size, key, a, b int) blake2btest.Case {
		c := blake2btest.Case{Verb: blake2btest.VerbSum, Params: blake2btest.Params{Size: size}}
		if key > 0 {
			c.Key = make([]byte, key)
		}
		for _, n := range []int{a, b} {
			if n > 0 {
				c.Steps = append(c.Steps, parse(t, fmt.Sprintf("sum : 00*%d", n)).Steps...)
			}
		}
		return c
	}
	for _, tt := range []struct {
		name  string
		wrong func(size, key, a, b int) bool // the message has a+b bytes, b of them in a second write
		want  string
	}{
		{"whole blocks", func(size, key, a, b int) bool { return a+b > 0 && (a+b)%128 == 0 }, "sum : 00*128"},
		{"two whole blocks", func(size, key, a, b int) bool { return a+b == 256 }, "sum : 00*256"},
		{"two keys", func(size, key, a, b int) bool { return key == 3 || key == 7 }, "sum key=000000"},
		{"two digests", func(size, key, a, b int) bool { return size == 20 || size == 40 }, "sum size=20"},
		{"scattered lengths", func(size, key, a, b int) bool { return (a+b)%97 == 41 }, "sum : 00*41"},
		{"a key as long as the digest", func(size, key, a, b int) bool { return key == size }, "sum size=1 key=00"},
		{"a message as long as a short digest", func(size, key, a, b int) bool { return size < 64 && a+b == size }, "sum size=1 : 00"},
		{"a key and a message of one length", func(size, key, a, b int) bool { return key > 0 && a+b == key }, "sum key=00 : 00"},
		{"two writes of one length", func(size, key, a, b int) bool { return a > 0 && a == b }, "sum : 00 00"},
		{"a write that fills a block", func(size, key, a, b int) bool { return a > 0 && b > 0 && (a+b)%128 == 0 }, "sum : 00 00*127"},
		{"a long write behind a short one", func(size, key, a, b int) bool { return a%128 != 0 && b > 128 }, "sum : 00 00*129"},
		{"three blocks, the key's among them", func(size, key, a, b int) bool { return min(key, 1)*128+a+b > 256 }, "sum : 00*257"},
		{"a keyed digest of one length", func(size, key, a, b int) bool { return key > 4 && size == 48 && a+b > 127 }, "sum size=48 key=0000000000 : 00*128"},
	} {
		t.Run(strings.ReplaceAll(tt.name, " ", "-"), func(t *testing.T) {
			wrong := func(c blake2btest.Case) bool {
				var writes [3]int
				n := 0
				for _, s := range c.Steps {
					writes[min(n, 2)] += int(s.Len())
					n++
				}
				return tt.wrong(c.Size, len(c.Key), writes[0], writes[1]+writes[2])
			}
			least := tt.want
			for size := 1; size <= blake2btest.MaxSize; size++ {
				for key := range maxKey {
					for n := range maxMessage {
						for _, a := range []int{n, n / 2, 1} {
							if a <= n && tt.wrong(size, key, a, n-a) {
								if c := zeros(size, key, a, n-a); fuzzing.Easier(c, parse(t, least)) {
									least = c.String()
								}
							}
						}
					}
				}
			}
			if least != tt.want {
				t.Fatalf("%s is wrong, and easier than %s", least, tt.want)
			}
			r := rand.New(rand.NewPCG(1, 1))
			asked := 0
			for range 1_000_000 {
				a, b := r.IntN(maxMessage), r.IntN(2)*r.IntN(maxMessage)
				size, key := 1+r.IntN(blake2btest.MaxSize), r.IntN(maxKey)
				if !tt.wrong(size, key, a, b) {
					continue
				}
				c := zeros(size, key, a, b)
				if got := fuzzing.Shrink(c, wrong).String(); got != least {
					t.Fatalf("from %s\ngot  %s\nwant %s", c, got, least)
				}
				if asked++; asked == 30 {
					break
				}
			}
		})
	}
}

func TestShrinkOthers(t *testing.T) {
	f := func(rounds byte, nonzero map[int]byte, last bool) string {
		in := make([]byte, 213)
		in[3] = rounds
		for i, v := range nonzero {
			in[i] = v
		}
		return blake2btest.Case{Verb: blake2btest.VerbCompress, Last: last, Steps: []blake2btest.Step{{Op: blake2btest.OpWrite, Data: in}}}.String()
	}
	busy := make(map[int]byte)
	for i := 4; i < 212; i++ {
		busy[i] = 0xff
	}
	busy[212] = 1
	for _, tt := range []struct {
		name  string
		wrong func(c blake2btest.Case) bool
		from  string
		want  string
	}{
		{"F", func(c blake2btest.Case) bool { return true }, f(12, busy, true), f(0, nil, false)},
		{"ten rounds", func(c blake2btest.Case) bool { return message(c)[3] > 9 }, f(63, busy, true), f(10, nil, false)},
		{"final", func(c blake2btest.Case) bool { return message(c)[212] == 1 && c.Last }, f(12, busy, true), f(0, map[int]byte{212: 1}, true)},
		{"a bit of m", func(c blake2btest.Case) bool { return message(c)[68+17]&8 != 0 }, f(12, busy, true), f(0, map[int]byte{68 + 17: 8}, false)},
		{"a word of t", func(c blake2btest.Case) bool {
			return binary.LittleEndian.Uint64(message(c)[196:]) >= 1<<63
		}, f(12, busy, false), f(0, map[int]byte{203: 0x80}, false)},
		{"an output of 65 bytes", func(c blake2btest.Case) bool { return c.Size > 64 }, "xof size=300 key=00ff : 61*300 62", "xof size=65"},
		{"what a xof calls", func(c blake2btest.Case) bool { return len(message(c)) > 128 }, "xof size=300 key=00ff : 61*300 62", "sum : 00*129"},
		{"a read", func(c blake2btest.Case) bool { return c.Read > 0 && len(message(c)) > 0 }, "xof read=300 key=00ff : 61*300 62", "xof read=1 : 00"},
		{"a message that is too long to look at", func(c blake2btest.Case) bool {
			return c.Steps != nil && c.Steps[0].Len() >= 1<<32
		}, "sum : 616263*5000000000", "sum : 00*4294967296"},
	} {
		t.Run(strings.ReplaceAll(tt.name, " ", "-"), func(t *testing.T) {
			if got := fuzzing.Shrink(parse(t, tt.from), tt.wrong).String(); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestShrinkAsks holds what Shrink says of its questions against a port that is
// wrong at random.
func TestShrinkAsks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	most := 0
	for i := range 300 {
		c := blake2btest.RandomCase(r)
		shrink := func() (blake2btest.Case, int) {
			chance := rand.New(rand.NewPCG(2, uint64(i)))
			asked := map[string]bool{c.String(): true}
			best := c
			got := fuzzing.Shrink(c, func(c blake2btest.Case) bool {
				line := c.String()
				if err := c.Validate(); err != nil {
					t.Fatalf("asks what is not valid: %v\n\tcase %s", err, line)
				}
				if asked[line] {
					t.Fatalf("asks twice\n\tcase %s", line)
				}
				if len(line) > len(best.String()) {
					t.Fatalf("asks about a longer case\n\tcase %s\n\tthan %s", line, best)
				}
				asked[line] = true
				if chance.IntN(3) > 0 {
					return false
				}
				best = c
				return true
			})
			if got.String() != best.String() {
				t.Fatalf("Shrink returns another case than the last that was wrong\n\tgot  %s\n\twant %s", got, best)
			}
			return got, len(asked) - 1
		}
		got, n := shrink()
		again, m := shrink()
		if got.String() != again.String() || n != m {
			t.Fatalf("the same answers lead to another result\n\tcase %s\n\tcase %s", got, again)
		}
		most = max(most, n)
	}
	if most > 20_000 {
		t.Errorf("asked %d times, want at most 20000", most)
	}
	t.Logf("asked at most %d times", most)
}

// eager is a BLAKE2b that takes the last block, if it is whole, for one before
// the last.
type eager struct{ model.Port }

func (p eager) Answer(c blake2btest.Case) ([]byte, error) {
	if n := len(message(c)); c.Verb == blake2btest.VerbSum && n > 0 && n%blake2btest.BlockSize == 0 {
		c.Steps = append(slices.Clone(c.Steps), blake2btest.Step{Op: blake2btest.OpWrite, Data: make([]byte, blake2btest.BlockSize)})
	}
	return p.Port.Answer(c)
}

func ExampleShrink() {
	c, _ := blake2btest.ParseCase("sum size=20 key=00ff : 6162*100 sum 63 clone 6465*27 64 swap")
	wrong := func(c blake2btest.Case) bool {
		got, _ := eager{}.Answer(c)
		want, _ := model.Port{}.Answer(c)
		return !bytes.Equal(got, want)
	}
	fmt.Println(wrong(c), fuzzing.Shrink(c, wrong))
	// Output: true sum : 00*128
}
