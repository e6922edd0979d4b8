package update

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/lookup"
	"ken/internal/engine/search"
	"ken/internal/engine/source"
	"ken/internal/engine/source/scan"
	"ken/internal/engine/store"
)

// buildIndex builds a new index. Files are read on all cores and stored one by one in the order of their paths; once all
// declarations are known, they are linked. Memory grows with the tree by the listing (about 180 bytes a file with its
// changes), lookup.Bulk, search.Builder until all is read, the buffers of the store, the edges (8 bytes each), and the
// linker's cache of distinct imports.
func (w *Writer) buildIndex(ctx context.Context, reason string, progress func(done, total int)) (u *Update, built bool, err error) {
	s, err := w.Tree.Scanner()
	if err != nil {
		return nil, false, err
	}
	u = &Update{Full: true, Reason: reason}
	present := func() bool { // another process built it while we waited for the lock
		if reason == "asked" || reason == "damaged" {
			return false
		}
		r, err := w.Store.Read(ctx)
		if err != nil {
			return false
		}
		defer r.Close()
		if reason == "salt" {
			changed, err := w.hasSaltChanged(r)
			return err == nil && !changed
		}
		return true
	}
	err = w.Store.Build(ctx, present, func(tx store.Tx) error {
		built = true
		now, err := s.List(ctx, nil)
		if err != nil {
			return err
		}
		b := w.newBuilder(ctx, tx, u)
		b.rev = w.lastRevision(ctx) + 1
		return b.runBuild(now, progress)
	})
	return u, built, err
}

// lastRevision returns the revision of the index that is going to be replaced, 0 if there is none.
func (w *Writer) lastRevision(ctx context.Context) code.Rev {
	r, err := w.Store.Read(ctx)
	if err != nil {
		return 0
	}
	defer r.Close()
	rev, _ := store.Revision(r)
	return rev
}

func (w *Writer) newBuilder(ctx context.Context, tx store.Tx, out *Update) *builder {
	return &builder{ctx: ctx, w: w, tx: tx, world: lookup.NewBulk(), words: search.NewBuilder(), out: out}
}

type builder struct {
	ctx   context.Context
	w     *Writer
	tx    store.Tx
	world *lookup.Bulk
	out   *Update
	rev   code.Rev
	edges [][2]int32
	words *search.Builder
}

func (b *builder) runBuild(now *scan.Listing, progress func(int, int)) error {
	if err := b.readAll(now, progress); err != nil {
		return err
	}
	if err := b.linkAndRank(); err != nil {
		return err
	}
	slices.SortFunc(b.out.Skipped, func(x, y store.Skipped) int { return strings.Compare(x.Path, y.Path) })
	b.out.Rev, b.out.Files = b.rev, len(now.Files)
	var err error
	if b.out.History, err = b.w.commits().UpdateToHead(b.ctx, b.tx, false); err != nil {
		return err
	}
	return b.storeMeta(now)
}

// linkAndRank computes everything that depends on several files: the search index, links and ranks.
func (b *builder) linkAndRank() error {
	if err := b.tx.PutSearch(b.words.Finish()); err != nil {
		return err
	}
	b.words = nil
	if err := b.linkAll(); err != nil {
		return err
	}
	slices.SortFunc(b.edges, func(x, y [2]int32) int {
		if x[0] != y[0] {
			return int(x[0] - y[0])
		}
		return int(x[1] - y[1])
	})
	g := &lookup.FileGraph{Digraph: graph.NewDigraph(len(b.world.Nodes), b.edges)}
	for i := range b.world.Nodes {
		g.Ids = append(g.Ids, int64(i+1))
	}
	return b.tx.SetRanks(g.Ranks())
}

func (b *builder) storeMeta(now *scan.Listing) error {
	for _, kv := range [][2]string{
		{store.MetaRevision, strconv.FormatInt(int64(b.out.Rev), 10)}, {store.MetaCommit, b.w.Tree.HeadCommit(b.ctx)}, {store.MetaUnranked, "0"}, {store.MetaLimit, strconv.FormatInt(b.w.Tree.SizeLimit(), 10)},
		{store.MetaLooked, strconv.FormatInt(time.Now().UnixNano(), 10)}, {store.MetaBuilt, strconv.FormatInt(time.Now().UnixNano(), 10)}, {store.MetaSalt, source.SaltPrint(b.w.Tree.ReadSalt())},
	} {
		if err := b.tx.SetMeta(kv[0], kv[1]); err != nil {
			return err
		}
	}
	if err := b.w.keepPages(b.tx); err != nil {
		return err
	}
	return b.tx.SetLook(now.Encode())
}

// readAll reads and stores every listed file.
func (b *builder) readAll(now *scan.Listing, progress func(int, int)) error {
	jobs := make([]readJob, 0, len(now.Files))
	tracked := make([]bool, 0, len(now.Files))
	for _, en := range now.Files {
		if en.Problem == "" && !en.Dir {
			jobs = append(jobs, readJob{path: en.Path})
			tracked = append(tracked, en.Tracked)
			continue
		}
		b.out.Skipped = append(b.out.Skipped, store.Skipped{Path: en.Path, Problem: en.Problem})
		if err := b.tx.PutSkip(en.Path, en.Problem); err != nil {
			return err
		}
	}
	done := 0
	return b.w.readAll(b.ctx, jobs, func(r fileReading) error {
		t := tracked[done]
		done++
		if progress != nil {
			progress(done, len(jobs))
		}
		return b.putReading(r, t)
	})
}

func (b *builder) putReading(r fileReading, tracked bool) error {
	if r.err != nil {
		return r.err
	}
	if r.gone {
		return nil
	}
	f := &r.file
	b.out.Changes = append(b.out.Changes, code.Change{Path: f.Path, Type: code.Added, TokenDelta: int(f.O200K),
		SymbolDelta:    len(r.facts.Symbols),
		ExportsChanged: len(r.facts.Exports) > 0, ImportsChanged: len(r.facts.Imports) > 0})
	return b.storeReading(&r, tracked)
}

// storeReading stores one reading.
func (b *builder) storeReading(r *fileReading, tracked bool) error {
	f := &r.file
	if tracked {
		f.Flags |= code.FlagTracked
	}
	if f.Problem != "" {
		b.out.Skipped = append(b.out.Skipped, store.Skipped{Path: f.Path, Problem: f.Problem})
	}
	id, err := b.storeFile(f, &r.content, r.config)
	b.words.Add(id, r.content.Words)
	return err
}

// storeFile stores a file and makes its names known to the linker.
func (b *builder) storeFile(f *code.File, c *store.Content, config []byte) (int64, error) {
	id, err := b.tx.PutFile(f)
	if err != nil {
		return 0, err
	}
	n := lookup.NewNode(f)
	n.Package = strings.Clone(n.Package)
	b.world.Add(n, lookup.IsIndexed(f), c.Symbols)
	if config != nil {
		if err := b.tx.PutConfig(f.Path, config); err != nil {
			return 0, err
		}
		b.world.AddConfig(f.Path, config)
	}
	return id, b.tx.PutContent(id, c, nil)
}
