package yamltree

import (
	"strings"

	"ken/internal/workflow/plan/edit"
)

// flowReader reads a list [a, b] or a map {a: b}, which may continue over several lines.
type flowReader struct {
	p   *parser
	at  int
	end int // the offset at which the value must have ended
}

func (f *flowReader) skipBlanks() {
	for f.at < f.end {
		switch c := f.p.text[f.at]; {
		case strings.IndexByte(" \t\r\n", c) >= 0:
			f.at++
		case isComment(f.p.text[f.at:]) && strings.IndexByte(" \t\r\n", f.p.text[f.at-1]) >= 0:
			for f.at < f.end && f.p.text[f.at] != '\n' {
				f.at++
			}
		default:
			return
		}
	}
}

func (f *flowReader) peek() byte {
	if f.at >= f.end {
		return 0
	}
	return f.p.text[f.at]
}

func (f *flowReader) readValue(depth int) (*Node, bool) {
	if depth >= maxDepth {
		return nil, false
	}
	switch f.peek() {
	case 0:
		return nil, false
	case '[':
		return f.readList(depth)
	case '{':
		return f.readMapping(depth)
	case '"', '\'':
		return f.readQuoted()
	}
	return f.readPlain()
}

func (f *flowReader) readList(depth int) (*Node, bool) {
	n := &Node{Kind: List, Style: Flow, Span: edit.Span{Start: f.at}}
	for f.at++; ; {
		f.skipBlanks()
		switch f.peek() {
		case ']':
			f.at++
			n.Span.End = f.at
			return n, true
		case ',':
			f.at++
			continue
		}
		v, ok := f.readValue(depth + 1)
		if !ok {
			return nil, false
		}
		n.Items = append(n.Items, v)
		if f.skipBlanks(); f.peek() != ',' && f.peek() != ']' {
			return nil, false
		}
	}
}

func (f *flowReader) readMapping(depth int) (*Node, bool) {
	n := &Node{Kind: Map, Style: Flow, Span: edit.Span{Start: f.at}}
	for f.at++; ; {
		f.skipBlanks()
		switch f.peek() {
		case '}':
			f.at++
			n.Span.End = f.at
			return n, true
		case ',':
			f.at++
			continue
		}
		pair, ok := f.readPair(depth)
		if !ok {
			return nil, false
		}
		n.Pairs = append(n.Pairs, pair)
		if f.skipBlanks(); f.peek() != ',' && f.peek() != '}' {
			return nil, false
		}
	}
}

func (f *flowReader) readPair(depth int) (*Pair, bool) {
	start := f.at
	key, ok := f.readKey()
	if !ok {
		return nil, false
	}
	f.skipBlanks()
	if f.peek() != ':' {
		return nil, false
	}
	f.at++
	pair := &Pair{Key: key, Span: edit.Span{Start: start}, Colon: f.at}
	f.skipBlanks()
	switch f.peek() {
	case ',', '}':
		pair.Value = &Node{Span: edit.Span{Start: pair.Colon, End: pair.Colon}}
	default:
		if pair.Value, ok = f.readValue(depth + 1); !ok {
			return nil, false
		}
	}
	pair.Span.End = f.at
	return pair, true
}

func (f *flowReader) readKey() (string, bool) {
	if c := f.peek(); c == '"' || c == '\'' {
		n, ok := f.readQuoted()
		if !ok {
			return "", false
		}
		return n.Value, true
	}
	end := strings.IndexAny(f.p.text[f.at:f.end], ":,{}[]\n")
	if end <= 0 || f.p.text[f.at+end] != ':' {
		return "", false
	}
	key := strings.TrimSpace(f.p.text[f.at : f.at+end])
	f.at += end
	return key, true
}

func (f *flowReader) readQuoted() (*Node, bool) {
	end, ok := f.p.quotedEnd(f.at, f.end)
	if !ok {
		return nil, false
	}
	n := f.p.quotedNode(edit.Span{Start: f.at, End: end}, 0)
	f.at = end
	return n, true
}

func (f *flowReader) readPlain() (*Node, bool) {
	start := f.at
	for f.at < f.end && strings.IndexByte(",[]{}", f.p.text[f.at]) < 0 {
		if f.at > start && isComment(f.p.text[f.at:]) && strings.IndexByte(" \t\n", f.p.text[f.at-1]) >= 0 {
			break
		}
		f.at++
	}
	s := edit.Span{Start: start, End: start + len(strings.TrimRight(f.p.text[start:f.at], " \t\r\n"))}
	if s.Len() == 0 {
		return nil, false
	}
	return &Node{Kind: Scalar, Span: s, Value: foldLines(s.Text(f.p.text))}, true
}
