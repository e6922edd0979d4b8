package readers

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

type descriptionInput struct {
	Description string `arg:"[DESCRIPTION…]" help:"what is to be done"`
}

type areaInput struct {
	Area string `arg:"[AREA]" help:"of this area alone"`
}

// Payloads returns the operations with which workflows begin.
func Payloads() []*planop.Operation {
	return append([]*planop.Operation{
		payloadOperation(planop.Spec[initExecutePhaseInput, executePayload]{
			Name: "init execute-phase", Summary: "what carrying out a phase begins with",
		}, initExecutePhase),
		slowPayloadOperation(planop.Spec[initPlanPhaseInput, planPayload]{
			Name: "init plan-phase", Summary: "what planning a phase begins with",
		}, initPlanPhase),
		payloadOperation(planop.Spec[phaseInput, verifyPayload]{Name: "init verify-work", Summary: "what verifying a phase begins with"}, initVerifyWork),
		payloadOperation(planop.Spec[phaseInput, phasePayload]{Name: "init phase-op", Summary: "what any work on a phase begins with"}, initPhaseOp),
		payloadOperation(planop.Spec[planop.NoInput, newProjectPayload]{
			Name: "init new-project", Summary: "what a new project begins with", Anywhere: true,
		}, initNewProject),
		payloadOperation(planop.Spec[planop.NoInput, newMilestonePayload]{
			Name: "init new-milestone", Summary: "what a new milestone begins with",
		}, initNewMilestone),
		payloadOperation(planop.Spec[descriptionInput, quickPayload]{
			Name: "init quick", Summary: "what a quick task begins with",
		}, initQuickTask),
		payloadOperation(planop.Spec[planop.NoInput, resumePayload]{Name: "init resume", Summary: "what going on after a pause begins with"}, initResume),
		payloadOperation(planop.Spec[areaInput, todosPayload]{
			Name: "init todos", Summary: "what looking at todos begins with",
		}, initTodos),
		payloadOperation(planop.Spec[planop.NoInput, milestonePayload]{
			Name: "init milestone-op", Summary: "what work on the milestone begins with",
		}, initMilestoneOp),
		payloadOperation(planop.Spec[planop.NoInput, mapPayload]{
			Name: "init map-codebase", Summary: "what mapping the code begins with", Anywhere: true,
		}, initMapCodebase),
		payloadOperation(planop.Spec[planop.NoInput, ingestPayload]{
			Name: "init ingest-docs", Summary: "what taking documents over begins with", Anywhere: true,
		}, initIngestDocs),
		payloadOperation(planop.Spec[planop.NoInput, progressPayload]{
			Name: "init progress", Summary: "what a look at the progress begins with",
		}, initProgress),
		payloadOperation(planop.Spec[planop.NoInput, managerPayload]{Name: "init manager", Summary: "what leading several phases begins with"}, initManager),
		payloadOperation(planop.Spec[planop.NoInput, docsPayload]{
			Name: "docs-init", Summary: "what writing the documents of a project begins with", Anywhere: true,
		}, initDocs),
	}, workspaceOperations()...)
}

// source has the data from which payloads are made: the call, the planning folder and its settings.
type source struct {
	call *planop.Call
	q    *query.Questions
	inv  *inventory.Inventory
	set  *settings.Settings
	at   *folder.Folder
}

// payloadOperation declares an operation that returns a payload.
func payloadOperation[In, A any](s planop.Spec[In, A], make func(a *source, in *In) (A, error)) *planop.Operation {
	return slowPayloadOperation(s, func(_ context.Context, a *source, in *In) (A, error) { return make(a, in) })
}

// slowPayloadOperation is like payloadOperation, for a payload that takes so much time that it needs a context.
func slowPayloadOperation[In, A any](s planop.Spec[In, A], make func(ctx context.Context, a *source, in *In) (A, error)) *planop.Operation {
	s.Run = func(ctx context.Context, c *planop.Call, in *In) (none A, err error) {
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

// commonFields has the fields with which every payload ends.
type commonFields struct {
	Root      string   `json:"project_root"`
	Installed bool     `json:"agents_installed"`
	Missing   []string `json:"missing_agents"`
	Language  string   `json:"response_language,omitempty"`
	Code      string   `json:"project_code,omitempty"`
	Title     string   `json:"project_title,omitempty"`
}

func (a *source) newCommonFields() commonFields {
	root, err := a.call.Project()
	if err != nil {
		root = a.call.Dir
	}
	e := commonFields{Root: root, Missing: models.MissingAgents(root, a.call.Home, a.call.Getenv),
		Language: a.set.Text("response_language"), Code: a.set.Text("project_code")}
	e.Installed = len(e.Missing) == 0
	for _, h := range document.Parse(a.readText("PROJECT.md")).Headings() {
		if h.Level == 1 {
			e.Title = h.Text.Text(a.readText("PROJECT.md"))
			break
		}
	}
	return e
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

func (a *source) exists(name string) bool     { return a.at != nil && a.at.Exists(name) }
func (a *source) existsRoot(name string) bool { return a.at != nil && a.at.ExistsRoot(name) }

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

func (a *source) commits() bool { return a.set.IsOn("commit_docs") }

// planningFiles are the main files of a planning folder that exist.
type planningFiles struct {
	Project bool `json:"project_exists"`
	Roadmap bool `json:"roadmap_exists"`
	State   bool `json:"state_exists"`
}

func (a *source) planningFiles() planningFiles {
	return planningFiles{a.existsRoot("PROJECT.md"), a.exists("ROADMAP.md"), a.exists("STATE.md")}
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
func (a *source) findPhase(text string) foundPhase {
	id, ok := phaseid.Parse(strings.TrimPrefix(text, "Phase "))
	if !ok {
		return foundPhase{}
	}
	p, _ := a.inv.Find(id)
	f := foundPhase{phase: p}
	if p != nil && p.Dir != "" {
		f.dir = &p.Dir
	}
	return f
}

// nearPhases returns the phases with names similar to text, if there is no such phase.
func (a *source) nearPhases(f foundPhase, text string) []string {
	if f.phase != nil {
		return nil
	}
	return a.inv.NearPhases(text)
}

// number returns the number of a phase, from its folder or, without a folder, from the roadmap.
func (f foundPhase) number() *string {
	switch {
	case f.phase == nil:
		return nil
	case f.dir != nil:
		return query.OrNil(f.phase.Token())
	}
	return query.OrNil(f.phase.ID.String())
}

func (f foundPhase) name() *string {
	switch {
	case f.phase == nil:
		return nil
	case f.dir != nil:
		return query.OrNil(f.phase.Slug())
	}
	return query.OrNil(f.phase.Name)
}

func (f foundPhase) slug() *string {
	switch {
	case f.phase == nil:
		return nil
	case f.dir != nil:
		return query.OrNil(f.phase.Slug())
	}
	return query.OrNil(phaseid.Slug(f.phase.Name, maxSlug))
}

func (f foundPhase) has(kind string) bool { return f.phase != nil && f.phase.Has(kind) }

// firstFile returns the path of the first file of a kind, such as "CONTEXT", in the folder of the phase. It returns nil if there is none.
func (f foundPhase) firstFile(kind string) *string {
	if f.dir == nil || !f.has(kind) {
		return nil
	}
	return query.OrNil(path.Join(*f.dir, f.phase.FirstOfKind(kind)))
}

func (f foundPhase) plans() []string {
	out := []string{}
	if f.phase != nil {
		for _, p := range f.phase.Plans {
			out = append(out, p.File)
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

// incompletePlans returns the files of the phase's plans that have no summary, so are not carried out.
func (f foundPhase) incompletePlans() []string {
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

// requirements returns the ids of the requirements that the roadmap lists for the phase.
func (a *source) requirements(f foundPhase) *string {
	if f.phase == nil || f.phase.Detail == nil || a.inv.Roadmap == nil {
		return nil
	}
	return query.OrNil(strings.Join(a.inv.Roadmap.Requirements(*f.phase.Detail), ", "))
}

// The maximal lengths of slugs, which are titles in the form of file names.
const maxSlug, maxQuickSlug = 60, 40
