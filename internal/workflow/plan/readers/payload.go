package readers

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"

	"ken/internal/workflow/content/models"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/query"
	"ken/internal/workflow/plan/settings"
)

// source has the data from which payloads are made: the call, the planning folder and its settings.
type source struct {
	call *planop.Call
	q    *query.Questions
	inv  *inventory.Inventory
	set  *settings.Settings
	at   *folder.Folder

	found     foundPhase // the phase that the payload is about
	phaseText string     // its name as the user wrote it
}

// payloadOperation declares an operation that returns a payload. One that works anywhere needs no planning folder.
func payloadOperation[In any](
	name, summary string, anywhere bool, make func(ctx context.Context, a *source, in *In) (payload, error),
) *planop.Operation {
	s := planop.Spec[In, payload]{Name: name, Summary: summary, Anywhere: anywhere}
	s.Run = func(ctx context.Context, c *planop.Call, in *In) (none payload, err error) {
		a := &source{call: c, set: settings.Parse("")}
		q, err := query.New(c)
		switch {
		case err == nil:
			if a.set, err = c.Settings(); err != nil {
				return none, err
			}
			a.q, a.inv, a.at = q, q.Inventory, q.Folder
		case !s.Anywhere || !errors.Is(err, folder.ErrNone):
			return none, err
		}
		return make(ctx, a, in)
	}
	return s.Operation()
}

// root returns the root of the project.
func (a *source) root() string {
	root, err := a.call.Project()
	if err != nil {
		return a.call.Dir
	}
	return root
}

// readText returns the text of a file of the planning folder, or "" if it cannot be read.
func (a *source) readText(name string) string {
	if a.at == nil {
		return ""
	}
	text, err := a.at.Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		text, _ = a.at.ReadRoot(name) // a file that cannot be read is among the problems of the folder
	}
	return text
}

// path returns the path of a file of the planning folder, or of the workstream that is chosen in it, from the root of the project.
func (a *source) path(name string) string {
	if a.at == nil {
		return path.Join(folder.Name, name)
	}
	return a.at.Path(name)
}

func (a *source) model(agent string) string {
	name, _ := models.Resolve(a.set, agent)
	return name
}

// milestone returns the version and name of the current milestone.
func (a *source) milestone() (version, name string) {
	if a.q == nil {
		return "v1.0", "milestone"
	}
	return a.q.Milestone()
}

// foundPhase is the phase that a payload is about. It may be in the roadmap, have a folder, or both.
type foundPhase struct {
	phase *inventory.Phase // or nil
	dir   *string          // nil for a phase that exists only in the roadmap
}

// findPhase finds the phase that a user names. It prefers the current milestone to an archived one, because work is on the current one.
func (a *source) findPhase(text string) {
	a.phaseText = text
	a.found.phase, _ = a.inv.FindText(text)
	if p := a.found.phase; p != nil && p.Dir != "" {
		a.found.dir = &p.Dir
	}
}

// folderOrRoadmap returns a value of a phase from its folder or, without a folder, from the roadmap.
func (f foundPhase) folderOrRoadmap(folder, roadmap func(p *inventory.Phase) string) *string {
	switch {
	case f.phase == nil:
		return nil
	case f.dir != nil:
		return query.OrNil(folder(f.phase))
	}
	return query.OrNil(roadmap(f.phase))
}

func (f foundPhase) number() *string {
	return f.folderOrRoadmap((*inventory.Phase).Token, func(p *inventory.Phase) string { return p.ID.String() })
}

func (f foundPhase) slug() *string {
	return f.folderOrRoadmap((*inventory.Phase).Slug, func(p *inventory.Phase) string { return phaseid.Slug(p.Name, maxSlug) })
}

func (f foundPhase) name() *string {
	return f.folderOrRoadmap((*inventory.Phase).Slug, func(p *inventory.Phase) string { return p.Name })
}

func (f foundPhase) has(kind string) bool { return f.phase != nil && f.phase.Has(kind) }

// firstFile returns the path of the first file of a kind, such as "CONTEXT", in the folder of the phase. It returns nil if there is none.
func (f foundPhase) firstFile(kind string) *string {
	if f.dir == nil || !f.has(kind) {
		return nil
	}
	return query.OrNil(path.Join(*f.dir, f.phase.FirstOfKind(kind)))
}

// plans returns the files of the phase's plans, or only of those that have no summary, so are not carried out.
func (f foundPhase) plans(incomplete bool) []string {
	out := []string{}
	if f.phase != nil {
		for _, p := range f.phase.Plans {
			if !incomplete || !p.HasSummary() {
				out = append(out, p.File)
			}
		}
	}
	return out
}

func (f foundPhase) summaries() []string {
	if f.phase == nil {
		return []string{}
	}
	return append([]string{}, f.phase.Summaries...)
}

// requirements returns the ids of the requirements that the roadmap lists for the phase.
func (a *source) requirements() *string {
	f := a.found
	if f.phase == nil || f.phase.Detail == nil || a.inv.Roadmap == nil {
		return nil
	}
	return query.OrNil(strings.Join(a.inv.Roadmap.Requirements(*f.phase.Detail), ", "))
}

// The maximal lengths of slugs, which are titles in the form of file names.
const maxSlug, maxQuickSlug = 60, 40
