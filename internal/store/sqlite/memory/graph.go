package memory

import (
	"context"
	"slices"

	"zombiezen.com/go/sqlite"

	"ken/internal/knowledge/memory"
)

var _ memory.GraphReader = (*Store)(nil)

// Graph is the memory as it is; see memory.GraphReader. Edges that lead to what is gone are left out.
func (s *Store) Graph(ctx context.Context) (*memory.Graph, error) {
	out := &memory.Graph{}
	err := s.read(ctx, func(c *sqlite.Conn) (err error) {
		if out.Items, err = everything(c); err != nil {
			return err
		}
		g := &graph{}
		if err := g.load(c); err != nil {
			return err
		}
		there := make(map[int64]bool, len(out.Items))
		for i := range out.Items {
			there[out.Items[i].ID] = true
		}
		for i := range out.Items {
			from := out.Items[i].ID
			at := len(out.Links)
			for _, e := range g.edges[from] {
				if there[e.to] {
					out.Links = append(out.Links, memory.Link{From: from, To: e.to, Relation: e.relation, Weight: float64(e.weight)})
				}
			}
			slices.SortFunc(out.Links[at:], func(a, b memory.Link) int { return int(a.To - b.To) })
		}
		return nil
	})
	return out, err
}
