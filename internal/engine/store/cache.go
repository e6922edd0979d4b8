package store

// Cache keeps readings outside of any index, so that the working trees and branches of a repository share them. A
// reading is the result of parsing one file. The cache helps an update that finds many changes, as after a switch of
// branches: it keeps the readings that the update replaces or drops, so that contents parsed before are not parsed
// again. A first index neither uses nor fills it, nor does the update of a few files.
//
// The cache is disposable: nothing in it can make an update fail, because a file whose reading is missing or damaged
// is parsed again.
type Cache interface {
	// Begin opens the readings of a repository for one update, or returns nil if the cache cannot be used. The caller
	// must close the result.
	Begin(repository string) Readings
	// Size returns the directory of a repository's readings and the bytes it takes, "" if nothing is kept.
	Size(repository string) (dir string, bytes int64)
}

// Readings holds the cached readings of one repository, that is, the results of parsing its files. Get is safe for
// concurrent use, also while Has or Put runs; those two belong to one goroutine. Get finds a reading that was put only
// after Close.
type Readings interface {
	Get(key ReadingKey) []byte // nil if there is none
	Has(key ReadingKey) bool
	Put(key ReadingKey, data []byte)
	Close() // stores what was put
}

// ReadingKey identifies a reading by a hash of everything that it depends on, such as the content of the file.
type ReadingKey [16]byte
