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

// maxMoves bounds how often a build begins again in another place: from index.db to
// a name beside it, from there to a temporary folder.
const maxMoves = 3

// Build fills a new index; see store.Store. It goes where the user's index is to be:
// a foreign one that nobody uses is deleted first, and one that somebody else may use
// is left.
func (s *Store) Build(ctx context.Context, keep func() bool, f func(store.Tx) error) error {
	p, err := s.folder.Settle()
	for range maxMoves {
		if err != nil {
			return err
		}
		db, taken := s.at(p), false
		err = db.Build(ctx, func() bool {
			if taken = s.clear(ctx, p); taken {
				return true
			}
			return keep()
		}, f)
		switch {
		case taken:
			p, err = s.moveBeside(), nil
		case errors.Is(err, store.ErrReadOnly) && s.foreign(ctx, p):
			p, err = s.folder.Temporary(fmt.Sprintf("%s cannot be written, and what it holds is not yours: the index serves this command alone", filepath.Dir(p.Index)))
		default:
			if err == nil && p.Beside {
				s.settled(p)
			}
			return err
		}
	}
	return err
}

// settled says that an index was made beside another's, and deletes what is too many.
func (s *Store) settled(p store.Place) {
	s.mu.Lock()
	moved := s.moved
	s.moved = false
	s.mu.Unlock()
	if moved {
		s.folder.Say(".ken/index.db was made by another ken: it is left to that one, and yours is kept beside it, in .ken/" + filepath.Base(p.Index))
	}
	dropOldest(filepath.Dir(p.Index), p.Index)
}

// clear deletes an index in the place of the user's that is not theirs. It reports
// true if that may be in use by somebody else. The writers' lock is held.
func (s *Store) clear(ctx context.Context, p store.Place) (taken bool) {
	r, err := s.open(ctx, p)
	if err == nil {
		r.Close()
		return false
	}
	if !errors.Is(err, store.ErrForeign) {
		return false
	}
	if s.othersLive(p, err) {
		return true
	}
	s.folder.Say(".ken/" + filepath.Base(p.Index) + " was not made by your ken for this tree: the index is made anew")
	for _, suffix := range sideFiles {
		os.Remove(p.Index + suffix)
	}
	return false
}

// sideFiles are the suffixes of a database and of what SQLite keeps beside it.
var sideFiles = []string{"", "-wal", "-shm", "-journal"}

// foreign reports whether there is no index of the user's in a place, but another's.
func (s *Store) foreign(ctx context.Context, p store.Place) bool {
	r, err := s.open(ctx, p)
	if err == nil {
		r.Close()
		return false
	}
	return p.Beside || errors.Is(err, store.ErrForeign)
}

// Seed makes the index a copy of the one in another file; see store.Store. The other
// is believed only if it is the same user's.
func (s *Store) Seed(ctx context.Context, from string, adopt func() error) error {
	other, ok := s.folder.Other(filepath.Dir(from))
	switch {
	case !isThere(from) && !ok:
		return store.ErrNoIndex
	case !ok:
		return store.ErrForeign
	}
	p, err := s.folder.Settle()
	if err != nil {
		return err
	}
	if p.Temporary {
		return store.ErrForeign // without an id nothing can be known of another tree either
	}
	return s.at(p).SeedFrom(ctx, sqlite.NewOwned(other.Index, other.Print), adopt)
}
