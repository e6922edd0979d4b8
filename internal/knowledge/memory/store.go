package memory

import (
	"context"
	"time"
)

// EvidenceKind is the kind of evidence. A later one counts more: the user overrules a test.
type EvidenceKind int

// The kinds of evidence.
const (
	Kept   EvidenceKind = iota + 1 // the edit was committed, or taken back
	Tested                         // tests passed after the edit; a failure proves nothing, because they may have failed before
	Said                           // the user confirmed or denied it
)

// String returns the kind as it is stored.
func (w EvidenceKind) String() string {
	return [...]string{"", "kept", "tested", "said"}[min(max(w, 0), Said)]
}

// Verdict is evidence of a session for or against the items that it was shown.
type Verdict struct {
	Session string
	Good    bool
	Why     EvidenceKind
	At      time.Time
	Files   []string // files concerned; nil for all that the session edited
}

// Filter selects items for a list. The zero value selects all.
type Filter struct {
	IDs   []int64
	Kinds []Kind
	Path  string // of a pin
	Key   string // see Item.Key
	Limit int    // 0: no limit
}

// Work limits one consolidation, which relates new items to others and drops the least worthy ones.
type Work struct {
	Now   time.Time
	Most  int // items that the memory may have; 0 for DefaultMost
	Items int // new items that are related to others now, the rest next time; 0 for DefaultWork
	// Exists reports whether a file is in the project; nil if that is unknown.
	Exists func(path string) bool
	// Moved returns the path of the one file whose text has a hash, as pins have it, "" if there is none; nil if that is
	// unknown.
	Moved func(hash string) string
}

// Defaults of Work.
const (
	DefaultMost = 50_000
	DefaultWork = 10_000
)

// Report counts the results of a consolidation.
type Report struct {
	Insights int `json:"insights" doc:"items made or renewed from edits"`
	Related  int `json:"related" doc:"items that were related to others"`
	Waiting  int `json:"waiting" doc:"items that are left for the next time"`
	Removed  int `json:"removed" doc:"items given up because there were too many"`
	Moved    int `json:"moved" doc:"items that follow a file which was renamed"`
	Marked   int `json:"marked" doc:"items marked because the code that they are about is gone"`
}

// Stats are numbers that describe a memory.
type Stats struct {
	Kinds     map[Kind]int
	Items     int
	Gone      int
	Used      int64 // how often items were shown
	NeverUsed int
	For       int64
	Against   int64
	Bytes     int64 // size of the database
	Waiting   int   // items that are not related to others yet
	Temporal  int
	Similar   int
	Topics    []Topic
	Levels    Levels
	Best      []Item // of the highest worth
	History   []Point
}

// Levels are figures of confidence.
type Levels struct{ Min, Max, Mean, Median float64 }

// Topic is a group of related items.
type Topic struct {
	ID    int64
	Items int
	Title string // text of its item of the highest rank
}

// Point is the state of a memory after one consolidation, in numbers.
type Point struct {
	At         time.Time
	Items      int
	Edges      int
	For        int64
	Against    int64
	Confidence float64 // mean
}

// Graph is the state of a memory: its items by id, and the edges between them.
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

// GraphReader returns a whole memory, for export.
type GraphReader interface {
	Graph(ctx context.Context) (*Graph, error)
}

// Store stores items. It is safe for use by many processes.
type Store interface {
	// Learn adds items and returns their ids. An item with the key of a stored one is merged with it and not fresh.
	Learn(ctx context.Context, items []Item) (ids []int64, fresh []bool, err error)
	// Recall returns the items that a query is about, the best first.
	Recall(ctx context.Context, q Query, limit int) ([]Hit, error)
	// Items returns items, the latest first.
	Items(ctx context.Context, f Filter) ([]Item, error)
	// ShowItems returns those of the items that a session's agent was not shown before, and records that it is shown them now.
	ShowItems(ctx context.Context, session, agent string, ids []int64, now time.Time) ([]int64, error)
	// Judge records evidence about the items that the session was shown before it edited one of their files. A session counts
	// once for an item; it does not confirm an item of its own. Judge returns how many items were judged.
	Judge(ctx context.Context, v Verdict) (int, error)
	// Drop deletes items, and the notes that they are made of. It returns how many there were.
	Drop(ctx context.Context, ids []int64) (int, error)
	// Consolidate makes items of edits, relates new items to others and computes ranks and topics again.
	Consolidate(ctx context.Context, w Work) (Report, error)
	// Stats returns the figures at a time.
	Stats(ctx context.Context, now time.Time) (Stats, error)
}
