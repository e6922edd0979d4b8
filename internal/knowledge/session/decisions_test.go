package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestDecisions: what is written is read again, and what a person wrote stays.
func TestDecisions(t *testing.T) {
	root := t.TempDir()
	if list, odd, err := Decisions(root); len(list)+len(odd) > 0 || err != nil {
		t.Fatal(list, odd, err)
	}
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	first := Note{Kind: Decided, At: at, Topic: "Store", Text: "One file.\n\n## not a heading", Rationale: "it\nis simple", Pins: []Pin{{Target: "a.go"}, {Target: "b.go:Open"}}}
	if _, err := AddDecision(root, first); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(root, DecisionsFile)
	b, _ := os.ReadFile(path)
	broken := string(b) + "\n## when I feel like it\n\nNo date.\n\n## 2026-03-02 By hand\r\n\r\nA text.\r\n"
	os.WriteFile(path, []byte(broken), 0o644)
	if _, err := AddDecision(root, Note{At: at.AddDate(0, 0, 2), Topic: "Third", Text: "x"}); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(path); !strings.HasPrefix(string(b), broken) {
		t.Errorf("what was there has changed:\n%s", b)
	}
	list, odd, err := Decisions(root)
	if err != nil || len(list) != 3 || len(odd) != 1 || odd[0] != (OddSection{12, "when I feel like it"}) {
		t.Fatalf("%+v, %+v odd, %v", list, odd, err)
	}
	if got := list[0]; got.Topic != "Store" || got.Rationale != "it is simple" || len(got.Pins) != 2 || got.Pins[1].Target != "b.go:Open" || !strings.Contains(got.Text, "not a heading") {
		t.Errorf("%+v", got)
	}
	if list[1].Topic != "By hand" || list[1].Text != "A text." {
		t.Errorf("%+v", list[1])
	}
}

// TestDecisionsLink: a link in place of the file or its folder is not followed.
func TestDecisionsLink(t *testing.T) {
	root, other := t.TempDir(), t.TempDir()
	os.WriteFile(filepath.Join(other, "decisions.md"), []byte("## 2026-03-01 theirs\n\nx\n"), 0o644)
	os.Mkdir(filepath.Join(root, ".ken"), 0o755)
	if err := os.Symlink(other, filepath.Join(root, ".ken", "knowledge")); err != nil {
		t.Skip(err)
	}
	if list, _, err := Decisions(root); err == nil {
		t.Errorf("a folder elsewhere was read: %+v", list)
	}
	if _, err := AddDecision(root, Note{Topic: "x", Text: "x"}); err == nil {
		t.Error("a folder elsewhere was written")
	}
}

// TestDecisionsAtOnce: decisions that are written at the same time are all there.
func TestDecisionsAtOnce(t *testing.T) {
	root := t.TempDir()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for k := range 10 {
				if _, err := AddDecision(root, Note{At: time.Unix(0, 0), Topic: fmt.Sprint(i, " ", k), Text: "x"}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if list, odd, err := Decisions(root); err != nil || len(odd) > 0 || len(list) != 80 {
		t.Errorf("%d decisions, %+v odd, %v", len(list), odd, err)
	}
}

// TestUndoDecision takes a decision away again, unless somebody has written behind it.
func TestUndoDecision(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, DecisionsFile)
	undo, err := AddDecision(root, Note{Topic: "one", Text: "x"})
	if err != nil {
		t.Fatal(err)
	}
	if err := undo(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file is there: %v", err)
	}
	if _, err := AddDecision(root, Note{Topic: "one", Text: "x"}); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	undo, err = AddDecision(root, Note{Topic: "two", Text: "x"})
	if err != nil {
		t.Fatal(err)
	}
	later, err := AddDecision(root, Note{Topic: "three", Text: "x"})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []func() error{undo, later, undo} {
		if err := f(); err != nil {
			t.Error(err)
		}
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("%q %v, want %q", after, err, before)
	}
}
