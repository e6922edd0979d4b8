// Package pack chooses source code for an agent and renders it within a budget of tokens: named files, ranges of lines and symbols
// (New), or a whole repository as a stream (Stream). It owns the choice, the formats (XML, Markdown, JSON) and the guarantee that the
// printed text never exceeds the budget. A Gathering finds the files, lines and symbols of a request: named ones (gather.go), the
// changes since a revision, and the results of a search (found.go). Requests are decoded in delivery/op, its neighbour; texts come from
// package engine, their secrets masked.
//
// A budget is kept by counting the final string, byte for byte as it is printed: tokens do not add up (two texts joined can have fewer
// or more than both apart), so the sums used for the choice are estimates, and are corrected.
package pack

import (
	"context"
	"fmt"
	"io"

	"ken/internal/code"
	"ken/internal/token"

	"ken/internal/engine/view"
)

// Source provides the files and texts of a pack; *engine.Snapshot is one.
type Source interface {
	// Text is a file as it is now with its secrets masked, nil if there is none.
	Text(ctx context.Context, path string) ([]byte, error)
	Symbols(ctx context.Context, path string) ([]view.Symbol, error)
	Imports(ctx context.Context, path string) ([]view.ResolvedImport, error)
	// Uses is the number of files that use each symbol's name.
	Uses(ctx context.Context, list []view.Symbol) ([]int, error)
}

var _ Source = (*view.Snapshot)(nil)

// Lines is a range of lines, both from 1, the last included.
type Lines struct{ From, To int }

// Item asks for a file or parts of it. Earlier items of a list are more important.
type Item struct {
	File    code.File
	Lines   []Lines       // named ranges
	Symbols []view.Symbol // named symbols, most important first
	Matched []view.Symbol // symbols of the file to be preferred
	// Outline asks for signatures even if the file is small.
	Outline bool
	// Whole is set if the file itself was named too, beside lines or symbols.
	Whole bool
}

// Prefer is the form in which a file is shown if there is a choice.
type Prefer int

// The preferences.
const (
	Balanced   Prefer = iota // signatures first, then as much source as fits
	Signatures               // signatures only, for files that have some and are not small
	Code                     // whole files first, signatures of those that do not fit
)

// Options are the settings of a pack.
type Options struct {
	Tokenizer *token.Tokenizer
	Budget    int // tokens of the whole output; 0 is any number
	Format    Format
	Prefer    Prefer
	// Compress leaves out all source but named lines and symbols, and writes signatures as plain lines.
	Compress bool
	// BodyShare is the percentage of the budget that named symbols may take with
	// their bodies; 0 is all.
	BodyShare int
	Revision  code.Rev
	// Skipped are files asked for that hold nothing to show, and why.
	Skipped []Left
	// Mask masks the text before it is counted and printed; nil masks nothing. It keeps the text's length. A stream masks its parts
	// itself, because its output is too long to be masked as a whole.
	Mask func(text []byte)
	// MaskPaths is set if paths need Mask too.
	MaskPaths bool
}

// SmallFile is the number of tokens below which a file is shown whole.
const SmallFile = 500

// unlimited is a budget that no text reaches.
const unlimited = 1 << 40

// DefaultBudget is the budget of a pack of named things.
const DefaultBudget = 5000

// BudgetError is returned if not even an empty pack fits.
type BudgetError struct{ Budget, Least int }

func (e *BudgetError) Error() string {
	return fmt.Sprintf("a budget of %d tokens is too small; the smallest that works is %d", e.Budget, e.Least)
}

// Pack is a finished pack, a text for an agent within its budget.
type Pack struct {
	Text   []byte
	Tokens int    // of Text
	Shown  int    // files something is shown of
	Left   int    // files that were asked for and nothing is shown of
	Gone   []Left // those files
}

// Write writes the text. It fails if w does.
func (p *Pack) Write(w io.Writer) error {
	_, err := w.Write(p.Text)
	return err
}

// New makes the pack of items. It fails with a *BudgetError if the budget is
// smaller than the frame around an empty pack.
func New(ctx context.Context, src Source, items []Item, opt Options) (*Pack, error) {
	if opt.Budget == 0 {
		opt.Budget = unlimited
	}
	p := newPacker(ctx, src, items, opt)
	if err := p.reserveFrame(); err != nil {
		return nil, err
	}
	if err := p.chooseNamed(); err != nil {
		return nil, err
	}
	if err := p.shareOutBudget(); err != nil {
		return nil, err
	}
	if err := p.spendRest(); err != nil {
		return nil, err
	}
	return p.finish()
}
