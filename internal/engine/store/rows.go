package store

import (
	"ken/internal/code"
)

// Skipped is a listed file that was not read whole, and why.
type Skipped struct {
	Path    string
	Problem code.Problem
}

// External is a package outside the repository and how many files import it.
type External struct {
	Name  string
	Files int
	Std   bool
}

// DependentDir is how many files of a directory depend on a file; see
// Reader.DependentDirs.
type DependentDir struct {
	Dir   string
	Test  bool
	Files int
}
