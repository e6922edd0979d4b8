package storetest

import (
	"slices"
	"testing"

	"ken/internal/code"
	"ken/internal/engine/search"
	"ken/internal/engine/store"
)

func checkTouch(t *testing.T, s store.Store) {
	ids := storeSample(t, s)
	stat := code.Stat{Size: 11, MTime: 12, CTime: 13, Inode: 1<<64 - 1}
	writeTransaction(t, s, func(tx store.Tx) error { return tx.Touch(ids[pathB], stat, code.FlagVendored) })
	readState(t, s, func(r store.Reader) {
		row := sample{r, ids}.fullRow(t, pathB)
		row.Stat, row.Flags = stat, code.FlagVendored
		wantFound(t, "FileByPath", row)(r.FileByPath(pathB))
		wantFound(t, "another file", sample{r, ids}.fullRow(t, pathA))(r.FileByPath(pathA))
	})
}

// checkPutFile replaces a file's row, and checks that rank, dependents, slug, number of symbols and the time of the first indexing stay.
func checkPutFile(t *testing.T, s store.Store) {
	ids := storeSample(t, s)
	next := code.File{Path: pathA, Lang: "text", Class: code.ClassDocument, Hash: hash(77), Lines: 4, Doc: "New.", FirstIndexed: 99}
	writeTransaction(t, s, func(tx store.Tx) error {
		row := next
		id, err := tx.PutFile(&row)
		wantEqual(t, "id of a replaced row", id, ids[pathA])
		wantEqual(t, "id set in the row", row.ID, ids[pathA])
		return err
	})
	readState(t, s, func(r store.Reader) {
		was := sample{r, ids}.fullRow(t, pathA)
		next.ID, next.Rank, next.Dependents, next.Slug, next.Symbols = was.ID, was.Rank, was.Dependents, was.Slug, was.Symbols
		next.FirstIndexed = was.FirstIndexed
		wantFound(t, "FileByID", next)(r.FileByID(was.ID))
		documents := collect(t, "Documents", r.Documents())
		wantEqual(t, "number of documents", len(documents), 3)
	})
}

// checkPutContent removes a file's content and restores it, and checks the rows each time.
func checkPutContent(t *testing.T, s store.Store) {
	ids := storeSample(t, s)
	before := dumpState(t, s)
	b := sampleFile(t, pathB)
	put := func(c *store.Content, was []string) {
		t.Helper()
		writeTransaction(t, s, func(tx store.Tx) error { return tx.PutContent(ids[pathB], c, was) })
	}
	put(&b.content, b.content.Names)
	sameState(t, "the same content again", dumpState(t, s), before)
	put(&store.Content{}, b.content.Names)
	readState(t, s, func(r store.Reader) {
		wantResult[[]store.SymbolRow](t, "Symbols", nil)(r.Symbols(ids[pathB]))
		wantResult(t, "NameCount", store.NameCount{})(r.NameCount("helper"))
		wantResult(t, "NameCount", store.NameCount{Name: "Open", Defs: 2, Files: 2})(r.NameCount("Open"))
		wantResult[[]byte](t, "Facts", nil)(r.Facts(ids[pathB]))
		wantResult[[]store.Secret](t, "FileSecrets", nil)(r.FileSecrets(ids[pathB]))
		row, _, err := r.FileByID(ids[pathB])
		wantResult(t, "number of symbols", uint32(0))(row.Symbols, err)
	})
	put(&b.content, nil)
	sameState(t, "the content given back", dumpState(t, s), before)
	// Fewer symbols than before, the first of them renamed.
	less := b.content
	less.Symbols = []code.Symbol{symbol("Dial", "Dial", code.KindFunction, -1, 10, true), b.content.Symbols[1]}
	put(&less, b.content.Names)
	readState(t, s, func(r store.Reader) {
		rows := []store.SymbolRow{{Symbol: less.Symbols[0], FileID: ids[pathB]}, {Symbol: less.Symbols[1], FileID: ids[pathB], Ord: 1}}
		wantResult(t, "fewer symbols", rows)(r.Symbols(ids[pathB]))
		wantResult(t, "NameCount", store.NameCount{Name: "helper", Defs: 1, Files: 1})(r.NameCount("helper"))
	})
	put(&b.content, less.Names)
	sameState(t, "all symbols again", dumpState(t, s), before)
	for what, change := range map[string]func(*code.Symbol){
		"kind":       func(y *code.Symbol) { y.Kind = code.KindMacro },
		"visibility": func(y *code.Symbol) { y.Exported = !y.Exported },
		"parent":     func(y *code.Symbol) { y.Parent = 0 },
		"place":      func(y *code.Symbol) { y.Span.EndLine++ },
		"name":       func(y *code.Symbol) { y.NameStart++ },
		"container":  func(y *code.Symbol) { y.Qualified = "Pool." + y.Name },
		"signature":  func(y *code.Symbol) { y.Signature += "()" },
	} {
		next := b.content
		next.Symbols = slices.Clone(b.content.Symbols)
		change(&next.Symbols[2])
		put(&next, b.content.Names)
		readState(t, s, func(r store.Reader) {
			got, err := r.Symbols(ids[pathB])
			wantResult(t, "a symbol of another "+what, next.Symbols[2])(got[2].Symbol, err)
		})
	}
}

// checkPutLinks removes a file's links, which changes rows of other files, and restores them.
func checkPutLinks(t *testing.T, s store.Store) {
	ids := storeSample(t, s)
	before := dumpState(t, s)
	b := sampleFile(t, pathB).linkRow(ids)
	put := func(now, was *store.LinkRow) {
		t.Helper()
		writeTransaction(t, s, func(tx store.Tx) error { return tx.PutLinks(ids[pathB], now, was) })
	}
	put(b, b)
	sameState(t, "the same links again", dumpState(t, s), before)
	// One of two edges to the file goes: it still depends on it.
	less := *b
	less.Edges = b.Edges[:1]
	put(&less, b)
	wantDependents(t, s, pathA, 5)
	less.Edges = []store.EdgeRow{{Source: ids[pathB], Target: ids[pathA], Relation: code.RelMentions}}
	put(&less, b)
	wantDependents(t, s, pathA, 4)
	put(&store.LinkRow{}, b)
	wantDependents(t, s, pathA, 4)
	readState(t, s, func(r store.Reader) {
		wantResult[[]byte](t, "Links", nil)(r.Links(ids[pathB]))
		wantResult[[]int64](t, "ProbedBy", nil)(r.ProbedBy(highProbe))
		wantResult(t, "Externals", []store.External{{Name: "fmt", Std: true, Files: 2}, {Name: "lib", Std: true, Files: 1}})(r.Externals(9))
		imports, unresolved, err := r.ImportSums()
		wantResult(t, "ImportSums", [2]int{4, 1})([2]int{imports, unresolved}, err)
	})
	put(b, nil)
	sameState(t, "the links given back", dumpState(t, s), before)
	surer := *b
	surer.Edges = []store.EdgeRow{b.Edges[0], b.Edges[1]}
	surer.Edges[1].Confidence = code.Exact
	put(&surer, b)
	readState(t, s, func(r store.Reader) {
		wantResult(t, "EdgesFrom", []store.EdgeRow{surer.Edges[1], surer.Edges[0]})(r.EdgesFrom(ids[pathB]))
	})
	wantDependents(t, s, pathA, 5)
}

func wantDependents(t *testing.T, s store.Store, path string, n uint32) {
	t.Helper()
	readState(t, s, func(r store.Reader) {
		row, _, err := r.FileByPath(path)
		wantResult(t, "dependents of "+path, n)(row.Dependents, err)
	})
}

// checkDropFile adds a file with every kind of row, drops it, and checks that the state is as before.
func checkDropFile(t *testing.T, s store.Store) {
	ids := storeSample(t, s)
	before := dumpState(t, s)
	extra := otherSample()[len(sampleFiles())]
	writeTransaction(t, s, func(tx store.Tx) error {
		id, err := putFile(tx, &extra, nil)
		if err != nil {
			return err
		}
		ids[extra.row.Path] = id
		if err := tx.PutLinks(id, extra.linkRow(ids), nil); err != nil {
			return err
		}
		// The rows of others about it are gone, too.
		for _, p := range []string{pathA, pathScript} {
			f := sampleFile(t, p)
			was, now := f.linkRow(ids), f.linkRow(ids)
			now.Edges = append(now.Edges, store.EdgeRow{Source: ids[p], Target: id, Relation: code.RelImports})
			if err := tx.PutLinks(ids[p], now, was); err != nil {
				return err
			}
		}
		return tx.SetExactShape(id, 3, 4)
	})
	readState(t, s, func(r store.Reader) {
		wantResult(t, "NameCount", store.NameCount{Name: "Gone", Defs: 1, Files: 1})(r.NameCount("Gone"))
		row, _, err := r.FileByPath(extra.row.Path)
		wantResult(t, "dependents", uint32(2))(row.Dependents, err)
	})
	drop := func() {
		t.Helper()
		writeTransaction(t, s, func(tx store.Tx) error {
			return tx.DropFile(ids[extra.row.Path], extra.content.Names, extra.linkRow(ids))
		})
		sameState(t, "after the drop", dumpState(t, s), before)
	}
	drop()
	drop() // of a file that is not there
	readState(t, s, func(r store.Reader) {
		key, add, err := r.ExactShape(ids[extra.row.Path])
		wantResult(t, "ExactShape", [2]uint64{})([2]uint64{uint64(key), add}, err)
		wantMissing[[]byte](t, "ConfigContent")(r.ConfigContent(extra.row.Path))
	})
	// The last file of a slug gets the plain one back.
	writeTransaction(t, s, func(tx store.Tx) error {
		f := sampleFile(t, pathScript)
		return tx.DropFile(ids[pathScript], f.content.Names, f.linkRow(ids))
	})
	readState(t, s, func(r store.Reader) {
		row, _, err := r.FileByPath(pathB)
		wantResult(t, "slug", "b-b")(row.Slug, err)
	})
}

// checkDropEveryFile drops all files of the sample, and checks that only rows that belong to no file remain.
func checkDropEveryFile(t *testing.T, s store.Store) {
	buildIndex(t, s, writeNothing)
	writeTransaction(t, s, func(tx store.Tx) error { return putRest(tx, nil) })
	before := dumpState(t, s)
	writeTransaction(t, s, func(tx store.Tx) error {
		ids, err := putSample(tx)
		if err != nil {
			return err
		}
		for _, f := range sampleFiles() {
			if err := tx.DropFile(ids[f.row.Path], f.content.Names, f.linkRow(ids)); err != nil {
				return err
			}
		}
		return nil
	})
	sameState(t, "an index without its files", dumpState(t, s), before)
}

func checkMetaWriter(t *testing.T, s store.Store) {
	buildIndex(t, s, writeNothing)
	writeTransaction(t, s, func(tx store.Tx) error { return putRest(tx, nil) })
	for _, change := range []func(tx store.Tx) error{
		func(tx store.Tx) error { return tx.SetMeta("b", "3") },
		func(tx store.Tx) error { return tx.SetLook([]byte("again")) },
		func(tx store.Tx) error { return tx.Note("a") },
		func(tx store.Tx) error { return tx.ForgetNote("z") },
		func(tx store.Tx) error { return tx.PutSkip("a/link", code.ProblemSpecial) },
		func(tx store.Tx) error { return tx.PutSkip("a/gone", code.ProblemSpecial) },
		func(tx store.Tx) error { return tx.DropSkip("a/gone") },
		func(tx store.Tx) error { return tx.DropSkip("never put") },
		func(tx store.Tx) error { return tx.PutConfig("go.mod", []byte("m")) },
		func(tx store.Tx) error { return tx.PutConfig("x/go.mod", []byte("m")) },
		func(tx store.Tx) error { return tx.PutConfig("go.mod", nil) },
	} {
		writeTransaction(t, s, change)
	}
	readState(t, s, func(r store.Reader) {
		wantResult(t, "Meta", "3")(r.Meta("b"))
		wantResult(t, "Look", []byte("again"))(r.Look())
		wantResult(t, "Noted", []string{"a"})(r.Noted())
		wantResult(t, "Skipped", []store.Skipped{{Path: "a/link", Problem: code.ProblemSpecial}})(r.Skipped())
		wantResult(t, "ConfigPaths", []string{"x/go.mod"})(r.ConfigPaths("go.mod"))
	})
}

func checkHistoryWriter(t *testing.T, s store.Store) {
	buildIndex(t, s, writeNothing)
	one, two := store.HistoryKey{Part: 1, N: 1}, store.HistoryKey{Part: 1, N: 2}
	writeTransaction(t, s, func(tx store.Tx) error {
		for _, k := range []store.HistoryKey{two, one} {
			if err := tx.PutHistory(k, []byte("first")); err != nil {
				return err
			}
		}
		return tx.PutHistory(one, []byte("second"))
	})
	readState(t, s, func(r store.Reader) {
		wantResult(t, "History", []byte("second"))(r.History(one))
		wantResult(t, "HistoryKeys", []store.HistoryKey{one, two})(r.HistoryKeys())
	})
	writeTransaction(t, s, func(tx store.Tx) error {
		if err := tx.PutHistory(two, []byte{}); err != nil { // empty is not nil
			return err
		}
		return tx.PutHistory(one, nil)
	})
	readState(t, s, func(r store.Reader) { wantResult(t, "HistoryKeys", []store.HistoryKey{two})(r.HistoryKeys()) })
}

// checkSearchWriter replaces the base of the search index, and checks that it then includes the words of changed files.
func checkSearchWriter(t *testing.T, s store.Store) {
	ids := storeSample(t, s)
	writeTransaction(t, s, func(tx store.Tx) error {
		if err := tx.PutContent(ids[pathA], &sampleFile(t, pathA).content, sampleFile(t, pathA).content.Names); err != nil {
			return err
		}
		wantResult(t, "SearchFreshCount", 1)(tx.SearchFreshCount())
		return tx.PutSearch([]byte("new head"), buckets([]search.Bucket{{Number: 3, Data: []byte("new")}, {Number: 0, Data: []byte("zero")}}))
	})
	readState(t, s, func(r store.Reader) {
		wantResult(t, "SearchHead", []byte("new head"))(r.SearchHead())
		wantAll(t, "SearchBuckets", r.SearchBuckets(), []search.Bucket{{Number: 0, Data: []byte("zero")}, {Number: 3, Data: []byte("new")}})
		wantResult[[]byte](t, "SearchBucket", nil)(r.SearchBucket(1 << 33))
		wantResult(t, "SearchFreshCount", 0)(r.SearchFreshCount())
	})
}

// checkFreshWords stores contents with and without words and drops a file, and checks that each is recorded as a difference from the base
// of the search index.
func checkFreshWords(t *testing.T, s store.Store) {
	ids := storeSample(t, s)
	doc := &search.Doc{Length: 9, Terms: []search.DocTerm{{Term: 5, Code: 2}, {Term: 3, Code: search.Named}}}
	writeTransaction(t, s, func(tx store.Tx) error {
		a, script := sampleFile(t, pathA), sampleFile(t, pathScript)
		a.content.Words = doc
		if err := tx.PutContent(ids[pathA], &a.content, a.content.Names); err != nil {
			return err
		}
		if err := tx.PutContent(ids[pathChanges], &store.Content{}, nil); err != nil {
			return err
		}
		return tx.DropFile(ids[pathScript], script.content.Names, script.linkRow(ids))
	})
	readState(t, s, func(r store.Reader) {
		wantResult(t, "SearchFreshCount", 3)(r.SearchFreshCount())
		fresh := collect(t, "SearchFresh", r.SearchFresh())
		packed := map[int64]string{ids[pathA]: string(doc.Pack()), ids[pathChanges]: "", ids[pathScript]: ""}
		last := int64(0)
		for _, f := range fresh {
			if f.File <= last {
				t.Errorf("file %d comes after %d", f.File, last)
			}
			last = f.File
			wantEqual(t, "fresh words", string(f.Data), packed[f.File])
		}
	})
}
