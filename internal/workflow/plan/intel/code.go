package intel

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"ken/internal/workflow/plan/planop"
)

// Ask answers from an index of the code. A program without one has none, and gives nil.
type Ask func(ctx context.Context, c *planop.Call, w Wanted) (*Indexed, error)

// Wanted is what is asked of an index.
type Wanted struct {
	Roles    bool   // what each file offers and imports
	Packages bool   // which packages of others are used
	Around   string // the part of the graph of files around a word
	Whole    bool   // the whole graph
	Exports  string // what this file offers, from the root of the project
}

// Indexed is what an index answers.
type Indexed struct {
	// Note says why there is no index; then nothing else is set.
	Note     string
	Revision uint64
	Commit   string    // that HEAD was at
	Updated  time.Time // when it last took a change over; it was compared with the files for this answer
	Roles    []FileRole
	Packages []Package
	Graph    Graph
	Exports  []string // nil if the index does not hold the file
}

// FileRole is what a file is for.
type FileRole struct {
	Path    string   `json:"-"`
	Exports []string `json:"exports"`
	Imports []string `json:"imports"`
	Type    string   `json:"type"` // entry-point, module, config, test, template, data
}

// Package is one that the project uses and does not have itself.
type Package struct {
	Name   string   `json:"-"`
	UsedBy []string `json:"used_by"`
}

// Graph is a graph of files, and of the declarations that a word was found in.
type Graph struct {
	Nodes []GraphNode
	Edges []GraphEdge
	Found []string // the nodes that the word was found in
	// Omitted is how many more the word was found in.
	Omitted int
}

// GraphNode is a file or a declaration.
type GraphNode struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	Type  string `json:"type"`
	File  string `json:"source_file,omitempty"`
	Line  int    `json:"line,omitempty"`
}

// GraphEdge is a relation of two nodes. Confidence is EXTRACTED, INFERRED or AMBIGUOUS, as graphify has it.
type GraphEdge struct {
	Source     string `json:"source"`
	Target     string `json:"target"`
	Relation   string `json:"relation"`
	Confidence string `json:"confidence"`
}

// From says what an answer is from, and how old that is.
type From struct {
	Source  string `json:"source"`            // index or files
	Updated string `json:"updated_at"`        // "" if it does not say
	Age     string `json:"age"`               // in words
	Current bool   `json:"current,omitempty"` // it was compared with the files of the project for this answer
	Commit  string `json:"commit,omitempty"`
	Note    string `json:"note,omitempty"` // why there is no index
}

const (
	sourceIndex = "index"
	sourceFiles = "files"
)

// from says of an index what it is, and of its lack why.
func (x *Indexed) from(now time.Time) From {
	if !x.there() {
		return From{Source: sourceFiles, Note: x.note()}
	}
	return From{Source: sourceIndex, Updated: stamp(x.Updated), Age: since(now.Sub(x.Updated)), Current: true, Commit: x.Commit}
}

// fromFile says of a file what it is.
func fromFile(at, now time.Time, note string) From {
	return From{Source: sourceFiles, Updated: stamp(at), Age: since(now.Sub(at)), Note: note}
}

// note says why there is no index.
func (x *Indexed) note() string {
	if x == nil {
		return ""
	}
	return x.Note
}

func (x *Indexed) there() bool { return x != nil && x.Note == "" }

// asking are the operations with the index they ask.
type asking struct{ ask Ask }

// index asks the index, unless the call wants the files or there is nothing to ask. The answer may be nil.
func (o *asking) index(ctx context.Context, c *planop.Call, source string, w Wanted) (*Indexed, error) {
	if o.ask == nil || source == sourceFiles {
		return nil, nil
	}
	x, err := o.ask(ctx, c, w)
	if err != nil {
		return nil, err
	}
	if !x.there() && source == sourceIndex {
		return nil, planop.Faultf("no_index", "%s", x.Note)
	}
	return x, nil
}

// known are the files of .planning/intel that an index knows better than who wrote them down, in its own words.
func (x *Indexed) known() ([]*file, error) {
	roles, packages := &file{name: fileRoles, there: true, index: true}, &file{name: dependencies, there: true, index: true}
	for i := range x.Roles {
		if err := roles.add(x.Roles[i].Path, x.Roles[i]); err != nil {
			return nil, err
		}
	}
	for i := range x.Packages {
		if err := packages.add(x.Packages[i].Name, x.Packages[i]); err != nil {
			return nil, err
		}
	}
	list := []*file{roles, packages}
	for _, f := range list {
		text, err := json.Marshal(pairs(f.entries))
		if err != nil {
			return nil, err
		}
		f.text, f.updated = string(text), stamp(x.Updated)
	}
	return list, nil
}

func (f *file) add(key string, value any) error {
	b, err := json.Marshal(value)
	f.entries = append(f.entries, pair{Key: key, Value: b})
	return err
}

// load are all files in their order, those that the index knows from there. x may be nil.
func (o *asking) load(ctx context.Context, c *planop.Call, source string) (list []*file, x *Indexed, err error) {
	if list, err = loadFiles(c); err != nil {
		return nil, nil, err
	}
	if x, err = o.index(ctx, c, source, Wanted{Roles: true, Packages: true}); err != nil || !x.there() {
		return list, x, err
	}
	known, err := x.known()
	for i, f := range list {
		if at := slices.IndexFunc(known, func(k *file) bool { return k.name == f.name }); at >= 0 {
			list[i] = known[at]
		}
	}
	return list, x, err
}

// from says where a file is from.
func (f *file) from(now time.Time) From {
	a := From{Source: sourceFiles, Updated: f.updated}
	if f.index {
		a.Source, a.Current = sourceIndex, true
	}
	if age, ok := f.age(now); ok {
		a.Age = since(age)
	}
	return a
}

// graph is the graph of the index as those of files are.
func (x *Indexed) graph() (*graph, error) {
	g := &graph{timestamp: stamp(x.Updated), searched: true}
	found := map[string]bool{}
	for _, id := range x.Graph.Found {
		found[id] = true
	}
	for i := range x.Graph.Nodes {
		n := &x.Graph.Nodes[i]
		raw, err := json.Marshal(n)
		if err != nil {
			return nil, err
		}
		g.nodes = append(g.nodes, node{id: n.ID, label: lower(n.Label), raw: raw, found: found[n.ID]})
	}
	for i := range x.Graph.Edges {
		e := &x.Graph.Edges[i]
		raw, err := json.Marshal(e)
		if err != nil {
			return nil, err
		}
		g.edges = append(g.edges, edge{source: e.Source, target: e.Target, relation: e.Relation, confidence: e.Confidence, raw: raw})
	}
	return g, nil
}
