package app

import (
	"fmt"
	"os"
	"path/filepath"

	"ken/internal/engine"
)

// findRoot finds the root of the project that holds dir: the nearest directory
// at or above it that has a .ken folder. It does not look above the top of a
// git working tree: a nested repository is a project of its own. With create,
// a project that is not set up yet has its root at that top, else at dir.
// The error is engine.ErrNoIndex where there is none.
func findRoot(dir string, create bool) (string, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", fmt.Errorf("find the project: %w", err)
	}
	for d := real; ; d = filepath.Dir(d) {
		if st, err := os.Lstat(filepath.Join(d, ".ken")); err == nil && st.IsDir() {
			return d, nil
		}
		_, err := os.Lstat(filepath.Join(d, ".git"))
		top := err == nil
		switch {
		case top && create:
			return d, nil
		case top || d == filepath.Dir(d):
			if create {
				return real, nil
			}
			return "", engine.ErrNoIndex
		}
	}
}
