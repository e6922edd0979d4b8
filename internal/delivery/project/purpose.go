package project

import (
	"ken/internal/code"
	"ken/internal/knowledge/memory"
)

// PageOf returns the written page of one file as Pages. It reads that page alone.
func (p *Project) PageOf(file string) *Pages {
	g := newPages(p)
	if page := g.folder.PageAt(code.Slug(file), file); page != nil {
		r := &pageRow{}
		r.fill(page, memory.NewSplitter(), p.Engine.Hide)
		g.byPath[file] = r
	}
	return g
}
