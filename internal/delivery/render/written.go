package render

import (
	"cmp"
	"context"

	"ken/internal/ask/find"
	"ken/internal/ask/summary"
	"ken/internal/delivery/project"
	"ken/internal/engine/view"
)

// SetWrittenPurposes replaces the derived purposes in a summary by those that people or agents wrote on the pages of files. It
// fails if the index cannot be read.
func SetWrittenPurposes(ctx context.Context, p *project.Project, s *view.Snapshot, sum *summary.Summary) error {
	pages := p.Pages(s)
	for i := range sum.Hotspots {
		h := &sum.Hotspots[i]
		h.Type = cmp.Or(pages.Type(h.Path), h.Type)
		text, err := pages.Purpose(ctx, s, h.Path, "")
		if err != nil {
			return err
		}
		if text != "" {
			h.Purpose = text
		}
	}
	return nil
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
