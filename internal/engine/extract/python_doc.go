package extract

import (
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
	"ken/internal/engine/extract/plain"
)

// docstring returns the documentation of a module, function or class: the string its body
// begins with.
func (p *python) docstring(body node) string {
	c := p.firstNamed(body)
	if p.kind(c) != pyExprStatement {
		return ""
	}
	return p.stringDoc(p.first(c))
}

// stringDoc returns the text of a string as documentation, or "" for bytes and f-strings, which
// are none.
func (p *python) stringDoc(n node) string {
	if p.kind(n) == pyConcatenated {
		n = p.firstNamed(n)
	}
	start := p.childKind(n, pyStringStart)
	if p.kind(n) != pyString || start == none || strings.ContainsAny(p.str(start), "bBfF") {
		return ""
	}
	end := p.end(n)
	if e := p.childKind(n, pyStringEnd); e != none {
		end = p.start(e)
	}
	return cleanDocstring(lexical.Cut(p.text[p.end(start):max(end, p.end(start))], 8*code.MaxDoc))
}

// cleanDocstring removes the common indentation of all lines but the first, as
// inspect.cleandoc does, and cuts at MaxDoc.
func cleanDocstring(s string) string {
	if strings.IndexByte(s, '\n') < 0 {
		return lexical.Cut(strings.ToValidUTF8(strings.TrimSpace(s), "\uFFFD"), code.MaxDoc)
	}
	lines := strings.Split(s, "\n")
	indent := -1
	for _, l := range lines[1:] {
		if rest := strings.TrimLeft(l, " \t"); strings.TrimSpace(rest) != "" {
			if n := len(l) - len(rest); indent < 0 || n < indent {
				indent = n
			}
		}
	}
	for i, l := range lines {
		if i == 0 {
			l = strings.TrimLeft(l, " \t")
		} else {
			l = l[min(max(indent, 0), len(l)):]
		}
		lines[i] = strings.TrimRight(l, " \t\r")
	}
	return lexical.Cut(strings.ToValidUTF8(strings.TrimSpace(strings.Join(lines, "\n")), "\uFFFD"), code.MaxDoc)
}

// allAssigned reads the names in `__all__ = […]`, if anew is set, or `__all__ += […]`.
func (p *python) allAssigned(n node, anew bool) {
	p.hasAll = true
	if anew {
		p.all = p.all[:0]
	}
	p.allNames(n)
}

// allNames reads the names in a value of __all__: strings, lists of strings, sums of
// lists, and other.__all__, which stands for the names that a wildcard import takes
// from that module.
func (p *python) allNames(n node) {
	switch p.kind(n) {
	case pyString:
		if s := p.str(p.childKind(n, pyStringContent)); isDotted(s) {
			p.all = append(p.all, pyExport{s, p.line(n)})
		}
	case pyAttribute:
		if p.fieldStr(n, pyfAttribute) == "__all__" {
			p.all = append(p.all, pyExport{"*" + p.fieldStr(n, pyfObject), p.line(n)})
		}
	case pyList, pyTuple, pyBinary, pyParenthesized, pyListSplat, pySet, pyArguments:
		for c := p.firstNamed(n); c != none; c = p.nextNamed(c) {
			p.allNames(c)
		}
	case pyCall: // list(other.__all__), sorted([...])
		if p.kind(p.child(n, pyfFunction)) == pyIdentifier {
			p.allNames(p.child(n, pyfArguments))
		}
	}
}

// allCall reads __all__.append("x") and __all__.extend([…]).
func (p *python) allCall(f, call node) {
	if p.fieldStr(f, pyfObject) != "__all__" {
		return
	}
	switch p.fieldStr(f, pyfAttribute) {
	case "append", "extend":
		p.allAssigned(p.child(call, pyfArguments), false)
	}
}

// listExports lists the names that a module exports: those in __all__ if it has one,
// otherwise its public names and, in the __init__ of a package, names imported from
// its modules.
func (p *python) listExports() {
	if p.hasAll {
		p.exportAll()
		return
	}
	seen := plain.ExportTopLevel(p.facts)
	if base := path.Base(p.path); base == "__init__.py" || base == "__init__.pyi" {
		p.exportImports(seen)
	}
}

func (p *python) exportImports(seen map[string]bool) {
	for i, m := range p.facts.Imports {
		for _, n := range m.Names {
			if m.Spec == "__future__" || seen[n.Alias] || strings.HasPrefix(n.Alias, "_") {
				continue
			}
			seen[n.Alias] = n.Alias != "*"
			p.facts.Exports = append(p.facts.Exports, code.Export{Name: n.Alias, Local: n.Name, From: int32(i), Line: m.Line})
		}
	}
}

func (p *python) exportAll() {
	listed := map[string]bool{}
	for _, e := range p.all {
		if listed[e.name] {
			continue
		}
		listed[e.name] = true
		x := code.Export{Name: e.name, Local: e.name, From: -1, Line: e.line}
		if module, ok := strings.CutPrefix(e.name, "*"); ok {
			if x.From = int32(slices.IndexFunc(p.facts.Imports, func(m code.Import) bool {
				tail := m.Spec[strings.LastIndexByte(m.Spec, '.')+1:]
				return len(m.Names) == 1 && m.Names[0].Name == "*" && tail == module[strings.LastIndexByte(module, '.')+1:]
			})); x.From < 0 {
				continue
			}
			x.Name, x.Local = "*", "*"
		} else if b := p.names.lookup(e.name); b != nil && b.what == bindImport {
			x.From = b.imp
			if x.Local = b.target; b.module {
				x.Local = "*"
			}
		}
		p.facts.Exports = append(p.facts.Exports, x)
	}
	for i := range p.facts.Symbols {
		s := &p.facts.Symbols[i]
		if s.Parent < 0 {
			s.Exported = listed[s.Name]
		} else if !p.facts.Symbols[s.Parent].Exported {
			s.Exported = false
		}
	}
}
