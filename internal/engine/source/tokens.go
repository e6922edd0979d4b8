package source

import (
	"context"
	"errors"
	"io/fs"

	"ken/internal/code"
	"ken/internal/token"
)

// Tokens counts the tokens of a file inside the root as it is on disk now, indexed or not. It returns a code.NotFoundError if there is no
// such file, and a code.UsageError if it cannot be read.
func (t *Tree) Tokens(ctx context.Context, p string) (token.Size, error) {
	s, err := t.Scanner()
	if err != nil {
		return token.Size{}, err
	}
	text, err := s.ReadWhole(p)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return token.Size{}, &code.NotFoundError{What: "file", Name: p}
	case err != nil:
		return token.Size{}, code.Usagef("%v", err)
	}
	n := token.CountText(text)
	n.Path = p
	return n, ctx.Err()
}
