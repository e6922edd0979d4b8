//go:build unix

package owned

import (
	"os"
	"syscall"
)

// isPlanted reports whether a log or journal beside a database was planted there, and not made together with it: SQLite
// gives it the database's owner and mode, git and an archive do not. SQLite would copy its pages into the database without
// checking the owner.
func isPlanted(path string) bool {
	db, err := os.Lstat(path)
	if err != nil {
		return false
	}
	for _, suffix := range sideFiles[1:] {
		st, err := os.Lstat(path + suffix)
		if err != nil {
			continue
		}
		a, aok := db.Sys().(*syscall.Stat_t)
		b, bok := st.Sys().(*syscall.Stat_t)
		if !aok || !bok || a.Uid != b.Uid || db.Mode() != st.Mode() {
			return true
		}
	}
	return false
}
