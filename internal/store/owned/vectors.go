package owned

import (
	"context"
	"errors"

	"ken/internal/engine/store"
	"ken/internal/store/sqlite"
)

var _ store.VectorStore = (*Vectors)(nil)

// Vectors is a store.VectorStore of the user's vectors of one project. The name of each space, a set of vectors of one
// model, includes the user's fingerprint, so that vectors of others are never read. Without an id of the user nothing is
// stored.
type Vectors struct{ folder Folder }

// NewVectors returns a store of vectors without opening anything.
func NewVectors(folder Folder) *Vectors { return &Vectors{folder} }

var errNoVectors = errors.New("vectors cannot be kept, because no id of this project can be; KEN_STATE can name a place for it")

// userSpace returns the name under which a space of the user is stored.
func userSpace(p store.Place, name string) string { return p.Print + " " + name }

// View runs f over a snapshot of a space; see store.VectorStore. It fails if no vectors can be kept, so that no text is
// sent to an endpoint for them.
func (v *Vectors) View(ctx context.Context, name string, f func(store.VectorView) error) error {
	p := v.folder.Place()
	switch {
	case p.Temporary:
		return errNoVectors
	case p.Print == "":
		return nil
	}
	return sqlite.NewVectors(p.Vectors).View(ctx, userSpace(p, name), f)
}

// Put stores vectors and contents; see store.VectorStore. It fails if the user has no id for the project, or as store.VectorStore
// describes.
func (v *Vectors) Put(ctx context.Context, name string, passages []store.EmbeddedPassage, contents []store.EmbeddedContent) error {
	p, err := v.folder.PlaceWithID()
	if err == nil && p.Temporary {
		err = errNoVectors
	}
	if err != nil {
		return err
	}
	return sqlite.NewVectors(p.Vectors).Put(ctx, userSpace(p, name), passages, contents)
}

// Prune deletes the contents that keep rejects; see store.VectorStore. It does nothing if the user has no id for the
// project or no vectors can be kept. It fails as store.VectorStore describes.
func (v *Vectors) Prune(ctx context.Context, name string, keep func([32]byte) bool) error {
	p := v.folder.Place()
	if p.Print == "" || p.Temporary {
		return nil
	}
	return sqlite.NewVectors(p.Vectors).Prune(ctx, userSpace(p, name), keep)
}

// Size returns the size of the user's vectors on disk, in bytes.
func (v *Vectors) Size() int64 { return sqlite.NewVectors(v.folder.Place().Vectors).Size() }
