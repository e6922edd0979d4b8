// Package bind decides what the references of code mean: which definitions a
// name is bound to, and how surely. bind.go is the way common to most languages;
// families.go is the table of those families of languages that need steps of
// their own, which the other files hold. Its neighbours are engine/graph, whose
// links it follows, graph/infer, which finds the types of receivers, and
// engine/references.go, which asks.
package bind

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/infer"
	"ken/internal/lang"
)

// Binding is what a reference turned out to be bound to.
type Binding struct {
	Defs       []int // indexes of the definitions meant; several if it cannot be told which
	Confidence code.Confidence
	// Decided is set if more than the bare name spoke: the reference is bound to
	// Defs, or, where Defs is empty, certainly to something else.
	Decided bool
}

// Binder decides what references of one name, in one file after the other, are
// bound to. The tier that depends on how many definitions have the name is
// computed here, when a question is asked, so that storing a new definition
// costs nothing elsewhere. Not safe for concurrent use.
type Binder struct {
	k     *graph.Linker
	files graph.Lookup
	types *infer.Types
	defs  []graph.Def
	// The definitions by file, by directory, and members by the last segment of
	// their type: a name like String has thousands.
	byFile  map[int64][]int
	byDir   map[string][]int
	byType  map[string][]int
	members map[memberGuess]Binding
	spaces  map[int64][]string // namespaces each file looks types up in
	// steps are those of lang, the language of the file asked about last.
	steps *steps
	lang  code.Lang
}

// memberGuess is what the guess of a member by name depends on.
type memberGuess struct {
	family string
	call   bool
}

// New makes a binder for the definitions of one name. defs must hold every
// definition of that name.
func New(types *infer.Types, defs []graph.Def) *Binder {
	b := &Binder{
		k: types.Linker(), files: types.Linker().Files(), types: types, defs: defs,
		byFile: map[int64][]int{}, byDir: map[string][]int{}, byType: map[string][]int{},
		members: map[memberGuess]Binding{}, spaces: map[int64][]string{},
	}
	for i := range defs {
		d := &defs[i]
		b.byFile[d.File.ID] = append(b.byFile[d.File.ID], i)
		dir := code.Dir(d.File.Path)
		b.byDir[dir] = append(b.byDir[dir], i)
		t := code.LastSegment(d.Container)
		b.byType[t] = append(b.byType[t], i)
	}
	return b
}

// Bind decides one reference.
func (b *Binder) Bind(s *graph.Site, r *code.Ref) Binding {
	if b.steps == nil || b.lang != s.Node.Lang {
		b.lang, b.steps = s.Node.Lang, stepsOf(s.Node.Lang)
	}
	if b.steps.bind != nil {
		return b.steps.bind(b, s, r)
	}
	switch r.Via {
	case code.ViaImport:
		return b.imported(s, r)
	case code.ViaBare:
		return b.bare(s, r)
	case code.ViaLocal:
		return Binding{Defs: b.lexical(s, r), Confidence: code.Exact, Decided: true}
	case code.ViaSelf:
		return b.member(s, r, true)
	case code.ViaTyped:
		return b.member(s, r, false)
	}
	return b.memberByName(s, r)
}

// lexical finds what a name declared inside of functions and types of this very
// file means: the declaration nearest around the reference.
func (b *Binder) lexical(s *graph.Site, r *code.Ref) []int {
	own := b.byFile[s.Node.ID]
	if len(own) < 2 {
		return own
	}
	scope := b.types.Lookup().Qualified(s.Node.ID, r.Scope)
	best := -1
	for _, i := range own {
		if c := b.defs[i].Container; len(c) > best && (c == "" || c == scope || strings.HasPrefix(scope, c+".")) {
			best = len(c)
		}
	}
	if best < 0 {
		return own
	}
	return b.pick(own, func(d *graph.Def) bool {
		return len(d.Container) == best && (best == 0 || d.Container == scope || strings.HasPrefix(scope, d.Container+"."))
	})
}

// pick keeps the definitions of a list that fit.
func (b *Binder) pick(list []int, ok func(*graph.Def) bool) []int {
	var out []int
	for _, i := range list {
		if ok(&b.defs[i]) {
			out = append(out, i)
		}
	}
	return out
}

// all lists all definitions.
func (b *Binder) all() []int {
	list := make([]int, len(b.defs))
	for i := range list {
		list[i] = i
	}
	return list
}

// extension reports whether a top-level definition is used like a member (Kotlin).
func extension(d *graph.Def) bool {
	if d.Container != "" || d.Kind != code.KindMethod && d.Kind != code.KindField {
		return false
	}
	return d.File.Traits().TopLevelMethods
}

// memberByName is byName for the members of any type.
func (b *Binder) memberByName(s *graph.Site, r *code.Ref) Binding {
	g := memberGuess{graph.Family(s.Node.Lang), r.Kind == code.RefCall}
	got, ok := b.members[g]
	if !ok {
		got = b.byName(s, r, func(d *graph.Def) bool { return d.Container != "" || extension(d) })
		b.members[g] = got
	}
	return got
}

// byName is the guess by name alone among definitions of the same language family.
func (b *Binder) byName(s *graph.Site, r *code.Ref, ok func(*graph.Def) bool) Binding {
	fits := b.pick(b.all(), func(d *graph.Def) bool { return graph.SameFamily(&d.File, &s.Node) && ok(d) && callable(r, d) })
	switch len(fits) {
	case 0:
		return Binding{Decided: true}
	case 1:
		return Binding{Defs: fits, Confidence: code.UniqueName}
	}
	return Binding{Defs: fits, Confidence: code.Ambiguous}
}

// callable leaves out what a call cannot mean.
func callable(r *code.Ref, d *graph.Def) bool {
	return r.Kind != code.RefCall || d.Kind != code.KindEnumMember && d.Kind != code.KindModule
}

// imported follows the import a reference is bound by.
func (b *Binder) imported(s *graph.Site, r *code.Ref) Binding {
	if r.Import < 0 || int(r.Import) >= len(s.Links) {
		return Binding{}
	}
	link, imp := &s.Links[r.Import], &s.Imports[r.Import]
	if len(link.Dirs) > 0 && link.File == 0 {
		return b.inPackage(s, link, r)
	}
	if link.File == 0 && len(link.Subs) == 0 {
		if b.steps.otherImport != nil {
			if got, ok := b.steps.otherImport(b, s, r); ok {
				return got
			}
		}
		return Binding{Decided: link.External != ""}
	}
	if id, ok := link.Sub(r.Name); ok {
		return b.inFile(id, r.Name)
	}
	for _, sub := range link.Subs {
		if got := b.inFile(sub.File, r.Name); len(got.Defs) > 0 && aliasOf(imp, sub.Name) {
			return got
		}
	}
	if link.File == 0 {
		return Binding{Decided: true}
	}
	name := graph.ExportedName(imp, r.Name)
	if got := b.inFile(link.File, name); len(got.Defs) > 0 && name != "default" {
		return got
	}
	if id, declared, ok := b.k.FollowName(link.File, name); ok {
		return Binding{Defs: b.pick(b.byFile[id], func(d *graph.Def) bool { return d.Name == declared && d.Container == "" }), Confidence: code.ImportResolved, Decided: true}
	}
	if got := b.byFile[link.File]; len(got) > 0 && name != "default" {
		return Binding{Defs: got, Confidence: code.ImportResolved, Decided: true}
	}
	if b.steps.undeclared != nil {
		return Binding{Defs: b.steps.undeclared(b, s, link.File), Confidence: code.ImportResolved, Decided: true}
	}
	return Binding{Decided: true}
}

// aliasOf reports whether a submodule is among the names an import binds.
func aliasOf(imp *code.Import, sub string) bool {
	return slices.ContainsFunc(imp.Names, func(n code.ImportName) bool { return n.Name == sub })
}

// inFile is a top-level declaration of one file.
func (b *Binder) inFile(file int64, name string) Binding {
	return Binding{
		Defs:       b.pick(b.byFile[file], func(d *graph.Def) bool { return d.Container == "" && d.Name == name }),
		Confidence: code.ImportResolved, Decided: true,
	}
}

// inPackage is a top-level declaration in the directories an import names.
func (b *Binder) inPackage(s *graph.Site, link *graph.Link, r *code.Ref) Binding {
	for _, dir := range link.Dirs {
		own := "-"
		if of, ok := s.Node.Tested(); ok && dir == code.Dir(s.Node.Path) {
			own = of.Package
		}
		fits := b.pick(b.byDir[dir], func(d *graph.Def) bool {
			return d.Container == "" && graph.SameFamily(&d.File, &s.Node) && (d.File.Importable() || d.File.Package == own)
		})
		if len(fits) > 0 {
			return Binding{Defs: fits, Confidence: code.ImportResolved, Decided: true}
		}
	}
	return Binding{Decided: true}
}

// bare looks a plain name up where its language would: the file, the package,
// wildcard imports.
func (b *Binder) bare(s *graph.Site, r *code.Ref) Binding {
	traits := s.Node.Traits()
	own := b.pick(b.byFile[s.Node.ID], func(d *graph.Def) bool { return d.Container == "" || traits.BareMembers })
	if len(own) > 0 {
		return Binding{Defs: own, Confidence: code.Exact, Decided: true}
	}
	if fits := b.pick(b.inScope(s.Node), func(d *graph.Def) bool { return d.Container == "" && graph.SameScope(&s.Node, &d.File) }); len(fits) > 0 {
		return Binding{Defs: fits, Confidence: code.ImportResolved, Decided: true}
	}
	for i := range s.Imports {
		if !graph.IsWildcard(&s.Imports[i]) || i >= len(s.Links) {
			continue
		}
		if got := b.throughWildcard(s, &s.Links[i], r.Name); len(got.Defs) > 0 {
			return got
		}
		if got := b.membersOfType(s, &s.Imports[i], &s.Links[i]); len(got.Defs) > 0 {
			return got
		}
		if b.steps.wildcard != nil {
			if got := b.steps.wildcard(b, s, &s.Imports[i], &s.Links[i]); len(got.Defs) > 0 {
				return got
			}
		}
	}
	if b.steps.unseen != nil {
		if got := b.steps.unseen(b, s, r); len(got.Defs) > 0 {
			return got
		}
	}
	switch {
	case traits.BareMembers: // an inherited member, or one of a lambda's receiver
		return b.byName(s, r, func(d *graph.Def) bool { return d.Container != "" && d.File.ID != s.Node.ID })
	case traits.GlobalScripts:
		if got := b.byName(s, r, func(d *graph.Def) bool { return d.Container == "global" || d.Container == "" && b.ambient(d) }); len(got.Defs) > 0 {
			return got
		}
	}
	nested := b.byFile[s.Node.ID]
	if len(nested) > 0 {
		return Binding{Defs: nested, Confidence: code.Exact, Decided: true}
	}
	return Binding{Decided: true}
}

// ambient reports whether a definition stands in a file that neither imports
// nor exports anything: what such a script or declaration file declares at its
// top level is visible everywhere, as is what a file declares global.
func (b *Binder) ambient(d *graph.Def) bool {
	out := b.files.Outward(d.File.ID)
	return len(out.Imports) == 0 && len(out.Exports) == 0
}

// membersOfType are the members of the type a wildcard import names (import a.B.*).
func (b *Binder) membersOfType(s *graph.Site, imp *code.Import, link *graph.Link) Binding {
	if link.File == 0 || !s.Node.Traits().TypeWildcards {
		return Binding{}
	}
	of := b.pick(b.byType[code.LastSegment(imp.Spec)], func(d *graph.Def) bool { return d.File.ID == link.File })
	return Binding{Defs: of, Confidence: code.ImportResolved, Decided: true}
}

func (b *Binder) throughWildcard(s *graph.Site, link *graph.Link, name string) Binding {
	if link.File != 0 {
		if id, declared, ok := b.k.FollowName(link.File, name); ok {
			return Binding{Defs: b.pick(b.byFile[id], func(d *graph.Def) bool { return d.Name == declared && d.Container == "" }), Confidence: code.ImportResolved, Decided: true}
		}
		return Binding{}
	}
	return b.inPackage(s, link, &code.Ref{Name: name})
}

// inScope are the definitions that may share a scope with a file.
func (b *Binder) inScope(n graph.Node) []int {
	switch scope := n.Traits().Scope; {
	case scope.InDirectory():
		return b.byDir[code.Dir(n.Path)]
	case scope == lang.PackageScope:
		return b.all()
	}
	return nil
}

// member looks a member up by the type of its receiver.
func (b *Binder) member(s *graph.Site, r *code.Ref, self bool) Binding {
	if code.IsExpr(r.Recv) {
		if got, ok := b.inferred(s, r); ok {
			return got
		}
		return b.memberByName(s, r)
	}
	recv := r.Recv
	qualifier := ""
	if i := strings.LastIndexByte(recv, '.'); i >= 0 && !self {
		qualifier, recv = recv[:i], recv[i+1:]
	}
	if recv == "" {
		return b.memberByName(s, r)
	}
	of := b.byType[code.LastSegment(recv)]
	if qualifier == "" {
		if fits := b.pick(of, func(d *graph.Def) bool { return d.File.ID == s.Node.ID }); len(fits) > 0 {
			return Binding{Defs: fits, Confidence: code.Exact, Decided: true}
		}
		if fits := b.pick(of, func(d *graph.Def) bool { return graph.SameScope(&s.Node, &d.File) }); len(fits) > 0 {
			return Binding{Defs: fits, Confidence: code.ImportResolved, Decided: true}
		}
	}
	if got, ok := b.importedModule(s, recv, r.Name); ok && qualifier == "" {
		return got
	}
	if got, ok := b.importedType(s, qualifier, recv, of); ok {
		return got
	}
	if b.steps.path != nil {
		if got, ok := b.steps.path(b, s, r.Recv, r.Name); ok {
			return got
		}
	}
	if got, ok := b.wildcardType(s, recv, of); ok && qualifier == "" {
		return got
	}
	if got, ok := b.inferred(s, r); ok {
		return got
	}
	fits := b.pick(of, func(d *graph.Def) bool { return graph.SameFamily(&d.File, &s.Node) })
	if len(fits) == 1 {
		return Binding{Defs: fits, Confidence: code.UniqueName}
	}
	// The type itself has no such member in sight: it may inherit one.
	return b.memberByName(s, r)
}

// importedModule finds a name of a module that an import binds as one of its
// names: `from pkg import mod`, a namespace that is passed on.
func (b *Binder) importedModule(s *graph.Site, recv, name string) (Binding, bool) {
	for i := range s.Imports {
		if i >= len(s.Links) {
			break
		}
		link := &s.Links[i]
		for _, n := range s.Imports[i].Names {
			if n.Alias != recv {
				continue
			}
			file, ok := link.Sub(n.Name)
			if !ok && link.File != 0 {
				file, ok = b.k.Module(link.File, n.Name)
			}
			if ok {
				return b.offered(file, name), true
			}
		}
	}
	return Binding{}, false
}

// offered is what a file offers under a name, its own or passed on.
func (b *Binder) offered(file int64, name string) Binding {
	if got := b.inFile(file, name); len(got.Defs) > 0 {
		return got
	}
	id, declared, ok := b.k.FollowName(file, name)
	if !ok {
		return Binding{Decided: true}
	}
	return b.inFile(id, declared)
}

// wildcardType finds the members of a type that a wildcard import brings in.
func (b *Binder) wildcardType(s *graph.Site, recv string, of []int) (Binding, bool) {
	for i := range s.Imports {
		if i >= len(s.Links) || !graph.IsWildcard(&s.Imports[i]) {
			continue
		}
		link := &s.Links[i]
		file := int64(0)
		if link.File != 0 {
			file, _ = b.k.Follow(link.File, recv)
		}
		fits := b.pick(of, func(d *graph.Def) bool {
			return d.File.ID == file || link.File == 0 && graph.SameFamily(&d.File, &s.Node) && slices.Contains(link.Dirs, code.Dir(d.File.Path))
		})
		if len(fits) > 0 {
			return Binding{Defs: fits, Confidence: code.ImportResolved, Decided: true}, true
		}
	}
	return Binding{}, false
}

// importedType finds the members of a type that an import of the file binds.
func (b *Binder) importedType(s *graph.Site, qualifier, recv string, of []int) (Binding, bool) {
	for i := range s.Imports {
		imp := &s.Imports[i]
		if i >= len(s.Links) || !b.binds(s, imp, &s.Links[i], qualifier, recv) {
			continue
		}
		link := &s.Links[i]
		switch {
		case link.External != "":
			return Binding{Decided: true}, true
		case link.File != 0:
			name := recv
			for _, n := range imp.Names {
				if n.Alias == recv && n.Name != "default" {
					name = n.Name
				}
			}
			file := link.File
			if id, ok := b.k.Follow(link.File, name); ok {
				file = id
			}
			fits := b.pick(b.byType[code.LastSegment(name)], func(d *graph.Def) bool { return d.File.ID == file })
			return Binding{Defs: fits, Confidence: code.ImportResolved, Decided: len(fits) > 0}, len(fits) > 0
		case len(link.Dirs) > 0:
			fits := b.pick(of, func(d *graph.Def) bool { return slices.Contains(link.Dirs, code.Dir(d.File.Path)) })
			return Binding{Defs: fits, Confidence: code.ImportResolved, Decided: len(fits) > 0}, len(fits) > 0
		}
	}
	return Binding{}, false
}

// binds reports whether an import brings the type recv, or its qualifier, into
// the file. An imported Go package goes by the name in its files.
func (b *Binder) binds(s *graph.Site, imp *code.Import, link *graph.Link, qualifier, recv string) bool {
	if qualifier == "" {
		return slices.ContainsFunc(imp.Names, func(n code.ImportName) bool { return n.Alias == recv })
	}
	if s.Node.Traits().ModuleName == lang.PackageClause && imp.Alias == "" && len(link.Dirs) > 0 {
		if pkg, ok := b.k.PackageName(s.Node, link); ok {
			return pkg == qualifier
		}
	}
	return graph.LocalName(imp) == qualifier
}
