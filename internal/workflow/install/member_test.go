package install

import (
	"os"
	"strings"
	"testing"
)

// TestMember: a member of a YAML file is renewed, left alone where the user has changed it, and removed from what others have changed.
func TestMember(t *testing.T) {
	const file = ".agent/config.yaml"
	w := newWorld(t, map[string]string{file: "# mine\nextensions:\n  other:\n    cmd: x\nmodel: a # b\n"})
	w.install()
	with := w.read(file)
	w.plan = w.planOf("/opt/ken")
	w.install()
	if got := w.read(file); got != strings.ReplaceAll(with, "/bin/ken", "/opt/ken") {
		t.Errorf("a new path: %q", got)
	}
	w.write(file, strings.Replace(w.read(file), "type: stdio", "type: stdio\n    timeout: 9", 1)+"more: 1\n")
	changed := w.read(file)
	w.install()
	if w.read(file) != changed {
		t.Errorf("a changed member: %q", w.read(file))
	}
	w.uninstall()
	if got := w.read(file); got != "# mine\nextensions:\n  other:\n    cmd: x\nmodel: a # b\nmore: 1\n" {
		t.Errorf("taken out: %q", got)
	}

	const theirs = "extensions:\n  ken: {cmd: another, args: []}\n"
	w = newWorld(t, map[string]string{file: theirs})
	w.install()
	w.uninstall()
	if got := w.read(file); got != theirs {
		t.Errorf("a member of another program: %q", got)
	}
	w = newWorld(t, nil)
	w.install()
	w.write(file, w.read(file)+"more: 1\n")
	w.uninstall()
	if got := w.read(file); got != "more: 1\n" {
		t.Errorf("the map that ken has made: %q", got)
	}
}

// TestScripts: a script is executable, and one of the user's in its place stays, whatever happens.
func TestScripts(t *testing.T) {
	const mine = "#!/bin/sh\necho mine\n"
	w := newWorld(t, map[string]string{".agent/hooks/Stop": mine})
	before := tree(t, w.dir)
	note := ""
	for _, c := range w.install() {
		if c.Path == w.path(".agent/hooks/Stop") {
			note = c.Action + " " + c.Note
		}
	}
	if w.read(".agent/hooks/Stop") != mine || note != "unchanged one of yours is there and stays: ken's is left out" {
		t.Errorf("%q, %s", w.read(".agent/hooks/Stop"), note)
	}
	if st, err := os.Stat(w.path(".agent/hooks/ken-stop.sh")); err != nil || st.Mode().Perm()&0o100 == 0 {
		t.Errorf("%v, %v", st, err)
	}
	if list := w.install(); !NothingToDo(list) {
		t.Errorf("a second installation: %+v", list)
	}
	w.uninstall()
	w.same("taken out", before)

	w.install()
	os.Remove(w.path(".agent/hooks/Stop"))
	w.install()
	if got := w.read(".agent/hooks/Stop"); !strings.Contains(got, "exec /bin/ken hook stop") {
		t.Errorf("the place is free: %q", got)
	}
	w.uninstall()
	if got := w.read(".agent/hooks/Stop"); got != "-" {
		t.Errorf("taken out: %q", got)
	}
}
