package subprocess

import (
	"fmt"
	"strings"
)

// probes are requests by which a broken adapter is told from a broken port: no
// answer depends on a hash. An adapter that answers unknown words as if it had
// understood them makes every verdict on its port worthless; one that refuses
// them in another way than it should does not.
var probes = []struct {
	line, has, want string
	tolerated       string // with a warning; "unsupported" is, without
}{
	{line: "hash : 61", has: "an unknown verb", want: "unsupported", tolerated: "error"},
	{line: "sum color=00 : 61", has: "an unknown key", want: "unsupported", tolerated: "error"},
	{line: "sum : 61 turn", has: "an unknown step", want: "unsupported", tolerated: "error"},
	{line: "sum size=64 size=64 : 61", has: "a key given twice", want: "error", tolerated: "ok"},
}

// checkAdapter asks a fresh process what it is, and then the probes all at once:
// an adapter has to keep what it reads beyond a line.
func (p *Port) checkAdapter() error {
	p.process.write("about")
	line, err := p.process.line(p.timeout)
	switch {
	case err != nil:
		return fmt.Errorf("broken adapter: to about: %w", err)
	case !isAbout(line):
		return fmt.Errorf("broken adapter: its first line, to answer about, is %s, not %q", quote(line), aboutForm)
	}
	p.name, p.version = p.itself(line, "name"), p.itself(line, "version")

	for _, a := range probes {
		p.process.write(a.line)
	}
	p.process.write("about")
	for _, a := range probes {
		line, err := p.process.line(p.timeout)
		if err != nil {
			return fmt.Errorf("broken adapter: to %q, with more lines written behind it: %w", a.line, err)
		}
		problem := fmt.Sprintf("to %q it answers %s, but %s is to be answered %q", a.line, quote(line), a.has, a.want)
		switch word, _, _ := strings.Cut(string(line), " "); {
		case word == a.want, word == "unsupported":
		case word == a.tolerated && !isAbout(line):
			p.warnings = append(p.warnings, problem)
		default:
			return fmt.Errorf("broken adapter: %s", problem)
		}
	}
	switch line, err := p.process.line(p.timeout); {
	case err != nil:
		return fmt.Errorf("broken adapter: to about, after other lines: %w", err)
	case !isAbout(line):
		return fmt.Errorf("broken adapter: a line too many: where the answer to about is due, it writes %s", quote(line))
	}
	return nil
}

// itself returns what a program says of itself.
func (p *Port) itself(about []byte, key string) string {
	if v := value(printable(string(about)), key); v != "" {
		return v
	}
	p.warnings = append(p.warnings, fmt.Sprintf("its answer to about has no word %s=…", key))
	return "unknown"
}
