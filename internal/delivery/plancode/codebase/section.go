package codebase

import (
	"fmt"
	"strings"

	"ken/internal/delivery/agenttext"
	"ken/internal/delivery/injection"
	"ken/internal/operation"
)

// section is ken's text under one heading.
type section struct {
	heading string
	lines   []string
}

// page are the sections of a document in the order in which they are stated.
type page struct{ list []*section }

func (p *page) section(heading string) *section {
	s := &section{heading: heading}
	p.list = append(p.list, s)
	return s
}

// row adds an entry of a list.
func (s *section) row(format string, args ...any) {
	s.lines = append(s.lines, "- "+fmt.Sprintf(format, args...))
}

// below adds an entry below the last one.
func (s *section) below(format string, args ...any) {
	s.lines = append(s.lines, "  - "+fmt.Sprintf(format, args...))
}

// say adds a sentence before or after a list.
func (s *section) say(format string, args ...any) {
	s.lines = append(s.lines, fmt.Sprintf(format, args...))
}

// unless notes that nothing was found, and the names that were looked for.
func (s *section) unless(format string, args ...any) {
	if len(s.lines) == 0 {
		s.say(format, args...)
	}
}

// more notes how many entries are left out of a list that is cut.
func (s *section) more(n int, what string) {
	if n > 0 {
		s.row("… and %s", operation.Plural(n, "more "+what))
	}
}

func (p *page) text() string {
	var b strings.Builder
	for _, s := range p.list {
		b.WriteString("## " + s.heading + "\n\n")
		for i, l := range s.lines {
			if i > 0 && strings.HasPrefix(l, "- ") && !strings.HasPrefix(strings.TrimLeft(s.lines[i-1], " "), "- ") {
				b.WriteString("\n")
			}
			b.WriteString(l + "\n")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// plain returns a text as one line that neither begins nor ends a comment, so that no name of a file can look like a mark.
func plain(s string) string {
	return strings.NewReplacer("<!--", "<! --", "-->", "-- >").Replace(operation.Escape(strings.Join(strings.Fields(s), " ")))
}

// name returns a name between backticks.
func name(s string) string { return "`" + strings.ReplaceAll(plain(s), "`", "'") + "`" }

// list are names between backticks: the first so many, and how many more.
func list(all []string, most int) string {
	var out []string
	for _, s := range all[:min(len(all), most)] {
		out = append(out, name(s))
	}
	if n := len(all) - most; n > 0 {
		out = append(out, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(out, ", ")
}

const maxQuote = 180

// quoteSafe is a sentence of the repository. One that is worded as an order to an agent is not passed on.
func quoteSafe(s string) string {
	if s == "" {
		return ""
	}
	if len(injection.Scan(s)) > 0 {
		return "(not shown: it is worded as an order to an agent)"
	}
	return strings.TrimSuffix(plain(agenttext.Clip(s, maxQuote)), ".")
}

// says joins a name and its description.
func says(name, text string) string {
	if text == "" {
		return name
	}
	return name + " — " + text
}

func files(n int) string { return operation.Plural(n, "file") }
