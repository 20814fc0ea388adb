//go:build unix

package subprocess

import (
	"os"
	"os/exec"
	"syscall"
)

// group makes the program the leader of a process group of its own, so that
// what it starts can be ended with it.
func group(cmd *exec.Cmd) {
	attr := syscall.SysProcAttr{}
	if cmd.SysProcAttr != nil {
		attr = *cmd.SysProcAttr
	}
	attr.Setpgid = true
	cmd.SysProcAttr = &attr
}

// terminate asks the program and what it started to end.
func terminate(p *os.Process) { syscall.Kill(-p.Pid, syscall.SIGTERM) }

// kill ends the program and what it started, also where the program itself has
// ended before: the group keeps its number as long as anything is in it.
func kill(p *os.Process) { syscall.Kill(-p.Pid, syscall.SIGKILL) }
