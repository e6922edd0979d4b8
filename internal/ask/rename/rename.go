// Package rename finds the places that a rename must change: the declarations of a name and of the members that share it, its
// references, imports and exports, each sure or unsure with the reason (rename.go), and the patch that changes some of them
// (patch.go). Nothing is written: the patch is for git. Its neighbour ask/refs finds the uses.
package rename

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"unicode"

	"ken/internal/ask/imported"
	"ken/internal/ask/refs"
	"ken/internal/ask/unused"
	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/bind"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// Place is an occurrence of a name that a rename must change.
type Place struct {
	Path       string
	Line       uint32
	Start, End uint32 // bytes of the name in the file
	Kind       string // definition, the kind of the reference, or that of what is none and is written with the name
	Confidence code.Confidence
	Through    string // as in view.Reference
	// Unsure is the reason why it may have to stay as it is, "" if it is sure.
	Unsure string
	// line is the text of its line without the line feed, secrets masked; at is the
	// offset of the line.
	line []byte
	at   int
	last bool // no line feed follows
	// stored is set for a reference of the index, typed for one that a type checker or another indexer has bound.
	stored, typed bool
	// other is set for a place of another name, which is to be looked at.
	other bool
	// short is 1 more than where the short form of a field begins (`{ x }` for `{ x: x }`), 0
	// elsewhere: the variable of its name stays.
	short int
}

// Answer is the result of Places.
type Answer struct {
	Places  []Place       // by path and place
	Targets []view.Symbol // the declarations that are renamed together
	// Outside is set if a declaration overrides or implements a member of a type outside
	// the repository, so that it must keep its name.
	Outside bool
	Taken   []view.Symbol // declarations beside the targets that have the new name already
	// Apart are declarations of the name that are not related to the first one. If there
	// are some, no places are looked for, because they are not renamed together.
	Apart []view.Symbol
	// Files are renamed with a type that must be in a file of its name (Java): old path
	// to new.
	Files map[string]string
	// Named are the places that name the targets and are no references. Those of them that can mean nothing else are Places.
	Named unused.Named
}

const kindDefinition = "definition"

// The reasons why a place is unsure.
const (
	byName    = "bound by its name alone"
	oneOf     = "one of several definitions"
	masked    = "its line holds a masked value"
	changed   = "its file has changed"
	inherited = "it belongs to a member of a type outside the repository"
	taken     = "another declaration has the new name there"
	unparsed  = "in code that could not be parsed"
	accessor  = "it uses an accessor, whose name comes from this one"
	unproven  = "another definition fits better, but nothing proves it"
)

// Places returns the places that a rename of targets to a new name must change. It returns an error if the index or a file cannot be
// read or ctx ends.
func Places(ctx context.Context, s *view.Snapshot, targets []view.Symbol, to string) (Answer, error) {
	x := search{ctx: ctx, s: s, to: to}
	if err := x.family(targets); err != nil {
		return Answer{}, err
	}
	if len(x.out.Apart) > 0 {
		return x.out, nil
	}
	for i := range x.out.Targets {
		x.definition(&x.out.Targets[i])
	}
	if err := x.uses(); err != nil {
		return Answer{}, err
	}
	if err := x.written(); err != nil {
		return Answer{}, err
	}
	if err := x.findTaken(); err != nil {
		return Answer{}, err
	}
	x.files()
	if len(x.out.Taken) > 0 {
		for i := range x.out.Places {
			x.out.Places[i].Unsure = cmp.Or(x.out.Places[i].Unsure, taken)
		}
	}
	slices.SortFunc(x.out.Places, func(a, b Place) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Start, b.Start), cmp.Compare(b.Confidence, a.Confidence))
	})
	x.out.Places = slices.CompactFunc(x.out.Places, func(a, b Place) bool { return a.Path == b.Path && a.Start == b.Start })
	if err := x.readLines(); err != nil {
		return Answer{}, err
	}
	err := x.check()
	return x.out, err
}

type search struct {
	ctx   context.Context
	s     *view.Snapshot
	to    string
	out   Answer
	texts textReader
}

func (a *Answer) sort() {
	slices.SortStableFunc(a.Places, func(a, b Place) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Start, b.Start)) })
}

// TopLevel returns the top-level declarations among targets, if the query names a path
// and nothing between that and the name, else all: members can be named exactly in
// another way.
func TopLevel(targets []view.Symbol, query string) []view.Symbol {
	i := strings.LastIndexByte(query, ':')
	var top []view.Symbol
	for _, t := range targets {
		if i > 0 && t.Qualified == query[i+1:] {
			top = append(top, t)
		}
	}
	if len(top) == 0 {
		return targets
	}
	return top
}

// family gathers the declarations that must keep one name: for a member all that it overrides or implements and all that override or
// implement those; for a type its constructors, where they have its name.
func (x *search) family(targets []view.Symbol) error {
	met := map[int64]bool{}
	var queue []view.Symbol
	add := func(sym view.Symbol) {
		if !met[sym.ID] && sym.Name == targets[0].Name {
			met[sym.ID] = true
			queue = append(queue, sym)
		}
	}
	for i := range targets {
		if x.beside(&targets[i], &targets[0]) { // overloads, and a declaration and its definition
			add(targets[i])
		}
	}
	for i := 0; i < len(queue); i++ {
		t := queue[i]
		x.out.Targets = append(x.out.Targets, t)
		if err := x.constructors(&t, add); err != nil {
			return err
		}
		if err := x.prototypes(&t, add); err != nil {
			return err
		}
		if err := x.twins(&t, add); err != nil {
			return err
		}
		n, _ := x.s.Lookup.Node(t.Path)
		isAssociated := t.Kind == code.KindType && t.Symbol.Container() != "" && lang.Of(n.Lang).HasImplBlocks()
		if lang.Of(n.Lang).HasImplBlocks() {
			related, outside, err := refs.Unnamed(x.ctx, x.s, &t)
			if err != nil {
				return err
			}
			x.out.Outside = x.out.Outside || outside
			for j := range related {
				add(related[j])
			}
		}
		if !isAssociated && (t.Symbol.Container() == "" || t.Kind.IsType() || t.Kind == code.KindModule) {
			continue
		}
		overriding := refs.Overriding
		if isAssociated {
			overriding = refs.AssociatedTypes
		}
		related, outside, err := overriding(x.ctx, x.s, &t)
		if err != nil {
			return err
		}
		x.out.Outside = x.out.Outside || outside
		for j := range related {
			add(related[j])
		}
	}
	for i := range targets {
		if !met[targets[i].ID] {
			x.out.Apart = append(x.out.Apart, targets[i])
		}
	}
	return nil
}

// beside reports whether two declarations of one name would be the same thing to their users: they are in the same type, or at the top of
// the same file or of files that share a scope.
func (x *search) beside(a, b *view.Symbol) bool {
	if a.Symbol.Container() != b.Symbol.Container() || x.namespaces(a) != x.namespaces(b) {
		return false
	}
	m, _ := x.s.Lookup.Node(a.Path)
	n, _ := x.s.Lookup.Node(b.Path)
	isLinked := m.Traits().Prototypes && !fileStatic(a) && !fileStatic(b)
	return isLinked || m.ID == n.ID || graph.SameScope(&m, &n)
}

// namespaces returns the names around a declaration that its qualified name leaves out.
func (x *search) namespaces(t *view.Symbol) string {
	return x.s.Details.Namespaces(code.UnpackSymbolID(t.ID).File, t.Parent)
}

// constructors adds the constructors of a type, and the type of a constructor.
func (x *search) constructors(t *view.Symbol, add func(view.Symbol)) error {
	if t.Kind == code.KindConstructor {
		return x.addNamed(t, add, func(o *view.Symbol) bool {
			return o.Kind.IsType() && o.Path == t.Path && o.Qualified == t.Symbol.Container()
		})
	}
	if !t.Kind.IsType() {
		return nil
	}
	rows, err := x.s.Index.Symbols(code.UnpackSymbolID(t.ID).File)
	for i := range rows {
		if rows[i].Kind == code.KindConstructor && rows[i].Symbol.Container() == t.Qualified {
			rows[i].Path = t.Path
			add(view.RowSymbol(&rows[i]))
		}
	}
	return err
}

// twins adds the declarations that are one thing with another: for other platforms, in a stub file, in other parts of a class.
func (x *search) twins(t *view.Symbol, add func(view.Symbol)) error {
	named, err := x.s.NameDefinitions(t.Name)
	if err != nil {
		return err
	}
	if def, ok := named.Binder.Definition(code.UnpackSymbolID(t.ID)); ok {
		for _, i := range named.Binder.Together(def) {
			add(named.Syms[i])
		}
	}
	return nil
}

// prototypes adds, where functions are declared apart from their definition (C), the declarations in headers of a definition, and the
// definitions of a declaration, and a macro of its name. Static functions belong to their file.
func (x *search) prototypes(t *view.Symbol, add func(view.Symbol)) error {
	n, _ := x.s.Lookup.Node(t.Path)
	if !lang.Of(n.Lang).Prototypes || fileStatic(t) {
		return nil
	}
	return x.addNamed(t, add, func(o *view.Symbol) bool {
		isMacro := o.Kind == code.KindMacro || t.Kind == code.KindMacro // which renames the other under a condition
		isKin := isMacro || !t.Kind.IsType() && o.Kind.IsFunction() == t.Kind.IsFunction()
		same := isKin && o.Qualified == t.Qualified && x.namespaces(o) == x.namespaces(t)
		return same && !fileStatic(o) && (isHeader(t.Path) || isHeader(o.Path))
	})
}

// fileStatic reports whether a declaration in C is visible in its file only.
func fileStatic(t *view.Symbol) bool {
	return t.Symbol.Container() == "" && strings.HasPrefix(t.Signature, "static ")
}

func isHeader(p string) bool { return strings.HasPrefix(path.Ext(p), ".h") }

// addNamed calls add for the declarations with the name of a target, in its family of languages, that fits accepts.
func (x *search) addNamed(t *view.Symbol, add func(view.Symbol), fits func(*view.Symbol) bool) error {
	n, _ := x.s.Lookup.Node(t.Path)
	rows, err := x.s.SymbolsNamed(t.Name)
	for i := range rows {
		o, ok := x.s.Lookup.NodeByID(rows[i].FileID)
		if sym := view.RowSymbol(&rows[i]); ok && graph.Family(o.Lang) == graph.Family(n.Lang) && fits(&sym) {
			add(sym)
		}
	}
	return err
}

func (x *search) definition(t *view.Symbol) {
	p := Place{
		Path: t.Path, Line: t.Span.Line, Start: t.NameStart, End: t.NameStart + uint32(len(t.Name)), Kind: kindDefinition, Confidence: code.Exact,
	}
	if x.out.Outside {
		p.Unsure = inherited
	}
	x.out.Places = append(x.out.Places, p)
}

// uses adds the references, imports and exports of the targets.
func (x *search) uses() error {
	found, err := refs.ReferencesAndDropped(x.ctx, x.s, x.out.Targets)
	if err != nil {
		return err
	}
	imports, err := imported.Uses(x.ctx, x.s, x.out.Targets)
	if err != nil {
		return err
	}
	found.Dropped = slices.DeleteFunc(found.Dropped, func(r view.Reference) bool { return r.Dropped.Proves() })
	for _, r := range slices.Concat(found.List, found.Dropped, imports) {
		p := Place{
			Path: r.Path, Line: r.Line, Start: r.Start, End: r.End, Kind: r.Kind.String(), Confidence: r.Confidence, Through: r.Through,
			stored: r.Kind.IsStored(), typed: r.By != "", other: r.Accessor != "",
		}
		switch {
		case p.other:
			p.Unsure = accessor
		case r.Kind == code.RefUnparsed:
			p.Unsure = unparsed
		case r.Dropped != bind.NoReason:
			p.Unsure = unproven
		case r.Confidence == code.Ambiguous && r.Through == "" && !r.Settled:
			p.Unsure = oneOf
		case r.Confidence == code.UniqueName && r.Through == "":
			p.Unsure = byName
		case x.out.Outside:
			p.Unsure = inherited
		}
		x.out.Places = append(x.out.Places, p)
	}
	return nil
}

// written adds the places that are no references and can mean nothing but the targets.
func (x *search) written() (err error) {
	if x.out.Named, err = unused.Unread(x.ctx, x.s, x.out.Targets, x.to); err != nil {
		return err
	}
	for _, w := range x.out.Named.Written {
		p := Place{Path: w.Path, Start: w.Start, End: w.Start + uint32(len(x.out.Targets[0].Name)), Kind: w.Kind, Confidence: code.Exact}
		if x.out.Outside {
			p.Unsure = inherited
		}
		x.out.Places = append(x.out.Places, p)
	}
	return nil
}

// files records the files that have the name of a renamed type, where the language requires that of a public one.
func (x *search) files() {
	x.out.Files = map[string]string{}
	for i := range x.out.Targets {
		t := &x.out.Targets[i]
		n, _ := x.s.Lookup.Node(t.Path)
		ext := path.Ext(t.Path)
		if t.Kind.IsType() && t.Symbol.Container() == "" && lang.Of(n.Lang).TypeNamesFile && path.Base(t.Path) == t.Name+ext {
			x.out.Files[t.Path] = strings.TrimSuffix(t.Path, t.Name+ext) + x.to + ext
		}
	}
}

// findTaken finds the declarations that have the new name already beside a target: in the same type, or at the top of the same file or
// package.
func (x *search) findTaken() error {
	rows, err := x.s.SymbolsNamed(x.to)
	if err != nil {
		return err
	}
	for i := range rows {
		row := &rows[i]
		if slices.ContainsFunc(x.out.Targets, func(t view.Symbol) bool {
			sym := view.RowSymbol(row)
			return x.beside(&sym, &t)
		}) {
			x.out.Taken = append(x.out.Taken, view.RowSymbol(row))
		}
	}
	return nil
}

// IsName reports whether a text can be the name of a declaration in some language.
func IsName(s string) bool {
	for i, c := range strings.TrimRight(s, "?!") {
		switch {
		case unicode.IsLetter(c), c == '_', c == '$':
		case i > 0 && unicode.IsDigit(c):
		default:
			return false
		}
	}
	return s != "" && s[0] != '?' && s[0] != '!'
}
