package app

import (
	"fmt"
	"os"
	"path/filepath"

	"ken/internal/code"
	"ken/internal/engine/store"
	"ken/internal/operation"
)

// findRoot finds the root of the project that holds dir: the nearest directory
// at or above it that has a .ken folder. It does not look above the top of a
// git working tree: a nested repository is a project of its own. With create,
// a project that is not set up yet has its root at that top, else at dir.
// A .ken in the file system's root or in home, which may be there by accident,
// counts only for that directory itself, not for all projects below it.
// A .ken without index that came with a sub-folder is a part of the outer project, if there is one in the working tree: that reads its
// pages. With create it is the project that is meant.
// The error is store.ErrNoIndex where there is none.
func findRoot(dir, home string, create bool) (string, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", fmt.Errorf("find the project: %w", err)
	}
	if h, err := filepath.EvalSymlinks(home); err == nil {
		home = h
	}
	found := ""
	for d := real; ; d = filepath.Dir(d) {
		shared := d != real && (d == home || d == filepath.Dir(d))
		if st, err := os.Lstat(filepath.Join(d, ".ken")); err == nil && st.IsDir() && !shared {
			if _, err := os.Lstat(filepath.Join(d, ".ken", "index.db")); err == nil || create {
				return d, nil
			}
			found = d
		}
		if create && isBare(d) {
			return "", code.Usagef("%s is a bare repository: it has no files to index", operation.Quote(d))
		}
		_, err := os.Lstat(filepath.Join(d, ".git"))
		top := err == nil
		switch {
		case (top || d == filepath.Dir(d)) && found != "":
			return found, nil
		case top && create:
			return d, nil
		case top || d == filepath.Dir(d):
			if create {
				return real, nil
			}
			return "", store.ErrNoIndex
		}
	}
}

// workTree returns the top of the working tree of git that holds dir. It fails with store.ErrNoIndex if there is none: other folders, as a
// home, may hold anything.
func workTree(dir, home string) (string, error) {
	root, err := findRoot(dir, home, true)
	if err != nil {
		return "", err
	}
	if _, err := os.Lstat(filepath.Join(root, ".git")); err != nil {
		return "", store.ErrNoIndex
	}
	return root, nil
}

// isBare reports whether a directory is a repository's own folder, of a bare clone
// or below a working tree: its contents are git's, and ken must not write there.
func isBare(dir string) bool {
	for name, isDir := range map[string]bool{"HEAD": false, "objects": true, "refs": true} {
		if st, err := os.Lstat(filepath.Join(dir, name)); err != nil || st.IsDir() != isDir {
			return false
		}
	}
	return true
}
