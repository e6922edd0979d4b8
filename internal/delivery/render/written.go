package render

import (
	"context"

	"ken/internal/ask/find"
	"ken/internal/ask/summary"
	"ken/internal/delivery/project"
	"ken/internal/engine/view"
)

// WrittenPages returns what people or agents wrote about files, which replaces what is derived. Its functions fail if the index cannot be
// read.
func WrittenPages(p *project.Project, s *view.Snapshot) summary.Written {
	pages := p.Pages(s)
	purpose := func(ctx context.Context, path string) (string, error) { return pages.Purpose(ctx, s, path, "") }
	return summary.Written{Type: pages.Type, Purpose: purpose}
}

// SetWrittenCardPurposes replaces the derived purposes in descriptions of files by written ones. It returns an error if the index cannot
// be read.
func SetWrittenCardPurposes(ctx context.Context, p *project.Project, s *view.Snapshot, cards []find.Card) error {
	pages := p.Pages(s)
	for i := range cards {
		c := &cards[i]
		var err error
		if c.Purpose, err = pages.Purpose(ctx, s, c.Path, c.Purpose); err != nil {
			return err
		}
	}
	return nil
}
