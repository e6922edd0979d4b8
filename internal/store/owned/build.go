package owned

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"ken/internal/engine/store"
	"ken/internal/store/sqlite"
)

// maxMoves is the maximal number of times that a build starts again in another place: from index.db to a name beside
// it, from there to a temporary folder.
const maxMoves = 3

// Build makes a new index of the user's; see store.Store. It deletes an index of another owner in its place, unless that
// may be in use. It fails if there is no place for the index, or as store.Store describes.
func (s *Store) Build(ctx context.Context, keep func() bool, f func(store.Tx) error) error {
	p, err := s.folder.PlaceWithID()
	for range maxMoves {
		if err != nil {
			return err
		}
		db, taken := s.storeAt(p), false
		err = db.Build(ctx, func() bool {
			if taken = s.deleteForeign(ctx, p); taken {
				return true
			}
			return keep()
		}, f)
		switch {
		case taken:
			p, err = s.moveBeside(), nil
		case errors.Is(err, store.ErrReadOnly) && s.isForeign(ctx, p):
			p, err = s.folder.UseTemporary(fmt.Sprintf("%s cannot be written, and what it holds is not yours: the index serves this command alone", filepath.Dir(p.Index)))
		default:
			if err == nil && p.Beside {
				s.reportBeside(p)
			}
			return err
		}
	}
	return err
}

// reportBeside tells the user that an index was made beside that of another owner, and deletes the oldest of such indexes.
func (s *Store) reportBeside(p store.Place) {
	s.mu.Lock()
	moved := s.moved
	s.moved = false
	s.mu.Unlock()
	if moved {
		s.folder.PrintOnce(".ken/index.db was made by another ken: it is left to that one, and yours is kept beside it, in .ken/" + filepath.Base(p.Index))
	}
	dropOldest(filepath.Dir(p.Index), p.Index)
}

// deleteForeign deletes the index at a place if it belongs to another owner. taken is set if it may be in use and is kept.
// The caller holds the writers' lock.
func (s *Store) deleteForeign(ctx context.Context, p store.Place) (taken bool) {
	r, err := s.openSnapshot(ctx, p)
	if err == nil {
		r.Close()
		return false
	}
	if !errors.Is(err, store.ErrForeign) {
		return false
	}
	if s.mayBeInUse(p, err) {
		return true
	}
	s.folder.PrintOnce(".ken/" + filepath.Base(p.Index) + " was not made by your ken for this tree: the index is made anew")
	for _, suffix := range sideFiles {
		os.Remove(p.Index + suffix)
	}
	return false
}

// sideFiles are the suffixes of a database file and of the files that SQLite keeps beside it.
var sideFiles = []string{"", "-wal", "-shm", "-journal"}

// isForeign reports whether the index at a place belongs to another owner.
func (s *Store) isForeign(ctx context.Context, p store.Place) bool {
	r, err := s.openSnapshot(ctx, p)
	if err == nil {
		r.Close()
		return false
	}
	return p.Beside || errors.Is(err, store.ErrForeign)
}

// Seed makes the index a copy of the index in the file from; see store.Store. It fails with store.ErrForeign if that is not the same
// user's.
func (s *Store) Seed(ctx context.Context, from string, adopt func() error) error {
	other, ok := s.folder.OtherPlace(filepath.Dir(from))
	switch {
	case !fileExists(from) && !ok:
		return store.ErrNoIndex
	case !ok:
		return store.ErrForeign
	}
	p, err := s.folder.PlaceWithID()
	if err != nil {
		return err
	}
	if p.Temporary {
		return store.ErrForeign // without an id the owner of another tree is unknown, too
	}
	return s.storeAt(p).SeedFrom(ctx, sqlite.NewOwned(other.Index, other.Print), adopt)
}
