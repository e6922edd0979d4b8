package statefile

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	dir := t.TempDir()
	file, link, sub := filepath.Join(dir, "file"), filepath.Join(dir, "link"), filepath.Join(dir, "sub")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(sub, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := CheckFiles(file, filepath.Join(dir, "missing")); err != nil {
		t.Error(err)
	}
	if err := CheckFiles(file, sub); err == nil || err.Error() != sub+" is a directory, not a regular file; remove it" {
		t.Errorf("a directory: %v", err)
	}
	if err := CheckFolder(sub); err != nil {
		t.Error(err)
	}
	if err := CheckFolder(filepath.Join(dir, "missing")); err != nil {
		t.Error(err)
	}
	if err := CheckFolder(file); err == nil || err.Error() != file+" is a file, not a directory; remove it" {
		t.Errorf("a file: %v", err)
	}
	if err := CheckLogs(file, filepath.Join(dir, "missing")); err != nil {
		t.Error(err)
	}
	second := filepath.Join(dir, "second")
	if err := os.Link(file, second); err == nil && runtime.GOOS != "windows" {
		if err := CheckLogs(second); err == nil || err.Error() != second+" is a hard link to another file, which ken does not write; remove it" {
			t.Errorf("a hard link: %v", err)
		}
		os.Remove(second)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Skip("no symbolic links here")
	}
	for _, err := range []error{CheckFiles(link), CheckFolder(link)} {
		if err == nil || !strings.Contains(err.Error(), "is a symbolic link, which ken does not follow; remove it") {
			t.Errorf("a link: %v", err)
		}
	}
	if err := CheckFiles(os.DevNull); err == nil || !strings.Contains(err.Error(), "is a device") {
		t.Errorf("a device: %v", err)
	}
}
