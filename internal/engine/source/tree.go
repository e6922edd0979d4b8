// Package source is the only reader of a project's files for the rest of ken: it lists them,
// finds the changed ones, and returns their text with every secret masked. scan and
// secret are its parts; update and view read through it.
package source

import (
	"context"
	"strings"
	"sync"

	"ken/internal/code"
	"ken/internal/engine/source/class"
	"ken/internal/engine/source/scan"
	"ken/internal/engine/source/secret"
	"ken/internal/git"
)

// Options select the files of a directory that are a project's source. Zero values are defaults.
type Options struct {
	Root             string   // absolute path of the project, the directory with .ken
	Include, Exclude []string // gitignore patterns; see scan.Options
	MaxFileSize      int64    // bytes; 0 means scan.DefaultMaxFileSize
	Salts            Salts    // nil: the salt is .ken/salt, without a check of its origin
}

// Tree is the source of one project. It lists and reads its files, and is safe for
// concurrent use.
type Tree struct {
	opt     Options
	once    sync.Once // makes scan
	scan    *scan.Scanner
	err     error
	secrets func() *secret.Engine
	classes func() *class.Classifier
}

// New returns a Tree. It opens no file.
func New(opt Options) *Tree {
	return &Tree{opt: opt, secrets: sync.OnceValue(secret.New), classes: sync.OnceValue(class.New)}
}

// Root returns the absolute path of the project.
func (t *Tree) Root() string { return t.opt.Root }

// Exclude returns the patterns that the settings exclude.
func (t *Tree) Exclude() []string { return t.opt.Exclude }

// WithSizeLimit returns the same tree with another limit of the size, in bytes, up
// to which files are read whole. Both trees share the secret rules, because
// compiling them is expensive.
func (t *Tree) WithSizeLimit(limit int64) *Tree {
	opt := t.opt
	opt.MaxFileSize = limit
	return &Tree{opt: opt, secrets: t.secrets, classes: t.classes}
}

// Scanner returns the scanner that lists and compares the files of the tree. It fails if the root is no directory.
func (t *Tree) Scanner() (*scan.Scanner, error) {
	t.once.Do(func() {
		t.scan, t.err = scan.New(scan.Options{Root: t.opt.Root, Include: t.opt.Include, Exclude: t.opt.Exclude, MaxFileSize: t.opt.MaxFileSize})
	})
	return t.scan, t.err
}

// Canonical returns a path relative to the root in the spelling of the tree; see
// scan.Canonical. Each path that a user or an agent names goes through it once.
func (t *Tree) Canonical(p string) string {
	s, err := t.Scanner()
	if err != nil {
		return p // the next call of Scanner reports the error
	}
	return s.Canonical(p)
}

// Class returns the classes of a file; see class.Classifier.
func (t *Tree) Class(p string, l code.Lang, flags code.Flags) code.FileClass {
	return t.classes().Class(p, l, flags)
}

// SizeLimit returns the size above which files are not parsed, in bytes.
func (t *Tree) SizeLimit() int64 {
	if t.opt.MaxFileSize > 0 {
		return t.opt.MaxFileSize
	}
	return scan.DefaultMaxFileSize
}

// Head returns HEAD of the project's repository. It fails with git.ErrNoRepository if there is none.
func (t *Tree) Head(ctx context.Context) (git.Head, error) {
	repo, err := git.Find(t.opt.Root)
	if err != nil {
		return git.Head{}, err
	}
	return git.Git{}.Head(ctx, repo)
}

// HeadCommit returns the commit of HEAD, or "" without git or before the first commit.
func (t *Tree) HeadCommit(ctx context.Context) string {
	h, err := t.Head(ctx)
	if err != nil {
		return ""
	}
	return h.Commit
}

// Prefix returns the path of the project in the working tree of its repository, ""
// or with a slash at its end. It fails if the root is no directory.
func (t *Tree) Prefix(repo *git.Repo) (string, error) {
	s, err := t.Scanner()
	if err != nil {
		return "", err
	}
	if rest := strings.TrimPrefix(s.Root(), repo.Root); rest != "" {
		return strings.Trim(rest, "/") + "/", nil
	}
	return "", nil
}

// Mask overwrites, in place, every credential in a text that did not come from the
// index.
func (t *Tree) Mask(text []byte) { t.secrets().MaskAll(nil, text, nil) }

// MaskString returns a text that did not come from the index with its credentials
// masked, to be shown.
func (t *Tree) MaskString(text string) string {
	b := []byte(text)
	t.Mask(b)
	return string(b)
}

// SecretRules returns the rules that findings can come from.
func (t *Tree) SecretRules() []SecretRule { return t.secrets().Rules() }
