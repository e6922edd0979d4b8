// Package plancode declares the operations that join plans and code: which files a plan is going to write, whether its statements about
// the code are true, whether a finished phase is there. They read the planning folder as all operations of planning do, and ask the
// index of the project. Without an index they report that and answer with the facts of the folder alone.
//
// The parts are packages below: claim reads the statements of a plan, place finds files, writeset and check compare with the index,
// codebase writes the documents about the code.
package plancode

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/delivery/plancode/place"
	"ken/internal/delivery/project"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
	"ken/internal/operation"
	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/planop"
)

// Open opens the project of a directory, as the program does for all operations that ask the index.
type Open func(dir string) (*project.Project, error)

// planIndexOps has the operations that need both plans and the index.
type planIndexOps struct{ open Open }

// Index describes the state of the index that an answer was made from.
type Index struct {
	Used     bool     `json:"used"`
	Revision code.Rev `json:"revision,omitempty"`
	Note     string   `json:"note,omitempty"` // why there is none
}

// source gives an operation access to a project's index and files.
type source struct {
	s      *view.Snapshot // nil without an index
	p      *project.Project
	places *place.Places
	index  Index
	root   string
}

// withSource runs f over the project that the planning folder belongs to. f may run twice, so it must set its results and not append to
// them.
func (j *planIndexOps) withSource(ctx context.Context, c *planop.Call, f func(ctx context.Context, s *source) error) error {
	root, err := c.Project()
	if err != nil {
		return err
	}
	p, err := j.open(root)
	note := ""
	switch {
	case err == nil && p.Root != project.RealPath(root):
		note = "the index is of a folder above the project of the plans, so the code was not looked up"
	case err == nil:
		err = p.AskChecked(ctx, func(ctx context.Context, s *view.Snapshot) error {
			rows, err := s.AllPaths()
			if err != nil {
				return err
			}
			return f(ctx, &source{s: s, p: p, places: place.New(rows, p.Exists), index: Index{Used: true, Revision: s.Rev()}, root: root})
		})
		var none *operation.NoIndexError
		if err == nil || !errors.Is(err, store.ErrNoIndex) && !errors.As(err, &none) {
			return err
		}
		fallthrough
	case errors.Is(err, store.ErrNoIndex):
		note = `there is no index ("ken index" makes one), so the code was not looked up`
	default:
		return err
	}
	in, err := os.OpenRoot(root)
	if err != nil {
		return err
	}
	defer in.Close()
	exists := func(name string) bool {
		_, err := in.Lstat(filepath.FromSlash(name))
		return err == nil
	}
	return f(ctx, &source{places: place.New(nil, exists), index: Index{Note: note}, root: root})
}

// plan is a plan with its location.
type plan struct {
	id    string
	file  string // from the root of the project
	phase *inventory.Phase
	*artefact.Plan
}

// findPlan finds a plan by its ID, or by its file relative to the user's directory, to the project or to the planning folder.
func findPlan(c *planop.Call, text string) (*plan, error) {
	inv, err := c.Inventory()
	if err != nil {
		return nil, err
	}
	f, err := c.Folder()
	if err != nil {
		return nil, err
	}
	wanted := projectFile(c, f, text)
	var near []string
	for _, ph := range sortedPhases(inv) {
		for _, listed := range ph.Plans {
			file := path.Join(ph.Dir, listed.File)
			if file != wanted && !sameID(listed.ID, text) {
				if of, _, _ := strings.Cut(trimID(text), "-"); len(near) < 5 && strings.HasPrefix(trimID(listed.ID), of) {
					near = append(near, listed.ID)
				}
				continue
			}
			content, err := f.ReadRoot(strings.TrimPrefix(file, folder.Name+"/"))
			if err != nil {
				return nil, err
			}
			return &plan{listed.ID, file, ph, artefact.ParsePlan(content)}, nil
		}
	}
	below, ok := strings.CutPrefix(wanted, folder.Name+"/")
	if !ok {
		return nil, &planop.Fault{Reason: "plan_not_found", Message: "there is no plan " + operation.Quote(text), Near: near}
	}
	content, err := f.ReadRoot(below) // a quick task, or a plan that lies elsewhere
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &planop.Fault{Reason: "plan_not_found", Message: "there is no plan " + operation.Quote(text), Near: near}
	}
	if err != nil {
		return nil, err
	}
	return &plan{strings.TrimSuffix(strings.TrimSuffix(path.Base(below), ".md"), "-PLAN"), wanted, nil, artefact.ParsePlan(content)}, nil
}

// projectFile returns the path, from the root of the project, of a file that a user names, or "" if it is not a Markdown file. A
// name that does not lead into the planning folder from the user's directory is taken as relative to that folder.
func projectFile(c *planop.Call, f *folder.Folder, text string) string {
	if !strings.HasSuffix(text, ".md") {
		return ""
	}
	slashed := filepath.ToSlash(text)
	if strings.HasPrefix(slashed, folder.Name+"/") {
		return path.Clean(slashed)
	}
	abs := text
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(c.Dir, text)
	}
	rel, err := filepath.Rel(project.RealPath(f.Project), project.RealPath(abs))
	if rel = filepath.ToSlash(rel); err == nil && strings.HasPrefix(rel, folder.Name+"/") {
		return rel
	}
	return path.Join(folder.Name, slashed)
}

// sameID reports whether a user's spelling means the plan ID id: leading zeros are ignored.
func sameID(id, text string) bool {
	return id == text || text != "" && trimID(id) == trimID(text)
}

func trimID(id string) string {
	parts := strings.Split(id, "-")
	for i := range parts {
		parts[i] = strings.TrimLeft(parts[i], "0")
	}
	return strings.Join(parts, "-")
}

// sortedPhases returns all phases, those of the current milestone first.
func sortedPhases(inv *inventory.Inventory) []*inventory.Phase {
	return slices.Concat(inv.Phases, inv.Others, inv.Backlog)
}

// nonNilList returns a list that is encoded in JSON as [] and not as null if it is empty.
func nonNilList[T any](l []T) []T {
	if l == nil {
		return []T{}
	}
	return l
}
