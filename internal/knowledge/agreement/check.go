package agreement

import (
	"context"
	"errors"
	"slices"

	"ken/internal/code"
	"ken/internal/engine/view"
)

// FoundMeaning is the present place of the declaration or file that a term means.
type FoundMeaning struct {
	Status Status
	File   string // its file now, if the page names another
	Line   uint32 // of the declaration
}

// FindMeaning finds the meaning of an agreement: in the file that the page names, else in another file if exactly one
// declares the symbol. It fails if the index cannot be read.
func FindMeaning(ctx context.Context, s *view.Snapshot, a *Agreement) (FoundMeaning, error) {
	if a.Symbol == "" {
		_, ok, err := s.Index.FileByPath(a.File)
		if !ok {
			return FoundMeaning{Status: Invalid}, err
		}
		return FoundMeaning{Status: Valid}, err
	}
	list, err := findDeclarations(ctx, s, a.Symbol)
	if err != nil || len(list) == 0 {
		return FoundMeaning{Status: Invalid}, err
	}
	for i := range list {
		if list[i].Path == a.File {
			return FoundMeaning{Status: Valid, Line: list[i].Span.Line}, nil
		}
	}
	f := FoundMeaning{Status: Valid, File: list[0].Path, Line: list[0].Span.Line}
	for i := range list {
		switch {
		case list[i].Path == f.File:
		case a.File != "": // which of them the term means is not confirmed
			return FoundMeaning{Status: Invalid}, nil
		default:
			return FoundMeaning{Status: Valid}, nil
		}
	}
	return f, nil
}

// findDeclarations returns the declarations of a name: those of the exact name, or else those that it could mean.
func findDeclarations(ctx context.Context, s *view.Snapshot, name string) ([]view.Symbol, error) {
	list, err := s.Definitions(ctx, name)
	var missing *code.NotFoundError
	if errors.As(err, &missing) {
		return nil, nil
	}
	same := slices.DeleteFunc(slices.Clone(list), func(y view.Symbol) bool { return y.Qualified != name })
	if len(same) > 0 {
		return same, err
	}
	return list, err
}
