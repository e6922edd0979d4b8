package dbfile

import (
	"fmt"
	"slices"
	"strings"

	"ken/internal/code"
)

// Layout is the schema that a database must have: the statements that make its tables, indexes and views, as SQLite stores
// them.
type Layout struct {
	statements []string // sorted
}

// NewLayout returns the layout that consists of the CREATE statements in scripts; other statements are not part of a
// schema. Their key words must be written as SQLite repeats them: in capitals, with one blank between.
func NewLayout(scripts ...string) *Layout {
	l := &Layout{}
	for _, script := range scripts {
		for script != "" {
			var statement string
			statement, script = cutStatement(script)
			switch table, dropped := strings.CutPrefix(statement, "DROP TABLE "); {
			case dropped: // with its indexes
				l.statements = slices.DeleteFunc(l.statements, func(s string) bool {
					return strings.HasPrefix(s, "CREATE TABLE "+table+" (") || strings.Contains(s, " ON "+table+" (")
				})
			case strings.HasPrefix(statement, "CREATE "):
				l.statements = append(l.statements, statement)
			}
		}
	}
	slices.Sort(l.statements)
	return l
}

// cutStatement returns the first statement of a script, without the comments before it and the semicolon after it, and the
// rest.
func cutStatement(script string) (statement, rest string) {
	for strings.HasPrefix(strings.TrimSpace(script), "--") {
		_, script, _ = strings.Cut(script[strings.Index(script, "--"):], "\n")
	}
	for i := 0; i < len(script); i++ {
		switch {
		case strings.HasPrefix(script[i:], "--"):
			i = endOfMark(script, i, "\n")
		case strings.HasPrefix(script[i:], "/*"):
			i = endOfMark(script, i, "*/")
		case script[i] == '\'':
			i = endOfMark(script, i+1, "'")
		case script[i] == ';':
			return strings.TrimSpace(script[:i]), script[i+1:]
		}
	}
	return strings.TrimSpace(script), ""
}

// endOfMark searches s from i on for mark, and returns the offset of the last byte of the mark, or len(s) if there is
// none.
func endOfMark(s string, i int, mark string) int {
	n := strings.Index(s[i:], mark)
	if n < 0 {
		return len(s)
	}
	return i + n + len(mark) - 1
}

// compareSchema fails with code.ErrDamaged if the statements of a database's schema, have, differ from the layout.
func (l *Layout) compareSchema(have []string) error {
	slices.Sort(have)
	if slices.Equal(have, l.statements) {
		return nil
	}
	for _, s := range have {
		if _, ours := slices.BinarySearch(l.statements, s); !ours {
			return fmt.Errorf("%w: it holds %.60q, which ken does not make", code.ErrDamaged, s)
		}
	}
	return fmt.Errorf("%w: it has %d tables, indexes and views, ken makes %d", code.ErrDamaged, len(have), len(l.statements))
}
