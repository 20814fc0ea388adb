package mutants

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"blake2btest"
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

// record returns what kills.txt has to be. It leaves out the check whose goroutines
// share their input: what a mutant does to it shows by chance.
func (s *Score) record() string {
	byChance := slices.IndexFunc(s.Checks, func(c *blake2btest.Check) bool { return c.Name == "go/goroutines" })
	var names []string
	for _, c := range s.Checks {
		names = append(names, c.Name)
	}
	lines := []string{strings.Join(slices.Delete(names, byChance, byChance+1), " ")}
	for _, r := range s.Rows {
		cells := slices.Clone(r.Cells)
		for i, c := range cells {
			if c != Dead {
				cells[i] = Alive
			}
		}
		lines = append(lines, r.Mutant.Name+" "+string(slices.Delete(cells, byChance, byChance+1)))
	}
	return strings.Join(lines, "\n") + "\n"
}
