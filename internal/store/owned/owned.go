// Package owned is the store of an index that is this user's. It reads and writes
// through store/sqlite what engine/source/owner says is the user's: an index with
// another print is not opened for answers, but made anew, or left to its owner and
// another kept beside it. It knows neither how ids are made nor what is in an index.
package owned

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"ken/internal/engine/store"
	"ken/internal/store/sqlite"
)

// Folder says whose the files of a project's folder are; owner.Folder is one.
type Folder interface {
	Place() store.Place
	Settle() (store.Place, error) // makes an id if there is none
	Beside() store.Place          // from here on index.db counts as another id's
	Temporary(why string) (store.Place, error)
	KnowsPrint(print string) bool // whether it is of another tree of the user
	Other(dir string) (p store.Place, ok bool)
	Say(line string) // shows a line to the user, once
	Close() error
}

var _ store.Store = (*Store)(nil)

// Store is a store.Store of the user's index of one project. It is safe for
// concurrent use.
type Store struct {
	folder Folder

	mu    sync.Mutex
	moved bool // index.db was found to be another id's
	place store.Place
	db    *sqlite.Store // of place
}

// New makes a store; it opens nothing.
func New(folder Folder) *Store { return &Store{folder: folder} }

// at is the database of a place.
func (s *Store) at(p store.Place) *sqlite.Store {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db == nil || s.place != p {
		if s.db != nil {
			s.db.Close() // what it has idle; readers keep their connections
		}
		s.place, s.db = p, sqlite.NewOwned(p.Index, p.Print)
	}
	return s.db
}

// now is the database that is the user's as far as is known.
func (s *Store) now() *sqlite.Store { return s.at(s.folder.Place()) }

// Read opens a snapshot; see store.Store. It fails with store.ErrForeign if there is
// an index and it is not the user's.
func (s *Store) Read(ctx context.Context) (store.Reader, error) {
	p, err := s.known()
	if err != nil {
		return nil, err
	}
	r, err := s.open(ctx, p)
	if s.othersLive(p, err) {
		p = s.moveBeside()
		r, err = s.open(ctx, p)
	}
	if errors.Is(err, store.ErrNoIndex) && (p.Beside || p.Temporary) {
		return nil, store.ErrForeign // there is one, but it is not the user's
	}
	return r, err
}

// open opens a snapshot of the index in a place, if all of it can be the user's.
func (s *Store) open(ctx context.Context, p store.Place) (store.Reader, error) {
	if planted(p.Index) {
		return nil, &store.ForeignError{}
	}
	r, err := s.at(p).Read(ctx)
	if err != nil && !errors.Is(err, store.ErrNoIndex) && isForbidden(p.Index) {
		err = &store.ForeignError{Print: "unknown"}
	}
	return r, err
}

// isForbidden reports whether the user may not read a file: another user's.
func isForbidden(path string) bool {
	if st, err := os.Lstat(path); err != nil || !st.Mode().IsRegular() { // opening a pipe would wait
		return errors.Is(err, fs.ErrPermission)
	}
	f, err := os.Open(path)
	if err == nil {
		f.Close()
	}
	return errors.Is(err, fs.ErrPermission)
}

// known is the place of the user's id. One is made if there is an index already,
// because that is not the user's then and will be made anew.
func (s *Store) known() (store.Place, error) {
	p := s.folder.Place()
	if p.Print != "" {
		return p, nil
	}
	there := isThere(p.Index)
	if !there && !isThere(filepath.Dir(p.Index)) {
		return p, store.ErrNoIndex
	}
	p, err := s.folder.Settle()
	if err == nil && !there && !p.Temporary && !isThere(p.Index) {
		err = store.ErrNoIndex
	}
	return p, err
}

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// othersLive reports whether an error is of an index.db that somebody else may use: a
// newer ken wrote it, or it carries a print, and not that of another tree of the
// user's, of which it would be a copy.
func (s *Store) othersLive(p store.Place, err error) bool {
	var foreign *store.ForeignError
	if p.Beside || p.Temporary || !errors.As(err, &foreign) {
		return false
	}
	return foreign.Newer || foreign.Print != "" && !s.folder.KnowsPrint(foreign.Print)
}

// moveBeside leaves index.db to whoever made it.
func (s *Store) moveBeside() store.Place {
	p := s.folder.Beside()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.moved = p.Beside
	return p
}

// Write runs f in the write transaction; see store.Store.
func (s *Store) Write(ctx context.Context, f func(store.Tx) error) error {
	return s.now().Write(ctx, f)
}

// Watching takes the watcher's mark of the index that is the user's.
func (s *Store) Watching(ctx context.Context) (release func(), err error) {
	if r, err := s.Read(ctx); err == nil { // finds out which that is
		r.Close()
	}
	return s.now().Watching(ctx)
}

// Watched reports whether a process has the mark.
func (s *Store) Watched() bool { return s.now().Watched() }

// Size is what the user's index takes on disk.
func (s *Store) Size() int64 { return s.now().Size() }

// Rest closes connections that nobody uses; they are opened again when they are needed.
func (s *Store) Rest() error {
	s.mu.Lock()
	db := s.db
	s.mu.Unlock()
	if db == nil {
		return nil
	}
	return db.Close()
}

// Close drops idle connections and what is temporary.
func (s *Store) Close() error {
	s.mu.Lock()
	db := s.db
	s.mu.Unlock()
	var err error
	if db != nil {
		err = db.Close()
	}
	return errors.Join(err, s.folder.Close()) // not locked, because the folder may have to say something
}
