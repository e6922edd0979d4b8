//go:build linux && (amd64 || arm64 || riscv64 || loong64 || ppc64le || s390x)

package nofollow

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// lstatat does the same as unix.Fstatat without following links and without
// copying the path, which must end in a NUL: unix.Fstatat allocates for each
// call, and a look makes one call for each file. It returns the error of the
// system call.
func lstatat(dir int, path []byte, st *unix.Stat_t) error {
	for {
		_, _, e := unix.Syscall6(unix.SYS_NEWFSTATAT, uintptr(dir), uintptr(unsafe.Pointer(&path[0])),
			uintptr(unsafe.Pointer(st)), unix.AT_SYMLINK_NOFOLLOW, 0, 0)
		switch e {
		case 0:
			return nil
		case unix.EINTR:
		default:
			return e
		}
	}
}
