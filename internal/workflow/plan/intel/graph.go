package intel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ken/internal/workflow/plan/change"
	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/operation"
)

const (
	graphFile     = "graphs/graph.json"
	graphBaseline = "graphs/.last-build-snapshot.json"
)

// graph is a graph that another program has built.
type graph struct {
	nodes     []node
	edges     []edge
	hyper     int
	timestamp string
}

type node struct {
	id, label, text string // label and description in lower case
	raw             json.RawMessage
}

type edge struct {
	source, target, label, relation, confidence string
	raw                                         json.RawMessage
}

// readGraph reads a graph. It is nil if there is none.
func readGraph(c *operation.Call, name string) (*graph, error) {
	f, err := c.Folder()
	if err != nil {
		return nil, err
	}
	content, err := f.ReadRoot(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var in struct {
		Nodes, Edges, Links, Hyperedges []json.RawMessage
		Timestamp                       string
	}
	if err := json.Unmarshal([]byte(strings.TrimPrefix(content, "\ufeff")), &in); err != nil {
		return nil, operation.Faultf("graph_parse_failed", "%s/%s: %s", folder.Name, name, err.Error())
	}
	if in.Edges == nil {
		in.Edges = in.Links
	}
	g := &graph{hyper: len(in.Hyperedges), timestamp: in.Timestamp}
	for _, raw := range in.Nodes {
		var n struct {
			ID                 json.RawMessage
			Label, Description any
		}
		if json.Unmarshal(raw, &n) == nil {
			g.nodes = append(g.nodes, node{idText(n.ID), lower(n.Label), lower(n.Description), raw})
		}
	}
	for _, raw := range in.Edges {
		var e struct {
			Source, Target              json.RawMessage
			Label, Relation, Confidence any
			Score                       any `json:"confidence_score"`
		}
		if json.Unmarshal(raw, &e) != nil {
			continue
		}
		one := edge{idText(e.Source), idText(e.Target), text(e.Label), text(e.Relation), text(e.Confidence), raw}
		if one.confidence == "" {
			one.confidence = text(e.Score)
		}
		g.edges = append(g.edges, one)
	}
	return g, nil
}

// idText is an id, which may be a text or a number.
func idText(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

func text(v any) string {
	s, _ := v.(string)
	return s
}

func lower(v any) string { return strings.ToLower(text(v)) }

func noGraph() error {
	return operation.Faultf("graphify_no_graph", "there is no graph; one is built by graphify and put into %s/%s", folder.Name, graphFile)
}

// Around is the part of a graph around a word.
type Around struct {
	Term    string            `json:"term"`
	Nodes   []json.RawMessage `json:"nodes"`
	Edges   []json.RawMessage `json:"edges"`
	Total   int               `json:"total_nodes"`
	Links   int               `json:"total_edges"`
	Trimmed *string           `json:"trimmed"`
	// Met is whether the budget was kept: what the word was found in stays, however much that is.
	Met      *bool `json:"budget_met,omitempty"`
	Estimate int   `json:"budget_estimate,omitempty"`
}

// hops is how far from a word the graph is shown.
const hops = 2

func graphQuery(_ context.Context, c *operation.Call) (any, error) {
	budget, err := c.Number("budget", 0)
	if err != nil {
		return nil, err
	}
	g, err := readGraph(c, graphFile)
	if err != nil {
		return nil, err
	}
	if g == nil {
		return nil, noGraph()
	}
	a := Around{Term: c.Arg("TERM"), Nodes: []json.RawMessage{}, Edges: []json.RawMessage{}}
	nodes, edges, seeds := g.around(strings.ToLower(a.Term))
	if budget > 0 {
		before, links := len(nodes), len(edges)
		nodes, edges, a.Estimate = within(nodes, edges, seeds, budget)
		met := a.Estimate <= budget
		a.Met = &met
		if links > len(edges) {
			a.Trimmed = new(fmt.Sprintf("[%d edges omitted, %d nodes unreachable]", links-len(edges), before-len(nodes)))
		}
	}
	for _, n := range nodes {
		a.Nodes = append(a.Nodes, n.raw)
	}
	for _, e := range edges {
		a.Edges = append(a.Edges, e.raw)
	}
	a.Total, a.Links = len(nodes), len(edges)
	return a, nil
}

// around are the nodes whose label or description has a word, and what is up to two edges away, in the order in which they are come to.
func (g *graph) around(term string) (nodes []node, edges []edge, seeds map[string]bool) {
	byID, next := map[string]int{}, map[string][]int{}
	for i, n := range g.nodes {
		byID[n.id] = i
	}
	for i, e := range g.edges {
		next[e.source] = append(next[e.source], i)
		if e.target != e.source {
			next[e.target] = append(next[e.target], i)
		}
	}
	seeds, visited := map[string]bool{}, map[string]bool{}
	var order []string
	visit := func(id string) {
		visited[id] = true
		order = append(order, id)
	}
	for _, n := range g.nodes {
		if !visited[n.id] && (strings.Contains(n.label, term) || strings.Contains(n.text, term)) {
			seeds[n.id] = true
			visit(n.id)
		}
	}
	seen := map[[3]string]bool{}
	for hop, from := 0, 0; hop < hops; hop++ {
		to := len(order)
		for _, id := range order[from:to] {
			for _, i := range next[id] {
				e := g.edges[i]
				if key := [3]string{e.source, e.target, e.label}; !seen[key] {
					seen[key] = true
					edges = append(edges, e)
				}
				other := e.target
				if other == id {
					other = e.source
				}
				if !visited[other] {
					visit(other)
				}
			}
		}
		from = to
	}
	for _, id := range order {
		if i, ok := byID[id]; ok {
			nodes = append(nodes, g.nodes[i])
		}
	}
	return nodes, edges, seeds
}

// within leaves edges out, the least certain first, until the rest is of about so many tokens; then the nodes go that none is left of.
func within(nodes []node, edges []edge, seeds map[string]bool, budget int) ([]node, []edge, int) {
	trimmed := false
	for _, tier := range [...]string{"AMBIGUOUS", "INFERRED", "EXTRACTED"} {
		if estimate(nodes, edges) <= budget {
			break
		}
		var keep []edge
		for _, e := range edges {
			if e.confidence != tier {
				keep = append(keep, e)
			}
		}
		edges, trimmed = keep, true
	}
	if trimmed {
		reached := map[string]bool{}
		for _, e := range edges {
			reached[e.source], reached[e.target] = true, true
		}
		var keep []node
		for _, n := range nodes {
			if reached[n.id] || seeds[n.id] {
				keep = append(keep, n)
			}
		}
		nodes = keep
	}
	return nodes, edges, estimate(nodes, edges)
}

func estimate(nodes []node, edges []edge) int {
	n := len(`{"nodes":[],"edges":[]}`)
	for _, v := range nodes {
		n += len(v.raw) + 1
	}
	for _, e := range edges {
		n += len(e.raw) + 1
	}
	return (n + 3) / 4
}

// GraphStatus is how large and how old a graph is.
type GraphStatus struct {
	Exists bool   `json:"exists"`
	Built  string `json:"last_build"`
	Nodes  int    `json:"node_count"`
	Edges  int    `json:"edge_count"`
	Hyper  int    `json:"hyperedge_count"`
	Stale  bool   `json:"stale"`
	Age    int    `json:"age_hours"`
}

func graphStatus(_ context.Context, c *operation.Call) (any, error) {
	g, err := readGraph(c, graphFile)
	if err != nil {
		return nil, err
	}
	if g == nil {
		return struct {
			Exists  bool   `json:"exists"`
			Message string `json:"message"`
		}{false, noGraph().Error()}, nil
	}
	project, err := c.Project()
	if err != nil {
		return nil, err
	}
	st, err := os.Stat(filepath.Join(project, folder.Name, filepath.FromSlash(graphFile)))
	if err != nil {
		return nil, err
	}
	age := c.Now().Sub(st.ModTime())
	return GraphStatus{true, stamp(st.ModTime()), len(g.nodes), len(g.edges), g.hyper, age > fresh, int(math.Round(age.Hours()))}, nil
}

// GraphDiff is how many parts of a graph are not as in the last snapshot.
type GraphDiff struct {
	Nodes     counts  `json:"nodes"`
	Edges     counts  `json:"edges"`
	Timestamp *string `json:"timestamp"`
}

type counts struct {
	Added   int `json:"added"`
	Removed int `json:"removed"`
	Changed int `json:"changed"`
}

func compare(before, now map[string]string) (n counts) {
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

// parts are the nodes and edges of a graph by what they are known by.
func (g *graph) parts() (nodes, edges map[string]string) {
	nodes, edges = map[string]string{}, map[string]string{}
	for _, n := range g.nodes {
		nodes[n.id] = compact(n.raw)
	}
	for _, e := range g.edges {
		kind := e.relation
		if kind == "" {
			kind = e.label
		}
		edges[e.source+"::"+e.target+"::"+kind] = compact(e.raw)
	}
	return nodes, edges
}

// compact is a value without the blanks of its text.
func compact(raw json.RawMessage) string {
	b, err := json.Marshal(raw)
	if err != nil {
		return string(raw)
	}
	return string(b)
}

func graphDiff(_ context.Context, c *operation.Call) (any, error) {
	before, err := readGraph(c, graphBaseline)
	if err != nil {
		return nil, err
	}
	if before == nil {
		return Baseline{true, "there is no snapshot; \"ken plan graphify build snapshot\" keeps one"}, nil
	}
	now, err := readGraph(c, graphFile)
	if err != nil {
		return nil, err
	}
	if now == nil {
		return nil, noGraph()
	}
	a := GraphDiff{}
	if before.timestamp != "" {
		a.Timestamp = &before.timestamp
	}
	oldNodes, oldEdges := before.parts()
	nodes, edges := now.parts()
	a.Nodes, a.Edges = compare(oldNodes, nodes), compare(oldEdges, edges)
	return a, nil
}

// GraphSaved is what was kept of a graph.
type GraphSaved struct {
	Saved     bool   `json:"saved"`
	Timestamp string `json:"timestamp"`
	Nodes     int    `json:"node_count"`
	Edges     int    `json:"edge_count"`
}

func graphSnapshot(ctx context.Context, c *operation.Call) (any, error) {
	g, err := readGraph(c, graphFile)
	if err != nil {
		return nil, err
	}
	if g == nil {
		return nil, noGraph()
	}
	kept := struct {
		Version   int               `json:"version"`
		Timestamp string            `json:"timestamp"`
		Nodes     []json.RawMessage `json:"nodes"`
		Edges     []json.RawMessage `json:"edges"`
	}{1, stamp(c.Now()), []json.RawMessage{}, []json.RawMessage{}}
	for _, n := range g.nodes {
		kept.Nodes = append(kept.Nodes, n.raw)
	}
	for _, e := range g.edges {
		kept.Edges = append(kept.Edges, e.raw)
	}
	b, err := json.MarshalIndent(kept, "", "  ")
	if err != nil {
		return nil, err
	}
	_, err = c.ChangeWhole(ctx, "keep how the graph is", func(change.Read) ([]change.File, error) {
		return []change.File{{Name: graphBaseline, Text: new(string(b))}}, nil
	})
	return GraphSaved{true, kept.Timestamp, len(g.nodes), len(g.edges)}, err
}

// Build is what an agent has to do to build a graph.
type Build struct {
	Action    string   `json:"action"`
	Graphs    string   `json:"graphs_dir"`
	Out       string   `json:"graphify_out"`
	Timeout   int      `json:"timeout_seconds"`
	Version   *string  `json:"version"`
	Warning   string   `json:"version_warning"`
	Artifacts []string `json:"artifacts"`
}

func graphBuild(_ context.Context, c *operation.Call) (any, error) {
	project, err := c.Project()
	if err != nil {
		return nil, err
	}
	set, err := c.Settings()
	if err != nil {
		return nil, err
	}
	timeout := set.Number("graphify.build_timeout")
	if timeout <= 0 {
		timeout = int((5 * time.Minute).Seconds())
	}
	return Build{
		"spawn_agent", filepath.Join(project, folder.Name, "graphs"), filepath.Join(project, "graphify-out"), timeout, nil,
		"ken starts no graphify, so its version is not known; 0.4 and later, before 1.0, are known to work",
		[]string{"graph.json", "graph.html", "GRAPH_REPORT.md"},
	}, nil
}
