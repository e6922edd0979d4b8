// Package scantest makes trees for the tests of scan and scan/list: files, and pipes,
// which must not be opened. Only tests import it.
package scantest

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Write writes a text to a file below root, and makes its directories.
func Write(t testing.TB, root, path, text string) {
	t.Helper()
	full := filepath.Join(root, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Within fails the test if f takes longer than d, because opening a pipe would wait for ever.
func Within(t *testing.T, d time.Duration, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(d):
		t.Fatalf("not done within %v", d)
	}
}
