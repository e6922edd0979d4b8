// Package verify declares the operations that hold what plans and summaries say against what is there: files, commits,
// wanted parts of files, links between them, schemas that were changed and not pushed. Nothing is run; a pattern of a plan is
// matched by package regexp, whose time grows with the text alone.
package verify

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strconv"

	"ken/internal/workflow/plan/planop"
	"ken/internal/workflow/plan/query"
)

// All are the operations.
func All() []*planop.Operation {
	file := []planop.Arg{{Name: "FILE", Help: "a file below .planning, from the root of the project"}}
	plan := []planop.Arg{{Name: "PLAN", Help: "the file of a plan, from the root of the project"}}
	phase := []planop.Arg{{Name: "PHASE", Help: "the number of a phase: 3, 2.1, 03A"}}
	return []*planop.Operation{
		{
			Name: "verify-summary", Also: []string{"verify summary"}, Summary: "whether files and commits that a summary names are there", Args: file,
			Flags: []planop.Flag{{Name: "check-count", Help: "how many of its files are looked for; 2 if not given", Kind: planop.Number}},
			Run:   summary, Plain: passed(func(a any) bool { return a.(summaryAnswer).Passed }, "passed", "failed"),
		},
		{Name: "verify plan-structure", Summary: "whether a plan has all parts that it needs", Args: plan, Run: structure,
			Plain: passed(func(a any) bool { return a.(query.Structure).Valid }, "valid", "invalid")},
		{Name: "verify phase-completeness", Summary: "whether every plan of a phase has a summary", Args: phase, Run: completeness,
			Plain: passed(func(a any) bool { return a.(query.Completeness).Complete }, "complete", "incomplete")},
		{Name: "verify references", Summary: "whether the files that a file names are there", Args: file, Run: references,
			Plain: passed(func(a any) bool { return a.(referenced).Valid }, "valid", "invalid")},
		{Name: "verify commits", Summary: "whether commits are there", Args: []planop.Arg{{Name: "COMMIT", Help: "ids of commits", Many: true}}, Run: commits,
			Plain: passed(func(a any) bool { return a.(committed).All }, "valid", "invalid")},
		{Name: "verify artifacts", Summary: "whether what a plan must produce is there and has what it must have", Args: plan, Run: artifacts,
			Plain: passed(func(a any) bool { return a.(artifactAnswer).All }, "valid", "invalid")},
		{Name: "verify key-links", Summary: "whether the files that a plan links refer to each other", Args: plan, Run: links,
			Plain: passed(func(a any) bool { return a.(linkAnswer).All }, "valid", "invalid")},
		{
			Name: "verify schema-drift", Summary: "whether a schema of a database was changed and not pushed", Args: phase,
			Flags: []planop.Flag{{Name: "skip", Help: "name what was found and block nothing", Kind: planop.Switch}}, Run: drift,
		},
	}
}

func passed(ok func(any) bool, yes, no string) func(any) string {
	return func(a any) string {
		if ok(a) {
			return yes
		}
		return no
	}
}

// text is a file that was named on the command line.
func text(c *planop.Call, name string) (string, error) {
	q, err := c.Questions()
	if err != nil {
		return "", err
	}
	at, err := inside(c, name)
	if err != nil {
		return "", err
	}
	s, err := q.Text(at)
	if errors.Is(err, fs.ErrNotExist) {
		return "", planop.Faultf("file_not_found", "File not found: %s", name)
	}
	return s, err
}

// inside is a path from the root of the project, whether it was given so or as an absolute one.
func inside(c *planop.Call, name string) (string, error) {
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

func structure(_ context.Context, c *planop.Call) (any, error) {
	if _, err := text(c, c.Arg("PLAN")); err != nil {
		return nil, err
	}
	q, err := c.Questions()
	if err != nil {
		return nil, err
	}
	at, err := inside(c, c.Arg("PLAN"))
	if err != nil {
		return nil, err
	}
	return q.Structure(at)
}

func completeness(_ context.Context, c *planop.Call) (any, error) {
	q, err := c.Questions()
	if err != nil {
		return nil, err
	}
	a, err := q.Completeness(c.Arg("PHASE"))
	if missing := (*query.PhaseError)(nil); errors.As(err, &missing) {
		return nil, &planop.Fault{Reason: "phase_not_found", Message: "there is no phase " + strconv.Quote(missing.Phase), Near: missing.Near}
	}
	return a, err
}
