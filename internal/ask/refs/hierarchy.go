package refs

import (
	"cmp"
	"context"
	"slices"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/bind"
	"ken/internal/engine/graph/infer"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// MaxRelatives is the number of interfaces, implementers or holders of a target that Hierarchy looks for.
const MaxRelatives = 40

// hierarchyBounds limits the search for relatives.
type hierarchyBounds struct {
	names  int // methods of a type that are looked up
	defs   int // declarations of one method name
	found  int // types that implement one interface, holders of one
	listed int // relatives in all
	// embedders includes Go types that have a method only by embedding a type that has
	// it, which costs a search for each such type.
	embedders bool
}

// besideOthers are the limits if the hierarchy is one part of an answer, whole
// those if it is the whole answer.
var (
	besideOthers = hierarchyBounds{names: 40, defs: 400, found: MaxRelatives, listed: 4 * MaxRelatives}
	whole        = hierarchyBounds{names: 1000, defs: 100_000, found: 10_000, listed: 10_000, embedders: true}
)

// Relative is a declaration that is related to a target through an interface, a
// base class or a trait, such as a method that overrides it.
type Relative struct {
	view.Symbol
	Relation   RelativeKind
	Of         string // qualified name of the target or interface to which it is related
	Confidence code.Confidence
}

// RelativeKind is the kind of a relation.
type RelativeKind string

// The kinds of relations.
const (
	RelativeImplements RelativeKind = "implements" // a type that implements or inherits from the target
	RelativeOverrides  RelativeKind = "overrides"  // a method that may be called in place of the target
	RelativeInterface  RelativeKind = "interface"  // an interface, base class or trait of the target, or its method
	RelativeHolds      RelativeKind = "holds"      // a field or variable of such an interface: it may hold the target
)

// hierarchySearch looks for the relatives of targets.
type hierarchySearch struct {
	s      *view.Snapshot
	ctx    context.Context
	bounds hierarchyBounds
	out    []Relative
	seen   map[int64]bool
	cut    bool

	owned    map[int64]methodSet     // methods by type
	owners   map[string]*view.Symbol // types by ownerKey, nil: none
	lineages map[string]view.Lineage // by file and type
	blocks   map[string]*blockText   // by path
}

// Hierarchy returns, for types, their implementers, the interfaces they implement and the holders of those; for methods, the methods
// above and below them. refs are the references to the targets. In Go, where a type does not name its interfaces, the names and
// numbers of parameters of all methods decide. cut is set if a bound on the work was met. It returns an error if the index cannot be
// read or ctx ends.
func Hierarchy(ctx context.Context, s *view.Snapshot, targets []view.Symbol, refs []view.Reference) (list []Relative, cut bool, err error) {
	b := newHierarchySearch(ctx, s, besideOthers, targets)
	for i := range targets {
		if err := b.target(&targets[i], refs); err != nil {
			return nil, false, err
		}
	}
	return b.out, b.cut, s.Lookup.Err
}

func newHierarchySearch(ctx context.Context, s *view.Snapshot, most hierarchyBounds, targets []view.Symbol) *hierarchySearch {
	b := &hierarchySearch{
		s: s, ctx: ctx, bounds: most, seen: map[int64]bool{}, owned: map[int64]methodSet{}, owners: map[string]*view.Symbol{},
		lineages: map[string]view.Lineage{}, blocks: map[string]*blockText{},
	}
	for i := range targets {
		b.seen[targets[i].ID] = true
	}
	return b
}

func (b *hierarchySearch) target(t *view.Symbol, refs []view.Reference) error {
	n, _ := b.s.Lookup.Node(t.Path)
	switch {
	case t.Kind.IsType():
		if err := b.subtypes(t, n, refs); err != nil {
			return err
		}
		return b.supertypes(t, n)
	case t.Kind == code.KindMethod && t.Symbol.Container() != "":
		if err := b.methodsAbove(t, n); err != nil {
			return err
		}
		return b.methodsBelow(t, n)
	}
	return nil
}

func (b *hierarchySearch) add(sym view.Symbol, rel RelativeKind, of string, conf code.Confidence) bool {
	if b.seen[sym.ID] {
		return false
	}
	if len(b.out) >= b.bounds.listed {
		b.cut = true
		return false
	}
	b.seen[sym.ID] = true
	b.out = append(b.out, Relative{sym, rel, of, conf})
	return true
}

// subtypes adds the types that name the target as their base, and in Go those that have all methods of an interface.
func (b *hierarchySearch) subtypes(t *view.Symbol, n graph.Node, refs []view.Reference) error {
	for i := range refs {
		r := &refs[i]
		if r.Target.ID != t.ID || r.Kind != code.RefInherit && r.Kind != code.RefImplement || r.Scope.Ord < 0 {
			continue
		}
		row, ok, err := b.s.Index.Symbol(r.Scope)
		if err != nil {
			return err
		}
		if ok && row.Kind.IsType() {
			row.Path = r.Path
			b.add(view.RowSymbol(&row), RelativeImplements, t.Qualified, r.Confidence)
		}
	}
	if !lang.Of(n.Lang).ImplicitInterfaces || t.Kind != code.KindInterface {
		return nil
	}
	return b.goImplementers(t)
}

// goImplementers adds the types that have all methods of an interface. A type that lacks some but embeds a type from outside the
// repository, whose methods are unknown, is added as a possible implementer; so is one that has all if the
// interface itself embeds such a type.
func (b *hierarchySearch) goImplementers(t *view.Symbol) error {
	wanted, err := b.methods(t)
	if err != nil || len(wanted.list) == 0 {
		return err
	}
	rare, err := b.rarest(wanted.list)
	if err != nil {
		return err
	}
	types, err := b.typesWith(rare, false)
	for i := 0; i < len(types) && err == nil && len(b.out) < b.bounds.found; i++ {
		var has methodSet
		if has, err = b.methods(&types[i]); err != nil {
			return err
		}
		if conf, ok := b.implements(has, wanted); ok {
			b.add(types[i], RelativeImplements, t.Qualified, conf)
		}
		if b.bounds.embedders {
			types, err = b.withEmbedders(types, &types[i])
		}
	}
	return err
}

// implements reports whether a type with the methods in has implements an interface with those in wanted, and how sure that is.
func (b *hierarchySearch) implements(has, wanted methodSet) (code.Confidence, bool) {
	whole := b.within(wanted, has)
	switch {
	case whole && !wanted.partial:
		return code.UniqueName, true
	case whole, has.partial:
		return code.Ambiguous, true
	}
	return 0, false
}

// rarest returns the method whose name has the fewest declarations, so that the fewest types have to be compared.
func (b *hierarchySearch) rarest(list []view.Symbol) (*view.Symbol, error) {
	best, fewest := 0, 0
	for i := range list {
		count, err := b.s.Index.NameCount(list[i].Name)
		if err != nil {
			return nil, err
		}
		if i == 0 || count.Defs < fewest {
			best, fewest = i, count.Defs
		}
	}
	return &list[best], nil
}

// withEmbedders adds the types that inherit from, or embed, the type of, and so have its methods.
func (b *hierarchySearch) withEmbedders(types []view.Symbol, of *view.Symbol) ([]view.Symbol, error) {
	refs, err := References(b.ctx, b.s, []view.Symbol{*of})
	if err != nil {
		return nil, err
	}
	for i := range refs.List {
		r := &refs.List[i]
		if r.Kind != code.RefInherit || r.Confidence == code.Ambiguous || r.Scope.Ord < 0 {
			continue
		}
		row, ok, err := b.s.Index.Symbol(r.Scope)
		if err != nil {
			return nil, err
		}
		row.Path = r.Path
		sym := view.RowSymbol(&row)
		if ok && row.Kind.IsType() && !slices.ContainsFunc(types, func(o view.Symbol) bool { return o.ID == sym.ID }) {
			types = append(types, sym)
		}
	}
	return types, nil
}

// supertypes adds the types that a target names as its bases, in Go the interfaces
// whose methods it has, and the holders of their values.
func (b *hierarchySearch) supertypes(t *view.Symbol, n graph.Node) error {
	var above []view.Symbol
	home, err := b.s.Site(code.UnpackSymbolID(t.ID).File)
	if err != nil {
		return err
	}
	if home.Packed != nil {
		ord := code.UnpackSymbolID(t.ID).Ord
		out, _, _, err := bindAll(b.ctx, b.s, home, b.s.Details.Inherits(home.Node.ID, ord))
		if err != nil {
			return err
		}
		for i := range out {
			if out[i].Target.Kind.IsType() && b.add(*out[i].Target, RelativeInterface, t.Qualified, out[i].Confidence) {
				above = append(above, *out[i].Target)
			}
		}
	}
	if lang.Of(n.Lang).ImplicitInterfaces && t.Kind != code.KindInterface {
		more, err := b.goInterfaces(t)
		if err != nil {
			return err
		}
		above = append(above, more...)
	}
	for i := range above {
		if above[i].Kind == code.KindInterface || above[i].Kind == code.KindTrait || above[i].Kind == code.KindClass {
			if err := b.holders(&above[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// goInterfaces adds the interfaces of the repository whose methods a type has.
func (b *hierarchySearch) goInterfaces(t *view.Symbol) ([]view.Symbol, error) {
	methods, err := b.methods(t)
	if err != nil {
		return nil, err
	}
	list := methods.list
	if len(list) > b.bounds.names {
		list, b.cut = list[:b.bounds.names], true
	}
	met := map[int64]bool{}
	var out []view.Symbol
	for i := range list {
		ifaces, err := b.typesWith(&list[i], true)
		if err != nil {
			return nil, err
		}
		for j := range ifaces {
			if met[ifaces[j].ID] {
				continue
			}
			met[ifaces[j].ID] = true
			wanted, err := b.methods(&ifaces[j])
			if err != nil {
				return nil, err
			}
			if b.within(wanted, methods) && b.add(ifaces[j], RelativeInterface, t.Qualified, code.UniqueName) {
				out = append(out, ifaces[j])
			}
		}
	}
	return out, nil
}

// holders adds the fields and variables whose type is an interface: they may hold a value of the target.
func (b *hierarchySearch) holders(iface *view.Symbol) error {
	count, err := b.s.Index.NameCount(iface.Name)
	if err != nil {
		return err
	}
	if count.Files > b.bounds.defs {
		b.cut = true
		return nil
	}
	refs, err := References(b.ctx, b.s, []view.Symbol{*iface})
	if err != nil {
		return err
	}
	held := 0
	for i := range refs.List {
		r := &refs.List[i]
		if r.Kind != code.RefType || r.Confidence == code.Ambiguous || r.Scope.Ord < 0 {
			continue
		}
		row, ok, err := b.s.Index.Symbol(r.Scope)
		if err != nil {
			return err
		}
		if ok && (row.Kind == code.KindField || row.Kind == code.KindVariable) {
			row.Path = r.Path
			if b.add(view.RowSymbol(&row), RelativeHolds, iface.Qualified, r.Confidence) {
				held++
			}
			if held == b.bounds.found {
				b.cut = true
				return nil
			}
		}
	}
	return nil
}

// methodsAbove adds the methods that t overrides or implements, in the interfaces and
// bases of its type.
func (b *hierarchySearch) methodsAbove(t *view.Symbol, n graph.Node) error {
	above, err := b.overriddenIDs(n, t)
	for _, id := range above {
		if err != nil {
			return err
		}
		var row store.SymbolRow
		var ok bool
		if row, ok, err = b.s.Index.Symbol(id); ok {
			in, _ := b.s.Lookup.NodeByID(id.File)
			row.Path = in.Path
			b.add(view.RowSymbol(&row), RelativeInterface, t.Qualified, code.ImportResolved)
		}
	}
	if err != nil {
		return err
	}
	owner, ok, err := b.owner(t)
	if err != nil || !ok || !lang.Of(n.Lang).ImplicitInterfaces || owner.Kind == code.KindInterface {
		return err
	}
	has, err := b.methods(&owner)
	if err != nil {
		return err
	}
	types, err := b.typesWith(t, true)
	for i := range types {
		if err != nil {
			return err
		}
		err = b.tie(&types[i], &owner, has, &types[i], t, RelativeInterface)
	}
	if err == nil && len(types) > 0 {
		err = b.promotedAbove(t, &owner, types)
	}
	return err
}

// promotedAbove adds the methods of interfaces that a method implements for another type,
// which embeds the method's type.
func (b *hierarchySearch) promotedAbove(t, owner *view.Symbol, ifaces []view.Symbol) error {
	count, err := b.s.Index.NameCount(owner.Name)
	if err != nil || count.Files > b.bounds.defs {
		b.cut = b.cut || err == nil
		return err
	}
	embedders, err := b.withEmbedders(nil, owner)
	for i := range embedders {
		if err != nil {
			return err
		}
		var has methodSet
		if has, err = b.methods(&embedders[i]); err != nil {
			return err
		}
		own := slices.ContainsFunc(has.list, func(m view.Symbol) bool { return m.ID == t.ID })
		for j := 0; j < len(ifaces) && own && err == nil && embedders[i].Kind != code.KindInterface; j++ {
			err = b.tie(&ifaces[j], &embedders[i], has, &ifaces[j], t, RelativeInterface)
		}
	}
	return err
}

// overridden returns the members of base types that a member overrides, without those
// with other parameters and those that it only hides.
func (b *hierarchySearch) overridden(n graph.Node, t *view.Symbol) []infer.Decl {
	if t.Kind == code.KindConstructor || lang.Of(n.Lang).HidesFields && !t.Kind.IsFunction() {
		return nil
	}
	above, _ := b.s.InferredTypes().Overridden(n, code.UnpackSymbolID(t.ID).Ord, t.Symbol.Container(), t.Name)
	own, ok := b.definition(t)
	return slices.DeleteFunc(above, func(d infer.Decl) bool { return ok && bind.SignaturesDiffer(b.s.InferredTypes(), &own, &d.Def) })
}

// overriddenIDs returns the members of base types that a member overrides. Where the types of a language are not inferred, the bases
// that declarations name are followed as any reference is.
func (b *hierarchySearch) overriddenIDs(n graph.Node, t *view.Symbol) (ids []code.SymbolID, err error) {
	for _, d := range b.overridden(n, t) {
		ids = append(ids, code.SymbolID{File: d.File.ID, Ord: d.Ord})
	}
	isInherited := t.Kind.IsFunction() && t.Kind != code.KindConstructor && inherits(t.Signature, n)
	if len(ids) > 0 || infer.Reads(n.Lang) || !isInherited {
		return ids, nil
	}
	key := n.Path + "\x00" + t.Symbol.Container()
	line, ok := b.lineages[key]
	if !ok {
		if line, err = b.s.Lineage(b.ctx, t.Path, t.Symbol.Container()); err != nil {
			return nil, err
		}
		b.lineages[key] = line
	}
	if len(line.Types) == 0 {
		return nil, nil
	}
	rows, err := b.s.SymbolsNamed(t.Name)
	for _, row := range membersAbove(b.s, &line, rows) {
		ids = append(ids, row.ID())
	}
	return ids, err
}

// methodsBelow adds the methods that override or implement t.
func (b *hierarchySearch) methodsBelow(t *view.Symbol, n graph.Node) error {
	exactly, err := b.s.Implementers(b.ctx, t)
	if err != nil {
		return err
	}
	for i := range exactly {
		b.add(exactly[i], RelativeOverrides, t.Qualified, code.Exact)
	}
	owner, ok, err := b.owner(t)
	if err != nil || !ok {
		return err
	}
	if !lang.Of(n.Lang).ImplicitInterfaces {
		return b.overriding(t, n)
	}
	if owner.Kind != code.KindInterface || len(exactly) > 0 {
		return nil
	}
	types, err := b.typesWith(t, false)
	for i := range types {
		if err != nil {
			return err
		}
		var has methodSet
		if has, err = b.methods(&types[i]); err == nil {
			err = b.tie(&owner, &types[i], has, &types[i], t, RelativeOverrides)
		}
	}
	return err
}

// tie adds the method of a type that has the name of t, if typ, which has those methods, implements iface.
func (b *hierarchySearch) tie(iface, typ *view.Symbol, has methodSet, of, t *view.Symbol, rel RelativeKind) error {
	wanted, err := b.methods(iface)
	if err != nil || !b.within(wanted, has) {
		return err
	}
	own, err := b.methods(of)
	conf := code.UniqueName
	if wanted.partial {
		conf = code.Ambiguous
	}
	for i := range own.list {
		if m := &own.list[i]; m.Name == t.Name && b.alike(m, t) {
			b.add(*m, rel, t.Qualified, conf)
		}
	}
	return err
}

// overriding adds the methods of the same name whose type inherits from the target's.
func (b *hierarchySearch) overriding(t *view.Symbol, n graph.Node) error {
	rows, err := b.s.Index.SymbolsNamed(t.Name)
	if err != nil {
		return err
	}
	if len(rows) > b.bounds.defs {
		rows, b.cut = rows[:b.bounds.defs], true
	}
	for i := range rows {
		row := &rows[i]
		other, ok := b.s.Lookup.NodeByID(row.FileID)
		if !ok || row.Parent < 0 || graph.Family(other.Lang) != graph.Family(n.Lang) || row.ID().Pack() == t.ID {
			continue
		}
		row.Path = other.Path
		sym := view.RowSymbol(row)
		above, err := b.overriddenIDs(other, &sym)
		if err != nil {
			return err
		}
		if slices.Contains(above, code.UnpackSymbolID(t.ID)) {
			b.add(sym, RelativeOverrides, t.Qualified, code.ImportResolved)
		}
	}
	return nil
}

// ownerKey identifies the type that a method of a file belongs to: a directory may have several packages, such as that of its tests.
func ownerKey(n *graph.Node, container string) string {
	return code.Dir(n.Path) + "\x00" + n.Package + "\x00" + container
}

// owner returns the type a method belongs to.
func (b *hierarchySearch) owner(m *view.Symbol) (view.Symbol, bool, error) {
	home, _ := b.s.Lookup.Node(m.Path)
	key := ownerKey(&home, m.Symbol.Container())
	if o, ok := b.owners[key]; ok {
		if o == nil {
			return view.Symbol{}, false, nil
		}
		return *o, true, nil
	}
	b.owners[key] = nil
	rows, err := b.s.Index.SymbolsNamed(code.LastSegment(m.Symbol.Container()))
	if err != nil {
		return view.Symbol{}, false, err
	}
	slices.SortStableFunc(rows, func(x, y store.SymbolRow) int {
		return cmp.Compare(BoolToInt(x.Path != m.Path), BoolToInt(y.Path != m.Path))
	})
	for i := range rows {
		n, _ := b.s.Lookup.NodeByID(rows[i].FileID)
		if rows[i].Kind.IsType() && ownerKey(&n, rows[i].Qualified) == key {
			o := view.RowSymbol(&rows[i])
			b.owners[key] = &o
			return o, true, nil
		}
	}
	return view.Symbol{}, false, nil
}

// typesWith returns the Go types that declare a method of a name: interfaces, or the
// other types.
func (b *hierarchySearch) typesWith(m *view.Symbol, iface bool) ([]view.Symbol, error) {
	rows, err := b.s.Index.SymbolsNamed(m.Name)
	if err != nil {
		return nil, err
	}
	if len(rows) > b.bounds.defs {
		rows, b.cut = rows[:b.bounds.defs], true
	}
	var out []view.Symbol
	met := map[string]bool{}
	for i := range rows {
		row := &rows[i]
		node, ok := b.s.Lookup.NodeByID(row.FileID)
		if !ok || row.Kind != code.KindMethod || !lang.Of(node.Lang).ImplicitInterfaces {
			continue
		}
		owning := ownerKey(&node, row.Symbol.Container())
		if met[owning] {
			continue
		}
		met[owning] = true
		sym := view.RowSymbol(row)
		owner, ok, err := b.owner(&sym)
		if err != nil {
			return nil, err
		}
		if ok && (owner.Kind == code.KindInterface) == iface {
			out = append(out, owner)
		}
	}
	return out, nil
}

func BoolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// NameByte reports whether an ASCII byte may be part of a name. Bytes beyond ASCII may
// not, because prose in scripts without blanks between words is not part of a name.
func NameByte(c byte) bool {
	switch {
	case c == '_', '0' <= c && c <= '9', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		return true
	}
	return false
}
