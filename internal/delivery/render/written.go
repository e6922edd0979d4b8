package render

import (
	"context"

	"ken/internal/ask/find"
	"ken/internal/ask/summary"
	"ken/internal/delivery/project"
	"ken/internal/engine/view"
)

// WrittenSummary puts the purposes that are written on pages into a summary, in the place of derived ones. It fails if the index
// cannot be read.
func WrittenSummary(ctx context.Context, p *project.Project, s *view.Snapshot, sum *summary.Summary) error {
	for i := range sum.Hotspots {
		h := &sum.Hotspots[i]
		text, err := p.WrittenPurpose(ctx, s, h.Path, "")
		if err != nil {
			return err
		}
		if text != "" {
			h.Purpose, h.Offers = text, nil
		}
	}
	return nil
}

// WrittenCards puts written purposes into the cards of files. It returns an error if the index cannot be read.
func WrittenCards(ctx context.Context, p *project.Project, s *view.Snapshot, cards []find.Card) error {
	for i := range cards {
		c := &cards[i]
		var err error
		if c.Purpose, err = p.WrittenPurpose(ctx, s, c.Path, c.Purpose); err != nil {
			return err
		}
	}
	return nil
}
