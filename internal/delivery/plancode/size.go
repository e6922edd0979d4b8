package plancode

import (
	"context"
	"fmt"
	"strings"

	"ken/internal/ask/diff"
	"ken/internal/ask/impact"
	"ken/internal/engine/view"
	"ken/internal/operation"
	"ken/internal/workflow/plan/planop"
)

// SizeAnswer is the answer of `ken plan size`.
type SizeAnswer struct {
	Size    string   `json:"size"` // fast, quick or phase
	Reasons []string `json:"reasons"`
	Files   []string `json:"files"`
	// Verify are other files that surely or very likely depend on what is changed, Reached all that depend on it in some steps.
	Verify  []string `json:"must_verify"`
	Reached int      `json:"reached"`
	Tests   []string `json:"tests"` // that cover it
	Index   Index    `json:"index"`
	Next    string   `json:"next" calls:"ken plan"`
}

type sizeInput struct {
	Files []string `arg:"[FILE…]" help:"files that are to be changed"`
	Diff  bool     `flag:"diff" help:"what was changed since the last commit"`
}

// The bounds of sizes. Three edits are what a person still sees at a glance; from 4 files on that must be verified impact calls a risk
// moderate, from 16 on high.
const (
	fastFiles, fastVerify   = 3, 3
	quickFiles, quickVerify = 10, 15
)

func (j *planIndexOps) size() *planop.Operation {
	return planop.Spec[sizeInput, *SizeAnswer]{
		Name: "size", Summary: "how much planning a change of files needs, by what depends on them: none, a quick plan, or a phase", Anywhere: true,
		Run: j.runSize, Page: (*SizeAnswer).page,
	}.Operation()
}

func (j *planIndexOps) runSize(ctx context.Context, c *planop.Call, in *sizeInput) (*SizeAnswer, error) {
	if len(in.Files) == 0 && !in.Diff {
		return nil, planop.Usagef("name the files that are to be changed, or give --diff")
	}
	var a *SizeAnswer
	err := j.withSource(ctx, c, func(ctx context.Context, s *source) error {
		a = &SizeAnswer{Reasons: []string{}, Files: []string{}, Verify: []string{}, Tests: []string{}, Index: s.index}
		var q impact.ImpactQuery
		switch {
		case in.Diff && s.s == nil:
			return planop.Faultf("no_index", "%s", s.index.Note)
		case in.Diff:
			var err error
			if q.Diff, err = diff.ChangedFiles(ctx, s.s, ""); err != nil {
				return err
			}
		}
		for _, text := range in.Files {
			file, ok, several := s.places.Find(text)
			if len(several) > 0 {
				return &planop.Fault{Reason: "ambiguous", Message: fmt.Sprintf("%.80s can be several files", text), Near: several}
			}
			if !ok { // it is to be made, so nothing depends on it
				a.Files = append(a.Files, text)
				continue
			}
			a.Files = append(a.Files, file)
			q.Targets = append(q.Targets, view.Target{File: file})
		}
		if s.s == nil || len(q.Targets)+len(q.Diff) == 0 {
			return nil
		}
		found, err := impact.Of(ctx, s.s, q)
		if err != nil {
			return err
		}
		a.fill(&found, in.Diff)
		return nil
	})
	if err != nil {
		return nil, err
	}
	a.judge()
	return a, nil
}

// fill takes over what an impact has found.
func (a *SizeAnswer) fill(found *impact.Impact, isDiff bool) {
	if isDiff {
		a.Files = append(a.Files, found.Files...)
	}
	must, _ := found.Verify()
	for _, v := range must {
		a.Verify = append(a.Verify, v.Path)
	}
	for _, n := range found.Reached {
		a.Reached += n
	}
	for _, t := range found.Tests {
		a.Tests = append(a.Tests, t.Path)
	}
}

// judge decides the size. Where the code was not looked up a change is never fast, because its users are not known.
func (a *SizeAnswer) judge() {
	files, verify := len(a.Files), len(a.Verify)
	a.Size = "fast"
	switch {
	case files > quickFiles || verify > quickVerify:
		a.Size = "phase"
	case files > fastFiles || verify > fastVerify || !a.Index.Used:
		a.Size = "quick"
	case verify > 0 && len(a.Tests) == 0:
		a.Size = "quick"
		a.Reasons = append(a.Reasons, "code depends on it and no test covers it")
	}
	a.Reasons = append(a.Reasons, operation.Plural(files, "file")+" to change")
	if !a.Index.Used {
		a.Reasons = append(a.Reasons, a.Index.Note)
	} else {
		a.Reasons = append(a.Reasons, operation.Plural(verify, "file")+" to be verified", "covered by "+operation.Plural(len(a.Tests), "test file"))
	}
	a.Next = "guide " + a.Size + " TEXT"
	if a.Size == "phase" {
		a.Next = "phase add NAME"
	}
}

func (a *SizeAnswer) page() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", a.Size, strings.Join(a.Reasons, ", "))
	const most = 8
	for i, file := range a.Verify {
		if i == most {
			fmt.Fprintf(&b, "  and %d more\n", len(a.Verify)-most)
			break
		}
		fmt.Fprintf(&b, "  verify %s\n", file)
	}
	for i, file := range a.Tests {
		if i == 3 {
			break
		}
		fmt.Fprintf(&b, "  test %s\n", file)
	}
	fmt.Fprintf(&b, "then: ken plan %s\n", a.Next)
	return b.String()
}
