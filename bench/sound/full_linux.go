package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// inNamespace is the variable of the environment of a process that may mount file systems.
const inNamespace = "SOUND_MOUNTS"

func isInNamespace() bool { return os.Getenv(inNamespace) != "" }

// runInNamespace runs this program with other arguments in a namespace of mounts of its own. Its mounts end with it. Without
// the rights for that, it has a namespace of users, too.
func runInNamespace(ctx context.Context, args ...string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Env = append(os.Environ(), inNamespace+"=1")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if uid := os.Geteuid(); uid != 0 {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: uid, Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}}
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("%w: %w", errNoNamespace, err)
	}
	return cmd.Wait()
}

// mountSmall mounts a file system in memory that has a number of bytes.
func mountSmall(dir string, size int) error {
	if err := syscall.Mount("none", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		return err
	}
	return syscall.Mount("none", dir, "tmpfs", 0, fmt.Sprintf("size=%d", size))
}
