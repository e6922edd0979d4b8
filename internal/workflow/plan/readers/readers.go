// Package readers declares the operations that report the state of a project: its state, phases, plans and progress, and the operations
// `init NAME` with which workflows begin. Each of those answers with the settings, phase, paths and models that the prompts of the workflow
// need, so that an agent asks once and reads no file for them. Such an answer is a payload. Package query computes the answers from the
// files, never from counters kept in a file.
package readers

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"

	"ken/internal/workflow/plan/inventory"
	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/query"
)

// All returns the operations of this package.
func All() []*planop.Operation {
	return slices.Concat(
		[]*planop.Operation{PageOperation()}, stateOperations(), phaseOperations(), progressOperations(), journalOperations(),
	)
}

// queryOperation declares an operation that answers a question about the planning folder.
func queryOperation[In, A any](s planop.Spec[In, A], ask func(q *query.Questions, in *In) (A, error)) *planop.Operation {
	s.Run = func(_ context.Context, c *planop.Call, in *In) (a A, err error) {
		q, err := query.New(c)
		if err != nil {
			return a, err
		}
		a, err = ask(q, in)
		return a, withReason(err)
	}
	return s.Operation()
}

// question makes a function of an operation of one that takes no input.
func question[A any](ask func(q *query.Questions) (A, error)) func(*query.Questions, *planop.NoInput) (A, error) {
	return func(q *query.Questions, _ *planop.NoInput) (A, error) { return ask(q) }
}

// certain makes a function of an operation of one that takes no input and cannot fail.
func certain[A any](ask func(q *query.Questions) A) func(*query.Questions, *planop.NoInput) (A, error) {
	return func(q *query.Questions, _ *planop.NoInput) (A, error) { return ask(q), nil }
}

// withReason gives an error of a question its reason as a word for programs.
func withReason(err error) error {
	var phase *query.PhaseError
	switch {
	case errors.As(err, &phase):
		return &planop.Fault{Reason: "phase_not_found", Message: fmt.Sprintf("there is no phase %.60q", phase.Phase), Near: phase.Near}
	case errors.Is(err, fs.ErrNotExist):
		return planop.Faultf("file_not_found", "%s", err.Error())
	}
	return err
}

type fieldInput struct {
	Field string `arg:"[FIELD…]" help:"a field or the heading of a section"`
}

func stateOperations() []*planop.Operation {
	return []*planop.Operation{
		queryOperation(planop.Spec[planop.NoInput, query.StartFacts]{
			Name: "state load", Also: []string{"state"}, Summary: "settings and STATE.md, with which files there are", Plain: plainLoaded,
		}, certain((*query.Questions).StartFacts)),
		planop.Spec[planop.NoInput, query.State]{
			Name: "state json", Summary: "the front matter of STATE.md, its counters computed",
			Run: func(_ context.Context, c *planop.Call, _ *planop.NoInput) (a query.State, err error) {
				q, err := query.New(c)
				if err != nil {
					return a, err
				}
				a, err = q.State(c.Now())
				return a, withReason(err)
			},
		}.Operation(),
		queryOperation(planop.Spec[fieldInput, map[string]string]{
			Name: "state get", Summary: "the text of STATE.md, or a field or section of it", Plain: func(a map[string]string) string {
				for _, v := range a {
					return v
				}
				return ""
			},
		}, stateField),
		queryOperation(planop.Spec[planop.NoInput, query.Snapshot]{
			Name: "state-snapshot", Also: []string{"state snapshot"}, Summary: "position, decisions, blockers and the last session of STATE.md",
		}, question((*query.Questions).Snapshot)),
	}
}

func stateField(q *query.Questions, in *fieldInput) (map[string]string, error) {
	value, err := q.StateGet(in.Field)
	if missing := (*query.FieldError)(nil); errors.As(err, &missing) {
		return nil, planop.Faultf("field_not_found", "%s", err.Error())
	}
	return map[string]string{cmp.Or(in.Field, "content"): value}, err
}

// plainLoaded returns the settings as lines of key=value.
func plainLoaded(l query.StartFacts) string {
	var b strings.Builder
	for _, k := range []string{
		"model_profile", "commit_docs", "branching_strategy", "phase_branch_template", "milestone_branch_template", "parallelization", "research", "plan_checker", "verifier",
	} {
		fmt.Fprintf(&b, "%s=%v\n", k, l.Config[k])
	}
	fmt.Fprintf(&b, "config_exists=%v\nroadmap_exists=%v\nstate_exists=%v", l.ConfigExists, l.RoadmapExists, l.StateExists)
	return b.String()
}

type phaseInput struct {
	Phase string `arg:"PHASE" help:"the number of a phase: 3, 2.1, 03A"`
}

type phasesListInput struct {
	Type            string  `flag:"type" enum:"plans,summaries" help:"list files of this kind"`
	Phase           *string `flag:"phase" help:"of this phase alone"`
	IncludeArchived bool    `flag:"include-archived" help:"also phases of milestones that were shipped"`
}

func phaseOperations() []*planop.Operation {
	return []*planop.Operation{
		queryOperation(planop.Spec[phaseInput, query.Found]{
			Name: "find-phase", Summary: "the folder of a phase and its plans",
			Plain: func(a query.Found) string {
				if d := a.Directory; d != nil {
					return *d
				}
				return ""
			},
		}, func(q *query.Questions, in *phaseInput) (query.Found, error) { return q.FindPhase(in.Phase), nil }),
		queryOperation(planop.Spec[phaseInput, query.PlanIndex]{
			Name: "phase-plan-index", Also: []string{"phase plan-index"}, Summary: "the plans of a phase, their waves and what is not done",
		}, func(q *query.Questions, in *phaseInput) (query.PlanIndex, error) { return q.PlanIndex(in.Phase), nil }),
		queryOperation(planop.Spec[phasesListInput, any]{
			Name: "phases list", Summary: "the folders of phases, or the plans or summaries in them", Plain: func(a any) string {
				switch a := a.(type) {
				case query.Directories:
					return strings.Join(a.Directories, "\n")
				case query.FileList:
					return strings.Join(a.Files, "\n")
				}
				return ""
			},
		}, func(q *query.Questions, in *phasesListInput) (any, error) {
			if in.Phase != nil {
				files := q.PhaseFiles(in.Type, *in.Phase)
				if in.Type == "" && files.Error == "" {
					return q.PhaseDirectory(*in.Phase), nil
				}
				return files, nil
			}
			if in.Type != "" {
				return q.PhaseFiles(in.Type, ""), nil
			}
			return q.Directories(in.IncludeArchived)
		}),
		queryOperation(planop.Spec[phaseInput, query.NextDecimal]{
			Name: "phase next-decimal", Summary: "the number that a phase inserted behind another gets",
			Plain: func(a query.NextDecimal) string { return a.Next },
		}, func(q *query.Questions, in *phaseInput) (query.NextDecimal, error) { return q.NextDecimal(in.Phase) }),
		queryOperation(planop.Spec[phaseInput, query.RoadmapPhase]{
			Name: "roadmap get-phase", Summary: "the section of a phase in ROADMAP.md",
			Plain: func(a query.RoadmapPhase) string { return a.Section },
		}, func(q *query.Questions, in *phaseInput) (query.RoadmapPhase, error) { return q.RoadmapPhase(in.Phase) }),
		queryOperation(planop.Spec[planop.NoInput, query.Analysis]{
			Name: "roadmap analyze", Summary: "all phases, how far each is, the current one and the next",
		}, question((*query.Questions).Analyze)),
	}
}

// renderedText is an answer that is printed unchanged, because it is text already.
type renderedText struct {
	Rendered string `json:"rendered"`
}

func plainRendered(a any) string {
	switch a := a.(type) {
	case renderedText:
		return a.Rendered
	case progressBar:
		return a.Bar
	}
	b, _ := json.MarshalIndent(a, "", "  ") // plain fields only
	return string(b)
}

// progressBar is the progress of the milestone in one line.
type progressBar struct {
	Bar       string `json:"bar"`
	Percent   int    `json:"percent"`
	Completed int    `json:"completed"`
	Total     int    `json:"total"`
}

type formatInput struct {
	Format string `arg:"[FORMAT]" enum:"json,table,bar" help:"how it is shown"`
}

type summaryExtractInput struct {
	File   string   `arg:"FILE" help:"a SUMMARY.md, from the root of the project"`
	Fields []string `flag:"fields" help:"these fields alone"`
}

func progressOperations() []*planop.Operation {
	return []*planop.Operation{
		queryOperation(planop.Spec[formatInput, any]{
			Name: "progress", Everyday: true, Summary: "how far the milestone is", Plain: plainRendered,
		}, milestoneProgress),
		queryOperation(planop.Spec[planop.NoInput, query.Digest]{
			Name: "history-digest", Summary: "what the summaries of all phases say: what they provide, decide and use",
		}, certain((*query.Questions).Digest)),
		queryOperation(planop.Spec[summaryExtractInput, any]{
			Name: "summary-extract", Summary: "what a summary says in short",
		}, func(q *query.Questions, in *summaryExtractInput) (any, error) {
			e, err := q.SummaryExtract(in.File)
			if errors.Is(err, fs.ErrNotExist) {
				return nil, planop.NewValueFault("file_not_found", "File not found", "path", in.File)
			}
			if err != nil || in.Fields == nil {
				return e, err
			}
			return selectFields(e, in.Fields)
		}),
	}
}

func milestoneProgress(q *query.Questions, in *formatInput) (any, error) {
	r := q.Report()
	share := 0 // the share of the existing plans, as the line shows; the field percent also counts phases without a plan
	if r.Plans > 0 {
		share = min(100, int(math.Round(100*float64(r.Summaries)/float64(r.Plans))))
	}
	counted := fmt.Sprintf("%d/%d plans (%d%%)", r.Summaries, r.Plans, share)
	switch in.Format {
	case "bar":
		return progressBar{"[" + inventory.ProgressBar(share, 20) + "] " + counted, r.Percent, r.Summaries, r.Plans}, nil
	case "table":
		return renderedText{progressTable(r, inventory.ProgressBar(share, 10), counted)}, nil
	}
	return r, nil
}

// selectFields returns the path of a summary and the requested fields of it.
func selectFields(e query.SummaryParts, fields []string) (any, error) {
	b, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	var all map[string]any
	if err := json.Unmarshal(b, &all); err != nil {
		return nil, err
	}
	out := map[string]any{"path": e.Path}
	for _, f := range fields {
		v, ok := all[f]
		if !ok {
			return nil, planop.Faultf("field_not_found", "a summary has no field %.60q", f)
		}
		out[f] = v
	}
	return out, nil
}

func progressTable(r query.Report, bar, counted string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s %s\n\n**Progress:** [%s] %s\n\n", r.Version, r.Name, bar, counted)
	b.WriteString("| Phase | Name | Plans | Status |\n|-------|------|-------|--------|\n")
	for _, p := range r.Phases {
		fmt.Fprintf(&b, "| %s | %s | %d/%d | %s |\n", p.Number, p.Name, p.Summaries, p.Plans, p.Status)
	}
	return b.String()
}
