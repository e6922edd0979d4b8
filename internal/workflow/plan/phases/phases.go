// Package phases declares the operations that change phases: their folders, their places in ROADMAP.md, and their entries in
// REQUIREMENTS.md and STATE.md. An operation changes all its files under one lock, and undoes all changes if one fails. Neighbours:
// packages roadmap and inventory read the files, statechange changes STATE.md.
package phases

import (
	"context"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/edit"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/planop"
)

// phaseJob is one call of an operation that changes phases, with the files changed so far.
type phaseJob struct {
	*planop.Call
	ctx   context.Context // of the change
	read  change.Read
	inv   *inventory.Inventory
	road  *roadmapText // nil without ROADMAP.md
	files []change.File
	// renamed are files of a folder that got another number.
	renamed []Renamed
}

// changeOperation declares an operation that changes phases.
func changeOperation[In, A any](s planop.Spec[In, A], do func(j *phaseJob, in *In) (A, error)) *planop.Operation {
	s.Writes, s.Shared = true, true
	s.Run = func(ctx context.Context, c *planop.Call, in *In) (A, error) { return runChange(ctx, c, in, do) }
	return s.Operation()
}

func runChange[In, A any](ctx context.Context, c *planop.Call, in *In, do func(j *phaseJob, in *In) (A, error)) (a A, err error) {
	_, err = c.Change(ctx, c.Name, func(read change.Read) ([]change.File, error) {
		j := &phaseJob{Call: c, ctx: ctx, read: read}
		err := j.openFolder()
		if err != nil {
			return nil, err
		}
		if a, err = do(j, in); err != nil {
			return nil, err
		}
		return j.changedFiles()
	})
	return a, err
}

func (j *phaseJob) openFolder() (err error) {
	if j.inv, err = j.Inventory(); err != nil {
		return err
	}
	text, ok, err := j.readText("ROADMAP.md")
	if err != nil || !ok {
		return err
	}
	j.road, err = newRoadmapText(text, j.inv.View.Version)
	return err
}

// readText returns the present text of a file of the planning folder, or of the workstream chosen in it, and whether the file exists.
func (j *phaseJob) readText(name string) (string, bool, error) {
	below, err := j.PathBelowPlanning(name)
	if err != nil {
		return "", false, err
	}
	text, ok, err := j.read(below)
	if i := unreadableAt(text); err == nil && i >= 0 {
		line := strings.Count(text[:i], "\n") + 1
		return "", false, edit.Problem{Line: line, Why: "bytes that are no text: " + j.displayName(name) + " is not read, and nothing is written"}
	}
	return text, ok, err
}

// unreadableAt returns the place of the first byte that no text has, -1 if there is none.
func unreadableAt(text string) int {
	if utf8.ValidString(text) {
		return strings.IndexByte(text, 0)
	}
	for i, r := range text {
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD") {
			return i
		}
	}
	return -1
}

// putText gives a file of the planning folder, or of the workstream chosen in it, a new text.
func (j *phaseJob) putText(name, text string) error {
	below, err := j.PathBelowPlanning(name)
	j.files = append(j.files, change.File{Name: below, Text: &text})
	return err
}

// changedFiles returns the files that the job changed, with their new texts.
func (j *phaseJob) changedFiles() ([]change.File, error) {
	if j.road != nil {
		if j.road.err != nil {
			return nil, j.road.err
		}
		if err := j.putText("ROADMAP.md", j.road.Doc.Text()); err != nil {
			return nil, err
		}
	}
	// If the folder of a phase gets the name of a removed one, a file may be both removed and made. It is then made.
	made := map[string]bool{}
	for _, f := range j.files {
		made[f.Name] = made[f.Name] || f.Text != nil
	}
	return slices.DeleteFunc(j.files, func(f change.File) bool { return f.Text == nil && made[f.Name] }), nil
}

func (j *phaseJob) day() string { return j.Now().UTC().Format("2006-01-02") }

// checkRoadmap fails if there is no ROADMAP.md.
func (j *phaseJob) checkRoadmap() error {
	if j.road == nil {
		return planop.Faultf("roadmap_not_found", "ROADMAP.md not found")
	}
	return nil
}

// findFolder returns the phase with the number that a user gave. For a caller of gsd-tools, a phase without a folder is not there.
func (j *phaseJob) findFolder(text string) (*inventory.Phase, error) {
	p, err := j.findPhase(text)
	if err == nil && j.Original && p.Dir == "" {
		return nil, &planop.Fault{Reason: "phase_not_found", Message: "phase " + p.ID.String() + " has no folder"}
	}
	return p, err
}

// findPhase returns the phase with the number that a user gave. It ignores archived phases.
func (j *phaseJob) findPhase(text string) (*inventory.Phase, error) {
	return findInInventory(j.inv, text)
}

func findInInventory(inv *inventory.Inventory, text string) (*inventory.Phase, error) {
	if p, archived := inv.FindText(text); p != nil && archived == "" {
		return p, nil
	}
	shown := strconv.Quote(text[:min(len(text), 60)])
	return nil, &planop.Fault{Reason: "phase_not_found", Message: "there is no phase " + shown, Near: inv.NearPhases(text)}
}

// stateSheet returns STATE.md in a form to change, or nil if there is none.
func (j *phaseJob) stateSheet() (*inventory.StateText, error) {
	text, ok, err := j.readText("STATE.md")
	if err != nil || !ok {
		return nil, err
	}
	return inventory.NewStateText(text)
}

// putState stores the changed text of STATE.md. It returns the names of the counters in it that were computed again.
func (j *phaseJob) putState(b *inventory.StateText, inv *inventory.Inventory) (changed bool, derived []string, err error) {
	if b == nil {
		return false, nil, nil
	}
	if b.IsChanged() {
		if derived = b.Refresh(inv, j.Now()); j.Original {
			derived = nil // gsd-tools names none
		}
	}
	text, err := b.Text()
	if err != nil {
		return false, nil, err
	}
	return b.IsChanged(), derived, j.putText("STATE.md", text)
}

// listTree returns all files and folders below a folder, each folder after its contents.
func (j *phaseJob) listTree(dir string) (files, folders []string, err error) {
	f, err := j.Folder()
	if err != nil {
		return nil, nil, err
	}
	before := len(f.Problems)
	list, err := f.List(dir)
	if err != nil {
		return nil, nil, err
	}
	if len(f.Problems) > before { // unread files are not removed either
		return nil, nil, f.Problems[len(f.Problems)-1]
	}
	for _, e := range list {
		name := path.Join(dir, e.Name)
		if !e.Dir {
			files = append(files, name)
			continue
		}
		more, below, err := j.listTree(name)
		if err != nil {
			return nil, nil, err
		}
		files, folders = append(files, more...), append(folders, below...)
	}
	return files, append(folders, dir), nil
}

// moveOrRemove removes a folder with its contents or, if to is set, moves it there. name changes the names of its entries, and text their
// texts.
func (j *phaseJob) moveOrRemove(dir, to string, name func(string) string, text func(string) (string, error)) (moved []Renamed, err error) {
	files, folders, err := j.listTree(dir)
	if err != nil {
		return nil, err
	}
	for _, old := range files {
		from, err := j.PathBelowPlanning(old)
		if err != nil {
			return nil, err
		}
		j.files = append(j.files, change.File{Name: from})
		if to == "" {
			continue
		}
		content, _, err := j.read(from)
		if err != nil {
			return nil, err
		}
		if strings.HasSuffix(old, ".md") {
			if content, err = text(content); err != nil {
				return nil, err
			}
		}
		parts := strings.Split(strings.TrimPrefix(old, dir+"/"), "/")
		for i, p := range parts {
			parts[i] = name(p)
		}
		next := path.Join(parts...)
		below, err := j.PathBelowPlanning(path.Join(to, next))
		if err != nil {
			return nil, err
		}
		j.files = append(j.files, change.File{Name: below, Text: &content, From: from})
		if base := path.Base(old); base != path.Base(next) {
			moved = append(moved, Renamed{base, path.Base(next)})
		}
	}
	for _, d := range folders {
		below, err := j.PathBelowPlanning(d)
		if err != nil {
			return nil, err
		}
		j.files = append(j.files, change.File{Name: below + "/"})
	}
	return moved, nil
}

// planningPath returns the path of a folder from the planning folder, or from the workstream chosen in it. dir is its path in the project.
func (j *phaseJob) planningPath(dir string) string {
	f, err := j.Folder()
	if err != nil {
		return dir
	}
	return strings.TrimPrefix(dir, f.Base+"/")
}

// displayName returns the path of a file from the root of the project, for answers.
func (j *phaseJob) displayName(name string) string {
	below, err := j.PathBelowPlanning(name)
	if err != nil {
		return name
	}
	return path.Join(folder.Name, below)
}

// Renamed is a file or folder with its old and new name.
type Renamed struct {
	From string `json:"from"`
	To   string `json:"to"`
}
