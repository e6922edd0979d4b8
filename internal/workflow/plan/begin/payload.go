// Package begin declares the operations with which a workflow begins, `init NAME`: settings, phase, paths and models for its prompts in
// one answer, so that an agent asks once and reads no file for them.
package begin

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"

	"ken/internal/workflow/content/models"
	"ken/internal/workflow/plan/document"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/phaseid"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/query"
	"ken/internal/workflow/plan/settings"
)

type initExecutePhaseInput struct {
	Phase    string `arg:"PHASE" help:"the number of a phase: 3, 2.1, 03A"`
	Validate bool   `flag:"validate" help:"also what is wrong with STATE.md"`
	Tdd      bool   `flag:"tdd" help:"tests first, whatever the settings say"`
}

type initPlanPhaseInput struct {
	Phase string `arg:"PHASE" help:"the number of a phase: 3, 2.1, 03A"`
	Tdd   bool   `flag:"tdd" help:"tests first, whatever the settings say"`
}

type phaseInput struct {
	Phase string `arg:"PHASE" help:"the number of a phase: 3, 2.1, 03A"`
}

type descriptionInput struct {
	Description string `arg:"[DESCRIPTION…]" help:"what is to be done"`
}

type areaInput struct {
	Area string `arg:"[AREA]" help:"of this area alone"`
}

// All are the operations.
func All() []*planop.Operation {
	return append([]*planop.Operation{
		begun(planop.Spec[initExecutePhaseInput, executing]{
			Name: "init execute-phase", Summary: "what carrying out a phase begins with",
		}, executePhase),
		begun(planop.Spec[initPlanPhaseInput, planning]{
			Name: "init plan-phase", Summary: "what planning a phase begins with",
		}, planPhase),
		begun(planop.Spec[phaseInput, verifying]{Name: "init verify-work", Summary: "what verifying a phase begins with"}, verifyWork),
		begun(planop.Spec[phaseInput, anyWork]{Name: "init phase-op", Summary: "what any work on a phase begins with"}, phaseOp),
		begun(planop.Spec[planop.NoInput, beginning]{
			Name: "init new-project", Summary: "what a new project begins with", Anywhere: true,
		}, newProject),
		begun(planop.Spec[planop.NoInput, milestoning]{
			Name: "init new-milestone", Summary: "what a new milestone begins with",
		}, newMilestone),
		begun(planop.Spec[descriptionInput, quickTask]{
			Name: "init quick", Summary: "what a quick task begins with",
		}, quick),
		begun(planop.Spec[planop.NoInput, resuming]{Name: "init resume", Summary: "what going on after a pause begins with"}, resume),
		begun(planop.Spec[areaInput, todoList]{
			Name: "init todos", Summary: "what looking at todos begins with",
		}, todos),
		begun(planop.Spec[planop.NoInput, milestoneWork]{
			Name: "init milestone-op", Summary: "what work on the milestone begins with",
		}, milestoneOp),
		begun(planop.Spec[planop.NoInput, mapping]{
			Name: "init map-codebase", Summary: "what mapping the code begins with", Anywhere: true,
		}, mapCodebase),
		begun(planop.Spec[planop.NoInput, ingesting]{
			Name: "init ingest-docs", Summary: "what taking documents over begins with", Anywhere: true,
		}, ingestDocs),
		begun(planop.Spec[planop.NoInput, reported]{
			Name: "init progress", Summary: "what a look at the progress begins with",
		}, progress),
		begun(planop.Spec[planop.NoInput, leading]{Name: "init manager", Summary: "what leading several phases begins with"}, manager),
		begun(planop.Spec[planop.NoInput, documenting]{
			Name: "docs-init", Summary: "what writing the documents of a project begins with", Anywhere: true,
		}, docsInit),
	}, workspaces()...)
}

// asking is what a payload is made of.
type asking struct {
	call *planop.Call
	q    *query.Questions
	inv  *inventory.Inventory
	set  *settings.Settings
	at   *folder.Folder
}

// begun declares an operation with the payload that a function makes. What every payload ends with follows in it.
func begun[In, A any](s planop.Spec[In, A], make func(a *asking, in *In) (A, error)) *planop.Operation {
	return begunIn(s, func(_ context.Context, a *asking, in *In) (A, error) { return make(a, in) })
}

// begunIn is begun for what takes time.
func begunIn[In, A any](s planop.Spec[In, A], make func(ctx context.Context, a *asking, in *In) (A, error)) *planop.Operation {
	s.Run = func(ctx context.Context, c *planop.Call, in *In) (none A, err error) {
		a := &asking{call: c, set: settings.Parse("")}
		q, err := c.Questions()
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

// ending is what every payload ends with.
type ending struct {
	Root      string   `json:"project_root"`
	Installed bool     `json:"agents_installed"`
	Missing   []string `json:"missing_agents"`
	Language  string   `json:"response_language,omitempty"`
	Code      string   `json:"project_code,omitempty"`
	Title     string   `json:"project_title,omitempty"`
}

func (a *asking) ending() ending {
	root, err := a.call.Project()
	if err != nil {
		root = a.call.Dir
	}
	e := ending{Root: root, Missing: models.Missing(root, a.call.Home, a.call.Getenv), Language: a.set.Text("response_language"), Code: a.set.Text("project_code")}
	e.Installed = len(e.Missing) == 0
	if text := a.text("PROJECT.md"); text != "" {
		e.Title = title(text)
	}
	return e
}

// title is the first heading of the first level.
func title(text string) string {
	for _, h := range document.Parse(text).Headings() {
		if h.Level == 1 {
			return h.Text.In(text)
		}
	}
	return ""
}

// text is a file of the planning folder, "" if there is none.
func (a *asking) text(name string) string {
	if a.at == nil {
		return ""
	}
	text, err := a.at.Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		text, _ = a.at.ReadRoot(name) // a file that cannot be read is among the problems of the folder
	}
	return text
}

func (a *asking) exists(name string) bool     { return a.at != nil && a.at.Exists(name) }
func (a *asking) existsRoot(name string) bool { return a.at != nil && a.at.ExistsRoot(name) }

// path is where a file of the chosen part is, from the root of the project.
func (a *asking) path(name string) string {
	if a.at == nil {
		return path.Join(folder.Name, name)
	}
	return a.at.Path(name)
}

func (a *asking) model(agent string) string {
	name, _ := models.Resolve(a.set, agent)
	return name
}

func (a *asking) commits() bool { return a.set.On("commit_docs") }

// milestone is the version and name of the milestone.
func (a *asking) milestone() (version, name string) {
	if a.q == nil {
		return "v1.0", "milestone"
	}
	return a.q.Milestone()
}

// found is the phase of a payload.
type found struct {
	phase *inventory.Phase // or nil
	dir   *string          // nil for a phase that exists only in the roadmap
}

// phase finds the phase that is asked about. One that is found in an archive alone is left out where the current roadmap has
// the number, too, because work is on the current one.
func (a *asking) phase(text string) found {
	id, ok := phaseid.Parse(strings.TrimPrefix(text, "Phase "))
	if !ok {
		return found{}
	}
	p, _ := a.inv.Find(id)
	f := found{phase: p}
	if p != nil && p.Dir != "" {
		f.dir = &p.Dir
	}
	return f
}

// near are phases that come close to one that there is not.
func (a *asking) near(f found, text string) []string {
	if f.phase != nil {
		return nil
	}
	return a.inv.Near(text)
}

// number returns the number of a phase: that of its folder, else that of the roadmap.
func (f found) number() *string {
	switch {
	case f.phase == nil:
		return nil
	case f.dir != nil:
		return orNil(f.phase.Token())
	}
	return orNil(f.phase.ID.String())
}

func (f found) name() *string {
	switch {
	case f.phase == nil:
		return nil
	case f.dir != nil:
		return orNil(f.phase.Slug())
	}
	return orNil(f.phase.Name)
}

func (f found) slug() *string {
	switch {
	case f.phase == nil:
		return nil
	case f.dir != nil:
		return orNil(f.phase.Slug())
	}
	return orNil(Slug(f.phase.Name, maxSlug))
}

func (f found) has(kind string) bool { return f.phase != nil && f.phase.Has(kind) }

// file returns the path of the first file of a kind in the folder of the phase, or nil.
func (f found) file(kind string) *string {
	if f.dir == nil || !f.has(kind) {
		return nil
	}
	return orNil(path.Join(*f.dir, f.phase.File(kind)))
}

func (f found) plans() []string {
	out := []string{}
	if f.phase != nil {
		for _, p := range f.phase.Plans {
			out = append(out, p.File)
		}
	}
	return out
}

func (f found) summaries() []string {
	if f.phase == nil {
		return []string{}
	}
	return append([]string{}, f.phase.Summaries...)
}

// incomplete returns the files of plans without a summary.
func (f found) incomplete() []string {
	out := []string{}
	if f.phase != nil {
		for _, p := range f.phase.Plans {
			if !p.HasSummary() {
				out = append(out, p.File)
			}
		}
	}
	return out
}

// requirements are the ids that the roadmap names for the phase.
func (a *asking) requirements(f found) *string {
	if f.phase == nil || f.phase.Detail == nil || a.inv.Roadmap == nil {
		return nil
	}
	return orNil(strings.Join(a.inv.Roadmap.Requirements(*f.phase.Detail), ", "))
}

func orNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// The lengths of slugs.
const maxSlug, maxQuickSlug = 60, 40

// Slug is a text as part of a name: lower case, dashes between what is neither letter nor digit of ASCII, at most so many bytes.
func Slug(text string, most int) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	s := strings.Trim(b.String(), "-")
	return strings.TrimRight(s[:min(len(s), most)], "-")
}
