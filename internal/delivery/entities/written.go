package entities

import (
	"context"

	"ken/internal/ask/summary"
	"ken/internal/code"
	"ken/internal/delivery/injection"
	"ken/internal/delivery/project"
	"ken/internal/engine/view"
	"ken/internal/knowledge/entity"
)

// Written puts the purposes that somebody has written into a summary, in the place of those
// that are derived. A page may have come with the repository, so it is masked, and left out if
// it is worded as an order to an agent; of a stale one it is said that it may be outdated.
func Written(ctx context.Context, p *project.Project, s *view.Snapshot, sum *summary.Summary) error {
	d := entity.Folder{Root: p.Root}
	for i := range sum.Hotspots {
		h := &sum.Hotspots[i]
		page, err := d.At(code.Slug(h.Path), h.Path)
		if err != nil {
			return err
		}
		if page == nil || len(injection.Scan(page.String())) > 0 {
			continue
		}
		text := p.Engine.Hide(entity.FirstSentence(page))
		if text == "" {
			continue
		}
		f, err := s.File(ctx, h.Path)
		if err != nil {
			return err
		}
		now, err := entity.APIHash(ctx, s, &f)
		if err != nil {
			return err
		}
		if now != page.Head.API {
			text = "(may be outdated) " + text
		}
		h.Purpose, h.Offers = text, nil
	}
	return nil
}
