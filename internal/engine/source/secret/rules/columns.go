package rules

import (
	"bytes"

	"ken/internal/engine/source/secret/look"
)

// Bounds of a table.
const (
	maxHeader     = 1 << 10 // bytes of the row of names
	maxColumns    = 64
	maxColumnName = 40 // bytes of a name
	maxRow        = 16 << 10
)

// column says how the names of a column end, without the marks between words, and what its values look like.
type column struct {
	suffix string
	looks  look.Property
}

var columns = [...]column{
	{"password", look.SecureString}, {"passwd", look.SecureString}, {"passphrase", look.SecureString}, {"pwd", look.SecureString},
	{"secret", look.ListElement}, {"token", look.ListElement}, {"apikey", look.ListElement}, {"secretkey", look.ListElement}, {"accesskey", look.ListElement},
	{"privatekey", look.ListElement},
}

// CSVColumn returns the rule of values in tables that have a row of names above them, as programs export logins and keys: user,password.
// A value there has neither a name nor an operator beside it, so that no other rule sees its meaning.
func CSVColumn() Rule {
	return List("csv-column", KindCredential, scanColumn, columnKeys[:]...).When(isCell)
}

// columnKeys are the literals at which scanColumn looks.
var columnKeys = [...]string{
	"password", "passwd", "passphrase", "pwd", "secret", "token", "apikey", "api_key", "api key", "access key", "private_key", "secret_key",
}

// isCell reports that text[lo:hi] may end a name in a row of names: a cheap look, because such words are common in code.
func isCell(text []byte, lo, hi int) bool {
	end := look.RunEnd(text, hi, 1, look.Quote)
	if end < len(text) && !isEdge(text[end]) {
		return false
	}
	lo = look.RunStart(text, lo, maxColumnName, look.Name)
	switch c := look.At(text, lo-1); {
	case c == ' ':
		return end == hi && look.IsAt(text, lo-2, look.Alnum) // Secret access key
	case c == '"':
		return end > hi
	default:
		return c == 0 || isEdge(c)
	}
}

// isEdge reports what is beside a cell.
func isEdge(c byte) bool { return look.IsIn(c, separators) || look.Is(c, look.Line) }

// scanColumn calls found with each value of the column in whose name text[lo:hi] is, if that name is in the first row of a table.
func scanColumn(text []byte, lo, hi int, found func(start, end int)) {
	t, ok := tableHeader(text, lo, hi)
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

// tableHeader reads the row of names that has text[lo:hi] in it. It is the first line of the text or of a block of it.
func tableHeader(text []byte, lo, hi int) (t table, ok bool) {
	start := look.LineStart(text, lo, maxHeader)
	if lo-start >= maxHeader || !beginsBlock(text, start) {
		return t, false
	}
	start += look.AnyAt(text, start, []string{"\ufeff"})
	end := look.LineEnd(text, hi, maxHeader)
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
		if !isColumnName(name) {
			return t, false
		}
		if c[0] <= lo && hi <= c[1] {
			t.column = i
			t.looks, ok = columnShape(name)
		}
	}
	return t, ok
}

// isColumnName reports what may be the name of a column.
func isColumnName(v []byte) bool {
	if len(v) == 0 || len(v) > maxColumnName || !look.Is(v[0], look.Letter) {
		return false
	}
	return look.All(v, look.Name|look.Blank) && look.Is(v[len(v)-1], look.Alnum)
}

// beginsBlock reports that no other line is before the one that begins at i, or one that opens a block.
func beginsBlock(text []byte, i int) bool {
	if i == 0 {
		return true
	}
	above := bytes.TrimSpace(text[look.LineStart(text, i-1, 80) : i-1])
	return len(above) == 0 || look.AnyAt(above, 0, []string{"```", "~~~", "----", "<<"}) > 0
}

// columnShape is what the values of the column of a name look like.
func columnShape(name []byte) (look.Property, bool) {
	var buf [maxColumnName]byte
	n := 0
	for _, c := range name {
		if look.Is(c, look.Alnum) {
			buf[n] = look.ToLower(c)
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
		if look.At(text, i) == '"' {
			start++
			if i = quoteEnd(text[:stop], start); i < 0 {
				return 0, 0
			}
			cells[n] = [2]int{start, i}
			i++
		} else {
			for i < stop && text[i] != t.separator && !look.Is(text[i], look.Line) {
				i++
			}
			cells[n] = [2]int{start, i}
		}
		if look.At(text, i) != t.separator || i == stop {
			break
		}
		i++
	}
	if i < stop && !look.Is(text[i], look.Line) {
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
		if look.At(text, i+1) != '"' {
			return i
		}
		i++
	}
	return -1
}
