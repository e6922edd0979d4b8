package entities

import (
	"context"

	"ken/internal/ask/find"
	"ken/internal/ask/summary"
	"ken/internal/code"
	"ken/internal/delivery/injection"
	"ken/internal/delivery/project"
	"ken/internal/engine/view"
	"ken/internal/knowledge/entity"
)

// Written puts the purposes that somebody has written into a summary, in the place of those
// that are derived.
func Written(ctx context.Context, p *project.Project, s *view.Snapshot, sum *summary.Summary) error {
	for i := range sum.Hotspots {
		h := &sum.Hotspots[i]
		text, err := PurposeOr(ctx, p, s, h.Path, "")
		if err != nil {
			return err
		}
		if text != "" {
			h.Purpose, h.Offers = text, nil
		}
	}
	return nil
}

// WrittenCards is Written for the cards of files.
func WrittenCards(ctx context.Context, p *project.Project, s *view.Snapshot, cards []find.Card) error {
	for i := range cards {
		c := &cards[i]
		var err error
		if c.Purpose, err = PurposeOr(ctx, p, s, c.Path, c.Purpose); err != nil {
			return err
		}
	}
	return nil
}

// PurposeOr is the purpose that somebody has written of a file, derived if nobody has. A page
// may have come with the repository, so it is masked, and passed over if it is worded as an
// order to an agent; of a stale one it is said that it may be outdated.
func PurposeOr(ctx context.Context, p *project.Project, s *view.Snapshot, file, derived string) (string, error) {
	page := entity.Folder{Root: p.Root}.At(code.Slug(file), file)
	if page == nil || len(injection.Scan(page.String())) > 0 {
		return derived, nil
	}
	text := p.Engine.Hide(entity.FirstSentence(page))
	if text == "" {
		return derived, nil
	}
	f, err := s.File(ctx, file)
	if err != nil {
		return derived, err
	}
	now, err := entity.APIHash(ctx, s, &f)
	if err == nil && now != page.Head.API {
		text = "(may be outdated) " + text
	}
	return text, err
}
