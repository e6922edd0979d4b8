package dbfile

import (
	"fmt"
	"os"
)

// sideSuffixes are the suffixes of a database file and of the files that SQLite keeps next to it.
var sideSuffixes = [...]string{"", "-wal", "-shm", "-journal"}

// RemoveDatabase deletes the database at path and the files that SQLite keeps beside it.
func RemoveDatabase(path string) {
	for _, suffix := range sideSuffixes {
		os.Remove(path + suffix)
	}
}

// DatabaseSize returns the size of the database at path with its write-ahead log and shared memory, in bytes.
func DatabaseSize(path string) (n int64) {
	for _, suffix := range sideSuffixes {
		if st, err := os.Stat(path + suffix); err == nil {
			n += st.Size()
		}
	}
	return n
}

// RenameInto renames the finished database tmp to path, where there must be no file. It fails if the file cannot be synced or renamed.
func RenameInto(tmp, path string) error {
	if err := Sync(tmp); err != nil {
		return fmt.Errorf("sync the new database: %w", err)
	}
	if err := os.Rename(tmp, path); err != nil {
		return fmt.Errorf("put the new database in place: %w", err)
	}
	return nil
}
