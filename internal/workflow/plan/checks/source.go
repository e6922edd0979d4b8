package checks

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/planop"
)

// source reads files of a project. Paths begin at the root of the project.
type source struct {
	call   *planop.Call
	folder *folder.Folder
	inv    *inventory.Inventory
}

// withSource returns the function of an operation that calls run with the files of the project.
func withSource[In, A any](
	run func(ctx context.Context, s *source, in *In) (A, error),
) func(context.Context, *planop.Call, *In) (A, error) {
	return func(ctx context.Context, c *planop.Call, in *In) (none A, err error) {
		s := &source{call: c}
		if s.inv, err = c.Inventory(); err != nil {
			return none, err
		}
		if s.folder, err = c.Folder(); err != nil {
			return none, err
		}
		return run(ctx, s, in)
	}
}

// findPhase returns the phase that a user names. If there is none, it fails with similar names, because a check without a phase would
// find no defects.
func (s *source) findPhase(text string) (*inventory.Phase, error) {
	if p, _ := s.inv.FindText(text); p != nil {
		return p, nil
	}
	return nil, &planop.Fault{Reason: "phase_not_found", Message: fmt.Sprintf("there is no phase %.60q", text), Near: s.inv.NearPhases(text)}
}

func (s *source) read(file string) (string, error) {
	if name, ok := strings.CutPrefix(file, folder.Name+"/"); ok {
		return s.folder.ReadRoot(name)
	}
	return s.call.ProjectText(filepath.Join(s.folder.Project, filepath.FromSlash(file)))
}

// phaseFile returns the name and text of a phase's first file of a kind, such as CONTEXT. It fails with fs.ErrNotExist if there is none.
func (s *source) phaseFile(p *inventory.Phase, kind string) (file, text string, err error) {
	name := p.FirstOfKind(kind)
	if name == "" {
		return "", "", fs.ErrNotExist
	}
	file = path.Join(p.Dir, name)
	text, err = s.read(file)
	return file, text, err
}

// readPlans returns the plans of a phase, and warnings about unreadable ones. A plan that another plan supersedes is left out.
func (s *source) readPlans(p *inventory.Phase) (list []*artefact.Plan, warnings []string) {
	for _, plan := range p.Plans {
		text, err := s.read(path.Join(p.Dir, plan.File))
		if err != nil {
			warnings = append(warnings, err.Error())
			continue
		}
		if a := artefact.ParsePlan(text); a.Status != "superseded" {
			list = append(list, a)
		}
	}
	return list, warnings
}

// planFiles returns the files that plans and their tasks will write, each once.
func planFiles(plans []*artefact.Plan) (files []string) {
	for _, p := range plans {
		files = append(files, p.Files...)
		for _, t := range p.Tasks {
			files = append(files, t.Files...)
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// relativeDir returns the path of dir from the root of the project, even if only one of the two paths goes through a link.
func relativeDir(project, dir string) string {
	rel, err := filepath.Rel(project, dir)
	if err == nil && filepath.IsLocal(rel) {
		return rel
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return dir
	}
	if project, err = filepath.EvalSymlinks(project); err != nil {
		return dir
	}
	if rel, err = filepath.Rel(project, real); err != nil {
		return dir
	}
	return rel
}

// promptPhase returns the phase that a prompt names by its number or its folder.
func (s *source) promptPhase(text string) (*inventory.Phase, error) {
	inv, project := s.inv, s.folder.Project
	dir := text
	if filepath.IsAbs(dir) {
		dir = relativeDir(project, dir)
	}
	dir = path.Clean(filepath.ToSlash(dir))
	lists := [][]*inventory.Phase{inv.Phases, inv.Others, inv.Backlog}
	for _, a := range inv.Archives {
		lists = append(lists, a.Phases)
	}
	for _, p := range slices.Concat(lists...) {
		if p.Dir != "" && p.Dir == dir {
			return p, nil
		}
	}
	if !strings.Contains(dir, "/") {
		return s.findPhase(text)
	}
	near := path.Base(dir)
	if id, _, ok := phaseid.ParseFolder(near); ok {
		near = id.String()
	}
	return nil, &planop.Fault{Reason: "phase_not_found", Message: "there is no phase folder " + text, Near: inv.NearPhases(near)}
}
