package hookstate

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestFirsts: a key is taken once, by one of several processes, and is forgotten after some days.
func TestFirsts(t *testing.T) {
	f := Firsts{filepath.Join(t.TempDir(), "state", "first")}
	now := time.Now()
	taken := make(chan bool)
	for range 8 {
		go func() { taken <- f.Take("a", now) }()
	}
	n := 0
	for range 8 {
		if <-taken {
			n++
		}
	}
	if n != 1 {
		t.Errorf("taken %d times", n)
	}
	if !f.Take("b", now) || f.Take("b", now) || f.Take("a", now) {
		t.Error("a second key, or the first again")
	}
	if !f.Take("c", now.Add(keptFirsts+time.Hour)) {
		t.Error("c was not there")
	}
	if left, _ := os.ReadDir(f.Dir); len(left) != 0 && len(left) != 1 {
		t.Errorf("%d keys are left", len(left))
	}
	if !f.Take("a", now) {
		t.Error("a was to be forgotten")
	}
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if !(Firsts{filepath.Join(blocked, "first")}).Take("a", now) {
		t.Error("where nothing can be kept everything is the first")
	}
}
