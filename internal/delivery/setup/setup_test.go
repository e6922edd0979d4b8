package setup

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/delivery/project"
	"ken/internal/operation"
	"ken/internal/workflow/install"
)

// at returns the surroundings of a request in a project.
func at(root string, vars map[string]string) *env {
	return &env{
		Dir: root, Getenv: func(name string) string { return vars[name] },
		Open: func(string, operation.Need) (*project.Project, error) {
			return &project.Project{Root: root, Dir: root}, nil
		},
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// repository makes a folder that git would accept as one of its own.
func repository(t *testing.T, dir string) {
	t.Helper()
	write(t, filepath.Join(dir, "HEAD"), "ref: refs/heads/main\n")
	for _, name := range []string{"objects", "refs", "info"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// TestForeignRepository: a file .git that names another repository, which does not know
// this tree, makes ken write nothing there.
func TestForeignRepository(t *testing.T) {
	dir := t.TempDir()
	theirs, root := filepath.Join(dir, "theirs", ".git"), filepath.Join(dir, "clone")
	repository(t, theirs)
	write(t, filepath.Join(root, ".git"), "gitdir: "+theirs+"\n")
	p, err := findTarget(at(root, map[string]string{"HOME": dir}), "claude", &installInput{})
	if err != nil || len(p.plans[0].Lines) != 0 {
		t.Errorf("%v: lines for %+v", err, p.plans[0].Lines)
	}

	own := filepath.Join(dir, "own")
	repository(t, filepath.Join(own, ".git"))
	p, err = findTarget(at(own, map[string]string{"HOME": dir}), "claude", &installInput{})
	if err != nil || len(p.plans[0].Lines) != 1 || p.plans[0].Lines[0].Path != filepath.Join(own, ".git", "info", "exclude") {
		t.Errorf("%v: lines for %+v", err, p.plans[0].Lines)
	}
}

// TestProgram: the path in PATH is taken if it is this program, and the name alone is
// enough then.
func TestProgram(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	linked, other := filepath.Join(dir, "linked"), filepath.Join(dir, "other")
	write(t, filepath.Join(other, "ken"), "another")
	if err := os.MkdirAll(linked, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(linked, "ken"+filepath.Ext(self))); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ path, ken, shell string }{
		{"", self, self},
		{linked, filepath.Join(linked, "ken"+filepath.Ext(self)), "ken"},
		{"relative" + string(filepath.ListSeparator) + linked, filepath.Join(linked, "ken"+filepath.Ext(self)), "ken"},
	} {
		var p target
		if err := p.setProgram(at(dir, map[string]string{"PATH": tc.path})); err != nil {
			t.Fatal(err)
		}
		if p.options.Ken != tc.ken || p.options.Shell != tc.shell {
			t.Errorf("PATH %q: %s, %s", tc.path, p.options.Ken, p.options.Shell)
		}
	}
	if filepath.Ext(self) == "" { // another ken comes first
		var p target
		if err := p.setProgram(at(dir, map[string]string{"PATH": other + string(filepath.ListSeparator) + linked})); err != nil || p.options.Ken != self {
			t.Errorf("%v %s", err, p.options.Ken)
		}
	}
}

// TestAsk: the plan is shown, and "no" writes nothing.
func TestAsk(t *testing.T) {
	changes := []install.Change{{Path: "/p/a", What: "rules", Action: install.Changed}, {Path: "/p/b", What: "skill", Action: install.Unchanged}}
	p := &target{plans: []*install.Plan{{Root: "/p"}}}
	w := &work{direction: installDirection(), targets: []*target{p}}
	for _, c := range changes {
		w.changes = append(w.changes, targetChange{c, p, false})
	}
	for _, yes := range []bool{true, false} {
		e := at("/p", nil)
		shown := ""
		e.Confirm = func(q string) (bool, error) { shown = q; return yes, nil }
		err := w.confirm(e)
		var nothing *operation.NothingError
		if yes != (err == nil) || !yes && !errors.As(err, &nothing) {
			t.Errorf("%v: %v", yes, err)
		}
		if !strings.Contains(shown, "changed   a: rules") || strings.Contains(shown, "skill") || !strings.HasSuffix(shown, "install?") {
			t.Errorf("%q", shown)
		}
	}
}
