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
	return c.addAccessors(ctx)
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

// addAccessors adds the references to the wanted definitions by their other names.
func (c *refCollector) addAccessors(ctx context.Context) error {
	own, wanted := c.namedRefs, c.wanted
	names := make([][]accessor, len(own.rows)) // by definition
	var used []accessor
	for i := range wanted {
		if err := c.nameAccessors(own, names, i); err != nil {
			return err
		}
		for _, a := range names[i] {
			if !slices.Contains(used, a) {
				used = append(used, a)
			}
		}
	}
	slices.SortFunc(used, func(a, b accessor) int { return cmp.Compare(a.name, b.name) })
	for _, a := range used {
		files, err := c.accessorFiles(a)
		if err != nil {
			return err
		}
		if len(files) == 0 {
			continue
		}
		for i := range own.rows {
			if err := c.nameAccessors(own, names, i); err != nil {
				return err
			}
		}
		if err := c.addUses(ctx, own, wanted, names, a, files); err != nil {
			return err
		}
	}
	c.namedRefs, c.wanted, c.accessor = own, wanted, ""
	return nil
}

// accessorsIn returns the references in one file by an accessor of the declarations of a name.
func accessorsIn(ctx context.Context, s *view.Snapshot, home *view.Site, name string, as accessor) ([]view.Reference, error) {
	c := newRefCollector(s, nil)
	own := &namedRefs{name: name}
	if _, err := c.definitions(own); err != nil || len(own.rows) == 0 {
		return nil, err
	}
	names, wanted := make([][]accessor, len(own.rows)), map[int]*view.Symbol{}
	for i := range own.rows {
		if err := c.nameAccessors(own, names, i); err != nil {
			return nil, err
		}
		sym := view.RowSymbol(&own.rows[i])
		wanted[i] = &sym
	}
	if !slices.ContainsFunc(names, func(list []accessor) bool { return slices.Contains(list, as) }) {
		return nil, nil
	}
	err := c.addUses(ctx, own, wanted, names, as, []int64{home.Node.ID})
	return c.out.List, err
}

// nameAccessors fills the other names of the definition numbered i, if it is not done.
func (c *refCollector) nameAccessors(own *namedRefs, names [][]accessor, i int) error {
	if names[i] != nil {
		return nil
	}
	node, _ := c.s.Lookup.NodeByID(own.rows[i].FileID)
	d := view.NewDef(node, &own.rows[i])
	generated, err := c.hasGenerated(&d)
	if names[i] = accessors(&d, generated); names[i] == nil {
		names[i] = []accessor{}
	}
	return err
}

// accessorFiles returns the files that use an accessor.
func (c *refCollector) accessorFiles(a accessor) ([]int64, error) {
	files, err := c.s.Index.Referrers(a.name)
	return slices.DeleteFunc(files, func(id int64) bool {
		n, ok := c.s.Lookup.NodeByID(id)
		return !ok || n.Lang != a.lang
	}), err
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

// addUses adds the references in files by another name of definitions, which are looked up beside those that have this name themselves.
func (c *refCollector) addUses(
	ctx context.Context, own *namedRefs, wanted map[int]*view.Symbol, names [][]accessor, a accessor, files []int64,
) error {
	n := &namedRefs{name: a.name, files: files}
	defs, err := c.definitions(n)
	if err != nil {
		return err
	}
	c.wanted, c.order, c.through, c.read = map[int]*view.Symbol{}, nil, throughs{}, map[inFile]bool{}
	for i := range own.rows {
		if !slices.Contains(names[i], a) {
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
			c.order = append(c.order, len(defs))
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
