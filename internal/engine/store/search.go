package store

import (
	"iter"

	"ken/internal/engine/search"
)

// SearchBucket and SearchFresh are the rows of the search index.
type (
	SearchBucket = search.Bucket
	SearchFresh  = search.FreshDoc
)

// SearchReader reads what is kept of the words of files, for ranked search. The
// bytes are engine/search's; the store does not look into them.
type SearchReader interface {
	SearchHead() ([]byte, error)
	SearchBucket(n int64) ([]byte, error)
	SearchBuckets() iter.Seq2[SearchBucket, error] // by number
	SearchFresh() iter.Seq2[SearchFresh, error]    // by file
	SearchFreshCount() (int, error)
}

// SearchWriter stores what SearchReader reads. Tx.PutContent notes a file's words as fresh,
// but for the transaction of a build, which calls PutSearch once.
type SearchWriter interface {
	// PutSearch replaces the base; no document is fresh any more.
	PutSearch(head []byte, buckets iter.Seq2[int64, []byte]) error
}

var _ search.Store = SearchReader(nil)
