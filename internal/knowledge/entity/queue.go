package entity

import (
	"context"
	"time"
)

// Queue assigns pages to writers, so that two agents do not write the same one. store/sqlite/memory has one. It does not
// hold waiting paths, because Next computes them.
type Queue interface {
	// Take assigns the first n free paths to the caller as one batch, until a time. A page that is not written by then becomes
	// free again.
	Take(ctx context.Context, paths []string, most int, now, until time.Time) ([]string, error)
	// Finish ends the work on a path. failed is the reason why there is no page, "" if there is one.
	Finish(ctx context.Context, path, failed string, now time.Time) error
	Work(ctx context.Context, now time.Time) (Work, error)
}

// Work is the state of a queue.
type Work struct {
	InProgress []TakenFile   // by path
	Failed     []FailedFile  // by path
	Processed  int           // pages finished, ever
	BatchSize  int           // of the last batch
	BatchTime  time.Duration // from the last batch's beginning to its last page
	Updated    time.Time     // time of the last change
}

// TakenFile is a file whose page an agent is writing.
type TakenFile struct {
	Path  string
	Until time.Time
}

// FailedFile is a file whose page was refused.
type FailedFile struct {
	Path, Why string
	At        time.Time
}
