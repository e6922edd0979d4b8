package refs

import (
	"cmp"
	"context"
	"slices"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/infer"
	"ken/internal/engine/store"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// Bounds of the search for what is used through interfaces.
const (
	maxRelatedNames = 40  // methods of a type that are looked up
	maxRelatedDefs  = 400 // declarations of one method name
	MaxBehind       = 40  // interfaces, implementers or holders listed
)

// Relative is a declaration that a target is tied to through an interface, a base
// class or a trait.
type Relative struct {
	view.Symbol
	Relation   RelativeKind
	Of         string // qualified name of the target or interface it is tied to
	Confidence code.Confidence
}

// RelativeKind says how.
type RelativeKind string

// The relations of Behind.
const (
	RelativeImplements RelativeKind = "implements" // a type that implements or inherits from the target
	RelativeOverrides  RelativeKind = "overrides"  // a method that is called in place of the target where its type is used
	RelativeInterface  RelativeKind = "interface"  // an interface, base class or trait of the target, or its method
	RelativeHolds      RelativeKind = "holds"      // a field or variable of such an interface: it may hold the target
)

// hierarchySearch looks for what is tied to targets through interfaces.
type hierarchySearch struct {
	s    *view.Snapshot
	ctx  context.Context
	out  []Relative
	seen map[int64]bool
	cut  bool

	owned  map[int64][]view.Symbol // methods by type
	owners map[string]*view.Symbol // types by directory and name, nil: none
}

// Hierarchy finds, for types, what implements them, what they implement and who
// holds that; for methods, the methods above and below them. refs are the
// references to the targets. In Go, where a type does not name its interfaces,
// it is the names and the numbers of parameters of all methods that decide. It
// stops at bounds on its work and says so with cut.
func Hierarchy(ctx context.Context, s *view.Snapshot, targets []view.Symbol, refs []view.Reference) (list []Relative, cut bool, err error) {
	b := &hierarchySearch{s: s, ctx: ctx, seen: map[int64]bool{}, owned: map[int64][]view.Symbol{}, owners: map[string]*view.Symbol{}}
	for i := range targets {
		b.seen[targets[i].ID] = true
	}
	for i := range targets {
		if err := b.target(&targets[i], refs); err != nil {
			return nil, false, err
		}
	}
	return b.out, b.cut, s.Lookup.Err
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
		return b.method(t, n)
	}
	return nil
}

func (b *hierarchySearch) add(sym view.Symbol, rel RelativeKind, of string, conf code.Confidence) bool {
	if b.seen[sym.ID] {
		return false
	}
	if len(b.out) >= 4*MaxBehind {
		b.cut = true
		return false
	}
	b.seen[sym.ID] = true
	b.out = append(b.out, Relative{sym, rel, of, conf})
	return true
}

// subtypes are the types that name the target as their base, and in Go those
// that have all methods of an interface.
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
	methods, err := b.methods(t)
	if err != nil || len(methods) == 0 {
		return err
	}
	types, err := b.typesWith(&methods[0], false)
	for i := range types {
		if err != nil || len(b.out) >= MaxBehind {
			break
		}
		var has bool
		if has, err = b.satisfies(&types[i], methods); has {
			b.add(types[i], RelativeImplements, t.Qualified, code.UniqueName)
		}
	}
	return err
}

// supertypes are the types a target names as its bases, in Go the interfaces
// whose methods it has; and who holds a value of theirs.
func (b *hierarchySearch) supertypes(t *view.Symbol, n graph.Node) error {
	var above []view.Symbol
	home, err := b.s.Site(code.UnpackSymbolID(t.ID).File)
	if err != nil {
		return err
	}
	if home.Packed != nil {
		ord := code.UnpackSymbolID(t.ID).Ord
		out, _, _, err := outgoing(b.ctx, b.s, home, func(r *code.Ref) bool {
			return r.Scope == ord && (r.Kind == code.RefInherit || r.Kind == code.RefImplement)
		})
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

// goInterfaces are the interfaces of the repository whose methods a type has.
func (b *hierarchySearch) goInterfaces(t *view.Symbol) ([]view.Symbol, error) {
	methods, err := b.methods(t)
	if err != nil {
		return nil, err
	}
	if len(methods) > maxRelatedNames {
		methods, b.cut = methods[:maxRelatedNames], true
	}
	met := map[int64]bool{}
	var out []view.Symbol
	for i := range methods {
		ifaces, err := b.typesWith(&methods[i], true)
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
			ok, err := b.satisfies(t, wanted)
			if err != nil {
				return nil, err
			}
			if ok && b.add(ifaces[j], RelativeInterface, t.Qualified, code.UniqueName) {
				out = append(out, ifaces[j])
			}
		}
	}
	return out, nil
}

// holders are the fields and variables that have an interface for their type.
func (b *hierarchySearch) holders(iface *view.Symbol) error {
	count, err := b.s.Index.NameCount(iface.Name)
	if err != nil {
		return err
	}
	if count.Files > maxRelatedDefs {
		b.cut = true
		return nil
	}
	refs, err := References(b.ctx, b.s, []view.Symbol{*iface})
	if err != nil {
		return err
	}
	told := 0
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
				told++
			}
			if told == MaxBehind {
				b.cut = true
				return nil
			}
		}
	}
	return nil
}

// method finds the methods above and below one: of the interfaces and bases of
// its type, and of the types below.
func (b *hierarchySearch) method(t *view.Symbol, n graph.Node) error {
	above, _ := b.s.Binding().Overridden(n, t.Symbol.Container(), t.Name)
	for _, d := range above {
		row, ok, err := b.s.Index.Symbol(code.SymbolID{File: d.File.ID, Ord: d.Ord})
		if err != nil {
			return err
		}
		if ok {
			row.Path = d.File.Path
			b.add(view.RowSymbol(&row), RelativeInterface, t.Qualified, code.ImportResolved)
		}
	}
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
	iface := owner.Kind == code.KindInterface
	if iface && len(exactly) > 0 {
		return nil
	}
	types, err := b.typesWith(t, !iface)
	if err != nil {
		return err
	}
	for i := range types {
		small, big := &owner, &types[i]
		if !iface {
			small, big = big, small
		}
		wanted, err := b.methods(small)
		if err != nil {
			return err
		}
		fits, err := b.satisfies(big, wanted)
		if err != nil {
			return err
		}
		if !fits {
			continue
		}
		m, ok, err := b.methodOf(&types[i], t.Name)
		if err != nil {
			return err
		}
		if ok {
			rel := RelativeInterface
			if iface {
				rel = RelativeOverrides
			}
			b.add(m, rel, t.Qualified, code.UniqueName)
		}
	}
	return nil
}

// overriding are the methods of a name whose type inherits from the target's.
func (b *hierarchySearch) overriding(t *view.Symbol, n graph.Node) error {
	rows, err := b.s.Index.SymbolsNamed(t.Name)
	if err != nil {
		return err
	}
	if len(rows) > maxRelatedDefs {
		rows, b.cut = rows[:maxRelatedDefs], true
	}
	for i := range rows {
		row := &rows[i]
		other, ok := b.s.Lookup.NodeByID(row.FileID)
		if !ok || row.Parent < 0 || graph.Family(other.Lang) != graph.Family(n.Lang) || row.ID().Pack() == t.ID {
			continue
		}
		above, _ := b.s.Binding().Overridden(other, row.Symbol.Container(), row.Name)
		if slices.ContainsFunc(above, func(d infer.Decl) bool { return code.SymbolID{File: d.File.ID, Ord: d.Ord}.Pack() == t.ID }) {
			b.add(view.RowSymbol(row), RelativeOverrides, t.Qualified, code.ImportResolved)
		}
	}
	return nil
}

// owner is the type a method belongs to.
func (b *hierarchySearch) owner(m *view.Symbol) (view.Symbol, bool, error) {
	key := code.Dir(m.Path) + "\x00" + m.Symbol.Container()
	if o, ok := b.owners[key]; ok {
		if o == nil {
			return view.Symbol{}, false, nil
		}
		return *o, true, nil
	}
	b.owners[key] = nil
	rows, err := b.s.Index.SymbolsNamed(lastName(m.Symbol.Container()))
	if err != nil {
		return view.Symbol{}, false, err
	}
	slices.SortStableFunc(rows, func(x, y store.SymbolRow) int {
		return cmp.Compare(BoolInt(x.Path != m.Path), BoolInt(y.Path != m.Path))
	})
	for i := range rows {
		if rows[i].Kind.IsType() && code.Dir(rows[i].Path) == code.Dir(m.Path) && rows[i].Qualified == m.Symbol.Container() {
			o := view.RowSymbol(&rows[i])
			b.owners[key] = &o
			return o, true, nil
		}
	}
	return view.Symbol{}, false, nil
}

func lastName(qualified string) string {
	for i := len(qualified) - 1; i >= 0; i-- {
		if qualified[i] == '.' {
			return qualified[i+1:]
		}
	}
	return qualified
}

// methods are those of a Go type: of an interface its own, of another type all
// its package declares.
func (b *hierarchySearch) methods(t *view.Symbol) ([]view.Symbol, error) {
	list, ok := b.owned[t.ID]
	if ok {
		return list, nil
	}
	list, err := b.readMethods(t)
	b.owned[t.ID] = list
	return list, err
}

func (b *hierarchySearch) readMethods(t *view.Symbol) ([]view.Symbol, error) {
	n, _ := b.s.Lookup.Node(t.Path)
	files := []int64{code.UnpackSymbolID(t.ID).File}
	if t.Kind != code.KindInterface {
		list, err := b.s.Index.PackageFiles("go", n.Package)
		if err != nil {
			return nil, err
		}
		files = files[:0]
		for _, f := range list {
			if code.Dir(f.Path) == code.Dir(t.Path) {
				files = append(files, f.ID)
			}
		}
	}
	var out []view.Symbol
	for _, id := range files {
		rows, err := b.s.Index.Symbols(id)
		if err != nil {
			return nil, err
		}
		node, _ := b.s.Lookup.NodeByID(id)
		for i := range rows {
			if rows[i].Kind == code.KindMethod && rows[i].Symbol.Container() == t.Qualified {
				rows[i].Path = node.Path
				out = append(out, view.RowSymbol(&rows[i]))
			}
		}
	}
	return out, nil
}

func (b *hierarchySearch) methodOf(t *view.Symbol, name string) (view.Symbol, bool, error) {
	list, err := b.methods(t)
	i := slices.IndexFunc(list, func(m view.Symbol) bool { return m.Name == name })
	if i < 0 {
		return view.Symbol{}, false, err
	}
	return list[i], true, err
}

// satisfies reports whether a type has methods of these names and numbers of
// parameters.
func (b *hierarchySearch) satisfies(t *view.Symbol, wanted []view.Symbol) (bool, error) {
	if len(wanted) == 0 {
		return false, nil
	}
	has, err := b.methods(t)
	if err != nil {
		return false, err
	}
	for i := range wanted {
		j := slices.IndexFunc(has, func(m view.Symbol) bool { return m.Name == wanted[i].Name })
		if j < 0 || paramCount(has[j].Signature) != paramCount(wanted[i].Signature) {
			return false, nil
		}
	}
	return true, nil
}

// paramCount counts the parameters of a Go method by its signature: the commas
// at the top of the parentheses behind its name.
func paramCount(sig string) int {
	depth, commas, start, any := 0, 0, -1, false
	for i := 0; i < len(sig); i++ {
		switch c := sig[i]; c {
		case '(', '[', '{':
			if c == '(' && start < 0 && opensParams(sig[:i]) {
				start, depth = i, 0
			} else if start >= 0 {
				depth++
			}
		case ')', ']', '}':
			if start >= 0 && depth == 0 {
				if any {
					return commas + 1
				}
				return 0
			}
			depth--
		case ',':
			if start >= 0 && depth == 0 {
				commas++
			}
		case ' ':
		default:
			any = any || start >= 0
		}
	}
	return 0
}

// opensParams reports whether a bracket behind a text opens a list of parameters:
// it follows a name, or the type parameters of one, and not the word func.
func opensParams(before string) bool {
	if before == "" || hasWord(before, "func") {
		return false
	}
	last := before[len(before)-1]
	return NameByte(last) || last == ']'
}

func hasWord(s, word string) bool { return len(s) >= len(word) && s[len(s)-len(word):] == word }

// typesWith are the Go types that declare a method of a name: interfaces, or
// the others.
func (b *hierarchySearch) typesWith(m *view.Symbol, iface bool) ([]view.Symbol, error) {
	rows, err := b.s.Index.SymbolsNamed(m.Name)
	if err != nil {
		return nil, err
	}
	if len(rows) > maxRelatedDefs {
		rows, b.cut = rows[:maxRelatedDefs], true
	}
	var out []view.Symbol
	met := map[string]bool{}
	for i := range rows {
		row := &rows[i]
		node, ok := b.s.Lookup.NodeByID(row.FileID)
		if !ok || row.Kind != code.KindMethod || !lang.Of(node.Lang).ImplicitInterfaces {
			continue
		}
		owning := code.Dir(row.Path) + "\x00" + row.Symbol.Container() // the type it is a method of
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

func BoolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// NameByte knows the letters of names: prose in scripts without blanks between
// words is no part of one.
func NameByte(c byte) bool {
	switch {
	case c == '_', '0' <= c && c <= '9', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		return true
	}
	return false
}
