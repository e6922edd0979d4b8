package nofollow

import "golang.org/x/sys/unix"

// openBeneath has the kernel resolve path in one call, with links refused in
// every element. Kernels before 5.6 and some sandboxes have no openat2, and it
// gives up with EAGAIN when a rename races with the resolution.
func openBeneath(dir int, path string, flags int) (int, error) {
	fd, err := unix.Openat2(dir, path, &unix.OpenHow{Flags: uint64(flags), Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS})
	switch err {
	case unix.ENOSYS, unix.EPERM, unix.E2BIG, unix.EAGAIN:
		return openSteps(dir, path, flags)
	}
	return fd, err
}
