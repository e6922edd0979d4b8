package intel

import (
	"context"
	"encoding/json"

	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/planop"
)

// GraphDiff has the numbers of nodes and edges of a graph that differ from the last snapshot.
type GraphDiff struct {
	Nodes     diffCounts `json:"nodes"`
	Edges     diffCounts `json:"edges"`
	Timestamp *string    `json:"timestamp"`
	From      Origin     `json:"answered_from"`
}

type diffCounts struct {
	Added   int `json:"added"`
	Removed int `json:"removed"`
	Changed int `json:"changed"`
}

func compareParts(before, now map[string]string) (n diffCounts) {
	for k, v := range now {
		if old, ok := before[k]; !ok {
			n.Added++
		} else if old != v {
			n.Changed++
		}
	}
	for k := range before {
		if _, ok := now[k]; !ok {
			n.Removed++
		}
	}
	return n
}

// compactParts returns the nodes and edges of a graph as compact JSON, by their ids.
func (g *graph) compactParts() (nodes, edges map[string]string) {
	nodes, edges = map[string]string{}, map[string]string{}
	for _, n := range g.nodes {
		nodes[n.id] = compactJSON(n.raw)
	}
	for _, e := range g.edges {
		kind := e.relation
		if kind == "" {
			kind = e.label
		}
		edges[e.source+"::"+e.target+"::"+kind] = compactJSON(e.raw)
	}
	return nodes, edges
}

// compactJSON returns a JSON value without the blanks between its parts.
func compactJSON(raw json.RawMessage) string {
	b, err := json.Marshal(raw)
	if err != nil {
		return string(raw)
	}
	return string(b)
}

// wholeGraph returns the present graph, from the index or from a file, or nil if there is none.
func (o *indexAsker) wholeGraph(ctx context.Context, c *planop.Call, in *sourceInput) (*graph, Origin, error) {
	x, err := o.askIndex(ctx, c, in.Source, Wanted{Whole: true})
	if err != nil {
		return nil, Origin{}, err
	}
	if x.hasIndex() {
		g, err := x.toGraph()
		return g, x.origin(c.Now()), err
	}
	g, err := readGraph(c, graphFile)
	if err != nil || g == nil {
		return nil, Origin{}, err
	}
	from, err := graphOrigin(c, x.missingIndexReason())
	return g, from, err
}

func (o *indexAsker) graphDiff(ctx context.Context, c *planop.Call, in *sourceInput) (any, error) {
	before, err := readGraph(c, graphBaseline)
	if err != nil {
		return nil, err
	}
	if before == nil {
		return Baseline{true, "there is no snapshot; \"ken plan graphify build snapshot\" keeps one"}, nil
	}
	now, from, err := o.wholeGraph(ctx, c, in)
	if err != nil {
		return nil, err
	}
	if now == nil {
		return nil, missingGraphError()
	}
	if (before.source == sourceIndex) != (from.Source == sourceIndex) {
		return Baseline{true, "the last snapshot is not of the " + from.Source + ", so it cannot be compared; \"ken plan graphify build snapshot\" keeps one"}, nil
	}
	a := GraphDiff{From: from}
	if before.timestamp != "" {
		a.Timestamp = &before.timestamp
	}
	oldNodes, oldEdges := before.compactParts()
	nodes, edges := now.compactParts()
	a.Nodes, a.Edges = compareParts(oldNodes, nodes), compareParts(oldEdges, edges)
	return a, nil
}

// GraphSaved is a snapshot of a graph that was written.
type GraphSaved struct {
	Saved     bool   `json:"saved"`
	Timestamp string `json:"timestamp"`
	Nodes     int    `json:"node_count"`
	Edges     int    `json:"edge_count"`
	From      Origin `json:"answered_from"`
}

func (o *indexAsker) graphSnapshot(ctx context.Context, c *planop.Call, in *sourceInput) (GraphSaved, error) {
	g, from, err := o.wholeGraph(ctx, c, in)
	if err != nil {
		return GraphSaved{}, err
	}
	if g == nil {
		return GraphSaved{}, missingGraphError()
	}
	kept := struct {
		Version   int               `json:"version"`
		Timestamp string            `json:"timestamp"`
		Source    string            `json:"source,omitempty"`
		Nodes     []json.RawMessage `json:"nodes"`
		Edges     []json.RawMessage `json:"edges"`
	}{1, formatTime(c.Now()), "", []json.RawMessage{}, []json.RawMessage{}}
	indent := "  "
	if from.Source == sourceIndex {
		kept.Source, indent = sourceIndex, "" // there is a node for each file
	}
	for _, n := range g.nodes {
		kept.Nodes = append(kept.Nodes, n.raw)
	}
	for _, e := range g.edges {
		kept.Edges = append(kept.Edges, e.raw)
	}
	b, err := json.MarshalIndent(kept, "", indent)
	if err != nil {
		return GraphSaved{}, err
	}
	if len(b) > folder.MaxBytes {
		return GraphSaved{}, planop.Faultf("graph_too_large", "a snapshot of %d nodes and %d edges would have %d bytes, above the limit of %d",
			len(g.nodes), len(g.edges), len(b), folder.MaxBytes)
	}
	_, err = c.ChangeWhole(ctx, "keep how the graph is", func(change.Read) ([]change.File, error) {
		return []change.File{{Name: graphBaseline, Text: new(string(b))}}, nil
	})
	return GraphSaved{true, kept.Timestamp, len(g.nodes), len(g.edges), from}, err
}
