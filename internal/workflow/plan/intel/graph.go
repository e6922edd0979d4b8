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
	"slices"
	"strings"
	"time"

	"ken/internal/workflow/plan/folder"
	"ken/internal/workflow/plan/planop"
)

const (
	graphFile     = "graphs/graph.json"
	graphBaseline = "graphs/.last-build-snapshot.json"
)

// graph is a graph of files and declarations, read from a file that another program wrote or taken from an index.
type graph struct {
	nodes     []node
	edges     []edge
	hyper     int
	timestamp string
	searched  bool   // true if an index has marked the nodes that contain the word
	source    string // the source of a snapshot: "index", or "" for another program
}

type node struct {
	id, label, text string // label and description in lower case
	raw             json.RawMessage
	found           bool // it contains the word, according to an index
}

type edge struct {
	source, target, label, relation, confidence string
	raw                                         json.RawMessage
}

// readGraph reads a graph that another program wrote. It returns nil if there is no such file.
func readGraph(c *planop.Call, name string) (*graph, error) {
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
		Timestamp, Source               string
	}
	if err := json.Unmarshal([]byte(strings.TrimPrefix(content, "\ufeff")), &in); err != nil {
		return nil, planop.Faultf("graph_parse_failed", "%s/%s: %s", folder.Name, name, err.Error())
	}
	if in.Edges == nil {
		in.Edges = in.Links
	}
	g := &graph{hyper: len(in.Hyperedges), timestamp: in.Timestamp, source: in.Source}
	for _, raw := range in.Nodes {
		var n struct {
			ID                 json.RawMessage
			Label, Description any
		}
		if json.Unmarshal(raw, &n) == nil {
			g.nodes = append(g.nodes, node{id: idText(n.ID), label: lowerText(n.Label), text: lowerText(n.Description), raw: raw})
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
		one := edge{idText(e.Source), idText(e.Target), stringOrEmpty(e.Label), stringOrEmpty(e.Relation), stringOrEmpty(e.Confidence), raw}
		if one.confidence == "" {
			one.confidence = stringOrEmpty(e.Score)
		}
		g.edges = append(g.edges, one)
	}
	return g, nil
}

// idText returns the text of an id, which is a string or a number in JSON.
func idText(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

func stringOrEmpty(v any) string {
	s, _ := v.(string)
	return s
}

func lowerText(v any) string { return strings.ToLower(stringOrEmpty(v)) }

func missingGraphError() error {
	return planop.Faultf("graphify_no_graph", "there is no graph; graphify builds one for %s/%s", folder.Name, graphFile)
}

// Neighbourhood is the part of a graph near the nodes that contain a word.
type Neighbourhood struct {
	Term    string            `json:"term"`
	Nodes   []json.RawMessage `json:"nodes"`
	Edges   []json.RawMessage `json:"edges"`
	Total   int               `json:"total_nodes"`
	Links   int               `json:"total_edges"`
	Trimmed *string           `json:"trimmed"`
	// Met reports whether the answer is within the budget of tokens. Nodes that contain the word are never left out, however many.
	Met      *bool  `json:"budget_met,omitempty"`
	Estimate int    `json:"budget_estimate,omitempty"`
	From     Origin `json:"answered_from"`
}

// hops is the maximal number of edges between a shown node and one that contains the word.
const hops = 2

func (o *indexAsker) graphQuery(ctx context.Context, c *planop.Call, in *graphifyQueryInput) (any, error) {
	budget := in.Budget
	if strings.TrimSpace(in.Term) == "" {
		return nil, planop.Usagef("TERM is empty; name what is looked for")
	}
	x, err := o.askIndex(ctx, c, in.Source, Wanted{Around: in.Term})
	if err != nil {
		return nil, err
	}
	if x.hasIndex() {
		return x.neighbourhood(c, budget, in)
	}
	g, err := readGraph(c, graphFile)
	if err != nil {
		return nil, err
	}
	if g == nil {
		return nil, missingGraphError()
	}
	from, err := graphOrigin(c, x.missingIndexReason())
	if err != nil {
		return nil, err
	}
	a := Neighbourhood{Term: in.Term, From: from}
	nodes, edges, seeds := g.neighbourhood(strings.ToLower(a.Term), hops)
	if budget > 0 {
		before, links := len(nodes), len(edges)
		nodes, edges, a.Estimate = fitEdges(nodes, edges, seeds, budget)
		met := a.Estimate <= budget
		a.Met = &met
		if links > len(edges) {
			a.Trimmed = new(fmt.Sprintf("[%d edges omitted, %d nodes unreachable]", links-len(edges), before-len(nodes)))
		}
	}
	a.addRows(nodes, edges)
	return a, nil
}

// addRows adds nodes and edges to the answer.
func (a *Neighbourhood) addRows(nodes []node, edges []edge) {
	a.Nodes, a.Edges = []json.RawMessage{}, []json.RawMessage{}
	for _, n := range nodes {
		a.Nodes = append(a.Nodes, n.raw)
	}
	for _, e := range edges {
		a.Edges = append(a.Edges, e.raw)
	}
	a.Total, a.Links = len(nodes), len(edges)
}

// indexBudget is the default number of tokens of an answer from an index. Without a limit, a file that all others use would bring in all
// of them.
const indexBudget = 8000

// neighbourhood returns the part of the graph that the index found for a word, within a budget of tokens.
func (x *Indexed) neighbourhood(c *planop.Call, budget int, in *graphifyQueryInput) (any, error) {
	g, err := x.toGraph()
	if err != nil {
		return nil, err
	}
	if budget <= 0 {
		budget = indexBudget
	}
	a := Neighbourhood{Term: in.Term, From: x.origin(c.Now())}
	whole, _, _ := g.neighbourhood("", -1)
	nodes, edges, found := g.fitBudget(budget)
	a.Estimate = estimateTokens(nodes, edges)
	a.Met = new(a.Estimate <= budget)
	if far, more := len(whole)-len(nodes), x.Graph.Omitted+len(x.Graph.Found)-found; far+more > 0 {
		a.Trimmed = new(fmt.Sprintf("[%d nodes omitted, %d of them have the word]", far+x.Graph.Omitted, more))
	}
	a.addRows(nodes, edges)
	return a, nil
}

// fitBudget returns the part of an index's graph that fits a budget of tokens, and the number of nodes with the word in it. It drops
// nodes two steps away first, then the last nodes with the word, so that the relations of the first ones stay as long as possible.
func (g *graph) fitBudget(budget int) (nodes []node, edges []edge, found int) {
	all := 0
	for i := range g.nodes {
		if g.nodes[i].found {
			all++
		}
	}
	for most := all; most > 0; most /= 2 {
		for far := hops; far > 0; far-- {
			if nodes, edges, _ := g.markFirst(most).neighbourhood("", far); estimateTokens(nodes, edges) <= budget {
				return nodes, edges, most
			}
		}
	}
	// Not even the neighbours of the first node fit: only the nodes with the word stay, and the edges between them.
	nodes, _, _ = g.neighbourhood("", 0)
	for len(nodes) > 1 && estimateTokens(nodes, nil) > budget*2/3 || len(nodes) == 1 && estimateTokens(nodes, nil) > budget {
		nodes = nodes[:len(nodes)-1]
	}
	there := map[string]bool{}
	for _, n := range nodes {
		there[n.id] = true
	}
	for _, e := range g.edges {
		if there[e.source] && there[e.target] && estimateTokens(nodes, append(edges[:len(edges):len(edges)], e)) <= budget {
			edges = append(edges, e)
		}
	}
	return nodes, edges, len(nodes)
}

// markFirst returns a graph in which only the first most nodes with the word are marked as found.
func (g *graph) markFirst(most int) *graph {
	less := *g
	less.nodes = slices.Clone(g.nodes)
	for i := range less.nodes {
		if n := &less.nodes[i]; n.found {
			n.found = most > 0
			most--
		}
	}
	return &less
}

// graphOrigin describes the graph that another program wrote as the source of an answer.
func graphOrigin(c *planop.Call, note string) (Origin, error) {
	built, err := graphBuildTime(c)
	return fileOrigin(built, c.Now(), note), err
}

func graphBuildTime(c *planop.Call) (time.Time, error) {
	project, err := c.Project()
	if err != nil {
		return time.Time{}, err
	}
	st, err := os.Stat(filepath.Join(project, folder.Name, filepath.FromSlash(graphFile)))
	if err != nil {
		return time.Time{}, err
	}
	return st.ModTime(), nil
}

// neighbourhood returns the nodes whose label or description contains a word, and the nodes at most far edges away from them, nearest
// first. With the word "" it begins at the nodes that an index has found.
func (g *graph) neighbourhood(term string, far int) (nodes []node, edges []edge, seeds map[string]bool) {
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
		if !visited[n.id] && g.hasTerm(&n, term) {
			seeds[n.id] = true
			visit(n.id)
		}
	}
	seen := map[[3]string]bool{}
	for hop, from := 0, 0; hop != far && from < len(order); hop++ {
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

// hasTerm reports whether the label or description of a node contains a word.
func (g *graph) hasTerm(n *node, term string) bool {
	if g.searched {
		return n.found
	}
	return strings.Contains(n.label, term) || strings.Contains(n.text, term)
}

// fitEdges drops edges, the least certain first, until the rest has about as many tokens as the budget. Then it drops the nodes without
// edges, except those in seeds.
func fitEdges(nodes []node, edges []edge, seeds map[string]bool, budget int) ([]node, []edge, int) {
	trimmed := false
	for _, tier := range [...]string{"AMBIGUOUS", "INFERRED", "EXTRACTED"} {
		if estimateTokens(nodes, edges) <= budget {
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
	return nodes, edges, estimateTokens(nodes, edges)
}

func estimateTokens(nodes []node, edges []edge) int {
	n := len(`{"nodes":[],"edges":[]}`)
	for _, v := range nodes {
		n += len(v.raw) + 1
	}
	for _, e := range edges {
		n += len(e.raw) + 1
	}
	return (n + 3) / 4
}

// GraphStatus is the size and age of a graph.
type GraphStatus struct {
	Exists bool   `json:"exists"`
	Built  string `json:"last_build"`
	Nodes  int    `json:"node_count"`
	Edges  int    `json:"edge_count"`
	Hyper  int    `json:"hyperedge_count"`
	Stale  bool   `json:"stale"`
	Age    int    `json:"age_hours"`
	From   Origin `json:"answered_from"`
}

func (o *indexAsker) graphStatus(ctx context.Context, c *planop.Call, in *sourceInput) (any, error) {
	x, err := o.askIndex(ctx, c, in.Source, Wanted{Whole: true})
	if err != nil {
		return nil, err
	}
	if x.hasIndex() {
		age := c.Now().Sub(x.Updated)
		return GraphStatus{
			Exists: true, Built: formatTime(x.Updated), Nodes: len(x.Graph.Nodes), Edges: len(x.Graph.Edges),
			Age: int(math.Round(age.Hours())), From: x.origin(c.Now()),
		}, nil
	}
	g, err := readGraph(c, graphFile)
	if err != nil {
		return nil, err
	}
	if g == nil {
		return struct {
			Exists  bool   `json:"exists"`
			Message string `json:"message"`
		}{false, missingGraphError().Error()}, nil
	}
	built, err := graphBuildTime(c)
	if err != nil {
		return nil, err
	}
	age := c.Now().Sub(built)
	return GraphStatus{
		true, formatTime(built), len(g.nodes), len(g.edges), g.hyper, age > fresh, int(math.Round(age.Hours())), fileOrigin(built, c.Now(), x.missingIndexReason()),
	}, nil
}

// Build is an instruction to an agent that has to build a graph.
type Build struct {
	Action    string   `json:"action"`
	Graphs    string   `json:"graphs_dir"`
	Out       string   `json:"graphify_out"`
	Timeout   int      `json:"timeout_seconds"`
	Version   *string  `json:"version"`
	Warning   string   `json:"version_warning"`
	Artifacts []string `json:"artifacts"`
}

func buildInstruction(_ context.Context, c *planop.Call, _ *planop.NoInput) (any, error) {
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
