package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const skillPath = ".agent/skills/ken-query/SKILL.md"

// skill sets the text of ken's skill in the plan of a world.
func (w *world) skill(text string) { w.plan.Files[0].Data = []byte(text) }

// asides returns the versions that were kept aside.
func (w *world) asides() (list []string) {
	entries, _ := os.ReadDir(w.in.Aside(w.plan))
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(w.in.Aside(w.plan), e.Name()))
		if err != nil {
			w.t.Fatal(err)
		}
		list = append(list, string(data))
	}
	return list
}

// skillChange returns the change of the skill among others.
func (w *world) skillChange(list []Change) Change {
	w.t.Helper()
	for _, c := range list {
		if c.Path == w.path(skillPath) {
			return c
		}
	}
	w.t.Fatal("no change of the skill")
	return Change{}
}

const (
	oldSkill = "one\ntwo\nthree\nfour\nfive\n"
	newSkill = "one\ntwo\nthree\nfour\nFIVE of ken\n"
	mySkill  = "ONE of mine\ntwo\nthree\nfour\nfive\n"
	joined   = "ONE of mine\ntwo\nthree\nfour\nFIVE of ken\n"
)

// changedSkill returns a world in which ken's skill was changed by the user.
func changedSkill(t *testing.T, mine string) *world {
	w := newWorld(t, nil)
	w.skill(oldSkill)
	w.install()
	w.write(skillPath, mine)
	return w
}

// TestAside: a file that ken and the user have changed is replaced, the user's version is kept aside, and merged when that is asked for.
func TestAside(t *testing.T) {
	w := changedSkill(t, mySkill)
	w.skill(newSkill)
	c := w.skillChange(w.install())
	if w.read(skillPath) != newSkill || c.Action != Changed || !strings.Contains(c.Note, `; "ken install --reapply" merges it`) {
		t.Fatalf("%q, %s, %s", w.read(skillPath), c.Action, c.Note)
	}
	if list := w.asides(); len(list) != 1 || list[0] != mySkill {
		t.Fatalf("kept aside: %q", list)
	}
	_, at, _ := strings.Cut(c.Note, "your version is in ")
	at, _, _ = strings.Cut(at, ";")
	if data, err := os.ReadFile(at); err != nil || string(data) != mySkill {
		t.Errorf("%s: %q, %v", at, data, err)
	}
	state := tree(t, w.in.State)
	if list := w.install(); !NothingToDo(list) || !strings.Contains(w.skillChange(list).Note, "--reapply") {
		t.Errorf("a second installation: %+v", w.skillChange(list))
	}
	if fmt.Sprint(state) != fmt.Sprint(tree(t, w.in.State)) {
		t.Error("a second installation changed the record")
	}

	w.in.Reapply = true
	preview, err := w.in.PreviewInstall(context.Background(), w.plan)
	if err != nil || string(w.skillChange(preview).After) != joined || w.read(skillPath) != newSkill {
		t.Errorf("a preview: %q, %v", w.skillChange(preview).After, err)
	}
	c = w.skillChange(w.install())
	if w.read(skillPath) != joined || c.Note != "your changes were merged into it" || len(w.asides()) != 0 || w.in.Aside(w.plan) != "" {
		t.Errorf("%q, %s, %q", w.read(skillPath), c.Note, w.asides())
	}
	w.in.Reapply = false
	if list := w.install(); !NothingToDo(list) || w.read(skillPath) != joined {
		t.Errorf("after a merge: %+v", w.skillChange(list))
	}
	// The merged text is the user's: it is kept aside again, with what ken wrote last as the base.
	w.skill(newSkill + "six\n")
	w.install()
	if got := w.read(skillPath); got != newSkill+"six\n" {
		t.Errorf("%q", got)
	}
	w.in.Reapply = true
	w.install()
	if got := w.read(skillPath); got != joined+"six\n" || len(w.asides()) != 0 {
		t.Errorf("%q, %q", got, w.asides())
	}
	if c = w.skillChange(w.uninstall()); c.Action != Kept || c.Note != "you have changed it, so it is not deleted" {
		t.Errorf("%+v", c)
	}
}

// TestAsideConflict: of a version that cannot be merged the places are listed, and the file has ken's text without marks.
func TestAsideConflict(t *testing.T) {
	const mine = "one\ntwo\nthree\nfour\nFIVE of mine\n"
	w := changedSkill(t, mine)
	w.skill(newSkill)
	w.in.Reapply = true
	c := w.skillChange(w.install())
	if w.read(skillPath) != newSkill || len(c.Conflicts) != 1 || c.Conflicts[0].Ours != "FIVE of ken\n" || c.Conflicts[0].Theirs != "FIVE of mine\n" ||
		c.Conflicts[0].Base != "five\n" || !strings.Contains(c.Note, "has conflicts with it: put your changes in by hand, and delete that file") {
		t.Fatalf("%q, %+v", w.read(skillPath), c)
	}
	if list := w.asides(); len(list) != 1 || list[0] != mine {
		t.Fatalf("kept aside: %q", list)
	}
	// A second version, which can be merged, is; the first stays.
	w.write(skillPath, "ONE of mine\n"+strings.TrimPrefix(newSkill, "one\n"))
	w.skill(newSkill + "six\n")
	c = w.skillChange(w.install())
	if got := w.read(skillPath); got != joined+"six\n" || len(w.asides()) != 1 || len(c.Conflicts) != 1 {
		t.Errorf("%q, %q, %+v", got, w.asides(), c.Conflicts)
	}
	// Taken out, the file and the version are the user's and stay, and both are named.
	dir := w.in.Aside(w.plan)
	c = w.skillChange(w.uninstall())
	if c.Action != Kept || !strings.Contains(c.Note, "you have changed it") || !strings.Contains(c.Note, "your version stays in "+dir) || len(w.asides()) != 1 {
		t.Errorf("%+v, %q", c, w.asides())
	}
	os.Remove(w.path(skillPath))
	w.install()
	if len(w.asides()) != 1 {
		t.Error("an installation has removed a version of the user's")
	}
}

// TestAsideDeleted: a version that the user has deleted is forgotten.
func TestAsideDeleted(t *testing.T) {
	w := changedSkill(t, mySkill)
	w.skill(newSkill)
	w.install()
	os.RemoveAll(w.in.Aside(w.plan))
	if c := w.skillChange(w.install()); c.Note != "" || c.Action != Unchanged {
		t.Errorf("%+v", c)
	}
}

// TestAsideUnknownBase: what an older version of ken has recorded without its text is kept aside, and its merge shows conflicts instead
// of a guess.
func TestAsideUnknownBase(t *testing.T) {
	w := changedSkill(t, mySkill)
	dir := w.in.recordDir(w.plan.Name, w.plan.Root)
	m, err := readManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	m.findRecord(w.path(skillPath)).Text = ""
	if err := writeManifest(dir, m); err != nil {
		t.Fatal(err)
	}
	if list := w.install(); !NothingToDo(list) || w.read(skillPath) != mySkill {
		t.Errorf("nothing new: %+v", w.skillChange(list))
	}
	w.skill(newSkill)
	w.in.Reapply = true
	if c := w.skillChange(w.install()); len(c.Conflicts) != 1 || w.read(skillPath) != newSkill || len(w.asides()) != 1 {
		t.Errorf("%+v", c)
	}
}

// TestAsideKilled: after a kill at any step no version of the user's is lost, and the next run ends as if there had been none.
func TestAsideKilled(t *testing.T) {
	for _, reapply := range []bool{false, true} {
		for n := 0; ; n++ {
			w := changedSkill(t, mySkill)
			w.skill(newSkill)
			w.in.Reapply = reapply
			left := n
			w.in.step = func(string) error {
				if left--; left < 0 {
					return errors.New("killed")
				}
				return nil
			}
			_, err := w.in.Install(context.Background(), w.plan)
			w.in.step = nil
			if now := w.read(skillPath); now != mySkill && now != joined && (len(w.asides()) != 1 || w.asides()[0] != mySkill) {
				t.Errorf("reapply %v, step %d: the user's version is lost: %q", reapply, n, now)
			}
			w.install()
			want := newSkill
			if reapply {
				want = joined
			}
			if got := w.read(skillPath); got != want || len(w.asides()) != map[bool]int{false: 1, true: 0}[reapply] {
				t.Errorf("reapply %v, step %d: %q, aside %q", reapply, n, got, w.asides())
			}
			if err == nil {
				if n < 5 {
					t.Errorf("%d steps only", n)
				}
				break
			}
		}
	}
}
