package store

// Cache keeps readings of files outside of any index, so that the working trees and branches of a repository share them.
// It helps
// an update that finds many changes, as after a switch of branches: readings that the update replaces or drops are kept,
// which costs
// nothing extra, and contents read before are not parsed again. A first index neither uses nor fills it, nor does the
// update of a few files.
//
// It is disposable: nothing in it can make an update fail, because a file whose reading is missing or damaged is read
// again.
type Cache interface {
	// Begin opens the readings of a repository for one update, or returns nil if there are none to be had. Readings must
	// be closed.
	Begin(repository string) Readings
	// Size returns the directory of a repository's readings and the bytes it takes, "" if nothing is kept.
	Size(repository string) (dir string, bytes int64)
}

// Readings holds the cached readings of one repository. Get is safe for concurrent use, also beside the other methods;
// Has and Put
// belong to one goroutine. Get finds a reading that was put only after Close.
type Readings interface {
	Get(key ReadingKey) []byte // nil if there is none
	Has(key ReadingKey) bool
	Put(key ReadingKey, data []byte)
	Close() // stores what was put
}

// ReadingKey names everything a reading depends on.
type ReadingKey [16]byte
