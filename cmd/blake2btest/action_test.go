package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"blake2btest/internal/require"
)

// TestAction runs the script of action.yml as GitHub does, on a port that is
// right and on one that is wrong.
func TestAction(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command")
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		require.Skip(t, "bash", "the action is for bash")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	action, err := os.ReadFile(filepath.Join(root, "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	_, script, ok := strings.Cut(string(action), "\n      run: |\n")
	if !ok {
		t.Fatal("action.yml has no step that runs a script")
	}
	for _, tt := range []struct {
		port, want string
		status     int
	}{
		{"rolled", "conforms", 0},
		{"mutant/reset-drops-key", "does not conform", 1},
	} {
		dir := t.TempDir()
		// As of GitHub's documentation, for the shell bash.
		cmd := exec.Command(bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
		cmd.Env = append(os.Environ(),
			"GITHUB_ACTION_PATH="+root, "RUNNER_TEMP="+dir, "GITHUB_STEP_SUMMARY="+filepath.Join(dir, "summary"),
			"COMMAND=blake2btest serve '"+tt.port+"'", "LEVEL=quick", "FLAGS=-run state -require reset,keys")
		out, _ := cmd.CombinedOutput()
		if status := cmd.ProcessState.ExitCode(); status != tt.status || !strings.Contains(string(out), "\n"+tt.want+": ") {
			t.Errorf("%s: status %d, want %d and %s\n%s", tt.port, status, tt.status, tt.want, out)
		}
		if summary, err := os.ReadFile(filepath.Join(dir, "summary")); !strings.Contains(string(summary), "| "+tt.want) {
			t.Errorf("%s: the summary is %q, %v", tt.port, summary, err)
		}
	}
}
