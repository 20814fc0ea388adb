package variants_test

import (
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"blake2btest"
	"blake2btest/internal/require"
	"blake2btest/variants"
)

//go:generate go test -run=^TestCache$ . -generate

var chainBlocks = flag.Int("blocks", 1000, "how many blocks TestChain has each variant absorb")

// TestChain tests that all variants absorb the same blocks into the same state.
// TestCache has it run where instructions are counted.
func TestChain(t *testing.T) {
	message := make([]byte, *chainBlocks*blake2btest.BlockSize)
	for i := range message {
		message[i] = byte(i % 251)
	}
	var want [8]uint64
	for i, v := range variants.All {
		var h [8]uint64
		v.Compress(&h, message, firstBlock, [2]uint64{})
		if i == 0 {
			want = h
		}
		if h != want {
			t.Errorf("after %d blocks %s has %x, %s has %x", *chainBlocks, v.Name, h, variants.All[0].Name, want)
		}
	}
}

// cacheText is CACHE.md, with the version of Go and the rows of the table.
const cacheText = `# Instructions and cache misses of the variants

How many instructions the compression function executes for a block, as compiled
by %s for Linux, and how often the cache of instructions lacks the next one.
valgrind's cachegrind counts, with a cache of 16 KiB: lines of 64 bytes, four to
a set. On arm and arm64 QEMU counts, to the nearest ten, and has no cache. Written
by ` + "`go generate ./variants`" + ` and checked by TestCache.

| GOARCH | rolled: instructions | misses | unrolled: instructions | misses | small: instructions | misses |
|---|--:|--:|--:|--:|--:|--:|
%s
What fits into the cache is missed by the first of a thousand blocks, and hardly
again. unrolled on 386 does not fit: each of its lines is missed for each block.
What that costs in time, on a processor that fetches ahead, is in
[SPEED.md](SPEED.md).
`

var cacheVersion = regexp.MustCompile(`compiled\sby (go\S+)`)

// A cacheTarget is a row of CACHE.md. qemu is the program that counts where
// cachegrind cannot; all of Go's library is then compiled, too.
type cacheTarget struct{ goarch, qemu string }

var cacheTargets = []cacheTarget{{"386", ""}, {"amd64", ""}, {"arm", "qemu-arm"}, {"arm64", "qemu-aarch64"}}

// TestCache tests that rolled stays in a cache of 16 KiB, and that CACHE.md has
// the instructions of each variant within 2 %. It counts those of every target if
// CI is set, BLAKE2BTEST_REQUIRE lists the program, or CACHE.md is to be written.
func TestCache(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles tests and runs them in valgrind")
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("needs Linux on amd64, which runs 386, too")
	}
	for _, tool := range []string{"go", "valgrind"} {
		if _, err := exec.LookPath(tool); err != nil {
			require.Skip(t, tool, err.Error())
		}
	}
	old, err := os.ReadFile("CACHE.md")
	if err != nil && !*generate {
		t.Fatalf("%v\nrun: go generate ./variants", err)
	}
	version := strings.TrimSpace(goCommand(t, nil, "env", "GOVERSION"))
	compared := !*generate
	if m := cacheVersion.FindSubmatch(old); m != nil && string(m[1]) != version {
		compared = false
		t.Logf("CACHE.md has the instructions of %s, not of %s", m[1], version)
	}

	rows := make([]string, len(cacheTargets))
	counted := t.Run("count", func(t *testing.T) {
		for i, target := range cacheTargets {
			rows[i] = string(regexp.MustCompile(`(?m)^\| ` + target.goarch + ` .*\n`).Find(old))
			if target.qemu != "" && !require.Listed(target.qemu) && !*generate && os.Getenv("CI") == "" {
				continue
			}
			t.Run(target.goarch, func(t *testing.T) {
				t.Parallel()
				costs := target.costs(t)
				if compared {
					compareCosts(t, costs, rows[i])
				}
				if got := costs["rolled"].misses; got > 0.5 {
					t.Errorf("rolled misses the cache %.2f times for a block, want at most 0.5", got)
				}
				rows[i] = "| " + target.goarch
				for _, v := range variants.All {
					rows[i] += " | " + costs[v.Name].String()
				}
				rows[i] += " |\n"
			})
		}
	})
	if !*generate || !counted {
		return
	}
	if err := os.WriteFile("CACHE.md", fmt.Appendf(nil, cacheText, version, strings.Join(rows, "")), 0o666); err != nil {
		t.Fatal(err)
	}
}

// compareCosts compares instructions with those of a row of CACHE.md.
func compareCosts(t *testing.T, costs map[string]cost, row string) {
	cells := strings.Split(row, " | ")
	for i, v := range variants.All {
		recorded := "none"
		if at := 1 + 2*i; at < len(cells) {
			recorded = cells[at]
		}
		got := costs[v.Name].instructions
		if want, err := strconv.ParseFloat(recorded, 64); err != nil || math.Abs(got/want-1) > 0.02 {
			t.Errorf("%s executes %.0f instructions for a block, CACHE.md has %s\nrun: go generate ./variants", v.Name, got, recorded)
		}
	}
}

// A cost is what a variant takes for a block.
type cost struct {
	instructions float64
	misses       float64 // of the cache of instructions, NaN if there was none
}

// String returns two cells of CACHE.md.
func (c cost) String() string {
	if math.IsNaN(c.misses) {
		return fmt.Sprintf("%.0f | –", c.instructions)
	}
	return fmt.Sprintf("%.0f | %.0f", c.instructions, c.misses)
}

// costs returns what the variants take, by name.
func (target cacheTarget) costs(t *testing.T) map[string]cost {
	if target.qemu != "" {
		if _, err := exec.LookPath(target.qemu); err != nil {
			require.Skip(t, target.qemu, err.Error())
		}
	}
	binary := testBinary(t, target.goarch, "")
	var costs map[string]cost
	if target.qemu == "" {
		costs = cachegrind(t, binary)
	} else {
		costs = emulate(t, target.qemu, binary)
	}
	for _, v := range variants.All {
		if costs[v.Name].instructions == 0 {
			t.Fatalf("no instructions of %s were counted", v.Name)
		}
	}
	return costs
}

// testBinary compiles the tests of this package.
func testBinary(t *testing.T, goarch, tags string) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "variants.test")
	env := []string{"GOARCH=" + goarch}
	for _, target := range sizeTargets {
		if target.goarch == goarch {
			env = append(env, target.level)
		}
	}
	goCommand(t, env, "test", "-c", "-tags="+tags, "-o="+binary, ".")
	return binary
}

// ofVariant finds the variant in the name of a function, at the end of a line.
var ofVariant = regexp.MustCompile(`blake2btest/variants/(\w+)\.\w+$`)

// cachegrind has valgrind count. It writes a line with the name of each function,
// then one for each line of the source, with what that costs.
func cachegrind(t *testing.T, binary string) map[string]cost {
	const blocks = 1000
	out := runChain(t, binary, blocks, "valgrind", "--tool=cachegrind", "--I1=16384,4,64", "--cachegrind-out-file=OUT")
	if events := "\nevents: Ir I1mr "; !strings.Contains(out, events) {
		t.Fatalf("cachegrind does not write %q:\n%.1000s", events, out)
	}
	costs := make(map[string]cost)
	variant := ""
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "fn="); ok {
			variant = ""
			if m := ofVariant.FindStringSubmatch(name); m != nil {
				variant = m[1]
			}
		}
		var number, instructions, misses float64
		if n, _ := fmt.Sscan(line, &number, &instructions, &misses); variant != "" && n == 3 {
			c := costs[variant]
			costs[variant] = cost{c.instructions + instructions/blocks, c.misses + misses/blocks}
		}
	}
	return costs
}

// emulate has qemu count. It writes a line for each instruction, with the name of
// the function at its end; a few more or less where there was a signal.
func emulate(t *testing.T, qemu, binary string) map[string]cost {
	const blocks = 10
	symbols := goCommand(t, nil, "tool", "nm", "-size", binary)
	var functions []string
	for _, m := range regexp.MustCompile(`(\w+) +(\d+) T blake2btest/variants/`).FindAllStringSubmatch(symbols, -1) {
		functions = append(functions, "0x"+m[1]+"+"+m[2])
	}
	out := runChain(t, binary, blocks, qemu, "-singlestep", "-d", "exec,nochain", "-dfilter", strings.Join(functions, ","), "-D", "OUT")
	lines := make(map[string]int)
	for line := range strings.Lines(out) {
		if m := ofVariant.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			lines[m[1]]++
		}
	}
	costs := make(map[string]cost)
	for variant, n := range lines {
		costs[variant] = cost{10 * math.Round(float64(n)/blocks/10), math.NaN()}
	}
	return costs
}

// runChain runs TestChain under a command, and returns what that writes to OUT.
func runChain(t *testing.T, binary string, blocks int, command ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "out")
	for i, arg := range command {
		command[i] = strings.Replace(arg, "OUT", file, 1)
	}
	command = append(command, binary, "-test.run=^TestChain$", fmt.Sprintf("-blocks=%d", blocks))
	cmd := exec.Command(command[0], command[1:]...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	out, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
