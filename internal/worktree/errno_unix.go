//go:build unix

package worktree

import (
	"errors"
	"syscall"
)

func isNotFolder(err error) bool { return errors.Is(err, syscall.ENOTDIR) }

func isOtherDisk(err error) bool { return errors.Is(err, syscall.EXDEV) }
