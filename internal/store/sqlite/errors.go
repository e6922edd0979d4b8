package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"

	"zombiezen.com/go/sqlite"

	"ken/internal/engine/store"
)

// errLink refuses symbolic links, because a repository could hold one that makes
// ken write to a file elsewhere.
var errLink = errors.New("is a symbolic link, which ken does not follow; remove it")

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
		return fmt.Errorf("%s: %w", doing, store.ErrReadOnly)
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

// refuseLinks fails if one of the paths is a symbolic link.
func refuseLinks(doing string, paths ...string) error {
	for _, p := range paths {
		if st, err := os.Lstat(p); err == nil && st.Mode()&os.ModeSymlink != 0 {
			return fmt.Errorf("%s: %s %w", doing, p, errLink)
		}
	}
	return nil
}
