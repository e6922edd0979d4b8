package filelock_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ken/internal/store/filelock"
)

// TestTake has a second taker wait until the first lets go.
func TestTake(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	release, err := filelock.Take(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("the file has mode %v (%v)", st.Mode(), err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	if _, err := filelock.Take(ctx, path); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a second taker got %v", err)
	}
	second := make(chan error)
	go func() {
		release, err := filelock.Take(context.Background(), path)
		if err == nil {
			release()
		}
		second <- err
	}()
	release()
	if err := <-second; err != nil {
		t.Error(err)
	}
	if _, err := filelock.Take(context.Background(), filepath.Join(t.TempDir(), "no", "lock")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("in no folder: %v", err)
	}
}

// TestTry takes the mark of one process at a time.
func TestTry(t *testing.T) {
	const grace = 40 * time.Millisecond
	path := filepath.Join(t.TempDir(), "mark")
	if filelock.Held(path) {
		t.Error("held before there is a file")
	}
	release, err := filelock.Try(context.Background(), path, grace)
	if err != nil {
		t.Fatal(err)
	}
	if !filelock.Held(path) {
		t.Error("not held")
	}
	if _, err := filelock.Try(context.Background(), path, grace); !errors.Is(err, filelock.ErrHeld) {
		t.Errorf("a second holder got %v", err)
	}
	release()
	if filelock.Held(path) {
		t.Error("held after it was given back")
	}
	if release, err = filelock.Try(context.Background(), path, grace); err != nil {
		t.Fatal(err)
	}
	release()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := filelock.Try(ctx, path, grace); !errors.Is(err, context.Canceled) {
		t.Errorf("after cancel: %v", err)
	}
	// What is no plain file is nobody's lock.
	if filelock.Held(filepath.Dir(path)) {
		t.Error("a folder is held")
	}
}
