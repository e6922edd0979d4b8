//go:build !linux

package watch

func isRemote(string) bool { return false }

// Mounts notices that what is mounted where has changed; here it never does.
type Mounts struct{}

// OpenMounts begins to watch the mounts that the process sees.
func OpenMounts() *Mounts { return &Mounts{} }

// Changed reports whether something was mounted or unmounted since the last call.
func (*Mounts) Changed() bool { return false }

// Close ends that.
func (*Mounts) Close() {}
