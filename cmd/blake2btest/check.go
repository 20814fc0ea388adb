package main

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"blake2btest"
	"blake2btest/internal/xcrypto"
	"blake2btest/subprocess"
)

// check is the command check.
func check(ctx context.Context, args []string) error {
	o := blake2btest.Options{Level: blake2btest.Full, Context: ctx}
	var known knownFailures
	format := "text"
	f := newFlags("check")
	f.Func("level", "how much is asked, by its `name`: quick, full or long (default full)", func(s string) (err error) {
		o.Level, err = blake2btest.ParseLevel(s)
		return err
	})
	f.Func("run", "run only the checks whose name matches the `regexp`", func(s string) (err error) {
		o.Filter, err = regexp.Compile(s)
		return err
	})
	f.Uint64Var(&o.Seed, "seed", 1, "seed of the random cases")
	timeout := f.Duration("timeout", 10*time.Second, "how long one answer may take")
	knownFile := f.String("known", "", "`file` of failures that are known")
	installed := false
	f.Func("require", "`features` that the port must offer, parted by commas, and installed: that all ports can be run", func(s string) error {
		for name := range strings.SplitSeq(s, ",") {
			switch {
			case name == "installed":
				installed = true
			case slices.Contains(blake2btest.Features, name):
				o.Require = append(o.Require, name)
			default:
				return fmt.Errorf("feature %q is none of %s, installed", name, strings.Join(blake2btest.Features, ", "))
			}
		}
		return nil
	})
	f.Func("format", "`form` of the report: "+strings.Join(formatNames(), ", ")+" (default text)", func(s string) error {
		if formats[s] == nil {
			return fmt.Errorf("format %q is none of %s", s, strings.Join(formatNames(), ", "))
		}
		format = s
		return nil
	})
	file := f.String("o", "", "write the report to `file`, and the text to stdout all the same")
	portsFile := f.String("ports", "", "check the ports that `file` lists")
	jobs := f.Int("j", runtime.GOMAXPROCS(0), "how many of these are checked at a time")
	if err := parse(f, args); err != nil {
		return err
	}
	if *timeout <= 0 {
		return fmt.Errorf("check: timeout %v is not above 0", *timeout)
	}
	if *knownFile != "" {
		var err error
		if known, err = readKnown(*knownFile); err != nil {
			return fmt.Errorf("check: known failures: %w", err)
		}
	}
	var list *portList
	if *portsFile != "" {
		var err error
		if list, err = readPorts(*portsFile); err != nil {
			return fmt.Errorf("check: ports: %w", err)
		}
		for name := range known {
			if !list.has(name) {
				return fmt.Errorf("check: known failures: %s is not in %s", name, *portsFile)
			}
		}
	}
	switch {
	case list != nil && f.NArg() > 0:
		return fmt.Errorf("check: takes a command or -ports, and has both: %q", f.Arg(0))
	case *jobs < 1:
		return fmt.Errorf("check: -j %d is below 1", *jobs)
	}
	r := &report{Options: o, Selected: o.Checks(), Installed: installed, Speed: list != nil || format == "html"}
	if len(r.Selected) == 0 {
		return fmt.Errorf("check: no check of level %v has a name that matches %q", o.Level, o.Filter)
	}

	show := startProgress()
	var err error
	if list != nil {
		r.fillList(ctx, list, *jobs, *timeout, known, show)
	} else {
		err = r.fill(ctx, f.Args(), *timeout, known, show)
	}
	show.stop()
	if err != nil {
		return fmt.Errorf("check: %w", err)
	}
	if err := r.write(format, *file); err != nil {
		return fmt.Errorf("check: %w", err)
	}
	if f.NArg() == 0 && list == nil && ctx.Err() == nil {
		message("hint: these are built in; to check yours: blake2btest check command [args...]")
	}
	return r.status()
}

// fill checks the program of a command, or the built-in ports if there is none.
func (r *report) fill(ctx context.Context, command []string, timeout time.Duration, known knownFailures, show *progress) error {
	if len(command) == 0 {
		for _, port := range builtin() {
			faults := known[nameOf(port)]
			if port == (xcrypto.Port{}) && faults == nil {
				faults = xcrypto.KnownFaults()
			}
			p := r.examine(ctx, port, faults, show)
			r.Ports = append(r.Ports, p)
			if p.Left > 0 {
				break
			}
		}
		return nil
	}
	p, err := r.program(ctx, exec.Command(command[0], command[1:]...), timeout, nil, known, show)
	if err != nil {
		return err
	}
	p.Command = command
	r.Ports = append(r.Ports, p)
	return nil
}

// program checks a program. The failures that are known are those of its name,
// or, if it has a listing, of the name that it is listed by.
func (r *report) program(ctx context.Context, cmd *exec.Cmd, timeout time.Duration, l *listing, known knownFailures, show *progress) (*portReport, error) {
	port, err := subprocess.Start(cmd, subprocess.Options{Timeout: timeout})
	if err != nil {
		return nil, fmt.Errorf("the port does not start: %w", err)
	}
	// A port that is closed answers at once, so that the check that runs comes
	// to an end.
	stop := context.AfterFunc(ctx, func() { port.Close() })
	defer stop()
	name := nameOf(port)
	if l != nil {
		name = l.Name
	}
	p := r.examine(ctx, port, known[name], show)
	p.Warnings = port.Warnings()
	if err := port.Close(); err != nil && p.Left == 0 {
		p.Warnings = append(p.Warnings, err.Error())
	}
	return p, nil
}

// examine runs the checks of one port, until they are done or ctx is.
func (r *report) examine(ctx context.Context, port namedPort, known map[string]string, show *progress) *portReport {
	show.set("%s: what does it offer?", nameOf(port))
	profile, probed := blake2btest.Probe(port)
	p := &portReport{Profile: profile}
	if ctx.Err() != nil {
		p.Left = len(r.Selected)
		return p
	}
	if probed != nil {
		p.Nothing = probed
		return p
	}
	cases := 0
	next := func() {
		if n := len(p.Results); n < len(r.Selected) {
			show.set("%s: %s, %d of %d checks, %s cases", profile.Name, r.Selected[n].Name, n, len(r.Selected), thousands(cases))
		}
	}
	next()
	o := r.Options
	o.Known = known
	for result := range profile.Run(o) {
		if ctx.Err() != nil {
			break // the result may be the interruption's
		}
		p.Results = append(p.Results, result)
		cases += result.Tested
		next()
	}
	p.Left = len(r.Selected) - len(p.Results)
	if r.Speed && p.Left == 0 {
		p.Speed = profile.Speed()
	}
	return p
}
