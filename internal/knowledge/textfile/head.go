package textfile

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Pair is a line of front matter. Key is "" if the line is not a key and value: a comment, or part of a list.
type Pair struct {
	Key, Value string
	Line       string // the whole line
	Number     int    // from 1
}

// FrontMatter parses the front matter of a page, which is between two lines "---" at its beginning, and returns the number of its
// lines. It fails with a FormatError.
func FrontMatter(lines []string) (list []Pair, taken int, err error) {
	if strings.TrimRight(lines[0], " \t\r") != "---" {
		return nil, 0, &FormatError{1, "no front matter: a page begins with ---"}
	}
	seen := map[string]bool{}
	for i, l := range lines[1:] {
		l = strings.TrimRight(l, " \t\r")
		if l == "---" {
			return list, i + 2, nil
		}
		key, value, ok := strings.Cut(l, ":")
		if l == "" || strings.ContainsAny(l[:1], "# -") {
			list = append(list, Pair{Line: l, Number: i + 2})
			continue
		}
		if !ok {
			return nil, 0, &FormatError{i + 2, fmt.Sprintf("no key and value: %.40s", l)}
		}
		if seen[key] {
			return nil, 0, &FormatError{i + 2, fmt.Sprintf("%.40s is there twice", key)}
		}
		seen[key] = true
		list = append(list, Pair{key, ParseScalar(value), l, i + 2})
	}
	return nil, 0, &FormatError{len(lines), "the front matter has no end: a line --- is missing"}
}

// ParseScalar returns the value of a YAML scalar on one line, without quotes and comment.
func ParseScalar(s string) string {
	s = strings.TrimSpace(s)
	switch {
	case strings.HasPrefix(s, `"`):
		if q, err := strconv.QuotedPrefix(s); err == nil {
			if v, err := strconv.Unquote(q); err == nil {
				return v
			}
		}
	case strings.HasPrefix(s, "'"):
		if end := strings.LastIndexByte(s, '\''); end > 0 {
			return strings.ReplaceAll(s[1:end], "''", "'")
		}
	}
	if i := strings.Index(s, " #"); i >= 0 {
		s = strings.TrimRight(s[:i], " \t")
	}
	return s
}

// QuoteScalar returns a value as a YAML scalar on one line, in quotes if it would be read as something else.
func QuoteScalar(s string) string {
	strange := s == "" || strings.TrimSpace(s) != s || strings.ContainsAny(s[:1], "\"'#&*!|>%@`[]{},?:-")
	for _, mark := range [...]string{": ", " #"} {
		strange = strange || strings.Contains(s+" ", mark)
	}
	if !strange && strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f || r == utf8.RuneError }) < 0 {
		return s
	}
	return strconv.Quote(s)
}
