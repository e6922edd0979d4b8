//go:build unix

package git

import (
	"os/exec"
	"syscall"
)

// killGroup makes cancellation end git with everything it started. For that it
// puts git into a process group of its own.
func killGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
