// Package list finds the files of a working tree by git's ignore rules (List),
// and its changes since an earlier look, without starting git (List with
// the listing before). It reads directories, ignore files and git's index, but no
// other contents: package scan, of which this is a part, reads those. scan/ignore
// matches patterns, scan/nofollow opens directories, internal/git runs git and reads
// its index.
package list

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ken/internal/engine/source/scan/ignore"
	"ken/internal/git"
)

// Options narrow the listing. The zero value lists all files that git would.
type Options struct {
	// Root is the project's root directory. It may lie below the top of a git
	// working tree; then the rules of the directories above it apply, too.
	Root string
	// Include, if not empty, selects the files to list; Exclude removes files
	// from the list. Both have patterns of gitignore(5) relative to Root.
	Include, Exclude []string
	// Git starts git.
	Git git.Git
	// NoGit is set if git must not be started; the listing is then by ken's own rules alone.
	NoGit bool
	// NoDefaultIgnores lists dependencies and build output (node_modules, dist, …)
	// also in trees without git.
	NoDefaultIgnores bool
}

// Lister lists one project. It holds no open files and is safe for concurrent use.
type Lister struct {
	opt     Options
	root    string // absolute, links resolved
	include *ignore.List
	exclude *ignore.List
}

// New returns a lister. It fails if the root is no directory.
func New(opt Options) (*Lister, error) {
	root, err := filepath.Abs(opt.Root)
	if err != nil {
		return nil, fmt.Errorf("open root: %w", err)
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return nil, fmt.Errorf("open root: %w", err)
	}
	if st, err := os.Stat(root); err != nil {
		return nil, fmt.Errorf("open root: %w", err)
	} else if !st.IsDir() {
		return nil, fmt.Errorf("open root: %s is not a directory", root)
	}
	return &Lister{opt: opt, root: root, include: parseGlobs(opt.Include), exclude: parseGlobs(opt.Exclude)}, nil
}

// Root returns the project's root, absolute and without links.
func (s *Lister) Root() string { return s.root }

func parseGlobs(patterns []string) *ignore.List {
	if len(patterns) == 0 {
		return nil
	}
	return ignore.Parse("", []byte(strings.Join(patterns, "\n")), false)
}
