package settings

import (
	"encoding/json"
	"fmt"
	"strings"

	"ken/internal/workflow/plan/edit"
)

// node is a JSON value with its offsets in the text. kind is the first byte of the value, or 0 for no value.
type node struct {
	kind    byte
	span    edit.Span
	text    string // the text of a string
	members []member
}

type member struct {
	name  string
	start int // the offset of the name
	value *node
}

// valueAt returns the value at a path of names that are separated by dots. If a name is repeated, its last value counts.
func (n *node) valueAt(path string) *node {
	for name := range strings.SplitSeq(path, ".") {
		var next *node
		for _, m := range n.members {
			if m.name == name {
				next = m.value
			}
		}
		if n = next; n == nil {
			return nil
		}
	}
	return n
}

// maxNesting is the maximal depth of nested values.
const maxNesting = 64

type scanner struct {
	text string
	at   int
}

// parseJSON reads a text that is one JSON value. A byte order mark before it is ignored.
func parseJSON(text string) (*node, *edit.Problem) {
	s := &scanner{text: text}
	s.at = len(text) - len(strings.TrimPrefix(text, "\ufeff"))
	n, err := s.readValue(0)
	if err == nil {
		if s.skipBlanks(); s.at < len(text) {
			err = s.problemHere("something after the end")
		}
	}
	return n, err
}

func lineNumber(text string, at int) int { return strings.Count(text[:at], "\n") + 1 }

func (s *scanner) problemHere(why string) *edit.Problem {
	return &edit.Problem{Line: lineNumber(s.text, min(s.at, len(s.text))), Why: "not JSON: " + why}
}

func (s *scanner) skipBlanks() {
	for s.at < len(s.text) && strings.IndexByte(" \t\r\n", s.text[s.at]) >= 0 {
		s.at++
	}
}

func (s *scanner) peek() byte {
	if s.at >= len(s.text) {
		return 0
	}
	return s.text[s.at]
}

func (s *scanner) readValue(depth int) (*node, *edit.Problem) {
	s.skipBlanks()
	n := &node{kind: s.peek(), span: edit.Span{Start: s.at}}
	var err *edit.Problem
	switch {
	case depth > maxNesting:
		return nil, s.problemHere("nested too deep")
	case n.kind == '{':
		err = s.readObject(n, depth)
	case n.kind == '[':
		err = s.readArray(depth)
	case n.kind == '"':
		n.text, err = s.readQuoted()
	default:
		end := strings.IndexAny(s.text[s.at:], " \t\r\n,]}")
		if end < 0 {
			end = len(s.text) - s.at
		}
		if !json.Valid([]byte(s.text[s.at : s.at+end])) {
			return nil, s.problemHere(fmt.Sprintf("a value is missing or cannot be read: %.20q", s.text[s.at:s.at+end]))
		}
		s.at += end
	}
	n.span.End = s.at
	return n, err
}

func (s *scanner) readObject(n *node, depth int) *edit.Problem {
	s.at++
	for s.skipBlanks(); s.peek() != '}'; s.skipBlanks() {
		if len(n.members) > 0 {
			if s.peek() != ',' {
				return s.problemHere("a comma is missing")
			}
			s.at++
			s.skipBlanks()
		}
		m := member{start: s.at}
		if s.peek() != '"' {
			return s.problemHere("a name is missing")
		}
		var err *edit.Problem
		if m.name, err = s.readQuoted(); err != nil {
			return err
		}
		if s.skipBlanks(); s.peek() != ':' {
			return s.problemHere("a colon is missing")
		}
		s.at++
		if m.value, err = s.readValue(depth + 1); err != nil {
			return err
		}
		n.members = append(n.members, m)
	}
	s.at++
	return nil
}

func (s *scanner) readArray(depth int) *edit.Problem {
	s.at++
	for count := 0; ; count++ {
		if s.skipBlanks(); s.peek() == ']' {
			s.at++
			return nil
		}
		if count > 0 {
			if s.peek() != ',' {
				return s.problemHere("a comma is missing")
			}
			s.at++
		}
		if _, err := s.readValue(depth + 1); err != nil {
			return err
		}
	}
}

func (s *scanner) readQuoted() (string, *edit.Problem) {
	start := s.at
	for s.at++; s.at < len(s.text) && s.text[s.at] != '"' && s.text[s.at] != '\n'; s.at++ {
		if s.text[s.at] == '\\' {
			s.at++
		}
	}
	if s.peek() != '"' {
		s.at = start
		return "", s.problemHere("a quote is not closed")
	}
	s.at++
	var text string
	if err := json.Unmarshal([]byte(s.text[start:s.at]), &text); err != nil {
		s.at = start
		return "", s.problemHere("a text that cannot be read")
	}
	return text, nil
}

// insertKey returns the edits that add a key after the last one of its section. They also add the section if it is missing.
func (s *Settings) insertKey(name, value string) ([]edit.Edit, error) {
	newline := "\n"
	if strings.Contains(s.text, "\r\n") {
		newline = "\r\n"
	}
	if s.root.kind != '{' {
		return []edit.Edit{{Span: edit.Span{Start: 0, End: len(s.text)}, New: nestedObject(name, value, newline, "") + newline}}, nil
	}
	at, depth := s.root, ""
	for {
		section, rest, ok := strings.Cut(name, ".")
		next := at.valueAt(section)
		if !ok || next == nil {
			break
		}
		if next.kind != '{' {
			return nil, fmt.Errorf("%s is not an object, so %s cannot be set in it", section, rest)
		}
		at, name, depth = next, rest, depth+"  "
	}
	inner := nestedObject(name, value, newline, depth)
	if len(at.members) == 0 {
		return []edit.Edit{{Span: at.span, New: inner}}, nil
	}
	// A new member is written like those before it: on a line of its own, or in the same line.
	last := at.members[len(at.members)-1]
	lead := s.text[strings.LastIndexAny(s.text[:last.start], ",{")+1 : last.start]
	body := strings.TrimSuffix(strings.TrimPrefix(inner, "{"), "}")
	return []edit.Edit{{Span: edit.Span{Start: last.value.span.End, End: last.value.span.End}, New: "," + lead + strings.TrimSpace(body)}}, nil
}

// nestedObject returns the text of an object with one key. If name has dots, the key is in nested objects.
func nestedObject(name, value, newline, depth string) string {
	section, rest, ok := strings.Cut(name, ".")
	quoted, _ := json.Marshal(section)
	if ok {
		value = nestedObject(rest, value, newline, depth+"  ")
	}
	return "{" + newline + depth + "  " + string(quoted) + ": " + value + newline + depth + "}"
}
