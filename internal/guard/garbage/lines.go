package garbage

import (
	"strings"

	"ken/internal/lang"
)

// maxLine is the length of the longest line that is judged. Lines that people
// write are shorter, and a text without line ends must not cost more.
const maxLine = 1000

// maxAdded is the number of added lines of a file that are judged. Each costs some
// dozens of expressions, and larger additions are not reviewed line by line.
const maxAdded = 20_000

// state is the syntactic state at a place in a line: code, comment or part of a string.
type state uint8

const (
	blankLine   state = iota
	codeLine          // holds code, perhaps followed by a comment
	commentLine       // nothing but a comment
	stringLine        // begins inside a string of several lines
)

// line is an added line of a text.
type line struct {
	state state
	raw   string // trimmed
	code  string // without comments, and with empty strings
	// comment is the text of a comment without its marks. spaced is set if a space or nothing follows the mark, as in prose. doc is
	// set for documentation comments.
	comment string
	spaced  bool
	doc     bool
	indent  int // of the text after the mark
	column  int // of the first character that is no blank
}

// text holds the added lines of a file, divided into code and comments.
type text struct {
	lang  *lang.Info
	lines map[int]*line
	all   []string // every line
	count int      // number of lines
	added []Span
}

// readText divides the added lines of a file into code and comments. It returns nil if the language is unknown or has no comments.
func readText(f *File) *text {
	row := lang.Of(f.Lang)
	if !row.IsKnown() || len(row.Line) == 0 && row.Block[0] == "" || row.Sort == lang.Prose {
		return nil
	}
	t := &text{lang: row, lines: map[int]*line{}}
	r := lineReader{row: row}
	at := 0
	for s := range strings.Lines(f.New) {
		if len(t.lines) >= maxAdded {
			break
		}
		t.count++
		for at < len(f.Added) && f.Added[at].To < t.count {
			at++
		}
		s = strings.TrimRight(s, "\r\n")
		t.all = append(t.all, s)
		if at < len(f.Added) && f.Added[at].From <= t.count && len(s) <= maxLine {
			l := &line{raw: strings.TrimSpace(s), column: len(s) - len(strings.TrimLeft(s, " \t"))}
			r.readLine(s, l)
			t.lines[t.count] = l
			continue
		}
		r.readLine(s, nil)
	}
	for _, s := range f.Added { // without lines beyond the end
		if s = (Span{max(s.From, 1), min(s.To, t.count)}); s.From <= s.To {
			t.added = append(t.added, s)
		}
	}
	return t
}

// lineReader reads the lines of a file one after another. It remembers a string or comment that is open at the end of a line.
type lineReader struct {
	row   *lang.Info
	long  string // the mark of the open string, "" if none is
	block bool   // a block comment is open
	doc   bool   // the open block comment is documentation
}

// readLine divides a line into code and comment, and stores them in l. If l is nil, it only tracks open strings and comments.
func (r *lineReader) readLine(s string, l *line) {
	began := blankLine
	switch {
	case r.long != "":
		began = stringLine
	case r.block:
		began = commentLine
	}
	var out strings.Builder
	code := false
	for i := 0; i < len(s); {
		switch n, what := r.nextPart(s, i); what {
		case inComment:
			if l != nil && l.comment == "" {
				r.setComment(s[i:i+n], l)
			}
			i += n
		case inString:
			code = true
			if l != nil && out.Len() < maxLine {
				out.WriteString(`""`)
			}
			i += n
		default:
			code = code || s[i] != ' ' && s[i] != '\t'
			if l != nil {
				out.WriteByte(s[i])
			}
			i++
		}
	}
	if l == nil {
		return
	}
	l.code = strings.TrimSpace(out.String())
	switch {
	case began == stringLine:
		l.state = stringLine
	case code && (l.comment == "" || l.code != "{}"): // in JSX a comment is between braces
		l.state = codeLine
	case began == commentLine || l.comment != "" || l.raw != "":
		l.state = commentLine
	}
}

type part uint8

const (
	inCode part = iota
	inComment
	inString
)

// nextPart returns the length of the comment or string at s[i:], or 1 for a byte of code, and which of them it is.
func (r *lineReader) nextPart(s string, i int) (int, part) {
	rest := s[i:]
	switch {
	case r.long != "":
		if end := strings.Index(rest, r.long); end >= 0 {
			end += len(r.long)
			r.long = ""
			return end, inString
		}
		return len(rest), inString
	case r.block:
		return r.blockEnd(rest, 0), inComment
	}
	for _, m := range r.row.Strings.Long {
		if !strings.HasPrefix(rest, m) {
			continue
		}
		if end := strings.Index(rest[len(m):], m); end >= 0 {
			return len(m)*2 + end, inString
		}
		r.long = m
		return len(rest), inString
	}
	if m := r.row.Block[0]; m != "" && strings.HasPrefix(rest, m) && !r.startsLineComment(rest) {
		r.block = true
		r.doc = strings.HasPrefix(rest, "/**") && !strings.HasPrefix(rest, "/**/") || strings.HasPrefix(rest, "/*!") || m[0] == '='
		return r.blockEnd(rest, len(m)), inComment
	}
	inside := i > 0 && rest[0] == '#' && (s[i-1] == '$' || s[i-1] == '{') // of shells: $# and ${#a}
	if r.startsLineComment(rest) && !inside {
		return len(rest), inComment
	}
	return r.quotedString(rest)
}

// startsLineComment reports whether s begins with a line comment.
func (r *lineReader) startsLineComment(s string) bool {
	for _, m := range r.row.Line {
		if strings.HasPrefix(s, m) {
			return !(m == "--" && strings.HasPrefix(s, "--[[")) && !(r.row.Strings.Attributes && strings.HasPrefix(s, "#["))
		}
	}
	return false
}

// blockEnd returns the length of the part of s that belongs to the open block comment, or all of s if it does not end. mark is the length
// of the opening mark if s begins with it.
func (r *lineReader) blockEnd(s string, mark int) int {
	if end := strings.Index(s[mark:], r.row.Block[1]); end >= 0 {
		r.block = false
		return mark + end + len(r.row.Block[1])
	}
	return len(s)
}

// quotedString returns the length of the string literal at the beginning of s, or 1 for a byte of code if no literal ends on the line.
func (r *lineReader) quotedString(s string) (int, part) {
	q := s[0]
	if q != '"' && q != '\'' && q != '`' {
		return 1, inCode
	}
	limit := min(len(s), maxLine) // longer lines would cost the square of their length, and are not written by hand
	if q == '\'' && !r.row.Strings.Single {
		limit = min(limit, 4) // 'x', '\n'; of Rust also a lifetime, which does not end
	}
	for i := 1; i < limit; i++ {
		switch s[i] {
		case '\\':
			i++
		case q:
			return i + 1, inString
		}
	}
	return 1, inCode
}

// setComment stores the text of a comment, without its marks, in l.
func (r *lineReader) setComment(s string, l *line) {
	doc := r.doc
	t := strings.TrimLeft(s, " \t")
	marked := false
	for _, m := range r.row.Line {
		if strings.HasPrefix(t, m) {
			t, marked, doc = t[len(m):], true, false
			if more := strings.TrimLeft(t, m[:1]+"!'"); len(more) < len(t) {
				doc = m != "#" || strings.HasPrefix(t, "'")
				t = more
			}
			break
		}
	}
	if b := r.row.Block; !marked && b[0] != "" {
		t = strings.TrimPrefix(t, b[0])
		t = strings.TrimSuffix(strings.TrimRight(t, " \t"), b[1])
		if t = strings.TrimLeft(t, " \t"); strings.HasPrefix(t, "*") {
			t, doc = strings.TrimLeft(t, "*"), true // a margin of stars is used for prose
		}
	}
	l.comment, l.doc = strings.TrimSpace(t), doc
	l.spaced = t == "" || t[0] == ' ' || t[0] == '\t' || !marked
	l.indent = len(t) - len(strings.TrimLeft(t, " \t"))
}

// removedLines returns the lines, without outer white space, that a change removed from its files. A line that is added again was
// moved, and is no new garbage.
func removedLines(files []File) map[string]bool {
	gone := map[string]bool{}
	for i := range files {
		f := &files[i]
		if f.Old == "" || f.Binary {
			continue
		}
		left := map[string]int{}
		for s := range strings.Lines(f.New) {
			left[strings.TrimSpace(s)]++
		}
		for s := range strings.Lines(f.Old) {
			s = strings.TrimSpace(s)
			if left[s]--; left[s] < 0 && s != "" {
				gone[s] = true
			}
		}
	}
	return gone
}
