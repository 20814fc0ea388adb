//go:build unix

package subprocess_test

import (
	"bytes"
	"fmt"
	"os"
	"syscall"
)

// alive says whether there is such a process. One that has ended and that
// nobody has asked after, as it is where process 1 does not, is not alive.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err == nil && bytes.Contains(stat, []byte(") Z ")) {
		return false
	}
	return syscall.Kill(pid, 0) == nil
}
