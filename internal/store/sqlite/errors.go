package sqlite

import (
	"context"
	"fmt"

	"zombiezen.com/go/sqlite"

	"ken/internal/engine/store"
)

// contextError returns the reason of ctx if an error is due to its end, else the error.
func contextError(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil && sqlite.ErrCode(err).ToPrimary() == sqlite.ResultInterrupt {
		return ctx.Err()
	}
	return err
}

// classify wraps the errors of a damaged file, and of one that cannot be written, in those that callers check for.
func classify(doing string, err error) error {
	switch sqlite.ErrCode(err).ToPrimary() {
	case sqlite.ResultCorrupt, sqlite.ResultNotADB:
		return fmt.Errorf("%w: %s: %v", store.ErrDamaged, doing, err)
	case sqlite.ResultReadOnly:
		return fmt.Errorf("%s: %w (%v)", doing, store.ErrReadOnly, err)
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// classifyNil is classify for an error that may be nil.
func classifyNil(doing string, err error) error {
	if err == nil {
		return nil
	}
	return classify(doing, err)
}
