package extract

import (
	"strings"

	"ken/internal/code"
)

// rust reads a Rust file. Items are in this file, paths and use trees in rust_path.go,
// expressions, patterns and types in rust_expr.go, the insides of macros in
// rust_macro.go.
//
// A symbol is exported if it has any visibility wider than its module (pub, pub(crate),
// pub(super), pub(in …)): other files see those. Trait items and enum variants are as
// visible as their trait or enum, members of a trait impl always (they are reached
// through the trait), nothing inside a function.
type rust struct {
	*file
	self         string      // meaning of Self: the type of the impl or the trait around, "" outside
	context      rustContext // the type or trait whose members the current items are
	inBody       bool        // inside a function
	public       bool        // the trait or enum around is exported, or this is a trait impl
	members      rustMembers // the impl or trait around a body
	literalOf    string      // type of the literal whose fields the next tree of tokens may hold
	formats      bool        // the strings of the tokens at hand may name constants
	prefix       string      // Qualified of an impl's members when its type is declared elsewhere
	modules      []string    // inline modules around
	attributes   []node      // attributes of the next item
	patternNames []rustBind  // names that the current pattern binds
	closureArg   string      // the argument of the next closure, as an expression
	pathImports  map[rustName]int32
	ownModules   map[string]string // see modulesHere
	types        map[rustMember]int32
	fields       map[rustName]string
	fieldParams  map[rustName]int // of fields whose type is a parameter of their struct: which
	selfArgs     []string         // the types that the parameters of Self are in the impl around
}

type rustContext uint8

const (
	rustInModule rustContext = iota
	rustInImpl
	rustInTrait
)

// rustMembers is the state that is needed to declare a member of an impl or trait.
type rustMembers struct {
	context rustContext // rustInModule if there is none
	owner   int32
	prefix  string
	public  bool
}

// rustName is a name together with its owner: a field and its struct, or a name and
// the path before it.
type rustName struct{ owner, name string }

// rustMember is a type and the symbol in which it is declared.
type rustMember struct {
	parent int32
	name   string
}

func walkRust(f *file) {
	r := &rust{file: f, pathImports: map[rustName]int32{}, types: map[rustMember]int32{}}
	r.fields, r.fieldParams = map[rustName]string{}, map[rustName]int{}
	f.facts.Doc = r.innerDoc(root)
	r.ownModules = r.modulesHere()
	r.readFields()
	r.names.push()
	r.declareAll(root, bindTop)
	r.children(root)
	r.flush()
	r.names.pop()
}

// modulesHere returns the paths of the modules at the top of the file that its path does not show: those with a body, and those that
// #[path] moves.
func (r *rust) modulesHere() map[string]string {
	paths := map[string]string{}
	for c := r.first(root); c != none; c = r.sibling(c) {
		if r.kind(c) == rsAttributeItem {
			r.attributes = append(r.attributes, c)
			continue
		}
		if name := r.fieldStr(c, rsfName); r.kind(c) == rsMod && name != "" {
			if path := r.attributeText(r.attribute("path")); r.child(c, rsfBody) != none {
				paths[name] = "self::" + name
			} else if path != "" {
				paths[name] = "path:" + path
			}
		}
		r.attributes = r.attributes[:0]
	}
	return paths
}

// readFields records the declared types of all named fields, so that the type of x in
// self.x.f() is known.
func (r *rust) readFields() {
	for n := root; int(n) < len(r.nodes); n++ {
		if r.kind(n) != rsFieldDeclaration {
			continue
		}
		if owner := r.parent(r.parent(n)); r.kind(owner) == rsStruct {
			key, typ := rustName{r.fieldStr(owner, rsfName), r.fieldStr(n, rsfName)}, r.typeName(r.child(n, rsfType))
			if k := r.parameterIndex(r.child(owner, rsfTypeParameters), typ); k >= 0 {
				r.fieldParams[key] = k
			} else if typ != "" {
				r.fields[key] = typ
			}
		}
	}
}

// parameterIndex returns the place of a name among type parameters, lifetimes not counted, or -1.
func (r *rust) parameterIndex(list node, name string) int {
	k := 0
	for c := r.firstNamed(list); c != none; c = r.nextNamed(c) {
		switch r.kind(c) {
		case rsTypeParameter, rsConstParameter:
			if r.fieldStr(c, rsfName) == name {
				return k
			}
			k++
		}
	}
	return -1
}

// fieldType returns the type of a field of the type of, "" if the file does not show it. A parameter of the type is known in an impl, by
// its bound there.
func (r *rust) fieldType(of, name string) string {
	key := rustName{of, name}
	k, isParam := r.fieldParams[key]
	switch {
	case !isParam:
		return r.fields[key]
	case of == r.self && k < len(r.selfArgs):
		return r.selfArgs[k]
	}
	return ""
}

// declareAll binds the items among n's children and reads the use declarations. It
// runs first because Rust allows to use an item before it is written.
func (r *rust) declareAll(n node, what bindKind) {
	pending := r.attributes
	r.attributes = nil
	defer func() { r.attributes = pending }()
	for c := r.first(n); c != none; c = r.sibling(c) {
		if r.kind(c) == rsMod && r.child(c, rsfBody) != none { // first, because paths of use declarations may begin with them
			r.names.bind(binding{name: r.fieldStr(c, rsfName), what: what, inline: true})
		}
	}
	for c := r.first(n); c != none; c = r.sibling(c) {
		if r.kind(c) == rsAttributeItem {
			r.attributes = append(r.attributes, c)
			continue
		}
		switch r.kind(c) {
		case rsFunction, rsFunctionSignature, rsStruct, rsEnum, rsUnion, rsTrait, rsTypeItem, rsConst, rsStatic, rsMacroDefinition:
			r.names.bind(binding{name: r.fieldStr(c, rsfName), what: what})
		case rsMod:
			if r.child(c, rsfBody) != none {
				break
			}
			b := binding{name: r.fieldStr(c, rsfName), what: what}
			if path := r.attributeText(r.attribute("path")); path != "" {
				b.what, b.module, b.target = bindImport, true, r.inModules("path:", "/", path)
			}
			r.names.bind(b)
		case rsForeignMod:
			r.declareAll(r.child(c, rsfBody), what)
		case rsUseDeclaration:
			r.useDeclaration(c)
		case rsExternCrate:
			r.externCrate(c)
		}
		r.attributes = r.attributes[:0]
	}
}

// item reads n if it is an item, a declaration such as fn or struct, and reports whether it is.
func (r *rust) item(n node) bool {
	switch r.kind(n) {
	case rsAttributeItem:
		r.attributes = append(r.attributes, n)
	case rsInnerAttribute:
		r.innerAttribute(n)
	case rsFunction, rsFunctionSignature:
		r.function(n)
	case rsStruct:
		r.record(n, code.KindStruct)
	case rsUnion:
		r.record(n, code.KindUnion)
	case rsEnum:
		r.container(n, code.KindEnum, r.isPublic(n), r.bodyStart(n), r.isPublic(n))
	case rsEnumVariant:
		r.variant(n)
	case rsFieldDeclaration:
		r.plainItem(n, code.KindField, r.isPublic(n) || r.public, r.end(n))
	case rsTrait:
		r.trait(n)
	case rsImpl:
		r.impl(n)
	case rsConst:
		r.constant(n, code.KindConstant)
	case rsStatic:
		r.constant(n, code.KindVariable)
	case rsTypeItem, rsAssociatedType:
		r.alias(n)
	case rsMod:
		r.module(n)
	case rsMacroDefinition:
		r.macro(n)
	case rsForeignMod:
		r.flush()
		r.children(r.child(n, rsfBody))
	case rsUseDeclaration:
		r.flush()
		r.useTypes(r.child(n, rsfArgument))
	case rsExternCrate:
		r.flush()
	default:
		return false
	}
	return true
}

// open declares a symbol whose signature ends at byte end, makes it the owner and
// records the references in its attributes. If the item has no name (broken source, or
// a macro's $name), it declares nothing and returns false.
func (r *rust) open(n node, s code.Symbol, end uint32) (before int32, ok bool) {
	s.Span = r.span(n)
	return r.openNamed(r.child(n, rsfName), s, end)
}

// openNamed is like open, for a symbol whose name and span are known.
func (r *rust) openNamed(name node, s code.Symbol, end uint32) (before int32, ok bool) {
	s.Name = strings.TrimPrefix(r.str(name), "r#")
	if s.Name == "" || r.kind(name) == rsMetavariable {
		r.flush()
		return r.owner, false
	}
	if r.prefix != "" {
		s.Qualified = r.under(r.prefix, s.Name)
	}
	if r.inBody {
		s.Exported = false
	}
	s.NameStart = r.start(name)
	s.Signature = strings.TrimRight(r.signature(s.Span.Start, end), " ;,")
	s.Doc = r.doc(s.Span.Start)
	sym := r.declare(s)
	atTop := r.owner < 0 && r.context == rustInModule && len(r.modules) == 0
	if s.Exported && atTop {
		r.facts.Exports = append(r.facts.Exports, code.Export{Name: s.Name, Local: s.Name, From: -1, Line: s.Span.Line})
	}
	if s.Kind.IsType() && r.context == rustInModule {
		r.types[rustMember{r.owner, s.Name}] = sym
	}
	before = r.enter(sym)
	r.flush()
	return before, true
}

// inside runs walk in the state for members of an item, and restores the state.
func (r *rust) inside(context rustContext, self string, public bool, walk func()) {
	saved := *r
	r.context, r.self, r.public, r.prefix = context, self, public, ""
	walk()
	r.context, r.self, r.public, r.prefix = saved.context, saved.self, saved.public, saved.prefix
	r.inBody, r.modules, r.members, r.selfArgs = saved.inBody, saved.modules, saved.members, saved.selfArgs
}

// plainItem reads an item without members.
func (r *rust) plainItem(n node, k code.Kind, exported bool, end uint32) {
	before, _ := r.open(n, code.Symbol{Kind: k, Exported: exported}, end)
	r.itemParts(n)
	r.leave(before)
}

// itemParts reads the parts of an item except its name and visibility.
func (r *rust) itemParts(n node) {
	for c := r.first(n); c != none; c = r.sibling(c) {
		if r.nodeField(c) != rsfName && r.kind(c) != rsVisibility {
			r.walk(c)
		}
	}
}

// bodyStart returns the offset at which n's body begins, or the end of n if it has none.
func (r *rust) bodyStart(n node) uint32 {
	if b := r.child(n, rsfBody); b != none {
		return r.start(b)
	}
	return r.end(n)
}

func (r *rust) function(n node) {
	if m := r.members; r.facts.ErrorBytes > 0 && r.isLost(n) {
		before := r.enter(m.owner)
		r.inside(m.context, r.self, m.public, func() {
			r.prefix, r.inBody = m.prefix, false
			r.function(n)
		})
		r.leave(before)
		return
	}
	kind, exported := code.KindFunction, r.isPublic(n)
	if r.context != rustInModule {
		kind, exported = code.KindMethod, exported || r.public
	}
	s := code.Symbol{Kind: kind, Exported: exported, Params: r.params(r.child(n, rsfParameters)), Returns: r.text(r.child(n, rsfReturnType))}
	before, _ := r.open(n, s, r.bodyStart(n))
	r.inside(rustInModule, r.self, false, func() {
		r.inBody = true
		r.names.push()
		r.bindGenerics(n)
		r.itemParts(n)
		r.names.pop()
	})
	r.leave(before)
}

// isLost reports whether a function inside a body is really a method, which a missing
// brace put into the method before it. A method takes self or has a visibility such as
// pub.
func (r *rust) isLost(n node) bool {
	if !r.inBody || r.members.context == rustInModule {
		return false
	}
	return r.has(r.child(n, rsfParameters), rsSelfParameter) || r.has(n, rsVisibility)
}

// text returns the source of n on one line.
func (r *rust) text(n node) string {
	if n == none {
		return ""
	}
	return r.signature(r.start(n), r.end(n))
}

// params lists a function's parameters. self is one of them; its type is Self with the
// marks before it ("&mut Self"), "" for a plain self.
func (r *rust) params(list node) (params []code.Param) {
	for c := r.firstNamed(list); c != none; c = r.nextNamed(c) {
		switch r.kind(c) {
		case rsAttributeItem:
		case rsSelfParameter:
			typ := strings.TrimSuffix(r.text(c), "self")
			if typ = strings.TrimSuffix(typ, "mut "); strings.HasPrefix(typ, "&") {
				typ = strings.TrimSuffix(r.text(c), "self") + "Self"
			}
			params = append(params, code.Param{Name: "self", Type: typ})
		case rsParameter:
			params = append(params, code.Param{Name: r.text(r.child(c, rsfPattern)), Type: r.text(r.child(c, rsfType))})
		case rsVariadicParameter:
			name := "..."
			if p := r.child(c, rsfPattern); p != none {
				name = r.text(p)
			}
			params = append(params, code.Param{Name: name, Type: "..."})
		default:
			params = append(params, code.Param{Type: r.text(c)})
		}
	}
	return params
}

// record reads a struct or union. The fields of a tuple struct have no names and
// are part of the signature.
func (r *rust) record(n node, k code.Kind) {
	end := r.end(n)
	if body := r.child(n, rsfBody); r.kind(body) == rsFieldDeclarationList {
		end = r.start(body)
	}
	r.container(n, k, r.isPublic(n), end, false)
}

// container reads a type whose members become symbols.
func (r *rust) container(n node, k code.Kind, exported bool, end uint32, public bool) {
	before, _ := r.open(n, code.Symbol{Kind: k, Exported: exported}, end)
	r.inside(rustInModule, r.fieldStr(n, rsfName), public, func() {
		r.names.push()
		r.bindGenerics(n)
		r.itemParts(n)
		r.names.pop()
	})
	r.leave(before)
}

// variant reads an enum variant; the fields it names are as visible as the enum.
func (r *rust) variant(n node) {
	end := r.end(n)
	if body := r.child(n, rsfBody); r.kind(body) == rsFieldDeclarationList {
		end = r.start(body)
	}
	r.plainItem(n, code.KindEnumMember, r.public, end)
}

func (r *rust) trait(n node) {
	public := r.isPublic(n)
	before, _ := r.open(n, code.Symbol{Kind: code.KindTrait, Exported: public}, r.bodyStart(n))
	r.inside(rustInTrait, r.fieldStr(n, rsfName), public, func() {
		r.members = rustMembers{rustInTrait, r.owner, "", public}
		r.names.push()
		r.bindGenerics(n)
		for c := r.first(n); c != none; c = r.sibling(c) {
			switch {
			case r.nodeField(c) == rsfBounds:
				r.bounds(c, code.RefInherit)
			case r.nodeField(c) != rsfName && r.kind(c) != rsVisibility:
				r.walk(c)
			}
		}
		r.names.pop()
	})
	r.leave(before)
}

// impl reads `impl Type` and `impl Trait for Type`. It makes no symbol: its
// members belong to the symbol of the type if this file declares it.
func (r *rust) impl(n node) {
	r.flush()
	of := r.child(n, rsfType)
	self := lastName(r.implName(of))
	owner, found := r.types[rustMember{r.owner, self}]
	if !found && !r.inBody {
		owner, found = r.types[rustMember{-1, self}]
	}
	prefix, before := "", r.owner
	if found {
		r.enter(owner)
	} else if self != "" {
		prefix = self
		if r.owner >= 0 {
			prefix = r.under(r.facts.Symbols[r.owner].Qualified, self)
		}
	}
	trait := r.child(n, rsfTrait)
	r.inside(rustInImpl, self, trait != none, func() {
		r.prefix = prefix
		r.members = rustMembers{rustInImpl, r.owner, prefix, trait != none}
		r.names.push()
		params := r.child(n, rsfTypeParameters)
		r.bindGenerics(n)
		if b := r.names.lookup(self); trait != none && b.is(bindLocal) { // of any type: what is known of it is the trait
			r.self = r.typeName(trait)
		}
		r.selfArgs = r.typeNames(r.child(of, rsfTypeArguments))
		r.walk(params)
		if trait != none {
			r.typeRef(trait, code.RefImplement)
		}
		for c := r.first(n); c != none; c = r.sibling(c) {
			if c != trait && c != params {
				r.walk(c)
			}
		}
		r.names.pop()
	})
	r.leave(before)
}

// constant reads a const or static. The value is part of the signature if it is
// a literal; a longer expression would be a body.
func (r *rust) constant(n node, k code.Kind) {
	end := r.end(n)
	if v := r.child(n, rsfValue); v != none && !r.isLiteral(v) {
		end = r.end(r.child(n, rsfType))
	}
	if r.str(r.child(n, rsfName)) == "_" { // const _: () = …; declares nothing
		r.flush()
		r.itemParts(n)
		return
	}
	exported := r.isPublic(n) || r.isPublicMember()
	before, _ := r.open(n, code.Symbol{Kind: k, Exported: exported}, end)
	r.inside(rustInModule, r.self, false, func() {
		r.inBody = true
		r.itemParts(n)
	})
	r.leave(before)
}

func (r *rust) isLiteral(n node) bool {
	switch r.kind(n) {
	case rsString, rsRawString, rsChar, rsInteger, rsFloat, rsBoolean, rsNegative:
		return true
	case rsUnary:
		return r.isLiteral(r.firstNamed(n))
	}
	return false
}

func (r *rust) alias(n node) {
	exported := r.isPublic(n) || r.isPublicMember()
	before, _ := r.open(n, code.Symbol{Kind: code.KindType, Exported: exported}, r.end(n))
	r.names.push()
	r.bindGenerics(n)
	r.itemParts(n)
	r.names.pop()
	r.leave(before)
}

// module reads `mod x { … }`, which is a symbol, and `mod x;`, which imports the file
// x or the file that a #[path] names ("path:y.rs"). The names of enclosing inline
// modules are part of the import.
func (r *rust) module(n node) {
	name, body := r.fieldStr(n, rsfName), r.child(n, rsfBody)
	if body == none {
		r.moduleFile(n, name)
		return
	}
	before, ok := r.open(n, code.Symbol{Kind: code.KindModule, Exported: r.isPublic(n)}, r.start(body))
	if ok && r.facts.Symbols[r.owner].Doc == "" {
		r.facts.Symbols[r.owner].Doc = r.innerDoc(body)
	}
	r.inside(rustInModule, "", false, func() {
		if len(r.modules) < code.MaxNesting && len(name) < code.MaxContainer/code.MaxNesting {
			r.modules = append(r.modules[:len(r.modules):len(r.modules)], name)
		}
		r.names.push()
		r.declareAll(body, bindNested)
		r.children(body)
		r.flush()
		r.names.pop()
	})
	r.leave(before)
}

// inModules returns the path of name inside the enclosing inline modules, or name alone if the path is too long.
func (r *rust) inModules(before, separator, name string) string {
	around := strings.Join(append(r.modules[:len(r.modules):len(r.modules)], ""), separator)
	if !r.mayRepeat(around) {
		around = ""
	}
	return before + around + name
}

func (r *rust) moduleFile(n node, name string) {
	if name == "" {
		r.flush()
		return
	}
	spec := r.inModules("", "::", name)
	path := r.attributeText(r.attribute("path"))
	if path != "" {
		spec = r.inModules("path:", "/", path)
	}
	r.flush()
	imp := r.addImport(code.Import{Spec: spec, Kind: code.ImportMod, Line: r.line(n)})
	if r.isPublic(n) || path != "" { // its path shows no file, so that other modules find it by its name here
		r.facts.Exports = append(r.facts.Exports, code.Export{Name: name, Local: "*", From: imp, Line: r.line(n)})
	}
}

// macro reads macro_rules!. Without #[macro_export] the macro is visible only to
// the code after it, unless a use declaration passes it on.
func (r *rust) macro(n node) {
	end := r.end(n)
	if name := r.child(n, rsfName); name != none {
		end = r.end(name)
	}
	before, _ := r.open(n, code.Symbol{Kind: code.KindMacro, Exported: r.attribute("macro_export") != none}, end)
	for c := r.first(n); c != none; c = r.sibling(c) {
		if r.kind(c) == rsMacroRule {
			r.tokens(r.child(c, rsfRight))
		}
	}
	r.leave(before)
}

// isPublic reports whether n is visible outside of its module.
func (r *rust) isPublic(n node) bool {
	v := r.childKind(n, rsVisibility)
	return v != none && r.text(v) != "pub(self)"
}

// isPublicMember reports whether the current item is visible outside because it is
// a member of an exported trait or enum.
func (r *rust) isPublicMember() bool { return r.context != rustInModule && r.public }
