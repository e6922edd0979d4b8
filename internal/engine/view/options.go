package view

import (
	"log/slog"

	"ken/internal/engine/source"
	"ken/internal/engine/store"
)

// Options are what every Snapshot of an engine shares.
type Options struct {
	Tree  *source.Tree
	Store store.Store // asked for its size; hot symbols are kept in it
	// AllowSecrets are findings that Secrets leaves out. They are masked all the same.
	AllowSecrets   []source.Allow
	HistoryCommits int // see Writer
	Log            *slog.Logger
	Semantic       *Semantic
	Memo           *Memo
}
