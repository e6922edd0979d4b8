package extract

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"

	"ken/internal/code"
)

// golang reads Go with go/parser, many times faster than the grammar. It keeps
// its buffers between files and is not safe for concurrent use.
//
// Declarations are those outside of function bodies. Names are resolved by a
// scope table of its own (golang_scope.go) because that one knows types and
// imports too, which the parser's object resolution does not.
//
// Choices the vocabulary leaves open: the span of a lone `type T …`, `var x …`
// or `const c …` is the whole declaration with its keyword, that of a name in a
// group or a list its spec; `_` declares nothing; Exported means a capital first
// letter; an embedded type is both a field and an inherit reference whose Scope
// is the embedding type; `var _ I = T{}` is an implement reference from T to I.
type golang struct {
	file  *code.Facts
	text  string
	base  int   // token.Pos of the file's first byte
	lines []int // offset of each line's first byte
	line  int   // index in lines where the last position was found
	names goScope
	// owner is the innermost symbol around the walk, -1 at the top; self the
	// receiver's type in a method; body is set inside function bodies, where
	// nothing is declared.
	owner int32
	self  string
	body  bool

	symbols []code.Symbol
	refs    []code.Ref
	used    []bool      // imports a qualifier was found for
	pending []goPending // unknown qualifiers
	methods map[goMember]*ast.FuncType
	unnamed map[*ast.StructType]string // what declares the fields of a struct type without a name
	decls   []ast.Decl
	pieces  []int // where the pieces of a broken file begin, and its end
	// results are those of lastCall, the call walked last.
	lastCall *ast.CallExpr
	results  *ast.FieldList
	called   ast.Expr // set instead if other files declare what was called
}

// goPending is `q.Name` with a q that is neither declared here nor the presumed
// name of an import: refs[ref] is q, the one after it Name.
type goPending struct{ ref int }

type goMember struct{ typ, name string }

func goReader() reader { return reader{lang: "go", direct: new(golang).read} }

// read fills f's facts from src. It always succeeds.
func (x *golang) read(f *file, src []byte) bool {
	*x = golang{file: f.facts, text: string(src), base: 1, names: x.names, owner: -1,
		symbols: x.symbols[:0], refs: x.refs[:0], used: x.used[:0], pending: x.pending[:0], methods: x.methods, unnamed: x.unnamed, decls: x.decls[:0]}
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
	x.finish()
	return true
}

const goMode = parser.ParseComments | parser.SkipObjectResolution

func (x *golang) walkFile(tree *ast.File) {
	x.file.Package = tree.Name.Name
	if x.file.Package == "_" {
		x.file.Package = ""
	}
	x.file.Doc = goDoc(tree.Doc)
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
	x.adopt()
}

// finish copies out what the buffers hold and drops what points into the tree.
func (x *golang) finish() {
	x.file.Symbols = slices.Clone(x.symbols)
	x.file.Refs = slices.Clone(x.refs)
	x.names.drop(0)
	clear(x.decls)
	clear(x.methods)
	clear(x.unnamed)
	clear(x.symbols)
	clear(x.refs)
	x.lastCall, x.results, x.called, x.file, x.text = nil, nil, nil, nil, ""
}

// imports lists the imports and binds their presumed names.
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
	x.used = append(x.used[:0], make([]bool, len(x.file.Imports))...)
}

func (x *golang) importSpec(s *ast.ImportSpec) {
	spec := strings.Trim(s.Path.Value, "\"`")
	if spec == "" {
		return
	}
	m := code.Import{Spec: spec, Line: x.lineOf(s.Pos())}
	if s.Name != nil {
		m.Alias = s.Name.Name
	}
	x.file.Imports = append(x.file.Imports, m)
}

// bindImports binds the names of the imports, first those guessed from a path
// that ends in a major version: a/b and a/b/v2 may stand side by side, and then b
// is the former.
func (x *golang) bindImports(guessed bool) {
	for i, m := range x.file.Imports {
		name, guess := m.Alias, false
		if name == "" {
			name, guess = goPackageName(m.Spec), isMajor(path.Base(m.Spec))
		}
		if guess == guessed && name != "_" && name != "." {
			x.names.bind(goName{name: name, what: goImport, imp: int32(i)})
		}
	}
}

// goPackageName guesses the package name of an import path: the last segment
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

// isMajor reports whether a path's last segment can be the major version of its
// module: v2 and above, never v0 or v1.
func isMajor(s string) bool { return isVersion(s) && s != "v0" && s != "v1" }

// isVersion reports whether s is v and digits.
func isVersion(s string) bool {
	if len(s) < 2 || s[0] != 'v' {
		return false
	}
	for i := 1; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// bindTop binds the names the file declares at its top, before the walk: Go
// does not care for their order.
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
		x.names.bind(goName{name: d.Name.Name, what: goTop, typ: d.Type, sym: -1})
		return
	}
	if x.methods == nil {
		x.methods = make(map[goMember]*ast.FuncType)
	}
	if recv := receiverType(d); recv != nil {
		x.methods[goMember{recv.Name, d.Name.Name}] = d.Type
	}
}

// nameSpec is nameFields for a spec of the top level.
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

// bindSpec binds what a const, var or type spec declares, with types as far as
// the spec itself tells.
func (x *golang) bindSpec(s ast.Spec, what goWhat) {
	switch s := s.(type) {
	case *ast.TypeSpec:
		x.names.bind(goName{name: s.Name.Name, what: what, spec: s, sym: -1})
	case *ast.ValueSpec:
		for i, n := range s.Names {
			typ := s.Type
			if typ == nil && len(s.Values) == len(s.Names) {
				typ = plainType(s.Values[i])
			}
			x.names.bind(goName{name: n.Name, what: what, typ: typ, sym: -1})
		}
	}
}

// plainType is the type a value spells out, else nil.
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
		if f, ok := e.Fun.(*ast.Ident); ok && len(e.Args) > 0 && (f.Name == "new" || f.Name == "make") {
			return e.Args[0]
		}
	}
	return nil
}

// adopt gives imports no qualifier was found for the unknown qualifier that fits
// their path best: in Go every import is used, so one of them is meant.
func (x *golang) adopt() {
	var names map[string]int32
	for i, m := range x.file.Imports {
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

// packageFit says how well q would do as the package name of an import path, 0
// not at all.
func packageFit(path, q string) int {
	name := goPackageName(path)
	switch {
	case len(q) >= 2 && slices.Contains(strings.FieldsFunc(path, isPathPunct), q):
		return 3
	case len(name) >= 2 && strings.Contains(q, name):
		return 2
	case len(q) >= 3 && strings.Contains(path, q):
		return 1
	}
	return 0
}

func isPathPunct(r rune) bool { return r == '/' || r == '.' || r == '-' || r == '_' }

// off is the byte offset of a position, within the file whatever a broken tree
// says.
func (x *golang) off(p token.Pos) uint32 {
	return uint32(min(max(int(p)-x.base, 0), len(x.text)))
}

// at is the text between two positions.
func (x *golang) at(from, to token.Pos) string {
	a, b := x.off(from), x.off(to)
	return x.text[a:max(a, b)]
}

func (x *golang) src(n ast.Node) string { return x.at(n.Pos(), n.End()) }

func (x *golang) lineOf(p token.Pos) uint32 { return x.lineAt(x.off(p)) }

// lineAt is the 1-based line of an offset. Positions come nearly in order, so it
// looks next to the last one first.
func (x *golang) lineAt(off uint32) uint32 {
	l, o := x.line, int(off)
	if l < len(x.lines) && x.lines[l] <= o {
		for n := 0; n < 8; n++ {
			if l+1 >= len(x.lines) || x.lines[l+1] > o {
				x.line = l
				return uint32(l + 1)
			}
			l++
		}
	}
	l, found := slices.BinarySearch(x.lines, o)
	if !found {
		l--
	}
	x.line = max(l, 0)
	return uint32(x.line + 1)
}

func (x *golang) span(from, to token.Pos) code.Span {
	a := x.off(from)
	b := max(a, x.off(to))
	if x.pieces != nil {
		b = min(b, x.pieceEnd(a)) // what lacks its end has it at the end of file
	}
	return code.Span{Start: a, End: b, Line: x.lineAt(a), EndLine: x.lineAt(max(b, a+1) - 1)}
}

// emit adds a reference to the name id.
func (x *golang) emit(id *ast.Ident, kind code.RefKind, via code.Via, imp int32, recv string) {
	start := x.off(id.NamePos)
	end := start + uint32(len(id.Name))
	if id.Name == "_" || int(end) > len(x.text) || x.text[start:end] != id.Name {
		return // the blank name, or one a broken file's parser made up
	}
	x.refs = append(x.refs, code.Ref{Name: id.Name, Kind: kind, Via: via, Import: imp, Recv: recv,
		Start: start, End: end, Line: x.lineAt(start), Scope: x.owner})
}
