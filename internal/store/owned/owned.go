// Package owned is the store of the user's own index. It reads and writes through store/sqlite the files that
// engine/source/owner assigns to the user: an index with another print is not opened for answers but made again, or it is
// left to its owner and another one made beside it. It knows neither how ids are made nor the content of an index.
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

// Folder knows the owner of the files in a project's folder .ken; owner.Folder implements it.
type Folder interface {
	Place() store.Place
	PlaceWithID() (store.Place, error) // makes an id if there is none
	UseNamesWithID() store.Place       // from now on index.db belongs to another id
	UseTemporary(why string) (store.Place, error)
	KnowsPrint(print string) bool // whether it belongs to another tree of the user
	OtherPlace(dir string) (p store.Place, ok bool)
	PrintOnce(line string) // shows a line to the user, once
	Close() error
}

var _ store.Store = (*Store)(nil)

// Store is a store.Store of one project's index that uses only files of
// this user, and never an index that another user left in the project. It
// is safe for concurrent use.
type Store struct {
	folder Folder

	mu    sync.Mutex
	moved bool // index.db belongs to another id
	place store.Place
	db    *sqlite.Store // of place
}

// New returns a store without opening anything.
func New(folder Folder) *Store { return &Store{folder: folder} }

// storeAt returns the store of the database at a place.
func (s *Store) storeAt(p store.Place) *sqlite.Store {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db == nil || s.place != p {
		if s.db != nil {
			s.db.Close() // the idle connections; readers keep theirs
		}
		s.place, s.db = p, sqlite.NewOwned(p.Index, p.Print)
	}
	return s.db
}

// currentStore returns the store of the user's database, at the place known so far.
func (s *Store) currentStore() *sqlite.Store { return s.storeAt(s.folder.Place()) }

// Read opens a snapshot; see store.Store. It fails with store.ErrForeign if the only index belongs to another owner.
func (s *Store) Read(ctx context.Context) (store.Reader, error) {
	p, err := s.userPlace()
	if err != nil {
		return nil, err
	}
	r, err := s.openSnapshot(ctx, p)
	if s.mayBeInUse(p, err) {
		p = s.moveBeside()
		r, err = s.openSnapshot(ctx, p)
	}
	if errors.Is(err, store.ErrNoIndex) && (p.Beside || p.Temporary) {
		return nil, store.ErrForeign // there is one of another owner
	}
	return r, err
}

// openSnapshot opens a snapshot of the index at a place, if all its files can have been made by the user.
func (s *Store) openSnapshot(ctx context.Context, p store.Place) (store.Reader, error) {
	if isPlanted(p.Index) {
		return nil, &store.ForeignError{}
	}
	r, err := s.storeAt(p).Read(ctx)
	if err != nil && !errors.Is(err, store.ErrNoIndex) && isForbidden(p.Index) {
		err = &store.ForeignError{Print: "unknown"}
	}
	return r, err
}

// isForbidden reports whether the user may not read a file because it belongs to another user.
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

// userPlace returns the place of the index under the user's id for the project. If there is an index but no id, it makes an id,
// because the index is not the user's then and will be made again.
func (s *Store) userPlace() (store.Place, error) {
	p := s.folder.Place()
	if p.Print != "" {
		return p, nil
	}
	there := fileExists(p.Index)
	if !there && !fileExists(filepath.Dir(p.Index)) {
		return p, store.ErrNoIndex
	}
	p, err := s.folder.PlaceWithID()
	if err == nil && !there && !p.Temporary && !fileExists(p.Index) {
		err = store.ErrNoIndex
	}
	return p, err
}

func fileExists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// mayBeInUse reports whether err shows that another owner may use index.db. That is so if a newer ken wrote it, or if
// its fingerprint is not that of another tree of the user (then it would only be a copy).
func (s *Store) mayBeInUse(p store.Place, err error) bool {
	var foreign *store.ForeignError
	if p.Beside || p.Temporary || !errors.As(err, &foreign) {
		return false
	}
	return foreign.Newer || foreign.Print != "" && !s.folder.KnowsPrint(foreign.Print)
}

// moveBeside leaves index.db to its owner, and returns the place of an index of the user's beside it.
func (s *Store) moveBeside() store.Place {
	p := s.folder.UseNamesWithID()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.moved = p.Beside
	return p
}

// Write runs f in the write transaction; see store.Store. It fails as that does.
func (s *Store) Write(ctx context.Context, f func(store.Tx) error) error {
	return s.currentStore().Write(ctx, f)
}

// Watching takes the lock that marks the process that watches the user's index. It fails if another process has it.
func (s *Store) Watching(ctx context.Context) (release func(), err error) {
	if r, err := s.Read(ctx); err == nil { // finds the place of the index
		r.Close()
	}
	return s.currentStore().Watching(ctx)
}

// Watched reports whether a process has the lock of Watching.
func (s *Store) Watched() bool { return s.currentStore().Watched() }

// Size returns the size of the user's index on disk, in bytes.
func (s *Store) Size() int64 { return s.currentStore().Size() }

// Rest closes idle connections; they are opened again on demand. It returns the errors of closing them.
func (s *Store) Rest() error {
	s.mu.Lock()
	db := s.db
	s.mu.Unlock()
	if db == nil {
		return nil
	}
	return db.Close()
}

// Close closes idle connections and removes temporary files. It returns the errors of doing so.
func (s *Store) Close() error {
	s.mu.Lock()
	db := s.db
	s.mu.Unlock()
	var err error
	if db != nil {
		err = db.Close()
	}
	return errors.Join(err, s.folder.Close()) // not locked, because the folder may report a line
}
