package op

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"ken/internal/delivery/project"
	"ken/internal/operation"

	"ken/internal/engine/view"
)

// Exactness reports how much of the code has bindings confirmed by a type checker.
type Exactness struct {
	Packages int     `json:"packages" doc:"Go package directories, without vendored ones and test data"`
	Covered  int     `json:"covered" doc:"of them, those whose references are bound by types now"`
	Stale    int     `json:"stale" doc:"those that changes made invalid since; their references fall back to heuristics"`
	Failed   int     `json:"failed" doc:"those whose types could not be checked"`
	GoRefs   int     `json:"go_references" doc:"references in all Go files"`
	GoShare  float64 `json:"go_share" doc:"share (0 to 1) of them in files bound by types now"`
	Imported int     `json:"imported" doc:"files bound by an imported SCIP index now"`
	Oldest   string  `json:"oldest,omitempty" doc:"when the oldest of what holds was made, RFC 3339, UTC"`
	Newest   string  `json:"newest,omitempty" doc:"when the newest was made"`
}

func newExactness(i *view.ExactInfo) *Exactness {
	if i.Packages+i.Imported == 0 {
		return nil
	}
	e := &Exactness{Packages: i.Packages, Covered: i.Covered, Stale: i.Stale, Failed: i.Failed, GoRefs: i.GoRefs, Imported: i.Imported}
	if i.GoRefs > 0 {
		e.GoShare = float64(i.GoBound) / float64(i.GoRefs)
	}
	if !i.Oldest.IsZero() {
		e.Oldest, e.Newest = i.Oldest.UTC().Format(time.RFC3339), i.Newest.UTC().Format(time.RFC3339)
	}
	return e
}

// writeExactness writes the exactness on one line.
func writeExactness(t *operation.Text, e *Exactness) {
	if e == nil {
		return
	}
	made := ""
	if e.Oldest != "" {
		made = ", made " + e.Oldest
		if e.Newest != e.Oldest {
			made += " to " + e.Newest
		}
	}
	line := ""
	if e.Packages > 0 {
		line = fmt.Sprintf("%s of %s bound by types", operation.Group(e.Covered), operation.Plural(e.Packages, "Go package"))
		if e.Stale > 0 {
			line += fmt.Sprintf(", %s stale", operation.Group(e.Stale))
		}
		if e.Failed > 0 {
			line += fmt.Sprintf(", %s not checkable", operation.Group(e.Failed))
		}
		line += fmt.Sprintf(" (%s of the references in Go files)", operation.Percent(e.GoShare))
	}
	if e.Imported > 0 {
		if line != "" {
			line += "; "
		}
		line += operation.Plural(e.Imported, "file") + " bound by SCIP"
	}
	t.Line("exact      %s%s", line, made)
}

// ExactRun is the result of `index --exact`.
type ExactRun struct {
	Exactness
	Checked  int            `json:"checked" doc:"packages checked now"`
	Kept     int            `json:"kept" doc:"packages whose bindings still held"`
	Problems []ExactProblem `json:"problems" doc:"packages whose types could not be checked, by path"`
	Elapsed  int64          `json:"elapsed_ms" doc:"time taken, in milliseconds"`
}

// ExactProblem is a package that could not be checked.
type ExactProblem struct {
	Path   operation.Path `json:"path" doc:"directory"`
	Tests  bool           `json:"tests" doc:"only its tests could not"`
	Reason string         `json:"reason" doc:"what is missing, or the first type error"`
}

// runExact runs the type checkers after an update and adds the result to its answer.
func runExact(ctx context.Context, p *project.Project, env *Env, a *indexAnswer) error {
	rep, err := p.Engine.Exact(ctx, env.Progress)
	if err != nil {
		return addNearNames(ctx, p, err)
	}
	run := &ExactRun{Checked: rep.Checked, Kept: rep.Kept, Elapsed: rep.Elapsed.Milliseconds()}
	if e := newExactness(&rep.ExactInfo); e != nil {
		run.Exactness = *e
	}
	for _, pr := range rep.Problems {
		dir := pr.Dir
		if dir == "" {
			dir = "."
		}
		run.Problems = append(run.Problems, ExactProblem{Path: operation.Path(dir), Tests: pr.Test, Reason: pr.Reason})
	}
	a.Exact, a.Revision.Revision = run, rep.Rev
	return nil
}

func writeExactRun(t *operation.Text, r *ExactRun) {
	if r == nil {
		return
	}
	t.Line("types checked of %s, %s as before, %d ms", operation.Plural(r.Checked, "package"), operation.Group(r.Kept), r.Elapsed)
	writeExactness(t, &r.Exactness)
	const missing = "not in the module cache"
	list := slices.DeleteFunc(slices.Clone(r.Problems), func(pr ExactProblem) bool { return strings.Contains(pr.Reason, missing) })
	if n := len(r.Problems) - len(list); n > 0 {
		t.Line("  %s lack modules that are %s: run \"go mod download\", then this again (--json lists them)", operation.Plural(n, "package"), missing)
	}
	for i := range list[:min(len(list), maxListed)] {
		pr := &list[i]
		what := ""
		if pr.Tests {
			what = " (tests)"
		}
		t.Line("  %s%s  %s", pr.Path, what, pr.Reason)
	}
	t.More("  ", len(list)-min(len(list), maxListed))
}
