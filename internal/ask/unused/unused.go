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
	"slices"
	"strings"

	"ken/internal/ask/grep"
	"ken/internal/ask/refs"
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
	// languages that can name the targets that were read whole or hold no use where they
	// were not, times, for a symbol, the share of references of its name that mean
	// something else, for a file, the share of imports of the repository that were
	// resolved. It is less than 1 unless the verdict is None.
	Share        float64
	Files, Whole int // files in such languages, and those that were read as Share says
	Named        int // references of the name, or imports
	Decided      int
	UnseenUses   []UnseenUse // doubts first, then by kind, path, line
	// Searched is the share (0–1) of the texts with the name in which it was
	// searched in strings.
	Searched float64
}

// Verdict is the answer to "does nothing use it".
type Verdict string

// The verdicts.
const (
	None         Verdict = "none"           // it is proven that nothing in the repository uses it
	CouldNotTell Verdict = "could_not_tell" // a use may be where it is not seen
)

// Verdict returns None if no unseen use is a doubt. Every answer that claims that there is
// no use, or no further one, asks it or FirstDoubt, which applies the same doubts.
func (a *Absence) Verdict() Verdict {
	if len(a.UnseenUses) > 0 && a.UnseenUses[0].Doubt {
		return CouldNotTell
	}
	return None
}

// Doubted returns the evidence for a list of uses that is complete if doubt is nil, and may not be otherwise.
func Doubted(doubt *UnseenUse) *Absence {
	if doubt == nil {
		return &Absence{Share: 1}
	}
	return &Absence{UnseenUses: []UnseenUse{*doubt}}
}

// Reason returns the first doubt in words, "" if there is none.
func (a *Absence) Reason() string {
	if a.Conclusive() {
		return ""
	}
	u := &a.UnseenUses[0]
	why := cmp.Or(u.Detail, u.Kind)
	switch {
	case u.Line > 0:
		why += fmt.Sprintf(" (%s:%d)", u.Path, u.Line)
	case u.Path != "":
		why += " (" + u.Path + ")"
	}
	return why
}

// HasUnseenUses reports whether it may be used in ways that leave no reference.
func (a *Absence) HasUnseenUses() bool { return len(a.UnseenUses) > 0 }

// Conclusive reports whether the verdict is None.
func (a *Absence) Conclusive() bool { return a.Verdict() == None }

// Exported reports whether code outside the repository can use it.
func (a *Absence) Exported() bool {
	return slices.ContainsFunc(a.UnseenUses, func(u UnseenUse) bool { return u.Kind == UnseenExported })
}

// UnseenUse is a possible use that leaves no reference by the name.
type UnseenUse struct {
	Kind   string // one of the Unseen constants
	Detail string // the finding
	Path   string // "" if it has no place
	Line   uint32
	// Doubt is set if it leaves "nothing uses it" unproven. The others are hints.
	Doubt bool
}

// The kinds of unseen uses.
const (
	UnseenDecorated  = "decorated"  // a decorator, annotation or attribute may register it
	UnseenDynamic    = "dynamic"    // the file is imported by a name made at run time
	UnseenEntry      = "entry"      // the language, a test runner or the system calls it
	UnseenExported   = "exported"   // code outside the repository may use it
	UnseenMention    = "mention"    // its name is in prose
	UnseenInterface  = "interface"  // it may be called through an interface that has such a method
	UnseenOutside    = "outside"    // it may override a member of a type outside the repository
	UnseenOverride   = "override"   // it may be called through a member that it overrides or implements
	UnseenPossible   = "possible"   // an undecided use of the name
	UnseenReflection = "reflection" // the repository finds members by name at run time
	UnseenString     = "string"     // its name is in a string or in data
	UnseenText       = "text"       // its name is in a file of a language whose uses are not read
	UnseenTwin       = "twin"       // another declaration stands for it, such as its expect or that for another system
	UnseenUnread     = "unread"     // files that could use it were not read whole
	UnseenValue      = "value"      // it is used other than asked for: passed, assigned, compared
)

// maxUnseen is the number of possible uses listed of one kind.
const maxUnseen = 5

// FirstDoubt returns a reason why the list of the references of targets may be incomplete, or nil if it is proven which definition every
// use of their names in the repository means. found is the answer of refs.References for them. Cheap doubts are looked for first. It
// returns an error if the index or the searched files cannot be read or ctx ends.
func FirstDoubt(ctx context.Context, s *view.Snapshot, targets []view.Symbol, found *view.References) (*UnseenUse, error) {
	if len(targets) == 0 || found.ResolvedShare < 1 || !found.IsProven() {
		return &UnseenUse{Kind: UnseenPossible, Detail: undecided, Doubt: true}, nil
	}
	h := unseenSearch{s: s, ctx: ctx, budget: settledBudget}
	called := func() error { return h.calledByLanguage(targets) }
	return h.first(append([]func() error{called}, h.unreadSteps(targets, families(s, targets))...))
}

// calledByLanguage adds that the language calls one of some declarations, for which it writes no name.
func (h *unseenSearch) calledByLanguage(targets []view.Symbol) error {
	for i := range targets {
		n, _ := h.s.Lookup.Node(targets[i].Path)
		if err := h.entryPoint(&targets[i], n); err != nil || targets[i].Kind == code.KindConstructor {
			h.list = nil
			return err
		}
	}
	return nil
}

// Named lists the places that name declarations and are no references.
type Named struct {
	Written  []Written   // what must change with the name
	Doubts   []UnseenUse // what may break if the name changes, a few of each kind
	Mentions []UnseenUse // comments and documents, the first ones; they may become wrong and break nothing
	Total    int         // of the mentions
}

// Written is a place that is no reference and names a declaration in a way that can mean nothing else: a list of declarations that a tool
// makes, a comment that a tool follows by whole names, the name of what a file is loaded for. A rename changes it, too.
type Written struct {
	Path  string
	Kind  string // one of the Unseen constants
	Line  uint32
	Start uint32 // first byte of the name
}

// Unread returns the places that name targets and are no references, for a change of the name to another one. It returns an error if the
// index or the searched files cannot be read or ctx ends.
func Unread(ctx context.Context, s *view.Snapshot, targets []view.Symbol, to string) (Named, error) {
	h := unseenSearch{s: s, ctx: ctx, budget: absenceBudget, mentions: &Named{}, to: to}
	families := families(s, targets)
	for _, step := range []func() error{
		func() error { return h.calledInstead(targets, to) },
		func() error { return h.leftOut(targets) },
		func() error { return h.examples(targets) },
		func() error { return h.renamedTypes(targets) },
		func() error { return h.unreadLanguages(targets, families) },
		func() error { return h.includedDocs(targets) },
		func() error { return h.fields(targets) },
		func() error { return h.searchTexts(targets, families) },
		func() error { return h.searchProse(targets) },
	} {
		if err := step(); err != nil {
			return Named{}, err
		}
	}
	out := h.mentions
	out.Doubts = slices.DeleteFunc(h.sort(), func(u UnseenUse) bool { return !u.Doubt })
	had := len(out.Mentions)
	out.Mentions = slices.DeleteFunc(out.Mentions, func(m UnseenUse) bool { // a doc test is in a comment or document, too
		return slices.ContainsFunc(out.Doubts, func(u UnseenUse) bool { return u.Path == m.Path && u.Line == m.Line }) ||
			slices.ContainsFunc(out.Written, func(w Written) bool { return w.Path == m.Path && w.Line == m.Line })
	})
	out.Total -= had - len(out.Mentions)
	slices.SortStableFunc(out.Mentions, func(a, b UnseenUse) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line)) })
	return *out, h.s.Lookup.Err
}

// calledInstead adds that the language or a test runner calls declarations, unless it calls them by another name, too.
func (h *unseenSearch) calledInstead(targets []view.Symbol, name string) error {
	targets = slices.DeleteFunc(slices.Clone(targets), func(t view.Symbol) bool { // found by what its methods are marked with
		n, _ := h.s.Lookup.Node(t.Path)
		return t.Kind.IsType() && lang.Of(n.Lang).MarkedTests
	})
	renamed := slices.Clone(targets)
	for i := range renamed {
		renamed[i].Name = name
	}
	if err := h.calledByLanguage(renamed); err != nil || len(h.list) > 0 {
		h.list = nil
		return err
	}
	return h.calledByLanguage(targets)
}

// first returns the first doubt that some searches find, nil if there is none.
func (h *unseenSearch) first(steps []func() error) (*UnseenUse, error) {
	for _, step := range steps {
		err := step()
		if i := slices.IndexFunc(h.list, func(u UnseenUse) bool { return u.Doubt }); i >= 0 {
			return &h.list[i], err
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, h.s.Lookup.Err
}

const undecided = "uses of the name that nothing decides"

// unreadSteps returns the searches for uses in text that was not read as references, the
// cheapest first.
func (h *unseenSearch) unreadSteps(targets []view.Symbol, families map[string]bool) []func() error {
	return []func() error{
		func() error { return h.leftOut(targets) },
		func() error { return h.outsideBases(targets) },
		func() error { return h.renamedTypes(targets) },
		func() error { return h.pasted(targets) },
		func() error { return h.unreadLanguages(targets, families) },
		func() error { return h.includedDocs(targets) },
		func() error { return h.searchTexts(targets, families) },
	}
}

// Symbols returns the evidence for "no references to targets". found is the answer of refs.References for them. answers reports whether a
// kind of reference is one of those asked for; nil stands for all. References of other kinds are hints. It returns an error if the index
// or the searched files cannot be read or ctx ends.
func Symbols(
	ctx context.Context, s *view.Snapshot, targets []view.Symbol, found *view.References, answers func(code.RefKind) bool,
) (Absence, error) {
	a := Absence{Named: found.Named, Decided: found.SettledCount(), Searched: 1}
	families := families(s, targets)
	h := unseenSearch{s: s, ctx: ctx, budget: absenceBudget}
	for i := range targets {
		n, _ := s.Lookup.Node(targets[i].Path)
		if err := h.searchIndex(&targets[i], n); err != nil {
			return a, err
		}
	}
	for i := range found.List {
		r := &found.List[i]
		kind := UnseenPossible
		if !r.Kind.IsStored() { // an import, which is not among the references that were counted
			a.Named++
		}
		if r.Confidence > code.UniqueName {
			kind = UnseenValue
			a.Decided++
		}
		h.add(UnseenUse{kind, r.Kind.String() + ", " + r.Verdict(), r.Path, r.Line, answers == nil || answers(r.Kind)})
	}
	if !found.IsProven() {
		h.doubt(UnseenPossible, undecided, "", 0)
	}
	steps := append(h.unreadSteps(targets, families),
		func() error { return h.reflection(targets, families) }, func() error { return h.unnamedUses(targets) })
	for _, step := range steps {
		if err := step(); err != nil {
			return a, err
		}
	}
	err := h.finish(families, &a)
	return a, err
}

// finish counts the files that were read, and fills the list of unseen uses and the share.
func (h *unseenSearch) finish(families map[string]bool, a *Absence) error {
	if err := h.coverage(families, a); err != nil {
		return err
	}
	a.UnseenUses = h.sort()
	a.Searched = min(a.Searched, h.searched())
	if a.Share = share(a.Whole, a.Files) * share(a.Decided, a.Named); a.Verdict() == CouldNotTell {
		a.Share = min(a.Share, AlmostAll)
	}
	return h.s.Lookup.Err
}

// AlmostAll is the largest share of an answer that is not proven, so that no reader of the
// share alone takes it for proven.
const AlmostAll = 0.99

// entryStems are names of files that are run, or read by a tool, by convention.
var entryStems = map[string]bool{"main": true, "index": true, "__main__": true, "setup": true, "conftest": true}

// File returns the evidence for "nothing depends on this file". It returns errors as Symbols does.
func File(ctx context.Context, s *view.Snapshot, p string) (Absence, error) {
	n, _ := s.Lookup.Node(p)
	a := Absence{Searched: 1}
	h := unseenSearch{s: s, ctx: ctx, budget: absenceBudget}
	imports, unresolved, err := s.Index.ImportSums()
	if err != nil {
		return a, err
	}
	a.Named, a.Decided = imports, imports-unresolved
	switch {
	case n.Test:
		h.doubt(UnseenEntry, "a test", p, 0)
	case entryStems[stem(p)] || n.Package == "main":
		h.doubt(UnseenEntry, "a place where programs begin", p, 0)
	case h.offers(n):
		h.hint(UnseenExported, "it declares what is visible outside the repository", p, 0)
	}
	for _, step := range h.fileSteps(n) {
		if err := step(); err != nil {
			return a, err
		}
	}
	err = h.finish(map[string]bool{graph.Family(n.Lang): true}, &a)
	return a, err
}

// Proven reports whether it is proven that nothing uses a file or symbols; found is the answer of refs.References for symbols. It returns
// errors as Symbols does.
func Proven(ctx context.Context, s *view.Snapshot, t view.Target, found *view.References) (bool, error) {
	if t.File != "" {
		a, err := File(ctx, s, t.File)
		return a.Conclusive(), err
	}
	a, err := Symbols(ctx, s, t.Symbols, found, nil)
	return a.Conclusive(), err
}

// FirstFileDoubt returns a reason why the list of the dependents of a file may be incomplete, or nil if it is proven to be complete. It
// returns errors as Symbols does.
func FirstFileDoubt(ctx context.Context, s *view.Snapshot, p string) (*UnseenUse, error) {
	n, _ := s.Lookup.Node(p)
	h := unseenSearch{s: s, ctx: ctx, budget: settledBudget}
	return h.first(h.fileSteps(n))
}

func stem(p string) string { return strings.TrimSuffix(path.Base(p), path.Ext(p)) }

// offers reports whether code outside the repository can use a declaration of a file.
func (h *unseenSearch) offers(n graph.Node) bool {
	rows, err := h.s.Index.Symbols(n.ID)
	return err == nil && slices.ContainsFunc(rows, func(r store.SymbolRow) bool { return !r.Kind.IsText() && isPublic(r.Exported, n) })
}

// isPublic reports whether code outside the repository can use an exported declaration of a file.
func isPublic(exported bool, n graph.Node) bool {
	isInternal := lang.Of(n.Lang).InternalDirs && strings.Contains("/"+n.Path, "/internal/")
	return exported && !n.Test && n.Package != "main" && !isInternal
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

// coverage counts the files of some families of related languages, and how many of them were read whole or hold no use in the rest.
func (h *unseenSearch) coverage(families map[string]bool, a *Absence) error {
	counts, err := h.s.Languages()
	if err != nil {
		return err
	}
	for _, c := range counts {
		if families[graph.Family(c.Lang)] {
			a.Files += c.Files
		}
	}
	list, err := h.notParsed(families)
	for i := range list {
		if list[i].file.ID == 0 {
			a.Files++
		}
	}
	a.Whole = a.Files - len(h.unread)
	return err
}

// unseenSearch collects the unseen uses of symbols or a file.
type unseenSearch struct {
	s      *view.Snapshot
	ctx    context.Context
	list   []UnseenUse
	budget int64           // bytes of text to search
	unread map[string]bool // files that may hold a use where they were not parsed

	mentions *Named          // nil if prose does not matter
	to       string          // the name that targets are to get, "" if they keep theirs
	last     UnseenUse       // the last mention
	names    *grep.NameFiles // nil until it is needed
	skips    []skippedFile   // nil until they are needed
	modules  map[string]bool // the files that are modules, of those that were looked at
	docs     []string        // texts that code includes in its documentation, nil until they are needed
	// found and left are the bytes of the texts that hold a name, and of those of them
	// that were too many to search.
	found, left int64
}

func (h *unseenSearch) hint(kind, detail, path string, line uint32) {
	h.add(UnseenUse{Kind: kind, Detail: detail, Path: path, Line: line})
}

func (h *unseenSearch) doubt(kind, detail, path string, line uint32) {
	h.add(UnseenUse{Kind: kind, Detail: detail, Path: path, Line: line, Doubt: true})
}

func (h *unseenSearch) add(u UnseenUse) {
	if u.Kind == UnseenUnread && u.Path != "" {
		if h.unread == nil {
			h.unread = map[string]bool{}
		}
		h.unread[u.Path] = true
	}
	n := 0
	for _, x := range h.list {
		if x.Kind == u.Kind && x.Doubt == u.Doubt {
			n++
		}
		if x == u {
			return
		}
	}
	if n < maxUnseen {
		h.list = append(h.list, u)
	}
}

func (h *unseenSearch) hasDoubt() bool {
	return slices.ContainsFunc(h.list, func(u UnseenUse) bool { return u.Doubt })
}

func (h *unseenSearch) sort() []UnseenUse {
	slices.SortFunc(h.list, func(a, b UnseenUse) int {
		return cmp.Or(refs.BoolToInt(b.Doubt)-refs.BoolToInt(a.Doubt), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Path, b.Path),
			cmp.Compare(a.Line, b.Line), cmp.Compare(a.Detail, b.Detail))
	})
	return h.list
}

// searchIndex finds the unseen uses of one symbol that the index shows.
func (h *unseenSearch) searchIndex(t *view.Symbol, n graph.Node) error {
	if err := h.entryPoint(t, n); err != nil {
		return err
	}
	if isPublic(t.Exported, n) {
		h.hint(UnseenExported, "visible outside the repository", t.Path, t.Span.Line)
	}
	for _, step := range []func(*view.Symbol, graph.Node) error{
		func(*view.Symbol, graph.Node) error { return h.decorators(t, ownMarks(t)) }, h.calledMarks, h.runMembers, h.serialized,
	} {
		if err := step(t, n); err != nil {
			return err
		}
	}
	switch {
	case t.Kind.IsType():
		return cmp.Or(h.foundType(t, n), h.usedMember(t, n))
	case t.Symbol.Container() == "":
		return nil
	case !t.Kind.IsFunction():
		return cmp.Or(h.byPlace(t, n), h.above(t, n), h.overriddenBy(t, n))
	}
	return cmp.Or(h.above(t, n), h.overriddenBy(t, n), h.protocol(t, n))
}

// byPlace adds that a field of a type that is named somewhere may be read by its place.
func (h *unseenSearch) byPlace(t *view.Symbol, n graph.Node) error {
	mark := lang.Of(n.Lang).Positional
	if mark == "" || t.Kind != code.KindField {
		return nil
	}
	rows, err := h.s.Index.Symbols(n.ID)
	if err != nil || t.Parent < 0 || int(t.Parent) >= len(rows) || !strings.Contains(rows[t.Parent].Signature, mark) {
		return err
	}
	users, err := h.s.Index.Referrers(code.LastSegment(t.Symbol.Container()))
	if len(users) > 0 {
		h.doubt(UnseenPossible, "its type can be taken apart by places, which need no names of fields", t.Path, t.Span.Line)
	}
	return err
}

// entryPoint adds the system that calls a declaration without naming it, such as a test runner. What the language calls of an object
// is a doubt only if the type of the object is named somewhere.
func (h *unseenSearch) entryPoint(t *view.Symbol, n graph.Node) error {
	owner := t.Symbol.Container()
	row := lang.Of(n.Lang)
	prefixes := []string{"Test", "Benchmark", "Fuzz", "Example", "test"}
	hasTestPrefix := slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(t.Name, p) })
	isDunder := row.DunderMethods && strings.HasPrefix(t.Name, "__") && strings.HasSuffix(t.Name, "__")
	why := ""
	switch {
	case row.FindsTypes && t.Kind.IsType() && n.Test && isTestType(t.Name):
		isLocal, err := h.isLocal(t)
		if !isLocal {
			h.doubt(UnseenEntry, "run by the test runner", t.Path, t.Span.Line)
		}
		return err
	case row.CompilerSpace != "" && slices.Contains(strings.Split(owner, "."), row.CompilerSpace):
		h.doubt(UnseenEntry, "the compiler looks for it", t.Path, t.Span.Line)
		return nil
	case !t.Kind.IsFunction():
		return nil
	case (t.Name == "main" || t.Name == row.EntryFunction) && (owner == "" || row.EntryInType):
		h.doubt(UnseenEntry, "the program begins here", t.Path, t.Span.Line)
		return nil
	case owner == "" && isEntryName(row.LoadFunctions, t.Name):
		h.doubt(UnseenEntry, "run when the package is loaded", t.Path, t.Span.Line)
		return nil
	case n.Test && (hasTestPrefix || t.Name == "setUp" || t.Name == "tearDown"):
		h.doubt(UnseenEntry, "run by the test runner", t.Path, t.Span.Line)
		return nil
	case owner == "":
		return nil
	case t.Kind == code.KindConstructor:
		why = "called where an object is made"
	case isDunder, slices.Contains(row.Implicit, t.Name), strings.Contains(t.Signature, "operator "):
		why = "called by the language itself"
	default:
		return nil
	}
	users, err := h.s.Index.Referrers(code.LastSegment(owner))
	if len(users) > 0 {
		h.doubt(UnseenEntry, why, t.Path, t.Span.Line)
	}
	return err
}

// above finds the members that a member overrides or implements, and interfaces with a method of its name and number of parameters.
// Those are doubts where a type implements an interface without naming it, unless it lacks another of its methods.
func (h *unseenSearch) above(t *view.Symbol, n graph.Node) error {
	above, err := refs.Above(h.ctx, h.s, t)
	if err != nil {
		return err
	}
	listed := map[int64]bool{t.ID: true}
	for i := range above {
		r := &above[i]
		listed[r.ID] = true
		h.doubt(UnseenOverride, r.Qualified, r.Path, r.Span.Line)
	}
	same, err := h.interfaceMethods(t, n)
	for i := range same {
		if d := &same[i]; !listed[d.ID] {
			h.hint(UnseenInterface, d.Qualified, d.Path, d.Span.Line)
		}
	}
	return err
}

// interfaceMethods returns the methods of interfaces with a method's name and number of parameters.
func (h *unseenSearch) interfaceMethods(t *view.Symbol, n graph.Node) ([]view.Symbol, error) {
	rows, err := h.s.Index.SymbolsNamed(t.Name)
	if err != nil {
		return nil, err
	}
	var same []store.SymbolRow
	for _, row := range rows {
		if row.Parent < 0 || row.ID().Pack() == t.ID {
			continue
		}
		other, _ := h.s.Lookup.NodeByID(row.FileID)
		up, ok, err := h.s.Index.Symbol(code.SymbolID{File: row.FileID, Ord: row.Parent})
		if err != nil {
			return nil, err
		}
		if ok && graph.Family(other.Lang) == graph.Family(n.Lang) && (up.Kind == code.KindInterface || up.Kind == code.KindTrait) {
			same = append(same, row)
		}
		if len(same) == 8*maxUnseen {
			break
		}
	}
	id := code.UnpackSymbolID(t.ID)
	details, err := h.s.Detail(append(same, store.SymbolRow{Symbol: t.Symbol, FileID: id.File, Ord: id.Ord, Path: t.Path}))
	if err != nil {
		return nil, err
	}
	own := &details[len(details)-1]
	return slices.DeleteFunc(details[:len(details)-1], func(d view.Symbol) bool { return len(d.Params) != len(own.Params) }), nil
}

// inertMarks are decorators, annotations and attributes that tell a compiler or a reader
// something and register nothing.
var inertMarks = strings.Fields(`
	Override override Deprecated deprecated Obsolete SuppressWarnings SafeVarargs FunctionalInterface Nullable NotNull
	NonNull Nonnull  VisibleForTesting GuardedBy CheckReturnValue CanIgnoreReturnValue Beta JvmStatic JvmOverloads JvmField
	Suppress OptIn PublishedApi Throws  MethodImpl DebuggerStepThrough DebuggerDisplay EditorBrowsable Pure
	ExcludeFromCodeCoverage staticmethod classmethod property abstractmethod overload final  lru_cache cache cached_property
	wraps contextmanager asynccontextmanager dataclass setter getter total_ordering no_type_check ReturnTypeWillChange
	SensitiveParameter inline must_use derive cfg allow doc cold track_caller discardableResult available MainActor
	inlinable usableFromInline`)

// maxReflecting is the number of files of one language family that are searched for reflection.
const maxReflecting = 16

// reflection finds the calls that find members by name at run time.
func (h *unseenSearch) reflection(targets []view.Symbol, families map[string]bool) error {
	for _, f := range slices.Sorted(maps.Keys(families)) {
		pattern := lang.FamilyReflection(f).Pattern
		if pattern == "" {
			continue
		}
		files, err := h.reflecting(f)
		if err != nil {
			return err
		}
		if err := h.searchAll(targets, files); err != nil {
			return err
		}
		if len(files) == 0 {
			continue
		}
		n := 0
		for m, err := range grep.Grep(h.ctx, h.s, view.GrepQuery{Regex: pattern, Only: files}) {
			if err != nil {
				return fmt.Errorf("look for reflection: %w", err)
			}
			h.hint(UnseenReflection, strings.TrimSpace(m.Text), m.Path, m.Line)
			if n++; n == maxUnseen {
				break
			}
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

// Implementers returns the evidence for "nothing implements, inherits from or overrides targets". found is the answer of
// refs.References for them. It returns errors as Symbols does.
func Implementers(ctx context.Context, s *view.Snapshot, targets []view.Symbol, found *view.References) (Absence, error) {
	a := Absence{Named: found.Named, Decided: found.SettledCount(), Searched: 1}
	families := families(s, targets)
	h := unseenSearch{s: s, ctx: ctx, budget: absenceBudget}
	for i := range found.List {
		r := &found.List[i]
		if r.Confidence > code.Ambiguous {
			a.Decided++
		} else if r.Kind == code.RefInherit || r.Kind == code.RefImplement {
			h.doubt(UnseenPossible, r.Kind.String()+", "+r.Verdict(), r.Path, r.Line)
		}
		if f, err := s.File(ctx, r.Path); err != nil {
			return a, err
		} else if f.ErrorBytes > 0 { // a base that is named in a broken head of a class is a plain use
			h.doubt(UnseenUnread, r.Kind.String(), r.Path, r.Line)
		}
	}
	for i := range targets {
		n, _ := s.Lookup.Node(targets[i].Path)
		if lang.Of(n.Lang).StructuralTypes && targets[i].Kind == code.KindInterface {
			h.doubt(UnseenInterface, "an object that has its members implements it without naming it", targets[i].Path, targets[i].Span.Line)
		}
	}
	for _, step := range h.unreadSteps(targets, families) {
		if err := step(); err != nil {
			return a, err
		}
	}
	h.list = slices.DeleteFunc(h.list, func(u UnseenUse) bool {
		return u.Kind == UnseenString || u.Kind == UnseenOutside || u.Kind == UnseenReflection
	})
	err := h.finish(families, &a)
	return a, err
}
