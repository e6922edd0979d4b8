package storetest

import (
	"context"
	"iter"
	"testing"

	"ken/internal/code"
	"ken/internal/engine/exact"
	"ken/internal/engine/search"
	"ken/internal/engine/store"
)

// checkReaderErrors reads after the context has ended, and checks that every reader returns its error, because an answer
// from half a list would be taken for the whole.
func checkReaderErrors(t *testing.T, s store.Store) {
	ids := storeSample(t, s)
	ctx, cancel := context.WithCancel(context.Background())
	r, err := s.Read(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cancel()
	for name, call := range readerCalls(ids[pathA]) {
		if err := call(r); err == nil {
			t.Errorf("%s does not say that it could not read", name)
		}
	}
}

// checkWriterErrors does the same for all writers, each in a separate
// transaction.
func checkWriterErrors(t *testing.T, s store.Store) {
	ids := storeSample(t, s)
	before := dumpState(t, s)
	for name, call := range writerCalls(t, ids) {
		ctx, cancel := context.WithCancel(context.Background())
		err := s.Write(ctx, func(tx store.Tx) error {
			cancel()
			if err := call(tx); err == nil {
				t.Errorf("%s does not say that it could not write", name)
			}
			return errOwn
		})
		wantError(t, name, err, errOwn)
		cancel()
	}
	sameState(t, "after writes that failed", dumpState(t, s), before)
}

// errorOf returns the error of a reader whose result does not matter.
func errorOf[T any](_ T, err error) error { return err }

// errorOfPair does the same as errorOf, for a reader that also returns whether there is a value.
func errorOfPair[T, U any](_ T, _ U, err error) error { return err }

// iterationError returns the first error of an iteration.
func iterationError[T any](seq iter.Seq2[T, error]) error {
	for _, err := range seq {
		if err != nil {
			return err
		}
	}
	return nil
}

// readerCalls returns, for each method of a Reader, a function that calls it with an existing file and name.
func readerCalls(file int64) map[string]func(store.Reader) error {
	id := code.SymbolID{File: file}
	every := func(code.Kind) bool { return true }
	return map[string]func(store.Reader) error{
		"Meta":             func(r store.Reader) error { return errorOf(r.Meta("b")) },
		"Look":             func(r store.Reader) error { return errorOf(r.Look()) },
		"Noted":            func(r store.Reader) error { return errorOf(r.Noted()) },
		"FileByPath":       func(r store.Reader) error { return errorOfPair(r.FileByPath(pathA)) },
		"FileByID":         func(r store.Reader) error { return errorOfPair(r.FileByID(file)) },
		"FileID":           func(r store.Reader) error { return errorOf(r.FileID(pathA)) },
		"PathByID":         func(r store.Reader) error { return errorOf(r.PathByID(file)) },
		"Files":            func(r store.Reader) error { return iterationError(r.Files()) },
		"Ranked":           func(r store.Reader) error { return iterationError(r.Ranked()) },
		"Paths":            func(r store.Reader) error { return iterationError(r.Paths()) },
		"ContentHashes":    func(r store.Reader) error { return iterationError(r.ContentHashes()) },
		"Documents":        func(r store.Reader) error { return iterationError(r.Documents()) },
		"FilesIn":          func(r store.Reader) error { return errorOf(r.FilesIn("a")) },
		"NodesIn":          func(r store.Reader) error { return errorOf(r.NodesIn("a")) },
		"HasDir":           func(r store.Reader) error { return errorOf(r.HasDir("a")) },
		"CountBelow":       func(r store.Reader) error { return errorOf(r.CountBelow("a", true, 9)) },
		"CountBelow, flat": func(r store.Reader) error { return errorOf(r.CountBelow("a", false, 9)) },
		"PackageFiles":     func(r store.Reader) error { return errorOf(r.PackageFiles("go", "a")) },
		"ConfigPaths":      func(r store.Reader) error { return errorOf(r.ConfigPaths("go.mod")) },
		"ConfigPaths, *":   func(r store.Reader) error { return errorOf(r.ConfigPaths("*mod")) },
		"ConfigContent":    func(r store.Reader) error { return errorOfPair(r.ConfigContent(pathMod)) },
		"Symbols":          func(r store.Reader) error { return errorOf(r.Symbols(file)) },
		"SymbolsOf":        func(r store.Reader) error { return errorOf(r.SymbolsOf(file, 9, every)) },
		"SymbolIDs":        func(r store.Reader) error { return errorOf(r.SymbolIDs("Open")) },
		"SymbolsNamed":     func(r store.Reader) error { return errorOf(r.SymbolsNamed("Open")) },
		"Symbol":           func(r store.Reader) error { return errorOfPair(r.Symbol(id)) },
		"Container":        func(r store.Reader) error { return errorOf(r.Container(id)) },
		"QualifiedName":    func(r store.Reader) error { return errorOfPair(r.QualifiedName(id)) },
		"Outlines":         func(r store.Reader) error { return iterationError(r.Outlines()) },
		"Referrers":        func(r store.Reader) error { return errorOf(r.Referrers("Open")) },
		"NameCount":        func(r store.Reader) error { return errorOf(r.NameCount("Open")) },
		"Names":            func(r store.Reader) error { return iterationError(r.Names()) },
		"HotNames":         func(r store.Reader) error { return errorOf(r.HotNames(9)) },
		"Facts":            func(r store.Reader) error { return errorOf(r.Facts(file)) },
		"Links":            func(r store.Reader) error { return errorOf(r.Links(file)) },
		"Site":             func(r store.Reader) error { return errorOf(r.Site(file)) },
		"ProbedBy":         func(r store.Reader) error { return errorOf(r.ProbedBy(7)) },
		"EdgesFrom":        func(r store.Reader) error { return errorOf(r.EdgesFrom(file)) },
		"EdgesTo":          func(r store.Reader) error { return errorOf(r.EdgesTo(file)) },
		"Edges":            func(r store.Reader) error { return iterationError(r.Edges()) },
		"DependentDirs":    func(r store.Reader) error { return errorOf(r.DependentDirs(file)) },
		"EdgesFromTests":   func(r store.Reader) error { return errorOf(r.EdgesFromTests(file, 9)) },
		"Totals":           func(r store.Reader) error { return errorOf(r.Totals()) },
		"ByLanguage":       func(r store.Reader) error { return errorOf(r.ByLanguage()) },
		"ImportSums":       func(r store.Reader) error { return errorOfPair(r.ImportSums()) },
		"HotFiles":         func(r store.Reader) error { return errorOf(r.HotFiles(9)) },
		"Externals":        func(r store.Reader) error { return errorOf(r.Externals(9)) },
		"Skipped":          func(r store.Reader) error { return errorOf(r.Skipped()) },
		"Secrets":          func(r store.Reader) error { return iterationError(r.Secrets()) },
		"MaskedSecrets":    func(r store.Reader) error { return iterationError(r.MaskedSecrets()) },
		"FileSecrets":      func(r store.Reader) error { return errorOf(r.FileSecrets(file)) },
		"HasExact":         func(r store.Reader) error { return errorOf(r.HasExact()) },
		"ExactUnits":       func(r store.Reader) error { return iterationError(r.ExactUnits()) },
		"ExactUnit":        func(r store.Reader) error { return errorOfPair(r.ExactUnit(1)) },
		"ExactKeys":        func(r store.Reader) error { return iterationError(r.ExactKeys()) },
		"ExactKey":         func(r store.Reader) error { return errorOfPair(r.ExactKey("k")) },
		"ExactPrint":       func(r store.Reader) error { return errorOf(r.ExactPrint(1)) },
		"ExactCounts":      func(r store.Reader) error { return errorOf(r.ExactCounts()) },
		"ExactFiles":       func(r store.Reader) error { return errorOf(r.ExactFiles(file)) },
		"ExactHashes":      func(r store.Reader) error { return errorOf(r.ExactHashes(1)) },
		"ExactShape":       func(r store.Reader) error { return errorOfPair(r.ExactShape(file)) },
		"ExactTypes":       func(r store.Reader) error { return errorOf(r.ExactTypes("Close", true)) },
		"LangDirs":         func(r store.Reader) error { return errorOf(r.LangDirs("go")) },
		"LangRefs":         func(r store.Reader) error { return errorOfPair(r.LangRefs("go")) },
		"SearchHead":       func(r store.Reader) error { return errorOf(r.SearchHead()) },
		"SearchBucket":     func(r store.Reader) error { return errorOf(r.SearchBucket(3)) },
		"SearchBuckets":    func(r store.Reader) error { return iterationError(r.SearchBuckets()) },
		"SearchFresh":      func(r store.Reader) error { return iterationError(r.SearchFresh()) },
		"SearchFreshCount": func(r store.Reader) error { return errorOf(r.SearchFreshCount()) },
		"History":          func(r store.Reader) error { return errorOf(r.History(store.HistoryKey{})) },
		"HistoryKeys":      func(r store.Reader) error { return errorOf(r.HistoryKeys()) },
	}
}

// writerCalls returns, for each method of a Tx that writes, a function that calls it.
func writerCalls(t *testing.T, ids map[string]int64) map[string]func(store.Tx) error {
	t.Helper()
	a := sampleFile(t, pathA)
	id, links := ids[pathA], a.linkRow(ids)
	types := []store.ExactType{{Type: code.SymbolID{File: id}, Names: []string{"Close"},
		Methods: exact.EncodeMethods([]exact.Method{{Name: "Close"}})}}
	return map[string]func(store.Tx) error{
		"SetMeta":    func(tx store.Tx) error { return tx.SetMeta("b", "x") },
		"SetLook":    func(tx store.Tx) error { return tx.SetLook([]byte("x")) },
		"PutSkip":    func(tx store.Tx) error { return tx.PutSkip("x", code.ProblemSpecial) },
		"DropSkip":   func(tx store.Tx) error { return tx.DropSkip("a/link") },
		"Note":       func(tx store.Tx) error { return tx.Note("x") },
		"ForgetNote": func(tx store.Tx) error { return tx.ForgetNote("a") },
		"Touch":      func(tx store.Tx) error { return tx.Touch(id, code.Stat{}, 0) },
		"PutFile":    func(tx store.Tx) error { return errorOf(tx.PutFile(&code.File{Path: pathA})) },
		"PutFile, a new one": func(tx store.Tx) error {
			return errorOf(tx.PutFile(&code.File{Path: "x"}))
		},
		"PutConfig":     func(tx store.Tx) error { return tx.PutConfig("x", []byte("x")) },
		"DropFile":      func(tx store.Tx) error { return tx.DropFile(id, a.content.Names, links) },
		"PutContent":    func(tx store.Tx) error { return tx.PutContent(id, &store.Content{}, a.content.Names) },
		"PutLinks":      func(tx store.Tx) error { return tx.PutLinks(id, &store.LinkRow{}, links) },
		"SetRanks":      func(tx store.Tx) error { return tx.SetRanks(equalRanks(ids, 0.75)) },
		"PutSearch":     func(tx store.Tx) error { return tx.PutSearch([]byte("x"), buckets([]search.Bucket{{Number: 1}})) },
		"PutHistory":    func(tx store.Tx) error { return tx.PutHistory(store.HistoryKey{}, []byte("x")) },
		"PutExactUnit":  func(tx store.Tx) error { return tx.PutExactUnit(newExactUnit(store.FromTypes, "x", 0), nil, types) },
		"DropExactUnit": func(tx store.Tx) error { return tx.DropExactUnit(1) },
		"PutExactKey":   func(tx store.Tx) error { return errorOf(tx.PutExactKey("x", 1)) },
		"SetExactPrint": func(tx store.Tx) error { return tx.SetExactPrint(1, 2) },
		"SetExactShape": func(tx store.Tx) error { return tx.SetExactShape(id, 1, 2) },
	}
}
