package rules

import "ken/internal/engine/source/secret/look"

// maxDepth is the maximal nesting of objects that are skipped, so that the work for a hostile text is limited.
const maxDepth = 32

// jsonReader reads objects in JSON, in the form that programs print, or in flow mappings of YAML.
type jsonReader struct {
	text  []byte
	bare  bool // values may have no quotes; otherwise a value without quotes is an expression
	found func(start, end int)
}

// objectStart returns the brace that opens the object whose kind is at i, or -1 if there is none or another kind is before it.
func objectStart(text []byte, i int) int {
	from := max(0, i-maxAround)
	i = look.RunStart(text, i, i-from, look.Quote|look.Escape)
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

// skipBack returns i without the blanks, line ends and escapes of line ends before it, at least from.
func skipBack(text []byte, i, from int) int {
	for i > from {
		switch {
		case look.Is(text[i-1], look.Space):
			i--
		case i-2 >= from && isLineEscape(text, i-2):
			i -= 2
		default:
			return i
		}
	}
	return i
}

// isLineEscape reports whether the text has \n, \r or \t at i.
func isLineEscape(text []byte, i int) bool {
	return text[i] == '\\' && look.IsIn(look.At(text, i+1), "nrt")
}

// skipBlanks returns the first place from i on that is no blank, line end, or escape of one, and no comma if commas are skipped.
func (f *jsonReader) skipBlanks(i int, commas bool) int {
	for i < len(f.text) {
		c := f.text[i]
		switch {
		case look.Is(c, look.Space), c == ',' && commas:
			i++
		case isLineEscape(f.text, i):
			i += 2
		default:
			return i
		}
	}
	return i
}

// readDataObject finds the member "data" or "stringData" of the object whose text continues at i, and reads its values.
func (f *jsonReader) readDataObject(i int) {
	for i < len(f.text) && f.text[i] != '}' {
		key, value := f.readMember(i)
		switch {
		case value == 0:
			return
		case isData(key) && f.text[value] == '{':
			i = f.readEntries(value+1, string(key) == "data")
		default:
			i = f.valueEnd(value)
		}
		i = f.skipBlanks(i, true)
	}
}

// readEntries calls found with the values of the object that continues at i, and returns its end.
func (f *jsonReader) readEntries(i int, encoded bool) int {
	for i = f.skipBlanks(i, true); i < len(f.text) && f.text[i] != '}'; i = f.skipBlanks(i, true) {
		_, value := f.readMember(i)
		if value == 0 {
			return len(f.text)
		}
		start, end, isString := f.readToken(value)
		isLiteral := isString || f.bare
		if isLiteral && isEntryValue(f.text[start:end], encoded) {
			f.found(start, end)
		}
		i = f.valueEnd(value)
	}
	return i + 1
}

// readMember returns the key at i and the start of its value, which is 0 if there is none.
func (f *jsonReader) readMember(i int) (key []byte, value int) {
	i = f.skipBlanks(i, true)
	start, end, isString := f.readToken(i)
	if start == end {
		return nil, 0
	}
	key = f.text[start:end]
	if isString {
		end = look.RunEnd(f.text, end, 4, look.Quote|look.Escape)
	}
	if end = f.skipBlanks(end, false); look.At(f.text, end) != ':' {
		return nil, 0
	}
	if value = f.skipBlanks(end+1, false); value >= len(f.text) {
		return nil, 0
	}
	return key, value
}

// readToken returns the span of the string or the word at i, without its quotes.
func (f *jsonReader) readToken(i int) (start, end int, isString bool) {
	open := look.RunEnd(f.text, i, 1, look.Escape)
	if !look.IsAt(f.text, open, look.Quote) {
		end = i
		for end < len(f.text) && !f.endsWord(end) {
			end++
		}
		return i, look.RunStart(f.text, end, end-i, look.Blank), false
	}
	if end = stringEnd(f.text, open+1, f.text[open], open-i); end < 0 {
		end = open + 1
	}
	return open + 1, end, true
}

// endsWord reports whether a word without quotes ends at i: at a mark of an object, or at the colon after a key.
func (f *jsonReader) endsWord(i int) bool {
	if f.text[i] == ':' {
		return i+1 == len(f.text) || look.Is(f.text[i+1], look.Space|look.Quote)
	}
	return look.IsIn(f.text[i], ",{}[]\r\n")
}

// valueEnd returns the end of the value at i.
func (f *jsonReader) valueEnd(i int) int {
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
			_, end, isString := f.readToken(i)
			if isString {
				end = look.RunEnd(f.text, end, 1, look.Escape) + 1
			}
			i = max(end, i+1)
		}
		if i = f.skipBlanks(i, false); depth == 0 {
			return i
		}
	}
	return len(f.text)
}

// stringEnd returns the end of the string whose first character is at i, or -1 if there is none. Its quotes are q, each after so many
// backslashes: none, or one if the text is itself in a string.
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
