// Package infer finds the types of expressions that references name as their receivers, so that engine/graph/bind can look
// members up in them: types.go follows expressions from file to file, lineage.go lists the bases of a type, expr.go reads the
// notation that extraction writes expressions in, syntax.go selects the rules of each language and the readers of its signatures.
// Its neighbour below is engine/graph, which follows names; engine/view implements its Lookup.
package infer

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/lang"
)

// Lookup answers questions of inference about single files, beside graph.Lookup; its errors are kept as there.
type Lookup interface {
	// Site returns a file with its imports and links, nil if it is unknown.
	Site(file int64) *graph.Site
	// Declarations returns the declarations of a file that have a name, in source order. container is as in graph.Lookup.
	Declarations(file int64, container, name string) []Decl
	// Inherits returns the references of a type's declaration to its bases: base classes, embedded types, implemented interfaces.
	Inherits(file int64, ord int32) []code.Ref
	// Hint returns the code.TypeHint of a symbol, or of an attribute of a class, "" if there is none.
	Hint(file int64, ord int32, name string) string
	// QualifiedName returns the qualified name of a symbol, "" for -1.
	QualifiedName(file int64, ord int32) string
	// Tagged returns the top-level structs, unions and classes of a name in the files of a language's family.
	Tagged(l code.Lang, name string) []Decl
	// Namespaces returns the names around a symbol, its own included, that qualified names leave out, outermost first: namespaces, and
	// behind a slash an enum whose enumerators belong to the scope around it. It is "" for -1.
	Namespaces(file int64, ord int32) string
	// Importers returns the files that import a file.
	Importers(file int64) []int64
}

// Types finds the types of expressions across files: results of functions, fields, elements, base classes. It computes
// them for each question and stores nothing, so that a changed declaration invalidates nothing.
//
// It follows declarations and no data flow: a name has one type wherever it is used, parameters have only their declared
// types, type parameters have none. A type that does not follow from these is unknown, never guessed.
type Types struct {
	k     *graph.Linker
	files graph.Lookup
	look  Lookup
	exprs map[exprKey]term
	decls map[code.SymbolID]term
	lines map[code.SymbolID]lineage
	above map[int64][]int64 // the files that include a file
	depth int
}

type exprKey struct {
	file int64
	expr string
}

// New returns a Types over the same state of the files as k.
func New(k *graph.Linker, look Lookup) *Types {
	return &Types{
		k: k, files: k.Files(), look: look,
		exprs: map[exprKey]term{}, decls: map[code.SymbolID]term{}, lines: map[code.SymbolID]lineage{}, above: map[int64][]int64{},
	}
}

// Including returns up to limit files that include a file, those that do it directly first.
func (y *Types) Including(file int64, limit int) []int64 {
	list, ok := y.above[file]
	if !ok {
		list = append(list, file)
		for i := 0; i < len(list) && len(list) <= limit; i++ {
			for _, id := range y.look.Importers(list[i]) {
				if len(list) <= limit && !slices.Contains(list, id) {
					list = append(list, id)
				}
			}
		}
		list = list[1:]
		y.above[file] = list
	}
	return list
}

// Linker returns the linker that Types follows names with.
func (y *Types) Linker() *graph.Linker { return y.k }

// Lookup returns the source of answers about single files.
func (y *Types) Lookup() Lookup { return y.look }

// maxDepth bounds the depth of evaluation, because declarations may lead in circles.
const maxDepth = 48

// of returns the type of an expression that is written in a file, in the notation of Ref.Recv with or without its first character.
func (y *Types) of(s *graph.Site, text string) term {
	key := exprKey{s.Node.ID, text}
	t, ok := y.exprs[key]
	if !ok {
		y.exprs[key] = term{} // unknown if evaluation leads back to it
		if t = y.written(s, text); t.what == termUnknown {
			t = y.eval(s, parseExpr(text))
		}
		y.exprs[key] = t
	}
	return t
}

// written returns the type of a name that a file writes with its package, as if it imported it.
func (y *Types) written(s *graph.Site, name string) term {
	if !s.Node.Traits().TypeWildcards || code.IsExpr(name) || !strings.Contains(name, ".") {
		return term{}
	}
	for i := range s.Imports {
		if imp := &s.Imports[i]; imp.Kind == code.ImportPath && imp.Spec == name {
			return y.bound(s, i, code.LastSegment(name))
		}
	}
	return term{}
}

// eval finds the type of an expression that is written in the file s.
func (y *Types) eval(s *graph.Site, e *expr) term {
	if e == nil || y.depth >= maxDepth {
		return term{}
	}
	y.depth++
	defer func() { y.depth-- }()
	switch e.op {
	case opName:
		return y.name(s, e.name)
	case opMember:
		t := y.eval(s, e.of)
		if t.what == termModule && syntaxFor(s.Node.Lang).partial { // a namespace, which other files reopen
			return y.name(s, e.name)
		}
		got := y.member(t, e.name)
		if got.what == termUnknown && syntaxFor(s.Node.Lang).extends {
			got = y.extended(s, t, e.name)
		}
		return got
	case opCall:
		t := y.callee(s, e.of)
		if f := syntaxFor(s.Node.Lang).anything; f != nil && t.what == termOutside && f(s, e.of) {
			return term{}
		}
		if given, ok := y.givenResult(s, e, &t); ok {
			return given
		}
		isName := (e.of.op == opName || e.of.op == opMember) && e.of.name == t.decl.Name
		if isName && t.what == termType && syntaxFor(s.Node.Lang).converts {
			return t
		}
		return y.call(t, e.index)
	case opArgs:
		return y.withArgs(s, e)
	case opTerm:
		return *e.term
	case opMade:
		return outside(s, e.name)
	case opIn:
		if e.term.site != nil {
			return y.eval(e.term.site, e.of)
		}
	case opElem:
		return y.elem(y.eval(s, e.of), e.index)
	case opKey:
		return y.key(y.eval(s, e.of))
	case opOwn:
		return y.own(s, e.name)
	case opTag:
		return y.tagged(s, e.name)
	case opAbove:
		if t := y.eval(s, e.of); t.what == termType {
			t.what = termAbove
			return t
		}
	case opList:
		return term{what: termList, site: s, args: e.args}
	case opMap:
		return term{what: termMap, site: s, args: e.args}
	case opTuple:
		return term{what: termTuple, site: s, args: e.args}
	case opFunc:
		t := term{what: termCallable, site: s, args: e.args}
		if e.of != nil {
			t.params = e.of.args
		}
		return t
	case opEither:
		return term{what: termEither, site: s, args: e.args}
	case opParam:
		return y.param(y.eval(s, e.of), e.index)
	}
	return term{}
}

// givenResult returns the result of a call of a function that returns one of its own type parameters, which the call itself writes:
// get<A>(). If it does not, the result may be of any type below the bound of the parameter. ok is false for other functions.
func (y *Types) givenResult(s *graph.Site, call *expr, f *term) (t term, ok bool) {
	own := syntaxFor(f.decl.File.Lang).ownParam
	if own == nil || f.what != termFunc {
		return term{}, false
	}
	i := own(&f.decl)
	if i < 0 {
		return term{}, false
	}
	if args := call.of; args != nil && args.op == opArgs && i < len(args.args) {
		return y.eval(s, args.args[i]), true
	}
	if bound := y.call(*f, call.index); bound.what == termType {
		return bound, true
	}
	return term{}, true
}

// callee evaluates an expression that is called: if a field and a function share its name, it means the function.
func (y *Types) callee(s *graph.Site, e *expr) term {
	var with *expr
	if e != nil && e.op == opArgs && e.of != nil && e.of.op == opMember {
		if t := y.eval(s, e.args[0]); t.what != termUnknown {
			with = &expr{op: opTerm, term: &t}
		}
		e = e.of
	}
	if e == nil || e.op != opMember {
		return y.eval(s, e)
	}
	t := y.eval(s, e.of)
	if t.what == termModule && syntaxFor(s.Node.Lang).partial {
		return y.name(s, e.name)
	}
	if f := syntaxFor(s.Node.Lang).composed; f != nil && (t.what == termList || t.what == termMap) {
		if got := f(&t, e.name, with); got.what != termUnknown || !syntaxFor(s.Node.Lang).extends {
			return got
		}
		return y.extended(s, t, e.name)
	}
	got := y.memberFor(t, e.name, true)
	if got.what == termUnknown && syntaxFor(s.Node.Lang).extends {
		got = y.extended(s, t, e.name)
	}
	if got.what == termUnknown && t.what == termType && inList(syntaxFor(t.decl.File.Lang).lent, e.name) {
		return term{what: termCallable, site: s, args: []*expr{{op: opTerm, term: &t}}}
	}
	return got
}

// withArgs returns a type with type arguments.
func (y *Types) withArgs(s *graph.Site, e *expr) term {
	t := y.eval(s, e.of)
	if syn := syntaxFor(s.Node.Lang); syn.wrapped != "" && e.of != nil {
		switch name := e.of.name; {
		case t.decl.Kind == code.KindType && name == "Result": // a crate's own
			t = term{}
		case t.what != termType && inList(syn.wrapped, name):
			return y.eval(s, e.args[0])
		}
	}
	switch t.what {
	case termType:
		t.site, t.args = s, e.args
	case termOutside, termUnknown:
		if t.what == termOutside && syntaxFor(s.Node.Lang).anything != nil {
			t.args = e.args
			return t
		}
		if f := syntaxFor(s.Node.Lang).generic; f != nil && e.of != nil {
			name := e.of.name
			if got := f(name, term{what: t.what, site: s, args: e.args}); got.what != t.what {
				got.decl.Name = name
				return got
			}
		}
	}
	return t
}

// name returns the meaning of a plain name at the top level of a file.
func (y *Types) name(s *graph.Site, name string) term {
	if list := y.look.Declarations(s.Node.ID, "", name); len(list) > 0 {
		if y.inBlocks(list) {
			return term{}
		}
		return y.value(list)
	}
	if t, ok := y.declared(s, y.files.ScopeDeclarers(s.Node, "", name), name); ok {
		return t
	}
	for i := range s.Imports {
		if t := y.bound(s, i, name); t.what != termUnknown {
			return t
		}
	}
	for i := range s.Imports {
		if i < len(s.Links) && graph.IsWildcard(&s.Imports[i]) {
			if t := y.offeredName(s, &s.Links[i], name); t.what != termUnknown && t.what != termOutside {
				return t
			}
			if s.Imports[i].Static {
				if t := y.inType(s.Links[i].File, &s.Imports[i], name); t.what != termUnknown {
					return t
				}
			}
		}
	}
	if strings.Contains(syntaxFor(s.Node.Lang).predeclared, " "+name+" ") {
		return outside(s, name)
	}
	return term{}
}

// outside returns the term of a name that the repository does not declare.
func outside(s *graph.Site, name string) term {
	return term{what: termOutside, site: s, decl: Decl{graph.Def{Name: name}}}
}

// bound returns the term of a name that the ith import of a file binds, unknown if the import does not bind it.
func (y *Types) bound(s *graph.Site, i int, name string) term {
	if i >= len(s.Links) {
		return term{}
	}
	imp, link := &s.Imports[i], &s.Links[i]
	for _, n := range imp.Names {
		if n.Alias != name || n.Name == "*" {
			continue
		}
		t := y.importedName(s, link, n.Name)
		if renamed := syntaxFor(s.Node.Lang).renamed; t.what == termUnknown && renamed != nil {
			file, _ := renamed(y.k, link.File, imp.Spec)
			t = y.inModule(s, moduleTerm{file: file}, n.Name)
		}
		if t.what != termUnknown || !s.Node.Traits().TypeWildcards {
			return t
		}
		return y.inType(link.File, imp, n.Name)
	}
	if whole, spec := y.whole(s, imp, link, name); whole {
		if link.External != "" {
			t := term{what: termOutside}
			if syntaxFor(s.Node.Lang).outside == outsideLends { // where the results of its functions matter
				t.site = s
			}
			return t
		}
		m := moduleTerm{file: link.File, dirs: link.Dirs, spec: spec}
		if spec != "" && spec != imp.Spec {
			m.file = y.k.Resolve(s.Node, &code.Import{Spec: spec}).File
		}
		return term{what: termModule, site: s, module: m}
	}
	return term{}
}

// inType returns a member that an import takes from a type of a file, whose path is at the end of Spec: a static member,
// a nested type.
func (y *Types) inType(file int64, imp *code.Import, name string) term {
	path := strings.TrimSuffix(imp.Spec, "."+name)
	if imp.Static {
		path = imp.Spec
	}
	for file != 0 && path != "" {
		if list := y.look.Declarations(file, path, name); len(list) > 0 {
			return y.value(list)
		}
		_, path, _ = strings.Cut(path, ".")
	}
	return term{}
}

// whole reports whether an import binds a name to a module, and that module's name: Python's `import a.b` binds a.
func (y *Types) whole(s *graph.Site, imp *code.Import, link *graph.Link, name string) (ok bool, spec string) {
	if len(imp.Names) > 0 {
		return imp.Alias == name, ""
	}
	switch s.Node.Traits().ModuleName {
	case lang.FirstSegment:
		if imp.Alias != "" {
			return imp.Alias == name, imp.Spec
		}
		first, _, _ := strings.Cut(imp.Spec, ".")
		return first == name, name
	case lang.PackageClause:
		if imp.Alias == "" && len(link.Dirs) > 0 {
			pkg, _ := y.k.PackageName(s.Node, link)
			return pkg == name, ""
		}
	}
	return imp.Alias != "_" && imp.Alias != "." && graph.LocalName(imp) == name, ""
}

// importedName returns a name taken from the target of an import.
func (y *Types) importedName(s *graph.Site, link *graph.Link, name string) term {
	if id, ok := link.Sub(name); ok {
		return term{what: termModule, site: s, module: moduleTerm{file: id}}
	}
	return y.offeredName(s, link, name)
}

// offeredName returns the meaning of a name in a module, its own or one it passes on.
func (y *Types) offeredName(s *graph.Site, link *graph.Link, name string) term {
	switch {
	case link.External != "":
		t := outside(s, name)
		t.object = syntaxFor(s.Node.Lang).outside == outsideLends && !link.Std && !isClassName(name)
		return t
	case link.File != 0:
		return y.inModule(s, moduleTerm{file: link.File}, name)
	case len(link.Dirs) > 0:
		return y.inModule(s, moduleTerm{dirs: link.Dirs}, name)
	}
	return term{}
}

// inModule returns a member of a module.
func (y *Types) inModule(s *graph.Site, m moduleTerm, name string) term {
	for _, dir := range m.dirs {
		ids := y.files.DirDeclarers(s.Node.Lang, dir, name)
		if of, ok := s.Node.TestedPackage(); ok && dir == code.Dir(s.Node.Path) {
			ids = y.files.ScopeDeclarers(of, "", name)
		}
		if t, ok := y.declared(s, ids, name); ok {
			return t
		}
	}
	if m.file != 0 {
		if t, ok := y.inFile(m.file, name); ok {
			return t
		}
	}
	if m.spec != "" {
		spec := m.spec + "." + name
		if link := y.k.Resolve(s.Node, &code.Import{Spec: spec}); link.File != 0 {
			return term{what: termModule, site: s, module: moduleTerm{file: link.File, spec: spec}}
		}
	}
	return term{}
}

// inFile returns the meaning of a name in a file that is used as a module.
func (y *Types) inFile(file int64, name string) (term, bool) {
	if id, container, declared, ok := y.k.FollowDeclared(file, name); ok {
		if list := y.look.Declarations(id, container, declared); len(list) > 0 {
			return y.value(list), true
		}
	} else if home := y.look.Site(file); name == "default" && home != nil && syntaxFor(home.Node.Lang).objects != nil {
		return term{what: termModule, site: home, module: moduleTerm{file: file}}, true // a module of CommonJS
	}
	if id, ok := y.k.Module(file, name); ok {
		if home := y.look.Site(id); home != nil {
			return term{what: termModule, site: home, module: moduleTerm{file: id}}, true
		}
	}
	home := y.look.Site(file)
	if home == nil {
		return term{}, false
	}
	if syntaxFor(home.Node.Lang).objects != nil {
		if list := y.PassedMember(file, name); len(list) > 0 {
			return y.value(list), true
		}
	}
	for i := range home.Imports { // a name that comes from outside
		if i < len(home.Links) && home.Links[i].External != "" &&
			slices.ContainsFunc(home.Imports[i].Names, func(n code.ImportName) bool { return n.Alias == name }) {
			return term{what: termOutside}, true
		}
	}
	return term{}, false
}

// value returns the meaning of a declared name: types and functions mean themselves, variables and fields their type. If
// a name has several declarations the last counts, as in the languages that allow them.
func (y *Types) value(list []Decl) term {
	d := list[len(list)-1]
	if d.Kind.IsFunction() && syntaxFor(d.File.Lang).extends { // a function that makes values of the type with its name
		if i := slices.IndexFunc(list, func(d Decl) bool { return d.Kind.IsType() }); i >= 0 {
			d = list[i]
		}
	}
	if d.Kind == code.KindType && d.File.Traits().Prototypes { // typedef struct a a names the struct
		if i := slices.IndexFunc(list, func(d Decl) bool { return d.Kind.IsType() && d.Kind != code.KindType }); i >= 0 {
			d = list[i]
		}
	}
	switch {
	case d.Kind.IsType(), d.Kind == code.KindTrait:
		t := term{what: termType, decl: d}
		v := list[0]
		if isValue := v.Kind == code.KindConstant || v.Kind == code.KindVariable; isValue && syntaxFor(v.File.Lang).objects != nil {
			named := y.value(list[:1])
			t.named = &named
		}
		return t
	case d.Kind.IsFunction():
		return term{what: termFunc, decl: d}
	case d.Kind == code.KindModule && syntaxFor(d.File.Lang).partial:
		return term{what: termModule, module: moduleTerm{file: d.File.ID}}
	}
	return y.object(d, y.once(d, func(home *graph.Site) term {
		if hint := y.look.Hint(d.File.ID, d.Ord, ""); hint != "" {
			return y.eval(home, parseExpr(hint))
		}
		return y.eval(home, y.within(&d, d.variable()))
	}))
}

// once computes the term of a declaration in its own file, and remembers the result.
func (y *Types) once(d Decl, f func(home *graph.Site) term) term {
	key := d.id()
	t, ok := y.decls[key]
	if !ok {
		y.decls[key] = term{}
		if home := y.look.Site(d.File.ID); home != nil {
			t = f(home)
		}
		y.decls[key] = t
	}
	return t
}

// isClassName reports whether a name is written as names of classes are.
func isClassName(name string) bool {
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(name, "_"))
	return unicode.IsUpper(first)
}

// member returns the type of a member of t.
func (y *Types) member(t term, name string) term { return y.memberFor(t, name, false) }

// memberFor returns the type of a member of t; called reports whether the member is called.
func (y *Types) memberFor(t term, name string, called bool) term {
	if t.what == termEither {
		return y.first(&t, func(part term) term { return y.memberFor(part, name, called) })
	}
	if list := y.objectMember(t, name); len(list) > 0 {
		return y.value(list)
	}
	if name == "?" || name == "await" && !called {
		return y.unwrap(t, name)
	}
	switch t.what {
	case termOutside:
		switch {
		case generic(t):
			if made := syntaxFor(t.site.Node.Lang).made(t.decl.Name, name); called && made != "" {
				return term{what: termCallable, site: t.site, args: []*expr{{op: opMade, name: made}}}
			}
			return syntaxFor(t.site.Node.Lang).genericResult
		case len(t.args) > 0: // it may be of one of its type arguments
			return term{}
		case t.site != nil && t.what == termOutside && t.decl.Name == "": // a module
			return outside(t.site, name)
		case t.decl.Name != "":
			if syntaxFor(t.site.Node.Lang).outside == outsideLends {
				return lent(t)
			}
			return outside(t.site, "-")
		}
		return t
	case termMap, termTuple:
		if record := syntaxFor(t.site.Node.Lang).record; record != nil && !called {
			if e := record(&t, name); e != nil {
				return y.eval(t.site, e)
			}
		}
	case termModule:
		return y.inModule(t.site, t.module, name)
	case termType, termAbove:
		line := y.lineage(t)
		for _, a := range line.types {
			if hint := y.look.Hint(a.File.ID, a.Ord, name); hint != "" && hint != code.HintUnknown {
				if home := y.look.Site(a.File.ID); home != nil {
					return y.eval(home, parseExpr(hint))
				}
			}
			if list := y.ownMembers(a, name); len(list) > 0 {
				return y.through(&t, &a, list, called)
			}
		}
		if to := y.pointee(t); to.what != termUnknown && y.depth < maxDepth {
			y.depth++
			defer func() { y.depth-- }()
			return y.memberFor(to, name, called)
		}
		known := line.outside && !line.unknown && !t.decl.File.Traits().OpenMembers
		if known && syntaxFor(t.decl.File.Lang).generic == nil {
			return term{what: termOutside}
		}
	}
	return term{}
}

// through returns the term of the declarations of a member of type a, which is reached through t.
func (y *Types) through(t *term, a *Decl, list []Decl, called bool) term {
	syn := syntaxFor(a.File.Lang)
	if syn.params == nil {
		return y.value(list)
	}
	own := slices.DeleteFunc(slices.Clone(list), func(d Decl) bool { return d.Kind.IsFunction() != called })
	if len(own) == 0 {
		own = list
	}
	if !haveSameResults(own) {
		return term{}
	}
	got := y.value(own)
	params := syn.params(a)
	if len(params) == 0 {
		return got
	}
	with := &term{what: termType, decl: *a, site: t.site}
	if sameDecl(t.decl, *a) {
		with.args = t.args
	}
	if got.what == termFunc {
		got.of = with
		return got
	}
	if d := own[len(own)-1]; !d.Kind.IsFunction() {
		if home := y.look.Site(d.File.ID); home != nil {
			return y.eval(home, bindParams(y.within(&d, d.variable()), params, with))
		}
	}
	return got
}

// haveSameResults reports whether all functions of a list have the same results. A type parameter is the same as another in its place.
func haveSameResults(list []Decl) bool {
	for i := 1; i < len(list); i++ {
		own := syntaxFor(list[i].File.Lang).ownParam
		if own != nil && own(&list[i]) >= 0 && own(&list[i]) == own(&list[0]) {
			continue
		}
		if !slices.EqualFunc(list[0].results(), list[i].results(), sameExpr) {
			return false
		}
	}
	return true
}

// bindParams returns e with the arguments of the type of in the place of its parameters; one without argument becomes
// the type it extends.
func bindParams(e *expr, params []typeParam, of *term) *expr {
	if e == nil {
		return nil
	}
	if e.op == opName {
		for i := range params {
			if params[i].name != e.name {
				continue
			}
			switch {
			case i < len(of.args) && len(of.args) == len(params):
				return &expr{op: opIn, of: of.args[i], term: of}
			case params[i].bound != nil:
				return params[i].bound
			}
			return &expr{}
		}
		return e
	}
	if e.of == nil && len(e.args) == 0 {
		return e
	}
	c := *e
	c.of, c.args = bindParams(e.of, params, of), slices.Clone(e.args)
	for i := range c.args {
		c.args[i] = bindParams(c.args[i], params, of)
	}
	return &c
}

// ownMembers returns the declarations of a member in a type itself.
func (y *Types) ownMembers(d Decl, name string) []Decl {
	container := d.QualifiedName()
	if list := y.look.Declarations(d.File.ID, container, name); len(list) > 0 {
		return list
	}
	if d.File.Traits().DetachedMethods {
		for _, id := range y.files.ScopeDeclarers(d.File, container, name) {
			if list := y.look.Declarations(id, container, name); len(list) > 0 {
				return list
			}
		}
	}
	return nil
}

// call returns the ith result of calling t.
func (y *Types) call(t term, i int) term {
	switch t.what {
	case termEither:
		return y.first(&t, func(part term) term { return y.call(part, i) })
	case termOutside:
		if generic(t) {
			return syntaxFor(t.site.Node.Lang).genericResult
		}
		if t.site != nil {
			if f := syntaxFor(t.site.Node.Lang).callOutside; f != nil {
				return f(t)
			}
		}
		if !t.foreign && isClassName(t.decl.Name) { // a value of the class
			return t
		}
		return lent(t)
	case termType: // a constructor or conversion, unless the type is of functions
		if u := y.under(t); u.what == termCallable {
			return y.call(u, i)
		}
		if t.named != nil {
			return y.call(*t.named, i)
		}
		if syntaxFor(t.decl.File.Lang).objects != nil {
			if got := y.signatureTerm(t, calledHint); got.what != termUnknown {
				return got
			}
		}
		return t
	case termModule:
		if one, ok := y.moduleExport(t); ok {
			return y.call(one, i)
		}
	case termCallable:
		if i < len(t.args) {
			return y.eval(t.site, t.args[i])
		}
	case termFunc:
		if t.of == nil {
			return y.result(t.decl, i)
		}
		home, list := y.look.Site(t.decl.File.ID), t.decl.results()
		if home != nil && i < len(list) {
			return y.eval(home, bindParams(y.within(&t.decl, list[i]), syntaxFor(t.decl.File.Lang).params(&t.of.decl), t.of))
		}
	}
	return term{}
}

// result returns the ith result of a declared function.
func (y *Types) result(d Decl, i int) term {
	results := y.once(d, func(home *graph.Site) term {
		list := slices.Clone(d.results())
		for i := range list {
			list[i] = y.within(&d, list[i])
		}
		if hint := y.look.Hint(d.File.ID, d.Ord, ""); list == nil && hint != "" {
			list = []*expr{parseExpr(hint)}
		}
		return term{what: termCallable, site: home, args: list}
	})
	if i < len(results.args) {
		return y.eval(results.site, results.args[i])
	}
	if len(results.args) == 0 {
		return y.object(d, term{}) // the result of a function in a script may be a literal
	}
	return term{}
}

// under returns the type that a defined type is based on. It follows names up to a composed type.
func (y *Types) under(t term) term {
	if t.decl.Kind != code.KindType {
		return term{}
	}
	u := y.once(t.decl, func(home *graph.Site) term { return y.eval(home, t.decl.underlying()) })
	if u.what == termType && y.depth < maxDepth && !sameDecl(u.decl, t.decl) {
		y.depth++
		defer func() { y.depth-- }()
		if deeper := y.under(u); deeper.what != termUnknown {
			return deeper
		}
	}
	return u
}

// generic reports whether t is from outside the repository, in a language whose generic types return values of their type arguments.
func generic(t term) bool {
	if t.what != termOutside || t.site == nil {
		return false
	}
	syn := syntaxFor(t.site.Node.Lang)
	return syn.generic != nil && !strings.Contains(syn.closed, " "+t.decl.Name+" ")
}

// lent returns the term of a member, an element or a call of t, which is from outside the repository. It is t itself,
// marked as foreign if it may return a value that was passed to it.
func lent(t term) term {
	if t.site == nil {
		return t
	}
	if syn := syntaxFor(t.site.Node.Lang); syn.outside == outsideLends {
		t.foreign = t.foreign || !strings.Contains(syn.closed, " "+t.decl.Name+" ")
	}
	return t
}
