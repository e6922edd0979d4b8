package graph

import (
	"slices"
	"strings"

	"ken/internal/code"
)

// Def is a definition a reference may be bound to.
type Def struct {
	File      Node
	Name      string
	Container string // qualified name of the enclosing declaration, "" at the top level
	Kind      code.Kind
	Ord       int32 // place among the file's symbols
	Test      bool
	Extension bool // method that extends a type declared elsewhere (C#)
	// Forward is set on a C prototype or extern variable, Local on what other
	// files do not see.
	Forward, Local bool
}

// Binding is what a reference turned out to be bound to.
type Binding struct {
	Defs       []int // indexes of the definitions meant; several if it cannot be told which
	Confidence code.Confidence
	// Decided is set if more than the bare name spoke: the reference is bound to
	// Defs, or, where Defs is empty, certainly to something else.
	Decided bool
}

// Binder decides what references of one name, in one file after the other, are
// bound to. The tier that depends on how many definitions bear the name is
// computed here, when a question is asked, so that storing a new definition
// costs nothing elsewhere.
type Binder struct {
	k    *Linker
	y    *Types
	defs []Def
	// The definitions by file, by directory, and members by the last segment of
	// their type: a name like String has thousands.
	byFile  map[int64][]int
	byDir   map[string][]int
	byType  map[string][]int
	members map[memberGuess]Binding
	sights  map[int64][]string // namespaces each file looks types up in
}

// memberGuess is what the guess of a member by name depends on.
type memberGuess struct {
	family string
	call   bool
}

// NewBinder makes a binder for the definitions of one name. defs must hold
// every definition of that name.
func NewBinder(y *Types, defs []Def) *Binder {
	b := &Binder{k: y.k, y: y, defs: defs, byFile: map[int64][]int{}, byDir: map[string][]int{}, byType: map[string][]int{}, members: map[memberGuess]Binding{}, sights: map[int64][]string{}}
	for i := range defs {
		d := &defs[i]
		b.byFile[d.File.ID] = append(b.byFile[d.File.ID], i)
		dir := code.Dir(d.File.Path)
		b.byDir[dir] = append(b.byDir[dir], i)
		t := lastSegment(d.Container)
		b.byType[t] = append(b.byType[t], i)
	}
	return b
}

// Site is the file a reference stands in.
type Site struct {
	Node    Node
	Imports []code.Import
	Links   []Link
}

// Family names the languages whose code can call each other without a bridge.
func Family(l code.Lang) string {
	switch l {
	case "typescript", "tsx", "javascript", "jsx", "vue", "svelte":
		return "script"
	case "java", "kotlin", "scala":
		return "jvm"
	case "c", "cpp":
		return "c"
	}
	return string(l)
}

// Bind decides one reference; s.Links may be nil for a file not linked.
func (b *Binder) Bind(s *Site, r *code.Ref) Binding {
	if s.Node.Lang == "ruby" {
		return b.ruby(s, r)
	}
	if namespaced(s.Node.Lang) {
		return b.namespaced(s, r)
	}
	if Family(s.Node.Lang) == "c" {
		return b.inC(s, r)
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
func (b *Binder) lexical(s *Site, r *code.Ref) []int {
	own := b.byFile[s.Node.ID]
	if len(own) < 2 {
		return own
	}
	scope := b.y.d.Qualified(s.Node.ID, r.Scope)
	best := -1
	for _, i := range own {
		if c := b.defs[i].Container; len(c) > best && (c == "" || c == scope || strings.HasPrefix(scope, c+".")) {
			best = len(c)
		}
	}
	if best < 0 {
		return own
	}
	return b.pick(own, func(d *Def) bool {
		return len(d.Container) == best && (best == 0 || d.Container == scope || strings.HasPrefix(scope, d.Container+"."))
	})
}

// pick keeps the definitions of a list that fit.
func (b *Binder) pick(list []int, ok func(*Def) bool) []int {
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
func extension(d *Def) bool {
	return d.Container == "" && Family(d.File.Lang) == "jvm" && (d.Kind == code.KindMethod || d.Kind == code.KindField)
}

// memberByName is byName for the members of any type.
func (b *Binder) memberByName(s *Site, r *code.Ref) Binding {
	g := memberGuess{Family(s.Node.Lang), r.Kind == code.RefCall}
	got, ok := b.members[g]
	if !ok {
		got = b.byName(s, r, func(d *Def) bool { return d.Container != "" || extension(d) })
		b.members[g] = got
	}
	return got
}

// byName is the guess by name alone among definitions of the same language family.
func (b *Binder) byName(s *Site, r *code.Ref, ok func(*Def) bool) Binding {
	fam := Family(s.Node.Lang)
	fits := b.pick(b.all(), func(d *Def) bool { return Family(d.File.Lang) == fam && ok(d) && callable(r, d) })
	switch len(fits) {
	case 0:
		return Binding{Decided: true}
	case 1:
		return Binding{Defs: fits, Confidence: code.UniqueName}
	}
	return Binding{Defs: fits, Confidence: code.Ambiguous}
}

// callable leaves out what a call cannot mean.
func callable(r *code.Ref, d *Def) bool {
	return r.Kind != code.RefCall || d.Kind != code.KindEnumMember && d.Kind != code.KindModule
}

// imported follows the import a reference is bound by.
func (b *Binder) imported(s *Site, r *code.Ref) Binding {
	if r.Import < 0 || int(r.Import) >= len(s.Links) {
		return Binding{}
	}
	link, imp := &s.Links[r.Import], &s.Imports[r.Import]
	if len(link.Dirs) > 0 && link.File == 0 {
		return b.inPackage(s, link, r)
	}
	if link.File == 0 && len(link.Subs) == 0 {
		if got, ok := b.fallback(s, r); ok {
			return got
		}
		return Binding{Decided: link.External != ""}
	}
	if id, ok := link.sub(r.Name); ok {
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
	name := exportedName(imp, r.Name)
	if got := b.inFile(link.File, name); len(got.Defs) > 0 && name != "default" {
		return got
	}
	if id, declared, ok := b.k.FollowName(link.File, name); ok {
		return Binding{Defs: b.pick(b.byFile[id], func(d *Def) bool { return d.Name == declared && d.Container == "" }), Confidence: code.ImportResolved, Decided: true}
	}
	if got := b.byFile[link.File]; len(got) > 0 && name != "default" {
		return Binding{Defs: got, Confidence: code.ImportResolved, Decided: true}
	}
	if s.Node.Lang == "rust" {
		return Binding{Defs: b.crateMacros(link.File), Confidence: code.ImportResolved, Decided: true}
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
		Defs:       b.pick(b.byFile[file], func(d *Def) bool { return d.Container == "" && d.Name == name }),
		Confidence: code.ImportResolved, Decided: true,
	}
}

// inPackage is a top-level declaration in the directories an import names.
func (b *Binder) inPackage(s *Site, link *Link, r *code.Ref) Binding {
	for _, dir := range link.Dirs {
		own := "-"
		if of, ok := s.Node.tested(); ok && dir == code.Dir(s.Node.Path) {
			own = of.Package
		}
		fits := b.pick(b.byDir[dir], func(d *Def) bool {
			return d.Container == "" && Family(d.File.Lang) == Family(s.Node.Lang) && (d.File.Importable() || d.File.Package == own)
		})
		if len(fits) > 0 {
			return Binding{Defs: fits, Confidence: code.ImportResolved, Decided: true}
		}
	}
	return Binding{Decided: true}
}

// bare looks a plain name up where its language would: the file, the package,
// wildcard imports.
func (b *Binder) bare(s *Site, r *code.Ref) Binding {
	own := b.pick(b.byFile[s.Node.ID], func(d *Def) bool { return d.Container == "" || Family(s.Node.Lang) == "jvm" })
	if len(own) > 0 {
		return Binding{Defs: own, Confidence: code.Exact, Decided: true}
	}
	if fits := b.pick(b.inScope(s.Node), func(d *Def) bool { return d.Container == "" && sameScope(s.Node, d.File) }); len(fits) > 0 {
		return Binding{Defs: fits, Confidence: code.ImportResolved, Decided: true}
	}
	for i := range s.Imports {
		if !wildcard(&s.Imports[i]) || i >= len(s.Links) {
			continue
		}
		if got := b.throughWildcard(s, &s.Links[i], r.Name); len(got.Defs) > 0 {
			return got
		}
		if got := b.membersOfType(s, &s.Imports[i], &s.Links[i]); len(got.Defs) > 0 {
			return got
		}
		if got := b.variants(s, &s.Imports[i], &s.Links[i], wildcardHops); len(got.Defs) > 0 {
			return got
		}
	}
	switch s.Node.Lang {
	case "rust": // macro_rules is seen by whatever is read after it, in any file of the crate
		if got := b.byName(s, r, func(d *Def) bool { return d.Kind == code.KindMacro && r.Kind == code.RefCall }); len(got.Defs) > 0 {
			return got
		}
	case "java", "kotlin", "scala": // an inherited member, or one of a lambda's receiver
		return b.byName(s, r, func(d *Def) bool { return d.Container != "" && d.File.ID != s.Node.ID })
	case "typescript", "tsx", "javascript", "jsx": // ambient declarations and scripts share one scope
		if got := b.byName(s, r, func(d *Def) bool { return d.Container == "global" || d.Container == "" && b.ambient(d) }); len(got.Defs) > 0 {
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
func (b *Binder) ambient(d *Def) bool {
	out := b.k.w.Outward(d.File.ID)
	return len(out.Imports) == 0 && len(out.Exports) == 0
}

// membersOfType are the members of the type a wildcard import names (import a.B.*).
func (b *Binder) membersOfType(s *Site, imp *code.Import, link *Link) Binding {
	if link.File == 0 || Family(s.Node.Lang) != "jvm" {
		return Binding{}
	}
	of := b.pick(b.byType[lastSegment(imp.Spec)], func(d *Def) bool { return d.File.ID == link.File })
	return Binding{Defs: of, Confidence: code.ImportResolved, Decided: true}
}

func (b *Binder) throughWildcard(s *Site, link *Link, name string) Binding {
	if link.File != 0 {
		if id, declared, ok := b.k.FollowName(link.File, name); ok {
			return Binding{Defs: b.pick(b.byFile[id], func(d *Def) bool { return d.Name == declared && d.Container == "" }), Confidence: code.ImportResolved, Decided: true}
		}
		return Binding{}
	}
	return b.inPackage(s, link, &code.Ref{Name: name})
}

// inScope are the definitions that may share a scope with a file.
func (b *Binder) inScope(n Node) []int {
	switch n.Lang {
	case "go", "hcl":
		return b.byDir[code.Dir(n.Path)]
	case "java", "kotlin", "scala":
		return b.all()
	}
	return nil
}

// sameScope reports whether two files share a scope without importing each other.
func sameScope(a, d Node) bool {
	if Family(a.Lang) != Family(d.Lang) {
		return false
	}
	switch a.Lang {
	case "go":
		return code.Dir(a.Path) == code.Dir(d.Path) && a.Package == d.Package
	case "hcl": // the files of a directory are one module
		return code.Dir(a.Path) == code.Dir(d.Path)
	case "java", "kotlin", "scala":
		return a.Package != "" && a.Package == d.Package
	}
	return false
}

// member looks a member up by the type of its receiver.
func (b *Binder) member(s *Site, r *code.Ref, self bool) Binding {
	if isExpr(r.Recv) {
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
	of := b.byType[lastSegment(recv)]
	if qualifier == "" {
		if fits := b.pick(of, func(d *Def) bool { return d.File.ID == s.Node.ID }); len(fits) > 0 {
			return Binding{Defs: fits, Confidence: code.Exact, Decided: true}
		}
		if fits := b.pick(of, func(d *Def) bool { return sameScope(s.Node, d.File) }); len(fits) > 0 {
			return Binding{Defs: fits, Confidence: code.ImportResolved, Decided: true}
		}
	}
	if got, ok := b.importedModule(s, recv, r.Name); ok && qualifier == "" {
		return got
	}
	if got, ok := b.importedType(s, qualifier, recv, of); ok {
		return got
	}
	if got, ok := b.dotted(s, r.Recv, r.Name); ok {
		return got
	}
	if got, ok := b.wildcardType(s, recv, of); ok && qualifier == "" {
		return got
	}
	if infers(s.Node.Lang) {
		if got, ok := b.inferred(s, r); ok {
			return got
		}
	}
	fits := b.pick(of, func(d *Def) bool { return Family(d.File.Lang) == Family(s.Node.Lang) })
	if len(fits) == 1 {
		return Binding{Defs: fits, Confidence: code.UniqueName}
	}
	// The type itself has no such member in sight: it may inherit one.
	return b.memberByName(s, r)
}

// importedModule finds a name of a module that an import binds as one of its
// names: `from pkg import mod`, a namespace that is passed on.
func (b *Binder) importedModule(s *Site, recv, name string) (Binding, bool) {
	for i := range s.Imports {
		if i >= len(s.Links) {
			break
		}
		link := &s.Links[i]
		for _, n := range s.Imports[i].Names {
			if n.Alias != recv {
				continue
			}
			file, ok := link.sub(n.Name)
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
func (b *Binder) wildcardType(s *Site, recv string, of []int) (Binding, bool) {
	for i := range s.Imports {
		if i >= len(s.Links) || !wildcard(&s.Imports[i]) {
			continue
		}
		link := &s.Links[i]
		file := int64(0)
		if link.File != 0 {
			file, _ = b.k.Follow(link.File, recv)
		}
		fits := b.pick(of, func(d *Def) bool {
			return d.File.ID == file || link.File == 0 && Family(d.File.Lang) == Family(s.Node.Lang) && slices.Contains(link.Dirs, code.Dir(d.File.Path))
		})
		if len(fits) > 0 {
			return Binding{Defs: fits, Confidence: code.ImportResolved, Decided: true}, true
		}
	}
	return Binding{}, false
}

// importedType finds the members of a type that an import of the file binds.
func (b *Binder) importedType(s *Site, qualifier, recv string, of []int) (Binding, bool) {
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
			fits := b.pick(b.byType[lastSegment(name)], func(d *Def) bool { return d.File.ID == file })
			return Binding{Defs: fits, Confidence: code.ImportResolved, Decided: len(fits) > 0}, len(fits) > 0
		case len(link.Dirs) > 0:
			fits := b.pick(of, func(d *Def) bool { return slices.Contains(link.Dirs, code.Dir(d.File.Path)) })
			return Binding{Defs: fits, Confidence: code.ImportResolved, Decided: len(fits) > 0}, len(fits) > 0
		}
	}
	return Binding{}, false
}

// binds reports whether an import brings the type recv, or its qualifier, into
// the file. An imported Go package goes by the name in its files.
func (b *Binder) binds(s *Site, imp *code.Import, link *Link, qualifier, recv string) bool {
	if qualifier == "" {
		return slices.ContainsFunc(imp.Names, func(n code.ImportName) bool { return n.Alias == recv })
	}
	if s.Node.Lang == "go" && imp.Alias == "" && len(link.Dirs) > 0 {
		if id, ok := b.k.w.DirFirst(s.Node.Lang, link.Dirs[0]); ok {
			n, _ := b.k.w.NodeByID(id)
			return n.Package == qualifier
		}
	}
	return localName(imp) == qualifier
}

func lastSegment(s string) string {
	if i := strings.LastIndexByte(s, '.'); i >= 0 {
		return s[i+1:]
	}
	return s
}
