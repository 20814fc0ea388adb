package rolled_test

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"blake2btest/internal/require"
)

// TestInlined tests that the compiler inlines all eight calls of g in
// CompressRounds, the only function that calls it.
func TestInlined(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles for other architectures")
	}
	if _, err := exec.LookPath("go"); err != nil {
		require.Skip(t, "sizes", err.Error())
	}
	inlined := regexp.MustCompile(`(?m): inlining call to g$`)
	cost := regexp.MustCompile(`cannot inline g: .*|can inline g with cost \d+`)
	for _, goarch := range []string{"386", "arm", "amd64"} {
		t.Run(goarch, func(t *testing.T) {
			t.Parallel()
			// The go command repeats the compiler's output when the package is
			// in its cache.
			cmd := exec.Command("go", "build", "-gcflags=-m=2", ".")
			cmd.Env = append(os.Environ(), "GOENV=off", "GOFLAGS=", "GOOS=linux", "GOARCH="+goarch, "CGO_ENABLED=0")
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %v\n%s", cmd, err, out)
			}
			if n := len(inlined.FindAll(out, -1)); n != 8 {
				t.Errorf("%d calls of g are inlined, want 8; of g the compiler says: %s\n"+
					"As a call, g passes its words through the stack: 386 loses 40 %% of the speed, amd64 15 %%.\n"+
					"Bring the cost of g within the inliner's budget of 80.",
					n, strings.Join(cost.FindAllString(string(out), -1), "; "))
			}
		})
	}
}
