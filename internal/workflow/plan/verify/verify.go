// Package verify declares the operations that compare plans and summaries with the project: files, commits, required parts of files,
// links between them, schemas that were changed and not pushed. Nothing is run; a pattern of a plan is matched by package regexp, whose
// time grows only with the text.
package verify

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/query"
)

type verifySummaryInput struct {
	File       string `arg:"FILE" help:"a file below .planning, from the root of the project"`
	CheckCount int    `flag:"check-count" default:"2" value:"N" help:"how many of its files are looked for; 2 if not given"`
}

type planInput struct {
	Plan string `arg:"PLAN" help:"the file of a plan, from the root of the project"`
}

type phaseInput struct {
	Phase string `arg:"PHASE" help:"the number of a phase: 3, 2.1, 03A"`
}

type fileInput struct {
	File string `arg:"FILE" help:"a file below .planning, from the root of the project"`
}

type commitInput struct {
	Commit []string `arg:"COMMIT…" help:"ids of commits"`
}

type verifySchemaDriftInput struct {
	Phase string `arg:"PHASE" help:"the number of a phase: 3, 2.1, 03A"`
	Skip  bool   `flag:"skip" help:"name what was found and block nothing"`
}

// All returns the operations of this package.
func All() []*planop.Operation {
	return []*planop.Operation{
		planop.Spec[verifySummaryInput, summaryAnswer]{
			Name: "verify-summary", Also: []string{"verify summary"},
			Summary: "whether files and commits that a summary names are there",
			Run:     verifySummary, Plain: verdictWord(func(a summaryAnswer) bool { return a.Passed }, "passed", "failed"),
		}.Operation(),
		planop.Spec[planInput, query.Structure]{Name: "verify plan-structure", Summary: "whether a plan has all parts that it needs", Run: verifyStructure,
			Plain: verdictWord(func(a query.Structure) bool { return a.Valid }, "valid", "invalid")}.Operation(),
		planop.Spec[phaseInput, query.Completeness]{Name: "verify phase-completeness", Summary: "whether every plan of a phase has a summary", Run: verifyCompleteness,
			Plain: verdictWord(func(a query.Completeness) bool { return a.Complete }, "complete", "incomplete")}.Operation(),
		planop.Spec[fileInput, referencesAnswer]{Name: "verify references", Summary: "whether the files that a file names are there", Run: verifyReferences,
			Plain: verdictWord(func(a referencesAnswer) bool { return a.Valid }, "valid", "invalid")}.Operation(),
		planop.Spec[commitInput, commitsAnswer]{Name: "verify commits", Summary: "whether commits are there", Run: verifyCommits,
			Plain: verdictWord(func(a commitsAnswer) bool { return a.All }, "valid", "invalid")}.Operation(),
		planop.Spec[planInput, artifactAnswer]{Name: "verify artifacts", Summary: "whether what a plan must produce is there and has what it must have", Run: verifyArtifacts,
			Plain: verdictWord(func(a artifactAnswer) bool { return a.All }, "valid", "invalid")}.Operation(),
		planop.Spec[planInput, linkAnswer]{Name: "verify key-links", Summary: "whether the files that a plan links refer to each other", Run: verifyLinks,
			Plain: verdictWord(func(a linkAnswer) bool { return a.All }, "valid", "invalid")}.Operation(),
		planop.Spec[verifySchemaDriftInput, driftAnswer]{
			Name: "verify schema-drift", Summary: "whether a schema of a database was changed and not pushed",
			Run: verifyDrift,
		}.Operation(),
	}
}

func verdictWord[A any](ok func(A) bool, yes, no string) func(A) string {
	return func(a A) string {
		if ok(a) {
			return yes
		}
		return no
	}
}

// userFileText returns the text of a file that a user names.
func userFileText(c *planop.Call, name string) (string, error) {
	q, err := query.New(c)
	if err != nil {
		return "", err
	}
	at, err := projectPath(c, name)
	if err != nil {
		return "", err
	}
	s, err := q.Text(at)
	if errors.Is(err, fs.ErrNotExist) {
		return "", planop.Faultf("file_not_found", "File not found: %s", name)
	}
	return s, err
}

// projectPath returns the path of a file from the root of the project. name is that path, or an absolute one.
func projectPath(c *planop.Call, name string) (string, error) {
	root, err := c.Project()
	if err != nil || !filepath.IsAbs(name) {
		return filepath.ToSlash(name), err
	}
	rel, err := filepath.Rel(root, name)
	if err != nil || !filepath.IsLocal(rel) {
		return "", planop.Faultf("file_not_found", "%s is not in the project", name)
	}
	return filepath.ToSlash(rel), nil
}

func verifyStructure(_ context.Context, c *planop.Call, in *planInput) (query.Structure, error) {
	if _, err := userFileText(c, in.Plan); err != nil {
		return query.Structure{}, err
	}
	q, err := query.New(c)
	if err != nil {
		return query.Structure{}, err
	}
	at, err := projectPath(c, in.Plan)
	if err != nil {
		return query.Structure{}, err
	}
	return q.Structure(at)
}

func verifyCompleteness(_ context.Context, c *planop.Call, in *phaseInput) (query.Completeness, error) {
	q, err := query.New(c)
	if err != nil {
		return query.Completeness{}, err
	}
	a, err := q.Completeness(in.Phase)
	if missing := (*query.PhaseError)(nil); errors.As(err, &missing) {
		return query.Completeness{}, &planop.Fault{
			Reason: "phase_not_found", Message: "there is no phase", Field: "phase", Value: missing.Phase, Near: missing.Near,
		}
	}
	return a, err
}
