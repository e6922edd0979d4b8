package entity

import (
	"context"
	"time"
)

// Queue remembers who writes which page, so that two agents do not write the same one.
// store/sqlite/memory has one. Paths that nobody took and that did not fail wait; the queue
// does not hold them, because Next says which they are.
type Queue interface {
	// Take gives the caller the first so many of the paths that nobody has, as one batch,
	// until a time. Who has not written a page by then has lost it.
	Take(ctx context.Context, paths []string, most int, now, until time.Time) ([]string, error)
	// Finish ends the work on a path. failed says why there is no page, "" if there is one.
	Finish(ctx context.Context, path, failed string, now time.Time) error
	Work(ctx context.Context, now time.Time) (Work, error)
}

// Work is what a queue remembers.
type Work struct {
	InProgress []Taken       // by path
	Failed     []Failed      // by path
	Processed  int           // pages finished, ever
	BatchSize  int           // of the last batch
	BatchTime  time.Duration // from the last batch's beginning to its last page
	Updated    time.Time     // when somebody took, finished or failed one last
}

// Taken is a file whose page somebody writes.
type Taken struct {
	Path  string
	Until time.Time
}

// Failed is a file whose page was refused.
type Failed struct {
	Path, Why string
	At        time.Time
}
