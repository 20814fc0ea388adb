package variants_test

import (
	"cmp"
	"debug/elf"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// tableText is TABLE.md, with the flags, the rows of its tables, and the CPU.
const tableText = `# The kernel's table

In December 2025 the Linux kernel rolled up the rounds of BLAKE2b for machines of 32
bits ("lib/crypto: blake2b: Roll up BLAKE2b round loop on 32-bit", Message-ID
20251203190652.144076-1-ebiggers@kernel.org). Here are the figures of that change, and
this project's in C and in Go. Written by

` + "```sh\ngo test ./variants -run='^TestTable$' -generate\n```" + `

and, but for the speeds, checked by TestTable where the same compilers are installed.

- kernel: what the change's message says. It does not name the compilers' versions.
- C, blocks: [blake2b.c](c/blake2b.c) inside a loop over the blocks of a message, in one
  function, as the kernel has it ([blocks.c](c/blocks.c)).
- C: blake2b.c as it is, a function of one block.
- Go: the packages rolled and unrolled, which have that loop, too, from [SIZE.md](SIZE.md).

The flags for C are like the kernel's:

%s
## Code and stack

Bytes of the function, without its constants, and of its frame as the compiler states it.

| machine | what       | compiler     | unrolled | rolled | unrolled / rolled | unrolled, frame | rolled, frame |
|---------|------------|--------------|---------:|-------:|------------------:|----------------:|--------------:|
%s
Most of the frame that gcc makes for unrolled on i386, and much of the code, is not for
the rounds but for the loop around them: a function of one block is without.

## Speed

MB/s over 16,384 bytes, all of it in the cache: the best of many passes, all programs in
turn, on %s.

| machine | what       | compiler     | unrolled | rolled | unrolled / rolled |
|---------|------------|--------------|---------:|-------:|------------------:|
%s`

var tableCPU = regexp.MustCompile(`in\sturn, on (.*)\.\n`)

// plainFlags are those that the machines of TABLE.md have in common.
const plainFlags = "-O2 -fno-pic -fomit-frame-pointer -fno-stack-protector -fno-asynchronous-unwind-tables "

// tableMachines are the machines of TABLE.md, and what the message of the kernel's
// change says of them.
var tableMachines = []struct {
	name, goarch, flags string
	kernel              []kernelFigures
}{
	{"x86_64", "amd64", plainFlags + "-mno-sse -mno-avx -mcmodel=kernel -mno-red-zone", []kernelFigures{
		{compiler: "gcc", code: pair{7024, 1584}, speed: pair{1960, 1396}},
		{compiler: "clang", code: pair{6848, 1696}, speed: pair{1920, 1263}},
	}},
	{"i386", "386", plainFlags + "-march=i686 -mtune=generic -mno-sse -mno-mmx -msoft-float", []kernelFigures{
		{compiler: "gcc", code: pair{27584, 3632}, speed: pair{351, 340}},
		{compiler: "clang", code: pair{18208, 3248}, speed: pair{442, 375}},
	}},
	// Debian's headers are for floating point in registers alone: __ARM_PCS_VFP says that it is so.
	{"arm", "arm", plainFlags + "-marm -march=armv7-a -mfloat-abi=soft -D__ARM_PCS_VFP", []kernelFigures{
		{compiler: "gcc", code: pair{19912, 2860}},
		{compiler: "clang", code: pair{21336, 3344}},
	}},
}

type kernelFigures struct {
	compiler    string
	code, speed pair // bytes, and MB/s at 16384 bytes
}

// shapes are the functions that are measured of the C, each with the object that has
// it, and the objects that make a blake2b_compress_blocks.
var shapes = [...]struct {
	what, function, object string
	program                []string
}{
	{"C, blocks", "blake2b_compress_blocks", "inside", []string{"inside"}},
	{"C", "blake2b_compress", "blake2b", []string{"blake2b", "blocks"}},
}

// sources are what the objects are compiled from.
var sources = map[string][]string{
	"blake2b": {"blake2b.c"},
	"blocks":  {"blocks.c"},
	"inside":  {"-DINSIDE", "blocks.c"},
}

// A pair has figures in the order of forms; 0 is unknown.
type pair [2]int

func (p pair) ratio() float64 { return float64(p[0]) / float64(p[1]) }

func (p pair) cells(widths [2]int) string {
	var cells [2]string
	for i, n := range p {
		cells[i] = fmt.Sprintf("%*s", widths[i], cmp.Or(strings.TrimPrefix(strconv.Itoa(n), "0"), "-"))
	}
	return strings.Join(cells[:], " | ")
}

// A tableRow is a row of either table.
type tableRow struct{ machine, what, compiler, cells string }

func (r *tableRow) String() string {
	return fmt.Sprintf("| %-7s | %-10s | %-12s | %s |\n", r.machine, r.what, r.compiler, r.cells)
}

func (r *tableRow) setCode(code, frame pair) *tableRow {
	r.cells = fmt.Sprintf("%s | %17.1f | %s", code.cells([2]int{8, 6}), code.ratio(), frame.cells([2]int{15, 13}))
	return r
}

func (r *tableRow) setSpeed(speed pair) *tableRow {
	r.cells = fmt.Sprintf("%s | %17.2f", speed.cells([2]int{8, 6}), speed.ratio())
	return r
}

// oldRow returns a row that a table has, with the compiler's version in it.
func oldRow(table, machine, what, compiler string) *tableRow {
	m := regexp.MustCompile(`(?m)^\| ` + machine + ` +\| ` + what + ` +\| (` + compiler + `[ .][\d.]+) +\| (.*) \|$`).FindStringSubmatch(table)
	if m == nil {
		return &tableRow{machine, what, compiler, "none"}
	}
	return &tableRow{machine, what, m[1], m[2]}
}

// toolchainRows are what a toolchain makes, a row for each shape. Where the kernel's
// change has no speeds, they are nil.
type toolchainRows struct {
	tc          *toolchain
	flags       []string
	dir         string // of its files
	code, speed [len(shapes)]*tableRow
}

// TestTable tests that TABLE.md is fresh, as far as the compilers are there that it
// has figures of.
func TestTable(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles with many compilers")
	}
	data, err := os.ReadFile("TABLE.md")
	if err != nil && !*generate {
		t.Fatalf("%v\nrun: go test ./variants -run='^TestTable$' -generate", err)
	}
	old := string(data)
	oldCode, oldSpeed, _ := strings.Cut(old, "## Speed\n")

	var flags strings.Builder
	var code, speed []*tableRow
	var all []*toolchainRows
	dir := t.TempDir()
	for _, m := range tableMachines {
		fmt.Fprintf(&flags, "- %s: `%s`\n", m.name, m.flags)
		for _, k := range m.kernel {
			code = append(code, (&tableRow{m.name, "kernel", k.compiler, ""}).setCode(k.code, pair{}))
			if k.speed != (pair{}) {
				speed = append(speed, (&tableRow{m.name, "kernel", k.compiler, ""}).setSpeed(k.speed))
			}
			for _, tc := range toolchains {
				if kind, _, _ := strings.Cut(tc.compiler, " "); tc.machine != m.name || kind != k.compiler {
					continue
				}
				c := &toolchainRows{tc: tc, flags: strings.Fields(m.flags), dir: filepath.Join(dir, tc.machine+" "+tc.compiler)}
				for i, s := range shapes {
					c.code[i] = oldRow(oldCode, tc.machine, s.what, tc.compiler)
					code = append(code, c.code[i])
					if k.speed != (pair{}) {
						c.speed[i] = oldRow(oldSpeed, tc.machine, s.what, tc.compiler)
						speed = append(speed, c.speed[i])
					}
				}
				all = append(all, c)
			}
		}
		code = append(code, goRow(t, m.name, m.goarch))
	}

	measured := t.Run("measure", func(t *testing.T) {
		for _, c := range all {
			t.Run(c.tc.machine+"/"+c.tc.compiler, func(t *testing.T) {
				t.Parallel()
				version := c.tc.version(t)
				if was := c.code[0].compiler; was != version && !*generate {
					t.Skipf("TABLE.md has the figures of %s, not of %s", was, version)
				}
				c.measureCode(t, version)
			})
		}
	})
	if !measured {
		return
	}

	t.Run("table", func(t *testing.T) {
		cpu := "?"
		if m := tableCPU.FindStringSubmatch(oldSpeed); m != nil {
			cpu = m[1]
		}
		if *generate {
			cpu = measureSpeed(t, all)
		}
		text := fmt.Sprintf(tableText, &flags, lines(code), cpu, lines(speed))
		if *generate {
			if err := os.WriteFile("TABLE.md", []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			return
		}
		if diff := gocmp.Diff(strings.Split(old, "\n"), strings.Split(text, "\n")); diff != "" {
			t.Errorf("TABLE.md is stale (-file, +measured):\n%s\nrun: go test ./variants -run='^TestTable$' -generate", diff)
		}
	})
}

func lines(rows []*tableRow) string {
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprint(&b, r)
	}
	return b.String()
}

// goRow makes a row of the one in SIZE.md, which TestSize checks.
func goRow(t *testing.T, machine, goarch string) *tableRow {
	t.Helper()
	size, err := os.ReadFile("SIZE.md")
	if err != nil {
		t.Fatal(err)
	}
	version := sizeVersion.FindSubmatch(size)
	row := regexp.MustCompile(`(?m)^\| ` + goarch + ` +\| +(\d+) \| +(\d+) \| +(\d+) \| +(\d+) \|`).FindSubmatch(size)
	if version == nil || row == nil {
		t.Fatalf("SIZE.md has no version or no row for %s", goarch)
	}
	var n [4]int // rolled and its frame, unrolled and its frame
	for i := range n {
		n[i], _ = strconv.Atoi(string(row[i+1])) // which are digits
	}
	return (&tableRow{machine, "Go", string(version[1]), ""}).setCode(pair{n[2], n[0]}, pair{n[3], n[1]})
}

// object compiles one of the objects, with a flag for its form, and returns its name
// without the end.
func (c *toolchainRows) object(t *testing.T, name, formFlag string) string {
	t.Helper()
	file := filepath.Join(c.dir, name+formFlag)
	c.tc.compile(t, slices.Concat(c.flags, strings.Fields(formFlag), []string{"-std=c99", "-fstack-usage", "-c", "-o", file + ".o"}, sources[name])...)
	return file
}

// measureCode sets the rows of code.
func (c *toolchainRows) measureCode(t *testing.T, version string) {
	if err := os.Mkdir(c.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for i, s := range shapes {
		var code, frame pair
		for j, form := range forms {
			file := c.object(t, s.object, unrollFlag(form))
			usage, err := os.ReadFile(file + ".su")
			if err != nil {
				t.Fatal(err)
			}
			code[j] = functionSize(t, file+".o", s.function)
			frame[j] = submatch(t, string(usage), `(?m):`+s.function+`\t(\d+)\t`)
		}
		c.code[i].compiler = version
		c.code[i].setCode(code, frame)

		// Unrolled is what there is without a flag where a word has 64 bits.
		want := code[1]
		if c.tc.machine == "x86_64" {
			want = code[0]
		}
		if got := functionSize(t, c.object(t, s.object, "")+".o", s.function); got != want {
			t.Errorf("%s without BLAKE2B_UNROLL has %d bytes, want %d", s.function, got, want)
		}
	}
}

// functionSize returns the size of the only function of an object. Others would have
// a part of its code.
func functionSize(t *testing.T, object, name string) int {
	t.Helper()
	f, err := elf.Open(object)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	size := 0
	for _, s := range symbols {
		switch {
		case elf.ST_TYPE(s.Info) != elf.STT_FUNC:
		case s.Name == name:
			size = int(s.Size)
		default:
			t.Fatalf("%s has a function %s beside %s", object, s.Name, name)
		}
	}
	if size == 0 {
		t.Fatalf("%s has no function %s", object, name)
	}
	return size
}

// measureSpeed sets the rows of speed, and returns the name of the CPU.
func measureSpeed(t *testing.T, all []*toolchainRows) string {
	type program struct {
		file  string
		nanos int
		row   *tableRow
		form  int
	}
	var programs []*program
	for _, c := range all {
		version := c.code[0].compiler
		for i, row := range c.speed {
			if row == nil {
				continue
			}
			row.compiler = version
			for j, form := range forms {
				p := &program{filepath.Join(c.dir, fmt.Sprint(i, form)), math.MaxInt, row, j}
				args := []string{"-O2", "-static", "-o", p.file, "speed.c"}
				for _, name := range shapes[i].program {
					args = append(args, c.object(t, name, unrollFlag(form))+".o")
				}
				c.tc.compile(t, args...)
				programs = append(programs, p)
			}
		}
	}
	for range 40 {
		for _, p := range programs {
			out, err := exec.Command(p.file).Output()
			if err != nil {
				t.Fatal(err)
			}
			p.nanos = min(p.nanos, submatch(t, string(out), `^(\d+)\n$`))
		}
	}
	speeds := make(map[*tableRow]*pair)
	for _, p := range programs {
		if speeds[p.row] == nil {
			speeds[p.row] = new(pair)
		}
		speeds[p.row][p.form] = int(math.Round(16384e3 / float64(p.nanos)))
	}
	for row, speed := range speeds {
		row.setSpeed(*speed)
	}
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?m)^model name\s*: (.*)$`).FindSubmatch(info)
	if m == nil {
		return "an unknown CPU"
	}
	return string(m[1])
}
