package change

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"ken/internal/workflow/plan/folder"
)

// TestKilledAtEveryStep: a process that was killed after any of the steps of a change, or of undoing one, leaves a folder
// that the next writer brings to the state before.
func TestKilledAtEveryStep(t *testing.T) {
	for undoing := range 2 {
		for step := range 4 {
			for leftover := range 2 {
				t.Run(fmt.Sprintf("undoing %d, step %d, leftover %d", undoing, step, leftover), func(t *testing.T) {
					killed(t, undoing == 1, step, leftover == 1)
				})
			}
		}
	}
}

func killed(t *testing.T, undoing bool, step int, leftover bool) {
	project := t.TempDir()
	at := func(name string) string { return filepath.Join(project, folder.Name, filepath.FromSlash(name)) }
	if err := os.Mkdir(filepath.Join(project, folder.Name), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b"} {
		if err := os.WriteFile(at(name), []byte("old "+name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w, err := Open(project, Options{StateDir: filepath.Join(project, "state")})
	if err != nil {
		t.Fatal(err)
	}
	root, err := w.openRoot()
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	e := &entry{Version: journalVersion, Tree: w.tree, Dirs: []string{"new", "new/deep"}, Files: []entryFile{
		{Name: "a", Mode: 0o644, There: true, Before: []byte("old a"), Will: true, After: []byte("new a")},
		{Name: "b", Mode: 0o644, There: true, Before: []byte("old b")},
		{Name: "new/deep/c", Mode: 0o644, Will: true, After: []byte("new c")},
	}}
	if err := w.saveEntry("0000000001", e); err != nil {
		t.Fatal(err)
	}
	made := *e
	if !undoing {
		made.Files = e.Files[:step]
	}
	if err := applyEntry(root, &made); err != nil {
		t.Fatal(err)
	}
	if undoing {
		for _, f := range e.Files[:step] {
			if err := restoreFile(root, f); err != nil {
				t.Fatal(err)
			}
		}
	}
	if leftover {
		if err := os.WriteFile(at(".ken-new.tmp"), []byte("half"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if leftover { // the next one writes
		_, err = w.Do(context.Background(), "next", false, func(Read) ([]File, error) { return nil, nil })
	} else { // or reads
		_, err = Recover(context.Background(), project, w.opt)
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a": "old a", "b": "old b"} {
		if b, err := os.ReadFile(at(name)); err != nil || string(b) != want {
			t.Errorf("%s: %q %v", name, b, err)
		}
	}
	entries, err := os.ReadDir(filepath.Join(project, folder.Name))
	if err != nil || len(entries) != 2 {
		t.Errorf("%v %v", entries, err)
	}
	if ids, err := w.entryIDs(open); err != nil || len(ids) > 0 {
		t.Errorf("left open: %v %v", ids, err)
	}
}

// TestKilledWithoutState: where no state directory can be made the key is kept below the folder for temporary files, so that a killed
// change is put back. A folder there that others can write is not used.
func TestKilledWithoutState(t *testing.T) {
	for _, planted := range []bool{false, true} {
		temp, project := t.TempDir(), t.TempDir()
		t.Setenv("TMPDIR", temp)
		if planted {
			dir := filepath.Join(temp, fmt.Sprintf("ken-state-%d", os.Getuid()))
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(dir, 0o777); err != nil {
				t.Fatal(err)
			}
		}
		if out, err := exec.Command("git", "init", "-q", project).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if err := os.Mkdir(filepath.Join(project, folder.Name), 0o755); err != nil {
			t.Fatal(err)
		}
		a := filepath.Join(project, folder.Name, "a")
		for _, name := range []string{a, filepath.Join(project, "file")} {
			if err := os.WriteFile(name, []byte("old"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		opt := Options{StateDir: filepath.Join(project, "file", "state")}
		w, err := Open(project, opt)
		if err != nil {
			t.Fatal(err)
		}
		e := &entry{Version: journalVersion, Tree: w.tree, Files: []entryFile{{Name: "a", Mode: 0o644, There: true, Before: []byte("old"), Will: true, After: []byte("new")}}}
		if err := w.saveEntry("0000000001", e); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(a, []byte("new"), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Recover(t.Context(), project, opt); err != nil {
			t.Fatal(err)
		}
		want := "old"
		if planted {
			want = "new"
		}
		if b, err := os.ReadFile(a); err != nil || string(b) != want {
			t.Errorf("planted %v: %q %v", planted, b, err)
		}
	}
}

// TestFoldersGoAndComeBack: a folder that is renamed and one that goes are back after undoing, empty folders and modes included;
// a folder that somebody else put a file into stays.
func TestFoldersGoAndComeBack(t *testing.T) {
	project := t.TempDir()
	at := func(name string) string { return filepath.Join(project, folder.Name, filepath.FromSlash(name)) }
	for _, dir := range []string{"old/empty", "kept"} {
		if err := os.MkdirAll(at(dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(at("old/run.sh"), []byte("x"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at("kept/theirs"), []byte("y"), 0o644); err != nil {
		t.Fatal(err)
	}
	w, err := Open(project, Options{StateDir: filepath.Join(project, "state")})
	if err != nil {
		t.Fatal(err)
	}
	text := "x"
	files := []File{{Name: "new/run.sh", Text: &text, From: "old/run.sh"}, {Name: "old/run.sh"}, {Name: "old/"}, {Name: "old/empty/"}, {Name: "kept/"}, {Name: "gone/"}}
	if _, err := w.Do(t.Context(), "rename", false, func(Read) ([]File, error) { return files, nil }); err != nil {
		t.Fatal(err)
	}
	there := func(name string) bool { _, err := os.Lstat(at(name)); return err == nil }
	st, err := os.Stat(at("new/run.sh"))
	if err != nil || st.Mode().Perm() != 0o755 || there("old") || !there("kept/theirs") {
		t.Errorf("after the change: %v %v, old %v, kept %v", st, err, there("old"), there("kept/theirs"))
	}
	if _, _, err := w.Undo(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	st, err = os.Stat(at("old/run.sh"))
	if err != nil || st.Mode().Perm() != 0o755 || !there("old/empty") || there("new") || !there("kept/theirs") {
		t.Errorf("after undoing: %v %v, empty %v, new %v", st, err, there("old/empty"), there("new"))
	}
}
