package change_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/folder"
)

func gitInit(t *testing.T, root string) {
	t.Helper()
	if out, err := exec.Command("git", "init", "-q", root).CombinedOutput(); err != nil {
		t.Skipf("%v %s", err, out)
	}
}

// TestPlantedJournal: an entry that came with a repository is kept, reported, and changes no file, here and elsewhere.
func TestPlantedJournal(t *testing.T) {
	victim := project(t, map[string]string{"ROADMAP.md": "theirs"})
	root := project(t, map[string]string{"ROADMAP.md": "mine"})
	gitInit(t, root)
	state := filepath.Join(t.TempDir(), "state")
	journal := filepath.Join(root, ".git", "ken", "planning")
	encoded := base64.StdEncoding.EncodeToString
	var planted []string
	for i, text := range []string{
		`{"version":1,"what":"x","project":%q,"time":"2026-11-24T00:13:06Z","files":[{"name":"EVIL.md","mode":493,"there":true,"before":%q,"will":false}]}`,
		`{"version":2,"what":"x","tree":".:.","path":%q,"time":"2026-11-24T00:13:06Z","files":[{"name":"EVIL.md","mode":493,"there":true,"before":%q,"will":false}]}`,
		`{"version":2,"what":"x","tree":%q,"files":[{"name":"EVIL.md","mode":493,"there":true,"before":%q,"will":false}],"seal":"00000000000000000000000000000000"}` + "\n",
	} {
		for _, end := range []string{".open", ".json"} {
			planted = append(planted, filepath.Join(journal, fmt.Sprintf("%010d%s", i+1, end)))
			at := planted[len(planted)-1]
			if err := errors.Join(os.MkdirAll(journal, 0o700), os.WriteFile(at, fmt.Appendf(nil, text, victim, encoded([]byte("evil"))), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
	}
	opt := change.Options{StateDir: state}
	before := tree(t, victim)
	note, err := change.Recover(t.Context(), root, opt)
	if err != nil || !strings.Contains(note, "ken plan changes") {
		t.Errorf("%q %v", note, err)
	}
	w := open(t, root, opt)
	do(t, w, set("ROADMAP.md", "two"))
	if _, _, err := w.Undo(t.Context(), false); err != nil {
		t.Error(err)
	}
	if _, _, err := w.Undo(t.Context(), false); !errors.Is(err, change.ErrNothing) {
		t.Errorf("undo of what was not done here: %v", err)
	}
	list, err := w.StrangeEntries()
	if err != nil || len(list) != len(planted) || list[0].Files[0] != "EVIL.md" || !list[0].Open {
		t.Errorf("%+v %v", list, err)
	}
	for _, p := range planted {
		if _, err := os.Lstat(p); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Lstat(filepath.Join(root, folder.Name, "EVIL.md")); err == nil || tree(t, victim) != before {
		t.Error("a file was written")
	}
}

// TestMovedJournal: a repository that is moved keeps its journal, and under another state directory nothing of it is undone.
func TestMovedJournal(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	without := project(t, map[string]string{"a": "1"})
	gitInit(t, without)
	do(t, open(t, without, change.Options{StateDir: filepath.Join(without, folder.Name, "a", "state")}), set("a", "2")) // its key is a temporary file
	root := project(t, map[string]string{"a": "1"})
	gitInit(t, root)
	state := filepath.Join(t.TempDir(), "state")
	do(t, open(t, root, change.Options{StateDir: state}), set("a", "2"))
	moved := filepath.Join(t.TempDir(), "moved")
	if err := os.Rename(root, moved); err != nil {
		t.Fatal(err)
	}
	other := open(t, moved, change.Options{StateDir: filepath.Join(t.TempDir(), "other")})
	if _, _, err := other.Undo(t.Context(), false); !errors.Is(err, change.ErrNothing) {
		t.Errorf("under another state directory: %v", err)
	}
	if list, err := other.StrangeEntries(); err != nil || len(list) != 1 {
		t.Errorf("%+v %v", list, err)
	}
	if _, _, err := open(t, moved, change.Options{StateDir: state}).Undo(t.Context(), false); err != nil {
		t.Error(err)
	}
	if b, err := os.ReadFile(filepath.Join(moved, folder.Name, "a")); err != nil || string(b) != "1" {
		t.Errorf("%q %v", b, err)
	}
}
