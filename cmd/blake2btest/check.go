package main

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
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
	f.Func("require", "`features` that the port must offer, parted by commas", func(s string) error {
		o.Require = strings.Split(s, ",")
		for _, name := range o.Require {
			if !slices.Contains(blake2btest.Features, name) {
				return fmt.Errorf("feature %q is none of %s", name, strings.Join(blake2btest.Features, ", "))
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
	r := &report{Options: o, Selected: o.Checks()}
	if len(r.Selected) == 0 {
		return fmt.Errorf("check: no check of level %v has a name that matches %q", o.Level, o.Filter)
	}

	show := startProgress()
	err := r.fill(ctx, f.Args(), *timeout, known, show)
	show.stop()
	if err != nil {
		return fmt.Errorf("check: %w", err)
	}
	if err := r.write(format, *file); err != nil {
		return fmt.Errorf("check: %w", err)
	}
	if f.NArg() == 0 && ctx.Err() == nil {
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
	port, err := subprocess.Start(exec.Command(command[0], command[1:]...), subprocess.Options{Timeout: timeout})
	if err != nil {
		return fmt.Errorf("the port does not start: %w", err)
	}
	// A port that is closed answers at once, so that the check that runs comes
	// to an end.
	stop := context.AfterFunc(ctx, func() { port.Close() })
	defer stop()
	p := r.examine(ctx, port, known[nameOf(port)], show)
	p.Command = command
	p.Warnings = port.Warnings()
	if err := port.Close(); err != nil && p.Left == 0 {
		p.Warnings = append(p.Warnings, err.Error())
	}
	r.Ports = append(r.Ports, p)
	return nil
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
	return p
}
