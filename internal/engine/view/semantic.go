package view

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"ken/internal/engine/store"
	"ken/internal/engine/vector"
)

// SemanticFile is a file found by meaning: the vector of one of its passages is similar to that of a text.
type SemanticFile struct {
	FileID        int64
	Score         float64 // cosine of its best passage, whose lines are:
	Line, EndLine int
}

// The bounds of the search by meaning.
const (
	MaxSemantic     = 40   // files taken into a search
	maxRescored     = 1000 // passages compared by number, the nearest by sign
	maxQueryBytes   = 4000 // as for a passage, because models read no more
	defaultQueryFor = 2 * time.Second
)

// SemanticFiles returns the files whose passages are nearest to a text in meaning, best first. Without an Embedder, or
// without vectors of its model, it returns none and sends no request. It returns an error if the endpoint gives no
// vector of the right length.
func (s *Snapshot) SemanticFiles(ctx context.Context, text string, limit int) ([]SemanticFile, error) {
	opt := s.Opt.Semantic
	if opt.Embedder == nil || limit <= 0 {
		return nil, nil
	}
	known, err := s.KnownSecrets()
	if err != nil {
		return nil, err
	}
	var out []SemanticFile
	err = opt.Vectors.View(ctx, opt.Embedder.Model(), func(v store.VectorView) error {
		q, err := opt.queryVector(ctx, known.MaskString(s.Tree.MaskString(text)))
		if err != nil {
			return err
		}
		if n := vector.Dimensions(v.RowLen()); len(q) != n {
			return fmt.Errorf("the endpoint gave a vector of %d numbers, those that are kept have %d", len(q), n)
		}
		out, err = s.nearestFiles(v, q, limit)
		return err
	})
	return out, err
}

// queryVector returns the vector of a text, with length 1. The caller masks the secrets in the text. If the last call had
// the same text, it sends no request, even if that call failed, but then only within retryAfter.
func (e *Semantic) queryVector(ctx context.Context, text string) ([]float32, error) {
	if len(text) > maxQueryBytes {
		text = text[:maxQueryBytes]
	}
	text = strings.ToValidUTF8(text, "")
	e.mu.Lock()
	a := e.asked
	e.mu.Unlock()
	if a != nil && a.text == text && (a.err == nil || time.Since(a.at) < retryAfter) {
		return a.unit, a.err
	}
	a = e.askVector(ctx, text)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	e.mu.Lock()
	e.asked = a
	e.mu.Unlock()
	return a.unit, a.err
}

// retryAfter is the time after a failed request in which the same text is not sent again.
const retryAfter = 10 * time.Second

// askVector requests the vector of a text from the embedding service.
func (e *Semantic) askVector(ctx context.Context, text string) *askedVector {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(e.QueryTimeout, defaultQueryFor))
	defer cancel()
	list, err := e.Embedder.Embed(ctx, []string{text})
	a := &askedVector{text: text, err: err, at: time.Now()}
	switch {
	case err != nil:
	case len(list) != 1:
		a.err = fmt.Errorf("%d vectors came for one text", len(list))
	default:
		if a.unit = vector.Unit(list[0]); a.unit == nil {
			a.err = errors.New("the endpoint gave a vector without direction")
		}
	}
	return a
}

// nearestFiles compares a vector with all stored vectors of files of the index.
func (s *Snapshot) nearestFiles(v store.VectorView, unit []float32, limit int) ([]SemanticFile, error) {
	files := map[[32]byte][]int64{}
	for f, err := range s.Index.ContentHashes() {
		if err != nil {
			return nil, err
		}
		files[f.Hash] = append(files[f.Hash], f.ID)
	}
	contents, near, err := compareCodes(v, vector.Code(vector.Row(unit, len(unit))), files)
	if err != nil {
		return nil, err
	}
	best := make(map[int32]SemanticFile)
	var passages []store.Passage
	last := int32(-1)
	for _, n := range near { // passages of one content are neighbours
		if n.Content != last {
			if passages, err = v.Passages(contents[n.Content]); err != nil {
				return nil, err
			}
			last = n.Content
		}
		if int(n.Place) >= len(passages) {
			continue
		}
		p := passages[n.Place]
		row, err := v.Row(p.Hash)
		if err != nil {
			return nil, err
		}
		score := float64(vector.Cosine(unit, row))
		if b, ok := best[n.Content]; row != nil && (!ok || score > b.Score) {
			best[n.Content] = SemanticFile{Score: score, Line: p.Line, EndLine: p.EndLine}
		}
	}
	var out []SemanticFile
	for c, b := range best {
		for _, id := range files[contents[c]] {
			b.FileID = id
			out = append(out, b)
		}
	}
	slices.SortFunc(out, func(a, b SemanticFile) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.FileID, b.FileID))
	})
	return out[:min(len(out), limit)], nil
}

// compareCodes finds the passages of files whose codes differ least from
// want. A code holds the signs of a vector's numbers.
func compareCodes(v store.VectorView, want []byte, files map[[32]byte][]int64) (contents [][32]byte, near []vector.Near, err error) {
	size := len(want)
	for c, err := range v.Codes() {
		if err != nil {
			return nil, nil, err
		}
		if files[c.Hash] == nil {
			continue
		}
		at := int32(len(contents))
		contents = append(contents, c.Hash)
		for i := 0; (i+1)*size <= len(c.Codes); i++ {
			near = append(near, vector.Near{Content: at, Place: int32(i), Distance: int32(vector.Distance(want, c.Codes[i*size:(i+1)*size]))})
		}
	}
	return contents, vector.Nearest(near, maxRescored), nil
}

// WarnOnce logs that a query was answered without its vector, only once even if the search runs twice.
func (e *Semantic) WarnOnce(log *slog.Logger, note string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.warned != note {
		e.warned = note
		log.Warn(note)
	}
}
