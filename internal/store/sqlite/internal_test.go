package sqlite

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"zombiezen.com/go/sqlite"

	"ken/internal/code"
	"ken/internal/engine/store"
)

// openBuilt builds an index by f and opens it beside its store.
func openBuilt(t *testing.T, f func(store.Tx) error) (*Store, *reader) {
	t.Helper()
	s := New(filepath.Join(t.TempDir(), "index.db"))
	t.Cleanup(func() { s.Close() })
	if err := s.Build(context.Background(), func() bool { return false }, f); err != nil {
		t.Fatal(err)
	}
	r, err := s.Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return s, r.(*reader)
}

// texts are the rows of a query, columns joined by a blank.
func texts(t *testing.T, r *reader, sql string, args ...any) []string {
	t.Helper()
	out, err := queryList(r, sql, func(st *sqlite.Stmt) string {
		var cols []string
		for i := range st.ColumnCount() {
			cols = append(cols, st.ColumnText(i))
		}
		return strings.Join(cols, " ")
	}, args...)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return out
}

// TestDocumentClass holds the number in SQL to the constant of package code, and
// the query to the index that was made for it.
func TestDocumentClass(t *testing.T) {
	condition := fmt.Sprintf("class&%d<>0", code.ClassDocument)
	for what, sql := range map[string]string{"the index": indexes, "the query": documentsQuery} {
		if !strings.Contains(sql, condition) {
			t.Errorf("%s does not have %s", what, condition)
		}
	}
	_, r := openBuilt(t, func(store.Tx) error { return nil })
	plan := strings.Join(texts(t, r, "EXPLAIN QUERY PLAN "+documentsQuery), "\n")
	if !strings.Contains(plan, "COVERING INDEX files_documents") {
		t.Errorf("the plan is %s", plan)
	}
}

// TestViews checks that the views say what answers say, in the same words.
func TestViews(t *testing.T) {
	relations := []code.Relation{code.RelImports, code.RelExtends, code.RelImplements, code.RelTests, code.RelUses, code.RelMentions, code.RelGenerated}
	_, r := openBuilt(t, func(tx store.Tx) error {
		var ids []int64
		for _, f := range []code.File{{Path: "a.go", Lang: "go", Lines: 9, Doc: "Says what."}, {Path: "b.png", Problem: code.ProblemBinary}} {
			id, err := tx.PutFile(&f)
			if err != nil {
				return err
			}
			ids = append(ids, id)
		}
		twice := code.Symbol{Name: "F", Qualified: "F", Kind: code.KindFunction, Parent: -1, Span: code.Span{Line: 3, EndLine: 5}, Signature: "func F()"}
		if err := tx.PutContent(ids[0], &store.Content{Symbols: []code.Symbol{twice, twice}}, nil); err != nil {
			return err
		}
		links := &store.LinkRow{Packed: []byte("l")}
		for _, rel := range relations {
			links.Edges = append(links.Edges, store.EdgeRow{Source: ids[0], Target: ids[1], Relation: rel, Confidence: code.Confidence(rel % 4)})
		}
		return tx.PutLinks(ids[0], links, nil)
	})
	var edges []string
	for _, rel := range relations {
		edges = append(edges, fmt.Sprintf("a b %s %s", rel, code.Confidence(rel%4)))
	}
	got := texts(t, r, "SELECT * FROM edges")
	if fmt.Sprint(got) != fmt.Sprint(edges) {
		t.Errorf("edges:\n got %q\nwant %q", got, edges)
	}
	if got := texts(t, r, "SELECT id,path,purpose,lines,status,language FROM nodes"); fmt.Sprint(got) != "[a a.go Says what. 9 active go]" {
		t.Errorf("nodes: %q", got)
	}
	want := []string{}
	for n := range 2 {
		id := entityID("a.go", "F", n)
		h := hex.EncodeToString(id[:])
		uuid := strings.Join([]string{h[:8], h[8:12], h[12:16], h[16:20], h[20:]}, "-")
		want = append(want, uuid+" a.go function F func F() 3 5")
	}
	got = texts(t, r, "SELECT id,file_path,entity_type,name,signature,line_start,line_end FROM code_entities")
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("code_entities:\n got %q\nwant %q", got, want)
	}
}

// TestEntityID pins the ids that others may have kept.
// TestWrittenNodes: what is written of a file goes before what is derived of it.
func TestWrittenNodes(t *testing.T) {
	for pages, want := range map[string]string{
		"": "[module Says what. active missing]", "[]": "[module Says what. active missing]",
		`[{"path":"a.go","type":"util","purpose":"Says why.","status":"stale","entity":"stale"},{"path":"none","type":"x"}]`: "[util Says why. stale stale]",
		`[{"path":"a.go","type":"util","status":"deprecated","entity":"current"}]`:                                           "[util Says what. deprecated current]",
	} {
		_, r := openBuilt(t, func(tx store.Tx) error {
			f := code.File{Path: "a.go", Lang: "go", Lines: 9, Doc: "Says what."}
			if _, err := tx.PutFile(&f); err != nil {
				return err
			}
			return tx.SetMeta(store.MetaPages, pages)
		})
		if got := texts(t, r, "SELECT type,purpose,status,entityStatus FROM nodes"); fmt.Sprint(got) != want {
			t.Errorf("nodes with pages %s: %q, want %s", pages, got, want)
		}
	}
}

func TestEntityID(t *testing.T) {
	id := entityID("a/b.go", "Server.Start", 1)
	if got := hex.EncodeToString(id[:]); got != "361eeb5fbe315a3f835ac86dba8b3f21" {
		t.Errorf("the id is %s", got)
	}
	if id[6]>>4 != 5 || id[8]>>6 != 2 {
		t.Errorf("% x is no version 5 UUID", id)
	}
}

// TestReadOnly opens an index as where nothing can be written beside it.
func TestReadOnly(t *testing.T) {
	s, r := openBuilt(t, func(tx store.Tx) error { return tx.SetMeta("a", "1") })
	if err := s.Write(context.Background(), func(tx store.Tx) error { return tx.SetMeta("a", "2") }); err != nil {
		t.Fatal(err)
	}
	// The reader keeps the log from being written back.
	if _, err := s.openReadOnly(); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("with changes in its log: %v", err)
	}
	if err := errors.Join(r.Close(), s.Close()); err != nil {
		t.Fatal(err)
	}
	c, err := s.openReadOnly()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := begin(c, "BEGIN"); err != nil {
		t.Fatal(err)
	}
	if a, err := (&reader{c: c.Conn}).Meta("a"); a != "2" || err != nil {
		t.Errorf("read %q, %v", a, err)
	}
	if err := (&tx{reader: reader{c: c.Conn}}).SetMeta("a", "3"); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("a write: %v", err)
	}
	if _, err := New(s.path + ".no").openReadOnly(); err == nil {
		t.Error("nothing is opened")
	}
}

// TestIdle bounds the connections that are kept.
func TestIdle(t *testing.T) {
	s, _ := openBuilt(t, func(store.Tx) error { return nil })
	var readers []store.Reader
	for range maxIdle + 3 {
		r, err := s.Read(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		readers = append(readers, r)
	}
	for _, r := range readers {
		r.Close()
	}
	if len(s.idle) != maxIdle {
		t.Errorf("%d connections are kept", len(s.idle))
	}
	if err := s.Close(); err != nil || len(s.idle) != 0 {
		t.Errorf("%d connections are left, %v", len(s.idle), err)
	}
}

// TestEntityTypes holds the numbers of kinds in the view to those of package code.
func TestEntityTypes(t *testing.T) {
	types := map[code.Kind]string{
		code.KindFunction: "function", code.KindMethod: "function", code.KindConstructor: "function", code.KindMacro: "function",
		code.KindClass: "class", code.KindStruct: "class", code.KindUnion: "class", code.KindMessage: "class",
		code.KindInterface: "interface", code.KindTrait: "interface", code.KindService: "interface",
		code.KindType: "type", code.KindEnum: "type", code.KindTable: "type", code.KindView: "type",
	}
	var c store.Content
	var want []string
	for k := code.KindFunction; k.String() != "unknown"; k++ {
		c.Symbols = append(c.Symbols, code.Symbol{Name: k.String(), Qualified: k.String(), Kind: k, Parent: -1})
		entity := types[k]
		if entity == "" {
			entity = "variable"
		}
		want = append(want, k.String()+" "+entity)
	}
	_, r := openBuilt(t, func(tx store.Tx) error {
		id, err := tx.PutFile(&code.File{Path: "a"})
		return errors.Join(err, tx.PutContent(id, &c, nil))
	})
	if got := texts(t, r, "SELECT name,entity_type FROM code_entities"); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("entity types:\n got %q\nwant %q", got, want)
	}
}

// BenchmarkOpen measures opening an index for one reader, as a command does.
func BenchmarkOpen(b *testing.B) {
	s := New(filepath.Join(b.TempDir(), "index.db"))
	if err := s.Build(context.Background(), func() bool { return false }, func(store.Tx) error { return nil }); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		r, err := s.Read(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		r.Close()
		s.Close()
	}
}
