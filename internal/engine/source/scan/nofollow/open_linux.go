package nofollow

import "golang.org/x/sys/unix"

// openBeneath opens path below dir in one system call that fails for a link in
// any element. It opens one element at a time instead if there is no openat2, as in kernels before 5.6 and some
// sandboxes, or if that fails with EAGAIN because a rename races with the resolution.
func openBeneath(dir int, path string, flags int) (int, error) {
	fd, err := unix.Openat2(dir, path, &unix.OpenHow{Flags: uint64(flags), Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS})
	switch err {
	case unix.ENOSYS, unix.EPERM, unix.E2BIG, unix.EAGAIN:
		return openSteps(dir, path, flags)
	}
	return fd, err
}
