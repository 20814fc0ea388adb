package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"blake2btest"
)

// A listing is a port in a file of ports, whose form the manual gives.
type listing struct {
	Name     string   `json:"name"`
	Version  string   `json:"version"`
	Language string   `json:"language"`
	Codebase string   `json:"codebase"`
	Command  []string `json:"command"`
	Notes    string   `json:"notes"`
}

// A portList is such a file. The commands are run in its folder.
type portList struct {
	folder string
	ports  []listing
}

// readPorts reads a file of ports.
func readPorts(file string) (*portList, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	l := &portList{folder: filepath.Dir(file)}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&l.ports); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: there is more after the list", file)
	}
	if len(l.ports) == 0 {
		return nil, fmt.Errorf("%s: no ports", file)
	}
	seen := make(map[string]bool)
	for i, p := range l.ports {
		switch {
		case len(strings.Fields(p.Name)) != 1 || strings.TrimSpace(p.Name) != p.Name:
			err = fmt.Errorf("name %q is not one word", p.Name)
		case seen[p.Name]:
			err = fmt.Errorf("%s is listed twice", p.Name)
		case len(p.Command) == 0 || p.Command[0] == "":
			err = fmt.Errorf("%s has no command", p.Name)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: [%d]: %w", file, i, err)
		}
		seen[p.Name] = true
	}
	return l, nil
}

// has says whether a port is in the list.
func (l *portList) has(name string) bool {
	return slices.ContainsFunc(l.ports, func(p listing) bool { return p.Name == name })
}

// fillList checks the ports of a list, some of them at a time. One that cannot
// be started is in the report as not run.
func (r *report) fillList(ctx context.Context, list *portList, jobs int, timeout time.Duration, known knownFailures, show *progress) {
	var mu sync.Mutex
	var running []string
	done := 0
	// turn notes that a port begins, or ends.
	turn := func(name string, begins bool) {
		mu.Lock()
		defer mu.Unlock()
		if begins {
			running = append(running, name)
		} else {
			running = slices.DeleteFunc(running, func(s string) bool { return s == name })
			done++
		}
		show.set("%d of %d ports, now %s", done, len(list.ports), strings.Join(running, ", "))
	}
	r.Options.Cache = new(blake2btest.Cache)
	r.Ports = make([]*portReport, len(list.ports))
	next := make(chan int)
	var workers sync.WaitGroup
	for range jobs {
		workers.Go(func() {
			for i := range next {
				l := &list.ports[i]
				turn(l.Name, true)
				r.Ports[i] = r.entry(ctx, list.folder, l, timeout, known)
				turn(l.Name, false)
			}
		})
	}
	for i := range list.ports {
		next <- i
	}
	close(next)
	workers.Wait()
}

// entry checks a port of a list.
func (r *report) entry(ctx context.Context, folder string, l *listing, timeout time.Duration, known knownFailures) *portReport {
	p := &portReport{Profile: &blake2btest.Profile{}, Left: len(r.Selected)}
	if ctx.Err() == nil {
		cmd := exec.Command(l.Command[0], l.Command[1:]...)
		cmd.Dir = folder
		var err error
		if p, err = r.program(ctx, cmd, timeout, l, known, nil); err != nil {
			p = &portReport{Profile: &blake2btest.Profile{}, NotRun: err}
		} else if p.Name != l.Name || p.Version != l.Version {
			p.Warnings = append(p.Warnings, fmt.Sprintf("it says that it is %s %s, and is listed as %s %s", p.Name, p.Version, l.Name, l.Version))
		}
	}
	p.Listing = l
	p.Name, p.Version, p.Command = l.Name, l.Version, l.Command
	return p
}
