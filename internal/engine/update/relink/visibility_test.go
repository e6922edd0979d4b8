package relink

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"ken/internal/code"
	"ken/internal/engine/resolve"
)

// passing returns a visibility that knows who passes names on to whom, each given as
// "FILE by FILE,…", and asks no index. Every file has an importer of its own.
func passing(relays ...string) *visibility {
	s := newVisibility(nil)
	for i, r := range relays {
		file, by, _ := strings.Cut(r, " by ")
		var list []code.File
		for p := range strings.SplitSeq(by, ",") {
			if p != "" {
				list = append(list, code.File{Path: p})
			}
		}
		s.relays[file] = list
		for n, k := range resolve.Keys(file) {
			if s.sets["probe "+k] = nil; n == 0 {
				s.sets["probe "+k] = map[int64]bool{int64(i + 1): true}
			}
		}
	}
	return s
}

// TestViewOfCircle: files that pass names on to each other in a circle share one view,
// whichever was asked for first, and files before and behind it have their own.
func TestViewOfCircle(t *testing.T) {
	files := []string{"before.py", "a.py", "b.py", "c.py", "behind.py"}
	want := map[string]string{"before.py": "a.py b.py before.py behind.py c.py", "behind.py": "behind.py"}
	for _, p := range []string{"a.py", "b.py", "c.py"} {
		want[p] = "a.py b.py behind.py c.py"
	}
	for turn := range files {
		s := passing("before.py by a.py", "a.py by b.py", "b.py by c.py,behind.py", "c.py by a.py", "behind.py by ")
		order := slices.Concat(files[turn:], files[:turn])
		for _, p := range order {
			v, err := s.relayView(code.File{Path: p})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(slices.Sorted(maps.Keys(v.relays)), " "); got != want[p] {
				t.Errorf("asked in the order %v: %s is passed on by %s, want %s", order, p, got, want[p])
			}
			if len(v.near) != len(v.relays) {
				t.Errorf("asked in the order %v: %d importers near %s, want %d", order, len(v.near), p, len(v.relays))
			}
		}
		if s.views["a.py"] != s.views["b.py"] || s.views["b.py"] != s.views["c.py"] {
			t.Errorf("asked in the order %v: the circle was walked more than once", order)
		}
	}
}
