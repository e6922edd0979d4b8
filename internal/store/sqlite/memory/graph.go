package memory

import (
	"cmp"
	"context"
	"slices"

	"zombiezen.com/go/sqlite"

	"ken/internal/knowledge/memory"
)

var _ memory.GraphReader = (*Store)(nil)

// Graph returns all items with their relations; see memory.GraphReader. It leaves out relations to deleted items. It
// fails if the memory cannot be read.
func (s *Store) Graph(ctx context.Context) (*memory.Graph, error) {
	out := &memory.Graph{}
	err := s.readSnapshot(ctx, func(c *sqlite.Conn) (err error) {
		if out.Items, err = allItems(c); err != nil {
			return err
		}
		g := &itemGraph{}
		if err := g.loadRelations(c); err != nil {
			return err
		}
		there := make(map[int64]bool, len(out.Items))
		for i := range out.Items {
			there[out.Items[i].ID] = true
		}
		for i := range out.Items {
			for _, e := range g.edges[out.Items[i].ID] {
				if !there[e.to] {
					continue
				}
				l := memory.Link{From: out.Items[i].ID, To: e.to, Relation: e.relation, Weight: float64(e.weight)}
				if l.Relation == memory.Temporal { // it leads from the older to the newer, which stores it
					l.From, l.To, l.Weight = l.To, l.From, memory.TemporalWeight
				}
				out.Links = append(out.Links, l)
			}
		}
		slices.SortFunc(out.Links, func(a, b memory.Link) int {
			return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Relation, b.Relation))
		})
		return nil
	})
	return out, err
}
