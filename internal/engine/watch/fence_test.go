package watch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"
)

// fenced returns a tree under watch with a directory of fences.
func fenced(t *testing.T) *project {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("notifications have an order on Linux alone")
	}
	p := watchTree(t, Options{Debounce: time.Hour, MaxDelay: time.Hour})
	p.do(p.w.Close())
	p.write(".ken/fence-old", "")
	p.write(".ken/fence-new", "")
	old := time.Now().Add(-time.Hour)
	p.do(os.Chtimes(p.path(".ken/fence-old"), old, old))
	opt := p.w.opt
	opt.Fences = p.path(".ken")
	p.w = New(opt)
	t.Cleanup(func() { p.w.Close() })
	return p.follow()
}

// TestFence: what was written before a fence is taken when it returns.
func TestFence(t *testing.T) {
	p := fenced(t)
	for i := range 200 {
		name := fmt.Sprintf("src/f%d.go", i)
		p.write(name, "package a\n")
		if err := p.w.Fence(t.Context(), soon); err != nil {
			t.Fatal(err)
		}
		if b := p.w.Take(); !slices.Equal(b.Paths, []string{name}) || b.Reason != "" {
			t.Fatalf("after %s: %+v", name, b)
		}
	}
	left, err := filepath.Glob(p.path(".ken/fence-*"))
	if err != nil || !slices.Equal(left, []string{p.path(".ken/fence-new")}) {
		t.Errorf("left in .ken: %v, %v", left, err)
	}
}

// TestNoFence: where the files of fences cannot be made or are not noticed, that is said at once or after the time to wait.
func TestNoFence(t *testing.T) {
	p := fenced(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.w.Fence(ctx, soon); !errors.Is(err, context.Canceled) && err != nil {
		t.Errorf("cancelled: %v", err)
	}
	p.do(os.RemoveAll(p.path(".ken")))
	if err := p.w.Fence(t.Context(), soon); !errors.Is(err, ErrNoFence) || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without .ken: %v", err)
	}
	p.do(os.Mkdir(p.path(".ken"), 0o755)) // another one, which is not watched
	if err := p.w.Fence(t.Context(), 10*time.Millisecond); !errors.Is(err, ErrNoFence) {
		t.Errorf("another .ken: %v", err)
	}
	p.w.giveUp(errLimit)
	if err := p.w.Fence(t.Context(), soon); !errors.Is(err, ErrNoFence) {
		t.Errorf("after giving up: %v", err)
	}
	if err := p.w.Settle(t.Context()); err != nil { // who waits for changes learns of it
		t.Error(err)
	}
}

// TestLinked: files with several names, and nothing else.
func TestLinked(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"one", "two"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link(filepath.Join(dir, "two"), filepath.Join(dir, "three")); err != nil {
		t.Skip(err)
	}
	if got := HardLinked(dir, []string{"one", "two", "none", "."}); !slices.Equal(got, []string{"two"}) && runtime.GOOS != "windows" {
		t.Error(got)
	}
}
