package dbfile

import (
	"fmt"
	"os"
)

// beside are the suffixes of a database file and of the files that SQLite keeps beside it.
var beside = [...]string{"", "-wal", "-shm", "-journal"}

// Remove deletes the database at path and the files that SQLite keeps beside it.
func Remove(path string) {
	for _, suffix := range beside {
		os.Remove(path + suffix)
	}
}

// Size returns the size of the database at path with its write-ahead log and shared memory, in bytes.
func Size(path string) (n int64) {
	for _, suffix := range beside {
		if st, err := os.Stat(path + suffix); err == nil {
			n += st.Size()
		}
	}
	return n
}

// Place renames the finished database tmp to path, where there must be no file. It fails if the file cannot be synced or renamed.
func Place(tmp, path string) error {
	if err := Sync(tmp); err != nil {
		return fmt.Errorf("sync the new database: %w", err)
	}
	if err := os.Rename(tmp, path); err != nil {
		return fmt.Errorf("put the new database in place: %w", err)
	}
	return nil
}
