package extract

import (
	"path"
	"strings"

	"ken/internal/code"
)

// makefile scans Makefiles (GNU Make's manual, chapters 4 to 6): rules, variables,
// define blocks and includes. Recipes are only searched for scripts they run.
type makefile struct {
	*file
	s    string
	i    int
	doc  [2]int // comment directly above
	seen map[string]bool
	rule int32 // target whose recipe is being read
}

func makefileReader() reader { return direct("makefile", scanMakefile) }

func scanMakefile(f *file) {
	m := makefile{file: f, s: f.text, seen: map[string]bool{}, rule: -1}
	for m.i < len(m.s) {
		m.line()
	}
}

// logical is the end of the line at i, with the lines it goes on to.
func (m *makefile) logical(i int) int {
	for {
		e := lineEnd(m.s, i)
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
	if m.s[start:end] != "" && m.s[start] == '\t' {
		if m.rule >= 0 {
			m.setEnd(m.rule, end)
			m.owner = m.rule
			m.mentionScripts(m.s[start:min(end, start+8<<10)], start)
			m.owner = -1
		}
		return
	}
	at := start
	for at < end && (m.s[at] == ' ' || m.s[at] == '\r' || m.s[at] == '\t') {
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
			if next := strings.TrimLeft(m.s[rest:end], " \t"); next != "" && next[0] != ':' && next[0] != '=' {
				at = rest
				for m.s[at] == ' ' || m.s[at] == '\t' {
					at++
				}
				continue
			}
		}
		m.assignmentOrRule(at, end)
		return
	}
}

// includes notes the files of an include. Of "$(TOP)/rules.mk" that is what
// follows the variable; a computed list names none.
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
		if isPathLike(list[1:n]) {
			m.mention(list[1:n], at)
		}
		list = list[n:]
	}
	m.plainIncludes(k, list, at)
}

func (m *makefile) plainIncludes(k code.ImportKind, list string, at int) {
	for f := range strings.FieldsSeq(list) {
		if isPathLike(f) || isPathLike("./"+f) {
			m.plainImport(k, f, at)
		}
	}
}

func includeKind(word string) code.ImportKind {
	if word == "include" {
		return code.ImportStatic
	}
	return code.ImportMention // may be missing
}

func (m *makefile) word(at, end int) (string, int) {
	i := at
	for i < end && !isSpace(m.s[i]) {
		i++
	}
	return m.s[at:i], i
}

// define reads a variable of several lines.
func (m *makefile) define(rest, at, end int) {
	name := strings.TrimRight(strings.TrimSpace(m.s[rest:end]), " :?+=")
	for m.i < len(m.s) {
		e := lineEnd(m.s, m.i)
		line := strings.TrimSpace(m.s[m.i:e])
		m.i = e + 1
		if line == "endef" || strings.HasPrefix(line, "endef ") || strings.HasPrefix(line, "endef#") {
			end = e
			break
		}
	}
	m.variable(name, at, max(end, at), m.s[at:lineEnd(m.s, at)])
}

func (m *makefile) variable(name string, at, end int, sig string) {
	if name == "" || strings.ContainsAny(name, "$() \t#") || m.seen["="+name] {
		return
	}
	m.seen["="+name] = true
	if sym := m.plainSymbol(code.KindVariable, name, at, at, min(end, len(m.s)), sig, maxOutline); sym >= 0 {
		m.facts.Symbols[sym].Doc = m.docText("")
	}
}

// assignmentOrRule tells "a = b", "a := b" from "a: b" by what comes first
// outside of references, and reads it.
func (m *makefile) assignmentOrRule(at, end int) {
	depth := 0
	for i := at; i < end; i++ {
		switch c := m.s[i]; c {
		case '$':
			if i+1 < end && (m.s[i+1] == '(' || m.s[i+1] == '{') {
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
				m.variable(strings.TrimRight(m.s[at:i], " \t?+!"), at, end, m.s[at:end])
				return
			}
		case ':':
			if depth > 0 {
				continue
			}
			j := i
			for j < end && m.s[j] == ':' {
				j++
			}
			if j < end && m.s[j] == '=' {
				m.rule = -1
				m.variable(strings.TrimRight(m.s[at:i], " \t"), at, end, m.s[at:end])
				return
			}
			if i+1 < end && m.s[i+1] == '\\' || i == at+1 && isDrive(m.s[at:end]) {
				continue // a Windows path
			}
			m.targets(at, i, j, end)
			return
		}
	}
	m.rule = -1
}

func isDrive(s string) bool { return len(s) > 2 && (s[2] == '/' || s[2] == '\\') && s[1] == ':' }

// targets declares the targets of a rule that ends at colon; its prerequisites
// follow from rest on.
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
		for i < colon && (isSpace(m.s[i]) || m.s[i] == '\\') {
			i++
		}
		from := i
		for i < colon && !isSpace(m.s[i]) {
			i++
		}
		if from < i {
			m.target(m.s[from:i], from, end, help)
		}
	}
	m.prerequisites(deps, rest)
}

// isTargetVariable tells "target: VAR = value".
func isTargetVariable(deps string) bool {
	name := strings.TrimSpace(deps[:strings.IndexByte(deps, '=')])
	name = strings.TrimRight(name, ":?+! \t")
	for _, mod := range [...]string{"export ", "override ", "private "} {
		name = strings.TrimPrefix(name, mod)
	}
	return name != "" && !strings.ContainsAny(name, " \t$")
}

// specialTargets tell make something and build nothing.
var specialTargets = words(".PHONY .SUFFIXES .DEFAULT .PRECIOUS .INTERMEDIATE .NOTINTERMEDIATE .SECONDARY .SECONDEXPANSION .DELETE_ON_ERROR .IGNORE .LOW_RESOLUTION_TIME .SILENT " +
	".EXPORT_ALL_VARIABLES .NOTPARALLEL .ONESHELL .POSIX .MAKE .WAIT .NOEXPORT")

func (m *makefile) target(name string, at, end int, help string) {
	if specialTargets[name] || strings.Contains(name, "$(call") {
		return
	}
	if m.seen[name] {
		return
	}
	m.seen[name] = true
	sym := m.plainSymbol(code.KindTarget, name, at, at, min(end, len(m.s)), m.s[at:end], maxOutline)
	if sym >= 0 {
		m.facts.Symbols[sym].Doc = m.docText(help)
		if m.rule < 0 {
			m.rule = sym
		}
	}
}

// prerequisites refers to the targets a rule depends on.
func (m *makefile) prerequisites(deps string, at int) {
	m.owner = m.rule
	for i, n := 0, 0; i < len(deps) && n < 64; n++ {
		for i < len(deps) && (isSpace(deps[i]) || deps[i] == '\\') {
			i++
		}
		from := i
		for i < len(deps) && !isSpace(deps[i]) {
			i++
		}
		if w := deps[from:i]; w != "" && w != "|" && !strings.ContainsAny(w, "$%*:()") && m.rule >= 0 {
			m.plainRef(code.RefUse, path.Clean(w), at+from)
		}
	}
	m.owner = -1
}

func (m *makefile) docText(help string) string {
	if help != "" {
		return cut(valid(help), maxPlainDoc)
	}
	if m.doc[1] == 0 || m.doc[0] == 0 {
		return "" // none, or the head of the file
	}
	return cut(cleanDoc(m.s[m.doc[0]:min(m.doc[1], m.doc[0]+4*maxPlainDoc)]), maxPlainDoc)
}

func stripComment(s string) string {
	if i := strings.IndexByte(s, '#'); i >= 0 && (i == 0 || s[i-1] != '\\') {
		return s[:i]
	}
	return s
}
