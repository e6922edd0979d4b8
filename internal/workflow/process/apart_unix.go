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

// detach gives the program a session of its own, so that it does not end with the terminal or the process group of its parent.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
