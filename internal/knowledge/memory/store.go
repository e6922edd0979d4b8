package memory

import (
	"context"
	"time"
)

// Why says what showed an item to be right or wrong. A later one counts more: what the user said overrules a test.
type Why int

// What is evidence.
const (
	Kept   Why = iota + 1 // the edit was committed, or taken back
	Tested                // tests passed after the edit; that they fail shows nothing, because they may have failed before
	Said                  // the user said so
)

// String is a reason as it is kept.
func (w Why) String() string { return [...]string{"", "kept", "tested", "said"}[min(max(w, 0), Said)] }

// Verdict is evidence of a session for or against the items that it was shown.
type Verdict struct {
	Session string
	Good    bool
	Why     Why
	At      time.Time
	Files   []string // that it is about; nil for all that the session edited
}

// Filter says which items are listed. The zero value lists all.
type Filter struct {
	IDs   []int64
	Kinds []Kind
	Path  string // what they are about
	Key   string // see Item.Key
	Limit int    // 0: no limit
}

// Work bounds one consolidation.
type Work struct {
	Now   time.Time
	Most  int // items that the memory may have; 0 for DefaultMost
	Items int // new items that are related to others now, the rest next time; 0 for DefaultWork
	// Exists reports whether a file is in the project; nil if that is not known.
	Exists func(path string) bool
	// Moved is the path of the one file whose text has a hash, as pins have it, "" if there is none; nil if that is not known.
	Moved func(hash string) string
}

// Defaults of Work.
const (
	DefaultMost = 50_000
	DefaultWork = 10_000
)

// Report is what a consolidation did.
type Report struct {
	Insights int `json:"insights" doc:"items made or renewed from edits"`
	Related  int `json:"related" doc:"items that were related to others"`
	Waiting  int `json:"waiting" doc:"items that are left for the next time"`
	Removed  int `json:"removed" doc:"items given up because there were too many"`
	Moved    int `json:"moved" doc:"items that follow a file which was renamed"`
	Marked   int `json:"marked" doc:"items marked because the code that they are about is gone"`
}

// Stats are the figures of a memory.
type Stats struct {
	Kinds     map[Kind]int
	Items     int
	Gone      int
	Used      int64 // how often items were shown
	NeverUsed int
	For       int64
	Against   int64
	Bytes     int64 // size of the database
	Waiting   int   // items that no consolidation has related yet
	Temporal  int
	Similar   int
	Topics    []Topic
	Levels    Levels
	Best      []Item // of the highest worth
	History   []Point
}

// Levels are figures of confidence.
type Levels struct{ Min, Max, Mean, Median float64 }

// Topic is a community of items.
type Topic struct {
	ID    int64
	Items int
	Title string // text of its item of the highest rank
}

// Point is a memory as it was after one consolidation.
type Point struct {
	At         time.Time
	Items      int
	Edges      int
	For        int64
	Against    int64
	Confidence float64 // mean
}

// Graph is a memory as it is at one moment: its items by id, and the edges between them.
type Graph struct {
	Items []Item
	Links []Link // by the ids of their ends
}

// Link is an edge by the ids of its ends.
type Link struct {
	From, To int64
	Relation Relation
	Weight   float64
}

// GraphReader hands a whole memory out, for export.
type GraphReader interface {
	Graph(ctx context.Context) (*Graph, error)
}

// Store keeps items. It is safe for use by many processes.
type Store interface {
	// Learn adds items and returns their ids. What says the same as an item that is there is merged with it, and not fresh.
	Learn(ctx context.Context, items []Item) (ids []int64, fresh []bool, err error)
	// Recall finds what a query is about, the best first.
	Recall(ctx context.Context, q Query, limit int) ([]Hit, error)
	// Items are listed by id, the latest first.
	Items(ctx context.Context, f Filter) ([]Item, error)
	// ShowItems returns those of the items that a session's agent was not shown before, and notes that it is shown them now.
	ShowItems(ctx context.Context, session, agent string, ids []int64, now time.Time) ([]int64, error)
	// Judge takes evidence: of the items that the session was shown before it edited a file that they are about. One session
	// counts once for an item; an item of its own is not confirmed by it. It returns how many were judged.
	Judge(ctx context.Context, v Verdict) (int, error)
	// Drop forgets items, and the notes that they are made of. It returns how many there were.
	Drop(ctx context.Context, ids []int64) (int, error)
	// Consolidate makes items of edits, relates new items to others and computes ranks and topics anew.
	Consolidate(ctx context.Context, w Work) (Report, error)
	// Stats are the figures at a time.
	Stats(ctx context.Context, now time.Time) (Stats, error)
}
