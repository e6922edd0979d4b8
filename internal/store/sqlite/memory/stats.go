package memory

import (
	"cmp"
	"context"
	"slices"
	"time"

	"zombiezen.com/go/sqlite"

	"ken/internal/knowledge/memory"
)

// Limits of the lists that Stats returns.
const (
	maxBest   = 10
	maxTopics = 10
)

// Stats returns statistics of the memory; see memory.Store. It fails if the memory cannot be read.
func (s *Store) Stats(ctx context.Context, now time.Time) (out memory.Stats, err error) {
	out.Kinds = map[memory.Kind]int{}
	err = s.readSnapshot(ctx, func(c *sqlite.Conn) error {
		items, err := allItems(c)
		if err != nil {
			return err
		}
		countItems(&out, items, now)
		if err := countEdges(c, &out); err != nil {
			return err
		}
		err = eachRow(c, "SELECT (SELECT value FROM learned WHERE name='good'),(SELECT value FROM learned WHERE name='bad'),(SELECT count(DISTINCT item) FROM item_fresh),"+
			"(SELECT page_count*page_size FROM pragma_page_count(),pragma_page_size())", func(st *sqlite.Stmt) {
			out.For, out.Against, out.Waiting, out.Bytes = st.ColumnInt64(0), st.ColumnInt64(1), st.ColumnInt(2), st.ColumnInt64(3)
		})
		if err != nil {
			return err
		}
		return eachRow(c, "SELECT at,items,edges,good,bad,confidence FROM item_stats ORDER BY at", func(st *sqlite.Stmt) {
			out.History = append(out.History, memory.Point{At: columnTime(st, 0), Items: st.ColumnInt(1), Edges: st.ColumnInt(2),
				For: st.ColumnInt64(3), Against: st.ColumnInt64(4), Confidence: st.ColumnFloat(5)})
		})
	})
	return out, err
}

func allItems(c *sqlite.Conn) (items []memory.Item, err error) {
	if err := eachRow(c, itemColumns+"ORDER BY id", func(st *sqlite.Stmt) { items = append(items, scanItem(st)) }); err != nil {
		return nil, err
	}
	r := rankReader{c: c}
	for i := range items {
		if err := r.setRank(&items[i]); err != nil {
			return nil, err
		}
	}
	return items, nil
}

func countItems(out *memory.Stats, items []memory.Item, now time.Time) {
	out.Items = len(items)
	if len(items) == 0 {
		return
	}
	levels, topics := make([]float64, len(items)), map[int64]*memory.Topic{}
	best := make([]*memory.Item, len(items))
	top := map[int64]float64{}
	for i := range items {
		it := &items[i]
		levels[i], best[i] = it.Confidence(now), it
		out.Levels.Mean += levels[i] / float64(len(items))
		out.Kinds[it.Kind]++
		out.Used += int64(it.Used)
		if it.Used == 0 {
			out.NeverUsed++
		}
		if it.Gone {
			out.Gone++
		}
		t := topics[it.Community]
		if t == nil {
			t = &memory.Topic{ID: it.Community}
			topics[it.Community] = t
		}
		if t.Items++; t.Title == "" || it.Rank > top[t.ID] {
			t.Title, top[t.ID] = it.Text, it.Rank
		}
	}
	slices.Sort(levels)
	out.Levels.Min, out.Levels.Max, out.Levels.Median = levels[0], levels[len(levels)-1], levels[len(levels)/2]
	for id, t := range topics {
		if id != 0 && t.Items > 1 {
			out.Topics = append(out.Topics, *t)
		}
	}
	slices.SortFunc(out.Topics, func(a, b memory.Topic) int { return cmp.Or(cmp.Compare(b.Items, a.Items), cmp.Compare(a.ID, b.ID)) })
	out.Topics = out.Topics[:min(len(out.Topics), maxTopics)]
	slices.SortFunc(best, func(a, b *memory.Item) int {
		return cmp.Or(cmp.Compare(b.Worth(now), a.Worth(now)), cmp.Compare(b.ID, a.ID))
	})
	for _, it := range best[:min(len(best), maxBest)] {
		out.Best = append(out.Best, *it)
	}
}

// countEdges counts the relations between items.
func countEdges(c *sqlite.Conn, out *memory.Stats) (err error) {
	g := &itemGraph{}
	if err := g.loadRelations(c); err != nil {
		return err
	}
	for _, edges := range g.edges {
		for _, e := range edges {
			if _, known := g.edges[e.to]; !known {
				continue
			}
			if e.relation == memory.Similar {
				out.Similar++
			} else {
				out.Temporal++
			}
		}
	}
	return nil
}
