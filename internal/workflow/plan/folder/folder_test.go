package folder_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/workflow/plan/folder"
)

// tree makes files below a new folder; a name that ends in a slash is a folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		at := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(at, 0o755); err != nil {
				t.Fatal(err)
			}
		} else if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func open(t *testing.T, root string, opt folder.Options) *folder.Folder {
	t.Helper()
	f, err := folder.Open(root, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestRead(t *testing.T) {
	root := tree(t, map[string]string{".planning/STATE.md": "x", ".planning/phases/01-a/PLAN.md": "y", "secret": "z"})
	f := open(t, root, folder.Options{})
	if text, err := f.Read("STATE.md"); text != "x" || err != nil {
		t.Errorf("%q %v", text, err)
	}
	if _, err := f.Read("ROADMAP.md"); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), ".planning/ROADMAP.md") {
		t.Errorf("a file that is not there: %v", err)
	}
	for _, bad := range []string{"../secret", "phases/../../secret", "/etc/passwd", "a\nb", "a\x00b", "phases", ""} {
		if text, err := f.Read(bad); err == nil {
			t.Errorf("%q: read %q", bad, text)
		}
	}
	if list, err := f.List("phases"); err != nil || len(list) != 1 || list[0] != (folder.Entry{Name: "01-a", Dir: true}) {
		t.Errorf("%v %v", list, err)
	}
	if list, err := f.List("nothing"); list != nil || err != nil {
		t.Errorf("%v %v", list, err)
	}
	if !f.Exists("STATE.md") || f.Exists("../secret") || f.Exists("x") {
		t.Error("Exists")
	}
}

// TestLinks: a link inside is followed, one that leads out is not, wherever it is.
func TestLinks(t *testing.T) {
	root := tree(t, map[string]string{".planning/phases/01-a/01-01-PLAN.md": "y", "outside/02-b/PLAN.md": "z", "secret": "s"})
	link := func(to, at string) {
		if err := os.Symlink(to, filepath.Join(root, at)); err != nil {
			t.Skip(err)
		}
	}
	link("../../secret", ".planning/phases/out.md")
	link("../secret", ".planning/STATE.md")
	link("phases/01-a/01-01-PLAN.md", ".planning/ROADMAP.md")
	link("../../outside/02-b", ".planning/phases/02-b")
	link("01-a", ".planning/phases/03-c")
	link("loop", ".planning/loop")
	f := open(t, root, folder.Options{})
	if text, err := f.Read("STATE.md"); err == nil || !strings.Contains(err.Error(), "leads out") {
		t.Errorf("out: %q %v", text, err)
	}
	if text, err := f.Read("ROADMAP.md"); text != "y" || err != nil {
		t.Errorf("inside: %q %v", text, err)
	}
	if _, err := f.Read("phases/02-b/PLAN.md"); err == nil {
		t.Error("a folder behind a link out was read")
	}
	if _, err := f.Read("loop"); err == nil {
		t.Error("a link to itself was read")
	}
	list, err := f.List("phases")
	if err != nil || len(list) != 2 || list[0].Name != "01-a" || list[1] != (folder.Entry{Name: "03-c", Dir: true}) || len(f.Problems) != 2 {
		t.Errorf("%v %v, problems %v", list, err, f.Problems)
	}
	other := tree(t, nil)
	if err := os.Symlink(filepath.Join(root, ".planning"), filepath.Join(other, ".planning")); err != nil {
		t.Skip(err)
	}
	if _, err := folder.Open(other, folder.Options{}); err == nil || !strings.Contains(err.Error(), "leads out") {
		t.Errorf("a folder that is a link out: %v", err)
	}
}

func TestHostileEntries(t *testing.T) {
	root := tree(t, map[string]string{".planning/phases/01-a/x": "", ".planning/phases/02\nb/x": "", ".planning/phases/03-\xff/x": ""})
	f := open(t, root, folder.Options{})
	if list, err := f.List("phases"); err != nil || len(list) != 1 || len(f.Problems) != 2 {
		t.Errorf("%v %v, problems %v", list, err, f.Problems)
	}
	large, err := os.Create(filepath.Join(root, ".planning", "ROADMAP.md"))
	if err != nil {
		t.Fatal(err)
	}
	defer large.Close()
	if err := large.Truncate(folder.MaxBytes + 1); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Read("ROADMAP.md"); err == nil || !strings.Contains(err.Error(), "exceed") {
		t.Errorf("a large file: %v", err)
	}
}

func TestNoFolder(t *testing.T) {
	if _, err := folder.Open(t.TempDir(), folder.Options{}); !errors.Is(err, folder.ErrNone) {
		t.Errorf("%v", err)
	}
	if _, err := folder.Open(tree(t, map[string]string{".planning": "a file"}), folder.Options{}); err == nil || errors.Is(err, folder.ErrNone) {
		t.Errorf("a file: %v", err)
	}
}

func TestWorkstreams(t *testing.T) {
	root := tree(t, map[string]string{".planning/active-workstream": "beta\n", ".planning/workstreams/alpha/STATE.md": "a", ".planning/workstreams/beta/STATE.md": "b", ".planning/STATE.md": "flat", ".planning/PROJECT.md": "p"})
	for _, c := range []struct {
		opt        folder.Options
		text, base string
	}{
		{folder.Options{}, "b", ".planning/workstreams/beta"},
		{folder.Options{Workstream: "alpha"}, "a", ".planning/workstreams/alpha"},
		{folder.Options{Flat: true}, "flat", ".planning"},
	} {
		f := open(t, root, c.opt)
		text, err := f.Read("STATE.md")
		if err != nil || text != c.text || f.Base != c.base || f.Path("x") != c.base+"/x" {
			t.Errorf("%+v: %q %s %v", c.opt, text, f.Base, err)
		}
		if text, err := f.ReadRoot("PROJECT.md"); err != nil || text != "p" {
			t.Errorf("%+v: the project: %q %v", c.opt, text, err)
		}
	}
	for _, name := range []string{"gamma", "../x", "a b", "a\n"} {
		if _, err := folder.Open(root, folder.Options{Workstream: name}); err == nil {
			t.Errorf("workstream %q was opened", name)
		}
	}
	if _, err := folder.Open(root, folder.Options{Workstream: "gamma"}); err == nil || !strings.Contains(err.Error(), "there is alpha, beta") {
		t.Errorf("those that are there are not named: %v", err)
	}
	// A file that names none chooses nothing, and stays: a reader does not write.
	for _, text := range []string{"../x\n", "gone\n", "\n"} {
		at := filepath.Join(root, ".planning", "active-workstream")
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		f := open(t, root, folder.Options{})
		if f.Workstream != "" || (len(f.Problems) == 0) != (text == "\n") {
			t.Errorf("%q: workstream %q, problems %v", text, f.Workstream, f.Problems)
		}
		if b, err := os.ReadFile(at); err != nil || string(b) != text {
			t.Errorf("the file was changed: %q %v", b, err)
		}
	}
	if _, err := folder.Open(root, folder.Options{Sub: ".."}); err == nil {
		t.Error("a project called ..")
	}
}
