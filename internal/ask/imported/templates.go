package imported

import (
	"context"
	"regexp"
	"slices"

	"ken/internal/ask/grep"
	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// Templates returns the places in MDX and Markdown files that use a target as a component. It searches the texts for its name,
// because uses in these languages are not in the index. It returns an error if the index or a file cannot be read or ctx ends.
func Templates(ctx context.Context, s *view.Snapshot, targets []view.Symbol) ([]view.Reference, error) {
	var out []view.Reference
	names, err := grep.NewNameFiles(s)
	if err != nil {
		return nil, err
	}
	for i := range targets {
		t := &targets[i]
		if t.Symbol.Container() != "" || i > 0 && targets[i-1].Name == t.Name {
			continue
		}
		n, _ := s.Lookup.Node(t.Path)
		files, _, _, err := names.Unread(t.Name, map[string]bool{graph.Family(n.Lang): true})
		if err != nil {
			return nil, err
		}
		files = slices.DeleteFunc(files, func(f code.File) bool { return lang.Of(f.Lang).Sort != lang.Prose })
		if len(files) == 0 {
			continue
		}
		conf := code.UniqueName
		if len(targets) > 1 {
			conf = code.Ambiguous
		}
		pattern := `<(\w+\.)?` + regexp.QuoteMeta(t.Name) + `\b`
		for m, err := range grep.Grep(ctx, s, view.GrepQuery{Regex: pattern, Only: files}) {
			if err != nil {
				return nil, err
			}
			out = append(out, view.Reference{Path: m.Path, Line: m.Line, Start: m.End - uint32(len(t.Name)), End: m.End, Kind: code.RefTemplate,
				Confidence: conf, In: m.In, InKind: m.InKind, Target: t})
		}
	}
	return out, s.Lookup.Err
}
