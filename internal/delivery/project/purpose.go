package project

import (
	"context"

	"ken/internal/code"
	"ken/internal/engine/view"
	"ken/internal/knowledge/entity"
	"ken/internal/knowledge/memory"
)

// WrittenPurpose returns the purpose of one file as Pages.Purpose does. It reads the page of the file alone.
func (p *Project) WrittenPurpose(ctx context.Context, s *view.Snapshot, file, derived string) (string, error) {
	g := &Pages{p: p, byPath: map[string]*pageRow{}}
	if page := (entity.Folder{Root: p.Root}).PageAt(code.Slug(file), file); page != nil {
		r := &pageRow{}
		r.fill(page, memory.NewSplitter(), p.Engine.Hide)
		g.byPath[file] = r
	} else {
		return derived, nil
	}
	return g.Purpose(ctx, s, file, derived)
}
