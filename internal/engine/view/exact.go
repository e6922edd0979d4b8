package view

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"ken/internal/code"
	"ken/internal/engine/exact"
	"ken/internal/engine/gotypes"
	"ken/internal/engine/graph/bind"
	"ken/internal/engine/store"
	"ken/internal/engine/update/fingerprint"
)

// ExactInfo counts the files and references that have exact bindings, which a type checker or another indexer computed.
type ExactInfo struct {
	Packages int // Go package directories of the repository's own, looked at or not
	Covered  int // packages whose bindings are current
	Stale    int // packages put aside because of changes since
	Failed   int // packages that could not be checked
	Files    int // files with bindings that hold, of any origin
	Refs     int // references in those files
	GoFiles  int // all Go files, and the references in them
	GoRefs   int
	GoBound  int       // references in Go files with bindings that hold
	Imported int       // documents of imported indexes that hold
	Oldest   time.Time // when the oldest and the newest current bindings were made
	Newest   time.Time
}

// hasExactBindings reports whether the index has exact bindings, and prepares reading them.
func (s *Snapshot) hasExactBindings() (bool, error) {
	x := &s.exact
	if x.read {
		return x.on, nil
	}
	var err error
	if x.on, err = s.Index.HasExact(); err != nil || !x.on {
		x.read = err == nil
		return false, err
	}
	x.valid, x.own, x.impls = map[int64]bool{}, map[int64]bool{}, map[int64][]Symbol{}
	_, x.prints, err = fingerprint.ReadKeys(s.Index)
	x.read = err == nil
	return x.on, err
}

// isUnitCurrent reports whether the bindings of a unit are up to date, because the things that they depend on have not changed. A unit is a
// set of files that were type-checked together.
func (s *Snapshot) isUnitCurrent(id int64) (bool, error) {
	if v, ok := s.exact.valid[id]; ok {
		return v, nil
	}
	u, ok, err := s.Index.ExactUnit(id)
	if err != nil {
		return false, err
	}
	v := ok && fingerprint.DepsPrint(u.Deps, s.exact.prints) == u.Print
	s.exact.valid[id] = v
	s.exact.own[id] = u.Origin == store.FromSCIP && strings.HasPrefix(u.Env, OwnTool+" ")
	return v, nil
}

// BindExactly finds the definition of a reference: from the exact bindings of its file if they cover it, else by the
// rules of the binder. by is the source of the exact binding, "" for the binder.
func BindExactly(b *bind.Binder, t *Site, r *code.Ref) (got bind.Binding, by string) {
	target, from := t.ExactTarget(r)
	if from == nil {
		return b.Bind(&t.Site, r), ""
	}
	got = bind.Binding{Decided: true, Confidence: code.Exact}
	if from.own { // SCIP has no confidence; a guess must not become a fact by an export and an import
		got.Confidence = code.ImportResolved
	}
	id := code.UnpackSymbolID(target)
	got.Reason = bind.Checked
	if i, ok := b.Definition(id); ok && target != 0 {
		got.Defs = []int{i}
	}
	return got, from.by.String()
}

// Dispatch is the set of methods that a call through an interface may run.
type Dispatch struct {
	// Via maps the id of an interface's method to those wanted methods
	// that implement it. count holds the number of all methods that do.
	Via   map[int64][]*Symbol
	count map[int64]int
}

// Confidence returns the confidence that a call of an interface's method means a certain one of its implementations.
func (d *Dispatch) Confidence(method int64) code.Confidence {
	if d.count[method] == 1 {
		return code.UniqueName
	}
	return code.Ambiguous
}

// DispatchTo finds the interface methods through which the wanted methods, all of one name, can be called. It compares
// the method sets of all types that were checked. It returns an error if ctx ends or the index cannot be read.
func (s *Snapshot) DispatchTo(ctx context.Context, name string, wanted []*Symbol) (Dispatch, error) {
	d := Dispatch{Via: map[int64][]*Symbol{}, count: map[int64]int{}}
	on, err := s.hasExactBindings()
	if err != nil || !on || !slices.ContainsFunc(wanted, func(t *Symbol) bool { return t.Kind == code.KindMethod }) {
		return d, err
	}
	ifaces, err := s.typesWith(name, true)
	if err != nil || len(ifaces) == 0 {
		return d, err
	}
	concrete, err := s.typesWith(name, false)
	if err != nil {
		return d, err
	}
	for _, i := range ifaces {
		if err := ctx.Err(); err != nil {
			return d, err
		}
		im, _ := exact.MethodNamed(i.methods, name)
		if im.Target == 0 {
			continue
		}
		met := map[int64]bool{}
		for _, c := range concrete {
			cm, ok := implementingMethod(&c, &i, name, im.Print)
			if !ok || met[cm.Target] {
				continue
			}
			met[cm.Target] = true
			for _, t := range wanted {
				if t.ID == cm.Target && !slices.Contains(d.Via[im.Target], t) {
					d.Via[im.Target] = append(d.Via[im.Target], t)
				}
			}
		}
		d.count[im.Target] = max(d.count[im.Target], len(met))
	}
	return d, nil
}

type typeMethods struct {
	id      code.SymbolID
	methods []exact.Method
}

// implementingMethod returns the method by which type c implements a method of the interface iface: a method
// of the repository that has the name and print, the fingerprint of the method's signature.
func implementingMethod(c, iface *typeMethods, name string, print uint64) (exact.Method, bool) {
	m, ok := exact.MethodNamed(c.methods, name)
	if !ok || m.Target == 0 || m.Print != print {
		return m, false
	}
	return m, exact.Implements(c.methods, iface.methods)
}

// typesWith returns the types, or the interfaces if iface is set, that have a method of the name, in packages whose exact bindings are up
// to date.
func (s *Snapshot) typesWith(name string, iface bool) ([]typeMethods, error) {
	rows, err := s.Index.ExactTypes(name, iface)
	if err != nil {
		return nil, err
	}
	var out []typeMethods
	for i := range rows {
		if ok, err := s.isUnitCurrent(rows[i].Unit); err != nil {
			return nil, err
		} else if !ok {
			continue
		}
		m, err := exact.DecodeMethods(rows[i].Methods)
		if err != nil {
			return nil, err
		}
		out = append(out, typeMethods{rows[i].Type, m})
	}
	return out, nil
}

// Implementers returns the methods that a call of an interface's method may run, sorted by path and line: the methods
// of the types that implement it, in the packages that `ken index --exact` checked. It returns an error if the index
// cannot be read.
func (s *Snapshot) Implementers(ctx context.Context, method *Symbol) ([]Symbol, error) {
	on, err := s.hasExactBindings()
	if err != nil || !on || method.Kind != code.KindMethod {
		return nil, err
	}
	if list, ok := s.exact.impls[method.ID]; ok {
		return list, nil
	}
	list, err := s.implementers(ctx, method)
	if err == nil {
		s.exact.impls[method.ID] = list
	}
	return list, err
}

func (s *Snapshot) implementers(ctx context.Context, method *Symbol) ([]Symbol, error) {
	ifaces, err := s.typesWith(method.Name, true)
	if err != nil {
		return nil, err
	}
	var ids []int64
	for _, i := range ifaces {
		im, ok := exact.MethodNamed(i.methods, method.Name)
		if !ok || im.Target != method.ID {
			continue
		}
		concrete, err := s.typesWith(method.Name, false)
		if err != nil {
			return nil, err
		}
		for _, c := range concrete {
			if cm, ok := implementingMethod(&c, &i, method.Name, im.Print); ok && !slices.Contains(ids, cm.Target) {
				ids = append(ids, cm.Target)
			}
		}
	}
	return s.symbolsByID(ids)
}

// symbolsByID returns symbols by their ids, sorted by path and line, without Doc, Params and Returns.
func (s *Snapshot) symbolsByID(ids []int64) ([]Symbol, error) {
	var out []Symbol
	for _, id := range ids {
		row, ok, err := s.Index.Symbol(code.UnpackSymbolID(id))
		if err != nil {
			return nil, err
		}
		p, err := s.Index.PathByID(code.UnpackSymbolID(id).File)
		if err != nil {
			return nil, err
		}
		if ok && p != "" {
			out = append(out, Symbol{Symbol: row.Symbol, ID: id, Path: p})
		}
	}
	slices.SortFunc(out, func(a, b Symbol) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Span.Start, b.Span.Start))
	})
	return out, nil
}

// ExactInfo counts the exact bindings. It returns an error if the index cannot be read.
func (s *Snapshot) ExactInfo(context.Context) (ExactInfo, error) {
	var out ExactInfo
	on, err := s.hasExactBindings()
	if err != nil || !on {
		return out, err
	}
	if out.GoFiles, out.GoRefs, err = s.Index.LangRefs("go"); err != nil {
		return out, err
	}
	known, dirs := map[string]bool{}, []string(nil)
	if dirs, err = s.Index.LangDirs("go"); err != nil {
		return out, err
	}
	types, scip := map[int64]bool{}, map[int64]bool{}
	for u, err := range s.Index.ExactUnits() {
		if err != nil {
			return out, err
		}
		holds := u.Problem == "" && fingerprint.DepsPrint(u.Deps, s.exact.prints) == u.Print
		if u.Origin == store.FromTypes && u.Part == 0 {
			known[u.Name] = true
			out.add(&u, holds)
		}
		if !holds {
			continue
		}
		if u.Origin == store.FromTypes {
			types[u.ID] = true
		} else {
			scip[u.ID] = true
		}
		made := time.Unix(u.Made, 0)
		if out.Oldest.IsZero() || made.Before(out.Oldest) {
			out.Oldest = made
		}
		if made.After(out.Newest) {
			out.Newest = made
		}
	}
	for _, d := range dirs {
		if len(types) > 0 && !known[d] && fingerprint.IsOwnPackage(d) {
			out.Packages++ // not looked at yet
		}
	}
	counts, err := s.Index.ExactCounts()
	if err != nil {
		return out, err
	}
	for _, c := range counts {
		switch {
		case types[c.Unit]:
			out.GoBound += c.Refs
		case scip[c.Unit]:
			out.Imported += c.Files
		default:
			continue
		}
		out.Files, out.Refs = out.Files+c.Files, out.Refs+c.Refs
	}
	return out, nil
}

func (out *ExactInfo) add(u *store.ExactUnit, holds bool) {
	if u.Problem == gotypes.NoFiles {
		return // tests alone, or files for other platforms
	}
	out.Packages++
	switch {
	case holds:
		out.Covered++
	case u.Problem != "":
		out.Failed++
	default:
		out.Stale++
	}
}

// ThroughInterface returns references to the methods that implement the target of ref, if that is a method of an interface. It returns
// an error if the index cannot be read.
func (s *Snapshot) ThroughInterface(ctx context.Context, ref Reference) ([]Reference, error) {
	impls, err := s.Implementers(ctx, ref.Target)
	conf := code.Ambiguous
	if len(impls) == 1 {
		conf = code.UniqueName
	}
	out := make([]Reference, len(impls))
	for i := range impls {
		out[i] = ref
		out[i].Target, out[i].Confidence, out[i].By = &impls[i], conf, ByInterface
	}
	return out, err
}
