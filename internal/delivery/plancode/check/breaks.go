package check

import (
	"context"
	"fmt"
	"slices"

	"ken/internal/ask/refs"
	"ken/internal/code"
	"ken/internal/delivery/plancode/claim"
	"ken/internal/delivery/plancode/writeset"
	"ken/internal/engine/view"
	"ken/internal/token"
)

// Bounds of lists.
const (
	maxBreaks = 60
	maxTested = 20 // written files whose tests are looked for
)

// findBreaks lists files outside the plan's own list that its changes affect: callers of changed signatures, files generated from
// written ones, and tests that use written files directly.
func (x *checker) findBreaks(ctx context.Context) error {
	listed := func(p string) bool { return x.writes[p] }
	for i := range x.set.Entries {
		e := &x.set.Entries[i]
		if listed(e.Path) || len(x.r.Breaks) >= maxBreaks {
			continue
		}
		for _, r := range e.Reasons {
			if r.Kind == writeset.Caller || r.Kind == writeset.Generated {
				x.r.Breaks = append(x.r.Breaks, Break{Path: e.Path, Why: string(r.Kind) + " of " + r.Detail})
				break
			}
		}
	}
	var written []string
	for p := range x.writes {
		if x.places.FileID(p) != 0 {
			written = append(written, p)
		}
	}
	slices.Sort(written)
	tests, err := refs.Tests(ctx, x.s, written[:min(len(written), maxTested)]...)
	if err != nil {
		return err
	}
	for _, t := range tests {
		if t.Steps == 1 && !listed(t.File.Path) && len(x.r.Breaks) < maxBreaks {
			x.r.Breaks = append(x.r.Breaks, Break{t.File.Path, "tests " + t.Of, true})
		}
	}
	for _, b := range x.r.Breaks {
		if !b.Test {
			x.addIssue("breaks", "warning", "", 0, "add it to files_modified, or say why it stays as it is", "%s has to change with what the plan writes: %s", b.Path, b.Why)
		}
	}
	return nil
}

// findExisting lists the things that the plan is going to make although the code has them already under the same name.
func (x *checker) findExisting(context.Context) error {
	seen := map[string]bool{}
	add := func(name string, line int) error {
		last := code.LastSegment(name)
		if seen[last] || !isDistinctive(last) {
			return nil
		}
		seen[last] = true
		rows, err := x.s.SymbolsNamed(last)
		if err != nil {
			return err
		}
		for _, r := range view.WithoutTexts(rows) {
			top := r.Parent < 0 && (r.Kind.IsFunction() || r.Kind.IsType())
			if !top || x.writes[r.Path] {
				continue
			}
			f, err := x.s.FileByID(r.FileID)
			if err != nil {
				return err
			}
			if f.Class.Has(code.ClassTest | code.ClassExample) {
				continue
			}
			x.r.Agains = append(x.r.Agains, Existing{r.Qualified, r.Path, r.Span.Line, r.Kind.String()})
			x.addIssue("reuse", "warning", "", line, "use it, or say why it does not fit", "%s is there already: %s:%d", last, r.Path, r.Span.Line)
			return nil
		}
		return nil
	}
	for _, y := range x.c.Symbols {
		if y.New && y.Role == claim.Action {
			if err := add(y.Name, y.Line); err != nil {
				return err
			}
		}
	}
	for _, a := range x.plan.MustHaves.Artifacts {
		if x.places.Exists(a.Path) {
			continue
		}
		for _, e := range a.Exports {
			if err := add(e, 0); err != nil {
				return err
			}
		}
	}
	return nil
}

// isDistinctive reports whether a name is made of several words and so is specific enough that two declarations of it probably do the
// same.
func isDistinctive(name string) bool {
	words := 1
	for i := 1; i < len(name); i++ {
		upper := name[i] >= 'A' && name[i] <= 'Z'
		if name[i] == '_' || upper && !(name[i-1] >= 'A' && name[i-1] <= 'Z') {
			words++
		}
	}
	return words >= 2 && len(name) >= 7
}

// countReading counts the tokens that an executor of the plan has to read: the plan, the files that it lists to be read, and those that
// it changes. The counts go into the report.
func (x *checker) countReading() error {
	x.r.Reading.Plan = token.CountText([]byte(x.plan.Doc.Text())).O200K
	x.r.Reading.Tokens = x.r.Reading.Plan
	if x.s == nil {
		return nil
	}
	seen := map[string]bool{}
	for _, f := range x.c.Files {
		if !f.Role.Writes() && f.Role != claim.Reading {
			continue
		}
		real, ok, _ := x.places.Find(f.Path)
		id := x.places.FileID(real)
		if !ok || id == 0 || seen[real] {
			continue
		}
		seen[real] = true
		row, err := x.s.FileByID(id)
		if err != nil {
			return fmt.Errorf("count %s: %w", real, err)
		}
		x.r.Reading.Files = append(x.r.Reading.Files, ReadFile{real, int(row.O200K)})
		x.r.Reading.Tokens += int(row.O200K)
	}
	slices.SortFunc(x.r.Reading.Files, func(a, b ReadFile) int { return b.Tokens - a.Tokens })
	return nil
}
