package enginetest

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ken/internal/engine"
	"ken/internal/engine/store"
	"ken/internal/store/sqlite"
)

// Edit is one change of a tree.
type Edit struct {
	Path string
	Text string // "" deletes the path
	Look bool   // bring the index up to date with the whole tree, not with this path alone
}

// CheckEdits makes edits one after the other and checks after each that the
// index, brought up to date, holds what a fresh one holds.
func CheckEdits(t *testing.T, files map[string]string, edits []Edit) *Project {
	t.Helper()
	p := New(t, files)
	for i, e := range edits {
		if e.Text == "" {
			p.Remove(e.Path)
		} else {
			p.Write(e.Path, e.Text)
		}
		if e.Look {
			p.Update()
		} else {
			p.Update(e.Path)
		}
		if got, want := p.Digest(), p.Fresh(); !slices.Equal(got, want) {
			t.Errorf("after edit %d of %s:\n%s", i, e.Path, firstDifference(got, want))
		}
	}
	return p
}

// Fresh returns the digest of an index of the tree made anew.
func (p *Project) Fresh() []string {
	p.T.Helper()
	db := sqlite.New(filepath.Join(p.T.TempDir(), "fresh.db"))
	e := engine.New(engine.Options{Root: p.Root, Store: db})
	defer e.Close()
	if _, err := e.Update(context.Background(), engine.Request{Create: true}); err != nil {
		p.T.Fatal(err)
	}
	return digest(p.T, db)
}

// Digest returns the facts in the index, one a line, sorted, without ids, ranks and times.
func (p *Project) Digest() []string {
	p.T.Helper()
	return digest(p.T, sqlite.New(p.DB))
}

func digest(t testing.TB, s store.Store) []string {
	t.Helper()
	r, err := s.Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var out []string
	paths := map[int64]string{}
	for f, err := range r.Files() {
		if err != nil {
			t.Fatal(err)
		}
		paths[f.ID] = f.Path
		out = append(out, fmt.Sprintf("file %s %s flags %d class %d problem %q lines %d package %q dependents %d", f.Path, f.Lang, f.Flags, f.Class,
			f.Problem, f.Lines, f.Package, f.Dependents))
		symbols, err := r.Symbols(f.ID)
		if err != nil {
			t.Fatal(err)
		}
		for i := range symbols {
			out = append(out, fmt.Sprintf("symbol %s %s %s %d", f.Path, symbols[i].Qualified, symbols[i].Kind, symbols[i].Span.Start))
		}
	}
	for e, err := range r.Edges() {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprintf("edge %s → %s %s %s", paths[e.Source], paths[e.Target], e.Relation, e.Confidence))
	}
	for name, err := range r.Names() {
		if err != nil {
			t.Fatal(err)
		}
		ids, err := r.Referrers(name)
		if err != nil {
			t.Fatal(err)
		}
		users := make([]string, len(ids))
		for i, id := range ids {
			users[i] = paths[id]
		}
		slices.Sort(users)
		out = append(out, fmt.Sprintf("name %s used in %v", name, users))
	}
	slices.Sort(out)
	return out
}

// firstDifference lists the lines that only one side has.
func firstDifference(got, want []string) string {
	var b strings.Builder
	for _, l := range got {
		if !slices.Contains(want, l) {
			b.WriteString("only updated: " + l + "\n")
		}
	}
	for _, l := range want {
		if !slices.Contains(got, l) {
			b.WriteString("only fresh: " + l + "\n")
		}
	}
	return b.String()
}
