package execute

import (
	"context"
	"fmt"
	"strings"

	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/query"
)

const lasting = "work trees, branches and merges stay: \"ken plan executor cleanup\" and git take them back"

// All returns the operations on executors.
func All() []*planop.Operation {
	return []*planop.Operation{
		planop.Spec[executorCreateInput, *CreateAnswer]{
			Name: "executor create", Also: []string{"worktree create"}, Writes: true, Lasting: lasting,
			Summary: "make a work tree for each plan of a phase that can be carried out now, or say why it runs on the main tree",
			Run: withExecutors(func(ctx context.Context, x *Executors, in *executorCreateInput) (*CreateAnswer, error) {
				return x.Create(ctx, in.Phase, in.Plan, in.Base, in.Outside)
			}),
			Page: (*CreateAnswer).page,
		}.Operation(),
		planop.Spec[executorStatusInput, *StatusAnswer]{
			Name: "executor status", Summary: "how far executors are, what they changed, and whether they are stalled",
			Run: withExecutors(func(ctx context.Context, x *Executors, in *executorStatusInput) (*StatusAnswer, error) {
				return ofPhase(x, in.Phase, func(phase string) (*StatusAnswer, error) { return x.Status(ctx, phase, in.Plan) })
			}),
			Page: (*StatusAnswer).page,
		}.Operation(),
		planop.Spec[executorMergeInput, *MergeAnswer]{
			Name: "executor merge", Writes: true, Lasting: lasting,
			Summary: "merge what executors committed; files that one writer has stay as the base has them, conflicts stay whole",
			Run: withExecutors(func(ctx context.Context, x *Executors, in *executorMergeInput) (*MergeAnswer, error) {
				return ofPhase(x, in.Phase, func(phase string) (*MergeAnswer, error) { return x.Merge(ctx, phase, in.Plan, in.options()) })
			}),
			Page: func(a *MergeAnswer) string { return mergedPage(a.Results) },
		}.Operation(),
		planop.Spec[executorCleanupInput, *CleanAnswer]{
			Name: "executor cleanup", Writes: true, Lasting: lasting,
			Summary: "remove the work trees of executors that are merged, or of the plans named, if nothing is lost",
			Run: withExecutors(func(ctx context.Context, x *Executors, in *executorCleanupInput) (*CleanAnswer, error) {
				return ofPhase(x, in.Phase, func(phase string) (*CleanAnswer, error) { return x.Clean(ctx, phase, in.Plan, in.Abandon) })
			}),
			Page: (*CleanAnswer).page,
		}.Operation(),
		planop.Spec[executorMergeInput, *WaveAnswer]{
			Name: "worktree cleanup-wave", Writes: true, Lasting: lasting,
			Summary: "merge executors and remove the work trees of those that are merged",
			Run: withExecutors(func(ctx context.Context, x *Executors, in *executorMergeInput) (*WaveAnswer, error) {
				return ofPhase(x, in.Phase, func(phase string) (*WaveAnswer, error) { return x.MergeWave(ctx, phase, in.Plan, in.options()) })
			}),
			Page: func(w *WaveAnswer) string { return mergedPage(w.Merged) + cleanedPage(w.Cleaned) },
		}.Operation(),
		planop.Spec[planop.NoInput, *CleanAnswer]{
			Name: "worktree reap-orphans", Also: []string{"executor reap"}, Writes: true, Lasting: lasting,
			Summary: "remove what a crash left of executors, and work trees that nobody needs",
			Run: withExecutors(func(ctx context.Context, x *Executors, _ *planop.NoInput) (*CleanAnswer, error) {
				return x.RemoveOrphans(ctx)
			}),
			Page: (*CleanAnswer).page,
		}.Operation(),
		planop.Spec[expectedInput, *BaseAnswer]{
			Name: "worktree base-check", Anywhere: true, Summary: "whether this work tree holds the commit that it was to begin from", Run: checkBase,
		}.Operation(),
		planop.Spec[worktreeRecordAgentInput, any]{
			Name: "worktree record-agent", Writes: true, Lasting: lasting, Summary: "keep which agent carries a plan out",
			Run: withExecutors(recordAgent),
		}.Operation(),
	}
}

// withExecutors returns the function of an operation that calls run with the executors of the project.
func withExecutors[In, A any](
	run func(ctx context.Context, x *Executors, in *In) (A, error),
) func(context.Context, *planop.Call, *In) (A, error) {
	return func(ctx context.Context, c *planop.Call, in *In) (none A, err error) {
		x, err := Open(c)
		if err != nil {
			return none, err
		}
		return run(ctx, x, in)
	}
}

// ofPhase calls run with the number of the phase that a user names, as in the name of its folder, or "".
func ofPhase[A any](x *Executors, text string, run func(phase string) (*A, error)) (*A, error) {
	if text == "" {
		return run("")
	}
	q, err := query.New(x.call)
	if err != nil {
		return nil, err
	}
	found := q.FindPhase(text)
	if found.Number == nil {
		return nil, &planop.Fault{Reason: "phase_not_found", Message: fmt.Sprintf("there is no phase %.60q", text), Near: found.Near}
	}
	for _, p := range q.Inventory.Phases {
		if found.Directory != nil && p.Dir == *found.Directory {
			return run(p.Token())
		}
	}
	return run(*found.Number)
}

type executorCreateInput struct {
	Phase   string   `arg:"PHASE" help:"the number of a phase: 3, 2.1, 03A"`
	Plan    []string `arg:"[PLAN…]" help:"the id of a plan: 03-01"`
	Base    string   `flag:"base" help:"the commit that HEAD has to be at"`
	Outside bool     `flag:"outside" help:"also plans that name paths outside the project"`
}

type executorStatusInput struct {
	Plan  []string `arg:"[PLAN…]" help:"the id of a plan: 03-01"`
	Phase string   `flag:"phase" help:"executors of this phase alone"`
}

type executorMergeInput struct {
	Plan            []string `arg:"[PLAN…]" help:"the id of a plan: 03-01"`
	Phase           string   `flag:"phase" help:"executors of this phase alone"`
	Delete          []string `flag:"delete" help:"files that executors were meant to delete, from the root of the project"`
	Partial         bool     `flag:"partial" help:"also plans that have no summary"`
	Owned           bool     `flag:"owned" help:"also STATE.md, ROADMAP.md and REQUIREMENTS.md, where the plan names them"`
	AcceptMovedBase bool     `flag:"accept-moved-base" help:"also where the base no longer has the commit that an executor began from"`
}

func (in *executorMergeInput) options() MergeOptions {
	return MergeOptions{Deletes: in.Delete, Partial: in.Partial, Owned: in.Owned, Moved: in.AcceptMovedBase}
}

type executorCleanupInput struct {
	Plan    []string `arg:"[PLAN…]" help:"the id of a plan: 03-01"`
	Phase   string   `flag:"phase" help:"executors of this phase alone"`
	Abandon bool     `flag:"abandon" help:"also work that is not merged: it is committed to a branch that stays"`
}

// writePaths writes rows of paths, each with what they are.
func writePaths(b *strings.Builder, rows []pathRow) {
	for _, row := range rows {
		if len(row.paths) > 0 {
			fmt.Fprintf(b, "  %s: %s\n", row.what, strings.Join(firstNames(row.paths), ", "))
		}
	}
}

type pathRow struct {
	what  string
	paths []string
}

func (a *CreateAnswer) page() string {
	var b strings.Builder
	for _, r := range a.Executors {
		switch {
		case r.Refused != "":
			fmt.Fprintf(&b, "%s refused (%s): %s\n", r.Plan, r.Refused, r.Message)
		case r.Mode == Sequential:
			fmt.Fprintf(&b, "%s on the main tree: %s\n", r.Plan, r.Reason)
		default:
			fmt.Fprintf(&b, "%s in %s on %s from %.12s\n", r.Plan, r.Directory, r.Branch, r.Base)
			r.writeState(&b)
		}
	}
	if len(a.Pending) > 0 {
		fmt.Fprintf(&b, "after that: %s\n", strings.Join(a.Pending, ", "))
	}
	fmt.Fprintf(&b, "written by the orchestrator alone: %s\n", strings.Join(a.Owned, ", "))
	if len(a.Lacks) > 0 {
		fmt.Fprintf(&b, "not in work trees, because git ignores it: %s\n", strings.Join(a.Lacks, ", "))
	}
	for _, w := range a.Warnings {
		fmt.Fprintf(&b, "warning: %s\n", w)
	}
	return b.String()
}

// writeState writes what is to be known of an executor that existed before.
func (r *Created) writeState(b *strings.Builder) {
	if r.State != "" {
		fmt.Fprintf(b, "  it exists and is %s\n", r.State)
	}
	if r.Message != "" {
		fmt.Fprintf(b, "  %s\n", r.Message)
	}
	if len(r.Stale) > 0 {
		fmt.Fprintf(b, "  older than in the base: %s; merge the base there, or \"ken plan executor cleanup %s\" and create it again\n",
			strings.Join(firstNames(r.Stale), ", "), r.Plan)
	}
}

func (a *StatusAnswer) page() string {
	var b strings.Builder
	if len(a.Executors) == 0 {
		b.WriteString("no executor\n")
	}
	for _, s := range a.Executors {
		fmt.Fprintf(&b, "%s %s, %d commits, idle for %d min", s.Plan, s.State, s.Commits, s.Idle)
		if s.Stalled {
			b.WriteString(", stalled")
		}
		if s.TimedOut {
			b.WriteString(", over its time")
		}
		b.WriteString("\n")
		writePaths(&b, []pathRow{
			{"not committed", s.Uncommitted}, {"left out of the merge", s.Owned}, {"deleted and not in the plan", s.Unintended},
			{"written and not in the plan", s.Undeclared}, {"older than in the base", s.Stale},
		})
		if s.Message != "" {
			fmt.Fprintf(&b, "  %s\n", s.Message)
		}
	}
	if len(a.Unknown) > 0 {
		fmt.Fprintf(&b, "work trees without an executor: %s\n", strings.Join(a.Unknown, ", "))
	}
	return b.String()
}

func mergedPage(list []MergedPlan) string {
	var b strings.Builder
	if len(list) == 0 {
		b.WriteString("nothing to merge\n")
	}
	for _, r := range list {
		switch {
		case !r.Merged && r.Reason == "":
			fmt.Fprintf(&b, "%s %s\n", r.Plan, r.Message)
		case !r.Merged:
			fmt.Fprintf(&b, "%s not merged (%s): %s\n", r.Plan, r.Reason, r.Message)
		case r.Mode == Sequential:
			fmt.Fprintf(&b, "%s done on the main tree\n", r.Plan)
		case r.Already:
			fmt.Fprintf(&b, "%s was merged already\n", r.Plan)
		default:
			fmt.Fprintf(&b, "%s merged into %s: %.12s\n", r.Plan, r.Base, r.Into)
		}
		writePaths(&b, []pathRow{
			{"summary committed", r.Rescued}, {"summary moved to", r.Moved}, {"left as the base has them", r.LeftOut}, {"deleted", r.Deleted},
			{"written and not in the plan", r.Beyond}, {"not committed, so not merged", r.Remaining}, {"hooks not run", r.NotRun}, {"finished first", r.Finished},
		})
	}
	return b.String()
}

func (a *CleanAnswer) page() string { return cleanedPage(a.Results) }

func cleanedPage(list []CleanedPlan) string {
	var b strings.Builder
	if len(list) == 0 {
		b.WriteString("nothing to clean up\n")
	}
	for _, r := range list {
		switch {
		case r.Removed && r.Kept != "":
			fmt.Fprintf(&b, "%s removed; its work is on %s\n", r.Plan, r.Kept)
		case r.Removed:
			fmt.Fprintf(&b, "%s removed\n", r.Plan)
		case r.Reason != "":
			fmt.Fprintf(&b, "%s left (%s): %s\n", r.Plan, r.Reason, r.Message)
		default:
			fmt.Fprintf(&b, "%s %s\n", r.Plan, r.Message)
		}
	}
	return b.String()
}
