// Package unused gathers the evidence that nothing uses a symbol or file: how much
// of the code that could use it was resolved, and the ways in which a use could
// leave no reference. Its neighbour is ask/refs, which finds the references.
package unused

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"ken/internal/ask/grep"
	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// Absence is the evidence that nothing uses a symbol or file: how much of the code that
// could use it was resolved, and the ways in which a use could escape notice.
type Absence struct {
	// Share (0–1) is the part of that code that was resolved: the share of files in
	// languages that can name the targets that were read whole, times, for a symbol, the
	// share of references of its name that mean something else, for a file, the share of
	// imports of the repository that were resolved.
	Share        float64
	Files, Whole int // files in such languages, and those read whole
	Named        int // references of the name, or imports
	Decided      int
	UnseenUses   []UnseenUse // by kind, path, line
	// Searched is the share (0–1) of the repository's bytes in which names in
	// strings were searched; see nearest.
	Searched float64
	bytes    int64 // of all indexed files
}

// Conclusive reports whether it is proven that nothing in the repository uses the symbol or file.
func (a *Absence) Conclusive() bool {
	return !slices.ContainsFunc(a.UnseenUses, func(u UnseenUse) bool { return isDoubt(u.Kind) })
}

// HasUnseenUses reports whether it may be used in ways that leave no reference. That the language, a test runner or the system
// calls it counts as none.
func (a *Absence) HasUnseenUses() bool {
	return slices.ContainsFunc(a.UnseenUses, func(u UnseenUse) bool { return u.Kind != UnseenEntry })
}

// UnseenUse is a possible use that leaves no reference by the name.
type UnseenUse struct {
	Kind   string // one of the Unseen constants
	Detail string // the finding
	Path   string // "" if it has no place
	Line   uint32
}

// The kinds of unseen uses.
const (
	UnseenDecorated  = "decorated"  // a decorator, annotation or attribute may register it
	UnseenDynamic    = "dynamic"    // the file is imported by a name made at run time
	UnseenEntry      = "entry"      // the language, a test runner or the system calls it
	UnseenExported   = "exported"   // code outside the repository may use it
	UnseenInterface  = "interface"  // it may be called through an interface that has such a method
	UnseenOverride   = "override"   // it may be called through a type it inherits from
	UnseenReflection = "reflection" // the repository finds members by name at run time
	UnseenString     = "string"     // its name is in a string
	UnseenValue      = "value"      // it is used other than asked for: passed, assigned, compared
)

// maxUnseen is the number of possible uses listed of one kind.
const maxUnseen = 5

// Symbols returns the evidence for "no references to targets". refs is the answer of refs.References for them. It returns an error if
// the index or the searched files cannot be read or ctx ends.
func Symbols(ctx context.Context, s *view.Snapshot, targets []view.Symbol, refs *view.References) (Absence, error) {
	a := Absence{Named: refs.Named, Decided: refs.SettledCount()}
	families := families(s, targets)
	h := unseenSearch{s: s, ctx: ctx}
	if err := h.coverage(families, &a); err != nil {
		return a, err
	}
	for i := range targets {
		n, _ := s.Lookup.Node(targets[i].Path)
		if err := h.searchIndex(&targets[i], n); err != nil {
			return a, err
		}
	}
	for i := range refs.List {
		r := &refs.List[i]
		kind := UnseenPossible
		if !r.Kind.IsStored() { // an import, which is not among the references that were counted
			a.Named++
		}
		if r.Confidence > code.UniqueName {
			kind = UnseenValue
			a.Decided++
		}
		h.add(kind, r.Kind.String()+", "+r.Verdict(), r.Path, r.Line)
	}
	if !refs.IsProven() {
		h.add(UnseenPossible, "uses of the name that nothing decides", "", 0)
	}
	h.addUnread(&a)
	if err := h.addDoubts(targets, families); err != nil {
		return a, err
	}
	if err := h.searchText(targets, families, &a); err != nil {
		return a, err
	}
	a.UnseenUses = h.sort()
	a.Share = share(a.Whole, a.Files) * share(a.Decided, a.Named)
	return a, s.Lookup.Err
}

// entryStems are names of files that are run, or read by a tool, by convention.
var entryStems = map[string]bool{"main": true, "index": true, "__main__": true, "setup": true, "conftest": true}

// File returns the evidence for "nothing depends on this file". It returns errors as Symbols does.
func File(ctx context.Context, s *view.Snapshot, p string) (Absence, error) {
	n, _ := s.Lookup.Node(p)
	a := Absence{}
	h := unseenSearch{s: s, ctx: ctx}
	if err := h.coverage(map[string]bool{graph.Family(n.Lang): true}, &a); err != nil {
		return a, err
	}
	imports, unresolved, err := s.Index.ImportSums()
	if err != nil {
		return a, err
	}
	a.Named, a.Decided = imports, imports-unresolved
	a.Share = share(a.Whole, a.Files) * share(a.Decided, a.Named)
	base := path.Base(p)
	switch stem := strings.TrimSuffix(base, path.Ext(base)); {
	case n.Test:
		h.add(UnseenEntry, "a test", p, 0)
	case entryStems[stem] || n.Package == "main":
		h.add(UnseenEntry, "a place where programs begin", p, 0)
	}
	stem := strings.TrimSuffix(base, path.Ext(base))
	near, err := h.nearest(p, &a)
	if err != nil {
		return a, err
	}
	h.addUnread(&a)
	if err := h.doubtsOfFile(n, stem, unresolved > 0); err != nil {
		return a, err
	}
	if err := h.grep(UnseenDynamic, `["'`+"`"+`/.]`+regexp.QuoteMeta(stem)+`(\.[a-z]+)?["'`+"`"+`]`, near); err != nil {
		return a, err
	}
	a.UnseenUses = h.sort()
	return a, s.Lookup.Err
}

// share returns part divided by whole, or 1 if whole is 0.
func share(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

func families(s *view.Snapshot, targets []view.Symbol) map[string]bool {
	out := map[string]bool{}
	for i := range targets {
		n, _ := s.Lookup.Node(targets[i].Path)
		out[graph.Family(n.Lang)] = true
	}
	return out
}

// coverage counts the files of some families of related languages, and how many of them were read completely.
func (h *unseenSearch) coverage(families map[string]bool, a *Absence) error {
	s := h.s
	counts, err := s.Languages()
	if err != nil {
		return err
	}
	for _, c := range counts {
		a.bytes += c.Bytes
		if families[graph.Family(c.Lang)] {
			a.Files += c.Files
			if c.Problem == code.ProblemNone {
				a.Whole += c.Files
			}
		}
	}
	skipped, err := s.Index.Skipped()
	for _, k := range skipped {
		if k.Problem == code.ProblemExcluded || !families[graph.Family(lang.Detect(k.Path, nil))] {
			continue
		}
		if id, err := s.Index.FileID(k.Path); err != nil {
			return err
		} else if id == 0 { // not listed, so not counted above
			a.Files++
		}
	}
	return err
}

// unseenSearch collects the unseen uses of symbols or a file.
type unseenSearch struct {
	s    *view.Snapshot
	ctx  context.Context
	list []UnseenUse

	names *grep.NameFiles // nil until it is needed
}

func (h *unseenSearch) add(kind, detail, path string, line uint32) {
	n := 0
	for _, x := range h.list {
		if x.Kind == kind {
			n++
		}
		if x == (UnseenUse{kind, detail, path, line}) {
			return
		}
	}
	if n < maxUnseen {
		h.list = append(h.list, UnseenUse{kind, detail, path, line})
	}
}

func (h *unseenSearch) sort() []UnseenUse {
	slices.SortFunc(h.list, func(a, b UnseenUse) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Detail, b.Detail))
	})
	return h.list
}

// searchIndex finds the unseen uses of one symbol that the index shows.
func (h *unseenSearch) searchIndex(t *view.Symbol, n graph.Node) error {
	if why := entryPoint(t, n); why != "" {
		h.add(UnseenEntry, why, t.Path, t.Span.Line)
	}
	isInternal := lang.Of(n.Lang).InternalDirs && strings.Contains("/"+n.Path, "/internal/")
	isProgram := n.Test || n.Package == "main"
	if t.Exported && !isProgram && !isInternal {
		h.add(UnseenExported, "visible outside the repository", t.Path, t.Span.Line)
	}
	if err := h.decorators(t); err != nil {
		return err
	}
	if !t.Kind.IsFunction() || t.Symbol.Container() == "" {
		return nil
	}
	if err := h.interfaces(t, n); err != nil {
		return err
	}
	return h.overrides(t, n)
}

// entryPoint returns the system that calls a function without naming it, such as a test runner, or "" if there is none.
func entryPoint(t *view.Symbol, n graph.Node) string {
	inner := t.Symbol.Container() != ""
	row := lang.Of(n.Lang)
	prefixes := []string{"Test", "Benchmark", "Fuzz", "Example", "test"}
	hasTestPrefix := slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(t.Name, p) })
	switch {
	case !t.Kind.IsFunction():
	case t.Name == "main" && (!inner || row.EntryInType):
		return "the program begins here"
	case slices.Contains(row.LoadFunctions, t.Name) && !inner:
		return "run when the package is loaded"
	case n.Test && (hasTestPrefix || t.Name == "setUp" || t.Name == "tearDown"):
		return "run by the test runner"
	case row.DunderMethods && (strings.HasPrefix(t.Name, "__") && strings.HasSuffix(t.Name, "__")):
		return "called by the language itself"
	case t.Kind == code.KindConstructor:
		return "called where an object is made"
	}
	return ""
}

// decorators finds the decorators and annotations of a symbol: those inside its
// declaration above its members, and those between it and what comes before.
func (h *unseenSearch) decorators(t *view.Symbol) error {
	home, err := h.s.Site(code.UnpackSymbolID(t.ID).File)
	if err != nil || home.Packed == nil {
		return err
	}
	refs, err := home.Packed.AllRefs()
	if err != nil {
		return err
	}
	rows, err := h.s.Index.Symbols(home.Node.ID)
	if err != nil {
		return err
	}
	ord := code.UnpackSymbolID(t.ID).Ord
	for i := range refs {
		r := &refs[i]
		if r.Kind != code.RefDecorate || r.Scope != ord && r.Scope != t.Parent {
			continue
		}
		next := int32(-1) // the first symbol that begins after the decorator
		for k := range rows {
			if rows[k].Span.Start > r.Start && (next < 0 || rows[k].Span.Start < rows[next].Span.Start) {
				next = int32(k)
			}
		}
		if r.Scope == ord || next == ord {
			h.add(UnseenDecorated, r.Name, t.Path, r.Line)
		}
	}
	return nil
}

// interfaces finds methods of interfaces with a method's name and number of parameters.
func (h *unseenSearch) interfaces(t *view.Symbol, n graph.Node) error {
	rows, err := h.s.Index.SymbolsNamed(t.Name)
	if err != nil {
		return err
	}
	var same []store.SymbolRow
	for _, row := range rows {
		if row.Parent < 0 || row.ID().Pack() == t.ID {
			continue
		}
		other, _ := h.s.Lookup.NodeByID(row.FileID)
		up, ok, err := h.s.Index.Symbol(code.SymbolID{File: row.FileID, Ord: row.Parent})
		if err != nil {
			return err
		}
		if ok && graph.Family(other.Lang) == graph.Family(n.Lang) && (up.Kind == code.KindInterface || up.Kind == code.KindTrait) {
			same = append(same, row)
		}
		if len(same) == 8*maxUnseen {
			break
		}
	}
	details, err := h.s.Detail(same)
	if err != nil {
		return err
	}
	id := code.UnpackSymbolID(t.ID)
	own, err := h.s.Detail([]store.SymbolRow{{Symbol: t.Symbol, FileID: id.File, Ord: id.Ord, Path: t.Path}})
	if err != nil {
		return err
	}
	for i := range details {
		if d := &details[i]; len(d.Params) == len(own[0].Params) {
			h.add(UnseenInterface, d.Qualified, d.Path, d.Span.Line)
		}
	}
	return nil
}

// overrides finds the inherited members that a method overrides.
func (h *unseenSearch) overrides(t *view.Symbol, n graph.Node) error {
	above, _ := h.s.Binding().Overridden(n, code.UnpackSymbolID(t.ID).Ord, t.Symbol.Container(), t.Name)
	for _, d := range above {
		at, ok, err := h.s.Index.Symbol(code.SymbolID{File: d.File.ID, Ord: d.Ord})
		if err != nil {
			return err
		}
		if ok {
			h.add(UnseenOverride, at.Qualified, d.File.Path, at.Span.Line)
		}
	}
	return nil
}

// maxReflecting is the number of files of one language family that are searched for reflection.
const maxReflecting = 16

// searchText finds names in strings and reflection, which are only in the text.
func (h *unseenSearch) searchText(targets []view.Symbol, families map[string]bool, a *Absence) error {
	names := map[string]string{} // and where one is declared
	for i := range targets {
		names[targets[i].Name] = targets[i].Path
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		near, err := h.nearest(names[name], a)
		if err != nil {
			return err
		}
		if err := h.grep(UnseenString, `["'`+"`"+`]`+regexp.QuoteMeta(name)+`["'`+"`"+`]`, near); err != nil {
			return err
		}
	}
	for _, f := range slices.Sorted(maps.Keys(families)) {
		if lang.FamilyReflection(f).Pattern == "" {
			continue
		}
		files, err := h.reflecting(f)
		if err == nil && len(files) == 0 { // builtins are no references in some languages
			files, err = h.nearest(targets[0].Path, a)
		}
		if err != nil {
			return err
		}
		if err := h.grep(UnseenReflection, lang.FamilyReflection(f).Pattern, files, f); err != nil {
			return err
		}
	}
	return nil
}

// reflecting returns the first files of a language family that call functions of reflection.
func (h *unseenSearch) reflecting(family string) ([]code.File, error) {
	seen := map[int64]bool{}
	for _, name := range lang.FamilyReflection(family).Names {
		ids, err := h.s.Index.Referrers(name)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			if n, ok := h.s.Lookup.NodeByID(id); ok && graph.Family(n.Lang) == family {
				seen[id] = true
			}
			if len(seen) == 4*maxReflecting {
				break
			}
		}
	}
	files := []code.File{}
	for _, id := range slices.Sorted(maps.Keys(seen)) {
		f, err := h.s.FileByID(id)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	slices.SortFunc(files, func(x, y code.File) int { return strings.Compare(x.Path, y.Path) })
	return files[:min(len(files), maxReflecting)], nil
}

// maxAround bounds the text that is searched for a name in strings, in bytes: it takes
// as long as the check of the tree that runs meanwhile. Of a larger repository only the
// files nearest to p are searched: those of its directory, then those of the directories
// above.
const maxAround = 4 << 20

// nearest returns the files to search for a name declared in p; nil means all. It
// records their share of the repository.
func (h *unseenSearch) nearest(p string, a *Absence) ([]code.File, error) {
	if a.Searched = 1; a.bytes <= maxAround {
		return nil, nil
	}
	files, sum := []code.File{}, int64(0)
	for dir := code.Dir(p); ; dir = code.Dir(dir) {
		list, err := h.s.Index.FilesIn(dir)
		if err != nil {
			return nil, err
		}
		slices.SortFunc(list, func(x, y code.File) int { return strings.Compare(x.Path, y.Path) })
		for _, f := range list {
			if f.Problem == "" && sum+f.Stat.Size <= maxAround {
				files, sum = append(files, f), sum+f.Stat.Size
			}
		}
		if dir == "" {
			break
		}
	}
	a.Searched = float64(sum) / float64(a.bytes)
	return files, nil
}

// grep adds the first places a pattern matches, in the given files or in all,
// of the given families or of any.
func (h *unseenSearch) grep(kind, pattern string, only []code.File, family ...string) error {
	n := 0
	for m, err := range grep.Grep(h.ctx, h.s, view.GrepQuery{Regex: pattern, Only: only}) {
		if err != nil {
			return fmt.Errorf("look for what may escape: %w", err)
		}
		if node, _ := h.s.Lookup.Node(m.Path); len(family) > 0 && !slices.Contains(family, graph.Family(node.Lang)) {
			continue
		}
		h.add(kind, strings.TrimSpace(m.Text), m.Path, m.Line)
		if n++; n == maxUnseen {
			break
		}
	}
	return nil
}
