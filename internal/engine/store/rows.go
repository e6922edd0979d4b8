package store

import (
	"ken/internal/code"
)

// Skipped is a listed file that was not read as a whole, with the reason.
type Skipped struct {
	Path    string
	Problem code.Problem
}

// External is a package outside the repository, with the number of files that import it.
type External struct {
	Name  string
	Files int
	Std   bool
}

// DependentDir counts the files of a directory that depend on a file; see EdgesToTests.DependentDirs.
type DependentDir struct {
	Dir   string
	Test  bool
	Files int
}
