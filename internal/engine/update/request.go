package update

import (
	"ken/internal/code"
	"ken/internal/engine/store"
	"ken/internal/engine/update/commits"
	"time"
)

// Request selects the work of Update.
type Request struct {
	Full  bool     // build anew
	Paths []string // relative to the root; nil means the whole tree
	// SkipMissing leaves out paths that are neither in the tree nor in the index; else these are an error.
	SkipMissing bool
	// Create makes .ken and the index if they are missing; else that is ErrNoIndex.
	Create   bool
	Progress func(done, total int) // files read; may be nil
	seeded   bool                  // the index is a copy of another working tree's, which still has the replaced files
	Look     *Comparison           // a look at the tree that was made already
}

// Update is the result of one call of Engine.Update.
type Update struct {
	Rev     code.Rev
	Changes []code.Change   // by path
	Skipped []store.Skipped // by path; of the files looked at
	Files   int             // files looked at
	Full    bool            // the index was rebuilt
	// Reason is the reason of a rebuild: "missing", "schema", "damaged", "salt", "owner", "asked",
	// ReasonChanges; "worktree" if it began as a copy, see Writer.seed.
	Reason  string
	History *commits.Update // work on the history; nil if there was none
	Elapsed time.Duration
}
