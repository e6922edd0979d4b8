package claim

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ken/internal/lang"
	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/document"
)

// Loose names are those that only look like names of code: outside of backticks, in code that a plan shows, constants. Many are none, so
// nothing may be concluded from one that is declared nowhere; one that is declared is a claim that holds.

// looseReader collects the loose names of a plan: names of code in its text that are not marked as code.
type looseReader struct {
	list []Symbol
	seen map[string]bool
	// foreign are names that code of the plan declares, modules those of the names that it imports.
	foreign map[string]bool
	modules map[string]string
}

// ReadLooseNames returns the loose names in the tasks and reading lists of a plan, each once: names of code that are not marked as
// such. File is the end of the path of the module, without extension, that code in the plan imports the name from. It is separate
// from Read, because other callers ask many plans only for the files they make.
func ReadLooseNames(p *artefact.Plan) []Symbol {
	d := p.Doc
	if len(d.Text()) > maxText {
		return nil
	}
	r := &looseReader{seen: map[string]bool{}, foreign: map[string]bool{}, modules: map[string]string{}}
	roles := rolesOfLines(d)
	for i := d.Body().From; i < d.Body().To; i++ {
		role := roles[i]
		if role == TaskFile {
			role = Action // as in Read
		}
		if role != Action && role != Reading {
			continue
		}
		switch d.Kind(i) {
		case document.Fence:
		case document.Code:
			r.readCode(d.Line(i), i+1, role)
		default:
			r.readText(d.Line(i), i+1, role)
		}
	}
	r.list = slices.DeleteFunc(r.list, func(y Symbol) bool { return r.foreign[y.Name] })
	for i := range r.list {
		r.list[i].File = r.modules[r.list[i].Name]
	}
	return r.list
}

// maxLoose is the number of loose names of a plan that are returned.
const maxLoose = 1000

// looseWord matches a run of letters that may be a name, with the qualifier before a dot and the bracket of a call.
var looseWord = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*\(?`)
})

// readText reads the names in a line of text. A code span that is more than a name is read as code.
func (r *looseReader) readText(line string, number int, role Role) {
	parts := strings.Split(line, "`")
	for i, span := range parts {
		ticked := i%2 == 1 && i < len(parts)-1
		whole := ticked && symbolForm().MatchString(strings.TrimSpace(span))
		r.readNames(span, number, role, ticked && !whole)
	}
}

// readCode reads names in a line of code that a plan shows. Imported names belong to the module of the import, wherever else they occur;
// declared names of code to be written belong to that code.
func (r *looseReader) readCode(line string, number int, role Role) {
	names, module := importedNames(line)
	for _, w := range looseWord().FindAllString(names, -1) {
		r.modules[w] = module
	}
	if role == Action && module == "" {
		for _, m := range declaring().FindAllStringSubmatch(line, -1) {
			r.foreign[m[1]] = true
		}
	}
	r.readNames(line, number, role, true)
}

// declaring matches the declaration of a name, in the languages that have a keyword for it.
var declaring = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(?:interface|class|type|function|def|const|let|var|val|enum|struct|trait|func|fn|fun|record)\s+(?:\([^)]*\)\s*)?([A-Za-z_$][\w$]*)`)
})

// imports match lines of code that import names in JavaScript, Python and Java.
var imports = sync.OnceValue(func() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`^\s*(?:import|export)\b(?P<names>.*)\bfrom\s+['"](?P<module>[^'"]+)['"]`),
		regexp.MustCompile(`^\s*from\s+(?P<module>[\w.]+)\s+import\s+(?P<names>.*)`),
		regexp.MustCompile(`^\s*import\s+(?:static\s+)?(?P<module>(?:\w+\.)+(?P<names>[A-Z]\w*))\s*;?\s*$`),
	}
})

// importedNames returns the names that a line of code imports, and the module as the end of a path without extension: ../lib/db.ts,
// @/lib/db and lib.db are lib/db. Both are "" if it imports none.
func importedNames(line string) (names, module string) {
	for i, re := range imports() {
		m := re.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		names, module = m[re.SubexpIndex("names")], strings.TrimLeft(m[re.SubexpIndex("module")], "./@~#")
		if i > 0 {
			return names, strings.ReplaceAll(module, ".", "/")
		}
		return names, strings.TrimSuffix(module, path.Ext(module))
	}
	return "", ""
}

// readNames reads names in a text. In code only calls, types and constants count: other names there are local variables.
func (r *looseReader) readNames(text string, number int, role Role, inCode bool) {
	until := 0 // end of a call's parameters
	for _, at := range looseWord().FindAllStringIndex(text, -1) {
		word := text[at[0]:at[1]]
		name, called := strings.CutSuffix(word, "(")
		if len(r.list) >= maxLoose {
			return
		}
		if isPartOfOther(text, at[0], at[0]+len(name)) || at[0] < until && strings.ToLower(name) == name {
			continue
		}
		if called && !inCode {
			end := strings.IndexByte(text[at[1]:], ')')
			until = at[1] + end
			if role == Action && end >= 0 && describesNewFunction(text[until+1:]) {
				r.seen[name] = true
			}
		}
		for _, own := range []string{"this.", "self."} {
			name = strings.TrimPrefix(name, own)
		}
		if !isLooseName(name, called, inCode) || r.seen[name] {
			continue
		}
		r.seen[name] = true
		r.list = append(r.list, Symbol{Name: name, Line: number, Role: role})
	}
}

// describesNewFunction reports whether the text after a name's parameters describes a result or an effect, as plans do for functions
// that are going to be written.
func describesNewFunction(rest string) bool {
	rest = strings.TrimLeft(rest, " `*")
	return strings.HasPrefix(rest, "->") || strings.HasPrefix(rest, "→") || strings.HasPrefix(rest, ":")
}

// isPartOfOther reports whether a word is part of a path, an option, an attribute, or a member of something that is not read.
func isPartOfOther(text string, start, end int) bool {
	if start > 0 && strings.IndexByte(`/\-@#.%&~:`, text[start-1]) >= 0 {
		return text[start-1] != ':' || start < 2 || text[start-2] != ':' // Type::name
	}
	return end < len(text) && strings.IndexByte(`/\-@`, text[end]) >= 0
}

// isLooseName reports whether a word can only be a name of code because of its form: it has two humps (openStore), or an underscore
// between letters.
func isLooseName(name string, called, inCode bool) bool {
	if strings.Contains(name, ".") {
		small := name[0] < 'A' || name[0] > 'Z'
		if small && strings.Count(name, ".") > 1 || lang.Detect(name, nil) != "" {
			return false // the member of an unknown value, or a file
		}
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	if len(last) < 5 {
		return false
	}
	upper, snake := strings.ToUpper(last) == last, strings.Contains(strings.Trim(last, "_"), "_")
	pascal := last[0] >= 'A' && last[0] <= 'Z'
	switch {
	case upper:
		return snake
	case !snake && !hasHumps(last):
		return false
	case inCode:
		return called || pascal
	}
	return true
}

// hasHumps reports whether a small letter is followed by a capital one, and that by a small one: openStore, OpenStore, but not APIs and
// iOS.
func hasHumps(s string) bool {
	for i := 1; i+1 < len(s); i++ {
		small := func(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }
		if small(s[i-1]) && s[i] >= 'A' && s[i] <= 'Z' && small(s[i+1]) {
			return true
		}
	}
	return false
}
