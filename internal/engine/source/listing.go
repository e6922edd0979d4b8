package source

import (
	"context"
	"errors"
	"io/fs"

	"ken/internal/engine/source/scan"
	"ken/internal/engine/store"
)

// ReadListing returns the listing of the last look at the tree, as the index stored
// it, or nil if there is none that this ken can decode. It fails if the index cannot be read.
func ReadListing(r interface{ Look() ([]byte, error) }) (*scan.Listing, error) {
	packed, err := r.Look()
	l, _ := scan.DecodeListing(packed)
	return l, err
}

// Outside are the files outside of the tree that decide which files are listed; see list.Outside.
type Outside = scan.Outside

// ChangedPaths returns those paths whose files differ from the index. It reads a file even if its stat is the same, because the file may
// have been written twice within one tick of the file system's clock. It fails if the tree or the index cannot be read.
func (t *Tree) ChangedPaths(ctx context.Context, r store.Files, paths []string) (out []string, err error) {
	s, err := t.Scanner()
	if err != nil {
		return nil, err
	}
	reader, err := t.NewReader(nil)
	if err != nil {
		return nil, err
	}
	for _, p := range paths {
		f, indexed, err := r.FileByPath(p)
		if err != nil {
			return nil, err
		}
		_, listed, err := s.Lookup(ctx, p)
		there := err == nil && listed
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if st, ok := s.Stat(p); there && indexed && ok && st == f.Stat {
			if c, err := reader.Open(ctx, p); err == nil && c.Hash == f.Hash {
				continue
			}
		}
		if there || indexed {
			out = append(out, p)
		}
	}
	return out, nil
}
