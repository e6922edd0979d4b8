//go:build unix

package folder_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"ken/internal/workflow/plan/folder"
)

// TestPipe: a pipe in place of a file is refused, instead of waiting for somebody who writes.
func TestPipe(t *testing.T) {
	root := tree(t, map[string]string{".planning/": ""})
	if err := syscall.Mkfifo(filepath.Join(root, ".planning", "STATE.md"), 0o644); err != nil {
		t.Skip(err)
	}
	f := open(t, root, folder.Options{})
	if _, err := f.Read("STATE.md"); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a pipe: %v", err)
	}
	if _, err := f.List("STATE.md"); err == nil || !strings.Contains(err.Error(), "not a folder") {
		t.Errorf("a pipe as a folder: %v", err)
	}
}
