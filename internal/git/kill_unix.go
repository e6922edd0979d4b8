//go:build unix

package git

import (
	"os/exec"
	"syscall"
)

// killGroup makes cancellation end git with everything it started: they share a
// process group of their own.
func killGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
