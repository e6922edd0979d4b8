package storetest

import (
	"context"
	"errors"
	"testing"

	"ken/internal/engine/store"
)

// RunVectors tests an implementation of store.VectorStore. open returns an empty one.
func RunVectors(t *testing.T, open func(t *testing.T) store.VectorStore) {
	for _, c := range vectorChecks {
		t.Run(c.name, func(t *testing.T) { c.check(t, open(t)) })
	}
}

var vectorChecks = []struct {
	name  string
	check func(t *testing.T, s store.VectorStore)
}{
	{"Nothing", checkNoVectors},
	{"Put", checkPutVectors},
	{"PutAgain", checkPutVectorsAgain},
	{"Refused", checkRefusedVectors},
	{"Spaces", checkSpaces},
	{"Prune", checkPrune},
	{"PruneSpaces", checkPruneSpaces},
	{"ViewFails", checkViewFails},
	{"Canceled", checkVectorsCanceled},
}

// The space of the sample, and another space.
const (
	space      = "model one"
	otherSpace = "model two"
)

func passage(text string) store.PassageHash { return store.HashPassage(text) }

func embeddedPassage(text string, row ...byte) store.EmbeddedPassage {
	return store.EmbeddedPassage{Hash: passage(text), Row: row}
}

// sampleContents returns two contents: one with passages x and y, one with y and z.
func sampleContents() []store.EmbeddedContent {
	return []store.EmbeddedContent{
		{Hash: hash(2), Codes: []byte("cdcd"), Passages: []store.Passage{
			{Hash: passage("x"), Line: 1, EndLine: 300}, {Hash: passage("y"), Line: 301, EndLine: 301}}},
		{Hash: hash(1), Codes: []byte("a much longer code"), Passages: []store.Passage{
			{Hash: passage("y"), Line: 7, EndLine: 9}, {Hash: passage("z"), Line: 8, EndLine: 9}}},
	}
}

func samplePassages() []store.EmbeddedPassage {
	return []store.EmbeddedPassage{embeddedPassage("x", 1, 2, 3), embeddedPassage("y", 4, 5, 6), embeddedPassage("z", 7, 8, 9)}
}

func putVectors(t *testing.T, s store.VectorStore, space string) {
	t.Helper()
	if err := s.Put(context.Background(), space, samplePassages(), sampleContents()); err != nil {
		t.Fatal(err)
	}
}

// view runs f over the snapshot of a space and reports whether there is such a space.
func view(t *testing.T, s store.VectorStore, space string, f func(store.VectorView)) (is bool) {
	t.Helper()
	err := s.View(context.Background(), space, func(v store.VectorView) error {
		is = true
		f(v)
		return nil
	})
	if err != nil {
		t.Errorf("View: %v", err)
	}
	return is
}

func checkNoVectors(t *testing.T, s store.VectorStore) {
	unseen := func(store.VectorView) { t.Error("a view of nothing is run") }
	view(t, s, space, unseen)
	if err := s.Prune(context.Background(), space, nil); err != nil {
		t.Errorf("Prune: %v", err)
	}
	wantEqual(t, "Size", s.Size(), int64(0))
	putVectors(t, s, space)
	view(t, s, otherSpace, unseen)
	if s.Size() <= 0 {
		t.Errorf("Size is %d", s.Size())
	}
}

func checkPutVectors(t *testing.T, s store.VectorStore) {
	putVectors(t, s, space)
	seen := view(t, s, space, func(v store.VectorView) {
		wantEqual(t, "RowLen", v.RowLen(), 3)
		wantAll(t, "Hashes", v.Hashes(), [][32]byte{hash(1), hash(2)})
		var codes []string
		for c, err := range v.Codes() {
			if err != nil || c.Passages != nil {
				t.Errorf("Codes: %+v, %v", c, err)
			}
			codes = append(codes, string(c.Hash[:1])+string(c.Codes))
		}
		wantEqual(t, "Codes", codes, []string{"\x01a much longer code", "\x02cdcd"})
		for _, c := range sampleContents() {
			wantResult(t, "Passages", c.Passages)(v.Passages(c.Hash))
		}
		wantResult[[]store.Passage](t, "Passages of nothing", nil)(v.Passages(hash(9)))
		wantResult(t, "Row", []byte{4, 5, 6})(v.Row(passage("y")))
		wantResult[[]byte](t, "Row of nothing", nil)(v.Row(passage("w")))
	})
	wantEqual(t, "a view is run", seen, true)
}

func checkPutVectorsAgain(t *testing.T, s store.VectorStore) {
	putVectors(t, s, space)
	content := store.EmbeddedContent{Hash: hash(1), Passages: []store.Passage{{Hash: passage("x"), Line: 5, EndLine: 4}}}
	bare := store.EmbeddedContent{Hash: hash(3)}
	err := s.Put(context.Background(), space, []store.EmbeddedPassage{embeddedPassage("y", 9, 9, 9)}, []store.EmbeddedContent{content, bare})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Put(context.Background(), space, nil, nil); err != nil {
		t.Fatal(err)
	}
	view(t, s, space, func(v store.VectorView) {
		wantResult(t, "Row put again", []byte{9, 9, 9})(v.Row(passage("y")))
		wantResult(t, "Row", []byte{1, 2, 3})(v.Row(passage("x")))
		// A passage ends where it begins at the least.
		wantResult(t, "Passages", []store.Passage{{Hash: passage("x"), Line: 5, EndLine: 5}})(v.Passages(hash(1)))
		wantResult[[]store.Passage](t, "Passages of a content without", nil)(v.Passages(hash(3)))
		wantAll(t, "Hashes", v.Hashes(), [][32]byte{hash(1), hash(2), hash(3)})
	})
}

// checkRefusedVectors puts invalid vectors, and checks that none of them is stored.
func checkRefusedVectors(t *testing.T, s store.VectorStore) {
	if err := s.Put(context.Background(), space, nil, sampleContents()); err == nil {
		t.Error("contents without vectors make a space")
	}
	putVectors(t, s, space)
	err := s.Put(context.Background(), space, []store.EmbeddedPassage{embeddedPassage("v", 1, 1, 1), embeddedPassage("w", 1, 2)},
		[]store.EmbeddedContent{{Hash: hash(3)}})
	if err == nil {
		t.Error("a vector of another length is kept")
	}
	view(t, s, space, func(v store.VectorView) {
		wantResult[[]byte](t, "Row", nil)(v.Row(passage("v")))
		wantAll(t, "Hashes", v.Hashes(), [][32]byte{hash(1), hash(2)})
	})
}

func checkSpaces(t *testing.T, s store.VectorStore) {
	putVectors(t, s, space)
	err := s.Put(context.Background(), otherSpace, []store.EmbeddedPassage{embeddedPassage("x", 1)},
		[]store.EmbeddedContent{{Hash: hash(1), Codes: []byte("other")}})
	if err != nil {
		t.Fatal(err)
	}
	view(t, s, otherSpace, func(v store.VectorView) {
		wantEqual(t, "RowLen", v.RowLen(), 1)
		wantResult(t, "Row", []byte{1})(v.Row(passage("x")))
		wantResult[[]byte](t, "Row of the other space", nil)(v.Row(passage("y")))
		wantAll(t, "Hashes", v.Hashes(), [][32]byte{hash(1)})
		wantResult[[]store.Passage](t, "Passages", nil)(v.Passages(hash(1)))
	})
	view(t, s, space, func(v store.VectorView) { wantResult(t, "Row", []byte{1, 2, 3})(v.Row(passage("x"))) })
}

// checkPrune drops a content, and checks that a vector that another content shares stays.
func checkPrune(t *testing.T, s store.VectorStore) {
	putVectors(t, s, space)
	prune := func(keep func([32]byte) bool) {
		t.Helper()
		if err := s.Prune(context.Background(), space, keep); err != nil {
			t.Fatal(err)
		}
	}
	prune(func([32]byte) bool { return true })
	view(t, s, space, func(v store.VectorView) { wantResult(t, "Row", []byte{1, 2, 3})(v.Row(passage("x"))) })
	prune(func(h [32]byte) bool { return h == hash(1) })
	view(t, s, space, func(v store.VectorView) {
		wantAll(t, "Hashes", v.Hashes(), [][32]byte{hash(1)})
		wantResult[[]byte](t, "Row of the dropped content", nil)(v.Row(passage("x")))
		wantResult(t, "Row that both had", []byte{4, 5, 6})(v.Row(passage("y")))
		wantResult(t, "Row of the other content", []byte{7, 8, 9})(v.Row(passage("z")))
	})
}

func checkPruneSpaces(t *testing.T, s store.VectorStore) {
	putVectors(t, s, otherSpace)
	putVectors(t, s, space)
	// A space that does not exist has nothing to drop.
	for _, name := range []string{"model three", space} {
		if err := s.Prune(context.Background(), name, func([32]byte) bool { return true }); err != nil {
			t.Fatal(err)
		}
		is := view(t, s, otherSpace, func(store.VectorView) {})
		wantEqual(t, "the other space after Prune of "+name, is, name != space)
	}
	view(t, s, space, func(v store.VectorView) {
		wantResult(t, "Row", []byte{1, 2, 3})(v.Row(passage("x")))
		wantAll(t, "Hashes", v.Hashes(), [][32]byte{hash(1), hash(2)})
	})
}

func checkViewFails(t *testing.T, s store.VectorStore) {
	putVectors(t, s, space)
	err := s.View(context.Background(), space, func(store.VectorView) error { return errOwn })
	wantError(t, "View", err, errOwn)
}

func checkVectorsCanceled(t *testing.T, s store.VectorStore) {
	putVectors(t, s, space)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err := s.View(ctx, space, func(store.VectorView) error { return errors.New("the view is run") })
	wantError(t, "View", err, context.Canceled)
	wantError(t, "Put", s.Put(ctx, space, samplePassages(), nil), context.Canceled)
	wantError(t, "Prune", s.Prune(ctx, space, func([32]byte) bool { return false }), context.Canceled)
}
