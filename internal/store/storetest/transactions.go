package storetest

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"

	"ken/internal/code"
	"ken/internal/engine/store"
)

func checkNoIndex(t *testing.T, s store.Store) {
	_, err := s.Read(context.Background())
	wantError(t, "Read", err, store.ErrNoIndex)
	wantError(t, "Write", s.Write(context.Background(), nothing), store.ErrNoIndex)
	equal(t, "Size", s.Size(), int64(0))
	equal(t, "Watched", s.Watched(), false)
}

// checkEmpty calls every reader on an empty index.
func checkEmpty(t *testing.T, s store.Store) {
	build(t, s, nothing)
	if s.Size() <= 0 {
		t.Errorf("Size is %d", s.Size())
	}
	read(t, s, func(r store.Reader) {
		wantZeroLookups(t, r)
		want(t, "HasDir", false)(r.HasDir("a"))
		want(t, "CountBelow", 0)(r.CountBelow("", true, 9))
		want(t, "Totals", store.Sums{})(r.Totals())
		want[[]store.LangCount](t, "ByLanguage", nil)(r.ByLanguage())
		want[[]code.File](t, "HotFiles", nil)(r.HotFiles(9))
		want[[]store.NameCount](t, "HotNames", nil)(r.HotNames(9))
		want[[]store.External](t, "Externals", nil)(r.Externals(9))
		want[[]store.Skipped](t, "Skipped", nil)(r.Skipped())
		want[[]byte](t, "Look", nil)(r.Look())
		want[[]string](t, "Noted", nil)(r.Noted())
		want[[]byte](t, "SearchHead", nil)(r.SearchHead())
		want[[]store.ExactCount](t, "ExactCounts", nil)(r.ExactCounts())
		want[[]store.HistoryKey](t, "HistoryKeys", nil)(r.HistoryKeys())
		wantAll(t, "Files", r.Files(), nil)
		wantAll(t, "Ranked", r.Ranked(), nil)
		wantAll(t, "Documents", r.Documents(), nil)
		wantAll(t, "Edges", r.Edges(), nil)
		wantAll(t, "Names", r.Names(), nil)
		wantAll(t, "Secrets", r.Secrets(), nil)
		wantAll(t, "MaskedSecrets", r.MaskedSecrets(), nil)
		wantAll(t, "SearchBuckets", r.SearchBuckets(), nil)
		wantAll(t, "ExactUnits", r.ExactUnits(), nil)
		wantAll(t, "ExactKeys", r.ExactKeys(), nil)
		want(t, "Revision", code.Rev(0))(store.Revision(r))
	})
}

func checkRevision(t *testing.T, s store.Store) {
	build(t, s, func(tx store.Tx) error { return tx.SetMeta(store.MetaRevision, "7") })
	read(t, s, func(r store.Reader) { want(t, "Revision", code.Rev(7))(store.Revision(r)) })
	write(t, s, func(tx store.Tx) error { return tx.SetMeta(store.MetaRevision, "many") })
	read(t, s, func(r store.Reader) {
		if _, err := store.Revision(r); err == nil {
			t.Error("a revision that is no number is accepted")
		}
	})
}

// checkBuildReplaces builds another index over the sample, and checks that nothing of the sample remains.
func checkBuildReplaces(t *testing.T, s store.Store) {
	build(t, s, nothing)
	empty := state(t, s)
	storeSample(t, s)
	full := state(t, s)
	build(t, s, nothing)
	sameState(t, "an empty build", state(t, s), empty)
	storeSample(t, s)
	sameState(t, "the sample built again", state(t, s), full)
}

func checkBuildFails(t *testing.T, s store.Store) {
	fails := func(tx store.Tx) error {
		if _, err := putSample(tx); err != nil {
			t.Error(err)
		}
		return errOwn
	}
	wantError(t, "Build", s.Build(context.Background(), never, fails), errOwn)
	_, err := s.Read(context.Background())
	wantError(t, "Read after a failed build", err, store.ErrNoIndex)
	build(t, s, func(tx store.Tx) error { return tx.SetMeta("b", "1") })
	before := state(t, s)
	wantError(t, "Build", s.Build(context.Background(), never, fails), errOwn)
	sameState(t, "after a failed build", state(t, s), before)
}

// checkBuildKeeps builds an index after another process has built one, and checks that the other's is kept.
func checkBuildKeeps(t *testing.T, s store.Store) {
	build(t, s, nothing)
	before := state(t, s)
	asked := 0
	keep := func() bool { asked++; return true }
	err := s.Build(context.Background(), keep, func(store.Tx) error {
		t.Error("the build is run")
		return nil
	})
	want(t, "times keep is asked", 1)(asked, err)
	sameState(t, "after no build", state(t, s), before)
}

func checkWriteRollsBack(t *testing.T, s store.Store) {
	ids := storeSample(t, s)
	before := state(t, s)
	err := s.Write(context.Background(), func(tx store.Tx) error {
		for _, f := range sampleFiles()[:4] {
			if err := tx.DropFile(ids[f.row.Path], f.content.Names, f.linkRow(ids)); err != nil {
				return err
			}
		}
		return errors.Join(tx.SetMeta("b", "9"), errOwn)
	})
	wantError(t, "Write", err, errOwn)
	sameState(t, "after a failed write", state(t, s), before)
	write(t, s, func(tx store.Tx) error { return tx.SetMeta("b", "9") })
	read(t, s, func(r store.Reader) { want(t, "Meta", "9")(r.Meta("b")) })
}

// checkWriteSeesItself checks that a transaction reads its own writes.
func checkWriteSeesItself(t *testing.T, s store.Store) {
	build(t, s, nothing)
	var inside string
	write(t, s, func(tx store.Tx) error {
		ids, err := putSample(tx)
		if err != nil {
			return err
		}
		for _, c := range readerChecks {
			c.check(t, sample{Reader: tx, ids: ids})
		}
		if err := tx.SetRanks(equalRanks(ids, 0.125)); err != nil {
			return err
		}
		inside = dump(t, tx)
		return tx.Close() // which ends nothing: the transaction is not its reader's
	})
	sameState(t, "after the commit", state(t, s), inside)
	read(t, s, func(r store.Reader) {
		for _, f := range collect(t, "Files", r.Files()) {
			equal(t, "rank of "+f.Path, f.Rank, 0.125)
		}
	})
}

func checkCanceled(t *testing.T, s store.Store) {
	storeSample(t, s)
	before := state(t, s)
	ctx, cancel := context.WithCancel(context.Background())
	wantError(t, "Write", s.Write(ctx, func(tx store.Tx) error {
		if err := tx.SetMeta("b", "9"); err != nil {
			return err
		}
		cancel()
		return tx.SetMeta("b", "10")
	}), context.Canceled)
	_, err := s.Read(ctx)
	wantError(t, "Read", err, context.Canceled)
	wantError(t, "Write", s.Write(ctx, nothing), context.Canceled)
	wantError(t, "Build", s.Build(ctx, never, func(tx store.Tx) error { return tx.SetMeta("b", "11") }), context.Canceled)
	sameState(t, "after canceled writes", state(t, s), before)
}

// checkSnapshots keeps a reader open while others write, and checks that it still reads its own state.
func checkSnapshots(t *testing.T, s store.Store) {
	ids := storeSample(t, s)
	r, err := s.Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	before := dump(t, r)
	write(t, s, func(tx store.Tx) error {
		f := sampleFile(t, pathA)
		return tx.DropFile(ids[pathA], f.content.Names, f.linkRow(ids))
	})
	sameState(t, "an open reader", dump(t, r), before)
	read(t, s, func(r store.Reader) { missing[code.File](t, "FileByPath")(r.FileByPath(pathA)) })
	for range 2 { // closing twice is harmless
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

// checkSnapshotsOfBuilds does the same as checkSnapshots with a build, which may replace the file.
func checkSnapshotsOfBuilds(t *testing.T, s store.Store) {
	storeSample(t, s)
	r, err := s.Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	before := dump(t, r)
	build(t, s, nothing)
	sameState(t, "an open reader", dump(t, r), before)
	read(t, s, func(r store.Reader) { wantAll(t, "Files", r.Files(), nil) })
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

// checkReadersBesideWriter writes the same number in two places again and again, and checks that readers never find
// two different numbers, nor a smaller one than before.
func checkReadersBesideWriter(t *testing.T, s store.Store) {
	build(t, s, nothing)
	const rounds = 40
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			last := 0
			for open := true; open; {
				select {
				case <-done:
					open = false
				default:
				}
				last = readPair(t, s, last)
			}
		})
	}
	for i := 1; i <= rounds; i++ {
		write(t, s, func(tx store.Tx) error {
			n := strconv.Itoa(i)
			return errors.Join(tx.SetMeta("one", n), tx.SetLook([]byte(n)))
		})
	}
	close(done)
	readers.Wait()
	equal(t, "the last number", readPair(t, s, 0), rounds)
}

// readPair reads the number in both places and returns it; last is the number that was read before.
func readPair(t *testing.T, s store.Store, last int) int {
	r, err := s.Read(context.Background())
	if err != nil {
		t.Error(err)
		return last
	}
	defer r.Close()
	one, err := r.Meta("one")
	look, err2 := r.Look()
	n, _ := strconv.Atoi(one)
	if err != nil || err2 != nil || one != string(look) || n < last {
		t.Errorf("read %q and %q after %d (%v, %v)", one, look, last, err, err2)
	}
	return n
}

func checkWatching(t *testing.T, s store.Store) {
	build(t, s, nothing)
	equal(t, "Watched before", s.Watched(), false)
	release, err := s.Watching(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "Watched", s.Watched(), true)
	_, err = s.Watching(context.Background())
	wantError(t, "a second watcher", err, store.ErrWatched)
	release()
	equal(t, "Watched after", s.Watched(), false)
	release, err = s.Watching(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	release()
}
