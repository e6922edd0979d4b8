//go:build !linux

package watch

func isRemote(string) bool { return false }

// Mounts detects changes of the mounted file systems; on this system it finds none.
type Mounts struct{}

// OpenMounts begins to watch the mounts that the process sees.
func OpenMounts() *Mounts { return &Mounts{} }

// HaveChanged reports whether something was mounted or unmounted since the last call.
func (*Mounts) HaveChanged() bool { return false }

// Close does nothing.
func (*Mounts) Close() {}
