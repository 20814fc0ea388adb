package mutants

import (
	_ "embed"
	"strings"
	"sync"
)

// kills.txt is what TestScore -generate finds. Its first line has the checks; each
// other a mutant, and for each check in turn an x if it kills.
//
//go:generate go test -run ^TestScore$ -generate
//go:embed kills.txt
var kills string

// Killers returns, for each mutant by name, the checks that kill it at level full:
// of a cheaper level, if one of these does. It is a record of Run, which takes a
// minute to find it out.
var Killers = sync.OnceValue(func() map[string][]string {
	head, rest, _ := strings.Cut(kills, "\n")
	checks := strings.Fields(head)
	killers := make(map[string][]string)
	for line := range strings.Lines(rest) {
		name, cells, _ := strings.Cut(strings.TrimSpace(line), " ")
		killers[name] = nil
		for i, c := range []byte(cells) {
			if c == byte(Dead) {
				killers[name] = append(killers[name], checks[i])
			}
		}
	}
	return killers
})

// record returns what kills.txt has to be.
func (s *Score) record() string {
	var b strings.Builder
	for i, c := range s.Checks {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(c.Name)
	}
	b.WriteByte('\n')
	for _, r := range s.Rows {
		b.WriteString(r.Mutant.Name + " ")
		for _, c := range r.Cells {
			if c != Dead {
				c = Alive
			}
			b.WriteByte(byte(c))
		}
		b.WriteByte('\n')
	}
	return b.String()
}
