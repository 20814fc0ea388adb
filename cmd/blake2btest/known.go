package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"blake2btest"
)

// knownFailures has, for each port by the name that it says of itself, the checks that
// are known to fail, and why.
type knownFailures map[string]map[string]string

// readKnown reads a file of known failures, whose form the manual gives.
func readKnown(file string) (knownFailures, error) {
	known := make(knownFailures)
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	err = eachLine(file, data, func(line string) error {
		words := strings.Fields(line)
		if len(words) < 3 {
			return errors.New("a line is port, check and reason, parted by spaces")
		}
		port, check, reason := words[0], words[1], strings.Join(words[2:], " ")
		if !slices.ContainsFunc(blake2btest.Checks(), func(c *blake2btest.Check) bool { return c.Name == check }) {
			return fmt.Errorf("there is no check %q", check)
		}
		if _, twice := known[port][check]; twice {
			return fmt.Errorf("%s of %s is listed twice", check, port)
		}
		if known[port] == nil {
			known[port] = make(map[string]string)
		}
		known[port][check] = reason
		return nil
	})
	return known, err
}

// eachLine calls f for each line of a file from outside that is neither empty
// nor a comment with #. To f's error it adds the file and the number of the line.
func eachLine(file string, data []byte, f func(line string) error) error {
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if err := f(line); err != nil {
			return fmt.Errorf("%s:%d: %w", file, n, err)
		}
	}
	return nil
}
