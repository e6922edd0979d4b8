// Package embed makes embeddings of the project's passages with an endpoint that
// the user configures. It sends masked text only, and stores vectors beside the index.
package embed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"ken/internal/code"
	"ken/internal/engine/source"
	"ken/internal/engine/store"
	"ken/internal/engine/vector"
	"ken/internal/token"
)

// EmbedRequest selects the work of Embed.
type EmbedRequest struct {
	DryRun   bool                  // count the texts to send, and send nothing
	Progress func(done, total int) // files; may be nil
}

// EmbedReport is the result of Embed.
type EmbedReport struct {
	Model      string
	Dimensions int // of the vectors; 0 if there are none
	Files      int // with text to embed
	Kept       int // files whose vectors were stored already
	Passages   int // sent, or with DryRun to be sent
	Bytes      int64
	Tokens     int64 // of the o200k_base encoding: a model's own count differs
	Requests   int
	DiskUse    int64
	Elapsed    time.Duration
}

// The sizes of requests and batches.
const (
	defaultBatch = 32
	embedChunk   = 64 // files whose passages are held at once
)

// Index opens the index and lists the files of it that are not up to date; update.Writer is one.
type Index interface {
	Read(ctx context.Context) (store.Reader, error)
	StalePaths(r store.Reader, paths []string) ([]string, error)
}

// Embed sends the passages of source files that have no vector yet to the Embedder, masked, and stores the vectors. They
// are stored request by request, so that an interrupted run can be continued. The index should be up to date. It fails
// with a usage error if no endpoint is set, or with an error of the endpoint, of the index or of the vector store.
func Embed(ctx context.Context, index Index, tree *source.Tree, with *store.Embedding, req EmbedRequest) (*EmbedReport, error) {
	start := time.Now()
	r := &embedRun{
		index: index, tree: tree, with: with, ctx: ctx, dry: req.DryRun, known: map[store.PassageHash]bool{}, rows: map[store.PassageHash][]byte{},
	}
	switch {
	case with.Embedder != nil:
		r.rep.Model, r.vectors = with.Embedder.Model(), with.Vectors
	case !req.DryRun:
		return nil, code.Usagef("no endpoint for embeddings is set: name one in your own settings (embedding.url, embedding.model)")
	}
	if r.dry {
		r.count = token.NewPair()
	}
	todo, live, err := r.planWork()
	if err != nil {
		return nil, err
	}
	done := r.rep.Kept
	for chunk := range slices.Chunk(todo, embedChunk) {
		if err := r.embedFiles(chunk, func(n int) {
			if req.Progress != nil {
				req.Progress(done+n, r.rep.Files)
			}
		}); err != nil {
			return nil, err
		}
		done += len(chunk)
	}
	if !r.dry {
		if err := r.pruneVectors(live); err != nil {
			return nil, err
		}
	}
	if r.vectors != nil {
		r.rep.DiskUse = r.vectors.Size()
	}
	r.rep.Elapsed = time.Since(start)
	return &r.rep, nil
}

// embedRun holds the state of one call of Embed.
type embedRun struct {
	index   Index
	tree    *source.Tree
	with    *store.Embedding
	ctx     context.Context
	vectors store.VectorStore // nil if there is none yet
	dry     bool
	count   *token.Pair
	rep     EmbedReport
	stored  int // contents the store has

	known map[store.PassageHash]bool   // sent or counted in this run
	rows  map[store.PassageHash][]byte // of the chunk
}

// planWork lists the files whose content has no vectors, by path, and the contents of the index.
func (r *embedRun) planWork() (todo []string, live map[[32]byte]bool, err error) {
	have := map[[32]byte]bool{}
	err = r.viewVectors(func(v store.VectorView) error {
		r.rep.Dimensions = vector.Dimensions(v.RowLen())
		for h, err := range v.Hashes() {
			if err != nil {
				return err
			}
			have[h] = true
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	r.stored = len(have)
	live = map[[32]byte]bool{}
	index, err := r.index.Read(r.ctx)
	if err != nil {
		return nil, nil, err
	}
	defer index.Close()
	for f, err := range index.Files() {
		if err != nil {
			return nil, nil, err
		}
		if !isEmbeddable(&f) {
			continue
		}
		r.rep.Files++
		switch {
		case have[f.Hash]:
			r.rep.Kept++
		case !live[f.Hash]:
			todo = append(todo, f.Path)
		}
		live[f.Hash] = true
	}
	return todo, live, nil
}

// isEmbeddable reports whether the passages of a file are embedded: those of code and documents that people write and
// read.
func isEmbeddable(f *code.File) bool {
	written := f.Flags&(code.FlagGenerated|code.FlagVendored|code.FlagMinified) == 0
	return written && f.Problem == "" && f.Lines > 0 && !f.Class.Has(code.ClassData|code.ClassOther)
}

// viewVectors runs f over the stored vectors; not at all if there are none.
func (r *embedRun) viewVectors(f func(store.VectorView) error) error {
	if r.vectors == nil {
		return nil
	}
	return r.vectors.View(r.ctx, r.rep.Model, f)
}

// fileContent is a version of a file that is cut into passages.
type fileContent struct {
	hash   [32]byte
	pieces []passageText
}

// embedFiles embeds those passages of some files that have no vector yet.
func (r *embedRun) embedFiles(paths []string, progress func(int)) error {
	list, err := r.readPassages(paths)
	if err != nil {
		return err
	}
	clear(r.rows)
	missing, err := r.missingPassages(list)
	if err != nil {
		return err
	}
	for batch := range slices.Chunk(missing, cmp.Or(r.with.Batch, defaultBatch)) {
		progress(0)
		if err := r.sendBatch(batch); err != nil {
			return err
		}
	}
	progress(len(paths))
	if r.dry {
		return nil
	}
	return r.storeContents(list)
}

// readPassages cuts files into passages. A file that differs from the index is left out: the next run includes it.
func (r *embedRun) readPassages(paths []string) (list []fileContent, err error) {
	index, err := r.index.Read(r.ctx)
	if err != nil {
		return nil, err
	}
	defer index.Close()
	reader, err := r.tree.NewReader(nil)
	if err != nil {
		return nil, err
	}
	known, err := r.tree.KnownSecrets(index, nil)
	if err != nil {
		return nil, err
	}
	for _, p := range paths {
		f, ok, err := index.FileByPath(p)
		if err != nil {
			return nil, err
		}
		if !ok || !isEmbeddable(&f) {
			continue
		}
		text := reader.Text(r.ctx, p)
		changed, err := r.index.StalePaths(index, []string{p})
		if err != nil {
			return nil, err
		}
		if len(changed) > 0 || text == nil {
			continue
		}
		decls, err := index.Symbols(f.ID)
		if err != nil {
			return nil, err
		}
		known.Mask(text)
		list = append(list, fileContent{f.Hash, cutPassages(r.tree.MaskString(p), text, decls)})
	}
	return list, r.ctx.Err()
}

// missingPassages returns the passages without a vector, each once, in order.
func (r *embedRun) missingPassages(list []fileContent) (out []passageText, err error) {
	all := func(has func(store.PassageHash) ([]byte, error)) error {
		for i := range list {
			for _, p := range list[i].pieces {
				if r.known[p.Hash] {
					continue
				}
				row, err := has(p.Hash)
				if err != nil {
					return err
				}
				if row == nil {
					r.known[p.Hash] = true
					out = append(out, p)
				}
			}
		}
		return nil
	}
	seen := false
	err = r.viewVectors(func(v store.VectorView) error {
		seen = true
		return all(v.Row)
	})
	if err == nil && !seen {
		err = all(func(store.PassageHash) ([]byte, error) { return nil, nil })
	}
	return out, err
}

// sendBatch embeds passages and stores their vectors, or counts them.
func (r *embedRun) sendBatch(batch []passageText) error {
	texts := make([]string, len(batch))
	bytes, tokens := int64(0), int64(0)
	for i := range batch {
		texts[i] = batch[i].text
		bytes += int64(len(texts[i]))
		if r.dry {
			_, o200k := r.count.Count([]byte(texts[i]))
			tokens += int64(o200k)
		}
	}
	if !r.dry {
		list, err := r.with.Embedder.Embed(r.ctx, texts)
		if err == nil {
			err = r.storeVectors(batch, list)
		}
		if err != nil {
			if r.ctx.Err() == nil && r.rep.Passages > 0 {
				err = fmt.Errorf("%w (%d passages are stored; the next run goes on from there)", err, r.rep.Passages)
			}
			return err
		}
	}
	r.rep.Passages += len(batch)
	r.rep.Bytes += bytes
	r.rep.Tokens += tokens
	r.rep.Requests++
	return nil
}

// storeVectors stores the vectors that were returned for passages.
func (r *embedRun) storeVectors(batch []passageText, list [][]float32) error {
	if len(list) != len(batch) || len(list[0]) == 0 {
		return fmt.Errorf("%d vectors came for %d texts", len(list), len(batch))
	}
	n := cmp.Or(r.rep.Dimensions, len(list[0]))
	rows := make([]store.EmbeddedPassage, len(batch))
	for i, v := range list {
		if len(v) != n {
			return fmt.Errorf("the endpoint gives vectors of %d numbers now, those that are kept have %d: set another model, or delete .ken/vectors.db", len(v), n)
		}
		rows[i] = store.EmbeddedPassage{Hash: batch[i].Hash, Row: vector.Row(vector.Unit(v), n)}
	}
	if err := r.vectors.Put(r.ctx, r.rep.Model, rows, nil); err != nil {
		return err
	}
	r.rep.Dimensions = n
	for _, p := range rows {
		r.rows[p.Hash] = p.Row
	}
	return nil
}

// errVectorsMoved reports that vectors vanished while a run relied on them.
var errVectorsMoved = errors.New("another process dropped vectors meanwhile; run it again")

// storeContents stores which passages the contents of files consist of.
func (r *embedRun) storeContents(list []fileContent) error {
	var done []store.EmbeddedContent
	code := func(h store.PassageHash, row func(store.PassageHash) ([]byte, error)) ([]byte, error) {
		b, ok := r.rows[h]
		if !ok && row != nil {
			var err error
			if b, err = row(h); err != nil {
				return nil, err
			}
		}
		if b == nil {
			return nil, errVectorsMoved
		}
		return vector.Code(b), nil
	}
	all := func(row func(store.PassageHash) ([]byte, error)) error {
		for i := range list {
			c := store.EmbeddedContent{Hash: list[i].hash}
			for _, p := range list[i].pieces {
				b, err := code(p.Hash, row)
				if err != nil {
					return err
				}
				c.Passages, c.Codes = append(c.Passages, p.Passage), append(c.Codes, b...)
			}
			done = append(done, c)
		}
		return nil
	}
	seen := false
	err := r.viewVectors(func(v store.VectorView) error {
		seen = true
		return all(v.Row)
	})
	if err == nil && !seen {
		err = all(nil) // fails unless all files are empty
	}
	if err != nil || len(done) == 0 {
		return err
	}
	if !seen {
		return nil // only empty files: there is no space to store them in
	}
	return r.vectors.Put(r.ctx, r.rep.Model, nil, done)
}

// pruneVectors drops unused vectors: those of other models, and contents that are not in the index once they outnumber those
// that are. Until then they stay, since users often come back to a branch.
func (r *embedRun) pruneVectors(live map[[32]byte]bool) error {
	if r.rep.Files == 0 {
		return nil
	}
	keep := func([32]byte) bool { return true }
	if r.stored > 2*len(live) {
		keep = func(h [32]byte) bool { return live[h] }
	}
	return r.vectors.Prune(r.ctx, r.rep.Model, keep)
}
