// Package bind decides the meaning of references in code: the definitions a name is
// bound to, and with how much confidence. families.go has the entry (Bind) and the table
// of the families of languages that need steps of their own, which c.go,
// namespace.go, python.go, ruby.go and rust.go hold; imports.go, bare.go and
// members.go are the common steps of the others, binder.go is shared by all.
// Its neighbours are engine/graph, whose links it follows, graph/infer, which
// finds the types of receivers, and engine/view, which calls it.
package bind

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ken/internal/code"
	"ken/internal/engine/builtin"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/infer"
)

// Binding is the set of definitions a reference means, with the confidence in it.
type Binding struct {
	Defs       []int // indexes of the definitions; several if it is unknown which of them is meant
	Confidence code.Confidence
	// Decided is set if more than the bare name is known: the reference means one of Defs or, if Defs is empty,
	// certainly something else.
	Decided bool
	// Reason is the reason why the reference means no definition outside Defs; NoReason if Defs explains that.
	Reason Reason
	// Perhaps are further definitions that the reference may mean, without evidence.
	Perhaps []int
	// Misfit is set if the arguments of a call fit none of Defs: it may mean an overload of a base that is not known.
	Misfit bool
}

// exactBinding returns a binding that the file itself proves.
func exactBinding(defs []int) Binding {
	return Binding{Defs: defs, Confidence: code.Exact, Decided: true}
}

// resolvedBinding returns a binding found through imports and scopes.
func resolvedBinding(defs []int) Binding {
	return Binding{Defs: defs, Confidence: code.ImportResolved, Decided: true}
}

// guessBinding returns a binding found by name alone; it counts as unique if no other definition fits.
func guessBinding(defs []int) Binding {
	if len(defs) == 1 {
		return Binding{Defs: defs, Confidence: code.UniqueName}
	}
	return Binding{Defs: defs, Confidence: code.Ambiguous}
}

// Binder finds the definitions that references of one name mean, in one file after the other. It counts the definitions
// of the name on each question, so that storing a new definition changes nothing elsewhere. It is not safe for
// concurrent use.
type Binder struct {
	k     *graph.Linker
	files graph.Lookup
	types *infer.Types
	defs  []graph.Def
	// The definitions by file, by directory, and members by the last segment of their type, because a name like
	// String has thousands of definitions.
	byFile map[int64][]int
	byDir  map[string][]int
	byType map[string][]int
	// added are the definitions by which a file extends another module (declare module "…").
	added []int
	// extensions are the functions and properties that extend a type from outside (Kotlin).
	extensions []int
	// twins are, for a definition, those that are one thing, itself among them; nil until they are asked for.
	twins map[int][]int
	// declared are the paths, without extension, of the declaration files with a definition (scripts).
	declared map[string]bool
	// makers are the constructors that have the name of their type. The name means the type everywhere but in a
	// call that constructs a value.
	makers  []int
	members map[memberGuess]Binding
	spaces  map[int64][]string // namespaces each file looks types up in
	seen    map[int64][]int    // declarations each C file sees through its includes
	// only are the definitions that a subset finds, nil for all; subsets are kept by their keys. In C++ spaced is whether namespaces tell
	// the top-level definitions apart, 0 if that is not known yet.
	only    []int
	subsets map[string]*Binder
	spaced  int8
	// steps are the special rules of lang, the language of the last file.
	steps *steps
	lang  code.Lang
}

// steps are special rules of a family of languages, for cases that the common rules do not cover. A nil step is skipped.
type steps struct {
	// bind finds the definitions of every reference, in the place of the common rules.
	bind func(*Binder, *graph.Site, *code.Ref) Binding
	// value binds a plain name that must be that of a value, which got need not be.
	value func(b *Binder, s *graph.Site, r *code.Ref, got Binding) Binding
	// undeclared returns the definitions that an imported file offers under the name without declaring it itself.
	undeclared func(b *Binder, s *graph.Site, file int64) []int
	// wildcard finds a plain name through a wildcard import whose path is neither a module nor a type that declares the name.
	wildcard func(*Binder, *graph.Site, *code.Import, *graph.Link) Binding
	// unseen finds a plain name that neither the file, its scope nor its imports declare.
	unseen func(*Binder, *graph.Site, *code.Ref) Binding
	// outside binds a member of a value whose type, typ, is not declared in the repository.
	outside func(b *Binder, s *graph.Site, r *code.Ref, typ string) Binding
	// assigns reports whether a type itself has a member that is no declaration.
	assigns func(b *Binder, name string, t *infer.Receiver) bool
	// lent binds a member that a known type does not declare but may get from other types.
	lent func(b *Binder, s *graph.Site, r *code.Ref, t *infer.Receiver) Binding
	// member finds a member of a receiver before the common rules do.
	member func(b *Binder, s *graph.Site, r *code.Ref) (Binding, bool)
	// offered finds a name that an imported file offers but neither declares nor passes on.
	offered func(b *Binder, s *graph.Site, r *code.Ref) (Binding, bool)
	// merged adds the declarations that belong to the same thing as the bound ones.
	merged func(b *Binder, defs []int) []int
	// twin returns a key that definitions of one container have in common if they are one thing, "" for a definition that has no
	// others. twinsApart: they have different containers and languages, and those of one file alone are not one thing.
	twin       func(b *Binder, d *graph.Def) string
	twinsApart bool
	// offers reports whether other files reach a definition through its module.
	offers func(b *Binder, d *graph.Def) bool
	// written returns the type that a member declares, as it is written, and the names of its type parameters. awaited returns the type of
	// the value that a written type of tasks gives.
	written func(d *graph.Def) (typ string, params []string)
	awaited func(text string) (string, bool)
	// passed returns the type of a parameter of the function that a function takes as an argument, as they are written. It returns the type
	// of the argument and false if that is no function. element returns the type of the elements of a written collection, if a step gives one.
	passed  func(d *graph.Def, argument, parameter int) (string, bool)
	element func(text, step string) (string, bool)
	// path finds a name in a module or type that a receiver reaches by a path.
	path func(b *Binder, s *graph.Site, r *code.Ref) (Binding, bool)
}

// memberGuess is the key under which a guess by name is kept: guesses with equal keys have equal results.
type memberGuess struct {
	family  string
	kind    code.RefKind // of a call or a use, else RefType
	plain   bool         // nothing is known of the receiver, which is a value
	untyped bool
}

// New returns a binder for references of one name. defs must hold every definition of that name.
func New(types *infer.Types, defs []graph.Def) *Binder {
	b := &Binder{k: types.Linker(), files: types.Linker().Files(), types: types, defs: defs}
	b.index(nil)
	return b
}

// index makes the lists of the definitions that the binder finds: those numbered in only, or all if it is nil.
func (b *Binder) index(only []int) {
	b.only = only
	b.byFile, b.byDir, b.byType = map[int64][]int{}, map[string][]int{}, map[string][]int{}
	b.members, b.spaces, b.seen, b.subsets = map[memberGuess]Binding{}, map[int64][]string{}, map[int64][]int{}, map[string]*Binder{}
	for i := range b.defs {
		d := &b.defs[i]
		if only != nil && !slices.Contains(only, i) {
			continue
		}
		if d.Kind == code.KindConstructor && infer.Overloads(d.File.Lang) {
			b.makers = append(b.makers, i)
			continue
		}
		b.byFile[d.File.ID] = append(b.byFile[d.File.ID], i)
		dir := code.Dir(d.File.Path)
		b.byDir[dir] = append(b.byDir[dir], i)
		t := code.LastSegment(d.Container)
		if suffix := d.File.Traits().Facade; t == "" && suffix != "" { // "" finds nothing, because a receiver has a name
			t = facade(d.File.Path, suffix)
		}
		b.byType[t] = append(b.byType[t], i)
		if isExtension(d) && infer.Extensible(d.File.Lang) {
			b.extensions = append(b.extensions, i)
		}
		if strings.ContainsRune(d.Container, '/') {
			b.added = append(b.added, i)
		}
	}
}

// facade returns the name of the class through which other languages reach the top level of a file.
func facade(file, suffix string) string {
	stem := strings.TrimSuffix(path.Base(file), path.Ext(file))
	first, n := utf8.DecodeRuneInString(stem)
	if n == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + stem[n:] + suffix
}

// Definition returns the index of the definition with an id. It serves bindings that are known from a type checker.
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

// all returns all definitions except constructors that share the name of their type.
func (b *Binder) all() []int {
	list := make([]int, 0, len(b.defs))
	if b.only != nil {
		return b.only
	}
	for i := range b.defs {
		if len(b.makers) == 0 || !slices.Contains(b.makers, i) {
			list = append(list, i)
		}
	}
	return list
}

// isExtension reports whether a top-level definition extends a type, so that it is used like a member (Kotlin).
func isExtension(d *graph.Def) bool {
	if d.Container != "" || d.Kind != code.KindMethod && d.Kind != code.KindField {
		return false
	}
	return d.File.Traits().TopLevelMethods
}

// memberByName guesses the meaning of a member by its name alone, among the members of all types.
func (b *Binder) memberByName(s *graph.Site, r *code.Ref) Binding {
	g := memberGuess{graph.Family(s.Node.Lang), code.RefType, r.Via == code.ViaMember, s.Node.Traits().Untyped}
	if r.Kind == code.RefCall || r.Kind == code.RefUse {
		g.kind = r.Kind
	}
	got, ok := b.members[g]
	if !ok {
		got = b.byName(s, r, func(d *graph.Def) bool {
			isMember := d.Container != "" || isExtension(d) || b.types.IsExposed(d)
			return isMember && (!g.plain || isOfValue(g.kind, d))
		})
		common := builtin.Member(g.family, r.Name) || s.Node.Traits().Untyped && !ofSeveralWords(r.Name)
		if got.Confidence == code.UniqueName && common {
			got.Confidence = code.Ambiguous
		}
		switch {
		case !hasOpenMembers(s):
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

// isOfValue reports whether a reference of a kind to a member of a value can mean a definition.
func isOfValue(k code.RefKind, d *graph.Def) bool {
	traits := d.File.Traits()
	switch {
	case traits.CallsMethods && k == code.RefCall && !d.Kind.IsFunction(), traits.CallsMethods && k == code.RefUse && d.Kind.IsFunction():
		return false
	case !traits.StaticsByType || d.Extension:
		return true
	case d.Kind == code.KindEnumMember || d.Kind == code.KindConstant || d.Kind.IsType():
		return false
	}
	return !hasModifier(d, "static") && !hasModifier(d, "const")
}

// ofModule returns the top-level definitions that a member of an unknown value may mean, because the value may be a
// module. It applies only if no type has a member of the name.
func (b *Binder) ofModule(s *graph.Site, r *code.Ref) Binding {
	all := b.pick(b.all(), func(d *graph.Def) bool { return graph.SameFamily(&d.File, &s.Node) && canCall(r, d) })
	got := possibleBinding(b.pick(all, func(d *graph.Def) bool { return b.steps.offers == nil || b.steps.offers(b, d) }))
	switch {
	case len(all) == 0:
		return noBinding(OtherLanguage)
	case len(got.Defs) == 0:
		return noBinding(NotMember)
	}
	got.Reason = Likelier
	return got
}

// ofSeveralWords reports whether a name consists of several words, so that two objects are unlikely to have members of
// that name by chance.
func ofSeveralWords(name string) bool {
	for i := 1; i < len(name); i++ {
		if name[i] == '_' || isCapital(name[i]) && !isCapital(name[i-1]) {
			return true
		}
	}
	return false
}

func isCapital(c byte) bool { return 'A' <= c && c <= 'Z' }

// possibly guesses a member by its name, as memberByName does, with the lowest confidence: there is evidence against it, but no proof.
func (b *Binder) possibly(s *graph.Site, r *code.Ref) Binding {
	got := b.memberByName(s, r)
	got.Confidence = code.Ambiguous
	return got
}

// anyByName guesses by name among all definitions of the file's language family, for a name that the file imports from
// an unknown module.
func (b *Binder) anyByName(s *graph.Site, r *code.Ref) Binding {
	got := b.byName(s, r, func(d *graph.Def) bool { return d.Container == "" && fitsUse(r, d) })
	got.Confidence, got.Reason = code.Ambiguous, NotMember
	if len(got.Defs) == 0 && hasOpenMembers(s) {
		return b.possibly(s, r)
	}
	return got
}

// byName guesses by name alone among those definitions of the same language family for which ok is true.
func (b *Binder) byName(s *graph.Site, r *code.Ref, ok func(*graph.Def) bool) Binding {
	fits := b.pick(b.all(), func(d *graph.Def) bool { return graph.SameFamily(&d.File, &s.Node) && ok(d) && canCall(r, d) })
	if len(fits) == 0 {
		return noBinding(NoReason)
	}
	return guessBinding(fits)
}

// canCall reports whether a definition can be called, if the reference is a call. It is true for other references.
func canCall(r *code.Ref, d *graph.Def) bool {
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
