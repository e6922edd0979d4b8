package relink

import (
	"ken/internal/code"
	"ken/internal/engine/facts"
	"ken/internal/engine/graph"
	"ken/internal/engine/store"
)

// LinkFile links one file from its packed facts. It returns the row to store, with the facts and links it is made from. A
// file without facts that is not a test has nothing to link: its row is empty. It fails with code.ErrDamaged if the
// facts cannot be decoded.
func LinkFile(linker *graph.Linker, n graph.Node, blob []byte) (*store.LinkRow, *code.Facts, []graph.Link, error) {
	f := &code.Facts{}
	if len(blob) == 0 && !n.Test {
		return &store.LinkRow{}, f, nil, nil
	}
	if len(blob) > 0 {
		p, err := facts.Open(blob)
		if err != nil {
			return nil, nil, nil, err
		}
		if f.Imports, f.Exports, f.Refs, err = p.Linkable(); err != nil {
			return nil, nil, nil, err
		}
	}
	linked := linker.Link(n, f)
	row := makeRow(&linked.Links, linked.Edges, linked.Unresolved)
	row.Packed = linked.Links.Encode()
	return row, f, linked.Links.Imports, nil
}

// StoredLinks returns the links of a file in the index, nil if there are none. It returns an error if they cannot be
// read or are damaged.
func StoredLinks(r store.Facts, id int64) (*graph.Links, error) {
	blob, err := r.Links(id)
	if err != nil || len(blob) == 0 {
		return nil, err
	}
	return graph.DecodeLinks(blob)
}

// OldRow returns the parts of the earlier links that PutLinks and DropFile need; nil for none.
func OldRow(l *graph.Links) *store.LinkRow {
	if l == nil {
		return nil
	}
	return makeRow(l, nil, 0)
}

// makeRow converts links to the store's form.
func makeRow(l *graph.Links, edges []graph.Edge, unresolved int) *store.LinkRow {
	row := &store.LinkRow{Probes: l.Probes, Imports: len(l.Imports), Unresolved: unresolved}
	seen := map[string]bool{}
	for i := range l.Imports {
		if k := &l.Imports[i]; k.External != "" && !seen[k.External] {
			seen[k.External] = true
			row.Externals = append(row.Externals, store.External{Name: k.External, Std: k.Std})
		}
	}
	for _, e := range edges {
		row.Edges = append(row.Edges, store.EdgeRow{Target: e.Target, Relation: e.Relation, Confidence: e.Confidence})
	}
	return row
}
