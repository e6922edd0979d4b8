package hookstate

import (
	"path/filepath"
	"testing"
	"time"
)

func TestEventTimes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "events")
	here, there := NewEventTimes(dir, "/a"), NewEventTimes(dir, "/b")
	if at, ok := here.Last("stop"); ok {
		t.Errorf("%v before there was one", at)
	}
	first := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, at := range []time.Time{first, first.Add(time.Hour)} {
		if err := here.Note("stop", at); err != nil {
			t.Fatal(err)
		}
		if got, ok := here.Last("stop"); !ok || !got.Equal(at) {
			t.Errorf("%v, want %v", got, at)
		}
	}
	if _, ok := there.Last("stop"); ok {
		t.Error("an event of another project counts")
	}
	for _, kind := range []string{"", "../stop", "a/b", ".", "Stop"} {
		if err := here.Note(kind, first); err != nil {
			t.Error(err)
		}
		if _, ok := here.Last(kind); ok {
			t.Errorf("%q is kept", kind)
		}
	}
}

// BenchmarkNote is what a hook pays for it.
func BenchmarkNote(b *testing.B) {
	t, now := NewEventTimes(b.TempDir(), "/a"), time.Now()
	for b.Loop() {
		if err := t.Note("stop", now); err != nil {
			b.Fatal(err)
		}
	}
}
