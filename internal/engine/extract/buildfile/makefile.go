package buildfile

import (
	"path"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
	"ken/internal/engine/extract/plain"
)

// makefile scans Makefiles (GNU Make's manual, chapters 4 to 6): rules, variables,
// define blocks and includes. Recipes are searched only for the scripts they run.
type makefile struct {
	*plain.File
	s    string
	i    int
	doc  [2]int // bytes of the comment directly above
	seen map[string]bool
	rule int32 // symbol of the target whose recipe is being read, -1 outside
}

// ScanMakefile reads a Makefile.
func ScanMakefile(f *plain.File) {
	m := makefile{File: f, s: f.Text, seen: map[string]bool{}, rule: -1}
	for m.i < len(m.s) {
		m.line()
	}
}

// logical returns the end of the line at i, including the lines that continue it.
func (m *makefile) logical(i int) int {
	for {
		e := lexical.LineEnd(m.s, i)
		b := e
		if b > i && m.s[b-1] == '\r' {
			b--
		}
		slashes := 0
		for b-slashes > i && m.s[b-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 || e == len(m.s) {
			return e
		}
		i = e + 1
	}
}

func (m *makefile) line() {
	start := m.i
	end := m.logical(start)
	m.i = end + 1
	if start < end && m.s[start] == '\t' {
		if m.rule >= 0 {
			m.SetEnd(m.rule, end)
			m.Owner = m.rule
			m.MentionScripts(m.s[start:min(end, start+8<<10)], start)
			m.Owner = -1
		}
		return
	}
	at := start
	for at < end && (lexical.IsBlank(m.s[at]) || m.s[at] == '\r') {
		at++
	}
	if at == end {
		m.doc = [2]int{}
		return
	}
	if m.s[at] == '#' {
		if m.doc[1] == 0 {
			m.doc[0] = at
		}
		m.doc[1] = end
		return
	}
	m.statement(at, end)
	m.doc = [2]int{}
}

// statement reads a directive, variable or rule.
func (m *makefile) statement(at, end int) {
	for {
		word, rest := m.word(at, end)
		switch word {
		case "include", "-include", "sinclude":
			m.rule = -1
			m.includes(includeKind(word), stripComment(m.s[rest:end]), at)
			return
		case "define":
			m.define(rest, at, end)
			return
		case "ifeq", "ifneq", "ifdef", "ifndef", "else", "endif", "vpath", "undefine", "unexport", "endef", "load", "-load":
			if !strings.HasPrefix(strings.TrimLeft(m.s[rest:end], " \t"), ":") {
				return
			}
		case "export", "override", "private":
			if next := lexical.SkipBlanks(m.s, rest, end); next < end && m.s[next] != ':' && m.s[next] != '=' {
				at = next
				continue
			}
		}
		m.assignmentOrRule(at, end)
		return
	}
}

// includes records the files of an include. Of "$(TOP)/rules.mk" it takes the part
// after the variable; a computed list names none.
func (m *makefile) includes(k code.ImportKind, list string, at int) {
	for {
		i := strings.IndexByte(list, '$')
		if i < 0 || i+1 == len(list) {
			break
		}
		end := i + 2
		if open := list[i+1]; open == '(' || open == '{' {
			for depth := 1; end < len(list) && depth > 0; end++ {
				switch list[end] {
				case '(', '{':
					depth++
				case ')', '}':
					depth--
				}
			}
		}
		m.plainIncludes(k, list[:i], at)
		list = list[end:]
		if !strings.HasPrefix(list, "/") {
			continue
		}
		n := strings.IndexAny(list, " \t$")
		if n < 0 {
			n = len(list)
		}
		if plain.IsPathLike(list[1:n]) {
			m.Mention(list[1:n], at)
		}
		list = list[n:]
	}
	m.plainIncludes(k, list, at)
}

func (m *makefile) plainIncludes(k code.ImportKind, list string, at int) {
	for f := range strings.FieldsSeq(list) {
		if plain.IsPathLike(f) || plain.IsPathLike("./"+f) {
			m.AddImport(k, f, at)
		}
	}
}

func includeKind(word string) code.ImportKind {
	if word == "include" {
		return code.ImportStatic
	}
	return code.ImportMention // the file may be missing
}

func (m *makefile) word(at, end int) (string, int) {
	i := lexical.SkipText(m.s, at, end)
	return m.s[at:i], i
}

// define reads a variable defined over several lines.
func (m *makefile) define(rest, at, end int) {
	name := strings.TrimRight(strings.TrimSpace(m.s[rest:end]), " :?+=")
	for m.i < len(m.s) {
		e := lexical.LineEnd(m.s, m.i)
		line := strings.TrimSpace(m.s[m.i:e])
		m.i = e + 1
		if after, ok := strings.CutPrefix(line, "endef"); ok && (after == "" || strings.IndexByte(" #", after[0]) >= 0) {
			end = e
			break
		}
	}
	m.variable(name, at, max(end, at), m.s[at:lexical.LineEnd(m.s, at)])
}

func (m *makefile) variable(name string, at, end int, sig string) {
	if name == "" || strings.ContainsAny(name, "$() \t#") || m.seen["="+name] {
		return
	}
	m.seen["="+name] = true
	if sym := m.AddSymbol(code.KindVariable, name, at, at, min(end, len(m.s)), sig, plain.MaxOutline); sym >= 0 {
		m.Facts.Symbols[sym].Doc = m.docText("")
	}
}

// assignmentOrRule reads "a = b", "a := b" or "a: b", which it distinguishes by the
// first of these marks outside of references.
func (m *makefile) assignmentOrRule(at, end int) {
	depth := 0
	for i, s := at, m.s[:end]; i < end; i++ {
		switch s[i] {
		case '$':
			switch lexical.ByteAt(s, i+1) {
			case '(', '{':
				depth++
				i++
			}
		case '(', '{':
			if depth > 0 {
				depth++
			}
		case ')', '}':
			if depth > 0 {
				depth--
			}
		case '#':
			if depth == 0 {
				return
			}
		case '=':
			if depth == 0 {
				m.rule = -1
				m.variable(strings.TrimRight(s[at:i], " \t?+!"), at, end, s[at:])
				return
			}
		case ':':
			if depth > 0 {
				continue
			}
			j := i + lexical.Run(s[i:], ':')
			if lexical.ByteAt(s, j) == '=' {
				m.rule = -1
				m.variable(strings.TrimRight(s[at:i], " \t"), at, end, s[at:])
				return
			}
			if lexical.ByteAt(s, i+1) == '\\' || i == at+1 && isDrive(s[at:]) {
				continue // a Windows path
			}
			m.targets(at, i, j, end)
			return
		}
	}
	m.rule = -1
}

// isDrive reports whether s begins with the drive of a Windows path.
func isDrive(s string) bool {
	return lexical.ByteAt(s, 1) == ':' && (lexical.ByteAt(s, 2) == '/' || lexical.ByteAt(s, 2) == '\\')
}

// targets declares the targets of a rule, which ends at colon; its prerequisites begin
// at rest.
func (m *makefile) targets(at, colon, rest, end int) {
	deps := m.s[rest:end]
	recipe := strings.IndexByte(deps, ';')
	if recipe >= 0 {
		deps = deps[:recipe]
	}
	help := ""
	if i := strings.Index(deps, "##"); i >= 0 {
		help = strings.TrimSpace(deps[i+2:])
	}
	deps = stripComment(deps)
	m.rule = -1
	if strings.Contains(deps, "=") && isTargetVariable(deps) {
		return
	}
	for i := at; i < colon; {
		from := skipContinued(m.s, i, colon)
		i = lexical.SkipText(m.s, from, colon)
		if from < i {
			m.target(m.s[from:i], from, end, help)
		}
	}
	m.prerequisites(deps, rest)
}

// skipContinued skips white space and the backslashes that continue a line.
func skipContinued(s string, i, end int) int {
	for i < end && (lexical.IsSpace(s[i]) || s[i] == '\\') {
		i++
	}
	return i
}

// isTargetVariable reports whether the text after a target is an assignment, as in
// "target: VAR = value".
func isTargetVariable(deps string) bool {
	name := strings.TrimSpace(deps[:strings.IndexByte(deps, '=')])
	name = strings.TrimRight(name, ":?+! \t")
	for _, mod := range [...]string{"export ", "override ", "private "} {
		name = strings.TrimPrefix(name, mod)
	}
	return name != "" && !strings.ContainsAny(name, " \t$")
}

// specialTargets are directives to make, which build nothing.
var specialTargets = plain.Words(".PHONY .SUFFIXES .DEFAULT .PRECIOUS .INTERMEDIATE .NOTINTERMEDIATE .SECONDARY .SECONDEXPANSION " +
	".DELETE_ON_ERROR .IGNORE .LOW_RESOLUTION_TIME .SILENT .EXPORT_ALL_VARIABLES .NOTPARALLEL .ONESHELL .POSIX .MAKE .WAIT .NOEXPORT")

func (m *makefile) target(name string, at, end int, help string) {
	if specialTargets[name] || strings.Contains(name, "$(call") {
		return
	}
	if m.seen[name] {
		return
	}
	m.seen[name] = true
	sym := m.AddSymbol(code.KindTarget, name, at, at, min(end, len(m.s)), m.s[at:end], plain.MaxOutline)
	if sym >= 0 {
		m.Facts.Symbols[sym].Doc = m.docText(help)
		if m.rule < 0 {
			m.rule = sym
		}
	}
}

// prerequisites records references to the targets that a rule depends on.
func (m *makefile) prerequisites(deps string, at int) {
	if m.rule < 0 {
		return
	}
	m.Owner = m.rule
	for i, n := 0, 0; i < len(deps) && n < 64; n++ {
		from := skipContinued(deps, i, len(deps))
		i = lexical.SkipText(deps, from, len(deps))
		if w := deps[from:i]; w != "" && w != "|" && !strings.ContainsAny(w, "$%*:()") {
			m.AddRef(code.RefUse, path.Clean(w), at+from)
		}
	}
	m.Owner = -1
}

func (m *makefile) docText(help string) string {
	if help != "" {
		return lexical.Cut(lexical.Valid(help), plain.MaxDoc)
	}
	if m.doc[1] == 0 || m.doc[0] == 0 {
		return "" // no comment, or the head of the file
	}
	return lexical.Cut(lexical.CleanDoc(m.s[m.doc[0]:min(m.doc[1], m.doc[0]+4*plain.MaxDoc)]), plain.MaxDoc)
}

func stripComment(s string) string {
	if i := strings.IndexByte(s, '#'); i >= 0 && (i == 0 || s[i-1] != '\\') {
		return s[:i]
	}
	return s
}
