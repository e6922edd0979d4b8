// Package update writes the index, except for two values: engine stores the pages
// that users wrote, ask/overview the hot symbols. An update is planned, applied
// and finished in one transaction: the differences from the tree are found (plan.go),
// read and stored (updater.go, reading.go), and the files whose links a change
// can alter are linked again (package relink). build.go builds a whole index. embed and
// exactrun beside it add data that is only made on request.
package update

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"ken/internal/engine/source"
	"ken/internal/engine/store"
	"ken/internal/engine/update/commits"
)

// Writer brings the index of one project up to date. Its fields are set once. It is safe for concurrent use, also by
// several processes.
type Writer struct {
	Tree  *source.Tree
	Store store.Store
	// HistoryCommits is the number of commits of the history that are stored; 0 means history.DefaultLimit, below 0
	// none.
	HistoryCommits int
	Cache          store.Cache // keeps readings across branches and working trees; may be nil
	Log            *slog.Logger
	Pages          func() string // the written pages of files in the form of store.MetaPages; nil if there are none

	onClassify func(path string) // called for each classification; set by tests
}

// hasSaltChanged reports whether the hashes in an index were made with another salt than the present one.
func (w *Writer) hasSaltChanged(r store.Reader) (bool, error) {
	was, err := r.Meta(store.MetaSalt)
	now := w.Tree.ReadSalt()
	return now == nil || source.SaltPrint(now) != was, err
}

// commits reads the history.
func (w *Writer) commits() *commits.Reader {
	return &commits.Reader{Tree: w.Tree, Limit: w.HistoryCommits, Log: w.Log}
}

// prepare makes the project's folder.
func (w *Writer) prepare() error {
	dir := filepath.Join(w.Tree.Root(), ".ken")
	if st, err := os.Lstat(dir); err == nil && !st.IsDir() {
		return fmt.Errorf("make %s: it exists and is not a directory", dir)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make the project's folder: %w", err)
	}
	ignore := filepath.Join(dir, ".gitignore")
	switch st, err := os.Lstat(ignore); {
	case errors.Is(err, os.ErrNotExist):
		if err := os.WriteFile(ignore, []byte(gitignore), 0o644); err != nil {
			return fmt.Errorf("write %s: %w", ignore, err)
		}
	case err == nil && !st.Mode().IsRegular(): // git follows no link there, and would block on a pipe
		return fmt.Errorf("keep the index out of git: %s is no regular file; remove it", ignore)
	}
	return nil
}

// gitignore keeps everything that ken derives out of git, but not hand-written files.
const gitignore = "# Written by ken: only knowledge and settings are worth committing.\n*\n!/.gitignore\n!/config.yml\n!/knowledge/\n!/knowledge/**\n"
