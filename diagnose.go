package blake2btest

import "sync"

// A Cause is a known bug that gives the same wrong answer as a port.
type Cause struct {
	Name string // of the mutant
	Bug  string // what it does wrong, as a sentence without a full stop
}

var diagnoses struct {
	sync.Mutex
	list []func(c Case, got []byte) []Cause
}

// RegisterDiagnosis adds a function that names likely causes of a wrong answer.
// Package mutants registers its own: import it for that alone.
func RegisterDiagnosis(f func(c Case, got []byte) []Cause) {
	diagnoses.Lock()
	defer diagnoses.Unlock()
	diagnoses.list = append(diagnoses.list, f)
}

// Diagnose returns the causes that the registered functions name.
func Diagnose(c Case, got []byte) (causes []Cause) {
	diagnoses.Lock()
	defer diagnoses.Unlock()
	for _, f := range diagnoses.list {
		causes = append(causes, f(c, got)...)
	}
	return causes
}
