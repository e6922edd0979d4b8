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

// SearchReader reads the stored words of files, for ranked search. Package search owns the bytes; the store does not
// look into them.
type SearchReader interface {
	SearchHead() ([]byte, error)
	SearchBucket(n int64) ([]byte, error)
	SearchBuckets() iter.Seq2[SearchBucket, error] // by number
	SearchFresh() iter.Seq2[SearchFresh, error]    // by file
	SearchFreshCount() (int, error)
}

// SearchWriter stores the data of SearchReader. Tx.PutContent stores a file's words as fresh, except in the transaction
// of a build, which calls PutSearch once.
type SearchWriter interface {
	// PutSearch replaces the base; no document is fresh any more.
	PutSearch(head []byte, buckets iter.Seq2[int64, []byte]) error
}

var _ search.Store = SearchReader(nil)
