package jsonedit

import (
	"bytes"
	"encoding/json"
	"slices"
)

const (
	// maxDepth limits nesting, because reading recurses as deep as the text.
	maxDepth = 1000
	// maxNodes limits the number of nodes kept for a text; a settings file has some hundred members and entries of hooks.
	maxNodes = 1_000_000
)

// document is a text with the positions of its values.
type document struct {
	text []byte
	root *node
	// blank: the text is only white space, as a file that was made and not filled.
	blank bool
}

// node is a value, with its key if it is a member of an object. Children are kept for the outermost object, and for everything below the
// requested keys.
type node struct {
	kind       byte // first byte of the value: { [ " t f n - or a digit
	key        string
	at         int // the start of the member or element
	start, end int // of the value
	children   []*node
}

func (n *node) member(key string) *node {
	for _, c := range n.children {
		if n.kind == '{' && c.key == key {
			return c
		}
	}
	return nil
}

// parseDocument reads a text whose outermost value is an object. keys are the members to keep in detail; they must be unique, and so must
// those below them, because readers do not agree which of two counts.
func parseDocument(text []byte, keys ...string) (*document, error) {
	s := &scanner{text: text, at: len(text) - len(bytes.TrimPrefix(text, byteOrderMark)), keys: keys}
	d := &document{text: text}
	if d.blank = len(bytes.TrimSpace(text[s.at:])) == 0; d.blank {
		d.root = &node{kind: '{'}
		return d, nil
	}
	if err := s.skipBlanks(); err != nil {
		return nil, err
	}
	if s.peek() != 0 && s.peek() != '{' {
		return nil, s.fail(s.at, "the file holds no object: it begins with %q", s.peek())
	}
	var err error
	if d.root, err = s.readValue(0, true); err != nil {
		return nil, err
	}
	if err := s.skipBlanks(); err != nil {
		return nil, err
	}
	if s.at < len(text) {
		return nil, s.fail(s.at, "there is more after the end of the object")
	}
	return d, nil
}

// scanner reads a text once, from its beginning to its end.
type scanner struct {
	text  []byte
	at    int
	keys  []string
	nodes int
}

func (s *scanner) fail(at int, format string, args ...any) error {
	return syntaxError(s.text, at, format, args...)
}

// peek returns the next byte, or 0 at the end.
func (s *scanner) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// skipBlanks advances to the next byte outside of blanks and comments.
func (s *scanner) skipBlanks() error {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case isBlank(c):
			s.at++
		case c == '/':
			end := commentEnd(s.text, s.at)
			if end < 0 {
				return s.fail(s.at, "a comment is not ended, or a / that begins none")
			}
			s.at = end
		default:
			return nil
		}
	}
	return nil
}

// commentEnd returns the end of the comment that begins at a byte, or -1 if none begins there. The line end after a comment of one line
// is not part of it.
func commentEnd(text []byte, at int) int {
	switch rest := text[at:]; {
	case bytes.HasPrefix(rest, []byte("//")):
		if n := bytes.IndexAny(rest, "\r\n"); n >= 0 {
			return at + n
		}
		return len(text)
	case bytes.HasPrefix(rest, []byte("/*")):
		if n := bytes.Index(rest[2:], []byte("*/")); n >= 0 {
			return at + n + 4
		}
	}
	return -1
}

// readValue reads a value. If keep is false, no nodes are kept for its content.
func (s *scanner) readValue(depth int, keep bool) (*node, error) {
	if depth > maxDepth {
		return nil, s.fail(s.at, "it is nested more than %d deep", maxDepth)
	}
	n := &node{kind: s.peek(), at: s.at, start: s.at}
	var err error
	switch c := n.kind; {
	case c == '{', c == '[':
		err = s.readContainer(n, depth, keep)
	case c == '"':
		err = s.readString()
	case c == '-', c >= '0' && c <= '9':
		err = s.readNumber()
	case c == 't':
		err = s.readWord("true")
	case c == 'f':
		err = s.readWord("false")
	case c == 'n':
		err = s.readWord("null")
	case s.at >= len(s.text):
		err = s.fail(s.at, "the text ends where a value is expected")
	default:
		err = s.fail(s.at, "%q where a value is expected", c)
	}
	n.end = s.at
	return n, err
}

func (s *scanner) readWord(w string) error {
	if !bytes.HasPrefix(s.text[s.at:], []byte(w)) {
		return s.fail(s.at, "%q where a value is expected", s.peek())
	}
	s.at += len(w)
	return nil
}

func (s *scanner) readNumber() error {
	start := s.at
	for s.at < len(s.text) && bytes.IndexByte([]byte("+-.0123456789eE"), s.text[s.at]) >= 0 {
		s.at++
	}
	if !json.Valid(s.text[start:s.at]) {
		return s.fail(start, "this is not a number of JSON")
	}
	return nil
}

func (s *scanner) readString() error {
	start, plain := s.at, true
	for s.at++; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '\\':
			plain = false
			s.at++
		case c == '"':
			s.at++
			if !plain && !json.Valid(s.text[start:s.at]) {
				return s.fail(start, "this string has an escape that JSON does not know")
			}
			return nil
		case c < 0x20:
			return s.fail(s.at, "a string holds a line end or control character")
		}
	}
	s.at = len(s.text)
	return s.fail(start, "a string is not ended")
}

// readContainer reads an object or array. A comma before the closing bracket is accepted.
func (s *scanner) readContainer(n *node, depth int, keep bool) error {
	closing := n.kind + 2 // ] after [, } after {
	var seen map[string]bool
	if keep {
		seen = map[string]bool{}
	}
	s.at++
	for {
		if err := s.skipBlanks(); err != nil {
			return err
		}
		if s.peek() == closing {
			s.at++
			return nil
		}
		if err := s.readItem(n, depth, keep, seen); err != nil {
			return err
		}
		if err := s.skipBlanks(); err != nil {
			return err
		}
		switch s.peek() {
		case ',':
			s.at++
		case closing:
		case 0:
			return s.fail(s.at, "the text ends, and the %q of line %d is not closed", n.kind, 1+bytes.Count(s.text[:n.start], []byte("\n")))
		default:
			return s.fail(s.at, "a comma or %q is expected", closing)
		}
	}
}

// readItem reads one member or element. seen are the keys so far, which must be unique.
func (s *scanner) readItem(n *node, depth int, keep bool, seen map[string]bool) error {
	at, key, below := s.at, "", keep && depth > 0
	if n.kind == '{' {
		var err error
		if key, err = s.readKey(keep); err != nil {
			return err
		}
		if depth == 0 {
			below = slices.Contains(s.keys, key)
		}
		if below && seen[key] {
			return s.fail(at, "the key %q is there twice", key)
		}
		if below {
			seen[key] = true
		}
	}
	child, err := s.readValue(depth+1, below)
	if err != nil || !keep {
		return err
	}
	if s.nodes++; s.nodes > maxNodes {
		return s.fail(at, "there are more than %d entries", maxNodes)
	}
	child.at, child.key = at, key
	n.children = append(n.children, child)
	return nil
}

// readKey reads a key and the colon after it.
func (s *scanner) readKey(keep bool) (string, error) {
	start := s.at
	if s.peek() != '"' {
		return "", s.fail(s.at, "a key in double quotes is expected")
	}
	if err := s.readString(); err != nil {
		return "", err
	}
	var key string
	if keep {
		if err := json.Unmarshal(s.text[start:s.at], &key); err != nil {
			return "", s.fail(start, "this key cannot be read")
		}
	}
	if err := s.skipBlanks(); err != nil {
		return "", err
	}
	if s.peek() != ':' {
		return "", s.fail(s.at, "a colon is expected after a key")
	}
	s.at++
	return key, s.skipBlanks()
}
