// Package scan is the only reader of project source. It lists the files of a
// working tree by git's ignore rules and finds the changes since the last look
// (scan/list), and reads one file with the properties that follow from its path and
// bytes alone: hash, lines, language, flags (Read). It never follows a symbolic link
// and never leaves the root (scan/nofollow).
//
// internal/git runs git for it, scan/ignore matches patterns, internal/lang knows
// languages; engine/source masks the bytes before any other package gets them.
package scan

import (
	"ken/internal/engine/source/scan/list"
	"ken/internal/git"
)

// Options narrow the files of a scanner. The zero value has all files that git would
// list.
type Options struct {
	// Root is the project's root directory. It may lie below the top of a git
	// working tree; then the rules of the directories above it apply, too.
	Root string
	// Include, if not empty, selects the files to list; Exclude removes files
	// from the list. Both have patterns of gitignore(5) relative to Root.
	Include, Exclude []string
	// MaxFileSize is the size in bytes above which a file is hashed and counted
	// but not held whole; 0 means DefaultMaxFileSize.
	MaxFileSize int64
	// Git starts git.
	Git git.Git
	// NoGit is set if git must not be started; the listing is then by ken's own rules alone.
	NoGit bool
	// NoDefaultIgnores lists dependencies and build output (node_modules, dist, …)
	// also in trees without git.
	NoDefaultIgnores bool
}

// DefaultMaxFileSize is the size from which files are not parsed.
const DefaultMaxFileSize = 500_000

// Scanner lists and reads one project. It holds no open files and is safe for
// concurrent use.
type Scanner struct {
	*list.Lister
	root    string // absolute, links resolved
	maxFile int64
}

// The types of the result of a look at the tree; see package list.
type (
	Listing = list.Listing
	Entry   = list.Entry
	Dir     = list.Dir
	Outside = list.Outside
)

// New returns a scanner. It fails if the root is no directory.
func New(opt Options) (*Scanner, error) {
	l, err := list.New(list.Options{
		Root: opt.Root, Include: opt.Include, Exclude: opt.Exclude,
		Git: opt.Git, NoGit: opt.NoGit, NoDefaultIgnores: opt.NoDefaultIgnores,
	})
	if err != nil {
		return nil, err
	}
	s := &Scanner{Lister: l, root: l.Root(), maxFile: opt.MaxFileSize}
	if s.maxFile <= 0 {
		s.maxFile = DefaultMaxFileSize
	}
	return s, nil
}

// TooLarge reports whether a file of that size is not held whole by ReadInto.
func (s *Scanner) TooLarge(size int64) bool { return size > s.maxFile }

// Diff compares two listings by path; see list.Diff.
func Diff(prev, now *Listing) (added, changed, deleted []string) { return list.Diff(prev, now) }

// DecodeListing decodes the form that Listing.Encode returns. It returns list.ErrListing for any other.
func DecodeListing(data []byte) (*Listing, error) { return list.Decode(data) }
