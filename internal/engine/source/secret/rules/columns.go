// Package columns finds the values in tables that have a row of names above them, as programs export logins and keys: user,password. A
// value there has neither a name nor an operator beside it, so that nothing else of package secret sees what it is.
package columns

import (
	"bytes"

	"ken/internal/engine/source/secret/chars"
	"ken/internal/engine/source/secret/look"
)

// Bounds of a table.
const (
	maxHeader  = 1 << 10 // bytes of the row of names
	maxColumns = 64
	maxName    = 40 // bytes of a name
	maxRow     = 16 << 10
)

// column says how the names of a column end, without the marks between words, and what its values look like.
type column struct {
	suffix string
	looks  look.Property
}

var columns = [...]column{
	{"password", look.SecureString}, {"passwd", look.SecureString}, {"passphrase", look.SecureString}, {"pwd", look.SecureString},
	{"secret", look.Listed}, {"token", look.Listed}, {"apikey", look.Listed}, {"secretkey", look.Listed}, {"accesskey", look.Listed},
	{"privatekey", look.Listed},
}

// Keys are the literals at which Values looks.
func Keys() []string {
	return []string{"password", "passwd", "passphrase", "pwd", "secret", "token", "apikey", "api_key", "api key", "access key", "private_key", "secret_key"}
}

// IsCell reports that text[lo:hi] may end a name in a row of names: a cheap look, because such words are common in code.
func IsCell(text []byte, lo, hi int) bool {
	end := chars.RunEnd(text, hi, 1, chars.Quote)
	if end < len(text) && !isEdge(text[end]) {
		return false
	}
	lo = chars.RunStart(text, lo, maxName, chars.Name)
	switch c := chars.At(text, lo-1); {
	case c == ' ':
		return end == hi && chars.IsAt(text, lo-2, chars.Alnum) // Secret access key
	case c == '"':
		return end > hi
	default:
		return c == 0 || isEdge(c)
	}
}

// isEdge reports what is beside a cell.
func isEdge(c byte) bool { return chars.OneOf(c, separators) || chars.Is(c, chars.Line) }

// Values calls found with each value of the column in whose name text[lo:hi] is, if that name is in the first row of a table.
func Values(text []byte, lo, hi int, found func(start, end int)) {
	t, ok := header(text, lo, hi)
	if !ok {
		return
	}
	for at := t.rows; at < len(text); {
		var cells [maxColumns][2]int
		n, next := t.cells(text, at, &cells)
		if n != t.count {
			return
		}
		c := cells[t.column]
		if v := look.New(text[c[0]:c[1]], true); v.Counts[look.Length] >= look.MinLength && v.Has(t.looks) {
			found(c[0], c[1])
		}
		at = next
	}
}

// separators are what divides the cells of a row.
const separators = ",;\t|"

// table is what the row of names says.
type table struct {
	separator byte
	count     int // of columns
	column    int // of the values
	looks     look.Property
	rows      int // where the first row begins
}

// header reads the row of names that has text[lo:hi] in it. It is the first line of the text or of a block of it.
func header(text []byte, lo, hi int) (t table, ok bool) {
	start := chars.LineStart(text, lo, maxHeader)
	if lo-start >= maxHeader || !beginsBlock(text, start) {
		return t, false
	}
	start += chars.AnyAt(text, start, []string{"\ufeff"})
	end := chars.LineEnd(text, hi, maxHeader)
	line := bytes.TrimRight(text[start:end], "\r")
	if n := bytes.IndexAny(line, separators); n > 0 {
		t.separator = line[n]
	}
	t.rows, t.column = end+1, -1
	var cells [maxColumns][2]int
	t.count, _ = t.cells(text, start, &cells)
	if t.separator == 0 || t.count < 2 {
		return t, false
	}
	for i, c := range cells[:t.count] {
		name := text[c[0]:c[1]]
		if !isName(name) {
			return t, false
		}
		if c[0] <= lo && hi <= c[1] {
			t.column = i
			t.looks, ok = looksOf(name)
		}
	}
	return t, ok
}

// isName reports what may be the name of a column.
func isName(v []byte) bool {
	if len(v) == 0 || len(v) > maxName || !chars.Is(v[0], chars.Letter) {
		return false
	}
	return chars.All(v, chars.Name|chars.Blank) && chars.Is(v[len(v)-1], chars.Alnum)
}

// beginsBlock reports that no other line is before the one that begins at i, or one that opens a block.
func beginsBlock(text []byte, i int) bool {
	if i == 0 {
		return true
	}
	above := bytes.TrimSpace(text[chars.LineStart(text, i-1, 80) : i-1])
	return len(above) == 0 || chars.AnyAt(above, 0, []string{"```", "~~~", "----", "<<"}) > 0
}

// looksOf is what the values of the column of a name look like.
func looksOf(name []byte) (look.Property, bool) {
	var buf [maxName]byte
	n := 0
	for _, c := range name {
		if chars.Is(c, chars.Alnum) {
			buf[n] = chars.ToLower(c)
			n++
		}
	}
	for _, c := range columns {
		if bytes.HasSuffix(buf[:n], []byte(c.suffix)) {
			return c.looks, true
		}
	}
	return 0, false
}

// cells finds the cells of the row that begins at i, without their quotes, and where the next row begins. Of a row that is no row of
// the table, there are none.
func (t *table) cells(text []byte, i int, cells *[maxColumns][2]int) (n, next int) {
	stop := min(len(text), i+maxRow)
	for ; n < maxColumns; n++ {
		start := i
		if chars.At(text, i) == '"' {
			start++
			if i = quoteEnd(text[:stop], start); i < 0 {
				return 0, 0
			}
			cells[n] = [2]int{start, i}
			i++
		} else {
			for i < stop && text[i] != t.separator && !chars.Is(text[i], chars.Line) {
				i++
			}
			cells[n] = [2]int{start, i}
		}
		if chars.At(text, i) != t.separator || i == stop {
			break
		}
		i++
	}
	if i < stop && !chars.Is(text[i], chars.Line) {
		return 0, 0
	}
	if i < stop && text[i] == '\r' {
		i++
	}
	return n + 1, i + 1
}

// quoteEnd is the quote that ends the cell that begins at i, in which quotes are doubled, -1 if there is none.
func quoteEnd(text []byte, i int) int {
	for ; i < len(text); i++ {
		if text[i] != '"' {
			continue
		}
		if chars.At(text, i+1) != '"' {
			return i
		}
		i++
	}
	return -1
}
