package sqlite

import (
	"context"
	"fmt"

	"zombiezen.com/go/sqlite"

	"ken/internal/engine/store"
)

// contextError returns ctx.Err() if err is due to the end of ctx, else err.
func contextError(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil && sqlite.ErrCode(err).ToPrimary() == sqlite.ResultInterrupt {
		return ctx.Err()
	}
	return err
}

// classifyError wraps an SQLite error of a damaged or unwritable file in the error that callers check for; doing names the operation.
func classifyError(doing string, err error) error {
	switch sqlite.ErrCode(err).ToPrimary() {
	case sqlite.ResultCorrupt, sqlite.ResultNotADB:
		return fmt.Errorf("%w: %s: %v", store.ErrDamaged, doing, err)
	case sqlite.ResultReadOnly:
		return fmt.Errorf("%s: %w (%v)", doing, store.ErrReadOnly, err)
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// classifyIfError does the same as classify for an error that may be nil.
func classifyIfError(doing string, err error) error {
	if err == nil {
		return nil
	}
	return classifyError(doing, err)
}
