package tasks

import (
	"context"
	"errors"
	"slices"
	"strings"

	"ken/internal/ask/refs"
	"ken/internal/delivery/project"
	"ken/internal/delivery/tasks/targets"
	"ken/internal/engine/view"
	"ken/internal/guard"
	"ken/internal/operation"
)

// statedClaims is an agent's statement of its understanding, not yet checked.
type statedClaims struct {
	symbols, entries, files, patterns []string
}

// resolveClaims looks up the claims of an agent and returns them with the facts of the index. It returns an error if the index cannot be
// read.
func (w *taskCall) resolveClaims(ctx context.Context, u *statedClaims, t *ties) (out []guard.Claim, err error) {
	for _, list := range []struct {
		kind  guard.Kind
		names []string
	}{{guard.Symbols, u.symbols}, {guard.EntryPoints, u.entries}, {guard.Files, u.files}, {guard.Patterns, u.patterns}} {
		for _, n := range list.names {
			c, err := w.resolveClaim(ctx, list.kind, n, t)
			if err != nil {
				return nil, err
			}
			out = append(out, c)
		}
	}
	return out, nil
}

// resolveClaim looks up the name in one claim of an agent. A pattern has the form PLACE DESCRIPTION, with a blank between them. An
// unknown name is no error: the claim has no path then.
func (w *taskCall) resolveClaim(ctx context.Context, k guard.Kind, given string, t *ties) (guard.Claim, error) {
	name, text := strings.TrimSpace(given), ""
	if k == guard.Patterns {
		name, text, _ = strings.Cut(name, " ")
	}
	c := guard.Claim{Kind: k, Name: name, Text: strings.TrimSpace(text)}
	found, err := w.p.Target(ctx, w.s, name)
	if err != nil {
		return c, ignoreNotFound(err)
	}
	if found.File != "" {
		c.Path = found.File
		c.Tied = t.isTied(&c)
		return c, nil
	}
	sym := chooseDeclaration(found.Symbols, t)
	if sym == nil {
		c.Several = true
		return c, nil
	}
	c.Path, c.Symbol, c.First, c.Last = sym.Path, sym.Qualified, int(sym.Span.Line), int(sym.Span.EndLine)
	if c.Kind == guard.Files {
		c.Path, c.Symbol = "", "" // it is no file
		return c, nil
	}
	c.Tied, c.Entry = t.isTied(&c), t.entries[c.Path+":"+c.Symbol]
	if k == guard.EntryPoints {
		from, err := refs.From(ctx, w.s, sym)
		if err != nil {
			return c, err
		}
		for i := range from {
			if n := from[i].Target; n != nil && !slices.Contains(c.Linked, n.Qualified) {
				c.Linked = append(c.Linked, n.Qualified)
			}
		}
	}
	return c, nil
}

// ignoreNotFound returns nil for the error of an unknown name, because the guard decides on that, and any other error as it is.
func ignoreNotFound(err error) error {
	var un *operation.NotIndexedError
	if _, missing := project.AsNotFound(err); missing || errors.As(err, &un) ||
		operation.Classify(context.Background(), err) == operation.Usage {
		return nil
	}
	return err
}

// chooseDeclaration returns the declaration that is meant: the only one of the list, or the only one that is tied to a target. It returns
// nil if that leaves none or several.
func chooseDeclaration(list []view.Symbol, t *ties) *view.Symbol {
	if len(targets.Places(list)) == 1 {
		return &list[0]
	}
	var found []view.Symbol
	for i := range list {
		if t.symbols[list[i].Path+":"+list[i].Qualified] {
			found = append(found, list[i])
		}
	}
	if len(targets.Places(found)) == 1 {
		return &found[0]
	}
	return nil
}

// resolveEvidence looks up a name that an agent gives as evidence: anything tied to a target by a reference or import counts.
func (w *taskCall) resolveEvidence(ctx context.Context, name string, t *ties) (guard.Claim, error) {
	c, err := w.resolveClaim(ctx, guard.Symbols, name, t)
	c.Tied = c.Tied || c.Path != "" && (t.files[c.Path] || t.symbols[c.Path+":"+c.Symbol])
	return c, err
}
