// Package scan is the only reader of project source. It lists the files of a
// working tree by git's ignore rules (List), finds what changed since the last
// look without starting git (List with the listing before), and reads one file
// with everything its bytes alone tell: hash, lines, language, what sort of file
// it is (Read). It never follows a symbolic link and never leaves the root.
//
// engine/git runs git for it, scan/ignore matches patterns, engine/lang knows
// languages; the engine stores what it returns.
package scan

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ken/internal/engine/source/scan/ignore"
	"ken/internal/git"
)

// Options narrow what a scanner sees. The zero value sees all that git would
// list.
type Options struct {
	// Root is the project's root directory. It may lie below the top of a git
	// working tree; rules of the directories above it hold all the same.
	Root string
	// Include, if not empty, lists the only files to see; Exclude lists files
	// not to see. Both hold patterns of gitignore(5) relative to Root.
	Include, Exclude []string
	// MaxFileSize is the size in bytes above which a file is hashed and counted
	// but not held whole; 0 means DefaultMaxFileSize.
	MaxFileSize int64
	// Git is how to start git.
	Git git.Git
	// NoGit has git never started; the listing is then ken's own alone.
	NoGit bool
	// NoDefaultIgnores lists node_modules, build output and the like in trees
	// without git too.
	NoDefaultIgnores bool
}

// DefaultMaxFileSize is the size from which files are not parsed.
const DefaultMaxFileSize = 500_000

// Scanner reads one project. It holds no open files and is safe for concurrent
// use.
type Scanner struct {
	opt     Options
	root    string // absolute, links resolved
	include *ignore.List
	exclude *ignore.List
}

// New makes a scanner. The root must be a directory.
func New(opt Options) (*Scanner, error) {
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
	if opt.MaxFileSize <= 0 {
		opt.MaxFileSize = DefaultMaxFileSize
	}
	s := &Scanner{opt: opt, root: root}
	s.include, s.exclude = globs(opt.Include), globs(opt.Exclude)
	return s, nil
}

// Root is the project's root, absolute and without links.
func (s *Scanner) Root() string { return s.root }

// TooLarge reports whether a file of that size is not held whole by ReadInto.
func (s *Scanner) TooLarge(size int64) bool { return size > s.opt.MaxFileSize }

func globs(patterns []string) *ignore.List {
	if len(patterns) == 0 {
		return nil
	}
	return ignore.Parse("", []byte(strings.Join(patterns, "\n")), false)
}
