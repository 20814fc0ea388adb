//go:build !unix

package subprocess

import (
	"os"
	"os/exec"
)

// group does nothing where there are no process groups: what a program started
// may outlive it, but holds up nobody, since its pipes are closed.
func group(*exec.Cmd) {}

// terminate ends the program at once, for want of a way to ask it.
func terminate(p *os.Process) { p.Kill() }

func kill(p *os.Process) { p.Kill() }
