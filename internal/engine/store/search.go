package store

import (
	"iter"

	"ken/internal/engine/search"
)

// The rows of the search index: a bucket of the stored word lists, and the words of one file that changed after the buckets were made.
type (
	SearchBucket = search.Bucket
	SearchFresh  = search.FreshDoc
)

// SearchReader reads the words of files for the ranked search. Package search defines the form of the bytes; the
// store does not look into them.
type SearchReader interface {
	SearchHead() ([]byte, error)
	SearchBucket(n int64) ([]byte, error)
	SearchBuckets() iter.Seq2[SearchBucket, error] // by number
	SearchFresh() iter.Seq2[SearchFresh, error]    // by file
	SearchFreshCount() (int, error)
}

// SearchWriter stores the search index. Tx.PutContent stores the words of one changed file. The transaction that builds
// an index stores the words of all files with one call of PutSearch instead.
type SearchWriter interface {
	// PutSearch replaces the search index as a whole. The words of single changed files, which it includes, are deleted.
	PutSearch(head []byte, buckets iter.Seq2[int64, []byte]) error
}

var _ search.Store = SearchReader(nil)
