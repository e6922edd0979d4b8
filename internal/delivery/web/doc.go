package web

import (
	"html/template"
	"strings"
)

// isDocument reports whether a file is written in Markdown.
func isDocument(path string) bool {
	lower := strings.ToLower(path)
	return strings.HasSuffix(lower, ".md") || strings.HasSuffix(lower, ".markdown")
}

// docPart is a document as it reads.
type docPart struct{ HTML template.HTML }

func newDoc(source, path string) docPart { return docPart{} }
