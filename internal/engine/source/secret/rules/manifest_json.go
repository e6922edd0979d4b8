package rules

import (
	"ken/internal/engine/source/secret/look"
)

// maxDepth bounds how deep objects are nested that are passed over, so that the work at a hostile text has a bound.
const maxDepth = 32

// flow reads objects as JSON and programs write them, and flow mappings of YAML.
type flow struct {
	text  []byte
	bare  bool // values have no quotes; else what has none is an expression
	found func(start, end int)
}

// objectStart is the brace that opens the object whose kind is at i, -1 if there is none, or if another kind is before it.
func objectStart(text []byte, i int) int {
	from := max(0, i-maxAround)
	for i > from && look.Is(text[i-1], look.Quote|look.Escape) {
		i--
	}
	if i = skipBack(text, i, from); i == from || !look.IsIn(text[i-1], "{,") {
		return -1
	}
	depth := 0
	for i--; i >= from && depth < maxDepth; i-- {
		switch text[i] {
		case '}':
			depth++
		case '{':
			if depth == 0 {
				return i
			}
			depth--
		case 'k':
			if depth == 0 && look.HasAt(text, i, "kind") && look.IsAt(text, i-1, look.Quote) {
				return -1
			}
		}
	}
	return -1
}

// skipBack is i without the blanks, line ends and escapes of line ends before it.
func skipBack(text []byte, i, from int) int {
	for i > from {
		switch {
		case look.Is(text[i-1], look.Space):
			i--
		case i-2 >= from && text[i-2] == '\\' && look.IsIn(text[i-1], "nrt"):
			i -= 2
		default:
			return i
		}
	}
	return i
}

// skip is i behind blanks, line ends, their escapes, and commas if they are to be skipped.
func (f *flow) skip(i int, commas bool) int {
	for i < len(f.text) {
		c := f.text[i]
		switch {
		case look.Is(c, look.Space), c == ',' && commas:
			i++
		case c == '\\' && look.IsIn(look.At(f.text, i+1), "nrt"):
			i += 2
		default:
			return i
		}
	}
	return i
}

// object looks for data among the members of the object that goes on at i.
func (f *flow) object(i int) {
	for i < len(f.text) && f.text[i] != '}' {
		key, value := f.member(i)
		switch {
		case value == 0:
			return
		case isData(key) && f.text[value] == '{':
			i = f.entries(value+1, string(key) == "data")
		default:
			i = f.behind(value)
		}
		i = f.skip(i, true)
	}
}

// entries hands on the values of the object that goes on at i, and returns what is behind it.
func (f *flow) entries(i int, encoded bool) int {
	for i = f.skip(i, true); i < len(f.text) && f.text[i] != '}'; i = f.skip(i, true) {
		_, value := f.member(i)
		if value == 0 {
			return len(f.text)
		}
		start, end, isString := f.token(value)
		if (isString || f.bare) && isEntryValue(f.text[start:end], encoded) {
			f.found(start, end)
		}
		i = f.behind(value)
	}
	return i + 1
}

// member is the key at i, and where its value begins, 0 if there is none.
func (f *flow) member(i int) (key []byte, value int) {
	i = f.skip(i, true)
	start, end, isString := f.token(i)
	if start == end {
		return nil, 0
	}
	key = f.text[start:end]
	if isString {
		end = look.RunEnd(f.text, end, 4, look.Quote|look.Escape)
	}
	if end = f.skip(end, false); look.At(f.text, end) != ':' {
		return nil, 0
	}
	if value = f.skip(end+1, false); value >= len(f.text) {
		return nil, 0
	}
	return key, value
}

// token is the string or the word at i, without its quotes.
func (f *flow) token(i int) (start, end int, isString bool) {
	open := look.RunEnd(f.text, i, 1, look.Escape)
	if !look.IsAt(f.text, open, look.Quote) {
		end = i
		for end < len(f.text) && !look.Is(f.text[end], look.Line) && !look.IsIn(f.text[end], ",{}[]") && !f.endsWord(end) {
			end++
		}
		for end > i && look.Is(f.text[end-1], look.Blank) {
			end--
		}
		return i, end, false
	}
	if end = stringEnd(f.text, open+1, f.text[open], open-i); end < 0 {
		end = open + 1
	}
	return open + 1, end, true
}

// endsWord reports the colon behind a key without quotes.
func (f *flow) endsWord(i int) bool {
	return f.text[i] == ':' && (i+1 == len(f.text) || look.Is(f.text[i+1], look.Space|look.Quote))
}

// behind is what follows the value at i.
func (f *flow) behind(i int) int {
	depth := 0
	for i < len(f.text) && depth < maxDepth {
		switch f.text[i] {
		case '{', '[':
			depth++
			i++
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
			i++
		case ',':
			i++
		default:
			_, end, isString := f.token(i)
			if isString {
				end = look.RunEnd(f.text, end, 1, look.Escape) + 1
			}
			i = max(end, i+1)
		}
		if i = f.skip(i, false); depth == 0 {
			return i
		}
	}
	return len(f.text)
}

// stringEnd is where the string ends whose first character is at i and whose quotes are q, each behind so many backslashes: none, or
// one where the text is itself in a string. It is -1 if there is no end.
func stringEnd(text []byte, i int, q byte, escapes int) int {
	for i < len(text) {
		if text[i] != '\\' && text[i] != q {
			i++
			continue
		}
		end := look.RunEnd(text, i, len(text)-i, look.Escape)
		switch n := end - i; {
		case look.At(text, end) != q:
			i = end
		case q == '\'' && look.At(text, end+1) == q: // doubled in YAML
			i = end + 2
		case q == '\'', n%(2+2*escapes) == escapes:
			return end - escapes
		case n < escapes:
			return -1 // the string around it ends
		default:
			i = end + 1
		}
	}
	return -1
}
