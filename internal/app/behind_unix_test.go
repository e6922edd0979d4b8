//go:build unix

package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ken/internal/delivery/project"
	"ken/internal/store/hookstate"
)

// TestBuildBehind starts a build of a clone in the background, and again only if that has left no index after a while. The program that is
// started writes a line, and is killed as far as its caller can see: it leaves no index.
func TestBuildBehind(t *testing.T) {
	root, state := t.TempDir(), t.TempDir()
	started := filepath.Join(state, "started")
	self := filepath.Join(state, "ken.sh")
	if err := os.WriteFile(self, []byte("#!/bin/sh\necho \"$PWD $*\" >> "+started+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	events := hookstate.NewEventTimes(filepath.Join(state, "events"), root)
	missing, held := true, false
	p := &project.Project{
		Root: root, Events: events, Built: func() bool { return held }, Missing: func() bool { return missing },
	}
	program := &Program{Self: self}
	expect := func(what string, building bool, starts int) {
		t.Helper()
		got, start := program.buildBehind(p)
		if got != building {
			t.Errorf("%s: building is %v", what, got)
		}
		if start != nil {
			if err := start(); err != nil {
				t.Error(err)
			}
		}
		lines := 0
		for range 200 {
			text, _ := os.ReadFile(started)
			if lines = strings.Count(string(text), root+" index\n"); lines >= starts {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		if lines != starts {
			t.Errorf("%s: started %d times, not %d", what, lines, starts)
		}
	}
	expect("without knowledge", false, 0)
	if err := os.MkdirAll(filepath.Join(root, ".ken", "knowledge"), 0o755); err != nil {
		t.Fatal(err)
	}
	expect("first event", true, 1)
	expect("next event", true, 1)
	begun := func(ago time.Duration) {
		t.Helper()
		if err := events.Note("build", time.Now().Add(-ago)); err != nil {
			t.Fatal(err)
		}
	}
	begun(5 * time.Second)
	expect("it was killed a moment ago", false, 1)
	begun(time.Minute)
	held = true
	expect("another process builds", true, 1)
	held = false
	expect("it was killed", true, 2)
	missing = false
	expect("it is built", false, 2)
}
