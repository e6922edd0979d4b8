package memory

import (
	"cmp"
	"context"
	"math"
	"slices"

	"zombiezen.com/go/sqlite"

	"ken/internal/knowledge/session"
)

// Limits of Like. A term that occurs in more than maxNotesOfTerm notes does not distinguish them, and reading them all
// would take too long.
const (
	maxTerms       = 200
	maxNotesOfTerm = 500
	leastShared    = 2
	longNote       = 12 // terms from which a note counts as long
)

// Like returns the open notes that share terms with a text; see session.Store. Terms weigh as in tf-idf without frequencies:
// the logarithm of how rare they are. A note has to share a quarter of its terms, of a long one a quarter of longNote, and
// at least leastShared. It fails if the memory cannot be read.
func (s *Store) Like(ctx context.Context, terms []uint64, limit int) (out []session.Note, err error) {
	err = s.readSnapshot(ctx, func(c *sqlite.Conn) error {
		ids, err := similarNotes(c, terms[:min(len(terms), maxTerms)], limit)
		for _, id := range ids {
			if err != nil {
				return err
			}
			var one []session.Note
			one, err = queryNotes(c, "WHERE id=?", id)
			out = append(out, one...)
		}
		return err
	})
	return out, err
}

// similarNotes returns the ids of the notes that share terms with a text, the best first. It checks first whether a note is open
// and then whether it shares enough, because a long text shares something with thousands.
func similarNotes(c *sqlite.Conn, terms []uint64, limit int) (out []int64, err error) {
	var all int64
	if err := eachRow(c, "SELECT count(*) FROM notes", func(st *sqlite.Stmt) { all = st.ColumnInt64(0) }); err != nil || all == 0 {
		return nil, err
	}
	score, shared := map[int64]float64{}, map[int64]int{}
	for _, t := range terms {
		var with []int64
		err := eachRow(c, "SELECT note FROM terms WHERE term=? LIMIT ?", func(st *sqlite.Stmt) { with = append(with, st.ColumnInt64(0)) }, int64(t), maxNotesOfTerm+1)
		if err != nil {
			return nil, err
		}
		if len(with) > maxNotesOfTerm {
			continue
		}
		for _, id := range with {
			score[id] += math.Log(1 + float64(all)/float64(len(with)))
			shared[id]++
		}
	}
	var ids []int64
	for id, n := range shared {
		if n >= leastShared {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b int64) int { return cmp.Or(cmp.Compare(score[b], score[a]), cmp.Compare(b, a)) })
	for _, id := range ids {
		if len(out) == limit {
			break
		}
		err := eachRow(c, "SELECT terms FROM notes WHERE id=? AND done=0", func(st *sqlite.Stmt) {
			if 4*shared[id] >= min(st.ColumnInt(0), longNote) {
				out = append(out, id)
			}
		}, id)
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
