package view

import (
	"context"
	"iter"
	"ken/internal/code"
	"ken/internal/engine/source"
	"ken/internal/engine/source/scan"
	"ken/internal/engine/store"
	"ken/internal/git"
	"ken/internal/token"
	"strconv"
	"time"
)

// File returns the row of an indexed file. It fails with code.NotFoundError if there is none.
func (s *Snapshot) File(_ context.Context, p string) (code.File, error) {
	f, ok, err := s.Index.FileByPath(p)
	if err != nil {
		return f, err
	}
	if !ok {
		return f, s.noFileError(p)
	}
	return f, nil
}

// Files returns all indexed files, by path.
func (s *Snapshot) Files(context.Context) iter.Seq2[code.File, error] { return s.Index.Files() }

// Skipped returns the files that were not read as a whole, sorted by path. It returns an error if the index cannot be read.
func (s *Snapshot) Skipped(context.Context) ([]store.Skipped, error) { return s.Index.Skipped() }

// AllPaths returns the paths of all indexed files, sorted. The caller must not change them, because the snapshot keeps
// them: several questions of one answer look at every path. It returns an error if the index cannot be read.
func (s *Snapshot) AllPaths() ([]store.PathRow, error) {
	if s.all != nil {
		return s.all, nil
	}
	var all []store.PathRow
	for row, err := range s.Index.Paths() {
		if err != nil {
			return nil, err
		}
		all = append(all, row)
	}
	s.all = all
	return all, nil
}

// FileByID returns a file by its id, read once. It returns an error if the index cannot be read.
func (s *Snapshot) FileByID(id int64) (code.File, error) {
	if f, ok := s.paths[id]; ok {
		return f, nil
	}
	f, _, err := s.Index.FileByID(id)
	if err == nil {
		s.paths[id] = f
	}
	return f, err
}

// Languages counts the files by language and problem. It keeps the result, because the index reads an entry for every
// file. It returns an error if the index cannot be read.
func (s *Snapshot) Languages() (counts []store.LangCount, err error) {
	if s.langs == nil {
		s.langs, err = s.Index.ByLanguage()
	}
	return s.langs, err
}

// Pending returns the number of files whose state on disk differs from the index. It updates nothing. It returns an
// error if the tree or the index cannot be read.
func (s *Snapshot) Pending(ctx context.Context) (int, error) {
	sc, err := s.Tree.Scanner()
	if err != nil {
		return 0, err
	}
	prev, err := source.ReadListing(s.Index)
	if err != nil {
		return 0, err
	}
	now, err := sc.List(ctx, prev)
	if err != nil {
		return 0, err
	}
	added, changed, deleted := scan.Diff(prev, now)
	n := len(added) + len(deleted)
	r, err := s.Tree.NewReader(nil)
	if err != nil {
		return 0, err
	}
	for _, p := range append(changed, now.Racy...) {
		f, ok, err := s.Index.FileByPath(p)
		if err != nil {
			return 0, err
		}
		if !ok || r.Differs(ctx, p, f.Hash) {
			n++
		}
	}
	return n, nil
}

// Tokens counts the tokens of a file on disk. It returns an error if the file cannot be read.
func (s *Snapshot) Tokens(ctx context.Context, p string) (token.Size, error) {
	return s.Tree.Tokens(ctx, p)
}

// Info describes the index. It returns an error if the index cannot be read.
func (s *Snapshot) Info(ctx context.Context) (Info, error) {
	t, err := s.Index.Totals()
	if err != nil {
		return Info{}, err
	}
	commit, err := s.Index.Meta(store.MetaCommit)
	if err != nil {
		return Info{}, err
	}
	looked, err := s.Index.Meta(store.MetaLooked)
	if err != nil {
		return Info{}, err
	}
	ns, _ := strconv.ParseInt(looked, 10, 64)
	return Info{
		Rev: s.Rev(), Schema: store.Schema, Root: s.Tree.Root(), Commit: commit, Head: s.Tree.HeadCommit(ctx), Looked: time.Unix(0, ns),
		Files: t.Files, Parsed: t.Parsed, Symbols: t.Symbols, Edges: t.Edges, Refs: t.Refs,
		Lines: t.Lines, Bytes: t.Bytes, CL100K: t.CL100K, O200K: t.O200K, DiskUse: s.Opt.Store.Size(),
		Watched: s.Opt.Store.Watched(),
	}, nil
}

// HeadTime returns the committer time of HEAD, zero without git or commits. It returns an error if git fails to read the
// commit.
func (s *Snapshot) HeadTime(ctx context.Context) (time.Time, error) {
	repo, err := git.Find(s.Tree.Root())
	if err != nil {
		return time.Time{}, nil
	}
	h, err := git.Git{}.Head(ctx, repo)
	if err != nil || h.Commit == "" {
		return time.Time{}, nil
	}
	return git.Git{}.CommitTime(ctx, repo, h.Commit)
}

// Rev returns the revision of the index that the snapshot shows; 0 if it cannot be read.
func (s *Snapshot) Rev() code.Rev {
	rev, err := store.Revision(s.Index)
	if err != nil {
		return 0
	}
	return rev
}
