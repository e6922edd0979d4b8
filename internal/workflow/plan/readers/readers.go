// Package readers declares the operations that say where a project is: its state, phases, plans and progress. What they
// answer is computed by package query from the files, never from counters that a file keeps.
package readers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"

	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/query"
)

// All are the operations.
func All() []*planop.Operation {
	return slices.Concat(
		[]*planop.Operation{Page()}, stateOperations(), phaseOperations(), roadmapOperations(), progressOperations(), journalOperations(),
	)
}

// asked declares an operation that asks one question.
func asked[A any](o planop.Operation, ask func(c *planop.Call, q *query.Questions) (A, error)) *planop.Operation {
	o.Run = func(_ context.Context, c *planop.Call) (any, error) {
		q, err := c.Questions()
		if err != nil {
			return nil, err
		}
		a, err := ask(c, q)
		return a, fault(err)
	}
	return &o
}

// fault gives errors of questions the words that programs know them by.
func fault(err error) error {
	var phase *query.PhaseError
	switch {
	case errors.As(err, &phase):
		return &planop.Fault{Reason: "phase_not_found", Message: fmt.Sprintf("there is no phase %.60q", phase.Phase), Near: phase.Near}
	case errors.Is(err, fs.ErrNotExist):
		return planop.Faultf("file_not_found", "%s", err.Error())
	}
	return err
}

func phaseArg() []planop.Arg {
	return []planop.Arg{{Name: "PHASE", Help: "the number of a phase: 3, 2.1, 03A"}}
}

func stateOperations() []*planop.Operation {
	load := asked(planop.Operation{Name: "state load", Also: []string{"state"}, Summary: "settings and STATE.md, with which files there are"},
		func(_ *planop.Call, q *query.Questions) (query.Loaded, error) { return q.Load(), nil })
	load.Plain = plainLoaded
	get := asked(planop.Operation{
		Name: "state get", Summary: "the text of STATE.md, or a field or section of it",
		Args: []planop.Arg{{Name: "FIELD", Help: "a field or the heading of a section", Optional: true, Many: true}},
	}, func(c *planop.Call, q *query.Questions) (map[string]string, error) {
		name := c.Arg("FIELD")
		value, err := q.StateGet(name)
		if missing := (*query.FieldError)(nil); errors.As(err, &missing) {
			return nil, planop.Faultf("field_not_found", "%s", err.Error())
		}
		if name == "" {
			name = "content"
		}
		return map[string]string{name: value}, err
	})
	get.Plain = func(a any) string {
		for _, v := range a.(map[string]string) {
			return v
		}
		return ""
	}
	return []*planop.Operation{
		load,
		asked(planop.Operation{Name: "state json", Summary: "the front matter of STATE.md, its counters computed"},
			func(c *planop.Call, q *query.Questions) (query.State, error) { return q.State(c.Now()) }),
		get,
		asked(planop.Operation{
			Name: "state-snapshot", Also: []string{"state snapshot"}, Summary: "position, decisions, blockers and the last session of STATE.md",
		}, func(_ *planop.Call, q *query.Questions) (query.Snapshot, error) { return q.Snapshot() }),
	}
}

// plainLoaded are the settings as lines of key=value.
func plainLoaded(a any) string {
	l := a.(query.Loaded)
	var b strings.Builder
	for _, k := range []string{
		"model_profile", "commit_docs", "branching_strategy", "phase_branch_template", "milestone_branch_template", "parallelization", "research", "plan_checker", "verifier",
	} {
		fmt.Fprintf(&b, "%s=%v\n", k, l.Config[k])
	}
	fmt.Fprintf(&b, "config_exists=%v\nroadmap_exists=%v\nstate_exists=%v", l.ConfigExists, l.RoadmapExists, l.StateExists)
	return b.String()
}

func phaseOperations() []*planop.Operation {
	find := asked(planop.Operation{Name: "find-phase", Summary: "the folder of a phase and its plans", Args: phaseArg()},
		func(c *planop.Call, q *query.Questions) (query.Found, error) {
			return q.FindPhase(c.Arg("PHASE")), nil
		})
	find.Plain = func(a any) string {
		if d := a.(query.Found).Directory; d != nil {
			return *d
		}
		return ""
	}
	next := asked(planop.Operation{Name: "phase next-decimal", Summary: "the number that a phase inserted behind another gets", Args: phaseArg()},
		func(c *planop.Call, q *query.Questions) (query.NextDecimal, error) {
			return q.NextDecimal(c.Arg("PHASE"))
		})
	next.Plain = func(a any) string { return a.(query.NextDecimal).Next }
	list := asked(planop.Operation{
		Name: "phases list", Summary: "the folders of phases, or the plans or summaries in them",
		Flags: []planop.Flag{
			{Name: "type", Help: "list files of this kind", Enum: []string{"plans", "summaries"}},
			{Name: "phase", Help: "of this phase alone"},
			{Name: "include-archived", Help: "also phases of milestones that were shipped", Kind: planop.Switch},
		},
	}, func(c *planop.Call, q *query.Questions) (any, error) {
		if c.Given("type") || c.Given("phase") {
			return q.PhaseFiles(c.Flag("type"), c.Flag("phase")), nil
		}
		return q.Directories(c.Switched("include-archived"))
	})
	list.Plain = func(a any) string {
		switch a := a.(type) {
		case query.Directories:
			return strings.Join(a.Directories, "\n")
		case query.FileList:
			return strings.Join(a.Files, "\n")
		}
		return ""
	}
	return []*planop.Operation{
		find,
		asked(planop.Operation{Name: "phase-plan-index", Also: []string{"phase plan-index"}, Summary: "the plans of a phase, their waves and what is not done", Args: phaseArg()},
			func(c *planop.Call, q *query.Questions) (query.PlanIndex, error) {
				return q.PlanIndex(c.Arg("PHASE")), nil
			}),
		list, next,
	}
}

func roadmapOperations() []*planop.Operation {
	get := asked(planop.Operation{Name: "roadmap get-phase", Summary: "the section of a phase in ROADMAP.md", Args: phaseArg()},
		func(c *planop.Call, q *query.Questions) (query.RoadmapPhase, error) {
			return q.RoadmapPhase(c.Arg("PHASE"))
		})
	get.Plain = func(a any) string { return a.(query.RoadmapPhase).Section }
	return []*planop.Operation{
		get,
		asked(planop.Operation{Name: "roadmap analyze", Summary: "all phases, how far each is, the current one and the next"},
			func(_ *planop.Call, q *query.Questions) (query.Analysis, error) { return q.Analyze() }),
	}
}

// rendered is an answer that is shown as it is.
type rendered struct {
	Rendered string `json:"rendered"`
}

func plainRendered(a any) string {
	switch a := a.(type) {
	case rendered:
		return a.Rendered
	case progressBar:
		return a.Bar
	}
	b, _ := json.MarshalIndent(a, "", "  ") // plain fields only
	return string(b)
}

// progressBar is progress in one line.
type progressBar struct {
	Bar       string `json:"bar"`
	Percent   int    `json:"percent"`
	Completed int    `json:"completed"`
	Total     int    `json:"total"`
}

func progressOperations() []*planop.Operation {
	format := func(list ...string) []planop.Arg {
		return []planop.Arg{{Name: "FORMAT", Help: "how it is shown", Optional: true, Enum: list}}
	}
	progress := asked(planop.Operation{Name: "progress", Summary: "how far the milestone is", Args: format("json", "table", "bar")},
		func(c *planop.Call, q *query.Questions) (any, error) {
			r := q.Report()
			share := 0 // of the plans that there are, which is what the line says; the answer's percent also knows of phases without a plan
			if r.Plans > 0 {
				share = min(100, int(math.Round(100*float64(r.Summaries)/float64(r.Plans))))
			}
			counted := fmt.Sprintf("%d/%d plans (%d%%)", r.Summaries, r.Plans, share)
			switch c.Arg("FORMAT") {
			case "bar":
				return progressBar{"[" + query.Bar(share, 20) + "] " + counted, r.Percent, r.Summaries, r.Plans}, nil
			case "table":
				return rendered{progressTable(r, query.Bar(share, 10), counted)}, nil
			}
			return r, nil
		})
	progress.Plain = plainRendered
	return []*planop.Operation{
		progress,
		asked(planop.Operation{Name: "history-digest", Summary: "what the summaries of all phases say: what they provide, decide and use"},
			func(_ *planop.Call, q *query.Questions) (query.Digest, error) { return q.Digest(), nil }),
		asked(planop.Operation{
			Name: "summary-extract", Summary: "what a summary says in short", Args: []planop.Arg{{Name: "FILE", Help: "a SUMMARY.md, from the root of the project"}},
			Flags: []planop.Flag{{Name: "fields", Help: "these fields alone", Kind: planop.List}},
		}, func(c *planop.Call, q *query.Questions) (any, error) {
			e, err := q.SummaryExtract(c.Arg("FILE"))
			if err != nil || !c.Given("fields") {
				return e, err
			}
			return only(e, c.Flags("fields"))
		}),
	}
}

// only are the path and the fields that were asked for.
func only(e query.Extract, fields []string) (any, error) {
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
