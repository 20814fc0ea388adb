package blake2btest

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"blake2btest/variants"
	"blake2btest/vectors"
)

// Features are what a port may have beyond its core, a digest of one length of
// a message in one write.
var Features = []string{"sizes", "keys", "salt", "person", "tree", "streaming", "second-sum", "reset", "new", "clone", "save", "t", "xof", "compress"}

// A Profile is a port, and what it offers.
type Profile struct {
	Port          Port
	Name, Version string

	// Offered has the features, in the order of Features; Missing the others,
	// each with what the port says of it, or its own name.
	Offered []string
	Missing map[string]string

	// NotOffered lists values that the port calls unsupported although it has
	// the feature: "1-15" of "keys", say; or "1-63" of "sizes without a key", where
	// these are offered with one.
	NotOffered map[string]string

	core           bool // whether there are digests at all
	size           int  // the length of those that checks use: the longest offered, or 64
	keys           lengths
	unkeyed, keyed values
	sumAfterSum    error // why a second sum is refused
	sumBroken      bool  // a second sum is another digest
}

// lengths are those that a port offers of something.
type lengths [MaxSize + 1]bool

// values are the lengths that a port offers of digests, salts and
// personalizations. Some offer more of them with a key than without.
type values struct{ sizes, salts, persons lengths }

func (p *Profile) values(keyed bool) *values {
	if keyed {
		return &p.keyed
	}
	return &p.unkeyed
}

// errNothing is the error of Probe.
var errNothing = errors.New("the port answers neither a digest nor a compression: nothing can be tested")

// Probe asks a port for one case of each feature, and of the digest lengths and
// the lengths of keys, salts and personalizations. What it answers, right or
// wrong, it offers. The error says that it answers nothing; the profile then
// offers nothing.
func Probe(port Port) (*Profile, error) {
	p := &Profile{Port: port, Missing: make(map[string]string), NotOffered: make(map[string]string)}
	p.Name, p.Version = "unknown", "unknown"
	if n, ok := port.(Namer); ok {
		p.Name, p.Version = n.About()
	}
	offers := func(c Case) error {
		if _, err := p.ask(c); errors.Is(err, errors.ErrUnsupported) {
			return err
		}
		return nil
	}
	message := []byte("abc")
	for n := 1; n <= MaxSize; n++ {
		if p.unkeyed.sizes[n] = offers(sumOf(Params{Size: n}, message)) == nil; p.unkeyed.sizes[n] {
			p.size = n
		}
	}
	sum := Params{Size: p.size}
	// probe finds the lengths of something that the port offers, up to most. The
	// error says why there are none. What is known already is not asked again.
	probe := func(list *lengths, most int, with func(p Params, n int) Params) (why error) {
		for n := most; n > 0; n-- {
			if list[n] {
				continue
			}
			err := offers(sumOf(with(sum, n), message))
			list[n] = err == nil
			if err != nil {
				why = err
			}
		}
		if count(list[1:]) > 0 {
			return nil
		}
		return why
	}
	steps := func(ops ...Op) error {
		c := sumOf(sum, message)
		for _, op := range ops {
			c.Steps = append(c.Steps, Step{Op: op})
		}
		return offers(c)
	}
	if p.core = p.size > 0; !p.core {
		p.size = MaxSize
	}
	sum.Size = p.size
	found := map[string]error{
		"xof":      offers(Case{Verb: VerbXOF, Params: Params{Size: 64}}),
		"compress": offers(Case{Verb: VerbCompress, Steps: []Step{{Op: OpWrite, Data: compressInput(12)}}}),
	}
	if p.core {
		ofSize := func(q Params, n int) Params { q.Size = n; return q }
		ofSalt := func(q Params, n int) Params { q.Salt = vectors.Count(1, n); return q }
		ofPerson := func(q Params, n int) Params { q.Person = vectors.Count(1, n); return q }
		found["keys"] = probe(&p.keys, MaxKeySize, func(q Params, n int) Params { q.Key = vectors.Count(1, n); return q })
		found["salt"] = probe(&p.unkeyed.salts, MaxSaltSize, ofSalt)
		found["person"] = probe(&p.unkeyed.persons, MaxPersonSize, ofPerson)
		p.keyed = p.unkeyed
		if found["keys"] == nil {
			sum.Key = vectors.Count(1, p.keys.longest())
			probe(&p.keyed.sizes, MaxSize, ofSize)
			for f, err := range map[string]error{
				"salt":   probe(&p.keyed.salts, MaxSaltSize, ofSalt),
				"person": probe(&p.keyed.persons, MaxPersonSize, ofPerson),
			} {
				if err == nil {
					found[f] = nil
				}
			}
			sum.Key = nil
		}
		found["sizes"] = nil
		if count(p.keyed.sizes[:]) == 1 {
			found["sizes"] = fmt.Errorf("digests of %d bytes alone", p.size)
		}
		tree := sum
		tree.Tree = &Tree{Fanout: 2, MaxDepth: 2, LeafSize: 4096, InnerSize: 64}
		found["tree"] = offers(sumOf(tree, message))
		found["streaming"] = offers(sumOf(sum, message, message))
		found["reset"] = steps(OpReset)
		found["new"] = steps(OpNew, OpSwap)
		found["clone"] = steps(OpClone, OpSwap)
		found["save"] = steps(OpSave)
		t := sumOf(sum, message)
		t.T[0] = BlockSize
		found["t"] = offers(t)
		second := sumOf(sum, message)
		second.Steps = append(second.Steps, Step{Op: OpSum})
		if got, err := p.ask(second); err != nil && !IsFault(err) {
			found["second-sum"] = err
			if !errors.Is(err, errors.ErrUnsupported) {
				p.sumAfterSum = err
			}
		} else {
			found["second-sum"] = nil
			p.sumBroken = err == nil && !bytes.Equal(got[:len(got)/2], got[len(got)/2:])
		}
	}
	for _, f := range Features {
		switch err, asked := found[f]; {
		case asked && err == nil:
			p.Offered = append(p.Offered, f)
		case asked:
			p.Missing[f] = strings.TrimSuffix(err.Error(), ": "+errors.ErrUnsupported.Error())
			if p.Missing[f] == errors.ErrUnsupported.Error() {
				p.Missing[f] = f
			}
		default:
			p.Missing[f] = "there are no digests"
		}
	}
	for _, v := range []struct {
		feature        string
		most           int
		unkeyed, keyed *lengths
	}{
		{"sizes", MaxSize, &p.unkeyed.sizes, &p.keyed.sizes},
		{"keys", MaxKeySize, &p.keys, &p.keys},
		{"salt", MaxSaltSize, &p.unkeyed.salts, &p.keyed.salts},
		{"person", MaxPersonSize, &p.unkeyed.persons, &p.keyed.persons},
	} {
		if !p.offers(v.feature) {
			continue
		}
		if never := missing(v.most, func(n int) bool { return v.keyed[n] }); never != "" {
			p.NotOffered[v.feature] = never
		}
		if without := missing(v.most, func(n int) bool { return v.unkeyed[n] || !v.keyed[n] }); without != "" {
			p.NotOffered[v.feature+" without a key"] = without
		}
	}
	if !p.core && !p.offers("compress") {
		return p, errNothing
	}
	return p, nil
}

func count(list []bool) (n int) {
	for _, b := range list {
		if b {
			n++
		}
	}
	return n
}

// longest returns the longest that is offered.
func (l *lengths) longest() int {
	n := MaxSize
	for n > 0 && !l[n] {
		n--
	}
	return n
}

// missing lists the numbers from 1 to most that are not in a set, as ranges.
func missing(most int, has func(n int) bool) string {
	var ranges []string
	for i := 1; i <= most; i++ {
		first := i
		for i <= most && !has(i) {
			i++
		}
		switch last := i - 1; {
		case last == first:
			ranges = append(ranges, fmt.Sprint(first))
		case last > first:
			ranges = append(ranges, fmt.Sprintf("%d-%d", first, last))
		}
	}
	return strings.Join(ranges, ",")
}

func (p *Profile) offers(feature string) bool { return slices.Contains(p.Offered, feature) }

// Speed returns how many bytes of message the port hashes in a second, the better
// of two messages that take a twentieth of a second or are of 128 MiB; 0 where it
// has no digests.
func (p *Profile) Speed() float64 { return p.speedUpTo(math.Inf(1)) }

// speedUpTo is Speed, or less as soon as that is enough.
func (p *Profile) speedUpTo(enough float64) float64 {
	if !p.core {
		return 0
	}
	const most, long = 1 << 27, 50 * time.Millisecond
	piece := vectors.Cycle(1 << 10)
	best := 0.0
	for n, tries := uint64(1<<16), 0; best < enough && tries < 2; {
		c := sumOf(Params{Size: p.size})
		c.Steps = []Step{{Op: OpWrite, Data: piece, Count: n / uint64(len(piece))}}
		start := time.Now()
		if _, err := p.ask(c); err != nil {
			break
		}
		took := time.Since(start)
		best = max(best, float64(n)/took.Seconds())
		if took >= long || n == most {
			tries++
		} else {
			n *= 2
		}
	}
	return best
}

// Lacks says why the port cannot be asked a Case; empty: it can. What no port
// may offer, such as a digest of 65 bytes, can be asked of any with the feature.
func (p *Profile) Lacks(c Case) string {
	needs := make([]string, 0, 4)
	switch c.Verb {
	case VerbCompress:
		needs = append(needs, "compress")
	case VerbXOF:
		needs = append(needs, "xof")
	default:
		if !p.core {
			return "no digests"
		}
		v := p.values(c.Key != nil)
		if c.Size >= 1 && c.Size <= MaxSize && !v.sizes[c.Size] {
			return fmt.Sprintf("no digests of %d bytes", c.Size)
		}
		if c.Size < 1 || c.Size > MaxSize {
			needs = append(needs, "sizes")
		}
		for _, f := range []struct {
			name   string
			value  []byte
			offers *lengths
			max    int
		}{{"keys", c.Key, &p.keys, MaxKeySize}, {"salt", c.Salt, &v.salts, MaxSaltSize}, {"person", c.Person, &v.persons, MaxPersonSize}} {
			if f.value == nil {
				continue
			}
			needs = append(needs, f.name)
			if n := len(f.value); n > 0 && n <= f.max && p.offers(f.name) && !f.offers[n] {
				return fmt.Sprintf("no %s of %d bytes", f.name, n)
			}
		}
		if c.Tree != nil {
			needs = append(needs, "tree")
		}
		if c.T != [2]uint64{} {
			needs = append(needs, "t")
		}
	}
	writes := 0
	for _, s := range c.Steps {
		switch s.Op {
		case OpWrite:
			if writes++; writes == 2 && c.Verb == VerbSum {
				needs = append(needs, "streaming")
			}
		case OpSum:
			if p.sumBroken {
				return "second digests are wrong"
			}
			needs = append(needs, "second-sum")
		case OpSwap:
		default:
			needs = append(needs, string(s.Op))
		}
	}
	for _, f := range needs {
		if !p.offers(f) {
			return "no " + f
		}
	}
	return ""
}

// ask asks the port one Case. A panic is a fault of the port.
func (p *Profile) ask(c Case) (got []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			got, err = nil, fault(fmt.Sprintf("panic: %v", r))
		}
	}()
	return p.Port.Answer(c)
}

// fault is an error that is no refusal: the port panicked.
type fault string

func (f fault) Error() string { return string(f) }
func (f fault) Fault() bool   { return true }

// IsFault says whether an error is no refusal but a failure of the port, as
// when a program crashes: it then has a method Fault that says so.
func IsFault(err error) bool {
	var f interface{ Fault() bool }
	return errors.As(err, &f) && f.Fault()
}

// Right answers a case as a port must: it is what ports are compared with.
func Right(c Case) ([]byte, error) {
	if c.Verb == VerbCompress {
		return Over(variants.All[0]).Answer(c) // which has any number of rounds
	}
	return Over(variants.Default()).Answer(c)
}

// compressInput is a call of F with other words everywhere, and the final flag.
func compressInput(rounds byte) []byte {
	in := append([]byte{0, 0, 0, rounds}, vectors.Cycle(compressSize-4)...)
	in[compressSize-1] = 1
	return in
}
