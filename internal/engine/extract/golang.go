package extract

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
)

// read sets f's facts from the Go source src. It always succeeds.
func (x *golang) read(f *file, src []byte) bool {
	*x = golang{facts: f.facts, text: string(src), fileBase: 1, names: x.names, owner: -1,
		symbols: x.symbols[:0], refs: x.refs[:0], used: x.used[:0], pending: x.pending[:0],
		methods: x.methods, unnamed: x.unnamed, decls: x.decls[:0]}
	x.names.reset()
	clear(x.methods)
	clear(x.unnamed)
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, "", src, goMode)
	if err != nil {
		tree = x.recover(src, err)
	} else {
		x.lines = fset.File(tree.FileStart).Lines()
		x.decls = append(x.decls, tree.Decls...)
	}
	if tree != nil {
		x.walkFile(tree)
	}
	f.damage = x.damage
	x.finish()
	return true
}

func (x *golang) walkFile(tree *ast.File) {
	x.facts.Package = tree.Name.Name
	if x.facts.Package == "_" {
		x.facts.Package = ""
	}
	x.facts.Doc = goDoc(tree.Doc)
	for _, g := range tree.Comments {
		if x.facts.Doc != "" || g.End() > tree.Package {
			break
		}
		if doc := goDoc(g); strings.HasPrefix(doc, "Package "+tree.Name.Name+" ") { // with an empty line below it
			x.facts.Doc = doc
		}
	}
	x.imports()
	x.bindTop()
	for _, d := range x.decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			x.funcDecl(d)
		case *ast.GenDecl:
			x.genDecl(d)
		}
	}
	x.adoptUnusedImports()
}

// finish copies the facts out of the reader's buffers and drops everything that points
// into the syntax tree, so that the buffers do not keep the tree in memory.
func (x *golang) finish() {
	x.facts.Symbols = slices.Clone(x.symbols)
	x.facts.Refs = slices.Clone(x.refs)
	x.names.truncate(0)
	clear(x.decls)
	clear(x.methods)
	clear(x.unnamed)
	clear(x.symbols)
	clear(x.refs)
	x.lastCall, x.results, x.calledType, x.facts, x.text = nil, nil, nil, nil, ""
}

// imports records the imports and binds the package names that their paths suggest.
func (x *golang) imports() {
	for _, d := range x.decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			continue
		}
		for _, s := range g.Specs {
			if s, ok := s.(*ast.ImportSpec); ok && s.Path != nil {
				x.importSpec(s)
			}
		}
	}
	x.bindImports(true)
	x.bindImports(false)
	x.used = append(x.used[:0], make([]bool, len(x.facts.Imports))...)
}

func (x *golang) importSpec(s *ast.ImportSpec) {
	spec := strings.Trim(s.Path.Value, "\"`")
	if spec == "" {
		return
	}
	m := code.Import{Spec: spec, Line: x.lineAt(x.offset(s.Pos()))}
	if s.Name != nil {
		m.Alias = s.Name.Name
	}
	x.facts.Imports = append(x.facts.Imports, m)
}

// bindImports binds the package names of the imports. First it binds names guessed from
// a path that ends in a major version, because a file may import both a/b and a/b/v2,
// and then b is the former.
func (x *golang) bindImports(guessed bool) {
	for i, m := range x.facts.Imports {
		name, guess := m.Alias, false
		if name == "" {
			name, guess = goPackageName(m.Spec), isMajor(path.Base(m.Spec))
		}
		if guess == guessed && name != "_" && name != "." {
			x.names.bind(goName{name: name, kind: goImport, imp: int32(i)})
		}
	}
}

// goPackageName guesses the package name of an import path: its last segment
// that is not a major version, without ".v2", "go-", "-go" and ".go".
func goPackageName(spec string) string {
	name := path.Base(spec)
	if isMajor(name) && len(name) < len(spec) {
		name = path.Base(path.Dir(spec))
	}
	if i := strings.LastIndexByte(name, '.'); i > 0 && isVersion(name[i+1:]) {
		name = name[:i]
	}
	name = strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(name, "go-"), ".go"), "-go")
	if i := strings.LastIndexByte(name, '-'); i >= 0 {
		return name[i+1:]
	}
	return name
}

// isMajor reports whether the last segment of an import path can be the major
// version of a module, which is v2 or higher.
func isMajor(s string) bool { return isVersion(s) && s != "v0" && s != "v1" }

// isVersion reports whether s is a v followed by digits.
func isVersion(s string) bool { return len(s) >= 2 && s[0] == 'v' && lexical.IsDigits(s[1:]) }

// bindTop binds the top-level names of the file before anything is read, because their
// order does not matter in Go.
func (x *golang) bindTop() {
	for _, d := range x.decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			x.bindFunc(d)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				x.bindSpec(s, goTop)
				x.nameSpec(s)
			}
		}
	}
}

func (x *golang) bindFunc(d *ast.FuncDecl) {
	if d.Type.Params != nil {
		for _, f := range d.Type.Params.List {
			x.nameFields(f.Type, d.Name.Name)
		}
	}
	if d.Recv == nil {
		x.names.bind(goName{name: d.Name.Name, kind: goTop, typ: d.Type, sym: -1})
		return
	}
	if x.methods == nil {
		x.methods = make(map[goMember]*ast.FuncType)
	}
	if recv := receiverType(d); recv != nil {
		x.methods[goMember{recv.Name, d.Name.Name}] = d.Type
	}
}

// nameSpec applies nameFields to the types in a top-level var or type spec.
func (x *golang) nameSpec(s ast.Spec) {
	switch s := s.(type) {
	case *ast.TypeSpec:
		if t, ok := s.Type.(*ast.StructType); ok {
			x.nameNested(t)
		} else {
			x.nameFields(s.Type, s.Name.Name)
		}
	case *ast.ValueSpec:
		if s.Type != nil {
			x.nameFields(s.Type, s.Names[0].Name)
			return
		}
		for i := range min(len(s.Values), len(s.Names)) {
			x.nameFields(plainType(s.Values[i]), s.Names[i].Name)
		}
	}
}

// bindSpec binds the names of a const, var or type spec with the types that the spec
// itself shows.
func (x *golang) bindSpec(s ast.Spec, what goNameKind) {
	switch s := s.(type) {
	case *ast.TypeSpec:
		x.names.bind(goName{name: s.Name.Name, kind: what, spec: s, sym: -1})
	case *ast.ValueSpec:
		for i, n := range s.Names {
			typ := s.Type
			if typ == nil && len(s.Values) == len(s.Names) {
				typ = plainType(s.Values[i])
			}
			x.names.bind(goName{name: n.Name, kind: what, typ: typ, sym: -1})
		}
	}
}

// plainType returns the type that a value contains, as in T{} or new(T), or nil if it contains none.
func plainType(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.CompositeLit:
		return e.Type
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return plainType(e.X)
		}
	case *ast.FuncLit:
		return e.Type
	case *ast.CallExpr:
		if f, ok := e.Fun.(*ast.Ident); ok && len(e.Args) > 0 && takesType(f.Name) {
			return e.Args[0]
		}
	}
	return nil
}

// takesType reports whether a predeclared function has a type as its first argument.
func takesType(name string) bool { return name == "new" || name == "make" }

// adoptUnusedImports gives each import that nothing seems to use the unknown package
// name that fits its path best. Because Go forbids unused imports, one of these names
// must mean it.
func (x *golang) adoptUnusedImports() {
	var names map[string]int32
	for i, m := range x.facts.Imports {
		if x.used[i] || m.Alias != "" || m.Spec == "C" {
			continue
		}
		best, score := "", 0
		for _, p := range x.pending {
			q := x.refs[p.ref].Name
			if s := packageFit(m.Spec, q); s > score {
				best, score = q, s
			}
		}
		if score > 0 {
			if names == nil {
				names = make(map[string]int32)
			}
			names[best] = int32(i)
		}
	}
	if names == nil {
		return
	}
	for _, p := range x.pending {
		if imp, ok := names[x.refs[p.ref].Name]; ok {
			r := &x.refs[p.ref+1]
			r.Via, r.Import, r.Recv = code.ViaImport, imp, ""
			x.refs[p.ref].Name = ""
		}
	}
	x.refs = slices.DeleteFunc(x.refs, func(r code.Ref) bool { return r.Name == "" })
}

// packageFit scores how well q fits as the package name of an import path; 0 means not
// at all.
func packageFit(path, q string) int {
	name := goPackageName(path)
	switch {
	case len(q) >= 2 && slices.Contains(strings.FieldsFunc(path, isPathPunctuation), q):
		return 3
	case len(name) >= 2 && strings.Contains(q, name):
		return 2
	case len(q) >= 3 && strings.Contains(path, q):
		return 1
	}
	return 0
}

func isPathPunctuation(r rune) bool { return r == '/' || r == '.' || r == '-' || r == '_' }

// addRef adds a reference to the name id.
func (x *golang) addRef(id *ast.Ident, kind code.RefKind, via code.Via, imp int32, recv string) {
	start := x.offset(id.NamePos)
	if !x.isWritten(id, start) {
		return
	}
	end := start + uint32(len(id.Name))
	x.refs = append(x.refs, code.Ref{Name: id.Name, Kind: kind, Via: via, Import: imp, Recv: recv,
		Start: start, End: end, Line: x.lineAt(start), Scope: x.owner})
}

// isWritten reports whether the source has the name id at offset start. It has not if
// the parser invented the name to go on in a broken file. It is false for the blank
// name.
func (x *golang) isWritten(id *ast.Ident, start uint32) bool {
	end := int(start) + len(id.Name)
	return id.Name != "_" && end <= len(x.text) && x.text[start:end] == id.Name
}
