package watch

import (
	"testing"

	"golang.org/x/sys/unix"
)

// TestMounts: a file system that is mounted or unmounted is noticed once.
func TestMounts(t *testing.T) {
	m := OpenMounts()
	defer m.Close()
	for m.HaveChanged() { // others may mount, too
	}
	dir := t.TempDir()
	if err := unix.Mount("none", dir, "tmpfs", 0, ""); err != nil {
		t.Skip("nothing can be mounted here: ", err)
	}
	mounted, again := m.HaveChanged(), m.HaveChanged()
	err := unix.Unmount(dir, 0)
	if !mounted || again || err != nil {
		t.Errorf("mounted %v, again %v, %v", mounted, again, err)
	}
	if !m.HaveChanged() {
		t.Error("an unmounted file system is not noticed")
	}
}
