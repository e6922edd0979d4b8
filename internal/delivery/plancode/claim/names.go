package claim

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"ken/internal/lang"
	"ken/internal/workflow/plan/artefact"
	"ken/internal/workflow/plan/document"
)

// Kind is the sort of thing that a plan names.
type Kind uint8

// The kinds.
const (
	SymbolKind     Kind = iota // a declaration, or another name of code
	MemberKind                 // a name with its container: Store.open
	CommandKind                // a command line
	FlagKind                   // an option of a command: --json
	SettingKind                // a name in capitals: an environment variable, a constant
	RouteKind                  // the path of a request
	DependencyKind             // a package
)

func (k Kind) String() string {
	return [...]string{"symbol", "member", "command", "flag", "setting", "route", "dependency"}[k]
}

// Statement is what a plan states about a name.
type Statement uint8

// The statements. Of several about one name, the last of these counts.
const (
	NotWanted Statement = iota // the text denies it, or takes it away
	Unstated                   // the text does not show whether it is there
	Changed                    // the text changes it; it is there, unless the plan named it before
	There                      // the text states that it is there
	WillBe                     // the text states that the plan makes it
)

// Name is something other than a file that a plan names in a task, in what it reads first, or in its must-haves.
type Name struct {
	Name  string
	Kind  Kind
	Line  int // 0 in must-haves
	Role  Role
	State Statement
	// Module is the end of the path, without extension, of the module that code of the plan imports the name from; Package is set if
	// that is a package and no file.
	Module  string
	Package bool
	InCode  bool // in code that the plan shows
	// Existing is set if the text calls it that in so many words, whatever else it states.
	Existing bool
	// Declared is set if code of a task declares it, or an artifact exports it.
	Declared bool
	Files    []string // named on the same line
}

// maxNames is the number of names of a plan that are read.
const maxNames = 1500

type nameReader struct {
	list []Name
	at   map[string]int // index in list
	// modules are those from which code of the plan imports names, packages those of them that no path leads to.
	modules  map[string]string
	packages map[string]bool
	// declared are names that code of the plan declares, so that they are made by it.
	declared map[string]bool
}

// ReadNames returns the names in the tasks, the reading lists and the must-haves of a plan, each once. It is separate from Read, because
// other callers ask many plans only for the files they make.
func ReadNames(p *artefact.Plan) []Name {
	d := p.Doc
	if len(d.Text()) > maxText {
		return nil
	}
	r := &nameReader{at: map[string]int{}, modules: map[string]string{}, packages: map[string]bool{}, declared: map[string]bool{}}
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
			r.readCode(d.Line(i), i+1, role, false)
		default:
			r.readText(d.Line(i), i+1, role)
		}
	}
	r.readMustHaves(&p.MustHaves)
	for i := range r.list {
		n := &r.list[i]
		n.Module, n.Package = r.modules[firstSegment(n.Name)], r.packages[firstSegment(n.Name)]
		n.Declared = r.declared[n.Name]
	}
	return r.list
}

func firstSegment(name string) string {
	first, _, _ := strings.Cut(name, ".")
	return first
}

// readMustHaves reads the names in what has to be true afterwards. An artifact exports what the plan makes.
func (r *nameReader) readMustHaves(m *artefact.MustHaves) {
	for _, t := range m.Truths {
		r.readText(t, 0, Artifact)
	}
	for _, a := range m.Artifacts {
		r.readText(a.Provides, 0, Artifact)
		for _, e := range a.Exports {
			if symbolForm().MatchString(e) {
				r.declared[e] = true
				r.add(Name{Name: e, Role: Artifact, State: WillBe})
			}
		}
	}
	for _, l := range m.Links {
		r.readText(l.Via, 0, Link)
	}
}

// add adds a name, or strengthens an earlier mention of it: code that only shows it is weaker than text.
func (r *nameReader) add(n Name) {
	if strings.Contains(n.Name, ".") && n.Kind == SymbolKind {
		n.Kind = MemberKind
	}
	if i, ok := r.at[n.Name]; ok {
		old := &r.list[i]
		if n.State == Changed {
			n.State = Unstated
		}
		if n.State == There && old.State < There {
			old.Line, old.Role, old.InCode = n.Line, n.Role, n.InCode
		}
		old.State = max(old.State, n.State)
		old.Existing = old.Existing || n.Existing
		old.Files = append(old.Files, n.Files...)
		return
	}
	if len(r.list) < maxNames {
		r.at[n.Name] = len(r.list)
		r.list = append(r.list, n)
	}
}

// Words around a name which state that it is there.
var (
	thereBefore = []string{"reuse", "reuses", "reusing", "existing", "current", "currently", "already", "follow", "mirror", "mirrors", "confirm", "same as"}
	thereInRest = []string{"same as existing", "as existing", "as today", "as before", "same as the existing", "like the existing"}
	thereAfter  = []string{"already", "(existing", "exists", "existing", "is already", "which already", "no longer", "still ", "currently "}
	makes       = slices.Concat(creating, []string{"add", "define", "defines", "introduce", "implement", "implements", "write", "export", "named", "called"})
)

// statement returns what the text around a name states about it.
func statement(before, after string, role Role) Statement {
	prose := ""
	for i, part := range strings.Split(before, "`") { // names in code marks are no words
		if i%2 == 0 {
			prose += part
		}
	}
	before = prose[max(0, len(prose)-60):]
	rest := after[:min(len(after), 100)]
	after = strings.TrimLeft(after[:min(len(after), 40)], "`*_ ()")
	if i := max(strings.LastIndex(before, ". "), strings.LastIndex(before, "; ")); i >= 0 {
		before = before[i+2:]
	}
	there, changes, made := lastWordIndex(before, thereBefore), lastWordIndex(before, changing), lastWordIndex(before, makes)
	if removedFrom().MatchString(before) {
		return There // what something is taken away from
	}
	denied := lastWordIndex(before, []string{"not", "never", "n't", "without", "no", "remove", "delete", "drop", "instead of", "avoid"})
	switch {
	case slices.ContainsFunc(thereAfter, func(w string) bool { return strings.HasPrefix(after, w) }) ||
		slices.ContainsFunc(thereInRest, func(w string) bool { return strings.Contains(rest, w) }):
		return There
	case denied >= 0 && denied > max(there, changes, made)-12:
		return NotWanted
	case made > max(there, changes) || hasNewMark(after):
		return WillBe
	case role == Artifact || lastWordIndex(before, []string{"with", "to", "by"}) > max(there, changes):
		return Unstated
	case there >= 0:
		return There
	case changes >= 0:
		return Changed
	}
	return Unstated
}

// removedFrom matches words before a name which state that something is taken away from it.
var removedFrom = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(?:remove|removes|delete|drop|strip|extract|extracts|move|moves) [^.;:]{1,50} (?:from|out of) (?:the )?$`)
})

// readText reads the names in a line of text: those marked as code, and words that by their form can only be names of code.
func (r *nameReader) readText(line string, number int, role Role) {
	var files []string
	for _, f := range findPaths(line, false) {
		if !f.outside && strings.Contains(f.path, "/") {
			files = append(files, f.path)
		}
	}
	lower := strings.ToLower(line)
	parts := strings.Split(line, "`")
	at := 0
	for i, span := range parts {
		start := at
		at += len(span) + 1
		base := Name{Line: number, Role: role, State: Unstated, Files: files}
		if ticked := i%2 == 1 && i < len(parts)-1; !ticked {
			r.readWords(line, span, start, base)
			continue
		}
		before := lower[:min(start, len(lower))]
		base.State = statement(before, lower[min(start+len(span), len(lower)):], role)
		base.Existing = strings.HasSuffix(before, "existing `")
		r.readSpan(strings.TrimSpace(span), base)
	}
}

// Forms of code spans.
var (
	routeForm = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:(?:GET|POST|PUT|DELETE|PATCH)\s+)?(/[a-z][\w/{}:\[\].-]*)$`)
	})
	settingForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$`) })
	flagForm    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|[\s\[(])(--[a-z][\w-]*[a-z0-9])`) })
	commandForm = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:[A-Z_]+=\S+ )*((?:npm|pnpm|yarn|bun|npx|make|just|cargo|go|uv|poetry|pytest|python3?|pip|flutter|dart|dotnet|mvn|gradle|bundle|rake|composer|mix|swift|tsc)(?: [\w@./:=-]+)+)`)
	})
	runForm = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b(?:(?:npm|pnpm|yarn|bun) run [A-Za-z][\w:-]*|cargo (?:build|test|run|check)|go (?:build|test|vet) \S+)`)
	})
	packageForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^@?[a-z][\w-]*(?:/[\w.-]+)*$`) })
	callForm    = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^((?:[A-Za-z_$][\w$]*(?:\.|::|#))*[A-Za-z_$][\w$]*)\s*[(<{]`)
	})
)

// readSpan reads a code span.
func (r *nameReader) readSpan(span string, base Name) {
	emit := func(name string, k Kind) {
		n := base
		n.Name, n.Kind = name, k
		r.add(n)
	}
	for _, m := range flagForm().FindAllStringSubmatch(span, 8) {
		emit(m[1], FlagKind)
	}
	if m := commandForm().FindStringSubmatch(span); m != nil {
		emit(m[1], CommandKind)
		return
	}
	if m := routeForm().FindStringSubmatch(span); m != nil && path.Ext(m[1]) == "" && !isAbsolute(m[1][1:]) {
		emit(m[1], RouteKind)
		return
	}
	if settingForm().MatchString(span) {
		emit(span, SettingKind)
		return
	}
	if _, module, isPackage := importedNames(span); module != "" || declaring().MatchString(span) {
		if isPackage && packageForm().MatchString(module) {
			emit(module, DependencyKind)
			return
		}
		r.readCode(span, base.Line, base.Role, base.State == There)
		return
	}
	span = strings.Trim(span, `"'.@`)
	normal := strings.NewReplacer("::", ".", "#", ".")
	if m := symbolForm().FindStringSubmatch(span); m != nil {
		name := strings.TrimPrefix(normal.Replace(m[1]), "this.")
		if name = strings.TrimPrefix(name, "self."); len(name) >= 3 && (!strings.Contains(name, ".") || lang.Detect(name, nil) == "") {
			emit(name, SymbolKind)
		}
		return
	}
	scoped := strings.HasPrefix(span, "@") && strings.Contains(span, "/")
	if (scoped || strings.Contains(span, "-")) && packageForm().MatchString(span) {
		if path.Ext(span) == "" {
			emit(span, DependencyKind)
		}
		return
	}
	if m := callForm().FindStringSubmatch(span); m != nil && len(m[1]) >= 3 {
		emit(strings.TrimPrefix(normal.Replace(m[1]), "this."), SymbolKind)
		return
	}
	base.State, base.InCode = Unstated, true
	r.readWords(span, span, 0, base)
}

// nameWord matches a run of letters that may be a name, with the qualifier before a dot and the bracket of a call.
var nameWord = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*\(?`)
})

// readWords reads the words of text outside of code marks, or of code, that can only be names of code.
func (r *nameReader) readWords(line, span string, offset int, base Name) {
	lower := strings.ToLower(line)
	for _, at := range nameWord().FindAllStringIndex(span, -1) {
		word := span[at[0]:at[1]]
		name, called := strings.CutSuffix(word, "(")
		if isPartOfOther(span, at[0], at[0]+len(name)) && !isAlternative(span, at[0], at[0]+len(name)) {
			continue
		}
		n := base
		if called && !base.InCode {
			end := strings.IndexByte(span[at[1]:], ')')
			if base.Role == Action && end >= 0 && describesNewFunction(span[at[1]+end+1:]) {
				n.State = WillBe
			}
		}
		name = strings.ReplaceAll(name, "::", ".")
		for _, own := range []string{"this.", "self."} {
			name = strings.TrimPrefix(name, own)
		}
		switch {
		case settingForm().MatchString(name):
			n.Kind = SettingKind
		case !isNameByForm(name, called, base.InCode):
			continue
		}
		n.Name = name
		if !base.InCode && n.State == Unstated {
			from := min(offset+at[0], len(lower))
			n.State = statement(lower[:from], lower[min(from+len(word), len(lower)):], base.Role)
		}
		r.add(n)
	}
	if !base.InCode {
		for _, m := range runForm().FindAllString(span, 4) {
			n := base
			n.Name, n.Kind = m, CommandKind
			r.add(n)
		}
		for _, m := range flagForm().FindAllStringSubmatch(span, 8) {
			n := base
			n.Name, n.Kind = m[1], FlagKind
			n.State = statement(lower[:min(offset, len(lower))], "", base.Role)
			r.add(n)
		}
	}
}

// readCode reads names in a line of code that a plan shows. Imported names belong to the module of the import, wherever else they occur;
// what code of a task declares is made by the plan, and what code to be read first declares, or code that the text states to be there, is
// there.
func (r *nameReader) readCode(line string, number int, role Role, there bool) {
	names, module, isPackage := importedNames(line)
	for _, w := range nameWord().FindAllString(names, -1) {
		r.modules[w], r.packages[w] = module, isPackage
	}
	if isPackage && packageForm().MatchString(module) {
		r.add(Name{Name: module, Kind: DependencyKind, Line: number, Role: role, State: Unstated, InCode: true})
	}
	if module == "" && !isComment(line) {
		for _, m := range declaring().FindAllStringSubmatch(line, -1) {
			switch {
			case len(m[1]) < 3:
			case role == Action && !there:
				r.declared[m[1]] = true
				r.add(Name{Name: m[1], Line: number, Role: role, State: WillBe, InCode: true})
			default:
				r.add(Name{Name: m[1], Line: number, Role: role, State: There, InCode: true})
			}
		}
	}
	r.readWords(line, line, 0, Name{Line: number, Role: role, State: Unstated, InCode: true})
}

// isComment reports whether a line of code is a comment.
func isComment(line string) bool {
	s := strings.TrimSpace(line)
	return slices.ContainsFunc([]string{"//", "#", "--", "*", "/*", "<!--", ";"}, func(mark string) bool { return strings.HasPrefix(s, mark) })
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
// @/lib/db and lib.db are lib/db. Both are "" if it imports none. isPackage reports whether the module of JavaScript is named by no path.
func importedNames(line string) (names, module string, isPackage bool) {
	for i, re := range imports() {
		m := re.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		written := m[re.SubexpIndex("module")]
		names, module = m[re.SubexpIndex("names")], strings.TrimLeft(written, "./@~#")
		if i > 0 {
			return names, strings.ReplaceAll(module, ".", "/"), false
		}
		if strings.IndexByte(".~#/", written[0]) < 0 && !strings.HasPrefix(written, "@/") {
			return names, strings.TrimPrefix(written, "node:"), true
		}
		return names, strings.TrimSuffix(module, path.Ext(module)), false
	}
	return "", "", false
}

// describesNewFunction reports whether the text after a name's parameters describes a result or an effect, as plans do for functions
// that are going to be written.
func describesNewFunction(rest string) bool {
	rest = strings.TrimLeft(rest, " `*")
	return strings.HasPrefix(rest, "->") || strings.HasPrefix(rest, "→") || strings.HasPrefix(rest, ":")
}

// isPartOfOther reports whether a word is part of a path, an option, an attribute, or a member of something that is not read.
func isPartOfOther(text string, start, end int) bool {
	if start > 0 && strings.IndexByte(`/\-@#.%&~:<`, text[start-1]) >= 0 {
		return text[start-1] != ':' || start < 2 || text[start-2] != ':' // Type::name
	}
	return end < len(text) && strings.IndexByte(`/\-@`, text[end]) >= 0
}

// isAlternative reports whether a word is one of several names with slashes between: openStore/closeStore.
func isAlternative(text string, start, end int) bool {
	blank := func(c rune) bool {
		return !strings.ContainsRune("/_.$", c) && !unicode.IsLetter(c) && !unicode.IsDigit(c)
	}
	from, to := strings.LastIndexFunc(text[:start], blank)+1, len(text)
	if i := strings.IndexFunc(text[end:], blank); i >= 0 {
		to = end + i
	}
	parts := strings.Split(strings.Trim(text[from:to], "."), "/")
	isOther := func(p string) bool { return p == "" || strings.Contains(p, ".") || !isNameByForm(p, false, false) }
	return len(parts) > 1 && !slices.ContainsFunc(parts, isOther)
}

// isNameByForm reports whether a word can only be a name of code because of its form: it has two humps (openStore), or an underscore
// between letters.
func isNameByForm(name string, called, inCode bool) bool {
	if strings.Contains(name, ".") && lang.Detect(name, nil) != "" {
		return false // a file
	}
	if products[strings.ToLower(name)] {
		return false
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	upper, snake := strings.ToUpper(last) == last, strings.Contains(strings.Trim(last, "_"), "_")
	pascal := last[0] >= 'A' && last[0] <= 'Z'
	ofType := len(last) < len(name) && name[0] >= 'A' && name[0] <= 'Z'
	member := ofType && last[0] >= 'a' && len(last) >= 3
	switch {
	case len(last) < 5 && !member:
		return false
	case upper:
		return snake
	case member && !inCode:
		return true
	case !snake && !hasHumps(last):
		return false
	case inCode:
		return called || pascal || member
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
