package project

import (
	"context"

	"ken/internal/code"
	"ken/internal/delivery/injection"
	"ken/internal/engine/view"
	"ken/internal/knowledge/entity"
)

// WrittenPurpose returns the purpose that the page of a file gives, or derived if the file has no page. The page may have come with
// the repository, so its text is masked, and a page worded as an order to an agent is ignored. The text of a stale page begins with
// "(may be outdated)". It returns an error if the index cannot be read.
func (p *Project) WrittenPurpose(ctx context.Context, s *view.Snapshot, file, derived string) (string, error) {
	page := entity.Folder{Root: p.Root}.PageAt(code.Slug(file), file)
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
