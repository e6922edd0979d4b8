package store

// Cache keeps what reading files gave, outside of any index, so that the working
// trees and branches of a repository share it. It is for a look at the tree that
// finds many changes, as after a switch of branches: what an update is about to
// replace or drop is kept, which costs no reading, and contents seen before are
// not parsed again. A first index neither asks nor fills it, nor does the
// update of a few files.
//
// It is disposable. Nothing in it can make an update fail, because a file whose
// reading is not there, or is damaged, is read.
type Cache interface {
	// Begin begins an update's use of what is kept for a repository, nil if there
	// is nothing to be had. Readings must be closed.
	Begin(repository string) Readings
	// Size is the directory of what is kept for a repository and how many bytes it
	// takes, "" if nothing is kept.
	Size(repository string) (dir string, bytes int64)
}

// Readings are what is kept for one repository. Get is safe for concurrent use and
// beside the others; Has and Put belong to one goroutine. Get finds what was put
// after Close.
type Readings interface {
	Get(key ReadingKey) []byte // nil if there is none
	Has(key ReadingKey) bool
	Put(key ReadingKey, data []byte)
	Close() // stores what was put
}

// ReadingKey names everything a reading depends on.
type ReadingKey [16]byte
