// Package pack chooses source code for an agent and renders it within a budget
// of tokens: named files, ranges of lines and symbols (New), or a whole
// repository as a stream (Stream). It owns the choice, the formats (XML,
// Markdown, JSON) and the guarantee that what is printed never exceeds the
// budget. A Gathering finds the files, lines and symbols of a request: named
// ones (gather.go), what changed since a revision, and what a search finds
// (found.go). Requests are decoded in delivery/op, its neighbour; texts come
// from package engine, their secrets masked.
//
// A budget is kept by counting the final string, byte for byte as it is
// printed: tokens do not add up (two texts joined can have fewer or more than
// both apart), so what the choice adds up is an estimate, and is corrected.
package pack

import (
	"context"
	"fmt"
	"io"

	"ken/internal/code"
	"ken/internal/token"

	"ken/internal/engine/view"
)

// Source hands out what a pack is made from; *engine.Snapshot is one.
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

// Item asks for a file or parts of it. Items are in the order of importance.
type Item struct {
	File    code.File
	Lines   []Lines       // named ranges
	Symbols []view.Symbol // named symbols, most important first
	Matched []view.Symbol // symbols of the file to be preferred
	// Outline asks for signatures even if the file is small.
	Outline bool
	// Whole says that the file itself was named too, beside lines or symbols.
	Whole bool
}

// Prefer says how a file is shown where there is a choice.
type Prefer int

// The preferences.
const (
	Balanced   Prefer = iota // signatures first, then as much source as fits
	Signatures               // signatures only, of what has some and is not small
	Code                     // whole files first, signatures of those that do not fit
)

// Options says how a pack is made.
type Options struct {
	Tokenizer *token.Tokenizer
	Budget    int // tokens of the whole output; 0 is any number
	Format    Format
	Prefer    Prefer
	// Compress leaves out all source but what was named by line or symbol, and
	// writes signatures as plain lines.
	Compress bool
	// BodyShare is the percentage of the budget that named symbols may take with
	// their bodies; 0 is all.
	BodyShare int
	Revision  code.Rev
	// Skipped are files asked for that hold nothing to show, and why.
	Skipped []Left
	// Mask is what is done to the text when it is printed, so that tokens are counted of
	// what comes out; nil is nothing. It does not change the text's length. A stream
	// masks itself all that may need it, because what is printed is too much to be
	// looked through as a whole.
	Mask func(text []byte)
	// MaskPaths says that paths need Mask too.
	MaskPaths bool
}

// SmallFile is the number of tokens below which a file is shown whole.
const SmallFile = 500

// unlimited is a budget nothing reaches.
const unlimited = 1 << 40

// DefaultBudget is the budget of a pack of named things.
const DefaultBudget = 5000

// BudgetError says that not even an empty pack fits.
type BudgetError struct{ Budget, Least int }

func (e *BudgetError) Error() string {
	return fmt.Sprintf("a budget of %d tokens is too small; the smallest that works is %d", e.Budget, e.Least)
}

// Pack is a finished pack.
type Pack struct {
	Text   []byte
	Tokens int    // of Text
	Shown  int    // files something is shown of
	Left   int    // files that were asked for and nothing is shown of
	Gone   []Left // those files
}

// Write writes the text.
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
	if err := p.fits(); err != nil {
		return nil, err
	}
	if err := p.chooseNamed(); err != nil {
		return nil, err
	}
	if err := p.shares(); err != nil {
		return nil, err
	}
	if err := p.rest(); err != nil {
		return nil, err
	}
	return p.finish()
}
