package pack

import (
	"fmt"
	"strconv"
	"strings"

	"ken/internal/code"
	"ken/internal/delivery/agenttext"
	"ken/internal/engine/view"
)

// Format is an output format of a pack.
type Format string

// The formats.
const (
	XML      Format = "xml"
	Markdown Format = "markdown"
	JSON     Format = "json"
)

// writer renders a pack piece by piece; every method appends to b. Only the
// piece marked as first differs from the others, so that a pack can be
// streamed.
type writer interface {
	// begin writes the head with the table of contents.
	begin(b []byte, h *packHead) []byte
	entry(b []byte, f *shownFile, first bool) []byte // one line of the contents
	enter(b []byte) []byte                           // end of the contents
	file(b []byte, f *shownFile, first bool) []byte
	// end writes the list of files left out and closes the pack.
	end(b []byte, h *packHead) []byte
	plain() bool // wants texts without characters that have no glyph
}

func newWriter(f Format, compress bool) writer {
	switch f {
	case Markdown:
		return markdownWriter{}
	case JSON:
		return jsonWriter{}
	}
	return xmlWriter{compact: compress}
}

// packHead describes the pack as a whole; it is printed before and after the files.
type packHead struct {
	revision  code.Rev
	tokenizer string
	budget    bool // used and total are printed
	used      int
	total     int
	files     int // of a pack without a budget: number and tokens of the files
	tokens    int

	left       []Left // listed one by one
	leftFiles  int    // all that is left out, listed or not
	leftTokens int
}

// Left is a file that did not fit into the pack.
type Left struct {
	Path   string
	Tokens int    // tokens of the whole file; 0 if unknown
	Why    string // "budget", or its class: "binary", "generated", …
}

// shownFile is a file of a pack.
type shownFile struct {
	path       string
	lang       code.Lang
	lines      int // of the file
	fileTokens int // its tokens
	tokens     int // of the shown parts
	parts      []filePart
}

// filePart is one piece of a file: a signature, or lines of source.
type filePart struct {
	from, to int
	text     string
	source   bool
	kind     string // of a signature: function, class, interface, type or variable
	name     string
	depth    int // declarations around a signature
	cut      int // lines of the same symbol or range that did not fit
}

// gap returns the blanks between the line number and the text of a signature.
func (p *filePart) gap() string { return ": " + strings.Repeat("  ", p.depth) }

// isComplete reports whether every line is shown.
func (f *shownFile) isComplete() bool {
	if len(f.parts) != 1 {
		return false
	}
	p := &f.parts[0]
	return p.source && p.cut == 0 && p.from == 1 && p.to >= f.lines
}

// summary returns which parts of a file are shown: "whole", "lines 3-9,14-20, 4 signatures".
func (f *shownFile) summary() string {
	if f.isComplete() {
		return "whole"
	}
	var ranges []string
	signatures := 0
	for i := range f.parts {
		p := &f.parts[i]
		switch {
		case !p.source:
			signatures++
		case p.from == p.to:
			ranges = append(ranges, strconv.Itoa(p.from))
		default:
			ranges = append(ranges, strconv.Itoa(p.from)+"-"+strconv.Itoa(p.to))
		}
	}
	var out []string
	if len(ranges) > 0 {
		out = append(out, "lines "+strings.Join(ranges, ","))
	}
	if signatures > 0 {
		out = append(out, plural(signatures, "signature"))
	}
	if len(out) == 0 {
		return "nothing to show"
	}
	return strings.Join(out, ", ")
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// signaturePart returns the part that shows a symbol without its body.
func signaturePart(s *view.Symbol, plain bool) filePart {
	text := s.Signature
	if plain { // else the writer sees to it
		text = spellInvisible(text)
	}
	return filePart{from: int(s.Span.Line), to: int(s.Span.EndLine), text: text, kind: agenttext.EntityType(s.Kind), name: s.Qualified}
}
