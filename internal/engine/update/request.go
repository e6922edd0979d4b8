package update

import (
	"ken/internal/code"
	"ken/internal/engine/store"
	"ken/internal/engine/update/commits"
	"time"
)

// Request says what Update is to bring up to date.
type Request struct {
	Full  bool     // build anew
	Paths []string // relative to the root; nil means the whole tree
	// Create makes .ken and the index if they are missing; else that is ErrNoIndex.
	Create   bool
	Progress func(done, total int) // files read; may be nil
	seeded   bool                  // the index is a copy of another working tree's, which still has what is replaced
	Look     *Look                 // what a look at the tree found already
}

// Update is what one call of Engine.Update did.
type Update struct {
	Rev     code.Rev
	Changes []code.Change   // by path
	Skipped []store.Skipped // by path; of the files looked at
	Files   int             // files looked at
	Full    bool            // the index was built anew
	// Reason is why it was built anew: "missing", "schema", "damaged", "salt", "owner", "asked",
	// ReasonChanges; "worktree" if it began as a copy, see Writer.seed.
	Reason  string
	History *commits.Update // what was done about the history; nil if nothing was
	Elapsed time.Duration
}
