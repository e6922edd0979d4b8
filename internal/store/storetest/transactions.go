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
	wantError(t, "Write", s.Write(context.Background(), writeNothing), store.ErrNoIndex)
	wantEqual(t, "Size", s.Size(), int64(0))
	wantEqual(t, "Watched", s.Watched(), false)
}

// checkEmpty calls every reader on an empty index.
func checkEmpty(t *testing.T, s store.Store) {
	buildIndex(t, s, writeNothing)
	if s.Size() <= 0 {
		t.Errorf("Size is %d", s.Size())
	}
	readState(t, s, func(r store.Reader) {
		wantZeroLookups(t, r)
		wantResult(t, "HasDir", false)(r.HasDir("a"))
		wantResult(t, "CountBelow", 0)(r.CountBelow("", true, 9))
		wantResult(t, "Totals", store.Sums{})(r.Totals())
		wantResult[[]store.LangCount](t, "ByLanguage", nil)(r.ByLanguage())
		wantResult[[]code.File](t, "HotFiles", nil)(r.HotFiles(9))
		wantResult[[]store.NameCount](t, "HotNames", nil)(r.HotNames(9))
		wantResult[[]store.External](t, "Externals", nil)(r.Externals(9))
		wantResult[[]store.Skipped](t, "Skipped", nil)(r.Skipped())
		wantResult[[]byte](t, "Look", nil)(r.Look())
		wantResult[[]string](t, "Noted", nil)(r.Noted())
		wantResult[[]byte](t, "SearchHead", nil)(r.SearchHead())
		wantResult[[]store.ExactCount](t, "ExactCounts", nil)(r.ExactCounts())
		wantResult[[]store.HistoryKey](t, "HistoryKeys", nil)(r.HistoryKeys())
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
		wantResult(t, "Revision", code.Rev(0))(store.Revision(r))
	})
}

func checkRevision(t *testing.T, s store.Store) {
	buildIndex(t, s, func(tx store.Tx) error { return tx.SetMeta(store.MetaRevision, "7") })
	readState(t, s, func(r store.Reader) { wantResult(t, "Revision", code.Rev(7))(store.Revision(r)) })
	writeTransaction(t, s, func(tx store.Tx) error { return tx.SetMeta(store.MetaRevision, "many") })
	readState(t, s, func(r store.Reader) {
		if _, err := store.Revision(r); err == nil {
			t.Error("a revision that is no number is accepted")
		}
	})
}

// checkBuildReplaces builds another index over the sample, and checks that nothing of the sample remains.
func checkBuildReplaces(t *testing.T, s store.Store) {
	buildIndex(t, s, writeNothing)
	empty := dumpState(t, s)
	storeSample(t, s)
	full := dumpState(t, s)
	buildIndex(t, s, writeNothing)
	sameState(t, "an empty build", dumpState(t, s), empty)
	storeSample(t, s)
	sameState(t, "the sample built again", dumpState(t, s), full)
}

func checkBuildFails(t *testing.T, s store.Store) {
	fails := func(tx store.Tx) error {
		if _, err := putSample(tx); err != nil {
			t.Error(err)
		}
		return errOwn
	}
	wantError(t, "Build", s.Build(context.Background(), keepNever, fails), errOwn)
	_, err := s.Read(context.Background())
	wantError(t, "Read after a failed build", err, store.ErrNoIndex)
	buildIndex(t, s, func(tx store.Tx) error { return tx.SetMeta("b", "1") })
	before := dumpState(t, s)
	wantError(t, "Build", s.Build(context.Background(), keepNever, fails), errOwn)
	sameState(t, "after a failed build", dumpState(t, s), before)
}

// checkBuildKeeps builds an index after another process has built one, and checks that the other's is kept.
func checkBuildKeeps(t *testing.T, s store.Store) {
	buildIndex(t, s, writeNothing)
	before := dumpState(t, s)
	asked := 0
	keep := func() bool { asked++; return true }
	err := s.Build(context.Background(), keep, func(store.Tx) error {
		t.Error("the build is run")
		return nil
	})
	wantResult(t, "times keep is asked", 1)(asked, err)
	sameState(t, "after no build", dumpState(t, s), before)
}

func checkWriteRollsBack(t *testing.T, s store.Store) {
	ids := storeSample(t, s)
	before := dumpState(t, s)
	err := s.Write(context.Background(), func(tx store.Tx) error {
		for _, f := range sampleFiles()[:4] {
			if err := tx.DropFile(ids[f.row.Path], f.content.Names, f.linkRow(ids)); err != nil {
				return err
			}
		}
		return errors.Join(tx.SetMeta("b", "9"), errOwn)
	})
	wantError(t, "Write", err, errOwn)
	sameState(t, "after a failed write", dumpState(t, s), before)
	writeTransaction(t, s, func(tx store.Tx) error { return tx.SetMeta("b", "9") })
	readState(t, s, func(r store.Reader) { wantResult(t, "Meta", "9")(r.Meta("b")) })
}

// checkWriteSeesItself checks that a transaction reads its own writes.
func checkWriteSeesItself(t *testing.T, s store.Store) {
	buildIndex(t, s, writeNothing)
	var inside string
	writeTransaction(t, s, func(tx store.Tx) error {
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
		inside = dumpContent(t, tx)
		return tx.Close() // which ends nothing: the transaction is not its reader's
	})
	sameState(t, "after the commit", dumpState(t, s), inside)
	readState(t, s, func(r store.Reader) {
		for _, f := range collect(t, "Files", r.Files()) {
			wantEqual(t, "rank of "+f.Path, f.Rank, 0.125)
		}
	})
}

func checkCanceled(t *testing.T, s store.Store) {
	storeSample(t, s)
	before := dumpState(t, s)
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
	wantError(t, "Write", s.Write(ctx, writeNothing), context.Canceled)
	wantError(t, "Build", s.Build(ctx, keepNever, func(tx store.Tx) error { return tx.SetMeta("b", "11") }), context.Canceled)
	sameState(t, "after canceled writes", dumpState(t, s), before)
}

// checkSnapshots keeps a reader open while others write, and checks that it still reads its own state.
func checkSnapshots(t *testing.T, s store.Store) {
	ids := storeSample(t, s)
	r, err := s.Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	before := dumpContent(t, r)
	writeTransaction(t, s, func(tx store.Tx) error {
		f := sampleFile(t, pathA)
		return tx.DropFile(ids[pathA], f.content.Names, f.linkRow(ids))
	})
	sameState(t, "an open reader", dumpContent(t, r), before)
	readState(t, s, func(r store.Reader) { wantMissing[code.File](t, "FileByPath")(r.FileByPath(pathA)) })
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
	before := dumpContent(t, r)
	buildIndex(t, s, writeNothing)
	sameState(t, "an open reader", dumpContent(t, r), before)
	readState(t, s, func(r store.Reader) { wantAll(t, "Files", r.Files(), nil) })
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

// checkReadersBesideWriter writes the same number in two places again and again, and checks that readers never find
// two different numbers, nor a smaller one than before.
func checkReadersBesideWriter(t *testing.T, s store.Store) {
	buildIndex(t, s, writeNothing)
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
		writeTransaction(t, s, func(tx store.Tx) error {
			n := strconv.Itoa(i)
			return errors.Join(tx.SetMeta("one", n), tx.SetLook([]byte(n)))
		})
	}
	close(done)
	readers.Wait()
	wantEqual(t, "the last number", readPair(t, s, 0), rounds)
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
	buildIndex(t, s, writeNothing)
	wantEqual(t, "Watched before", s.Watched(), false)
	release, err := s.Watching(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "Watched", s.Watched(), true)
	_, err = s.Watching(context.Background())
	wantError(t, "a second watcher", err, store.ErrWatched)
	release()
	wantEqual(t, "Watched after", s.Watched(), false)
	release, err = s.Watching(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	release()
}
