package secrets

import (
	"ken/internal/engine/source"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
)

// Text is a text that is in no indexed file, such as one that is going to be committed.
type Text struct {
	source.Described
	Found []store.FoundSecret // without those that a comment or an allow-list allows
}

// InText reads a text as if it were the file at a path. It returns an error if the rules for secrets are invalid.
func InText(s *view.Snapshot, path, text string) (*Text, error) {
	d, found, err := s.Tree.Describe(path, text)
	if err != nil {
		return nil, err
	}
	rep := newSecretReport(s)
	for _, f := range found {
		rep.add(store.FoundSecret{Path: path, Secret: f})
	}
	return &Text{Described: d, Found: rep.list}, nil
}
