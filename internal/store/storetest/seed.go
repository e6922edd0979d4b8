package storetest

import (
	"context"
	"testing"

	"ken/internal/engine/store"
)

// RunSeed tests Store.Seed, which copies an index. open returns a store without an index, and the path of its file.
func RunSeed(t *testing.T, open func(t *testing.T) (store.Store, string)) {
	adopt := func(calls *int, err error) func() error {
		return func() error { *calls++; return err }
	}
	t.Run("Copies", func(t *testing.T) {
		from, file := open(t)
		ids := storeSample(t, from)
		to, _ := open(t)
		calls := 0
		if err := to.Seed(context.Background(), file, adopt(&calls, nil)); err != nil {
			t.Fatal(err)
		}
		wantEqual(t, "times adopt is run", calls, 1)
		sameState(t, "the copy", dumpState(t, to), dumpState(t, from))
		// From here on they are independent.
		before := dumpState(t, from)
		writeTransaction(t, to, func(tx store.Tx) error { return tx.SetRanks(equalRanks(ids, 0.5)) })
		sameState(t, "the original", dumpState(t, from), before)
	})
	t.Run("AdoptFails", func(t *testing.T) {
		from, file := open(t)
		storeSample(t, from)
		to, _ := open(t)
		calls := 0
		wantError(t, "Seed", to.Seed(context.Background(), file, adopt(&calls, errOwn)), errOwn)
		_, err := to.Read(context.Background())
		wantError(t, "Read", err, store.ErrNoIndex)
		wantEqual(t, "Size", to.Size(), int64(0))
	})
	t.Run("Present", func(t *testing.T) {
		from, file := open(t)
		storeSample(t, from)
		to, _ := open(t)
		buildIndex(t, to, writeNothing)
		before, calls := dumpState(t, to), 0
		if err := to.Seed(context.Background(), file, adopt(&calls, nil)); err != nil {
			t.Error(err)
		}
		wantEqual(t, "times adopt is run", calls, 0)
		sameState(t, "the index that was there", dumpState(t, to), before)
	})
	t.Run("NoIndex", func(t *testing.T) {
		_, file := open(t)
		to, _ := open(t)
		calls := 0
		wantError(t, "Seed", to.Seed(context.Background(), file, adopt(&calls, nil)), store.ErrNoIndex)
		wantEqual(t, "times adopt is run", calls, 0)
	})
	t.Run("Canceled", func(t *testing.T) {
		from, file := open(t)
		storeSample(t, from)
		to, _ := open(t)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		calls := 0
		wantError(t, "Seed", to.Seed(ctx, file, adopt(&calls, nil)), context.Canceled)
		_, err := to.Read(context.Background())
		wantError(t, "Read", err, store.ErrNoIndex)
	})
}
