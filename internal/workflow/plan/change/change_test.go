package change_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/folder"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv("KEN_TEST_COUNT_IN"); dir != "" {
		if err := count(dir, os.Getenv("KEN_TEST_STATE")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// project makes a project with a planning folder of files.
func project(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, folder.Name), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		write(t, root, name, text)
	}
	return root
}

func write(t *testing.T, root, name, text string) {
	t.Helper()
	at := filepath.Join(root, folder.Name, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, root string, opt change.Options) *change.Writer {
	t.Helper()
	if opt.StateDir == "" {
		opt.StateDir = filepath.Join(root, "state")
	}
	w, err := change.Open(root, opt)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// tree are all files and folders of the planning folder with modes and texts.
func tree(t *testing.T, root string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(filepath.Join(root, folder.Name), func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		st, err := d.Info()
		if err != nil {
			return err
		}
		text := []byte{}
		if st.Mode().IsRegular() {
			text, err = os.ReadFile(p)
		}
		rel, _ := filepath.Rel(root, p)
		fmt.Fprintf(&b, "%s %v %q\n", rel, st.Mode(), text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func set(name, text string) change.File { return change.File{Name: name, Text: &text} }

func do(t *testing.T, w *change.Writer, files ...change.File) change.Result {
	t.Helper()
	r, err := w.Do(context.Background(), "a change", false, func(change.Read) ([]change.File, error) { return files, nil })
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestUndo: any change is undone to the bytes and modes before it, folders included, one after the other.
func TestUndo(t *testing.T) {
	root := project(t, map[string]string{"STATE.md": "one\r\n\xff", "old.md": "x", "phases/01-a/PLAN.md": ""})
	if err := os.Chmod(filepath.Join(root, folder.Name, "STATE.md"), 0o600); err != nil {
		t.Fatal(err)
	}
	w := open(t, root, change.Options{})
	states := []string{tree(t, root)}
	do(t, w, set("STATE.md", "two"), change.File{Name: "old.md"}, set("phases/02-b/deep/PLAN.md", "new"))
	states = append(states, tree(t, root))
	do(t, w, set("STATE.md", "three"))
	if list, err := w.List(); err != nil || len(list) != 2 || list[0].What != "a change" || list[1].Files[0] != ".planning/STATE.md" {
		t.Errorf("%+v %v", list, err)
	}
	for i := len(states) - 1; i >= 0; i-- {
		if _, r, err := w.Undo(context.Background(), true); err != nil || len(r.Changed) == 0 {
			t.Errorf("dry: %v %v", r, err)
		}
		if _, _, err := w.Undo(context.Background(), false); err != nil {
			t.Fatal(err)
		}
		if got := tree(t, root); got != states[i] {
			t.Errorf("after undoing:\n%s\nwant\n%s", got, states[i])
		}
	}
	if _, _, err := w.Undo(context.Background(), false); !errors.Is(err, change.ErrNothing) {
		t.Errorf("%v", err)
	}
}

// TestUndoRefused: what was changed since is named, and nothing is undone.
func TestUndoRefused(t *testing.T) {
	root := project(t, map[string]string{"a": "1", "b": "1"})
	w := open(t, root, change.Options{})
	do(t, w, set("a", "2"), set("b", "2"))
	write(t, root, "b", "somebody else")
	before := tree(t, root)
	_, _, err := w.Undo(context.Background(), false)
	if changed, ok := errors.AsType[*change.ChangedError](err); !ok || changed.File != ".planning/b" || tree(t, root) != before {
		t.Errorf("%v\n%s", err, tree(t, root))
	}
}

// TestNothingToChange: a file that is to be what it is, and a dry run, write nothing: neither it nor the journal.
func TestNothingToChange(t *testing.T) {
	root := project(t, map[string]string{"a": "1"})
	w := open(t, root, change.Options{})
	at := filepath.Join(root, folder.Name, "a")
	old := time.Now().Add(-time.Hour).Truncate(time.Second)
	if err := os.Chtimes(at, old, old); err != nil {
		t.Fatal(err)
	}
	if r := do(t, w, set("a", "1"), change.File{Name: "b"}); len(r.Changed) != 0 || r.ID != "" {
		t.Errorf("%+v", r)
	}
	r, err := w.Do(context.Background(), "dry", true, func(read change.Read) ([]change.File, error) {
		text, ok, err := read("a")
		return []change.File{set("a", text+"2")}, errors.Join(err, func() error {
			if !ok {
				return errors.New("not there")
			}
			return nil
		}())
	})
	if err != nil || len(r.Changed) != 1 || *r.Changed[0].After != "12" {
		t.Errorf("%+v %v", r, err)
	}
	if st, err := os.Stat(at); err != nil || !st.ModTime().Equal(old) {
		t.Errorf("written: %v", err)
	}
	if list, _ := w.List(); len(list) != 0 {
		t.Errorf("%v", list)
	}
}

// TestTimeoutIsAnErrorNotATheft: a lock of another program is honoured while it is fresh, stays as it is, and waiting
// for it ends with an error; one that is stale is none.
func TestTimeoutIsAnErrorNotATheft(t *testing.T) {
	for name, stale := range map[string]time.Duration{"STATE.md.lock": 10 * time.Second, ".lock": 30 * time.Second} {
		root := project(t, map[string]string{"a": "1", name: "12345"})
		w := open(t, root, change.Options{Budget: 100 * time.Millisecond})
		before := tree(t, root)
		_, err := w.Do(context.Background(), "x", false, func(change.Read) ([]change.File, error) { return []change.File{set("a", "2")}, nil })
		if lock, ok := errors.AsType[*change.LockError](err); !ok || !strings.HasSuffix(lock.Path, name) || tree(t, root) != before {
			t.Errorf("%s: %v\n%s", name, err, tree(t, root))
		}
		old := time.Now().Add(-stale - time.Second)
		if err := os.Chtimes(filepath.Join(root, folder.Name, name), old, old); err != nil {
			t.Fatal(err)
		}
		do(t, w, set("a", "2"))
		if got := tree(t, root); strings.Contains(got, ".lock") || !strings.Contains(got, `"2"`) {
			t.Errorf("%s", got)
		}
	}
}

// TestNoLockNoWriting: where a lock cannot be made nothing is written.
func TestNoLockNoWriting(t *testing.T) {
	for _, name := range []string{"state/planning/lock/x", ".planning/STATE.md.lock/x", ".planning/.lock/x"} {
		root := project(t, map[string]string{"a": "1"})
		at := filepath.Join(root, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, nil, 0o644)); err != nil {
			t.Fatal(err)
		}
		before := tree(t, root)
		w := open(t, root, change.Options{Budget: 100 * time.Millisecond})
		_, err := w.Do(context.Background(), "x", false, func(change.Read) ([]change.File, error) { return []change.File{set("a", "2")}, nil })
		if err == nil || tree(t, root) != before {
			t.Errorf("%s: %v\n%s", name, err, tree(t, root))
		}
	}
}

// TestWriteFails: if a file cannot be written, neither a change nor undoing has changed those before it, and the change can still be undone.
func TestWriteFails(t *testing.T) {
	root := project(t, map[string]string{"a": "1", "sub/b": "1"})
	w := open(t, root, change.Options{})
	do(t, w, set("a", "2"), set("sub/b", "2"))
	blocked := filepath.Join(root, folder.Name, "sub", ".ken-new.tmp") // a folder in the place of the temporary file
	if err := os.MkdirAll(filepath.Join(blocked, "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	before := tree(t, root)
	if _, _, err := w.Undo(t.Context(), false); err == nil || tree(t, root) != before {
		t.Errorf("undo: %v\n%s", err, tree(t, root))
	}
	_, err := w.Do(t.Context(), "x", false, func(change.Read) ([]change.File, error) { return []change.File{set("a", "3"), set("sub/b", "3")}, nil })
	if err == nil || tree(t, root) != before {
		t.Errorf("change: %v\n%s", err, tree(t, root))
	}
	if err := os.RemoveAll(blocked); err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.Undo(t.Context(), false); err != nil || !strings.Contains(tree(t, root), `sub/b -rw-r--r-- "1"`) {
		t.Errorf("undo at last: %v\n%s", err, tree(t, root))
	}
}

// TestLockFilesAreMade: while files are written, other programs find their locks taken.
func TestLockFilesAreMade(t *testing.T) {
	root := project(t, map[string]string{"workstreams/x/a": "1"})
	w := open(t, root, change.Options{Below: "workstreams/x"})
	_, err := w.Do(context.Background(), "x", false, func(change.Read) ([]change.File, error) {
		for _, name := range []string{"STATE.md.lock", ".lock"} {
			if _, err := os.Stat(filepath.Join(root, folder.Name, "workstreams", "x", name)); err != nil {
				t.Error(err)
			}
		}
		return nil, nil
	})
	if err != nil || strings.Contains(tree(t, root), "lock") {
		t.Errorf("%v\n%s", err, tree(t, root))
	}
}

// TestOneWriter: a second writer waits for the first, in another work tree of the same repository, too.
func TestOneWriter(t *testing.T) {
	root := project(t, map[string]string{"a": "1"})
	git := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-C", root, "-c", "user.name=x", "-c", "user.email=x@x"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("git %v: %v %s", args, err, out)
		}
	}
	git("init", "-q")
	git("add", "-A")
	git("commit", "-qm", "x")
	other := filepath.Join(t.TempDir(), "other")
	git("worktree", "add", "-q", other)
	first, second := open(t, root, change.Options{}), open(t, other, change.Options{Budget: 100 * time.Millisecond, StateDir: filepath.Join(root, "state")})
	_, err := first.Do(context.Background(), "x", false, func(change.Read) ([]change.File, error) {
		_, err := second.Do(context.Background(), "y", false, func(change.Read) ([]change.File, error) { return nil, nil })
		if _, ok := errors.AsType[*change.LockError](err); !ok {
			t.Errorf("a second writer: %v", err)
		}
		return []change.File{set("a", "2")}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, ".git", "ken", "planning", "lock")); err != nil {
		t.Error(err)
	}
	do(t, second, set("a", "3"))
	// Each work tree undoes its own.
	if list, err := first.List(); err != nil || len(list) != 1 {
		t.Errorf("%v %v", list, err)
	}
	if _, _, err := first.Undo(context.Background(), false); err != nil || !strings.Contains(tree(t, root), `"1"`) || !strings.Contains(tree(t, other), `"3"`) {
		t.Errorf("%v\n%s%s", err, tree(t, root), tree(t, other))
	}
}

// TestHostileNames: nothing outside the folder is touched, and nothing is written through a link.
func TestHostileNames(t *testing.T) {
	root := project(t, map[string]string{"a": "1", "file": "x"})
	if err := os.WriteFile(filepath.Join(root, "secret"), []byte("s"), 0o644); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"link": "../secret", "inside": "a", "dir": ".."} {
		if err := os.Symlink(to, filepath.Join(root, folder.Name, link)); err != nil {
			t.Skip(err)
		}
	}
	w := open(t, root, change.Options{})
	before := tree(t, root)
	for _, name := range []string{"../secret", "link", "inside", "dir/secret", "dir/new", "a\nb", "/x", ".", "", "x/../../y", "file/below", "\xff"} {
		_, err := w.Do(context.Background(), "x", false, func(change.Read) ([]change.File, error) {
			return []change.File{set("a", "2"), set(name, "evil")}, nil
		})
		if err == nil {
			t.Errorf("%q was written", name)
		}
		if got := tree(t, root); got != before {
			t.Errorf("%q:\n%s\nwant\n%s", name, got, before)
		}
	}
	if b, err := os.ReadFile(filepath.Join(root, "secret")); err != nil || string(b) != "s" {
		t.Errorf("%q %v", b, err)
	}
	if _, err := os.Stat(filepath.Join(root, "new")); err == nil {
		t.Error("a file outside was made")
	}
}

// TestForeignRepository: a .git that names a repository which does not know it is none, so that nothing is written there.
func TestForeignRepository(t *testing.T) {
	root, victim := project(t, nil), t.TempDir()
	if out, err := exec.Command("git", "init", "-q", victim).CombinedOutput(); err != nil {
		t.Skipf("%v %s", err, out)
	}
	if err := os.WriteFile(filepath.Join(root, ".git"), []byte("gitdir: "+filepath.Join(victim, ".git")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	open(t, root, change.Options{})
	if _, err := os.Stat(filepath.Join(victim, ".git", "ken")); err == nil {
		t.Error("somebody else's repository was written")
	}
	if _, err := change.Open(root, change.Options{}); err == nil {
		t.Error("opened without a place for the journal")
	}
}

// count adds one to a number in two files, twenty times; it prints a line for each that was reported as done.
func count(dir, state string) error {
	w, err := change.Open(dir, change.Options{StateDir: state})
	if err != nil {
		return err
	}
	for range 20 {
		_, err := w.Do(context.Background(), "count", false, func(read change.Read) ([]change.File, error) {
			var files []change.File
			for _, name := range []string{"STATE.md", "ROADMAP.md"} {
				text, _, err := read(name)
				if err != nil {
					return nil, err
				}
				n, err := strconv.Atoi(strings.TrimSpace(text[:min(len(text), 8)]))
				if err != nil {
					return nil, fmt.Errorf("torn: %q", text)
				}
				files = append(files, set(name, fmt.Sprintf("%7d\n", n+1)+strings.Repeat("x", 4096)))
			}
			return files, nil
		})
		if err != nil {
			return err
		}
		fmt.Println("done")
	}
	return nil
}

// TestKilled: processes are killed at any moment, and nothing that one of them reported is lost, no file is torn, and
// the two files of a change are never of different ones.
func TestKilled(t *testing.T) {
	root := project(t, map[string]string{"STATE.md": "      0\n", "ROADMAP.md": "      0\n"})
	state := filepath.Join(root, "state")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	type child struct {
		cmd *exec.Cmd
		out *strings.Builder
	}
	var children []child
	for range 8 {
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), "KEN_TEST_COUNT_IN="+root, "KEN_TEST_STATE="+state)
		c := child{cmd, &strings.Builder{}}
		cmd.Stdout, cmd.Stderr = c.out, c.out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		children = append(children, c)
	}
	for i, c := range children {
		if i%2 == 0 {
			time.Sleep(time.Duration(17*i) * time.Millisecond)
			c.cmd.Process.Kill()
		}
	}
	reported := 0
	for i, c := range children {
		if err := c.cmd.Wait(); err != nil && i%2 == 1 {
			t.Errorf("process %d: %v %s", i, err, c.out)
		}
		reported += strings.Count(c.out.String(), "done\n")
	}
	// The next writer puts back what was left half done.
	w := open(t, root, change.Options{StateDir: state})
	var numbers []int
	_, err = w.Do(context.Background(), "look", false, func(read change.Read) ([]change.File, error) {
		for _, name := range []string{"STATE.md", "ROADMAP.md"} {
			text, _, err := read(name)
			if err != nil {
				return nil, err
			}
			n, err := strconv.Atoi(strings.TrimSpace(text[:8]))
			if err != nil || len(text) != 8+4096 {
				t.Errorf("%s is torn", name)
			}
			numbers = append(numbers, n)
		}
		return nil, nil
	})
	// A process can be killed between the end of a change and saying so: at most one each.
	if err != nil || numbers[0] != numbers[1] || numbers[0] < reported || numbers[0] > reported+4 {
		t.Errorf("%v: numbers %v, %d were reported", err, numbers, reported)
	}
	if got := tree(t, root); strings.Contains(got, ".tmp") || strings.Contains(got, "lock") {
		t.Errorf("left behind:\n%.400s", got)
	}
}

// TestEmptyFoldersGo: a folder whose last file was taken away goes with it, and comes back with undo.
func TestEmptyFoldersGo(t *testing.T) {
	root := project(t, map[string]string{"phases/01-a/01-01-PLAN.md": "p", "phases/01-a/deep/x.md": "x", "phases/02-b/y.md": "y", "workstreams/w/STATE.md": "s"})
	if err := os.Symlink("02-b", filepath.Join(root, folder.Name, "phases", "link")); err != nil {
		t.Skip(err)
	}
	before := tree(t, root)
	w := open(t, root, change.Options{Below: "workstreams/w"})
	_, err := w.Do(context.Background(), "empty", false, func(change.Read) ([]change.File, error) {
		return []change.File{{Name: "phases/01-a/01-01-PLAN.md"}, {Name: "phases/01-a/deep/x.md"}, {Name: "phases/link/y.md"}, {Name: "workstreams/w/STATE.md"}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, gone := range []string{"phases/01-a", "workstreams"} {
		if _, err := os.Stat(filepath.Join(root, folder.Name, gone)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is still there: %v", gone, err)
		}
	}
	if _, err := os.Lstat(filepath.Join(root, folder.Name, "phases", "link")); err != nil {
		t.Errorf("a link was taken away: %v", err)
	}
	if _, _, err := w.Undo(context.Background(), false); err != nil {
		t.Fatal(err)
	}
	if after := tree(t, root); after != before {
		t.Errorf("undo:\n%s\nwant:\n%s", after, before)
	}
}
