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
	"ken/internal/engine/source/owner"
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
	// Adopts is set if a question builds the index of a project that has written knowledge and no index, as a clone does.
	Adopts bool
	// Elsewhere is set if the index is not kept in .ken, which is not made then.
	Elsewhere bool
	// Pages returns the pages that users wrote about files, in the forms of store.MetaPages and store.MetaPageWords, from the last value of
	// the second; nodes is "" if nothing has changed. It may be nil.
	Pages func(kept string) (nodes, words string)

	onClassify func(path string) // called for each classification; set by tests
}

// keepPages stores the pages that users wrote about files, if they have changed.
func (w *Writer) keepPages(tx store.Tx) error {
	if w.Pages == nil {
		return nil
	}
	kept, err := tx.Meta(store.MetaPageWords)
	if err != nil {
		return err
	}
	nodes, words := w.Pages(kept)
	if nodes == "" {
		return nil
	}
	return errors.Join(tx.SetMeta(store.MetaPages, nodes), tx.SetMeta(store.MetaPageWords, words))
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

// prepare makes the project's folder, unless the index is elsewhere.
func (w *Writer) prepare() error {
	if w.Elsewhere {
		return nil
	}
	dir := filepath.Join(w.Tree.Root(), ".ken")
	if st, err := os.Lstat(dir); err == nil && !st.IsDir() {
		return fmt.Errorf("make %s: it exists and is not a directory", dir)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make the project's folder: %w", err)
	}
	return owner.WriteIgnore(dir)
}

// adopts reports whether a question may build a missing index: the project came with knowledge, so that it was set up elsewhere.
func (w *Writer) adopts() bool {
	if !w.Adopts {
		return false
	}
	for _, dir := range [...]string{".ken", ".ken/knowledge"} {
		if st, err := os.Lstat(filepath.Join(w.Tree.Root(), dir)); err != nil || !st.IsDir() {
			return false
		}
	}
	return true
}
