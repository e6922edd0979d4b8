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

// understood is an agent's statement of its understanding, not yet checked.
type understood struct {
	symbols, entries, files, patterns []string
}

// claims returns the claims of an agent, each with the facts of the index. It returns an error if the index cannot be read.
func (w *work) claims(ctx context.Context, u *understood, t *ties) (out []guard.Claim, err error) {
	for _, list := range []struct {
		kind  guard.Kind
		names []string
	}{{guard.Symbols, u.symbols}, {guard.EntryPoints, u.entries}, {guard.Files, u.files}, {guard.Patterns, u.patterns}} {
		for _, n := range list.names {
			c, err := w.claim(ctx, list.kind, n, t)
			if err != nil {
				return nil, err
			}
			out = append(out, c)
		}
	}
	return out, nil
}

// claim looks up the name of one claim. A pattern has the form PLACE DESCRIPTION, with a blank between them. A name that means nothing
// is no error: the claim has no path then.
func (w *work) claim(ctx context.Context, k guard.Kind, given string, t *ties) (guard.Claim, error) {
	name, text := strings.TrimSpace(given), ""
	if k == guard.Patterns {
		name, text, _ = strings.Cut(name, " ")
	}
	c := guard.Claim{Kind: k, Name: name, Text: strings.TrimSpace(text)}
	found, err := w.p.Target(ctx, w.s, name)
	if err != nil {
		return c, absent(err)
	}
	if found.File != "" {
		c.Path = found.File
		c.Tied = t.isTied(&c)
		return c, nil
	}
	sym := one(found.Symbols, t)
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

// absent returns nil for an error that a name means nothing, because the guard decides on that, and any other error as it is.
func absent(err error) error {
	var un *operation.NotIndexedError
	if _, missing := project.Missing(err); missing || errors.As(err, &un) ||
		operation.Classify(context.Background(), err) == operation.Usage {
		return nil
	}
	return err
}

// one returns the declaration that is meant: the only one, or of several the only one that is tied to a target; nil if that leaves
// none or several.
func one(list []view.Symbol, t *ties) *view.Symbol {
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

// evidence looks up a piece of evidence: anything tied to a target counts.
func (w *work) evidence(ctx context.Context, name string, t *ties) (guard.Claim, error) {
	c, err := w.claim(ctx, guard.Symbols, name, t)
	c.Tied = c.Tied || c.Path != "" && (t.files[c.Path] || t.symbols[c.Path+":"+c.Symbol])
	return c, err
}
