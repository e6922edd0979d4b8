package imported

import (
	"context"
	"slices"
	"strings"

	"ken/internal/engine/view"
)

// Naming returns the uses of targets that name them without running code: imports, exports and components in markup. kind selects
// one of these kinds, and "" selects all; for any other kind the result is empty. It returns an error if the index or a file cannot
// be read or ctx ends.
func Naming(ctx context.Context, s *view.Snapshot, kind string, targets []view.Symbol) ([]view.Reference, error) {
	var out []view.Reference
	for _, uses := range []struct {
		kinds string
		find  func(context.Context, *view.Snapshot, []view.Symbol) ([]view.Reference, error)
	}{{"import export", usesOfDeclared}, {"template", Templates}} {
		if kind != "" && !strings.Contains(uses.kinds, kind) {
			continue
		}
		list, err := uses.find(ctx, s, targets)
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return out, nil
}

// usesOfDeclared is Uses without members: finding imports of those takes a third of the time of a question in Java and Kotlin, so
// that it is left to a rename.
func usesOfDeclared(ctx context.Context, s *view.Snapshot, targets []view.Symbol) ([]view.Reference, error) {
	isMember := func(t view.Symbol) bool { return t.Symbol.Container() != "" && !t.Kind.IsType() }
	return Uses(ctx, s, slices.DeleteFunc(slices.Clone(targets), isMember))
}
