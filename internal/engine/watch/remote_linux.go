package watch

import (
	"slices"

	"golang.org/x/sys/unix"
)

// isRemote reports whether a file system can be changed from outside: over a network, by the host of a virtual machine,
// or by a program that serves it. The kernel notifies only of changes made through itself.
func isRemote(dir string) bool {
	var st unix.Statfs_t
	if unix.Statfs(dir, &st) != nil {
		return false // it went away
	}
	return slices.Contains([]uint32{
		unix.NFS_SUPER_MAGIC, unix.SMB_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC, unix.V9FS_MAGIC, unix.FUSE_SUPER_MAGIC,
		unix.CEPH_SUPER_MAGIC, unix.AFS_SUPER_MAGIC, unix.AFS_FS_MAGIC, unix.CODA_SUPER_MAGIC, unix.NCP_SUPER_MAGIC, unix.OCFS2_SUPER_MAGIC,
		0x01161970, // GFS2
		0x0BD00BD0, // Lustre
		0x786f4256, // shared folders of VirtualBox
		0xBACBACBC, // shared folders of VMware
		0x7c7c6673, // shared folders of Parallels
	}, uint32(st.Type))
}

// Mounts detects changes of the mounted file systems, of which no directory notifies.
type Mounts struct{ fd int }

// OpenMounts begins to watch the mounts that the process sees.
func OpenMounts() *Mounts {
	fd, err := unix.Open("/proc/self/mountinfo", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		fd = -1
	}
	return &Mounts{fd}
}

// HaveChanged reports whether something was mounted or unmounted since the last call. Where that is unknown it reports
// false.
func (m *Mounts) HaveChanged() bool {
	if m.fd < 0 {
		return false
	}
	p := []unix.PollFd{{Fd: int32(m.fd), Events: unix.POLLPRI}}
	n, err := unix.Poll(p, 0)
	return err == nil && n > 0 && p[0].Revents&(unix.POLLPRI|unix.POLLERR) != 0
}

// Close stops watching.
func (m *Mounts) Close() {
	if m.fd >= 0 {
		_ = unix.Close(m.fd)
	}
}
