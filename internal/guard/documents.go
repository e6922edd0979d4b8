package guard

import (
	"slices"

	"ken/internal/knowledge/task"
)

// Manner is the way in which a document mentions a target, for example in a heading or in a sentence.
type Manner string

// The manners.
const (
	InHeading    Manner = "heading"
	InRow        Manner = "table row"
	InItem       Manner = "list item"
	InDefinition Manner = "definition"
	InText       Manner = "text"
	InCode       Manner = "block of code"
	InChangelog  Manner = "changelog"
)

// Mention is a line of a document that mentions a target.
type Mention struct {
	Path string
	Line int
	Name string // of the target
	As   Manner
}

// mannerRow tells for one manner whether the agent has to confirm such a mention, with an example and the reason.
type mannerRow struct {
	as      Manner
	binds   bool
	example string
	why     string
}

// manners returns a row for each manner that is judged. A mention of any other manner needs no confirmation.
func manners() []mannerRow {
	return []mannerRow{
		{InHeading, true, "`## PriceOf`", "A section about a declaration is its documentation: readers take it for true after the change, too."},
		{InRow, true, "`\\| max_size \\| how many \\|`", "As a heading: settings and parameters are documented like this."},
		{InItem, true, "``- `max_size`: how many``", "As a row. The item has to begin with the name, marked as such, and a description has to follow."},
		{InDefinition, true, "`.. confval:: max_size`", "As a heading, in notations that have definitions."},
		{InText, false, "`PriceOf is called by the cart.`", "Most sentences stay true. An agent that had to answer for each would answer without reading."},
		{InCode, false, "an example", "Examples that no longer compile are found by running them."},
		{InChangelog, false, "any line of a changelog", "It describes the past."},
	}
}

// documentsToConfirm returns the documents whose mentions of targets the agent has to confirm: the first MaxVerify of them, and the
// number of the others. other reports files to skip, because they are targets or because the agent must read them anyway.
func (p Policy) documentsToConfirm(mentions []Mention, other func(path string) bool) (docs []Document, left int) {
	for _, m := range mentions {
		binds := slices.ContainsFunc(manners(), func(r mannerRow) bool { return r.as == m.As && r.binds })
		if binds && !other(m.Path) {
			docs = addDocument(docs, Document{m.Path, []int{m.Line}, []string{m.Name}})
		}
	}
	if n := len(docs); n > p.MaxVerify {
		return docs[:p.MaxVerify], n - p.MaxVerify
	}
	return docs, 0
}

// addDocument adds a document to docs, or its lines and names to the entry of the same file.
func addDocument(docs []Document, d Document) []Document {
	i := slices.IndexFunc(docs, func(o Document) bool { return o.Path == d.Path })
	if i < 0 {
		return append(docs, d)
	}
	docs[i].Lines = mergeLines(docs[i].Lines, d.Lines)
	for _, n := range d.Names {
		if !slices.Contains(docs[i].Names, n) {
			docs[i].Names = append(slices.Clip(docs[i].Names), n)
		}
	}
	return docs
}

// Describes reports whether a file is one of the documents of the analysis that the agent has to confirm.
func (a *Analysis) Describes(file string) bool {
	return slices.ContainsFunc(a.Documents, func(d Document) bool { return d.Path == file })
}

// unreadLines returns the lines on which a document describes targets that were not read in this task.
func (t *Task) unreadLines(d *Document) (out []int) {
	for _, line := range d.Lines {
		if !t.hasSeenLines(d.Path, task.Read, line) {
			out = append(out, line)
		}
	}
	return out
}

// ReadDocument reports whether the lines on which a document describes targets were read in this task.
func (t *Task) ReadDocument(d *Document) bool { return len(t.unreadLines(d)) == 0 }
