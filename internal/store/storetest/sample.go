package storetest

import (
	"bytes"
	"maps"
	"slices"
	"testing"

	"ken/internal/code"
	"ken/internal/engine/search"
	"ken/internal/engine/store"
)

// file is one file of the sample with all its stored values.
type file struct {
	row     code.File
	config  string
	content store.Content
	links   links
}

// links are the links of a file, like store.LinkRow, but with edges that name
// their targets by path, because the store chooses ids.
type links struct {
	imports, unresolved int
	probes              []uint64
	externals           []store.External
	edges               []edge
}

type edge struct {
	to         string
	relation   code.Relation
	confidence code.Confidence
}

// The paths of the sample, which is stored in another order than theirs.
// Two of them share the slug "b-b".
const (
	pathHelper  = "a/helper_test.go"
	pathB       = "b/b.go"
	pathA       = "a/a.go"
	pathTest    = "a/a_test.go"
	pathGuide   = "docs/guide.md"
	pathChanges = "docs/CHANGES.md"
	pathLogo    = "img/logo.png"
	pathMod     = "go.mod"
	pathGen     = "a/gen/x_gen.go"
	pathGem     = "a/lib.gemspec"
	pathSubMod  = "sub/go.mod"
	pathScript  = "b-b.js"
)

// highProbe is a key that does not fit into a signed number.
const highProbe = 1<<63 + 5

// sampleFiles returns the files of the sample project in the order in which they are stored.
func sampleFiles() []file {
	return []file{
		{row: goFile(pathHelper, "a", code.FlagTest, code.ClassTest), links: links{edges: []edge{
			{pathA, code.RelUses, code.UniqueName}, {pathA, code.RelMentions, code.UniqueName}, {pathGen, code.RelGenerated, code.ImportResolved}}}},
		fileB(), fileA(),
		{row: goFile(pathTest, "a", code.FlagTest, code.ClassTest),
			content: content("a_test", []string{"Open", "Server", "Start"},
				symbol("TestOpen", "TestOpen", code.KindFunction, -1, 5, true)),
			links: links{imports: 2, externals: []store.External{{Name: "fmt", Std: true}}, edges: []edge{
				{pathA, code.RelTests, code.ImportResolved}, {pathA, code.RelImports, code.ImportResolved}, {pathB, code.RelUses, code.Ambiguous}}}},
		{row: code.File{Path: pathGuide, Lang: "markdown", Class: code.ClassDocument, Flags: code.FlagDoc,
			Hash: hash(5), Stat: code.Stat{Size: 500}, Lines: 9},
			content: content("guide", []string{"Open", "Pool"},
				symbol("Open", "Open", code.KindHeading, -1, 0, true), symbol("Use", "Open.Use", code.KindHeading, 0, 40, true)),
			links: links{edges: []edge{{pathA, code.RelMentions, code.ImportResolved}, {pathB, code.RelMentions, code.ImportResolved}}}},
		{row: code.File{Path: pathChanges, Lang: "markdown", Class: code.ClassDocument | code.ClassChangelog,
			Hash: hash(6), Stat: code.Stat{Size: 60}}},
		{row: code.File{Path: pathLogo, Problem: code.ProblemBinary, Hash: hash(7), Stat: code.Stat{Size: 7000}}},
		{row: code.File{Path: pathMod, Lang: "gomod", Flags: code.FlagConfig, Hash: hash(8), Stat: code.Stat{Size: 80}}, config: "module m"},
		{row: code.File{Path: pathGen, Lang: "go", Package: "gen", Flags: code.FlagGenerated, Class: code.ClassGenerated,
			Problem: code.ProblemTooLarge, Hash: hash(9), Stat: code.Stat{Size: 90000}}},
		{row: code.File{Path: pathGem, Lang: "ruby", Flags: code.FlagConfig, Hash: hash(10), Stat: code.Stat{Size: 100}}, config: "Gem.new",
			links: links{edges: []edge{{pathA, code.RelUses, code.Ambiguous}}}},
		{row: code.File{Path: pathSubMod, Lang: "gomod", Flags: code.FlagConfig, Hash: hash(11), Stat: code.Stat{Size: 110}}, config: "module sub"},
		{row: code.File{Path: pathScript, Lang: "javascript", Hash: hash(12), Stat: code.Stat{Size: 120}, Lines: 3},
			content: content("script", nil, symbol("Open", "Open", code.KindConstant, -1, 2, false)),
			links:   links{unresolved: 1, imports: 1, edges: []edge{{pathA, code.RelUses, code.Ambiguous}}}},
	}
}

func fileB() file {
	b := file{row: goFile(pathB, "b", code.FlagTracked|code.FlagEntry, 0)}
	b.row.Stat = code.Stat{Size: 200, MTime: 1700000000000000001, CTime: 22, Inode: 1<<63 + 3}
	b.row.CL100K, b.row.O200K, b.row.ErrorBytes, b.row.Branches, b.row.Doc = 101, 102, 3, 120, "Package b does things. And more."
	b.content = content("b", []string{"Server", "Start", "helper"},
		symbol("Open", "Open", code.KindFunction, -1, 10, true), symbol("helper", "helper", code.KindFunction, -1, 60, false),
		symbol("Pool", "Pool", code.KindStruct, -1, 80, true), symbol("helper", "helper", code.KindVariable, -1, 120, false))
	b.content.Refs = 7
	b.content.Secrets = []store.Secret{
		{Rule: "generic", Start: 11, End: 30, Line: 2, Col: 4, Hash: [16]byte{1, 2}},
		{Rule: "aws", Start: 70, End: 90, Line: 8, Col: 1, Hash: [16]byte{3}, Noted: true, Copied: true}}
	b.links = links{imports: 4, unresolved: 1, probes: []uint64{7, highProbe, 7},
		externals: []store.External{{Name: "fmt", Std: true}, {Name: "lib"}},
		edges:     []edge{{pathA, code.RelExtends, code.Exact}, {pathA, code.RelImports, code.ImportResolved}}}
	return b
}

func fileA() file {
	a := file{row: goFile(pathA, "a", code.FlagTracked, code.ClassExample)}
	a.row.FirstIndexed = 1700000000123
	a.content = content("a", []string{"Close", "Pool", "Start"},
		symbol("Server", "Server", code.KindStruct, -1, 30, true), symbol("Start", "Server.Start", code.KindMethod, 0, 50, true),
		symbol("name", "Server.name", code.KindField, 0, 70, false), symbol("Open", "Open", code.KindFunction, -1, 90, true))
	a.content.Refs = 5
	a.content.Secrets = []store.Secret{ // one in the path, one at the same place of the text
		{Rule: "token", Start: 5, End: 8, Col: 6, Hash: [16]byte{4}},
		{Rule: "generic", Start: 5, End: 9, Line: 1, Col: 6, Hash: [16]byte{1, 2}, Copied: true}}
	a.links = links{imports: 1, probes: []uint64{7, 9},
		externals: []store.External{{Name: "fmt", Std: true}, {Name: "lib", Std: true}}}
	return a
}

func goFile(path, pkg string, flags code.Flags, class code.FileClass) code.File {
	return code.File{Path: path, Lang: "go", Package: pkg, Flags: flags, Class: class,
		Hash: hash(byte(len(path))), Stat: code.Stat{Size: 10}, Lines: 20}
}

func hash(b byte) (h [32]byte) {
	for i := range h {
		h[i] = b + byte(i)
	}
	return h
}

// symbol returns a declaration at a place in the file, three lines long.
func symbol(name, qualified string, kind code.Kind, parent int32, at uint32, exported bool) code.Symbol {
	return code.Symbol{Name: name, Qualified: qualified, Kind: kind, Parent: parent, Exported: exported, NameStart: at + 5,
		Span: code.Span{Start: at, End: at + 17, Line: at/10 + 1, EndLine: at/10 + 4}, Signature: kind.String() + " " + name}
}

func content(mark string, names []string, symbols ...code.Symbol) store.Content {
	return store.Content{Symbols: symbols, Packed: []byte("facts of " + mark), Names: names, Outline: []byte("outline of " + mark)}
}

// linkRow returns the stored links of a file.
func (f *file) linkRow(ids map[string]int64) *store.LinkRow {
	row := &store.LinkRow{Packed: []byte("links of " + f.row.Path), Imports: f.links.imports, Unresolved: f.links.unresolved,
		Probes: f.links.probes, Externals: f.links.externals}
	for _, e := range f.links.edges {
		row.Edges = append(row.Edges, store.EdgeRow{Source: ids[f.row.Path], Target: ids[e.to], Relation: e.relation, Confidence: e.confidence})
	}
	return row
}

// ways are the different ways in which the sample can be stored; the result must be the same.
var ways = []struct {
	name string
	fill func(t *testing.T, s store.Store) map[string]int64
}{
	{"Built", fillByBuild},
	{"Written", fillByWrite},
	{"Replaced", fillByReplacing},
}

func fillByBuild(t *testing.T, s store.Store) (ids map[string]int64) {
	buildIndex(t, s, func(tx store.Tx) (err error) {
		ids, err = putSample(tx)
		return err
	})
	return ids
}

func fillByWrite(t *testing.T, s store.Store) (ids map[string]int64) {
	buildIndex(t, s, writeNothing)
	writeTransaction(t, s, func(tx store.Tx) (err error) {
		ids, err = putSample(tx)
		return err
	})
	return ids
}

// fillByReplacing first stores other values under the same paths, and one more path, and then replaces them by the sample.
func fillByReplacing(t *testing.T, s store.Store) (ids map[string]int64) {
	buildIndex(t, s, writeNothing)
	before := otherSample()
	writeTransaction(t, s, func(tx store.Tx) (err error) {
		ids, err = putFiles(tx, before)
		return err
	})
	writeTransaction(t, s, func(tx store.Tx) error {
		for i, f := range sampleFiles() {
			if _, err := putFile(tx, &f, before[i].content.Names); err != nil {
				return err
			}
		}
		for i, f := range sampleFiles() {
			if err := tx.PutLinks(ids[f.row.Path], f.linkRow(ids), before[i].linkRow(ids)); err != nil {
				return err
			}
		}
		extra := &before[len(before)-1]
		if err := tx.DropFile(ids[extra.row.Path], extra.content.Names, extra.linkRow(ids)); err != nil {
			return err
		}
		delete(ids, extra.row.Path)
		return putRest(tx, ids)
	})
	return ids
}

// otherSample returns the sample's paths, each with the values of another file, and one more, whose slug three share.
func otherSample() []file {
	files := sampleFiles()
	out := slices.Clone(files)
	for i := range out {
		from := &files[(i+1)%len(files)]
		out[i].content, out[i].links = from.content, from.links
		out[i].row = code.File{Path: files[i].row.Path, Lang: "text", Package: "old", Problem: code.ProblemParseLimit, Lines: 1,
			FirstIndexed: files[i].row.FirstIndexed} // the time stays when the row is replaced
		if out[i].config != "" {
			out[i].config = "old"
		}
	}
	return append(out, file{row: code.File{Path: "b_b", Lang: "text", Hash: hash(90)}, config: "gone",
		content: content("gone", []string{"Gone", "Start"}, symbol("Gone", "Gone", code.KindFunction, -1, 1, true)),
		links: links{imports: 9, unresolved: 8, probes: []uint64{7, 99}, externals: []store.External{{Name: "gone"}},
			edges: []edge{{pathA, code.RelUses, code.Exact}, {pathB, code.RelTests, code.Exact}}}})
}

// putSample stores the sample into an index without files.
func putSample(tx store.Tx) (map[string]int64, error) {
	ids, err := putFiles(tx, sampleFiles())
	if err != nil {
		return nil, err
	}
	return ids, putRest(tx, ids)
}

// putFiles stores new files: first the contents of all, then the links of all, as updates do.
func putFiles(tx store.Tx, files []file) (map[string]int64, error) {
	ids := map[string]int64{}
	for i := range files {
		id, err := putFile(tx, &files[i], nil)
		if err != nil {
			return nil, err
		}
		ids[files[i].row.Path] = id
	}
	for i := range files {
		if err := tx.PutLinks(ids[files[i].row.Path], files[i].linkRow(ids), nil); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

func putFile(tx store.Tx, f *file, was []string) (int64, error) {
	row := f.row
	id, err := tx.PutFile(&row)
	if err != nil {
		return 0, err
	}
	if f.config != "" {
		if err := tx.PutConfig(f.row.Path, []byte(f.config)); err != nil {
			return 0, err
		}
	}
	return id, tx.PutContent(id, &f.content, was)
}

// sampleHead is the head of the search index in the sample.
const sampleHead = "head"

func sampleBuckets() []search.Bucket {
	return []search.Bucket{{Number: 3, Data: []byte("three")}, {Number: 1 << 33, Data: []byte("far")}}
}

// putRest stores those values of the sample that belong to no single file.
func putRest(tx store.Tx, ids map[string]int64) error {
	for _, step := range []func() error{
		func() error { return tx.SetMeta("b", "2") },
		func() error { return tx.SetMeta(store.MetaRevision, "41") },
		func() error { return tx.SetLook([]byte("look")) },
		func() error { return tx.Note("z") },
		func() error { return tx.Note("a") },
		func() error { return tx.PutSkip("a/link", code.ProblemSymlink) },
		func() error { return tx.PutHistory(store.HistoryKey{Part: 2, N: 1}, []byte("second")) },
		func() error { return tx.PutHistory(store.HistoryKey{Part: 1, N: 1<<32 - 1}, []byte("last")) },
		func() error { return tx.PutHistory(store.HistoryKey{Part: 0, N: 0}, []byte("first")) },
		func() error { return tx.SetRanks(maps.All(map[int64]float64{ids[pathA]: 0.5, ids[pathB]: 0.25})) },
		func() error { return tx.PutSearch([]byte(sampleHead), buckets(sampleBuckets())) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func buckets(list []search.Bucket) func(yield func(int64, []byte) bool) {
	return func(yield func(int64, []byte) bool) {
		for _, b := range list {
			if !yield(b.Number, bytes.Clone(b.Data)) {
				return
			}
		}
	}
}

// storeSample builds the sample into a store, for checks that change it.
func storeSample(t *testing.T, s store.Store) map[string]int64 {
	t.Helper()
	return fillByBuild(t, s)
}

// sampleFile returns one file of the sample by path.
func sampleFile(t *testing.T, path string) *file {
	t.Helper()
	files := sampleFiles()
	i := slices.IndexFunc(files, func(f file) bool { return f.row.Path == path })
	if i < 0 {
		t.Fatalf("the sample has no %s", path)
	}
	return &files[i]
}

// equalRanks gives each file a rank.
func equalRanks(ids map[string]int64, rank float64) func(yield func(int64, float64) bool) {
	return func(yield func(int64, float64) bool) {
		for id := range maps.Values(ids) {
			if !yield(id, rank) {
				return
			}
		}
	}
}
