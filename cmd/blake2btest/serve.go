package main

import (
	"context"
	"fmt"
	"os"

	"blake2btest"
	"blake2btest/internal/xcrypto"
	"blake2btest/mutants"
	"blake2btest/subprocess"
	"blake2btest/variants"
)

// serve is the command serve.
func serve(ctx context.Context, args []string) error {
	f := newFlags("serve")
	list := f.Bool("list", false, "print the names of all ports")
	if err := parse(f, args); err != nil {
		return err
	}
	if f.NArg() > 1 {
		return fmt.Errorf("serve: %d ports are above 1", f.NArg())
	}
	if *list {
		for _, p := range served() {
			if _, err := fmt.Println(nameOf(p)); err != nil {
				return err
			}
		}
		return nil
	}
	name := variants.Default().Name
	if f.NArg() == 1 {
		name = f.Arg(0)
	}
	p, err := portNamed(name)
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	err = subprocess.Serve(ctx, os.Stdin, os.Stdout, p)
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}

// A namedPort says what it is.
type namedPort interface {
	blake2btest.Port
	blake2btest.Namer
}

func nameOf(p namedPort) string {
	name, _ := p.About()
	return name
}

// builtin returns the ports that are to be right.
func builtin() []namedPort {
	var ports []namedPort
	for _, v := range variants.All {
		ports = append(ports, blake2btest.Over(v))
	}
	return append(ports, xcrypto.Port{})
}

// A mutant is a wrong port.
type mutant struct{ mutants.Mutant }

func (m mutant) Answer(c blake2btest.Case) ([]byte, error) { return m.Port.Answer(c) }

func (m mutant) About() (name, version string) { return "mutant/" + m.Name, moduleVersion() }

// served returns all ports of serve.
func served() []namedPort {
	ports := builtin()
	for _, m := range mutants.All {
		ports = append(ports, mutant{m})
	}
	return ports
}

func portNamed(name string) (namedPort, error) {
	for _, p := range served() {
		if nameOf(p) == name {
			return p, nil
		}
	}
	return nil, fmt.Errorf("there is no port %q: blake2btest serve -list prints those there are", name)
}
