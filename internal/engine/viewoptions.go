package engine

import "log/slog"

// ViewOptions are what every Snapshot of an engine shares.
type ViewOptions struct {
	Tree  *Tree
	Store Store // asked for its size; hot symbols are kept in it
	// AllowSecrets are findings that Secrets leaves out. They are masked all the same.
	AllowSecrets   []Allow
	HistoryCommits int // see Writer
	Log            *slog.Logger
	Semantic       *Semantic
	Memo           *Memo
}
