package engine

import (
	"bytes"
	"context"
	"errors"
	"io/fs"

	"ken/internal/token"
)

// Tokens counts a file inside the root as it is on disk now, indexed or not.
func (t *Tree) Tokens(ctx context.Context, p string) (Tokens, error) {
	s, err := t.Scanner()
	if err != nil {
		return Tokens{}, err
	}
	text, err := s.ReadWhole(p)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Tokens{}, &NotFoundError{What: "file", Name: p}
	case err != nil:
		return Tokens{}, usagef("%v", err)
	}
	n := CountText(text)
	n.Path = p
	return n, ctx.Err()
}

// Counter counts tokens of many texts; it is not safe for concurrent use.
type Counter struct{ pair *token.Pair }

// NewCounter makes a Counter; it costs more than counting a short text.
func NewCounter() *Counter { return &Counter{token.NewPair()} }

// Count counts a text's tokens in cl100k_base and o200k_base.
func (c *Counter) Count(text []byte) (cl100k, o200k int) { return c.pair.Count(text) }

// CountText counts the tokens of a text.
func CountText(text []byte) Tokens {
	c, o := token.NewPair().Count(text)
	lines := bytes.Count(text, []byte{'\n'})
	if len(text) > 0 && text[len(text)-1] != '\n' {
		lines++
	}
	return Tokens{CL100K: c, O200K: o, Lines: lines, Bytes: int64(len(text))}
}
