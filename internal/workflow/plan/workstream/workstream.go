// Package workstream declares the operations on workstreams: parts of a planning folder with a roadmap, a state and phases of their own,
// so that several milestones are worked on side by side. The active one is chosen for a session if the environment names one, else for
// all in the file active-workstream; package folder reads both.
package workstream

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/planop"
)

const (
	root    = "workstreams"       // their folder, below .planning
	pointer = "active-workstream" // the file with the choice for all
)

// FailedAnswer is the reason why something was not done, as a word and a sentence.
type FailedAnswer struct {
	Created    *bool  `json:"created,omitempty"`
	Completed  *bool  `json:"completed,omitempty"`
	Found      *bool  `json:"found,omitempty"`
	Error      string `json:"error,omitempty"`
	Message    string `json:"message,omitempty"`
	Workstream string `json:"workstream,omitempty"`
	Path       string `json:"path,omitempty"`
}

type workstreamCreateInput struct {
	Name        string `arg:"NAME…" help:"letters and digits; others become dashes"`
	MigrateName string `flag:"migrate-name" help:"what the workstream of the plans so far is called; the name of the milestone if it is not given"`
	NoMigrate   bool   `flag:"no-migrate" help:"leave the plans so far where they are"`
}

type nameInput struct {
	Name string `arg:"NAME" help:"the name of a workstream"`
}

type workstreamSetInput struct {
	Name  string `arg:"[NAME]" help:"the name of a workstream"`
	Clear bool   `flag:"clear" help:"choose none"`
}

// All returns the operations of this package.
func All() []*planop.Operation {
	return []*planop.Operation{
		planop.Spec[workstreamCreateInput, any]{
			Name: "workstream create", Summary: "begin a workstream; what is planned so far becomes one, too", Writes: true,
			Anywhere: true, Run: createStream,
		}.Operation(),
		planop.Spec[planop.NoInput, any]{
			Name: "workstream list", Summary: "all workstreams with their state", Anywhere: true, Run: listStreams,
		}.Operation(),
		planop.Spec[nameInput, any]{
			Name: "workstream status", Summary: "the files and phases of a workstream", Anywhere: true, Run: showStatus,
		}.Operation(),
		planop.Spec[nameInput, any]{
			Name: "workstream complete", Summary: "move a workstream to the archive", Writes: true, Anywhere: true, Run: completeStream,
		}.Operation(),
		planop.Spec[workstreamSetInput, any]{
			Name: "workstream set", Summary: "choose the workstream that is meant where none is named", Run: setActive, Writes: true,
			Anywhere: true,
			Plain: func(a any) string {
				if a := a.(chosen); a.Active != nil {
					return *a.Active
				}
				return ""
			},
		}.Operation(),
		planop.Spec[planop.NoInput, active]{
			Name: "workstream get", Summary: "the workstream that is meant where none is named", Anywhere: true, Run: getActive,
			Plain: func(a active) string {
				if a.Active != nil {
					return *a.Active
				}
				return "none"
			},
		}.Operation(),
		planop.Spec[planop.NoInput, any]{
			Name: "workstream progress", Summary: "how far all workstreams are", Anywhere: true, Run: showProgress,
		}.Operation(),
	}
}

// openWholeFolder opens the planning folder without choosing a workstream, so that it succeeds even if the chosen one is missing.
func openWholeFolder(c *planop.Call) (*folder.Folder, error) {
	project, err := c.Project()
	if err != nil {
		return nil, err
	}
	return folder.Open(project, folder.Options{Flat: true})
}

// activeStream returns the chosen workstream, or nil.
func activeStream(c *planop.Call, project string) (*string, error) {
	f, err := folder.Open(project, folder.Options{Pointer: folder.SessionPointer(project, c.Getenv)})
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if f.Workstream == "" {
		return nil, nil
	}
	return &f.Workstream, nil
}

type created struct {
	Created    bool       `json:"created"`
	Workstream string     `json:"workstream"`
	Path       string     `json:"path"`
	StatePath  string     `json:"state_path"`
	PhasesPath string     `json:"phases_path"`
	Migration  *migration `json:"migration"`
	Active     bool       `json:"active"`
}

type migration struct {
	Migrated   bool     `json:"migrated"`
	Workstream string   `json:"workstream"`
	Moved      []string `json:"files_moved"`
}

// movedFiles are the files and folders of each workstream.
var movedFiles = [...]string{"ROADMAP.md", "STATE.md", "REQUIREMENTS.md", "phases"}

func createStream(ctx context.Context, c *planop.Call, in *workstreamCreateInput) (any, error) {
	name := phaseid.Slug(in.Name, 60)
	if name == "" {
		return nil, planop.Usagef("NAME is %.60q; it needs a letter or a digit", in.Name)
	}
	f, err := openWholeFolder(c)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	at := path.Join(root, name)
	if f.ExistsRoot(path.Join(at, "STATE.md")) {
		return FailedAnswer{Created: new(false), Error: "already_exists", Workstream: name, Path: path.Join(folder.Name, at)}, nil
	}
	a := created{
		Created: true, Workstream: name, Path: path.Join(folder.Name, at), StatePath: path.Join(folder.Name, at, "STATE.md"),
		PhasesPath: path.Join(folder.Name, at, "phases"), Active: true,
	}
	var files []string
	if !f.ExistsRoot(root) && !in.NoMigrate {
		if a.Migration, files, err = planMigration(c, f, in); err != nil {
			return nil, err
		}
	}
	today := c.Now().UTC().Format("2006-01-02")
	what := "begin the workstream " + name
	_, err = c.ChangeWhole(ctx, what, func(read change.Read) ([]change.File, error) {
		var out []change.File
		if a.Migration != nil {
			if out, err = moveEdits(read, files, "", path.Join(root, a.Migration.Workstream)); err != nil {
				return nil, err
			}
		}
		if a.Migration == nil || a.Migration.Workstream != name {
			out = append(out, change.File{Name: path.Join(at, "STATE.md"), Text: new(newState(name, today))})
			out = append(out, change.File{Name: path.Join(at, "phases", ".gitkeep"), Text: new("")})
		}
		return append(out, choiceEdits(c, f.Project, name)...), nil
	})
	if err != nil {
		return nil, err
	}
	return a, chooseForSession(c, f.Project, name)
}

// newState returns the STATE.md of a new workstream.
func newState(name, today string) string {
	return "---\nworkstream: " + name + "\ncreated: " + today + "\n---\n\n# Project State\n\n## Current Position\n\n" +
		"**Status:** Not started\n**Current Phase:** None\n**Current Plan:** N/A\n" +
		"**Last Activity:** " + today + "\n**Last Activity Description:** Workstream begun\n\n" +
		"## Session Continuity\n\n**Stopped At:** N/A\n**Resume File:** None\n"
}

// planMigration returns the migration of the plans that exist without a workstream into one, or nil if there is nothing to migrate.
func planMigration(c *planop.Call, f *folder.Folder, in *workstreamCreateInput) (*migration, []string, error) {
	m := &migration{Migrated: true, Workstream: in.MigrateName, Moved: []string{}}
	var files []string
	for _, name := range movedFiles {
		switch found, err := filesBelow(f, name); {
		case err != nil:
			return nil, nil, err
		case len(found) > 0:
			m.Moved = append(m.Moved, name)
			files = append(files, found...)
		}
	}
	if len(m.Moved) == 0 {
		return nil, nil, nil
	}
	if m.Workstream == "" {
		inv, err := inventory.Read(f)
		if err != nil {
			return nil, nil, err
		}
		if m.Workstream = phaseid.Slug(inv.View.Name, 60); m.Workstream == "" {
			m.Workstream = "milestone" // as gsd-tools does for one without a name
		}
	}
	if !folder.ValidName(m.Workstream) {
		return nil, nil, planop.Usagef("--migrate-name is %.60q; it can have letters, digits, - and _", m.Workstream)
	}
	return m, files, nil
}

// filesBelow returns a file, or all files below a folder, as paths below the planning folder. It fails if a folder cannot be listed
// completely, because its other files could not be moved.
func filesBelow(f *folder.Folder, name string) (found []string, err error) {
	const deepest = 12
	if strings.Count(name, "/") > deepest {
		return nil, &folder.Error{File: path.Join(folder.Name, name), Err: errors.New("is too deep to be moved")}
	}
	known := len(f.Problems)
	entries, err := f.ListRoot(name)
	switch {
	case err != nil && f.ExistsRoot(name):
		return []string{name}, nil // a file
	case err != nil:
		return nil, err
	case len(f.Problems) > known:
		return nil, f.Problems[known]
	}
	for _, e := range entries {
		at := path.Join(name, e.Name)
		if !e.Dir {
			found = append(found, at)
			continue
		}
		below, err := filesBelow(f, at)
		if err != nil {
			return nil, err
		}
		found = append(found, below...)
	}
	if len(found) > folder.MaxEntries {
		return nil, &folder.Error{File: path.Join(folder.Name, name), Err: errors.New("has too many files to be moved")}
	}
	return found, nil
}

// moveEdits returns the edits that move files from one folder to another.
func moveEdits(read change.Read, files []string, from, to string) ([]change.File, error) {
	var out []change.File
	for _, name := range files {
		text, ok, err := read(name)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		target := path.Join(to, strings.TrimPrefix(strings.TrimPrefix(name, from), "/"))
		out = append(out, change.File{Name: target, Text: &text}, change.File{Name: name})
	}
	return out, nil
}

// choiceEdits returns the edit that makes a workstream the active one for all sessions. It returns none if the environment
// names a session, because the choice is only for that then.
func choiceEdits(c *planop.Call, project, name string) []change.File {
	if folder.SessionPointer(project, c.Getenv) != "" {
		return nil
	}
	if name == "" {
		return []change.File{{Name: pointer}}
	}
	return []change.File{{Name: pointer, Text: new(name + "\n")}}
}

// chooseForSession makes a workstream the active one of the session, if the environment names a session.
func chooseForSession(c *planop.Call, project, name string) error {
	at := folder.SessionPointer(project, c.Getenv)
	if at == "" || c.DryRun {
		return nil
	}
	return folder.WritePointer(at, name)
}

type completed struct {
	Completed  bool   `json:"completed"`
	Workstream string `json:"workstream"`
	ArchivedTo string `json:"archived_to"`
	Remaining  int    `json:"remaining_workstreams"`
	Flat       bool   `json:"reverted_to_flat"`
}

func completeStream(ctx context.Context, c *planop.Call, in *nameInput) (any, error) {
	name := in.Name
	f, err := openWholeFolder(c)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Workstreams()
	if err != nil {
		return nil, err
	}
	at := path.Join(root, name)
	if !folder.ValidName(name) || !f.ExistsRoot(at) {
		return FailedAnswer{Completed: new(false), Error: "not_found", Workstream: name}, nil
	}
	files, err := filesBelow(f, at)
	if err != nil {
		return nil, err
	}
	to := path.Join("milestones", "ws-"+name+"-"+c.Now().UTC().Format("2006-01-02"))
	for n, first := 1, to; f.ExistsRoot(to); n++ {
		to = first + "-" + strconv.Itoa(n)
	}
	active, err := activeStream(c, f.Project)
	if err != nil {
		return nil, err
	}
	_, err = c.ChangeWhole(ctx, "archive the workstream "+name, func(read change.Read) ([]change.File, error) {
		out, err := moveEdits(read, files, at, to)
		if err == nil && active != nil && *active == name {
			out = append(out, choiceEdits(c, f.Project, "")...)
		}
		return out, err
	})
	if err != nil {
		return nil, err
	}
	if active != nil && *active == name {
		err = chooseForSession(c, f.Project, "")
	}
	return completed{true, name, path.Join(folder.Name, to), len(names) - 1, len(names) == 1}, err
}

type active struct {
	Active *string `json:"active"`
	Mode   string  `json:"mode"`
}

func getActive(_ context.Context, c *planop.Call, _ *planop.NoInput) (active, error) {
	f, err := openWholeFolder(c)
	if err != nil {
		return active{}, err
	}
	defer f.Close()
	a := active{Mode: "flat"}
	if f.ExistsRoot(root) {
		a.Mode = "workstream"
	}
	a.Active, err = activeStream(c, f.Project)
	return a, err
}

type chosen struct {
	Active     *string `json:"active"`
	Set        bool    `json:"set,omitempty"`
	Error      string  `json:"error,omitempty"`
	Message    string  `json:"message,omitempty"`
	Workstream string  `json:"workstream,omitempty"`
}

type cleared struct {
	Active   *string `json:"active"`
	Cleared  bool    `json:"cleared"`
	Previous *string `json:"previous"`
}

func setActive(ctx context.Context, c *planop.Call, in *workstreamSetInput) (any, error) {
	f, err := openWholeFolder(c)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	name := in.Name
	switch {
	case in.Clear:
		previous, err := activeStream(c, f.Project)
		if err != nil {
			return nil, err
		}
		return cleared{Cleared: true, Previous: previous}, setActiveTo(ctx, c, f.Project, "")
	case name == "":
		return nil, planop.Usagef("NAME is missing; --clear chooses none")
	case !folder.ValidName(name):
		return chosen{Error: "invalid_name", Message: "the name of a workstream has letters, digits, - and _"}, nil
	}
	if entries, err := f.ListRoot(path.Join(root, name)); err != nil && !errors.Is(err, fs.ErrNotExist) || entries == nil {
		return chosen{Error: "not_found", Workstream: name}, err
	}
	return chosen{Active: &name, Set: true}, setActiveTo(ctx, c, f.Project, name)
}

func setActiveTo(ctx context.Context, c *planop.Call, project, name string) error {
	if edits := choiceEdits(c, project, name); edits != nil {
		_, err := c.ChangeWhole(ctx, "choose the workstream", func(change.Read) ([]change.File, error) { return edits, nil })
		return err
	}
	return chooseForSession(c, project, name)
}
