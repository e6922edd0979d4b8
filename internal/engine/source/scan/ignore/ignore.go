// Package ignore implements git's ignore rules: it parses the patterns of ignore files
// and matches paths with them, byte for byte as git's dir.c and wildmatch.c do, corner
// cases included. It does no I/O; scan/list reads the files and walks the tree.
package ignore

import "strings"

// Pattern is one line of an ignore file.
type Pattern struct {
	text     string // without '!', leading '/' and trailing '/'
	literal  int    // length of the part before the first wildcard
	negated  bool
	dirOnly  bool // had a trailing '/'
	baseName bool // has no '/': matches the last path element at any depth
	endsWith bool // '*' and a literal
}

// List is the patterns of one ignore file, in file order. Base is its directory,
// relative to the top with a trailing '/', or "" for the top and
// for files outside the tree.
type List struct {
	Base     string
	Patterns []Pattern
	fold     bool
}

// Parse returns the patterns of an ignore file's content. fold is core.ignorecase.
func Parse(base string, data []byte, fold bool) *List {
	l := &List{Base: base, fold: fold}
	text := strings.TrimPrefix(string(data), "\ufeff")
	for len(text) > 0 {
		line := text
		if n := strings.IndexByte(text, '\n'); n >= 0 {
			line, text = text[:n], text[n+1:]
		} else {
			text = ""
		}
		l.Add(strings.TrimSuffix(line, "\r"))
	}
	return l
}

// Add appends one line.
func (l *List) Add(line string) {
	if line == "" || line[0] == '#' {
		return
	}
	if n := strings.IndexByte(line, 0); n >= 0 { // git's lines are C strings
		line = line[:n]
	}
	if p, ok := parsePattern(trimSpaces(line)); ok {
		l.Patterns = append(l.Patterns, p)
	}
}

// trimSpaces removes trailing spaces (no tabs) that no backslash protects.
func trimSpaces(s string) string {
	end := -1
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ' ':
			if end < 0 {
				end = i
			}
			continue
		case '\\':
			if i++; i == len(s) {
				return s
			}
		}
		end = -1
	}
	if end < 0 {
		return s
	}
	return s[:end]
}

const special = "*?[\\"

// parsePattern parses a pattern as parse_path_pattern in git's dir.c does.
func parsePattern(s string) (Pattern, bool) {
	var p Pattern
	if strings.HasPrefix(s, "!") {
		p.negated, s = true, s[1:]
	}
	p.literal = strings.IndexAny(s, special)
	if p.literal < 0 {
		p.literal = len(s)
	}
	p.endsWith = strings.HasPrefix(s, "*") && !strings.ContainsAny(s[1:], special)
	if strings.HasSuffix(s, "/") {
		p.dirOnly, s = true, s[:len(s)-1]
		p.literal = min(p.literal, len(s))
	}
	p.baseName = strings.IndexByte(s, '/') < 0
	if !p.baseName && s[0] == '/' {
		s = s[1:]
		p.literal--
	}
	p.text = s
	return p, s != ""
}

// Verdict is the decision of a list of patterns about a path.
type Verdict int8

// The verdicts. A path no pattern matches is left to the next list.
const (
	None     Verdict = iota
	Ignored          // the last pattern that matches is a plain one
	Included         // the last pattern that matches is negated
)

// Match decides about a path by the list's last matching pattern. path is relative to
// the top and must be below l.Base; base is the start of its last element. Match ignores
// the directories above path: git never descends into an ignored directory, so the caller
// matches those first.
func (l *List) Match(path string, base int, isDir bool) Verdict {
	for i := len(l.Patterns) - 1; i >= 0; i-- {
		p := &l.Patterns[i]
		if p.dirOnly && !isDir {
			continue
		}
		var ok bool
		if p.baseName {
			ok = p.matchBase(path[base:], l.fold)
		} else {
			ok = p.matchPath(path[len(l.Base):], l.fold)
		}
		if ok {
			if p.negated {
				return Included
			}
			return Ignored
		}
	}
	return None
}

func equalFold(a, b string, fold bool) bool {
	if !fold {
		return a == b
	}
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if lowerByte(a[i]) != lowerByte(b[i]) {
			return false
		}
	}
	return true
}

// matchBase reports whether the pattern matches the last element of a path, as match_basename in git's dir.c does.
func (p *Pattern) matchBase(name string, fold bool) bool {
	switch {
	case p.literal == len(p.text):
		return equalFold(p.text, name, fold)
	case p.endsWith:
		n := len(p.text) - 1
		return n <= len(name) && equalFold(p.text[1:], name[len(name)-n:], fold)
	}
	return Wildmatch(p.text, name, false, fold)
}

// matchPath reports whether the pattern matches a whole path, as
// match_pathname in git's dir.c does: the literal beginning is compared, then
// the rest of the pattern is matched on its own. So "a**/b" means "a" and
// "**/b", although gitignore(5) describes consecutive asterisks differently.
func (p *Pattern) matchPath(rel string, fold bool) bool {
	n := p.literal
	if n > len(rel) || !equalFold(p.text[:n], rel[:n], fold) {
		return false
	}
	if n == len(p.text) && n == len(rel) {
		return true
	}
	return Wildmatch(p.text[n:], rel[n:], true, fold)
}
