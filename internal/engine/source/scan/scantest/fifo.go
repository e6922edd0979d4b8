//go:build unix

package scantest

import (
	"syscall"
	"testing"
)

// Mkfifo makes a named pipe.
func Mkfifo(t testing.TB, path string) {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o644); err != nil {
		t.Fatal(err)
	}
}
