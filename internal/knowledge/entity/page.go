// Package entity has a page of meaning for each source file: why the file exists, its exports and its dependencies. A page
// is either derived, that is computed on demand and not stored, or written by an agent or a person as a Markdown file below
// .ken/knowledge/entities. Of a written page ken refreshes the computed parts and leaves the text alone. Its neighbours in
// internal/knowledge keep sessions and decisions.
package entity

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ken/internal/knowledge/textfile"
)

// Status is the state of a page: whether its text still fits its file.
type Status string

// The states of a page.
const (
	Active     Status = "active"     // its text was written for the present API of the file
	Stale      Status = "stale"      // the API of the file has changed since
	Deprecated Status = "deprecated" // its author says that the file should not be used
)

// Head is the front matter of a page.
type Head struct {
	ID         string // code.Slug of Path, longer where two files share it
	Path       string
	Type       string // one of Types
	Updated    string // YYYY-MM-DD
	Status     Status
	Lines      uint32
	Complexity string   // low, medium, high
	Author     string   // agent or person; "" on a derived page
	API        string   // APIHash of the file when the text was written
	Seen       string   // APIHash at the last refresh, "" if it is API; it identifies a renamed file
	Other      []string // lines of keys that ken does not know, unchanged
}

// Section is a part of a page below a heading of the second level. Text has no heading and no
// blank lines at its ends.
type Section struct{ Title, Text string }

// Page is a page about a file, parsed into its parts.
type Page struct {
	Head     Head
	Title    string
	Lead     string // the text between title and first section
	Sections []Section
}

// The titles of sections that ken reads or computes.
const (
	Purpose      = "Purpose"
	KeyExports   = "Key Exports"
	Dependencies = "Dependencies"
	Dependents   = "Dependents (Auto-generated)"
	Notes        = "Patterns & Notes"
)

// MaxPage is the size of the largest page that is accepted, and maxRead that of the largest
// that is read, in bytes: people may write longer pages than agents are allowed to.
const (
	MaxPage = 3 << 10
	maxRead = 64 << 10
)

// Parse parses a page: front matter between two lines "---", a title, sections. It drops carriage returns at the ends of
// lines and a byte order mark. It fails with a textfile.FormatError.
func Parse(text string) (*Page, error) {
	text, err := textfile.CleanText(text, maxRead)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(text, "\n")
	p := &Page{}
	rest, err := p.readHead(lines)
	if err != nil {
		return nil, err
	}
	p.readBody(lines[rest:])
	return p, nil
}

// readHead reads the front matter and returns the number of lines that it takes.
func (p *Page) readHead(lines []string) (int, error) {
	list, taken, err := textfile.FrontMatter(lines)
	if err != nil {
		return 0, err
	}
	for _, l := range list {
		if err := p.Head.setKey(l.Key, l.Value, l.Line); err != nil {
			return 0, &textfile.FormatError{Line: l.Number, Why: err.Error()}
		}
	}
	return taken, nil
}

// setKey sets the value of a key; line is the whole line.
func (h *Head) setKey(key, value, line string) error {
	switch key {
	case "id":
		h.ID = value
	case "path":
		h.Path = value
	case "type":
		h.Type = value
	case "updated":
		h.Updated = value
	case "status":
		h.Status = Status(value)
	case "complexity":
		h.Complexity = value
	case "author":
		h.Author = value
	case "api":
		h.API = value
	case "seen":
		h.Seen = value
	case "lines":
		n, err := strconv.ParseUint(value, 10, 32)
		if err != nil {
			return fmt.Errorf("lines is no number: %.40s", value)
		}
		h.Lines = uint32(n)
	default:
		h.Other = append(h.Other, line)
	}
	return nil
}

// readBody reads title and sections. Lines in fenced code are not headings.
func (p *Page) readBody(lines []string) {
	var text []string
	at := -1 // section, -1 before the first
	flush := func() {
		s := strings.Trim(strings.Join(text, "\n"), "\n")
		if at < 0 {
			p.Lead = s
		} else {
			p.Sections[at].Text = s
		}
		text = nil
	}
	fence := ""
	for _, l := range lines {
		trimmed := strings.TrimSpace(l)
		switch {
		case fence != "":
			if strings.HasPrefix(trimmed, fence) && strings.Trim(trimmed, fence[:1]) == "" {
				fence = ""
			}
		case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
			fence = trimmed[:3]
		case strings.HasPrefix(l, "# ") && p.Title == "" && at < 0:
			p.Title = strings.TrimSpace(l[2:])
			continue
		case strings.HasPrefix(l, "## "):
			flush()
			p.Sections = append(p.Sections, Section{Title: strings.TrimSpace(l[3:])})
			at = len(p.Sections) - 1
			continue
		}
		text = append(text, strings.TrimRight(l, " \t\r"))
	}
	flush()
}

// Section returns the text of a section, "" if there is none of this title. Case makes no difference.
func (p *Page) Section(title string) string {
	if i := p.findSection(title); i >= 0 {
		return p.Sections[i].Text
	}
	return ""
}

func (p *Page) findSection(title string) int {
	return slices.IndexFunc(p.Sections, func(s Section) bool { return strings.EqualFold(s.Title, title) })
}

// sectionOrder lists the sections that ken knows in their order on a page.
var sectionOrder = [...]string{Purpose, KeyExports, Dependencies, Dependents, Notes}

// Set replaces the text of a section, or adds the section at its place; an empty text removes it.
func (p *Page) Set(title, text string) {
	i := p.findSection(title)
	switch {
	case i >= 0 && text == "":
		p.Sections = slices.Delete(p.Sections, i, i+1)
	case i >= 0:
		p.Sections[i].Text = text
	case text != "":
		at := len(p.Sections)
		rank := slices.Index(sectionOrder[:], title)
		for k := range p.Sections {
			if r := slices.Index(sectionOrder[:], p.Sections[k].Title); rank >= 0 && r > rank {
				at = k
				break
			}
		}
		p.Sections = slices.Insert(p.Sections, at, Section{title, text})
	}
}

// String returns the page as it is written to its file.
func (p *Page) String() string {
	var b strings.Builder
	h := &p.Head
	b.WriteString("---\n")
	lines := strconv.FormatUint(uint64(h.Lines), 10)
	for _, kv := range [...][2]string{{"id", h.ID}, {"path", h.Path}, {"type", h.Type}, {"updated", h.Updated}, {"status", string(h.Status)},
		{"lines", lines}, {"complexity", h.Complexity}, {"author", h.Author}, {"api", h.API}, {"seen", h.Seen}} {
		if kv[1] != "" {
			fmt.Fprintf(&b, "%s: %s\n", kv[0], textfile.QuoteScalar(kv[1]))
		}
	}
	for _, l := range h.Other {
		b.WriteString(l + "\n")
	}
	b.WriteString("---\n")
	if p.Title != "" {
		fmt.Fprintf(&b, "\n# %s\n", p.Title)
	}
	if p.Lead != "" {
		fmt.Fprintf(&b, "\n%s\n", p.Lead)
	}
	for _, s := range p.Sections {
		fmt.Fprintf(&b, "\n## %s\n", s.Title)
		if s.Text != "" {
			fmt.Fprintf(&b, "\n%s\n", s.Text)
		}
	}
	return b.String()
}
