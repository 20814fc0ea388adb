// Package mutants is a catalogue of wrong BLAKE2bs. Each is wrong in one way
// that somebody's was, or could well be: a test suite is as good as the share
// of them that it finds, and a port whose digest is as wrong as a mutant's
// probably has its bug.
//
// Import it for its side effect to have failures of a check name likely causes:
//
//	import _ "blake2btest/mutants"
package mutants

import (
	"bytes"
	"slices"

	"blake2btest"
)

// Unreported is the Seen of a bug that we have thought of ourselves.
const Unreported = "not reported"

// A Mutant is a BLAKE2b that is wrong in one way. Its port gives the same
// answer to a case every time, from any goroutine, unless the bug is just that
// it does not.
type Mutant struct {
	Name string // in a few words
	Bug  string // as a sentence without a full stop
	Seen string // URLs of reports, parted by spaces, the kind K00 of a class of reports, FINDINGS.md and a port, or Unreported

	// Port has a method New that is a MakeHash, or is a MakeHash, unless its
	// fault is in variables of the process.
	Port blake2btest.Port

	// Control says that there is no bug, only the looks of one: who finds it
	// wrong is wrong.
	Control bool

	// Long says that it takes gigabytes to find it, as only level long has them.
	Long bool
}

// All is the catalogue.
var All = slices.Concat(
	asPorts(limits),
	asPorts(blocks),
	asPorts(keys),
	constructions,
	asPorts(messages),
	asLong(longWrites),
	asPorts(buffers),
	asPorts(counters),
	asPorts(endings),
	asPorts(operations),
	asProcesses(shared),
	asPorts(xofs),
	asPorts(calls),
	asPorts(cores),
	controls,
	asPorts(conduct),
)

// fault is a change to the right recipe.
type fault struct {
	name, bug, seen string
	change          func(r *recipe)
}

func (f fault) recipe() *recipe {
	r := right()
	f.change(r)
	return r
}

func (f fault) mutant(p blake2btest.Port) Mutant {
	return Mutant{Name: f.name, Bug: f.bug, Seen: f.seen, Port: p}
}

// asLong is for faults that only gigabytes show.
func asLong(faults []fault) []Mutant {
	list := asPorts(faults)
	for i := range list {
		list[i].Long = true
	}
	return list
}

func asPorts(faults []fault) (list []Mutant) {
	for _, f := range faults {
		list = append(list, f.mutant(f.recipe()))
	}
	return list
}

// asProcesses is for faults that live in variables of the process: they are
// made anew for each case, as if the process were, so that answers do not
// depend on the cases before.
func asProcesses(faults []fault) (list []Mutant) {
	for _, f := range faults {
		list = append(list, f.mutant(process(f.recipe)))
	}
	return list
}

type process func() *recipe

func (p process) Answer(c blake2btest.Case) ([]byte, error) { return p().Answer(c) }

func init() {
	blake2btest.RegisterDiagnosis(func(c blake2btest.Case, got []byte) (causes []blake2btest.Cause) {
		for _, m := range Diagnose(c, got) {
			causes = append(causes, blake2btest.Cause{Name: m.Name, Bug: m.Bug})
		}
		return causes
	})
}

// diagnosable is how many blocks a case may have to be asked of all mutants.
const diagnosable = 1 << 13

// Diagnose returns the mutants that answer c with got, unless got is right. It
// gives up on cases of more than 1 MiB.
func Diagnose(c blake2btest.Case, got []byte) (causes []Mutant) {
	if c.Validate() != nil || work(c) > diagnosable || answers(right(), c, got) {
		return nil
	}
	for _, m := range All {
		if !m.Control && answers(m.Port, c, got) {
			causes = append(causes, m)
		}
	}
	return causes
}

// answers says whether the answer of p is want. Some mutants panic.
func answers(p blake2btest.Port, c blake2btest.Case, want []byte) (same bool) {
	defer func() {
		if recover() != nil {
			same = false
		}
	}()
	got, err := p.Answer(c)
	return err == nil && bytes.Equal(got, want)
}
