package web

import "html/template"

// docPart is a document as it reads.
type docPart struct{ HTML template.HTML }

func newDoc(source, path string) docPart { return docPart{} }
