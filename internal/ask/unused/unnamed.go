package unused

import (
	"bytes"
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"ken/internal/ask/grep"
	"ken/internal/ask/refs"
	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// maxHead is the number of bytes before a name in which marks of its declaration are looked for.
const maxHead = 400

// calledMarks adds what is written at a declaration that the system or a tool calls.
func (h *unseenSearch) calledMarks(t *view.Symbol, n graph.Node) error {
	pattern := lang.Of(n.Lang).CalledMarks
	if pattern == "" || !t.Kind.IsFunction() && t.Kind != code.KindField {
		return nil
	}
	text, err := h.s.Text(h.ctx, t.Path)
	if err != nil || int(t.NameStart) > len(text) {
		return err
	}
	head := text[max(0, int(t.NameStart)-maxHead):t.NameStart]
	head = head[bytes.LastIndexAny(head, "};{")+1:]
	if t.Kind == code.KindField {
		head = head[bytes.LastIndexByte(head, '\n')+1:]
	}
	around := text[int(t.NameStart)-len(head) : lineEnd(text, int(t.NameStart))]
	if mark := regexp.MustCompile(pattern).Find(around); mark != nil {
		h.doubt(UnseenDecorated, string(mark), t.Path, t.Span.Line)
	}
	return nil
}

// serialized adds that a library may read or write a field of a type by its name: the type inherits from one outside of the repository
// that may declare it, its signature names it as coded, or what decorates it may read its fields.
func (h *unseenSearch) serialized(t *view.Symbol, n graph.Node) error {
	isField := t.Kind == code.KindField || t.Kind == code.KindVariable || t.Kind == code.KindConstant || t.Kind == code.KindEnumMember
	row := lang.Of(n.Lang)
	if t.Parent < 0 || !isField {
		return nil
	}
	if row.OpenMembers || row.SeparateNames || strings.Contains(t.Signature, "override ") {
		bases, err := refs.OverriddenOutside(h.ctx, h.s, t)
		if err != nil {
			return err
		}
		for _, base := range bases {
			h.doubt(UnseenOutside, base+"."+t.Name, t.Path, t.Span.Line)
		}
	}
	id := code.UnpackSymbolID(t.ID)
	up, ok, err := h.s.Index.Symbol(code.SymbolID{File: id.File, Ord: t.Parent})
	if err != nil || !ok || !up.Kind.IsType() {
		return err
	}
	if mark := row.CodedTypes; mark != "" && regexp.MustCompile(mark).MatchString(up.Signature) {
		h.doubt(UnseenDecorated, up.Signature, t.Path, up.Span.Line)
	}
	up.Path = t.Path
	sym := view.RowSymbol(&up)
	return h.decorators(&sym, func(mark string) bool { return slices.Contains(derivedMarks, mark) })
}

// derivedMarks are the marks of a type that give it what the language defines, and read none of its fields by name.
var derivedMarks = strings.Fields("Debug Clone Copy PartialEq Eq Hash PartialOrd Ord Default Flags FunctionalInterface objc objcMembers frozen")

// leastPasted is the least number of bytes of the part of a name that a macro has.
const leastPasted = 2

// pasted adds the macros of C that can make the name of a target of two parts: one is in the macro, and the other a word of the code; or
// an invocation has both.
func (h *unseenSearch) pasted(targets []view.Symbol) error {
	ids, err := h.s.Index.Referrers(code.Pasting)
	if err != nil {
		return err
	}
	for _, id := range ids {
		home, err := h.s.Site(id)
		if err != nil || home.Packed == nil {
			return err
		}
		list, err := home.Packed.Refs(code.Pasting)
		if err != nil {
			return err
		}
		for i := range list {
			for j := range targets {
				if n, _ := h.s.Lookup.Node(targets[j].Path); graph.Family(n.Lang) != graph.Family(home.Node.Lang) {
					continue
				}
				makes, err := h.pastes(&list[i], id, targets[j].Name)
				if err != nil {
					return err
				}
				if makes {
					h.doubt(UnseenText, "a macro that joins parts to names", home.Node.Path, list[i].Line)
				}
			}
		}
	}
	return nil
}

// pastes reports whether a macro can make a name where it joins two parts.
func (h *unseenSearch) pastes(r *code.Ref, file int64, name string) (bool, error) {
	before, after, _ := strings.Cut(strings.TrimPrefix(r.Args, code.ArgsAround), code.Pasting)
	rest := name
	switch {
	case before == "" && after == "":
		return h.invoked(code.SymbolID{File: file, Ord: r.Scope}, name)
	case before != "" && after == "":
		rest = strings.TrimPrefix(name, before)
	case before == "":
		rest = strings.TrimSuffix(name, after)
	}
	if rest == "" || len(name)-len(rest) < leastPasted {
		return false, nil
	}
	if err := h.openNames(); err != nil {
		return false, err
	}
	ids, _, err := h.names.Holding(rest, func(l code.Lang) bool { return lang.Of(l).MacroOption != "" })
	if err != nil {
		return false, err
	}
	return h.match(regexp.MustCompile(`\b`+regexp.QuoteMeta(rest)+`\b`), ids)
}

// invoked reports whether an invocation of a macro that joins its parameters, or of one that hands its own to that, has arguments that make
// a name.
func (h *unseenSearch) invoked(macro code.SymbolID, name string) (bool, error) {
	row, ok, err := h.s.Index.Symbol(macro)
	if err != nil || !ok {
		return false, err
	}
	r, err := h.s.Tree.NewReader(nil)
	if err != nil {
		return false, err
	}
	macros := []string{row.Name}
	for i := 0; i < len(macros) && len(macros) < maxUnseen; i++ {
		ids, err := h.s.Index.Referrers(macros[i])
		if err != nil {
			return false, err
		}
		for _, id := range ids[:min(len(ids), maxUnlinked)] {
			home, err := h.s.Site(id)
			if err != nil || home.Packed == nil {
				return false, err
			}
			list, err := home.Packed.Refs(macros[i])
			if err != nil {
				return false, err
			}
			joins := func(text []byte) bool {
				return slices.ContainsFunc(list, func(r code.Ref) bool { return int(r.End) < len(text) && joinsTo(text[r.End:], name) })
			}
			if r.MaskedText(h.ctx, home.Node.Path, joins) != nil {
				return true, nil
			}
			for j := range list {
				if around, ok, err := h.s.Index.Symbol(code.SymbolID{File: id, Ord: list[j].Scope}); err != nil {
					return false, err
				} else if ok && around.Kind == code.KindMacro && !slices.Contains(macros, around.Name) {
					macros = append(macros, around.Name)
				}
			}
		}
	}
	return false, nil
}

// joinsTo reports whether two arguments in a row, in parentheses at the beginning of a text, make a name.
func joinsTo(text []byte, name string) bool {
	list, ok := bytes.CutPrefix(bytes.TrimLeft(text, " \t"), []byte("("))
	end := bytes.IndexByte(list, ')')
	if !ok || end < 0 {
		return false
	}
	args := strings.Split(string(list[:end]), ",")
	for i := 1; i < len(args); i++ {
		if strings.TrimSpace(args[i-1])+strings.TrimSpace(args[i]) == name {
			return true
		}
	}
	return false
}

// match reports whether a pattern matches the code of one of some files.
func (h *unseenSearch) match(pattern *regexp.Regexp, ids []int64) (bool, error) {
	r, err := h.s.Tree.NewReader(nil)
	if err != nil {
		return false, err
	}
	for _, id := range ids[:min(len(ids), maxUnlinked)] {
		f, err := h.s.FileByID(id)
		if err != nil {
			return false, err
		}
		text := r.MaskedText(h.ctx, f.Path, pattern.Match)
		nt := namedText{FileText: view.FileText{File: f, Text: text}, row: lang.Of(f.Lang)}
		for _, at := range pattern.FindAllIndex(text, -1) {
			if !isCommented(&nt, at[0]) {
				return true, nil
			}
		}
	}
	return false, nil
}

// runMembers adds that a member of a type is run: the program begins there, or a test runner runs it.
func (h *unseenSearch) runMembers(t *view.Symbol, n graph.Node) error {
	row := lang.Of(n.Lang)
	if !t.Kind.IsType() {
		return nil
	}
	id := code.UnpackSymbolID(t.ID)
	rows, err := h.s.Index.Symbols(id.File)
	if err != nil {
		return err
	}
	for i := range rows {
		r := &rows[i]
		if r.Parent != id.Ord || !r.Kind.IsFunction() {
			continue
		}
		isTest := n.Test && row.TestPrefix != "" && strings.HasPrefix(r.Name, row.TestPrefix)
		if isTest || row.EntryInType && r.Name == row.EntryFunction {
			h.doubt(UnseenEntry, "its member "+r.Name+" is run", t.Path, r.Span.Line)
			return nil
		}
	}
	home, err := h.s.Site(id.File)
	if err != nil || home.Packed == nil || len(row.TestMarks) == 0 {
		return err
	}
	refs, err := home.Packed.AllRefs()
	for i := range refs {
		r := &refs[i]
		isInside := r.Kind == code.RefDecorate && t.Span.Contains(code.Span{Start: r.Start, End: r.End})
		if isInside && slices.Contains(row.TestMarks, strings.TrimSuffix(r.Name, "Attribute")) {
			h.doubt(UnseenEntry, "a member is run by the test runner", t.Path, r.Line)
			break
		}
	}
	return err
}

// unnamedUses adds the uses of targets without their names, unless there is a doubt already: whole files are read for them.
func (h *unseenSearch) unnamedUses(targets []view.Symbol) error {
	for i := 0; i < len(targets) && !h.hasDoubt(); i++ {
		n, _ := h.s.Lookup.Node(targets[i].Path)
		if err := cmp.Or(h.withoutName(&targets[i], n), h.ofSettings(&targets[i], n)); err != nil {
			return err
		}
	}
	return nil
}

// ofSettings adds the texts that name the module of a variable: what loads a module by its name reads its variables by theirs, as settings
// are read.
func (h *unseenSearch) ofSettings(t *view.Symbol, n graph.Node) error {
	isVariable := !t.Kind.IsFunction() && !t.Kind.IsType() && t.Symbol.Container() == ""
	if !isVariable || lang.Of(n.Lang).ModuleName != lang.FirstSegment {
		return nil
	}
	files, err := h.filesWith([]string{stem(n.Path)}, map[string]bool{graph.Family(n.Lang): true})
	if err != nil || len(files) == 0 {
		return err
	}
	pattern := `["'][\w.]+\.` + regexp.QuoteMeta(stem(n.Path)) + `["']`
	for m, err := range grep.Grep(h.ctx, h.s, view.GrepQuery{Regex: pattern, Only: files, Limit: 1}) {
		if err != nil {
			return err
		}
		h.doubt(UnseenDynamic, strings.TrimSpace(m.Text), m.Path, m.Line)
	}
	return nil
}

// withoutName adds the uses of the type, object or module around a declaration that use its members without their names.
func (h *unseenSearch) withoutName(t *view.Symbol, n graph.Node) error {
	for i := range lang.Of(n.Lang).Unnamed {
		u := &lang.Of(n.Lang).Unnamed[i]
		if u.Kinds != nil && !slices.Contains(u.Kinds, t.Kind) {
			continue
		}
		if u.Home != "" {
			if err := h.findUnnamed(regexp.MustCompile(u.Home), code.UnpackSymbolID(t.ID).File); err != nil {
				return err
			}
		}
		if owner := code.LastSegment(t.Symbol.Container()); owner != "" {
			ids, err := h.s.Index.Referrers(owner)
			if err != nil {
				return err
			}
			if err := h.findUnnamed(u.For(owner), append(ids, code.UnpackSymbolID(t.ID).File)...); err != nil {
				return err
			}
		} else if u.Kinds == nil {
			if err := h.ofModule(u, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// ofModule looks for uses of a module, under the names that its importers give it.
func (h *unseenSearch) ofModule(u *lang.Unnamed, n graph.Node) error {
	edges, err := h.s.Index.EdgesTo(n.ID)
	if err != nil {
		return err
	}
	for _, e := range edges[:min(len(edges), maxUnlinked)] {
		t, err := h.s.Site(e.Source)
		if err != nil {
			return err
		}
		for i := range t.Imports[:min(len(t.Imports), len(t.Links))] {
			imp := &t.Imports[i]
			if t.Links[i].File != n.ID || imp.Alias == "" && len(imp.Names) > 0 {
				continue
			}
			name := imp.Alias
			if name == "" {
				name = strings.TrimSuffix(path.Base(n.Path), path.Ext(n.Path))
			}
			if err := h.findUnnamed(u.For(name), e.Source); err != nil {
				return err
			}
		}
	}
	return nil
}

// findUnnamed adds the first match of a pattern in each of some files.
func (h *unseenSearch) findUnnamed(pattern *regexp.Regexp, files ...int64) error {
	slices.Sort(files)
	size := int64(0)
	for _, id := range slices.Compact(files) {
		f, err := h.s.FileByID(id)
		if err != nil {
			return err
		}
		if f.Problem != code.ProblemNone {
			continue
		}
		if size += f.Stat.Size; size > unnamedBudget {
			h.doubt(UnseenUnread, "more files that name what it is in than are searched", "", 0)
			return nil
		}
		text, err := h.s.Text(h.ctx, f.Path)
		if err != nil {
			return err
		}
		nt := namedText{FileText: view.FileText{File: f, Text: text}, row: lang.Of(f.Lang)}
		for _, at := range pattern.FindAllIndex(text, maxUnseen) {
			if !isCommented(&nt, at[0]) {
				h.doubt(UnseenReflection, lineText(text, at[0]), f.Path, uint32(1+bytes.Count(text[:at[0]], []byte("\n"))))
				break
			}
		}
	}
	return nil
}

// unnamedBudget is the number of bytes of texts that are searched for uses of a type without the names of its members.
const unnamedBudget = 8 << 20

// decorators adds the decorators and annotations of a symbol. Those for which isInert is true are hints.
func (h *unseenSearch) decorators(t *view.Symbol, isInert func(mark string) bool) error {
	id := code.UnpackSymbolID(t.ID)
	marks, err := h.marks(id.File, id.Ord)
	for i := range marks {
		h.add(UnseenUse{UnseenDecorated, marks[i].Name, t.Path, marks[i].Line, !isInert(marks[i].Name)})
	}
	return err
}

// ownMarks returns the test for marks of a declaration that register nothing. What a type of Rust derives is begun with a capital letter.
func ownMarks(t *view.Symbol) func(string) bool {
	derives := lang.Of(lang.Detect(t.Path, nil)).HasImplBlocks()
	return func(mark string) bool {
		return slices.Contains(inertMarks, mark) || derives && unicode.IsUpper(rune(mark[0]))
	}
}

// marks returns the decorators, annotations and attributes of the symbol with an ordinal in a file: those inside its
// declaration above its members, and those between it and what comes before.
func (h *unseenSearch) marks(file int64, ord int32) ([]code.Ref, error) {
	home, err := h.s.Site(file)
	if err != nil || home.Packed == nil {
		return nil, err
	}
	list, err := home.Packed.AllRefs()
	if err != nil {
		return nil, err
	}
	rows, err := h.s.Index.Symbols(file)
	if err != nil || int(ord) >= len(rows) {
		return nil, err
	}
	var out []code.Ref
	for _, r := range list {
		if r.Kind != code.RefDecorate || r.Scope != ord && r.Scope != rows[ord].Parent {
			continue
		}
		next := int32(-1) // the first symbol that begins after the decorator
		for k := range rows {
			if rows[k].Span.Start > r.Start && (next < 0 || rows[k].Span.Start < rows[next].Span.Start) {
				next = int32(k)
			}
		}
		if r.Scope == ord || next == ord {
			out = append(out, r)
		}
	}
	return out, nil
}
