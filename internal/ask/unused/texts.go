package unused

import (
	"bytes"
	"cmp"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"ken/internal/ask/doctest"
	"ken/internal/ask/grep"
	"ken/internal/ask/refs"
	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/bind"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// The bytes of text that are searched for names: to prove that nothing uses a symbol, and
// that a list of uses is complete, which is a remark on an answer and must not delay it.
const (
	absenceBudget = 64 << 20
	settledBudget = 4 << 20
)

// searchTexts finds the places where a target is named without a reference: strings that are its name, data and scripts, and code of its
// languages that could not be parsed.
func (h *unseenSearch) searchTexts(targets []view.Symbol, families map[string]bool) error {
	byName := map[string][]*namedTarget{}
	seen := map[string]bool{} // the names of those that other files can name
	for i := range targets {
		n, _ := h.s.Lookup.Node(targets[i].Path)
		w := newNamedTarget(&targets[i], n)
		var err error
		if w.confined, err = h.confined(w.sym); err != nil {
			return err
		}
		if w.sym.Parent >= 0 {
			up, _, err := h.s.Index.Symbol(code.SymbolID{File: code.UnpackSymbolID(w.sym.ID).File, Ord: w.sym.Parent})
			if err != nil {
				return err
			}
			w.around, w.local = up.Span, up.Kind.IsFunction()
		}
		w.unrelated = h.otherOwner(w.sym, n)
		byName[w.name] = append(byName[w.name], w)
		if !w.confined {
			seen[w.name] = true
		}
	}
	if err := h.searchUnread(slices.Sorted(maps.Keys(seen)), families); err != nil || h.hasDoubt() && h.budget <= settledBudget {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		list := byName[name]
		spellings := []string{name}
		for _, w := range list {
			if w.option != "" {
				spellings = []string{name, w.option + name}
			}
		}
		files, err := h.filesWith(spellings, families)
		if err != nil {
			return err
		}
		slices.SortStableFunc(files, func(a, b code.File) int {
			near := func(f *code.File) int { return commonDirs(f.Path, list[0].sym.Path) }
			return cmp.Or(near(&b)-near(&a), cmp.Compare(a.Path, b.Path))
		})
		if err := h.scan(list, files); err != nil || h.hasDoubt() && h.budget <= settledBudget {
			return err
		}
	}
	return nil
}

// confined reports whether only the file of a declaration can name it, in code of its languages and in pages that run it as a script.
func (h *unseenSearch) confined(t *view.Symbol) (bool, error) {
	n, _ := h.s.Lookup.Node(t.Path)
	if t.Exported || t.Symbol.Container() != "" || !lang.Of(n.Lang).GlobalScripts {
		return false, nil
	}
	named, err := h.s.NameDefinitions(t.Name)
	if err != nil {
		return false, err
	}
	def, ok := named.Binder.Definition(code.UnpackSymbolID(t.ID))
	if !ok || !named.Binder.Confined(def) {
		return false, nil
	}
	isModule, known := h.modules[t.Path]
	if !known {
		text, err := h.s.Text(h.ctx, t.Path)
		if err != nil {
			return false, err
		}
		if h.modules == nil {
			h.modules = map[string]bool{}
		}
		isModule = !scriptToo().Match(text)
		h.modules[t.Path] = isModule
	}
	return isModule, nil
}

// scriptToo matches what is in a module that runs as a script of a page, too, where all can name what it declares.
var scriptToo = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`typeof\s+(module|exports|require|define)\b|\bdefine\.amd\b`)
})

// commonDirs returns the number of directories in which two paths agree.
func commonDirs(a, b string) int {
	n := 0
	for i := 0; i < min(len(a), len(b)) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			n++
		}
	}
	return n
}

// filesWith returns the files in whose text a name of some language families, in one of its spellings, is to be searched: those that hold
// it, without prose and languages that unreadLanguages looks at, and those that were not parsed.
func (h *unseenSearch) filesWith(spellings []string, families map[string]bool) ([]code.File, error) {
	if err := h.openNames(); err != nil {
		return nil, err
	}
	wanted := func(l code.Lang) bool {
		return lang.Of(l).Sort != lang.Prose && (families[graph.Family(l)] || !grep.MayName(l, families))
	}
	var files []code.File
	ids, known, err := h.names.Holding(spellings[0], wanted)
	if err != nil {
		return nil, err
	}
	for _, other := range spellings[1:] {
		more, _, err := h.names.Holding(other, wanted)
		if err != nil {
			return nil, err
		}
		ids = append(ids, more...)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if !known { // the index of words has no such short words
		for f, err := range h.s.Index.Files() {
			if err != nil {
				return nil, err
			}
			if f.Problem == code.ProblemNone && families[graph.Family(f.Lang)] {
				files = append(files, f)
			}
		}
	}
	for _, id := range ids {
		f, err := h.s.FileByID(id)
		if err != nil {
			return nil, err
		}
		isCode := families[graph.Family(f.Lang)]
		made := f.Flags&(code.FlagGenerated|code.FlagVendored|code.FlagMinified) != 0 || f.Class.Has(code.ClassDocument|code.ClassChangelog)
		isRead := f.Problem == code.ProblemNone || f.Problem == code.ProblemParseLimit && !isCode
		if isRead && (isCode || !made) {
			files = append(files, f)
		}
	}
	return files, nil
}

// searchUnread finds the files that were not parsed at all and hold one of some names, or may do so because they have no text. Only
// the file is known then: showing a line would mean to mask all of a large file.
func (h *unseenSearch) searchUnread(names []string, families map[string]bool) error {
	list, err := h.notParsed(families)
	if err != nil || len(list) == 0 {
		return err
	}
	r, err := h.s.Tree.NewReader(nil)
	if err != nil {
		return err
	}
	budget := int64(unlistedBudget)
	for i := range list {
		k := &list[i]
		if err := h.ctx.Err(); err != nil {
			return err
		}
		if k.file.Problem == code.ProblemIgnored {
			if st, ok := r.Stat(k.file.Path); ok {
				budget -= st.Size
			}
			if budget < 0 {
				h.doubt(UnseenUnread, tooManyIgnored, "", 0)
				return nil
			}
		}
		name := ""
		holds, isText := r.Holds(k.file.Path, func(text []byte) bool {
			j := slices.IndexFunc(names, func(name string) bool {
				for range nameOffsets(text, name) {
					return true
				}
				return false
			})
			if j >= 0 {
				name = names[j]
			}
			return j >= 0
		})
		switch {
		case !isText:
			h.doubt(UnseenUnread, k.reason, k.file.Path, 0)
		case holds:
			h.doubt(UnseenUnread, k.reason+", holds "+name, k.file.Path, 0)
		}
	}
	return nil
}

// skippedFile is a file of which nothing or only a part was parsed.
type skippedFile struct {
	file   code.File // with the ID 0 if it is not in the index
	reason string
}

// notParsed returns the files of language families that were not parsed whole because of their size, their content or a setting.
// Links are not among them: what they lead to is read by itself, or is outside of the repository.
func (h *unseenSearch) notParsed(families map[string]bool) ([]skippedFile, error) {
	if h.skips != nil {
		return h.skips, nil
	}
	h.skips = []skippedFile{}
	list, err := h.s.Index.Skipped()
	for _, k := range list {
		switch k.Problem {
		case code.ProblemSymlink, code.ProblemSubmodule, code.ProblemNestedRepo, code.ProblemSpecial:
			continue
		}
		f, ok, err := h.s.Index.FileByPath(k.Path)
		if err != nil {
			return nil, err
		}
		if !ok {
			f = code.File{Path: k.Path, Lang: lang.Detect(k.Path, nil), Problem: k.Problem}
		}
		if families[graph.Family(cmp.Or(f.Lang, lang.Detect(k.Path, nil)))] {
			h.skips = append(h.skips, skippedFile{f, string(k.Problem)})
		}
	}
	if err != nil {
		return nil, err
	}
	unlisted, more, err := h.s.Unlisted(h.ctx)
	for _, k := range unlisted {
		if l := lang.Detect(k.Path, nil); families[graph.Family(l)] {
			h.skips = append(h.skips, skippedFile{code.File{Path: k.Path, Lang: l, Problem: k.Problem}, string(k.Problem)})
		}
	}
	if more {
		h.doubt(UnseenUnread, tooManyIgnored, "", 0)
	}
	return h.skips, err
}

// unlistedBudget is the number of bytes of ignored files that are searched for names.
const unlistedBudget = 32 << 20

const tooManyIgnored = "more ignored files than are searched"

// scan searches texts for targets, as far as the budget goes.
func (h *unseenSearch) scan(targets []*namedTarget, files []code.File) error {
	n := 0
	for ; n < len(files); n++ {
		size := max(files[n].Stat.Size, 1)
		if h.found+size > h.budget {
			break
		}
		h.found += size
	}
	if n < len(files) {
		for _, f := range files[n:] {
			h.left += f.Stat.Size
		}
		h.doubt(UnseenUnread, plural(len(files)-n, "more file")+" that may name it, more than are searched", "", 0)
	}
	placed := map[int64]map[uint32]bool{}
	for i := range files[:n] {
		if f := &files[i]; f.ErrorBytes > 0 && f.Problem == code.ProblemNone {
			var err error
			if placed[f.ID], err = h.placed(f.ID, targets); err != nil {
				return err
			}
		}
	}
	edit := func(_ struct{}, t view.FileText) (out []textUse) {
		text := namedText{FileText: t, row: lang.Of(t.File.Lang), family: graph.Family(t.File.Lang), placed: placed[t.File.ID]}
		for _, w := range targets {
			out = append(out, w.uses(&text)...)
		}
		out = dropDoubtsOfWritten(out)
		if h.mentions != nil { // all targets have one name
			out = append(out, targets[0].inProse(&text)...)
		}
		return out
	}
	var tests []textUse
	for list, err := range view.Texts(h.ctx, h.s, files[:n], func() struct{} { return struct{}{} }, edit) {
		if err != nil {
			return err
		}
		for i := range list {
			u := &list[i]
			isRead, err := h.isRead(u)
			if err != nil {
				return err
			}
			if isRead {
				continue
			}
			if isOther, err := h.isOfOtherType(u); err != nil {
				return err
			} else if isOther {
				continue
			}
			if u.test != nil {
				if !slices.ContainsFunc(tests, u.isAt) {
					tests = append(tests, *u)
				}
				continue
			}
			if h.take(u); u.Doubt && h.budget <= settledBudget {
				return nil
			}
		}
	}
	return h.takeDocTests(targets, tests)
}

// takeDocTests adds the names of targets in blocks of code that are run as tests, without those that certainly mean something else. Those
// that mean a target, and keep doing so with the new name, are written with it.
func (h *unseenSearch) takeDocTests(targets []*namedTarget, tests []textUse) error {
	var syms []view.Symbol
	for _, w := range targets {
		syms = append(syms, *w.sym)
	}
	var uses []doctest.Use
	for i := range tests {
		u := &tests[i]
		uses = append(uses, doctest.Use{File: u.file, Path: u.Path, Name: u.name, At: u.at, Block: u.test})
	}
	questions := doctest.Questions{References: refs.ReferencesAndDropped, Overriding: refs.Overriding}
	meanings, err := questions.Meanings(h.ctx, h.s, syms, uses)
	for i, m := range meanings {
		if m == doctest.MeansOther {
			continue
		}
		u := &tests[i]
		u.written = m == doctest.MeansTarget && h.to != "" && !u.test.Contains(h.to)
		h.take(u)
	}
	return err
}

// dropDoubtsOfWritten drops the uses of a text that one target leaves in doubt where another is written.
func dropDoubtsOfWritten(list []textUse) []textUse {
	written := map[uint32]bool{}
	for i := range list {
		if list[i].written {
			written[list[i].at] = true
		}
	}
	if len(written) == 0 {
		return list
	}
	return slices.DeleteFunc(list, func(u textUse) bool { return !u.written && written[u.at] })
}

// includedDocs adds the blocks of code in Markdown that a comment in code includes, where such blocks are run as tests.
func (h *unseenSearch) includedDocs(targets []view.Symbol) error {
	for i := range targets {
		t := &targets[i]
		n, _ := h.s.Lookup.Node(t.Path)
		w := newNamedTarget(t, n)
		if !w.documented {
			continue
		}
		if err := h.openNames(); err != nil {
			return err
		}
		ids, _, err := h.names.Holding(t.Name, func(l code.Lang) bool { return lang.Of(l).Sort == lang.Prose })
		if err != nil {
			return err
		}
		for _, id := range ids[:min(len(ids), maxUnlinked)] {
			f, err := h.s.FileByID(id)
			if err != nil {
				return err
			}
			text, err := h.s.Text(h.ctx, f.Path)
			if err != nil {
				return err
			}
			for at := range nameOffsets(text, t.Name) {
				if !w.fitsCode(text, at) || !doctest.InFence(text[:lineStart(text, at)]) {
					continue
				}
				isIncluded, err := h.isIncludedDoc(f.Path, graph.Family(n.Lang))
				if err != nil {
					return err
				}
				if !isIncluded {
					break
				}
				h.doubt(UnseenText, lineText(text, at), f.Path, uint32(1+bytes.Count(text[:at], []byte("\n"))))
			}
		}
	}
	return nil
}

// includedDoc matches how code includes the text of a file in a comment.
const includedDoc = `(include_str|doctest)!\([^)]*"([^"]*\.\w+)"`

// isIncludedDoc reports whether code of a language family includes a text in its documentation.
func (h *unseenSearch) isIncludedDoc(p, family string) (bool, error) {
	if h.docs == nil {
		h.docs = []string{}
		ids, _, err := h.names.Holding("doc", func(l code.Lang) bool { return graph.Family(l) == family })
		if err != nil {
			return false, err
		}
		var files []code.File
		for _, id := range ids[:min(len(ids), maxUnlinked)] {
			f, err := h.s.FileByID(id)
			if err != nil {
				return false, err
			}
			files = append(files, f)
		}
		call := regexp.MustCompile(includedDoc)
		for m, err := range grep.Grep(h.ctx, h.s, view.GrepQuery{Regex: includedDoc, Only: files}) {
			if err != nil {
				return false, err
			}
			if found := call.FindStringSubmatch(m.Text); len(found) > 0 {
				h.docs = append(h.docs, path.Join(code.Dir(m.Path), found[2]))
			}
		}
	}
	return slices.ContainsFunc(h.docs, func(doc string) bool { return doc == p || path.Base(doc) == p }), nil
}

// isRead reports whether a name in a string is known: it is a reference, such as a type in quotes, or it is in a list of exports.
func (h *unseenSearch) isRead(u *textUse) (bool, error) {
	if u.Kind != UnseenString || u.file == 0 {
		return false, nil
	}
	t, err := h.s.Site(u.file)
	if err != nil || t.Packed == nil {
		return false, err
	}
	list, err := t.Packed.Refs(u.name)
	if err != nil || slices.ContainsFunc(list, func(r code.Ref) bool { return r.Start == u.at }) {
		return true, err
	}
	rows, err := h.s.Index.Symbols(u.file)
	if err != nil || slices.ContainsFunc(rows, func(row store.SymbolRow) bool { return row.NameStart == u.at }) {
		return true, err // it declares something else
	}
	exports, err := t.Packed.Exports()
	return slices.ContainsFunc(exports, func(e code.Export) bool {
		return e.Name == u.name && e.Line == u.Line
	}), err
}

// isOfOtherType reports whether the type in front of a name in code in a comment is one of the repository, and no other name of a type.
func (h *unseenSearch) isOfOtherType(u *textUse) (bool, error) {
	if u.owner == "" || u.owner == standardOwner {
		return u.owner != "", nil
	}
	rows, err := h.s.SymbolsNamed(u.owner)
	isAlias := func(row store.SymbolRow) bool {
		return row.Kind == code.KindType || row.Kind == code.KindTrait || row.Kind == code.KindModule || row.Kind == code.KindMacro
	}
	isType := func(row store.SymbolRow) bool { return row.Kind.IsType() }
	return slices.ContainsFunc(rows, isType) && !slices.ContainsFunc(rows, isAlias), err
}

// placed returns the offsets at which a file that was parsed in part has the name of a target as a declaration, or as a reference to a
// known one. That a reference in it means nothing of the repository is no proof if what is nearer to it decides that.
func (h *unseenSearch) placed(file int64, targets []*namedTarget) (map[uint32]bool, error) {
	out := map[uint32]bool{}
	t, err := h.s.Site(file)
	if err != nil || t.Packed == nil {
		return out, err
	}
	rows, err := h.s.Index.Symbols(file)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		out[rows[i].NameStart] = true
	}
	for _, w := range targets {
		list, err := t.Packed.Refs(w.name)
		if err != nil {
			return nil, err
		}
		named, err := h.s.NameDefinitions(w.name)
		if err != nil {
			return nil, err
		}
		for i := range list {
			b, _ := view.BindExactly(named.Binder, t, &list[i])
			isLocal := b.Reason == bind.Shadowed || b.Reason == bind.NotVisible || b.Reason == bind.NotMember || b.Reason == bind.NoReason
			out[list[i].Start] = len(b.Defs) > 0 || !isLocal
		}
	}
	return out, nil
}

// searched returns the share of the texts with the name that were searched.
func (h *unseenSearch) searched() float64 {
	if h.left == 0 {
		return 1
	}
	return float64(h.found) / float64(h.found+h.left)
}

// searchAll searches files for calls that find members by a computed name, which can be that of a target.
func (h *unseenSearch) searchAll(targets []view.Symbol, files []code.File) error {
	list := make([]*namedTarget, 0, len(targets))
	for i := range targets {
		n, _ := h.s.Lookup.Node(targets[i].Path)
		w := newNamedTarget(&targets[i], n)
		w.everywhere, w.unrelated = true, h.otherOwner(&targets[i], n)
		list = append(list, w)
	}
	return h.scan(list, files)
}

// searchFile finds the places where code may get at a file without a known import: strings that are its name or that of a declaration
// in it, and code that could not be parsed and holds one of these names.
func (h *unseenSearch) searchFile(n graph.Node, stem string, families map[string]bool) error {
	files, err := h.filesWith([]string{stem}, families)
	if err != nil {
		return err
	}
	quoted := "[\"'`]"
	pattern := `["'` + "`" + `/.]` + regexp.QuoteMeta(stem) + `(\.[a-z]+)?` + quoted
	sure := regexp.MustCompile(`[/.]` + regexp.QuoteMeta(stem) + `(\.[a-z]+)?` + quoted + `|` + regexp.QuoteMeta(stem) + `\.[a-z]+` + quoted)
	reflects := regexp.MustCompile(cmp.Or(lang.FamilyReflection(graph.Family(n.Lang)).Pattern, `[^\s\S]`))
	for m, err := range grep.Grep(h.ctx, h.s, view.GrepQuery{Regex: pattern, Only: files}) {
		if err != nil {
			return err
		}
		t, ok := h.s.Lookup.Node(m.Path)
		isImport := false
		if ok {
			if isImport, err = h.isResolvedImport(t.ID, m.Line); err != nil {
				return err
			}
		}
		if isImport || m.Path == n.Path {
			continue
		}
		isName := isCompound(stem) || sure.MatchString(m.Text)
		if !isName {
			text, err := h.s.Text(h.ctx, m.Path)
			if err != nil {
				return err
			}
			isName = reflects.Match(text)
		}
		h.add(UnseenUse{UnseenDynamic, strings.TrimSpace(m.Text), m.Path, m.Line, isName})
	}
	if err := h.searchUnread([]string{stem}, families); err != nil {
		return err
	}
	names := []*namedTarget{newNamedTarget(&view.Symbol{Symbol: code.Symbol{Name: stem, Qualified: stem}, Path: n.Path}, n)}
	isLost := func(f *code.File) bool { return f.ErrorBytes > 0 && families[graph.Family(f.Lang)] }
	had := len(h.list)
	err = h.scan(names, slices.DeleteFunc(files, func(f code.File) bool { return !isLost(&f) }))
	h.list = append(h.list[:had], slices.DeleteFunc(h.list[had:], func(u UnseenUse) bool { return u.Kind != UnseenUnread })...)
	return err
}

// maxDeclared is the number of declarations of a file whose names are looked for.
const maxDeclared = 200

// searchDeclared finds the uses of the declarations of a file that leave no reference.
func (h *unseenSearch) searchDeclared(n graph.Node, families map[string]bool) error {
	rows, err := h.s.Index.Symbols(n.ID)
	if err != nil {
		return err
	}
	var list []view.Symbol
	for i := range rows {
		isValue := !rows[i].Kind.IsFunction() && !rows[i].Kind.IsType()
		if rows[i].Kind.IsText() || isValue && rows[i].Parent >= 0 {
			continue
		}
		rows[i].Path = n.Path
		sym := view.RowSymbol(&rows[i])
		if err := h.decorators(&sym, ownMarks(&sym)); err != nil {
			return err
		}
		list = append(list, sym)
	}
	if len(list) == 0 {
		return nil
	}
	if len(list) > maxDeclared {
		h.doubt(UnseenUnread, plural(len(list)-maxDeclared, "more declaration")+" whose names are not searched for", "", 0)
		list = list[:maxDeclared]
	}
	for _, step := range []func() error{
		func() error { return h.undecidedUses(n, list) },
		func() error { return h.unreadLanguages(list, families) },
		func() error { return h.searchTexts(list, families) },
	} {
		if err := step(); err != nil || h.hasDoubt() && h.budget <= settledBudget {
			return err
		}
	}
	return nil
}

// maxUsers is the number of files with a name whose uses are bound to say what depends on the file that declares it.
const maxUsers = 200

// undecidedUses adds the uses, outside of a file, of names that it declares and that may mean its declarations.
func (h *unseenSearch) undecidedUses(n graph.Node, declared []view.Symbol) error {
	var list []view.Symbol
	for i := range declared {
		count, err := h.s.Index.NameCount(declared[i].Name)
		switch {
		case err != nil:
			return err
		case count.Files > maxUsers && declared[i].Symbol.Container() != "":
			h.doubt(UnseenPossible, plural(count.Files, "file")+" with the name "+declared[i].Name, "", 0)
		case count.Files <= maxUsers:
			list = append(list, declared[i])
		}
	}
	found, err := refs.References(h.ctx, h.s, list)
	for i := range found.List {
		if r := &found.List[i]; r.Path != n.Path && r.Confidence <= code.UniqueName {
			h.doubt(UnseenPossible, r.Kind.String()+" of "+r.Target.Name+", "+r.Verdict(), r.Path, r.Line)
		}
	}
	return err
}

// isResolvedImport reports whether a line of a file is an import of which it is known where it leads.
func (h *unseenSearch) isResolvedImport(file int64, line uint32) (bool, error) {
	t, err := h.s.Site(file)
	if err != nil {
		return false, err
	}
	for i := range t.Imports[:min(len(t.Imports), len(t.Links))] {
		if t.Imports[i].Line == line && t.Links[i].IsResolved() {
			return true, nil
		}
	}
	return false, nil
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
