package setup

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ken/internal/operation"
)

// TestReapply: a skill that the user and ken have changed is merged when that is asked for, without the name of a product, and conflicts
// are shown.
func TestReapply(t *testing.T) {
	dir := t.TempDir()
	root, home := filepath.Join(dir, "p"), filepath.Join(dir, "h")
	for _, d := range []string{root, filepath.Join(home, "bin")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", os.Getenv("PATH")) // git is found there
	in := installInput{Runtimes: []string{"codex"}, User: true, Yes: true, Profile: profileCore}
	if _, err := run(t, root, home, in, installDirection(), nil); err != nil {
		t.Fatal(err)
	}
	skill := filepath.Join(home, ".agents", "skills", "ken-query", "SKILL.md")
	read := func() string {
		b, err := os.ReadFile(skill)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	before := read()
	const title = "# Questions"
	write(t, skill, strings.Replace(before, title, "mine\n\n"+title, 1))
	if _, err := run(t, root, home, installInput{Reapply: true}, installDirection(), nil); err == nil || !strings.Contains(err.Error(), "no version of yours is kept aside") {
		t.Errorf("nothing to merge: %v", err)
	}

	// Texts name ken otherwise once it is in PATH.
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(home, "bin", "ken"+filepath.Ext(self))); err != nil {
		t.Skip(err)
	}
	if _, err := run(t, root, home, in, installDirection(), nil); err != nil || strings.Contains(read(), "mine") || read() == before {
		t.Fatalf("%v, the new text was not written", err)
	}
	fresh := read()
	a, err := run(t, root, home, installInput{Reapply: true, DryRun: true}, installDirection(), nil)
	if err != nil || !a.Changed || read() != fresh {
		t.Errorf("a dry run: %+v, %v", a, err)
	}
	a, err = run(t, root, home, installInput{Reapply: true, Yes: true}, installDirection(), nil)
	if err != nil || a.Runtime != "codex" || read() != strings.Replace(fresh, title, "mine\n\n"+title, 1) {
		t.Fatalf("%+v, %v\n%s", a, err, read())
	}
	if entries, _ := os.ReadDir(filepath.Dir(skill)); len(entries) != 1 {
		t.Error("the core was recorded, but not kept")
	}

	// The end, which both have changed, is a conflict.
	write(t, skill, fresh+"the end of mine\n")
	if err := os.Remove(filepath.Join(home, "bin", "ken"+filepath.Ext(self))); err != nil {
		t.Fatal(err)
	}
	if _, err = run(t, root, home, in, installDirection(), nil); err != nil || read() != before {
		t.Fatalf("%v\n%s", err, read())
	}
	a, err = run(t, root, home, installInput{Reapply: true, Yes: true}, installDirection(), nil)
	var alarm *operation.AlarmError
	if !errors.As(err, &alarm) || read() != before {
		t.Fatalf("%v\n%s", err, read())
	}
	found := false
	for _, f := range a.Files {
		for _, c := range f.Conflicts {
			found = found || strings.Contains(c.Yours, "of mine") && strings.Contains(c.Ken, "not in PATH")
		}
	}
	if !found {
		t.Errorf("no conflict in %+v", a.Files)
	}
	if _, err := run(t, root, home, installInput{Runtimes: []string{"codex"}, Reapply: true, User: true}, removeDirection(), nil); err == nil {
		t.Error("uninstall takes --reapply")
	}
}
