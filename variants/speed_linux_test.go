package variants_test

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"blake2btest/variants"

	"golang.org/x/sys/cpu"
)

// speedText is SPEED.md, with the machine, the versions of Go and of x/crypto, how
// many samples there are, the aims and the sections of the architectures.
const speedText = `# Speed of the variants

Measured on: %s.

Compiled by %s. AVX2, AVX, SSE4 and purego are the code that
golang.org/x/crypto/blake2b %s has for amd64; x/crypto is that for other
architectures. %d samples were taken of each figure, in turn with the others, and
the least time counts. Ratios change less from machine to machine than speeds do;
what does not change is in [SIZE.md](SIZE.md) and [CACHE.md](CACHE.md). No test
asserts a speed.

This measures the machine at hand, in two minutes, and writes this file and
[cold.svg](cold.svg):

` + "```sh\ngo test ./variants -run='^TestSpeed$' -generate -timeout=1h\n```" + `

benchstat makes other tables, here of x/crypto with and without its assembly:

` + "```sh" + `
go test ./variants -run='^$' -bench=Hash -count=10 >assembly
go test ./variants -run='^$' -bench=Hash -count=10 -tags=purego >purego
go run golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da -row=/size -col=/variant assembly
go run golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da -filter=/variant:xcrypto assembly purego
` + "```" + `

A machine without Go takes a program: ` + "`GOARCH=arm go test -c -o bench ./variants`" + `
makes it, ` + "`./bench -test.run='^$' -test.bench=.`" + ` there runs it.

%s%s`

// A speedTarget is an architecture that this machine runs. Its variants are
// measured along with the first peer, in one process.
type speedTarget struct {
	goarch string
	peers  []peer
}

// A peer is golang.org/x/crypto/blake2b on one of its paths.
type peer struct {
	name, tags, godebug string
	available           bool
	binary              string // of this package's tests
}

// speedTargets returns the architectures that this machine runs.
func speedTargets() []speedTarget {
	whole := []peer{{name: "x/crypto"}}
	if runtime.GOARCH != "amd64" {
		return []speedTarget{{runtime.GOARCH, whole}}
	}
	paths := []peer{
		{name: "AVX2", available: cpu.X86.HasAVX2},
		{name: "AVX", godebug: "cpu.avx2=off", available: cpu.X86.HasAVX},
		{name: "SSE4", godebug: "cpu.avx2=off,cpu.avx=off", available: cpu.X86.HasSSE41},
		{name: "purego", tags: "purego", available: true},
	}
	paths = slices.DeleteFunc(paths, func(p peer) bool { return !p.available })
	return []speedTarget{{"amd64", paths}, {"386", whole}}
}

// aims are what ratios of speeds at 16384 bytes should at least be.
var aims = []struct {
	goarch, of, to string
	least          float64
}{
	{"386", "rolled", "x/crypto", 1.12},
	{"386", "rolled", "unrolled", 0.92},
	{"amd64", "rolled", "purego", 1.10},
	{"amd64", "unrolled", "purego", 1.14},
	{"amd64", "unrolled", "AVX2", 0.86},
}

// TestSpeed writes SPEED.md and cold.svg with -generate. Otherwise it tries that
// everything can be measured.
func TestSpeed(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles benchmarks")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	// BenchmarkCold is slow where other code runs.
	quick, slow, quickTime, slowTime := 1, 1, "1x", "1x"
	if *generate {
		quick, slow, quickTime, slowTime = 60, 10, "2ms", "5x"
	}
	targets := speedTargets()
	for _, target := range targets {
		for i := range target.peers {
			p := &target.peers[i]
			p.binary = testBinary(t, target.goarch, p.tags)
		}
	}
	s := make(speeds)
	for round := range max(quick, slow) {
		for _, target := range targets {
			first := target.peers[0]
			if round < quick {
				s.add(t, target.goarch, first, "^BenchmarkHash$|^BenchmarkCold$/^other=0MiB$", quickTime)
				for _, p := range target.peers[1:] {
					s.add(t, target.goarch, p, "^BenchmarkHash$/^variant=xcrypto$", quickTime)
				}
			}
			if round < slow {
				s.add(t, target.goarch, first, "^BenchmarkCold$/^other=[1-9]", slowTime)
			}
		}
	}

	var sections strings.Builder
	for _, target := range targets {
		sections.WriteString(s.section(target))
	}
	if strings.Contains(sections.String(), "NaN") {
		t.Errorf("figures are missing:\n%s", &sections)
	}
	if !*generate || t.Failed() {
		return
	}
	version := goCommand(t, nil, "env", "GOVERSION")
	xcrypto := goCommand(t, nil, "list", "-m", "-f={{.Version}}", "golang.org/x/crypto")
	text := fmt.Sprintf(speedText, machine(), strings.TrimSpace(version), strings.TrimSpace(xcrypto), quick, s.aims(), &sections)
	if err := os.WriteFile("SPEED.md", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	goCommand(t, nil, "run", "-C=plot", ".")
}

// machine says what the processor is, and how large its caches are.
func machine() string {
	read := func(file string) string {
		b, _ := os.ReadFile(file) // not every machine has every file
		return strings.TrimSpace(string(b))
	}
	var is []string
	info := read("/proc/cpuinfo")
	for _, field := range []string{"model name", "cpu family", "model"} {
		if m := regexp.MustCompile(`(?m)^` + field + `\s*: (.+)`).FindStringSubmatch(info); m != nil {
			is = append(is, strings.TrimPrefix(field+" "+m[1], "model name "))
		}
	}
	caches, err := filepath.Glob("/sys/devices/system/cpu/cpu0/cache/index*")
	if err != nil {
		panic(err)
	}
	for _, c := range caches {
		is = append(is, fmt.Sprintf("L%s %s %s", read(c+"/level"), strings.ToLower(read(c+"/type")), read(c+"/size")))
	}
	return strings.Join(is, ", ")
}

// speeds are the least times in ns of benchmarks, by architecture and name.
type speeds map[string]float64

var benchmarkLine = regexp.MustCompile(`(?m)^Benchmark(\S+)\s+\d+\s+([\d.]+) ns/op`)

// add runs the benchmarks that match a pattern.
func (s speeds) add(t *testing.T, goarch string, p peer, pattern, benchtime string) {
	t.Helper()
	cmd := exec.Command(p.binary, "-test.run=^$", "-test.bench="+pattern, "-test.benchtime="+benchtime)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1", "GODEBUG="+p.godebug)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	for _, m := range benchmarkLine.FindAllStringSubmatch(string(out), -1) {
		key := goarch + "/" + strings.Replace(m[1], "=xcrypto", "="+p.name, 1)
		ns, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		s[key] = min(ns, cmp.Or(s[key], ns))
	}
}

// hash returns the time of BenchmarkHash, NaN if it was not measured.
func (s speeds) hash(goarch, variant string, size int) float64 {
	return s.time("%s/Hash/variant=%s/size=%d", goarch, variant, size)
}

// cold returns the time of BenchmarkCold, by block, NaN if it was not measured.
func (s speeds) cold(goarch string, other int, variant string, blocks int) float64 {
	return s.time("%s/Cold/other=%dMiB/variant=%s/blocks=%d", goarch, other, variant, blocks) / float64(blocks)
}

func (s speeds) time(format string, args ...any) float64 {
	if ns, ok := s[fmt.Sprintf(format, args...)]; ok {
		return ns
	}
	return math.NaN()
}

// aims returns the table of what was aimed at, and is.
func (s speeds) aims() string {
	rows := [][]string{{"speed at 16384 bytes", "aim", "is"}}
	for _, a := range aims {
		is := s.hash(a.goarch, a.to, 16384) / s.hash(a.goarch, a.of, 16384)
		if !math.IsNaN(is) {
			rows = append(rows, []string{fmt.Sprintf("%s, %s / %s", a.goarch, a.of, a.to), fmt.Sprintf("%.2f", a.least), fmt.Sprintf("%.3f", is)})
		}
	}
	return table(rows)
}

// section returns the tables of an architecture.
func (s speeds) section(target speedTarget) string {
	var names []string
	for _, v := range variants.All {
		names = append(names, v.Name)
	}
	var peers []string
	for _, p := range target.peers {
		peers = append(peers, p.name)
	}

	all := slices.Concat(names, peers)
	speed := [][]string{append([]string{"bytes"}, all...)}
	for _, size := range messageSizes {
		row := []string{strconv.Itoa(size)}
		for _, name := range all {
			mbs := 1e3 * float64(size) / s.hash(target.goarch, name, size)
			row = append(row, fmt.Sprintf("%.4g", math.Round(10*mbs)/10))
		}
		speed = append(speed, row)
	}

	others := append(peers, "unrolled")
	ratios := [][]string{append([]string{"speed /"}, others...)}
	for _, name := range names {
		for _, size := range []int{128, 16384} {
			row := []string{fmt.Sprintf("%s, %d bytes", name, size)}
			for _, other := range others {
				ratio := s.hash(target.goarch, other, size) / s.hash(target.goarch, name, size)
				row = append(row, fmt.Sprintf("%.2f", ratio))
			}
			ratios = append(ratios, row)
		}
	}
	text := fmt.Sprintf("\n## %s\n\nMB/s of BLAKE2b-512, and ratios of them:\n\n%s\n%s", target.goarch, table(speed), table(ratios))
	if jump != "" {
		text += s.coldSection(target.goarch, names)
	}
	return text
}

// coldSection returns what is said of BenchmarkCold.
func (s speeds) coldSection(goarch string, names []string) string {
	rows := [][]string{{"blocks"}}
	for _, other := range otherSizes {
		for _, name := range names {
			rows[0] = append(rows[0], fmt.Sprintf("%s, %d", name, other))
		}
	}
	faster := make(map[int]int) // the least blocks from which unrolled is, by other
	for _, blocks := range coldBlocks {
		row := []string{strconv.Itoa(blocks)}
		for _, other := range otherSizes {
			for _, name := range names {
				row = append(row, fmt.Sprintf("%.0f", s.cold(goarch, other, name, blocks)))
			}
			if s.cold(goarch, other, "unrolled", blocks) >= s.cold(goarch, other, "rolled", blocks) {
				faster[other] = 0
			} else if faster[other] == 0 {
				faster[other] = blocks
			}
		}
		rows = append(rows, row)
	}
	var from []string
	for _, other := range otherSizes {
		f := fmt.Sprintf("after %d MiB never", other)
		if faster[other] > 0 {
			f = fmt.Sprintf("after %d MiB from %d", other, faster[other])
		}
		from = append(from, f)
	}
	return fmt.Sprintf("\nns per block of F, by how many blocks a call absorbs and how many MiB of other code\n"+
		"ran before it. By blocks, unrolled is faster than rolled: %s.\n\n%s", strings.Join(from, ", "), table(rows))
}

// table returns rows, the first of which is the head, as Markdown.
func table(rows [][]string) string {
	var b strings.Builder
	for i, row := range rows {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			fmt.Fprintf(&b, "|---|%s\n", strings.Repeat("--:|", len(row)-1))
		}
	}
	return b.String()
}
