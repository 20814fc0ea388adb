package main

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"
)

// commands are the subcommands, in the order of the manual. Each has a file of
// its own, parses its own arguments, and returns when ctx is done.
var commands = []struct {
	name string
	run  func(ctx context.Context, args []string) error
}{
	{"check", check},
	{"fuzz", fuzz},
	{"score", score},
	{"serve", serve},
	{"vectors", exportVectors},
}

// A status is an error that has been reported already: it remains to exit.
type status int

func (s status) Error() string { return fmt.Sprintf("status %d", int(s)) }

const (
	statusFine status = iota // also after -h
	statusFails
	statusNotRun // every error that is no status
)

func main() { os.Exit(int(run(os.Args[1:]))) }

func run(args []string) status {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// The first Ctrl-C has everything end in order, the second ends it at once;
	// but timeout(1) sends its one signal twice.
	context.AfterFunc(ctx, func() { time.AfterFunc(time.Second, stop) })

	err := dispatch(ctx, args)
	var s status
	switch {
	case err == nil:
		return statusFine
	case errors.As(err, &s):
		return s
	}
	message("%v", err)
	return statusNotRun
}

func dispatch(ctx context.Context, args []string) error {
	name := ""
	if len(args) > 0 {
		name = args[0]
	}
	switch name {
	case "help", "-h", "-help", "--help":
		_, err := io.WriteString(os.Stdout, manual())
		return err
	case "version", "-version", "--version":
		_, err := fmt.Println(versions())
		return err
	}
	for _, c := range commands {
		if c.name == name {
			return c.run(ctx, args[1:])
		}
	}
	io.WriteString(os.Stderr, usage(""))
	message("hint: blake2btest help prints the manual")
	if name == "" {
		return errors.New("no command given")
	}
	return fmt.Errorf("there is no command %q", name)
}

// message tells the user something on stderr: what went wrong or, after "hint:",
// what may help.
func message(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "blake2btest: "+format+"\n", args...)
}

//go:embed doc.go
var doc string

// manual returns the package comment.
func manual() string {
	_, text, _ := strings.Cut(doc, "/*\n")
	text, _, _ = strings.Cut(text, "*/")
	return text
}

// usage returns the lines of the manual on how a command is called, of all
// commands if none is named.
func usage(name string) string {
	var b strings.Builder
	b.WriteString("usage:\n")
	more := false
	for line := range strings.Lines(manual()) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || line[0] != '\t':
			if more {
				return b.String()
			}
			continue
		case words[0] == "blake2btest":
			more = name == "" || words[1] == name
		}
		if more {
			b.WriteString(line)
		}
	}
	return b.String()
}

// newFlags returns an empty set of flags for a command; parse parses them.
func newFlags(command string) *flag.FlagSet {
	f := flag.NewFlagSet(command, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	return f
}

// parse parses a command's arguments. Of -h it makes a text on stdout.
func parse(f *flag.FlagSet, args []string) error {
	err := f.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		f.SetOutput(os.Stdout)
		io.WriteString(os.Stdout, usage(f.Name()))
		f.PrintDefaults()
		return statusFine
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name(), err)
	}
	return nil
}

// moduleVersion returns the version of this module.
func moduleVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return cmp.Or(info.Main.Version, "unknown")
}

// versions returns what a report has to say of this program.
func versions() string {
	return fmt.Sprintf("blake2btest %s %s %s/%s", moduleVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
