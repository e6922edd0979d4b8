package sqlite

import (
	"context"
	"fmt"

	"zombiezen.com/go/sqlite"

	"ken/internal/engine/store"
)

// canceled is the reason of ctx where an error came of its end, else the error.
func canceled(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil && sqlite.ErrCode(err).ToPrimary() == sqlite.ResultInterrupt {
		return ctx.Err()
	}
	return err
}

// classify gives a damaged file, and one that cannot be written, the errors that
// callers look for.
func classify(doing string, err error) error {
	switch sqlite.ErrCode(err).ToPrimary() {
	case sqlite.ResultCorrupt, sqlite.ResultNotADB:
		return fmt.Errorf("%w: %s: %v", store.ErrDamaged, doing, err)
	case sqlite.ResultReadOnly:
		return fmt.Errorf("%s: %w (%v)", doing, store.ErrReadOnly, err)
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// classifyNil is classify where there may be no error.
func classifyNil(doing string, err error) error {
	if err == nil {
		return nil
	}
	return classify(doing, err)
}
