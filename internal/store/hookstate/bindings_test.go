package hookstate

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestBindings(t *testing.T) {
	dir := t.TempDir()
	b, other := NewBindings(dir, "/a"), NewBindings(dir, "/b")
	expect := func(b Bindings, session, agent, want string) {
		t.Helper()
		if got, ok := b.Task(session, agent); got != want || ok != (want != "") {
			t.Errorf("%q of %q is bound to %q, want %q", agent, session, got, want)
		}
	}
	if b.WasUsedLately(time.Now()) {
		t.Error("nothing was bound")
	}
	if err := b.Bind("s1", "", "t1"); err != nil {
		t.Fatal(err)
	}
	expect(b, "s1", "", "t1")
	expect(b, "s1", "a1", "t1") // every agent of the session
	expect(b, "s2", "", "")
	expect(other, "s1", "", "")
	if err := b.Bind("s1", "a1", "t2"); err != nil {
		t.Fatal(err)
	}
	expect(b, "s1", "a1", "t2")
	expect(b, "s1", "", "t1")
	if err := b.Unbind("s1", "t2"); err != nil {
		t.Fatal(err)
	}
	expect(b, "s1", "a1", "t1")
	if err := b.Unbind("s1", "t1"); err != nil {
		t.Fatal(err)
	}
	expect(b, "s1", "a1", "")
	if err := b.Bind("s3", "a7", "t3"); err != nil { // what is bound first binds the session
		t.Fatal(err)
	}
	expect(b, "s3", "", "t3")
	if !b.WasUsedLately(time.Now()) || b.WasUsedLately(time.Now().Add(keptBindings+time.Hour)) {
		t.Error("bound lately")
	}
	for _, bad := range [][2]string{{"", "t"}, {"s", ""}, {"s", strings.Repeat("x", maxTask+1)}} {
		if b.Bind(bad[0], "", bad[1]) == nil {
			t.Errorf("%q was bound", bad)
		}
	}
}

// TestBindingsTogether: agents of one session that start tasks at once lose none.
func TestBindingsTogether(t *testing.T) {
	b := NewBindings(t.TempDir(), "/a")
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			if err := b.Bind("s", fmt.Sprint("a", i), fmt.Sprint("t", i)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for i := range 20 {
		if got, _ := b.Task("s", fmt.Sprint("a", i)); got != fmt.Sprint("t", i) {
			t.Errorf("a%d is bound to %q", i, got)
		}
	}
}

// TestBindingsHostile: what is no small file binds nothing.
func TestBindingsHostile(t *testing.T) {
	b := NewBindings(t.TempDir(), "/a")
	if err := os.MkdirAll(filepath.Join(b.sessionDir("s"), sessionFile), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, ok := b.Task("s", ""); ok {
		t.Error("a folder binds")
	}
	if err := os.MkdirAll(b.sessionDir("large"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(b.sessionDir("large"), sessionFile), make([]byte, 1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, ok := b.Task("large", ""); ok {
		t.Error("a large file binds")
	}
}
