package codebase

import (
	"fmt"
	"strings"

	"ken/internal/delivery/agenttext"
	"ken/internal/delivery/injection"
	"ken/internal/operation"
)

// section is the derived text under one heading.
type section struct {
	heading string
	lines   []string
}

// page holds the sections of a document in order.
type page struct{ list []*section }

func (p *page) section(heading string) *section {
	s := &section{heading: heading}
	p.list = append(p.list, s)
	return s
}

// addRow adds an entry of a list.
func (s *section) addRow(format string, args ...any) {
	s.lines = append(s.lines, "- "+fmt.Sprintf(format, args...))
}

// addSubRow adds an indented entry below the last one.
func (s *section) addSubRow(format string, args ...any) {
	s.lines = append(s.lines, "  - "+fmt.Sprintf(format, args...))
}

// addSentence adds a sentence before or after a list.
func (s *section) addSentence(format string, args ...any) {
	s.lines = append(s.lines, fmt.Sprintf(format, args...))
}

// addNotFound adds the remark that nothing was found, with the names that were searched for, unless there are entries.
func (s *section) addNotFound(format string, args ...any) {
	if len(s.lines) == 0 {
		s.addSentence(format, args...)
	}
}

// addMore adds the number of entries that a shortened list leaves out.
func (s *section) addMore(n int, what string) {
	if n > 0 {
		s.addRow("… and %s", operation.Plural(n, "more "+what))
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

// plainLine returns a text as one line without the beginning or end of a comment, so that no file name can look like a mark.
func plainLine(s string) string {
	return strings.NewReplacer("<!--", "<! --", "-->", "-- >").Replace(operation.Escape(strings.Join(strings.Fields(s), " ")))
}

// quoteName returns a name between backticks.
func quoteName(s string) string { return "`" + strings.ReplaceAll(plainLine(s), "`", "'") + "`" }

// nameList returns at most most names between backticks, and the number of the others.
func nameList(all []string, most int) string {
	var out []string
	for _, s := range all[:min(len(all), most)] {
		out = append(out, quoteName(s))
	}
	if n := len(all) - most; n > 0 {
		out = append(out, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(out, ", ")
}

const maxQuote = 180

// quoteSafe returns a sentence of the repository, "" if it is worded as an order to an agent.
func quoteSafe(s string) string {
	if s == "" {
		return ""
	}
	if len(injection.Scan(s)) > 0 {
		return "(not shown: it is worded as an order to an agent)"
	}
	return strings.TrimSuffix(plainLine(agenttext.Clip(s, maxQuote)), ".")
}

// describeEntry joins a name and its description.
func describeEntry(name, text string) string {
	if text == "" {
		return name
	}
	return name + " — " + text
}

func fileCount(n int) string { return operation.Plural(n, "file") }
