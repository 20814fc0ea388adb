package main

import (
	"fmt"
	"strings"

	"blake2btest"
)

// A snippet is how a case is asked in a language, as a whole file.
type snippet struct {
	language string
	write    func(c blake2btest.Case, want []byte) string
}

var snippets = []snippet{{"Go", goSnippet}, {"C", cSnippet}, {"Python", pythonSnippet}}

// goSnippet returns a test of the case.
func goSnippet(c blake2btest.Case, want []byte) string {
	return fmt.Sprintf(`package blake2b_test

import (
	"testing"

	"blake2btest"
	"blake2btest/variants"
)

func TestCase(t *testing.T) {
	const line = %q
	const want = %q
	port := blake2btest.Over(variants.Default()) // put yours here: a blake2btest.MakeHash is a port
	if got := blake2btest.AnswerLine(port, line); got != want {
		t.Errorf("case %%s\n\tgot  %%s\n\twant %%s", line, got, want)
	}
}
`, c, blake2btest.FormatAnswer(c, want))
}

// oneShotLacks says what the one call of RFC 7693, appendix C.1, has no
// argument for; empty: nothing.
func oneShotLacks(c blake2btest.Case) string {
	switch {
	case c.Verb != blake2btest.VerbSum:
		return string(c.Verb)
	case c.Salt != nil:
		return "salt"
	case c.Person != nil:
		return "personalization"
	case c.Tree != nil:
		return "tree parameters"
	case c.T != [2]uint64{}:
		return "counter to start from"
	case len(c.Steps) > 1 || len(c.Steps) == 1 && c.Steps[0].Op != blake2btest.OpWrite:
		return "steps"
	}
	return ""
}

// cSnippet returns a program that asks by the one call.
func cSnippet(c blake2btest.Case, want []byte) string {
	if lacks := oneShotLacks(c); lacks != "" {
		return fmt.Sprintf("/* none: the function blake2b of RFC 7693, appendix C, has no %s */\n", lacks)
	}
	var arrays, fill strings.Builder
	key, in := "NULL, 0", "NULL, 0"
	if c.Key != nil {
		key = `"", 0`
	}
	if len(c.Key) > 0 {
		key = "key, sizeof key"
		fmt.Fprintf(&arrays, "\tstatic const unsigned char key[] = {%s};\n", cBytes(c.Key))
	}
	if len(c.Steps) == 1 && c.Steps[0].Len() > 0 {
		s := c.Steps[0]
		in = "in, sizeof in"
		if s.Count == 0 {
			fmt.Fprintf(&arrays, "\tstatic const unsigned char in[] = {%s};\n", cBytes(s.Data))
		} else {
			fmt.Fprintf(&arrays, "\tstatic const unsigned char unit[] = {%s};\n\tstatic unsigned char in[%d];\n", cBytes(s.Data), s.Len())
			fill.WriteString("\tfor (i = 0; i < sizeof in; i++)\n\t\tin[i] = unit[i % sizeof unit];\n")
		}
	}
	return fmt.Sprintf(`/* %s */
#include <stdio.h>

/* RFC 7693, appendix C.1: link yours. */
int blake2b(void *out, size_t outlen, const void *key, size_t keylen, const void *in, size_t inlen);

int main(void)
{
%s	unsigned char out[%d];
	size_t i;

%s	blake2b(out, sizeof out, %s, %s);
	for (i = 0; i < sizeof out; i++)
		printf("%%02x", out[i]);
	printf("\n"); /* want %x */
	return 0;
}
`, c, arrays.String(), c.Size, fill.String(), key, in, want)
}

func cBytes(b []byte) string {
	var list []string
	for _, v := range b {
		list = append(list, fmt.Sprintf("0x%02x", v))
	}
	return strings.Join(list, ", ")
}

// hashlibLacks says what Python's hashlib.blake2b refuses or has no way to be
// asked; empty: nothing.
func hashlibLacks(c blake2btest.Case) string {
	switch t := c.Tree; {
	case c.Verb != blake2btest.VerbSum:
		return string(c.Verb)
	case c.T != [2]uint64{}:
		return "counter to start from"
	case t != nil && t.MaxDepth == 0:
		return "depth of 0"
	case t != nil && t.InnerSize > blake2btest.MaxSize:
		return fmt.Sprintf("inner size above %d", blake2btest.MaxSize)
	}
	return ""
}

// pythonSnippet returns a program that prints the right answer, a digest a line.
func pythonSnippet(c blake2btest.Case, want []byte) string {
	var b strings.Builder
	if lacks := hashlibLacks(c); lacks != "" {
		fmt.Fprintf(&b, "# hashlib has no %s.\n", lacks)
		for _, s := range c.Steps {
			if s.Op != blake2btest.OpWrite {
				return b.String()
			}
		}
		fmt.Fprintf(&b, "# The module is the file vectors/confirm.py of blake2btest.\nimport confirm\n\nprint(confirm.answer(%q, True)[0].hex())\n", c)
	} else {
		fmt.Fprintf(&b, "# %s\nimport hashlib\n\ndef new():\n    return hashlib.blake2b(%s)\n\nh = new()\n", c, strings.Join(pythonArguments(c.Params), ", "))
		for _, s := range c.Steps {
			b.WriteString(pythonStep(s))
		}
		b.WriteString("print(h.hexdigest())\n")
	}
	b.WriteString("# wanted:\n")
	for _, digest := range strings.Fields(blake2btest.FormatAnswer(c, want))[1:] {
		fmt.Fprintf(&b, "# %s\n", digest)
	}
	return b.String()
}

func pythonArguments(p blake2btest.Params) []string {
	args := []string{fmt.Sprintf("digest_size=%d", p.Size)}
	for _, f := range []struct {
		name  string
		value []byte
	}{{"key", p.Key}, {"salt", p.Salt}, {"person", p.Person}} {
		if f.value != nil {
			args = append(args, fmt.Sprintf(`%s=bytes.fromhex("%x")`, f.name, f.value))
		}
	}
	if t := p.Tree; t != nil {
		args = append(args, fmt.Sprintf("fanout=%d, depth=%d, leaf_size=%d, node_offset=%d, node_depth=%d, inner_size=%d",
			t.Fanout, t.MaxDepth, t.LeafSize, t.NodeOffset, t.NodeDepth, t.InnerSize))
		if t.LastNode {
			args = append(args, "last_node=True")
		}
	}
	return args
}

func pythonStep(s blake2btest.Step) string {
	switch s.Op {
	case blake2btest.OpSum:
		return "print(h.hexdigest())\n"
	case blake2btest.OpReset:
		return "h = new()  # reset\n"
	case blake2btest.OpNew:
		return "aside = new()\n"
	case blake2btest.OpClone:
		return "aside = h.copy()\n"
	case blake2btest.OpSwap:
		return "h, aside = aside, h\n"
	case blake2btest.OpSave:
		return "h = h.copy()  # save: hashlib exports no state\n"
	}
	if s.Count > 1 {
		return fmt.Sprintf("h.update(bytes.fromhex(\"%x\") * %d)\n", s.Data, s.Count)
	}
	return fmt.Sprintf("h.update(bytes.fromhex(\"%x\"))\n", s.Data)
}
