package check

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/delivery/plancode/claim"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
)

// checkMember judges a name such as Store.open that no declaration has. The name is missing if Store is a single type of the project
// without bases and nothing in the project is named open. Otherwise known is false: an open of another type may be an extension of
// Store.
func (x *checker) checkMember(ctx context.Context, y *claim.Symbol, c Claim) (_ Claim, known bool, err error) {
	i := strings.LastIndexByte(y.Name, '.')
	if i < 0 {
		return c, false, nil
	}
	owner, name := y.Name[:i], y.Name[i+1:]
	rows, err := x.s.SymbolsNamed(name)
	if err != nil || len(view.WithoutTexts(rows)) > 0 {
		return c, false, err
	}
	if rows, err = x.s.SymbolsNamed(code.LastSegment(owner)); err != nil {
		return c, false, err
	}
	rows = slices.DeleteFunc(matchingRows(view.WithoutTexts(rows), owner), func(r store.SymbolRow) bool { return !r.Kind.IsType() })
	if len(rows) != 1 {
		return c, false, nil
	}
	alone, err := x.hasNoBases(&rows[0])
	if err != nil || !alone {
		return c, false, err
	}
	text, err := x.s.Text(ctx, rows[0].Path)
	if err != nil || bytes.Contains(text, []byte(name)) {
		return c, false, err // it may be declared in a way that is not read
	}
	if c.Near, err = x.nearNames(ctx, y.Name); err != nil {
		return c, false, err
	}
	if x.writes[rows[0].Path] && y.Role != claim.Reading {
		c.Verdict, c.Is = Unclear, rows[0].Path // the plan may be about to add it
		return c, true, nil
	}
	c.Verdict = Missing
	hint := "look up what it is called now"
	if len(c.Near) > 0 {
		hint = owner + " has " + strings.Join(c.Near, ", ")
	}
	x.addIssue("symbols", "warning", "", y.Line, hint, "%s in %s has no %s", owner, rows[0].Path, name)
	return c, true, nil
}

// hasNoBases reports whether a type inherits nothing: it names no base, no trait and no interface.
func (x *checker) hasNoBases(row *store.SymbolRow) (bool, error) {
	packed, err := x.s.OpenFacts(row.FileID)
	if err != nil || packed == nil {
		return false, err
	}
	refs, err := packed.AllRefs()
	if err != nil {
		return false, err
	}
	for i := range refs {
		if k := refs[i].Kind; refs[i].Scope == row.Ord && (k == code.RefInherit || k == code.RefImplement) {
			return false, nil
		}
	}
	return true, nil
}

// nearNames returns existing names similar to a missing one.
func (x *checker) nearNames(ctx context.Context, name string) ([]string, error) {
	_, err := x.s.Definitions(ctx, name)
	if missing, ok := errors.AsType[*code.NotFoundError](err); ok {
		return missing.Near[:min(3, len(missing.Near))], nil
	}
	return nil, err
}
