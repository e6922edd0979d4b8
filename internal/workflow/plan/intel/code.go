package intel

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"ken/internal/workflow/plan/planop"
)

// Ask answers a question from an index of the code. In a program without an index it returns nil. It fails if the index cannot be read.
type Ask func(ctx context.Context, c *planop.Call, w Wanted) (*Indexed, error)

// Wanted is a question to an index: the parts of the answer that are wanted.
type Wanted struct {
	Roles    bool   // exports and imports of each file
	Packages bool   // third-party packages in use
	Around   string // the part of the file graph around a word
	Whole    bool   // the whole graph
	Exports  string // the exports of this file, from the root of the project
}

// Indexed is the answer of an index to a question.
type Indexed struct {
	// Note is the reason why there is no index. If it is set, no other field is.
	Note     string
	Revision uint64
	Commit   string    // the commit of HEAD
	Updated  time.Time // when the index last took a change; it was compared with the files for this answer
	Roles    []FileRole
	Packages []Package
	Graph    Graph
	Exports  []string // nil if the index does not have the file
}

// FileRole describes a file: its exports and imports.
type FileRole struct {
	Path    string   `json:"-"`
	Exports []string `json:"exports"`
	Imports []string `json:"imports"`
	Type    string   `json:"type"` // entry-point, module, config, test, template, data
}

// Package is a third-party package in use.
type Package struct {
	Name   string   `json:"-"`
	UsedBy []string `json:"used_by"`
}

// Graph is a graph of files and of the declarations that contain a word.
type Graph struct {
	Nodes []GraphNode
	Edges []GraphEdge
	Found []string // the nodes that contain the word
	// Omitted is the number of further nodes that contain the word.
	Omitted int
}

// GraphNode is a file or a declaration in a Graph.
type GraphNode struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	Type  string `json:"type"`
	File  string `json:"source_file,omitempty"`
	Line  int    `json:"line,omitempty"`
}

// GraphEdge is a relation of two nodes. Confidence is EXTRACTED, INFERRED or AMBIGUOUS, as in files of the program graphify.
type GraphEdge struct {
	Source     string `json:"source"`
	Target     string `json:"target"`
	Relation   string `json:"relation"`
	Confidence string `json:"confidence"`
}

// Origin is the source of an answer, an index or a file, and its age.
type Origin struct {
	Source  string `json:"source"`            // index or files
	Updated string `json:"updated_at"`        // "" if unknown
	Age     string `json:"age"`               // in words
	Current bool   `json:"current,omitempty"` // it was compared with the files of the project for this answer
	Commit  string `json:"commit,omitempty"`
	Note    string `json:"note,omitempty"` // the reason why there is no index
}

const (
	sourceIndex = "index"
	sourceFiles = "files"
)

// origin describes the index as the source of an answer, or gives the reason why there is none.
func (x *Indexed) origin(now time.Time) Origin {
	if !x.hasIndex() {
		return Origin{Source: sourceFiles, Note: x.missingIndexReason()}
	}
	return Origin{Source: sourceIndex, Updated: formatTime(x.Updated), Age: ageText(now.Sub(x.Updated)), Current: true, Commit: x.Commit}
}

// fileOrigin describes a file, written at a time, as the source of an answer.
func fileOrigin(at, now time.Time, note string) Origin {
	return Origin{Source: sourceFiles, Updated: formatTime(at), Age: ageText(now.Sub(at)), Note: note}
}

// missingIndexReason returns the reason why there is no index.
func (x *Indexed) missingIndexReason() string {
	if x == nil {
		return ""
	}
	return x.Note
}

func (x *Indexed) hasIndex() bool { return x != nil && x.Note == "" }

// indexAsker has the function that queries the index of the code, nil if the program has no index.
type indexAsker struct{ ask Ask }

// askIndex asks the index a question. It returns nil if the call wants an answer from files, or if there is no index to ask.
func (o *indexAsker) askIndex(ctx context.Context, c *planop.Call, source string, w Wanted) (*Indexed, error) {
	if o.ask == nil || source == sourceFiles {
		return nil, nil
	}
	x, err := o.ask(ctx, c, w)
	if err != nil {
		return nil, err
	}
	if !x.hasIndex() && source == sourceIndex {
		return nil, planop.Faultf("no_index", "%s", x.Note)
	}
	return x, nil
}

// indexedFiles returns those files of .planning/intel that the index replaces, because it knows their facts better than their authors.
func (x *Indexed) indexedFiles() ([]*file, error) {
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
		text, err := json.Marshal(orderedObject(f.entries))
		if err != nil {
			return nil, err
		}
		f.text, f.updated = string(text), formatTime(x.Updated)
	}
	return list, nil
}

func (f *file) add(key string, value any) error {
	b, err := json.Marshal(value)
	f.entries = append(f.entries, keyValue{Key: key, Value: b})
	return err
}

// loadAll returns all files of .planning/intel in the order of answers, with those that the index replaces from the index. x is the answer
// of the index, or nil.
func (o *indexAsker) loadAll(ctx context.Context, c *planop.Call, source string) (list []*file, x *Indexed, err error) {
	if list, err = loadFiles(c); err != nil {
		return nil, nil, err
	}
	if x, err = o.askIndex(ctx, c, source, Wanted{Roles: true, Packages: true}); err != nil || !x.hasIndex() {
		return list, x, err
	}
	known, err := x.indexedFiles()
	for i, f := range list {
		if at := slices.IndexFunc(known, func(k *file) bool { return k.name == f.name }); at >= 0 {
			list[i] = known[at]
		}
	}
	return list, x, err
}

// origin describes the file as the source of an answer.
func (f *file) origin(now time.Time) Origin {
	a := Origin{Source: sourceFiles, Updated: f.updated}
	if f.index {
		a.Source, a.Current = sourceIndex, true
	}
	if age, ok := f.age(now); ok {
		a.Age = ageText(age)
	}
	return a
}

// toGraph returns the graph of the index in the form of a graph that was read from a file.
func (x *Indexed) toGraph() (*graph, error) {
	g := &graph{timestamp: formatTime(x.Updated), searched: true}
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
		g.nodes = append(g.nodes, node{id: n.ID, label: lowerText(n.Label), raw: raw, found: found[n.ID]})
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
