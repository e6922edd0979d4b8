package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"zombiezen.com/go/sqlite"

	"ken/internal/knowledge/memory"
)

// Limits of Recall, so that it takes as long in a large memory as in a small one: the number of rows read for all words
// and for one, the number of items, and of items about a file. It reads the rows of rare words first, and of common
// ones the latest items.
const (
	maxRows        = 3000
	maxRowsOfTerm  = 1000
	maxRead        = 80
	maxItemsOfFile = 20
)

// Recall returns the items that match a query; see memory.Store. It fails if the memory cannot be read.
func (s *Store) Recall(ctx context.Context, q memory.Query, limit int) (hits []memory.Hit, err error) {
	err = s.readSnapshot(ctx, func(c *sqlite.Conn) error {
		all, err := readCounter(c, "items")
		if err != nil || all == 0 {
			return err
		}
		split := memory.NewSplitter()
		a := memory.Prepare(split, q)
		with, err := weighTerms(c, a, int(all))
		if err != nil {
			return err
		}
		list, err := candidateItems(c, a, with)
		if err != nil {
			return err
		}
		r := rankReader{c: c}
		for _, id := range list {
			it, err := findItem(c, "WHERE id=?", int64(id))
			if err != nil {
				return err
			}
			if it == nil {
				continue
			}
			if err := r.setRank(it); err != nil {
				return err
			}
			text := split.SplitItem(it)
			if h, ok := a.Score(it, &text); ok {
				hits = append(hits, h)
			}
		}
		hits = memory.BestHits(hits, limit)
		return nil
	})
	return hits, err
}

// weighTerms sets the weights of the terms of a query by how rare they are among all items, and returns the number of items with each term.
func weighTerms(c *sqlite.Conn, a *memory.PreparedQuery, all int) (map[uint64]int, error) {
	with := make(map[uint64]int, len(a.Terms()))
	for _, t := range a.Terms() {
		if err := eachRow(c, "SELECT items FROM item_words WHERE term=?", func(st *sqlite.Stmt) { with[t] = st.ColumnInt(0) }, int64(t)); err != nil {
			return nil, err
		}
	}
	a.Weigh(all, func(t uint64) int { return with[t] })
	return with, nil
}

// candidateItems returns the ids of items that may match a query; with has the number of items for each term.
func candidateItems(c *sqlite.Conn, a *memory.PreparedQuery, with map[uint64]int) ([]int32, error) {
	terms := slices.Clone(a.Terms())
	slices.SortFunc(terms, func(x, y uint64) int { return cmp.Or(cmp.Compare(with[x], with[y]), cmp.Compare(x, y)) })
	sum, left := map[int32]float64{}, maxRows
	for _, t := range terms {
		if with[t] == 0 {
			continue
		}
		if left <= 0 {
			break
		}
		err := eachRow(c, "SELECT item FROM item_terms WHERE term=? ORDER BY item DESC LIMIT ?", func(st *sqlite.Stmt) {
			sum[int32(st.ColumnInt64(0))] += a.Weight(t)
			left--
		}, int64(t), min(left, maxRowsOfTerm))
		if err != nil {
			return nil, err
		}
	}
	list := memory.Candidates(sum, maxRead)
	for _, f := range a.Files {
		err := eachRow(c, "SELECT item FROM item_paths WHERE path=? ORDER BY item DESC LIMIT ?", func(st *sqlite.Stmt) {
			if id := int32(st.ColumnInt64(0)); !slices.Contains(list, id) {
				list = append(list, id)
			}
		}, f, maxItemsOfFile)
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// ShowItems records that a session is shown items, and returns those that it was not shown before; see memory.Store. It fails if the
// memory cannot be written.
func (s *Store) ShowItems(ctx context.Context, id, agent string, ids []int64, now time.Time) (fresh []int64, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	err = s.writeTransaction(ctx, func(c *sqlite.Conn) error {
		for _, item := range ids {
			if err := execStatement(c, "INSERT INTO shown VALUES (?,?,?) ON CONFLICT DO NOTHING", id, agent, fmt.Sprintf("item %d", item)); err != nil {
				return err
			}
			if c.Changes() == 0 {
				continue
			}
			fresh = append(fresh, item)
			err := execStatement(c, "INSERT INTO item_uses VALUES (?,?,?,0,0) ON CONFLICT DO NOTHING", id, item, now.UnixMilli())
			if err == nil {
				err = execStatement(c, "UPDATE items SET used=used+1, shown=? WHERE id=?", now.UnixMilli(), item)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return fresh, err
}
