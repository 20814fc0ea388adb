package adapters_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"blake2btest/internal/require"
	"blake2btest/subprocess"
)

type port struct {
	Name, Version, Language, Codebase, Notes string
	Command                                  []string
}

func readPorts(t *testing.T) (list []port) {
	data, err := os.ReadFile("ports.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// TestTranscript asks every adapter what is in the transcript of the protocol. A
// port with faults, which check knows by name, may have them there, too.
func TestTranscript(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a hundred programs")
	}
	data, err := os.ReadFile("known")
	if err != nil {
		t.Fatal(err)
	}
	known := string(data)
	for _, p := range readPorts(t) {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			a, err := subprocess.Start(exec.Command(p.Command[0], p.Command[1:]...), subprocess.Options{Timeout: 30 * time.Second})
			if err != nil {
				require.Skip(t, "ports", err.Error())
			}
			if right, err := subprocess.CheckTranscript(a); err != nil && strings.Contains(known, "\n"+p.Name+" ") {
				t.Logf("it has known faults: %v", err)
			} else if err != nil {
				t.Error(err)
			} else if right < 20 {
				t.Errorf("only %d answers are right: does it refuse everything?", right)
			}
			for _, w := range a.Warnings() {
				t.Errorf("warning: %s", w)
			}
			if name, version := a.About(); name != p.Name || version != p.Version {
				t.Errorf("it says that it is %s %s, and is listed as %s %s", name, version, p.Name, p.Version)
			}
			if err := a.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestAnylib: the adapter for any shared library finds planted faults of memory.
func TestAnylib(t *testing.T) {
	if _, err := os.Stat("build/c/anylib"); err != nil {
		require.Skip(t, "ports", err.Error())
	}
	if out, err := exec.Command("c/anylib_test").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestReadme: the files that README.md leads to are there.
func TestReadme(t *testing.T) {
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	links := regexp.MustCompile(`\]\(([^)#]+)\)`).FindAllStringSubmatch(string(data), -1)
	for _, m := range links {
		if _, err := os.Stat(m[1]); err != nil {
			t.Error(err)
		}
	}
	if len(links) < 20 {
		t.Errorf("only %d links", len(links))
	}
}

// TestGallery: GALLERY.md has the verdict on every port, in the version that is listed.
func TestGallery(t *testing.T) {
	data, err := os.ReadFile("../GALLERY.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Count(string(data), "\n| ") - 1
	for _, p := range readPorts(t) {
		rows--
		if !strings.Contains(strings.ReplaceAll(string(data), "\\", ""), "\n| "+p.Name+" | "+p.Version+" | "+p.Language+" | "+p.Codebase+" | ") {
			t.Errorf("GALLERY.md has no row for %s %s", p.Name, p.Version)
		}
	}
	if rows != 0 {
		t.Errorf("GALLERY.md has %d rows more than there are ports", rows)
	}
}

// TestList: the list says of every port what it is, and no adapter is missing.
func TestList(t *testing.T) {
	list := readPorts(t)
	codebases, languages := make(map[string]bool), make(map[string]bool)
	var words []string
	for _, p := range list {
		codebases[p.Codebase], languages[p.Language] = true, true
		words = append(words, p.Command...)
		for what, value := range map[string]string{"version": p.Version, "language": p.Language, "codebase": p.Codebase, "notes": p.Notes} {
			if value == "" {
				t.Errorf("%s has no %s", p.Name, what)
			}
		}
	}
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(string(readme)), " ")
	if want := fmt.Sprintf("%d ports of %d code bases in %d languages", len(list), len(codebases), len(languages)); !strings.Contains(text, want) {
		t.Errorf("README.md does not say %q", want)
	}
	// Files that a command names. Those that are compiled, build would miss.
	files, err := filepath.Glob("*/*.[lmprR]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		switch filepath.Ext(f) {
		case ".lua", ".mjs", ".php", ".pl", ".py", ".R", ".rb":
			if name := strings.TrimSuffix(filepath.Base(f), filepath.Ext(f)); name != "protocol" && !slices.Contains(words, f) {
				t.Errorf("%s is the adapter of no port", f)
			}
		}
	}
}
