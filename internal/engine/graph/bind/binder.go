// Package bind decides the meaning of references in code: the definitions a name is
// bound to, and with how much confidence. families.go has the entry (Bind) and the table
// of the families of languages that need steps of their own, which c.go,
// namespace.go, python.go, ruby.go and rust.go hold; imports.go, bare.go and
// members.go are the common steps of the others, binder.go is shared by all.
// Its neighbours are engine/graph, whose links it follows, graph/infer, which
// finds the types of receivers, and engine/view, which calls it.
package bind

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/builtin"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/infer"
)

// Binding is the set of definitions a reference means, with the confidence in it.
type Binding struct {
	Defs       []int // indexes of the definitions; several if it is unknown which of them is meant
	Confidence code.Confidence
	// Decided is set if more than the bare name was known: the reference means Defs or, if Defs is empty, certainly
	// something else.
	Decided bool
	// Reason is the reason why the reference means no definition outside Defs; NoReason if Defs is reason enough.
	Reason Reason
	// Perhaps are further definitions that the reference may mean, without evidence.
	Perhaps []int
}

// exactBinding returns a binding decided by the file itself.
func exactBinding(defs []int) Binding {
	return Binding{Defs: defs, Confidence: code.Exact, Decided: true}
}

// resolvedBinding returns a binding decided through imports and scopes.
func resolvedBinding(defs []int) Binding {
	return Binding{Defs: defs, Confidence: code.ImportResolved, Decided: true}
}

// guessBinding returns a binding by name, which is unique if no other definition fits.
func guessBinding(defs []int) Binding {
	if len(defs) == 1 {
		return Binding{Defs: defs, Confidence: code.UniqueName}
	}
	return Binding{Defs: defs, Confidence: code.Ambiguous}
}

// Binder binds references of one name, in one file after the other, to definitions. The tier that depends on the number
// of definitions of the name is computed here, on each question, so that storing a new definition costs nothing
// elsewhere. Not safe for concurrent use.
type Binder struct {
	k     *graph.Linker
	files graph.Lookup
	types *infer.Types
	defs  []graph.Def
	// The definitions by file, by directory, and members by the last segment of their type: a name like String has
	// thousands.
	byFile map[int64][]int
	byDir  map[string][]int
	byType map[string][]int
	// added are the definitions in modules that a file adds to (declare module "…").
	added []int
	// makers are the constructors of a type that share its name, which mean the type anywhere but in the call that
	// constructs a value.
	makers  []int
	members map[memberGuess]Binding
	spaces  map[int64][]string // namespaces each file looks types up in
	seen    map[int64][]int    // declarations each C file sees through its includes
	// steps are those of lang, the language of the last file.
	steps *steps
	lang  code.Lang
}

// steps bind the references of a family of languages where the common way does not suffice. A nil step is skipped.
type steps struct {
	// bind decides every reference, instead of the common way.
	bind func(*Binder, *graph.Site, *code.Ref) Binding
	// otherImport follows another import of a name, where the first leads out of the repository.
	otherImport func(*Binder, *graph.Site, *code.Ref) (Binding, bool)
	// undeclared returns the definitions that an imported file offers under the name without declaring it itself.
	undeclared func(b *Binder, s *graph.Site, file int64) []int
	// wildcard finds a plain name through a wildcard import that names neither a module nor a type with it.
	wildcard func(*Binder, *graph.Site, *code.Import, *graph.Link) Binding
	// unseen finds a plain name outside of the file, its scope and its imports.
	unseen func(*Binder, *graph.Site, *code.Ref) Binding
	// outside binds a member of a value whose type is not the repository's.
	outside func(b *Binder, s *graph.Site, r *code.Ref, typ string) Binding
	// lent binds a member that a known type does not declare, but may get from others.
	lent func(b *Binder, s *graph.Site, r *code.Ref, t *infer.Receiver) Binding
	// member finds a member of a receiver before the common way looks for it.
	member func(b *Binder, s *graph.Site, r *code.Ref) (Binding, bool)
	// offered finds a name that an imported file offers but neither declares nor passes on.
	offered func(b *Binder, s *graph.Site, r *code.Ref) (Binding, bool)
	// merged adds the declarations that belong to the same entity as the bound ones.
	merged func(b *Binder, defs []int) []int
	// offers reports whether other files reach a definition through its module.
	offers func(b *Binder, d *graph.Def) bool
	// path finds a name in a module or type that a receiver reaches by a path.
	path func(b *Binder, s *graph.Site, r *code.Ref) (Binding, bool)
}

// memberGuess is the key of a guess of a member by name: guesses with equal keys are equal.
type memberGuess struct {
	family  string
	call    bool
	untyped bool
}

// New returns a binder for the definitions of one name. defs must hold every definition of that name.
func New(types *infer.Types, defs []graph.Def) *Binder {
	b := &Binder{
		k: types.Linker(), files: types.Linker().Files(), types: types, defs: defs,
		byFile: map[int64][]int{}, byDir: map[string][]int{}, byType: map[string][]int{},
		members: map[memberGuess]Binding{}, spaces: map[int64][]string{},
		seen: map[int64][]int{},
	}
	for i := range defs {
		d := &defs[i]
		if d.Kind == code.KindConstructor && infer.Overloads(d.File.Lang) {
			b.makers = append(b.makers, i)
			continue
		}
		b.byFile[d.File.ID] = append(b.byFile[d.File.ID], i)
		dir := code.Dir(d.File.Path)
		b.byDir[dir] = append(b.byDir[dir], i)
		t := code.LastSegment(d.Container)
		b.byType[t] = append(b.byType[t], i)
		if strings.ContainsRune(d.Container, '/') {
			b.added = append(b.added, i)
		}
	}
	return b
}

// Definition returns the index of the definition with an id, for bindings that are known and not guessed.
func (b *Binder) Definition(id code.SymbolID) (int, bool) {
	for _, list := range [...][]int{b.byFile[id.File], b.makers} {
		for _, i := range list {
			if d := &b.defs[i]; d.File.ID == id.File && d.Ord == id.Ord {
				return i, true
			}
		}
	}
	return 0, false
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

// inOne keeps the definitions of a list that are in one file.
func (b *Binder) inOne(list []int, file int64) []int {
	return b.pick(list, func(d *graph.Def) bool { return d.File.ID == file })
}

// topLevel returns the definitions of a file outside of types and functions.
func (b *Binder) topLevel(file int64) []int {
	return b.pick(b.byFile[file], func(d *graph.Def) bool { return d.Container == "" })
}

// topLevelNamed returns the top-level definitions of a file under a name.
func (b *Binder) topLevelNamed(file int64, name string) []int {
	return b.pick(b.byFile[file], func(d *graph.Def) bool { return d.Container == "" && d.Name == name })
}

// all lists all definitions except constructors.
func (b *Binder) all() []int {
	list := make([]int, 0, len(b.defs))
	for i := range b.defs {
		if len(b.makers) == 0 || !slices.Contains(b.makers, i) {
			list = append(list, i)
		}
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
	g := memberGuess{graph.Family(s.Node.Lang), r.Kind == code.RefCall, s.Node.Traits().Untyped}
	got, ok := b.members[g]
	if !ok {
		got = b.byName(s, r, func(d *graph.Def) bool { return d.Container != "" || extension(d) || b.types.IsExposed(d) })
		common := builtin.Member(g.family, r.Name) || s.Node.Traits().Untyped && !ofSeveralWords(r.Name)
		if got.Confidence == code.UniqueName && common {
			got.Confidence = code.Ambiguous
		}
		switch {
		case !open(s):
			got.Reason = NotMember
		case len(got.Defs) > 0:
			got.Reason = Likelier
		default: // a module is a value, and functions are assigned to attributes
			got = b.ofModule(s, r)
		}
		b.members[g] = got
	}
	return got
}

// ofModule returns the definitions that a member of an unknown value may mean where no type has a member of the name:
// the value may be a module.
func (b *Binder) ofModule(s *graph.Site, r *code.Ref) Binding {
	all := b.pick(b.all(), func(d *graph.Def) bool { return graph.SameFamily(&d.File, &s.Node) && callable(r, d) })
	got := possibleBinding(b.pick(all, func(d *graph.Def) bool { return b.steps.offers == nil || b.steps.offers(b, d) }))
	switch {
	case len(all) == 0:
		return noBinding(OtherLanguage)
	case len(got.Defs) == 0:
		return noBinding(NotMember)
	}
	return got
}

// ofSeveralWords reports whether a name is made of several words, so that another object is unlikely to have a member of
// the same name.
func ofSeveralWords(name string) bool {
	for i := 1; i < len(name); i++ {
		if name[i] == '_' || isCapital(name[i]) && !isCapital(name[i-1]) {
			return true
		}
	}
	return false
}

func isCapital(c byte) bool { return 'A' <= c && c <= 'Z' }

// possibly is memberByName where there is evidence against it, but no proof.
func (b *Binder) possibly(s *graph.Site, r *code.Ref) Binding {
	got := b.memberByName(s, r)
	got.Confidence = code.Ambiguous
	return got
}

// anyByName returns the guess by name among all definitions of the file's family, for a name that a file imports from an
// unknown module.
func (b *Binder) anyByName(s *graph.Site, r *code.Ref) Binding {
	got := b.byName(s, r, func(d *graph.Def) bool { return d.Container == "" && fitsUse(r, d) })
	got.Confidence, got.Reason = code.Ambiguous, NotMember
	if len(got.Defs) == 0 && open(s) {
		return b.possibly(s, r)
	}
	return got
}

// byName returns the guess by name alone among definitions of the same language family.
func (b *Binder) byName(s *graph.Site, r *code.Ref, ok func(*graph.Def) bool) Binding {
	fits := b.pick(b.all(), func(d *graph.Def) bool { return graph.SameFamily(&d.File, &s.Node) && ok(d) && callable(r, d) })
	if len(fits) == 0 {
		return noBinding(NoReason)
	}
	return guessBinding(fits)
}

// callable reports whether a reference, if it is a call, can mean a definition.
func callable(r *code.Ref, d *graph.Def) bool {
	switch {
	case r.Kind != code.RefCall:
		return true
	case d.Kind == code.KindEnumMember:
		return d.File.Traits().EnumPayloads
	case d.Kind == code.KindField: // in Rust x.f() is a method, whatever field there is
		return !d.File.Traits().HasImplBlocks()
	}
	return d.Kind != code.KindModule
}
