// Package source is the only door to the bytes of a project: it lists files,
// says what changed, reads them, and hands their text out with every secret
// masked. scan and secret are its parts; update and view read through it.
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

// Options say what of a directory is a project's source; zero values are defaults.
type Options struct {
	Root             string   // absolute path of the project, the directory that holds .ken
	Include, Exclude []string // gitignore patterns; see scan.Options
	MaxFileSize      int64    // bytes; 0 means scan.DefaultMaxFileSize
	Salts            Salts    // nil: the salt is .ken/salt, whoever made it
}

// Tree is the source of one project: which files belong to it, and the only
// door to their bytes. It is safe for concurrent use.
type Tree struct {
	opt     Options
	once    sync.Once // makes scan
	scan    *scan.Scanner
	err     error
	secrets func() *secret.Engine
	classes func() *class.Classifier
}

// New makes a Tree; it opens nothing.
func New(opt Options) *Tree {
	return &Tree{opt: opt, secrets: sync.OnceValue(secret.New), classes: sync.OnceValue(class.New)}
}

// Root is the absolute path of the project.
func (t *Tree) Root() string { return t.opt.Root }

// Exclude are the patterns that the settings exclude.
func (t *Tree) Exclude() []string { return t.opt.Exclude }

// WithSizeLimit is the same tree with another size up to which files are read
// whole, in bytes. Both share the secret rules, because compiling them is dear.
func (t *Tree) WithSizeLimit(limit int64) *Tree {
	opt := t.opt
	opt.MaxFileSize = limit
	return &Tree{opt: opt, secrets: t.secrets, classes: t.classes}
}

// Scanner lists and compares the files of the tree.
func (t *Tree) Scanner() (*scan.Scanner, error) {
	t.once.Do(func() {
		t.scan, t.err = scan.New(scan.Options{Root: t.opt.Root, Include: t.opt.Include, Exclude: t.opt.Exclude, MaxFileSize: t.opt.MaxFileSize})
	})
	return t.scan, t.err
}

// Canonical is a path relative to the root as the tree holds it; see
// scan.Canonical. Each path that a user or an agent names goes through it once.
func (t *Tree) Canonical(p string) string {
	s, err := t.Scanner()
	if err != nil {
		return p // the next question says what is wrong
	}
	return s.Canonical(p)
}

// Class is what a file is for; see class.Classifier.
func (t *Tree) Class(p string, l code.Lang, flags code.Flags) code.FileClass {
	return t.classes().Class(p, l, flags)
}

// SizeLimit is the size from which files are not parsed, in bytes.
func (t *Tree) SizeLimit() int64 {
	if t.opt.MaxFileSize > 0 {
		return t.opt.MaxFileSize
	}
	return scan.DefaultMaxFileSize
}

// Head is where HEAD of the project's repository is.
func (t *Tree) Head(ctx context.Context) (git.Head, error) {
	repo, err := git.Find(t.opt.Root)
	if err != nil {
		return git.Head{}, err
	}
	return git.Git{}.Head(ctx, repo)
}

// HeadCommit is the commit HEAD is at, "" without git or before the first commit.
func (t *Tree) HeadCommit(ctx context.Context) string {
	h, err := t.Head(ctx)
	if err != nil {
		return ""
	}
	return h.Commit
}

// Prefix is the path of the project in the working tree of its repository, ""
// or with a slash at its end.
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

// Mask overwrites every credential in a text that was read outside of the
// index, in place.
func (t *Tree) Mask(text []byte) { t.secrets().MaskAll(nil, text, nil) }

// MaskString is a text that did not come from the index and is going to be
// shown, its credentials masked.
func (t *Tree) MaskString(text string) string {
	b := []byte(text)
	t.Mask(b)
	return string(b)
}

// SecretRules lists the rules findings can come from.
func (t *Tree) SecretRules() []SecretRule { return t.secrets().Rules() }
