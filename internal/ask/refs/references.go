// Package refs answers who uses a symbol or file: references, dependents and
// dependencies, tests, and the types and methods tied to a symbol through
// interfaces (hierarchy.go). Its neighbour ask/unused gathers the evidence that
// nothing uses it.
package refs

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/bind"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// References returns the uses of symbols. The files with references of one of their names are looked up, and each such reference is
// bound by the declarations and imports of its file (bind.Binder). A use by an accessor (Java and Kotlin) is one, too. References that
// mean something else are counted by the reason. It returns an error if the index cannot be read or ctx ends.
func References(ctx context.Context, s *view.Snapshot, targets []view.Symbol) (view.References, error) {
	return newRefCollector(s, targets).collect(ctx)
}

// ReferencesAndDropped returns the references as References does, and lists those that mean something else. It returns errors as
// References does.
func ReferencesAndDropped(ctx context.Context, s *view.Snapshot, targets []view.Symbol) (view.References, error) {
	c := newRefCollector(s, targets)
	c.keepDropped = true
	return c.collect(ctx)
}

// Each returns, for each symbol, the answer that References gives for it alone. The references to a name are resolved once for all
// symbols that have it. It returns errors as References does.
func Each(ctx context.Context, s *view.Snapshot, targets []view.Symbol) (out []view.References, err error) {
	shared := map[string]*namedRefs{}
	for i := range targets {
		c := newRefCollector(s, targets[i:i+1])
		if len(targets) > 1 {
			c.shared = shared
		}
		one, err := c.collect(ctx)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

func (c *refCollector) collect(ctx context.Context) (view.References, error) {
	for _, name := range slices.Sorted(maps.Keys(c.byName)) {
		if err := c.collectName(ctx, name); err != nil {
			return view.References{}, err
		}
	}
	slices.SortFunc(c.out.List, byPlace)
	slices.SortFunc(c.out.Dropped, byPlace)
	c.out.List = slices.CompactFunc(c.out.List, func(a, b view.Reference) bool { // a name that is an accessor's and its own
		return b.Accessor != "" && a.Path == b.Path && a.Start == b.Start && a.Target == b.Target
	})
	c.out.ResolvedShare = share(c.decided, c.out.Named)
	c.out.ExactShare = 0
	if c.out.Named > 0 {
		c.out.ExactShare = share(c.exact, c.out.Named)
	}
	return c.out, c.s.Lookup.Err
}

func byPlace(a, b view.Reference) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Start, b.Start), cmp.Compare(b.Confidence, a.Confidence))
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

type refCollector struct {
	s        *view.Snapshot
	byName   map[string][]*view.Symbol // targets
	out      view.References
	decided  int
	exact    int
	shared   map[string]*namedRefs // by name, nil unless several symbols are asked for
	refs     []code.Ref            // of the present file
	bindings []boundRef            // of the present file

	// Of the present name:
	*namedRefs
	wanted  map[int]*view.Symbol // by definition
	order   []int                // the definitions wanted
	through throughs
	read    map[inFile]bool // files can be reached in more than one way

	accessor    string // the name that is looked for, if it is that of an accessor of a target
	keepDropped bool
}

// namedRefs holds the files and definitions of one name.
type namedRefs struct {
	name   string
	binder *bind.Binder
	rows   []store.SymbolRow     // the definitions, as binding numbers them
	files  []int64               // with a reference of the name
	bound  map[inFile][]boundRef // references bound so far, nil unless they are shared
}

// boundRef is a reference with the definitions that it means.
type boundRef struct {
	code.Ref
	bind.Binding
	by string
}

// inFile identifies a file in which a name was searched, and the other name that the declaration has there, if any.
type inFile struct {
	file  int64
	local string
}

func newRefCollector(s *view.Snapshot, targets []view.Symbol) *refCollector {
	c := &refCollector{s: s, byName: map[string][]*view.Symbol{}}
	c.out.DroppedBy = map[bind.Reason]int{}
	for i := range targets {
		c.byName[targets[i].Name] = append(c.byName[targets[i].Name], &targets[i])
	}
	return c
}

// lookupName finds the definitions of a name and the files that use it.
func (c *refCollector) lookupName(name string) (*namedRefs, error) {
	if n := c.shared[name]; n != nil {
		return n, nil
	}
	n := &namedRefs{name: name}
	defs, err := c.definitions(n)
	if err != nil {
		return nil, err
	}
	n.binder = bind.New(c.s.InferredTypes(), defs)
	if n.files, err = c.s.Index.Referrers(name); err == nil && c.shared != nil {
		n.bound = make(map[inFile][]boundRef, len(n.files))
		c.shared[name] = n
	}
	return n, err
}

// definitions returns the definitions of the name of n, and fills its rows.
func (c *refCollector) definitions(n *namedRefs) ([]graph.Def, error) {
	rows, err := c.s.SymbolsNamed(n.name)
	defs := make([]graph.Def, 0, len(rows))
	n.rows = make([]store.SymbolRow, 0, len(rows))
	for i := range rows {
		if node, ok := c.s.Lookup.NodeByID(rows[i].FileID); ok {
			defs = append(defs, view.NewDef(node, &rows[i]))
			n.rows = append(n.rows, rows[i])
		}
	}
	return defs, err
}

// collectName collects the references of one name.
func (c *refCollector) collectName(ctx context.Context, name string) (err error) {
	if c.namedRefs, err = c.lookupName(name); err != nil {
		return err
	}
	c.wanted, c.order, c.through = map[int]*view.Symbol{}, c.order[:0], throughs{}
	c.read = make(map[inFile]bool, len(c.files))
	for _, t := range c.byName[name] {
		if i, ok := c.binder.Definition(code.UnpackSymbolID(t.ID)); ok && c.wanted[i] == nil {
			c.wanted[i] = t
			c.order = append(c.order, i)
		}
	}
	if len(c.order) < len(c.rows) { // else every reference is bound to a wanted definition
		if c.through, err = c.findThroughs(ctx); err != nil {
			return err
		}
	}
	for _, id := range c.files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.file(id, ""); err != nil {
			return err
		}
	}
	if err := c.passedOn(ctx); err != nil {
		return err
	}
	return c.accessed(ctx)
}

// passedOn adds the references by another name, under which a file re-exports the
// declaration (export { a as b } from …).
func (c *refCollector) passedOn(ctx context.Context) error {
	names := map[string]bool{c.name: true}
	var queue []int64
	for _, t := range c.byName[c.name] {
		if file := code.UnpackSymbolID(t.ID).File; t.Symbol.Container() == "" && !slices.Contains(queue, file) {
			queue = append(queue, file)
		}
	}
	for i := 0; i < len(queue); i++ {
		graph.AddPassedNames(c.s.Lookup.Outward(queue[i]), names)
		n, ok := c.s.Lookup.NodeByID(queue[i])
		if !ok {
			continue
		}
		relays, err := c.s.Index.ProbedBy(graph.ProbeKey(graph.RelayKey(n.Path)))
		if err != nil {
			return err
		}
		for _, id := range relays {
			if !slices.Contains(queue, id) {
				queue = append(queue, id)
			}
		}
	}
	isDefault := names["default"]
	delete(names, c.name)
	for _, alias := range slices.Sorted(maps.Keys(names)) {
		files, err := c.s.Index.Referrers(alias)
		if err != nil {
			return err
		}
		for _, id := range files {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := c.file(id, alias); err != nil {
				return err
			}
		}
	}
	if isDefault {
		for _, file := range queue {
			if err := c.defaultImports(ctx, file); err != nil {
				return err
			}
		}
	}
	return c.s.Lookup.Err
}

// bind resolves the references to the name in a file. local is another name that it has there, if any. The result is valid until the next
// file is read.
func (c *refCollector) bind(t *view.Site, id int64, local string) (out []boundRef, err error) {
	key := inFile{id, local}
	if list, ok := c.bound[key]; ok {
		return list, nil
	}
	if c.refs, err = t.Packed.AppendRefs(c.refs[:0], cmp.Or(local, c.name)); err != nil {
		return nil, err
	}
	if out = c.bindings[:0]; c.bound != nil {
		out = make([]boundRef, 0, len(c.refs))
	}
	for i := range c.refs {
		b, by := view.BindExactly(c.binder, t, &c.refs[i])
		out = append(out, boundRef{c.refs[i], b, by})
	}
	if c.bound != nil {
		c.bound[key] = out
	} else {
		c.bindings = out
	}
	return out, nil
}

// file collects the references of the name in one file. local, if set, is the name
// they have there; then only references that an import decides count, because a guess
// by another name would be meaningless.
func (c *refCollector) file(id int64, local string) error {
	if k := (inFile{id, local}); c.read[k] {
		return nil
	} else {
		c.read[k] = true
	}
	t, err := c.s.Site(id)
	if err != nil || t.Packed == nil {
		return err
	}
	list, err := c.bind(t, id, local)
	if err != nil {
		return err
	}
	listed := false // the reference before
	for i := range list {
		b := &list[i]
		isOther := !b.Decided || len(b.Defs) == 0 || !b.Via.NamesImport()
		if local != "" && isOther && (b.Kind != code.RefUnparsed || local == "default") {
			continue
		}
		if b.Kind == code.RefUnparsed && listed && list[i-1].Start == b.Start {
			continue // the reference itself is listed
		}
		before := len(c.out.List)
		if err := c.addOrDrop(t, b); err != nil {
			return err
		}
		listed = len(c.out.List) > before
	}
	return nil
}

// addOrDrop lists a reference, or counts it if it means something else.
func (c *refCollector) addOrDrop(t *view.Site, b *boundRef) error {
	c.out.Named++
	if b.Decided {
		c.decided++
	}
	if b.by != "" {
		c.exact++
	}
	listed := len(c.out.List)
	isOwn := func(w *view.Symbol) bool { return w.NameStart == b.Start && w.Path == t.Node.Path } // a friend that is declared elsewhere, too
	if own := slices.ContainsFunc(b.Defs, func(d int) bool { return c.wanted[d] != nil && isOwn(c.wanted[d]) }); own && len(b.Defs) == 1 {
		return nil
	}
	for _, d := range b.Defs {
		if w := c.wanted[d]; w != nil && !isOwn(w) {
			ref, err := c.add(t, &b.Ref, w, b.Confidence, b.by)
			if err != nil {
				return err
			}
			isOther := func(d int) bool { return c.wanted[d] == nil }
			ref.Settled = b.Decided && !b.Misfit && len(b.Perhaps) == 0 && !slices.ContainsFunc(b.Defs, isOther)
			break
		}
	}
	for _, d := range b.Perhaps {
		if w := c.wanted[d]; w != nil && len(c.out.List) == listed {
			if _, err := c.add(t, &b.Ref, w, code.Ambiguous, ""); err != nil {
				return err
			}
		}
	}
	if len(c.out.List) > listed {
		return nil
	}
	if err := c.addThrough(t, b); err != nil || len(c.out.List) > listed {
		return err
	}
	return c.drop(t, b)
}

// add lists a reference. The result is valid until the next call.
func (c *refCollector) add(t *view.Site, r *code.Ref, to *view.Symbol, conf code.Confidence, by string) (*view.Reference, error) {
	in, err := c.s.EnclosingSymbol(t, r.Scope)
	c.out.List = append(c.out.List, view.Reference{Path: t.Node.Path, Line: r.Line, Start: r.Start, End: r.End, Kind: r.Kind, Confidence: conf,
		Accessor: c.accessor, By: by, In: in.Name, InKind: in.Kind, Target: to, Scope: code.SymbolID{File: t.Node.ID, Ord: r.Scope}})
	return &c.out.List[len(c.out.List)-1], err
}

// accessed adds the references to the wanted definitions by their other names.
func (c *refCollector) accessed(ctx context.Context) error {
	own, wanted := c.namedRefs, c.wanted
	other := map[accessor]bool{}
	for i := range wanted {
		list, err := c.accessorsOf(own, i)
		if err != nil {
			return err
		}
		for _, a := range list {
			other[a] = true
		}
	}
	byName := func(a, b accessor) int { return cmp.Compare(a.name, b.name) }
	for _, a := range slices.SortedFunc(maps.Keys(other), byName) {
		if err := c.byAccessor(ctx, own, wanted, a); err != nil {
			return err
		}
	}
	c.namedRefs, c.wanted, c.accessor = own, wanted, ""
	return nil
}

// accessorsOf returns the other names of the definition numbered i.
func (c *refCollector) accessorsOf(own *namedRefs, i int) ([]accessor, error) {
	node, _ := c.s.Lookup.NodeByID(own.rows[i].FileID)
	d := view.NewDef(node, &own.rows[i])
	generated, err := c.hasGenerated(&d)
	return accessors(&d, generated), err
}

// hasGenerated reports whether a library makes accessors for a field, as an import of its file shows.
func (c *refCollector) hasGenerated(d *graph.Def) (bool, error) {
	library := lang.Of(d.File.Lang).AccessorLibrary
	if library == "" || d.Kind != code.KindField {
		return false, nil
	}
	home, err := c.s.Site(d.File.ID)
	if err != nil {
		return false, err
	}
	isOf := func(i code.Import) bool { return strings.HasPrefix(i.Spec, library+".") || i.Spec == library }
	return slices.ContainsFunc(home.Imports, isOf), nil
}

// byAccessor adds the references by another name of definitions, which are looked up beside those that have this name themselves.
func (c *refCollector) byAccessor(ctx context.Context, own *namedRefs, wanted map[int]*view.Symbol, a accessor) error {
	files, err := c.s.Index.Referrers(a.name)
	if err != nil {
		return err
	}
	files = slices.DeleteFunc(files, func(id int64) bool {
		n, ok := c.s.Lookup.NodeByID(id)
		return !ok || n.Lang != a.lang
	})
	if len(files) == 0 {
		return nil
	}
	n := &namedRefs{name: a.name, files: files}
	defs, err := c.definitions(n)
	if err != nil {
		return err
	}
	c.wanted, c.through, c.read = map[int]*view.Symbol{}, throughs{}, map[inFile]bool{}
	for i := range own.rows {
		if list, err := c.accessorsOf(own, i); err != nil {
			return err
		} else if !slices.Contains(list, a) {
			continue
		}
		node, _ := c.s.Lookup.NodeByID(own.rows[i].FileID)
		d := view.NewDef(node, &own.rows[i])
		d.Name = a.name
		if d.File.Lang == a.lang { // what a library makes is public
			d.Local, d.Signature = false, strings.Replace(d.Signature, "private ", "", 1)
		}
		if w := wanted[i]; w != nil {
			c.wanted[len(defs)] = w
		}
		defs, n.rows = append(defs, d), append(n.rows, own.rows[i])
	}
	n.binder = bind.New(c.s.InferredTypes(), defs)
	c.namedRefs, c.accessor = n, a.name
	for _, id := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.file(id, ""); err != nil {
			return err
		}
	}
	return nil
}

// defaultImports adds the references to the default export of a file if it is one of the targets. They have the name
// that each importer chose.
func (c *refCollector) defaultImports(ctx context.Context, file int64) error {
	home, declared, ok := c.s.InferredTypes().Linker().FollowName(file, "default")
	if !ok || declared != c.name || !slices.ContainsFunc(c.byName[c.name], func(t *view.Symbol) bool {
		return code.UnpackSymbolID(t.ID).File == home
	}) {
		return nil
	}
	edges, err := c.s.Index.EdgesTo(file)
	if err != nil {
		return err
	}
	for _, e := range edges {
		if err := ctx.Err(); err != nil {
			return err
		}
		if e.Relation != code.RelImports {
			continue
		}
		if err := c.defaultImporter(e.Source, file); err != nil {
			return err
		}
	}
	return nil
}

// defaultImporter adds the references in the file id to the default export of the file of.
func (c *refCollector) defaultImporter(id, of int64) error {
	t, err := c.s.Site(id)
	if err != nil {
		return err
	}
	for _, name := range view.ChosenNames(t, of) {
		if name == c.name {
			continue
		}
		if err := c.file(id, name); err != nil {
			return err
		}
	}
	return nil
}

// FileReferences returns the references in a file that lead to definitions of this repository, by place; one that may mean several
// definitions is listed once for each. It returns an error if the file is not indexed, if the index cannot be read, or if ctx ends.
func FileReferences(ctx context.Context, s *view.Snapshot, p string) ([]view.Reference, error) {
	f, err := s.File(ctx, p)
	if err != nil {
		return nil, err
	}
	home, err := s.Site(f.ID)
	if err != nil || home.Packed == nil {
		return nil, err
	}
	out, _, _, err := outgoing(ctx, s, home, func(*code.Ref) bool { return true })
	return out, err
}

// referencesInside returns the references inside a symbol that lead to definitions of this repository, with how many there are in all
// and how many were decided.
func referencesInside(ctx context.Context, s *view.Snapshot, sym *view.Symbol) (out []view.Reference, decided, named int, err error) {
	id := code.UnpackSymbolID(sym.ID)
	file, ord := id.File, id.Ord
	home, err := s.Site(file)
	if err != nil || home.Packed == nil {
		return nil, 0, 0, err
	}
	rows, err := s.Index.Symbols(file)
	if err != nil {
		return nil, 0, 0, err
	}
	return outgoing(ctx, s, home, func(r *code.Ref) bool { return within(rows, r.Scope, ord) })
}

// From returns the references inside a symbol that lead to definitions of this repository, by place; one that may mean several
// definitions is listed once for each. It returns an error if the index cannot be read or ctx ends.
func From(ctx context.Context, s *view.Snapshot, sym *view.Symbol) ([]view.Reference, error) {
	list, _, _, err := referencesInside(ctx, s, sym)
	return list, err
}

// Undecided returns the references inside a symbol whose names the repository declares and of which nothing decides what they mean, such
// as those in code that could not be parsed, and the number of all references in it. It returns an error if the index cannot be read or ctx
// ends.
func Undecided(ctx context.Context, s *view.Snapshot, sym *view.Symbol) (open []code.Ref, named int, err error) {
	id := code.UnpackSymbolID(sym.ID)
	home, err := s.Site(id.File)
	if err != nil || home.Packed == nil {
		return nil, 0, err
	}
	rows, err := s.Index.Symbols(id.File)
	if err != nil {
		return nil, 0, err
	}
	all, err := home.Packed.AllRefs()
	if err != nil {
		return nil, 0, err
	}
	bound := false // the reference before
	for i := range all {
		r := &all[i]
		again := r.Kind == code.RefUnparsed && bound && all[i-1].Start == r.Start
		if again || !within(rows, r.Scope, id.Ord) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		n, err := s.NameDefinitions(r.Name)
		if err != nil {
			return nil, 0, err
		}
		b, _ := view.BindExactly(n.Binder, home, r)
		bound = len(b.Defs) > 0
		unbound := !b.Decided && len(b.Defs) == 0 || r.Kind == code.RefUnparsed
		if named++; len(n.Syms) > 0 && (unbound || len(b.Perhaps) > 0) {
			open = append(open, *r)
		}
	}
	return open, named, s.Lookup.Err
}

// UnparsedLines returns the lines inside a symbol with names in code that could not be parsed, ascending. It returns an error if the index
// cannot be read or ctx ends.
func UnparsedLines(ctx context.Context, s *view.Snapshot, sym *view.Symbol) ([]uint32, error) {
	if f, err := s.File(ctx, sym.Path); err != nil || f.ErrorBytes == 0 {
		return nil, err
	}
	id := code.UnpackSymbolID(sym.ID)
	home, err := s.Site(id.File)
	if err != nil || home.Packed == nil {
		return nil, err
	}
	rows, err := s.Index.Symbols(id.File)
	if err != nil {
		return nil, err
	}
	all, err := home.Packed.AllRefs()
	if err != nil {
		return nil, err
	}
	var lines []uint32
	for i := range all {
		if r := &all[i]; r.Kind == code.RefUnparsed && within(rows, r.Scope, id.Ord) {
			lines = append(lines, r.Line)
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines), nil
}

// Lost counts what syntax errors took: the files with names in code that could not be parsed, and the declarations around those names.
type Lost struct{ Files, Declarations int }

// CountLost returns what syntax errors took of the files of an index. It reads the references of each file with errors, and returns an
// error if the index cannot be read or ctx ends.
func CountLost(ctx context.Context, s *view.Snapshot) (Lost, error) {
	var lost Lost
	for f, err := range s.Index.Files() {
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return lost, err
		}
		if f.ErrorBytes == 0 {
			continue
		}
		home, err := s.Site(f.ID)
		if err != nil {
			return lost, err
		}
		if home.Packed == nil {
			continue
		}
		all, err := home.Packed.AllRefs()
		if err != nil {
			return lost, err
		}
		all = slices.DeleteFunc(all, func(r code.Ref) bool { return r.Kind != code.RefUnparsed })
		if len(all) > 0 {
			lost.Files++
		}
		around := map[int32]bool{}
		for i := range all {
			if all[i].Scope >= 0 {
				around[all[i].Scope] = true
			}
		}
		lost.Declarations += len(around)
	}
	return lost, nil
}

// outgoing resolves the references in a file that pass accepts.
func outgoing(ctx context.Context, s *view.Snapshot, home *view.Site, pass func(*code.Ref) bool) (
	out []view.Reference, decided, named int, err error) {
	refs, err := home.Packed.AllRefs()
	if err != nil {
		return nil, 0, 0, err
	}
	return bindAll(ctx, s, home, slices.DeleteFunc(refs, func(r code.Ref) bool { return !pass(&r) }))
}

// bindAll resolves references in a file, and lists those that lead to definitions of this repository.
func bindAll(ctx context.Context, s *view.Snapshot, home *view.Site, refs []code.Ref) (
	out []view.Reference, decided, named int, err error) {
	bound := false // the reference before
	for i := range refs {
		r := &refs[i]
		if err := ctx.Err(); err != nil {
			return nil, 0, 0, err
		}
		n, err := s.NameDefinitions(s.DeclaredName(home, r))
		if err != nil {
			return nil, 0, 0, err
		}
		if r.Kind == code.RefUnparsed && bound && refs[i-1].Start == r.Start {
			continue // the reference itself is bound
		}
		b, by := view.BindExactly(n.Binder, home, r)
		bound = len(b.Defs) > 0
		if named++; b.Decided {
			decided++
		}
		in, err := s.EnclosingSymbol(home, r.Scope)
		if err != nil {
			return nil, 0, 0, err
		}
		for _, d := range b.Defs {
			out = append(out, view.Reference{Path: home.Node.Path, Line: r.Line, Start: r.Start, End: r.End, Kind: r.Kind, Confidence: b.Confidence,
				By: by, In: in.Name, InKind: in.Kind, Target: &n.Syms[d], Scope: code.SymbolID{File: home.Node.ID, Ord: r.Scope}})
		}
		if by != "" && len(b.Defs) == 1 {
			through, err := s.ThroughInterface(ctx, out[len(out)-1])
			if err != nil {
				return nil, 0, 0, err
			}
			out = append(out, through...)
		}
	}
	slices.SortStableFunc(out, func(a, b view.Reference) int { return cmp.Compare(a.Start, b.Start) })
	return out, decided, named, s.Lookup.Err
}

// within reports whether a scope is the symbol ord or lies inside it.
func within(rows []store.SymbolRow, scope, ord int32) bool {
	for scope >= 0 && int(scope) < len(rows) {
		if scope == ord {
			return true
		}
		scope = rows[scope].Parent
	}
	return false
}
