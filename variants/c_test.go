package variants_test

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"blake2btest"
	"blake2btest/internal/require"
	"blake2btest/subprocess"
)

// A toolchain compiles C for a machine, and runs what it compiled.
type toolchain struct {
	machine  string
	compiler string   // what it is, to its major version where that is in its command
	command  []string // with what makes it compile for the machine
	emulator string
}

var toolchains = []*toolchain{
	{machine: "x86_64", compiler: "gcc", command: []string{"gcc", "-m64"}},
	{machine: "x86_64", compiler: "clang 14", command: []string{"clang-14", "-m64"}},
	{machine: "x86_64", compiler: "clang 19", command: []string{"clang-19", "-m64"}},
	{machine: "i386", compiler: "gcc", command: []string{"gcc", "-m32"}},
	{machine: "i386", compiler: "clang 14", command: []string{"clang-14", "-m32"}},
	{machine: "i386", compiler: "clang 19", command: []string{"clang-19", "-m32"}},
	{machine: "arm", compiler: "gcc", command: []string{"arm-linux-gnueabihf-gcc"}, emulator: "qemu-arm"},
	{machine: "arm", compiler: "clang 14", command: []string{"clang-14", "--target=arm-linux-gnueabihf"}, emulator: "qemu-arm"},
	{machine: "arm", compiler: "clang 19", command: []string{"clang-19", "--target=arm-linux-gnueabihf"}, emulator: "qemu-arm"},
	{machine: "s390x", compiler: "gcc", command: []string{"s390x-linux-gnu-gcc"}, emulator: "qemu-s390x"},
	{machine: "s390x", compiler: "clang 19", command: []string{"clang-19", "--target=s390x-linux-gnu"}, emulator: "qemu-s390x"},
}

var compilerVersion = regexp.MustCompile(`\d+\.\d+\.\d+`)

// version returns the compiler's name and version, such as "gcc 12.2.0". Without
// a compiler, a C library for its machine, or its emulator, it ends the test.
func (tc *toolchain) version(t *testing.T) string {
	t.Helper()
	if runtime.GOOS != "linux" {
		require.Skip(t, "ccross", "the programs are for Linux")
	}
	out, err := tc.cc("--version").Output()
	if err != nil {
		require.Skip(t, "ccross", err.Error())
	}
	line, _, _ := strings.Cut(string(out), "\n")
	versions := compilerVersion.FindAllString(line, -1) // a distribution's own may come first
	if versions == nil {
		t.Fatalf("%s has no version in %q", tc.command[0], line)
	}
	program := filepath.Join(t.TempDir(), "nothing")
	cmd := tc.cc("-static", "-x", "c", "-o", program, "-")
	cmd.Stdin = strings.NewReader("#include <stdio.h>\nint main(void) { return puts(\"\") < 0; }\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		require.Skip(t, "ccross", cmd.String()+": "+err.Error()+"\n"+string(out))
	}
	if out, err := tc.run(program).CombinedOutput(); err != nil {
		require.Skip(t, "ccross", tc.run(program).String()+": "+err.Error()+"\n"+string(out))
	}
	kind, _, _ := strings.Cut(tc.compiler, " ")
	return kind + " " + versions[len(versions)-1]
}

// cc is the compiler with arguments, run where the C is.
func (tc *toolchain) cc(args ...string) *exec.Cmd {
	cmd := exec.Command(tc.command[0], slices.Concat(tc.command[1:], args)...)
	cmd.Dir = "c"
	return cmd
}

// compile runs the compiler, which may not say anything.
func (tc *toolchain) compile(t *testing.T, args ...string) {
	t.Helper()
	cmd := tc.cc(args...)
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
}

// run runs a program for the machine.
func (tc *toolchain) run(program string) *exec.Cmd {
	if tc.emulator == "" {
		return exec.Command(program)
	}
	return exec.Command(tc.emulator, program)
}

// forms are the values of BLAKE2B_UNROLL.
var forms = [2]string{"unrolled", "rolled"}

func unrollFlag(form string) string {
	if form == "unrolled" {
		return "-DBLAKE2B_UNROLL=1"
	}
	return "-DBLAKE2B_UNROLL=0"
}

// TestC checks the compressor in C, in both forms, as a port: on machines of 32 and
// 64 bits and of either byte order.
func TestC(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles with many compilers, and runs under QEMU")
	}
	options := blake2btest.Options{
		Require: []string{"sizes", "keys", "salt", "person", "tree", "streaming", "second-sum", "reset", "new", "clone", "t", "compress"},
		Cache:   new(blake2btest.Cache),
	}
	if require.Listed("ccross") {
		options.Budget = 10 * time.Minute // all that level quick has, however slow the emulator
	}
	for _, tc := range toolchains {
		t.Run(tc.machine+"/"+tc.compiler, func(t *testing.T) {
			t.Parallel()
			tc.version(t)
			strict := strings.Fields("-Wall -Wextra -Wpedantic -Wconversion -Werror -O2 -c -o /dev/null")
			tc.compile(t, slices.Concat(strict, []string{"-std=c99", "blake2b.c"})...)
			for _, form := range forms {
				t.Run(form, func(t *testing.T) {
					program := filepath.Join(t.TempDir(), "port")
					tc.compile(t, "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-static", unrollFlag(form), "-o", program, "port.c")
					port, err := subprocess.Start(tc.run(program))
					if err != nil {
						t.Fatal(err)
					}
					if name, _ := port.About(); name != "c-"+form {
						t.Errorf("it says that it is %s", name)
					}
					for r := range blake2btest.Run(port, options) {
						if r.Outcome == blake2btest.Fail {
							t.Error(r)
						}
					}
					if err := port.Close(); err != nil {
						t.Error(err)
					}
				})
			}
		})
	}
}
