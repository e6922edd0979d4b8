package rules

import (
	"bytes"

	"ken/internal/engine/source/secret/look"
)

// Limits of a table in CSV: the lengths of its rows and of the names of columns, and the number of columns.
const (
	maxHeader     = 1 << 10 // bytes of the row of names
	maxColumns    = 64
	maxColumnName = 40 // bytes of a name
	maxRow        = 128 << 10
)

// columns are the ends of the names of columns that hold secrets, without the marks between words, and the shapes of their values.
var columns = [...]struct {
	suffix string
	shape  look.Property
}{
	{"password", look.SecureString}, {"passwd", look.SecureString}, {"passphrase", look.SecureString}, {"pwd", look.SecureString},
	{"secret", look.ListElement}, {"token", look.ListElement}, {"apikey", look.ListElement}, {"secretkey", look.ListElement},
	{"accesskey", look.ListElement}, {"privatekey", look.ListElement},
}

// CSVColumn returns the rule of values in tables that have a row of names above them, as programs export logins and keys: user,password.
// A value there has neither a name nor an operator beside it, so that no other rule finds it.
func CSVColumn() Rule {
	return List("csv-column", KindCredential, scanColumn, columnKeys[:]...).When(isCell)
}

// columnKeys are the literals at which scanColumn is called.
var columnKeys = [...]string{
	"password", "passwd", "passphrase", "pwd", "secret", "token", "apikey", "api_key", "api key", "access key", "private_key", "secret_key",
}

// isCell reports whether text[lo:hi] may end a name in a row of names. It is a cheap check, because such words are common in code.
func isCell(text []byte, lo, hi int) bool {
	end := look.RunEnd(text, hi, 1, look.Quote)
	isQuoted := end > hi
	if end < len(text) && !isEdge(text[end]) {
		return false
	}
	lo = look.RunStart(text, lo, maxColumnName, look.Name)
	switch c := look.At(text, lo-1); c {
	case ' ': // Secret access key
		return !isQuoted && look.IsAt(text, lo-2, look.Alnum)
	case '"':
		return isQuoted
	case 0:
		return true
	default:
		return isEdge(c)
	}
}

// isEdge reports whether c can be directly before or after a cell.
func isEdge(c byte) bool { return look.IsIn(c, separators+"\r\n") }

// scanColumn calls found with each value of the column whose name contains text[lo:hi], if that name is in the first row of a table.
func scanColumn(text []byte, lo, hi int, found func(start, end int)) {
	t, ok := readTable(text, lo, hi)
	if !ok {
		return
	}
	for at := t.rows; at < len(text); {
		var cells [maxColumns][2]int
		n, next := t.readRow(text, at, &cells)
		if n != t.count {
			return
		}
		c := cells[t.column]
		if v := look.New(text[c[0]:c[1]], true); v.Counts[look.Length] >= look.MinLength && v.Has(t.shape) {
			found(c[0], c[1])
		}
		at = next
	}
}

// separators divide the cells of a row.
const separators = ",;\t|"

// table is a table in CSV with the columns that its row of names has.
type table struct {
	separator byte
	count     int // of columns
	column    int // of the values
	shape     look.Property
	rows      int // the start of the first row
}

// readTable reads the row of names that contains text[lo:hi]. It must be the first line of the text or of a block of it.
func readTable(text []byte, lo, hi int) (t table, ok bool) {
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
	t.count, _ = t.readRow(text, start, &cells)
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
			t.shape, ok = columnShape(name)
		}
	}
	return t, ok
}

// isColumnName reports whether v may be the name of a column.
func isColumnName(v []byte) bool {
	switch {
	case len(v) > maxColumnName, !look.IsAt(v, 0, look.Letter), !look.Is(look.Last(v), look.Alnum):
		return false
	}
	return look.All(v, look.Name|look.Blank)
}

// beginsBlock reports whether the line that begins at i is the first of the text, or follows an empty line or one that opens a block.
func beginsBlock(text []byte, i int) bool {
	if i == 0 {
		return true
	}
	above := bytes.TrimSpace(text[look.LineStart(text, i-1, 80) : i-1])
	return len(above) == 0 || look.AnyAt(above, 0, []string{"```", "~~~", "----", "<<"}) > 0
}

// columnShape returns the shape of the values of a column.
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
			return c.shape, true
		}
	}
	return 0, false
}

// readRow reads the cells of the row that begins at i, without their quotes. It returns their number and the start of the next row; the
// number is 0 if the line is no row of the table.
func (t *table) readRow(text []byte, i int, cells *[maxColumns][2]int) (n, next int) {
	text = text[:min(len(text), i+maxRow)]
	for ; n < maxColumns; n++ {
		start := i
		if look.At(text, i) == '"' {
			start++
			if i = quoteEnd(text, start); i < 0 {
				return 0, 0
			}
			cells[n] = [2]int{start, i}
			i++
		} else {
			for i < len(text) && text[i] != t.separator && !look.Is(text[i], look.Line) {
				i++
			}
			cells[n] = [2]int{start, i}
		}
		if i == len(text) || text[i] != t.separator {
			break
		}
		i++
	}
	switch c := look.At(text, i); {
	case i >= len(text), c == '\n':
	case c == '\r':
		i++
	default:
		return 0, 0
	}
	return n + 1, i + 1
}

// quoteEnd returns the quote that ends the cell that begins at i, in which quotes are doubled, or -1 if there is none.
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
