//go:build unix && !(linux && (amd64 || arm64 || riscv64 || loong64 || ppc64le || s390x))

package nofollow

import "golang.org/x/sys/unix"

// lstatat does the same as fstatat without following links. path must end in a NUL. It returns the error of the system call.
func lstatat(dir int, path []byte, st *unix.Stat_t) error {
	return unix.Fstatat(dir, string(path[:len(path)-1]), st, unix.AT_SYMLINK_NOFOLLOW)
}
