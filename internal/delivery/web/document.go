package web

import (
	"html/template"
	"strings"

	"ken/internal/delivery/web/document"
	"ken/internal/operation"
)

// isDocument reports whether a file is written in Markdown.
func isDocument(path string) bool {
	lower := strings.ToLower(path)
	return strings.HasSuffix(lower, ".md") || strings.HasSuffix(lower, ".markdown")
}

// newDocument returns a part of a document as it reads, "" if it is only shown as source.
func newDocument(source, path string) template.HTML {
	lines := strings.Split(source, "\n")
	for i := range lines {
		lines[i] = operation.EscapeLine(lines[i])
	}
	out, _ := document.Render(strings.Join(lines, "\n"), path, func(to string) string { return link("file", "path", to) })
	return out
}
