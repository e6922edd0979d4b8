//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// apart gives the program a process group of its own, which is killed as a whole, with everything that it started.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
