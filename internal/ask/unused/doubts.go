package unused

import (
	"bytes"
	"cmp"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"ken/internal/ask/grep"
	"ken/internal/ask/refs"
	"ken/internal/code"
	"ken/internal/engine/builtin"
	"ken/internal/engine/graph"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// leftOut adds the targets of whose name extraction leaves uses out.
func (h *unseenSearch) leftOut(targets []view.Symbol) error {
	for i := range targets {
		t := &targets[i]
		if n, _ := h.s.Lookup.Node(t.Path); builtin.IsLeftOut(n.Lang, t.Name) {
			h.doubt(UnseenUnread, "uses of "+t.Name+", a name of the language itself, are not all recorded", t.Path, t.Span.Line)
		}
	}
	return nil
}

// examples adds the tests that are named after targets, as examples of them: go vet, and with it go test, wants the name to be there.
func (h *unseenSearch) examples(targets []view.Symbol) error {
	for i := range targets {
		t := &targets[i]
		n, _ := h.s.Lookup.Node(t.Path)
		prefix := lang.Of(n.Lang).ExamplePrefix
		if prefix == "" {
			continue
		}
		if err := h.openNames(); err != nil {
			return err
		}
		name := prefix + strings.ReplaceAll(t.Qualified, ".", "_")
		ids, _, err := h.names.Holding(name, func(l code.Lang) bool { return l == n.Lang })
		if err != nil {
			return err
		}
		for _, id := range ids {
			f, ok := h.s.Lookup.NodeByID(id)
			if !ok || code.Dir(f.Path) != code.Dir(t.Path) || !strings.HasSuffix(f.Path, lang.Of(n.Lang).HiddenSuffix) {
				continue
			}
			rows, err := h.s.Index.Symbols(id)
			if err != nil {
				return err
			}
			for j := range rows {
				if rest, ok := strings.CutPrefix(rows[j].Name, name); ok && (rest == "" || rest[0] == '_') {
					h.doubt(UnseenEntry, rows[j].Name+" is an example of it", f.Path, rows[j].Span.Line)
				}
			}
		}
	}
	return nil
}

// outsideBases adds the bases outside the repository that a target may override a
// member of.
func (h *unseenSearch) outsideBases(targets []view.Symbol) error {
	for i := range targets {
		t := &targets[i]
		n, _ := h.s.Lookup.Node(t.Path)
		isField := !t.Kind.IsFunction() && !t.Kind.IsType() && lang.Of(n.Lang).FindsTypes && !lang.Of(n.Lang).HidesFields
		if t.Symbol.Container() == "" || !t.Kind.IsFunction() && !isField {
			continue
		}
		bases, err := refs.OverriddenOutside(h.ctx, h.s, t)
		if err != nil {
			return err
		}
		for _, base := range bases {
			h.doubt(UnseenOutside, base+"."+t.Name, t.Path, t.Span.Line)
		}
	}
	return nil
}

// renamedTypes adds the calls that give the type of a target, or a target that is a type, another name at run time.
func (h *unseenSearch) renamedTypes(targets []view.Symbol) error {
	for i := range targets {
		t := &targets[i]
		n, _ := h.s.Lookup.Node(t.Path)
		call, typ := lang.Of(n.Lang).AliasCall, code.LastSegment(t.Symbol.Container())
		if t.Kind.IsType() {
			typ = t.Name
		}
		if suffix := lang.Of(n.Lang).MarkSuffix; suffix != "" && typ != "" {
			if err := h.wholeMark(t, typ, suffix); err != nil {
				return err
			}
		}
		if call == "" || typ == "" {
			continue
		}
		ids, err := h.s.Index.Referrers(call)
		if err != nil {
			return err
		}
		var files []code.File
		for _, id := range ids[:min(len(ids), maxUnlinked)] {
			f, err := h.s.FileByID(id)
			if err != nil {
				return err
			}
			files = append(files, f)
		}
		if len(files) == 0 {
			continue
		}
		pattern := call + `\s*\(.*\b` + regexp.QuoteMeta(typ) + `\b`
		for m, err := range grep.Grep(h.ctx, h.s, view.GrepQuery{Regex: pattern, Only: files, Limit: maxUnseen}) {
			if err != nil {
				return err
			}
			h.doubt(UnseenText, strings.TrimSpace(m.Text), m.Path, m.Line)
		}
	}
	return nil
}

// wholeMark adds the decorators that may mean a type, or that of a member, whose name has no suffix: [Route] is read as RouteAttribute.
func (h *unseenSearch) wholeMark(t *view.Symbol, typ, suffix string) error {
	if strings.HasSuffix(typ, suffix) {
		return nil
	}
	ids, err := h.s.Index.Referrers(typ + suffix)
	if err != nil || len(ids) == 0 {
		return err
	}
	signature := t.Signature
	if t.Kind.IsFunction() || !t.Kind.IsType() {
		up, _, err := h.s.Index.Symbol(code.SymbolID{File: code.UnpackSymbolID(t.ID).File, Ord: t.Parent})
		if err != nil {
			return err
		}
		signature = up.Signature
	}
	if _, bases, _ := strings.Cut(signature, ":"); !strings.Contains(bases, suffix) {
		return nil
	}
	for _, id := range ids[:min(len(ids), maxUnseen)] {
		home, err := h.s.Site(id)
		if err != nil || home.Packed == nil {
			return err
		}
		list, err := home.Packed.Refs(typ + suffix)
		if err != nil {
			return err
		}
		for i := range list {
			h.doubt(UnseenPossible, "["+typ+"]", home.Node.Path, list[i].Line)
		}
	}
	return nil
}

// unreadLanguages adds the files that hold a target's name, could name it, and
// are of languages whose uses are not read.
func (h *unseenSearch) unreadLanguages(targets []view.Symbol, families map[string]bool) error {
	for f := range families {
		if list := lang.InFamily(f); len(list) > 0 && lang.LanguageTier(list[0]) != lang.Full {
			h.doubt(UnseenText, "uses are not read in "+string(list[0]), "", 0)
			return nil
		}
	}
	done := map[string]bool{}
	for i := range targets {
		name := targets[i].Name
		if done[name] {
			continue
		}
		isConfined, err := h.confined(&targets[i])
		if err != nil {
			return err
		}
		if isConfined {
			continue
		}
		done[name] = true
		files, err := h.unreadFiles(name, families)
		if err != nil {
			return err
		}
		isOpen := func(t view.Symbol) bool { return t.Name == name && !h.isBeyondPages(&t) }
		if err := h.namedIn(name, files, !slices.ContainsFunc(targets, isOpen)); err != nil {
			return err
		}
	}
	return nil
}

// unreadFiles returns the files that may name declarations of the families, are of languages whose uses are not read, and hold a
// word of a name.
func (h *unseenSearch) unreadFiles(name string, families map[string]bool) ([]code.File, error) {
	if err := h.openNames(); err != nil {
		return nil, err
	}
	files, total, known, err := h.names.Unread(name, families)
	if err != nil {
		return nil, err
	}
	if !known {
		h.doubt(UnseenText, "files that may name it are not searched for so short a name", "", 0)
	}
	if total > len(files) {
		h.doubt(UnseenText, strconv.Itoa(total)+" files may name it, more than are searched", "", 0)
	}
	return files, nil
}

func (h *unseenSearch) openNames() (err error) {
	if h.names == nil {
		h.names, err = grep.NewNameFiles(h.s)
	}
	return err
}

// isBeyondPages reports whether the scripts of pages cannot name a declaration: it is private, or of C and no function.
func (h *unseenSearch) isBeyondPages(t *view.Symbol) bool {
	n, _ := h.s.Lookup.Node(t.Path)
	switch lang.Of(n.Lang).Privacy {
	case lang.PrivateInFile, lang.PrivateInParts, lang.PrivateInType:
		head, _, _ := strings.Cut(t.Signature, t.Name)
		return slices.Contains(strings.Fields(head), "private")
	case lang.PrivateInUnit:
		return !t.Kind.IsFunction()
	}
	return false
}

// namedIn adds the lines of files in which a name may be code as possible uses. If actionsOnly is set, the scripts of pages cannot mean it.
func (h *unseenSearch) namedIn(name string, files []code.File, actionsOnly bool) error {
	n := 0
	edit := func(_ struct{}, t view.FileText) []textUse { return usesInMarkup(name, t, actionsOnly) }
	for list, err := range view.Texts(h.ctx, h.s, files, func() struct{} { return struct{}{} }, edit) {
		if err != nil {
			return err
		}
		for i := range list {
			if h.take(&list[i]); list[i].Doubt {
				n++
			}
		}
		if n >= maxUnseen && h.mentions == nil {
			break
		}
	}
	return nil
}

// fileSteps returns the searches for ways in which code may depend on a file without a known import.
func (h *unseenSearch) fileSteps(n graph.Node) []func() error {
	stem := stem(n.Path)
	if entryStems[stem] && code.Dir(n.Path) != "" { // imported by its directory's name
		stem = path.Base(code.Dir(n.Path))
	}
	families := map[string]bool{graph.Family(n.Lang): true}
	return []func() error{
		func() error { return h.unresolvedImports(n, stem) },
		func() error { return h.fileInUnread(stem, families) },
		func() error { return h.searchFile(n, stem, families) },
		func() error { return h.searchDeclared(n, families) },
	}
}

// fileInUnread adds the files, of languages whose imports are not read, that hold
// the name of a file as an import or a link would write it.
func (h *unseenSearch) fileInUnread(stem string, families map[string]bool) error {
	files, err := h.unreadFiles(stem, families)
	if err != nil || len(files) == 0 {
		return err
	}
	pattern := `["'/]` + regexp.QuoteMeta(stem) + `(\.\w+)?["']`
	for m, err := range grep.Grep(h.ctx, h.s, view.GrepQuery{Regex: pattern, Only: files, Limit: maxUnseen}) {
		if err != nil {
			return err
		}
		h.doubt(UnseenText, strings.TrimSpace(m.Text), m.Path, m.Line)
	}
	return nil
}

// unresolvedImports adds the imports that lead nowhere known and may mean a file by its
// name, by a way that resolution does not know.
func (h *unseenSearch) unresolvedImports(n graph.Node, stem string) error {
	if err := h.openNames(); err != nil {
		return err
	}
	ids, _, err := h.names.Holding(stem, func(l code.Lang) bool { return graph.Family(l) == graph.Family(n.Lang) })
	if err != nil {
		return err
	}
	for _, id := range ids[:min(len(ids), maxUnlinked)] {
		t, err := h.s.Site(id)
		if err != nil {
			return err
		}
		for i := range t.Imports {
			imp := &t.Imports[i]
			known := i < len(t.Links) && t.Links[i].IsResolved()
			if !known && lastWord(imp.Spec) == stem && id != n.ID {
				h.doubt(UnseenPossible, "import of "+imp.Spec, t.Node.Path, imp.Line)
			}
		}
	}
	return nil
}

// maxUnlinked is the number of files whose imports are looked at.
const maxUnlinked = 2000

// lastWord returns the last segment of the path in an import, without an extension.
func lastWord(spec string) string {
	spec = spec[strings.LastIndexAny(spec, `/\:`)+1:]
	if stem := strings.TrimSuffix(spec, path.Ext(spec)); strings.Contains(spec, ".") && path.Ext(spec) != spec {
		if after := code.LastSegment(spec); lang.Detect("x."+after, nil) == "" {
			return after
		}
		return stem
	}
	return spec
}

// foundType adds the ways in which a type is found by what it inherits: a framework looks for the subtypes of its own types, a base hears
// of each new subtype or lists them.
func (h *unseenSearch) foundType(t *view.Symbol, n graph.Node) error {
	row := lang.Of(n.Lang)
	if !row.FindsTypes {
		return nil
	}
	bases, outside, err := refs.Bases(h.ctx, h.s, t)
	if err != nil {
		return err
	}
	for _, base := range outside {
		h.doubt(UnseenOutside, base+" may find it", t.Path, t.Span.Line)
	}
	return cmp.Or(h.heardOf(bases, row), h.listed(bases, row))
}

// heardOf adds the bases that the language calls for each new subtype.
func (h *unseenSearch) heardOf(bases []store.SymbolRow, row *lang.Info) error {
	for i := range bases {
		base := &bases[i]
		if row.Metaclass != "" && strings.Contains(base.Signature, row.Metaclass) {
			h.doubt(UnseenEntry, base.Qualified+" names a metaclass", base.Path, base.Span.Line)
		}
		rows, err := h.s.Index.Symbols(base.FileID)
		if err != nil {
			return err
		}
		for k := range rows {
			if rows[k].Parent == base.Ord && slices.Contains(row.SubtypeHooks, rows[k].Name) {
				h.doubt(UnseenEntry, rows[k].Qualified+" is called for it", base.Path, rows[k].Span.Line)
			}
		}
	}
	return nil
}

// listed adds the calls that list the subtypes of bases: on a base by its name, or on the type itself in the file of a base.
func (h *unseenSearch) listed(bases []store.SymbolRow, row *lang.Info) error {
	for _, list := range row.SubtypeLists {
		ids, err := h.s.Index.Referrers(list)
		if err != nil {
			return err
		}
		for _, id := range ids[:min(len(ids), maxUnlinked)] {
			names := []string{}
			for i := range bases {
				if names = append(names, regexp.QuoteMeta(bases[i].Name)); bases[i].FileID == id {
					names = append(names, "cls", "self", "this")
				}
			}
			if len(names) == 0 {
				return nil
			}
			f, err := h.s.FileByID(id)
			if err != nil {
				return err
			}
			pattern := `\b(` + strings.Join(names, "|") + `)\.` + list + `\b`
			for m, err := range grep.Grep(h.ctx, h.s, view.GrepQuery{Regex: pattern, Only: []code.File{f}, Limit: maxUnseen}) {
				if err != nil {
					return err
				}
				h.doubt(UnseenEntry, strings.TrimSpace(m.Text), m.Path, m.Line)
			}
		}
	}
	return nil
}

// maxMembers is the number of members of a type whose uses are looked for.
const maxMembers = 200

// usedMember adds a use of a member of a type whose members are used without its name: an enumerator, an extension method, a member that
// is imported.
func (h *unseenSearch) usedMember(t *view.Symbol, n graph.Node) error {
	if !lang.Of(n.Lang).LoneMembers {
		return nil
	}
	id := code.UnpackSymbolID(t.ID)
	rows, err := h.s.Index.Symbols(id.File)
	if err != nil {
		return err
	}
	var members []view.Symbol
	for k := range rows {
		if rows[k].Parent != id.Ord || rows[k].Kind.IsType() || rows[k].Kind == code.KindConstructor {
			continue
		}
		rows[k].Path = t.Path
		if members = append(members, view.RowSymbol(&rows[k])); len(members) == maxMembers {
			break
		}
	}
	if len(members) == 0 {
		return nil
	}
	found, err := refs.References(h.ctx, h.s, members)
	for k := range found.List {
		r := &found.List[k]
		if isOwn := r.Path == t.Path && t.Span.Contains(code.Span{Start: r.Start, End: r.Start}); !isOwn {
			h.doubt(UnseenValue, r.Verdict()+" use of its member "+r.Target.Name, r.Path, r.Line)
			break
		}
	}
	return err
}

// overriddenBy adds a member that overrides or implements a target and is marked as such, so that it does not stand without the target.
func (h *unseenSearch) overriddenBy(t *view.Symbol, n graph.Node) error {
	below, err := refs.Below(h.ctx, h.s, t)
	for i := range below {
		b := &below[i]
		if lang.Of(n.Lang).Overriding != lang.Unmarked || strings.Contains(b.Signature, "override ") {
			h.doubt(UnseenOverride, b.Qualified, b.Path, b.Span.Line)
			break
		}
	}
	return err
}

// leastProtocol is the number of types from which a method that they all have, and nothing calls, is taken for one that a library calls.
const leastProtocol = 3

// protocol adds that several types have a method that nothing in the repository calls, as methods have that a library looks for by name.
func (h *unseenSearch) protocol(t *view.Symbol, n graph.Node) error {
	if !lang.Of(n.Lang).OpenMembers {
		return nil
	}
	if users, err := h.s.Index.Referrers(t.Name); err != nil || len(users) > 0 {
		return err
	}
	rows, err := h.s.Index.SymbolsNamed(t.Name)
	types := map[string]bool{}
	for i := range rows {
		if other, ok := h.s.Lookup.NodeByID(rows[i].FileID); ok && rows[i].Kind.IsFunction() && graph.SameFamily(&n, &other) {
			types[rows[i].Symbol.Container()] = true
		}
	}
	if delete(types, ""); len(types) >= leastProtocol {
		h.doubt(UnseenOutside, plural(len(types), "type")+" declare it and nothing calls it", t.Path, t.Span.Line)
	}
	return err
}

// isEntryName reports whether a name matches one of some patterns of path.Match.
func isEntryName(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		ok, _ := path.Match(p, name)
		return ok
	})
}

// isTestType reports whether a type in a test file has a name that test runners look for.
func isTestType(name string) bool {
	endings := []string{"Test", "Tests", "TestCase", "Spec", "IT"}
	return strings.HasPrefix(name, "Test") || slices.ContainsFunc(endings, func(end string) bool { return strings.HasSuffix(name, end) })
}

// fields adds the variables in which objects keep what an accessor of a target gives, where the accessor finds them by its name
// (attr_reader :size and @size). In the body of the type they are written; elsewhere they are in doubt, if the type may be of their file's.
func (h *unseenSearch) fields(targets []view.Symbol) error {
	for i := range targets {
		t := &targets[i]
		n, _ := h.s.Lookup.Node(t.Path)
		pattern := lang.Of(n.Lang).FieldAccessors
		if pattern == "" || !regexp.MustCompile(pattern).MatchString(t.Signature) {
			continue
		}
		if err := h.fieldsOf(t, n); err != nil {
			return err
		}
	}
	return nil
}

func (h *unseenSearch) fieldsOf(t *view.Symbol, n graph.Node) error {
	rows, err := h.s.Index.Symbols(code.UnpackSymbolID(t.ID).File)
	if err != nil {
		return err
	}
	if err := h.openNames(); err != nil {
		return err
	}
	ids, known, err := h.names.Holding(t.Name, func(l code.Lang) bool { return graph.Family(l) == graph.Family(n.Lang) })
	if err != nil {
		return err
	}
	if !known {
		h.doubt(UnseenText, "variables of so short a name are not searched", t.Path, t.Span.Line)
	}
	for _, id := range ids[:min(len(ids), maxUnlinked)] {
		f, ok := h.s.Lookup.NodeByID(id)
		if !ok {
			continue
		}
		text, err := h.s.Text(h.ctx, f.Path)
		if err != nil {
			return err
		}
		for at := range nameOffsets(text, t.Name) {
			if at == 0 || text[at-1] != '@' || at > 1 && text[at-2] == '@' {
				continue
			}
			line := uint32(1 + bytes.Count(text[:at], []byte("\n")))
			switch {
			case f.Path == t.Path && h.mentions != nil && isInBody(rows, t, uint32(at)):
				h.mentions.Written = append(h.mentions.Written, Written{Path: f.Path, Kind: UnseenText, Line: line, Start: uint32(at)})
			case f.Path == t.Path || mayInherit().Match(text) || bytes.Contains(text, []byte(code.LastSegment(t.Symbol.Container()))):
				h.doubt(UnseenText, lineText(text, at), f.Path, line)
			}
		}
	}
	return nil
}

// isInBody reports whether a byte of the file of a member is in the body of its type, and in no type within it or other member of its name.
func isInBody(rows []store.SymbolRow, t *view.Symbol, at uint32) bool {
	around, inner := -1, t.Parent
	for i := range rows {
		row := &rows[i]
		if row.Ord == t.Parent {
			around = i
		}
		if isTwin := row.Name == t.Name && row.Parent == t.Parent && row.NameStart != t.NameStart; isTwin {
			return false
		}
		isAround := row.Span.Contains(code.Span{Start: at, End: at}) && row.Ord > inner
		if isAround && (row.Kind.IsType() || row.Kind == code.KindModule) {
			inner = row.Ord
		}
	}
	return around >= 0 && inner == t.Parent && rows[around].Span.Contains(code.Span{Start: at, End: at})
}

// mayInherit matches what makes a type of a file one of others: a base, a module that it takes in, or code that is run in another class.
var mayInherit = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\bclass\s+[\w:]+\s*<[^<]|\b(include|extend|prepend)\b|\bClass\.new\(|\w+_(eval|exec)\b|\binstance_variable_`)
})

// otherOwner returns a function that reports whether the object of a method around a byte of a target's file is certainly of a type that
// is not related to the target's: nothing inherits from that type or takes its methods, and it does not inherit from the target's. It
// returns nil if the language does not show that, or the target is no member.
func (h *unseenSearch) otherOwner(t *view.Symbol, n graph.Node) func(at int) bool {
	if t.Symbol.Container() == "" || !lang.FamilyReflection(graph.Family(n.Lang)).OwnOnly {
		return nil
	}
	known := map[int32]bool{} // by the place of the type in its file
	return func(at int) bool {
		rows, err := h.s.Index.Symbols(n.ID)
		if err != nil {
			return false
		}
		method := innermost(rows, at)
		if method == nil || !method.Kind.IsFunction() || method.Parent < 0 {
			return false
		}
		owner := &rows[method.Parent]
		is, ok := known[owner.Ord]
		if !ok {
			is = owner.Kind == code.KindClass && owner.Qualified != t.Symbol.Container() && h.standsAlone(owner, t, n)
			known[owner.Ord] = is
		}
		return is
	}
}

// innermost returns the innermost declaration around a byte of its file, nil if there is none.
func innermost(rows []store.SymbolRow, at int) (in *store.SymbolRow) {
	for i := range rows {
		if s := &rows[i].Span; int(s.Start) <= at && at < int(s.End) && (in == nil || s.Start >= in.Span.Start) {
			in = &rows[i]
		}
	}
	return in
}

// standsAlone reports whether a type has no subtypes, lends its methods to no other, and does not inherit from the type of a target.
func (h *unseenSearch) standsAlone(typ *store.SymbolRow, t *view.Symbol, n graph.Node) bool {
	sym := view.RowSymbol(typ)
	sym.Path = n.Path
	bases, _, err := refs.Bases(h.ctx, h.s, &sym)
	if err != nil || slices.ContainsFunc(bases, func(b store.SymbolRow) bool { return b.Qualified == t.Symbol.Container() }) {
		return false
	}
	uses, err := refs.References(h.ctx, h.s, []view.Symbol{sym})
	return err == nil && !slices.ContainsFunc(uses.List, func(r view.Reference) bool {
		return r.Kind != code.RefCall && r.Kind != code.RefType && r.Kind != code.RefImport
	})
}

// isLocal reports whether a declaration is in the body of a function.
func (h *unseenSearch) isLocal(t *view.Symbol) (bool, error) {
	if t.Parent < 0 {
		return false, nil
	}
	up, ok, err := h.s.Index.Symbol(code.SymbolID{File: code.UnpackSymbolID(t.ID).File, Ord: t.Parent})
	return ok && up.Kind.IsFunction(), err
}
