package extract

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"

	"ken/internal/code"
)

// golang reads Go with go/parser, because that is many times faster than the grammar.
// It keeps its buffers between files and is not safe for concurrent use.
//
// Only declarations outside of function bodies are symbols. Names are resolved by a
// scope table of its own (goScope), because the parser's object resolution
// knows neither types nor imports.
//
// Choices that the vocabulary of facts leaves open: the span of a lone `type T …`,
// `var x …` or `const c …` is the whole declaration with its keyword, that of a name in
// a group or a list its spec; `_` declares nothing; Exported means a capital first
// letter; an embedded type is both a field and an inherit reference whose Scope is the
// embedding type; `var _ I = T{}` is an implement reference from T to I.
type golang struct {
	facts    *code.Facts
	text     string
	fileBase int   // token.Pos of the file's first byte
	lines    []int // offset of each line's first byte
	line     int   // index in lines where the last position was found
	names    goScope
	// owner is the innermost symbol around the walk, -1 at the top; receiver the
	// receiver's type in a method; inBody is set inside function bodies, where
	// declarations make no symbols.
	owner    int32
	receiver string
	inBody   bool

	symbols    []code.Symbol
	refs       []code.Ref
	used       []bool      // imports that a qualifier refers to
	pending    []goPending // unknown qualifiers
	methods    map[goMember]*ast.FuncType
	unnamed    map[*ast.StructType]string // names for struct types without one: the field or variable of the type
	decls      []ast.Decl
	pieces     []int       // where the pieces of a broken file begin, and its end
	damage     []byteRange // the pieces with errors
	containers code.Containers
	// results are the results of lastCall, the call walked last. If another file
	// declares the function, calledType is set instead.
	lastCall   *ast.CallExpr
	results    *ast.FieldList
	calledType ast.Expr
}

// goPending is a `q.Name` whose q is neither declared in the file nor known as the name
// of an import: refs[ref] is the reference to q, and the next one is that to Name.
type goPending struct{ ref int }

type goMember struct{ typ, name string }

const goMode = parser.ParseComments | parser.SkipObjectResolution

// offset returns the byte offset of a position. The result is inside the file even if a
// broken tree has a position outside.
func (x *golang) offset(p token.Pos) uint32 {
	return uint32(min(max(int(p)-x.fileBase, 0), len(x.text)))
}

// textBetween returns the text between two positions.
func (x *golang) textBetween(from, to token.Pos) string {
	a, b := x.offset(from), x.offset(to)
	return x.text[a:max(a, b)]
}

func (x *golang) source(n ast.Node) string { return x.textBetween(n.Pos(), n.End()) }

// lineAt returns the 1-based line of an offset. Because positions come nearly in order, it
// begins to search at the last result.
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
	a := x.offset(from)
	b := max(a, x.offset(to))
	if x.pieces != nil {
		b = min(b, x.pieceEnd(a)) // a declaration that is not closed ends with the file
	}
	return code.Span{Start: a, End: b, Line: x.lineAt(a), EndLine: x.lineAt(max(b, a+1) - 1)}
}

// goNameKind is the kind of declaration that a Go name stands for.
type goNameKind uint8

const (
	goBuiltin goNameKind = iota // predeclared
	goImport
	goTop   // declared at this file's top level
	goLocal // parameter, variable, constant or type of a function; type parameter
)

// goName is a name in a scope, with its type if the file shows it.
type goName struct {
	name       string
	outer      int32 // name this one hides, -1
	kind       goNameKind
	isReceiver bool // the receiver
	imp        int32
	sym        int32         // symbol of a top-level name once declared, -1 before
	typ        ast.Expr      // a value's type; a function's *ast.FuncType
	spec       *ast.TypeSpec // the declaration of a type
	constraint ast.Expr      // a type parameter's constraint
}

// goScope holds the names in scope, innermost last. The predeclared names are always at
// its bottom.
type goScope struct {
	innermost  map[string]int32
	list       []goName
	blockStart int // length of list where the innermost block began
}

// goBlock is an open block. start is the index in goScope's list of its first name,
// outer that of the block around it.
type goBlock struct{ start, outer int }

var goUniverse = [...]string{
	"any", "bool", "byte", "comparable", "complex64", "complex128", "error", "float32", "float64", "int", "int8", "int16",
	"int32", "int64", "rune", "string", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr", "true", "false", "iota",
	"nil", "append", "cap", "clear", "close", "complex", "copy", "delete", "imag", "len", "make", "max", "min", "new",
	"panic", "print", "println", "real", "recover",
}

// reset drops all names but the predeclared ones. It makes a new map only if a panic
// left other names in it.
func (s *goScope) reset() {
	if len(s.list) == len(goUniverse) && len(s.innermost) == len(goUniverse) {
		s.blockStart = 0
		return
	}
	*s = goScope{innermost: make(map[string]int32, 256), list: s.list[:0]}
	for _, n := range goUniverse {
		s.bind(goName{name: n, kind: goBuiltin})
	}
}

func (s *goScope) bind(n goName) {
	if n.name == "_" {
		return
	}
	n.outer = -1
	if i, ok := s.innermost[n.name]; ok {
		n.outer = i
	}
	s.innermost[n.name] = int32(len(s.list))
	s.list = append(s.list, n)
}

func (s *goScope) openBlock() goBlock {
	b := goBlock{len(s.list), s.blockStart}
	s.blockStart = b.start
	return b
}

func (s *goScope) closeBlock(b goBlock) {
	s.truncate(b.start)
	s.blockStart = b.outer
}

// truncate drops the newest names until the list has the given length; with 0 it
// drops all but the predeclared names.
func (s *goScope) truncate(length int) {
	length = max(length, len(goUniverse))
	for i := len(s.list) - 1; i >= length; i-- {
		n := &s.list[i]
		if n.outer >= 0 {
			s.innermost[n.name] = n.outer
		} else {
			delete(s.innermost, n.name)
		}
		*n = goName{} // it would keep the syntax tree alive
	}
	s.list = s.list[:min(length, len(s.list))]
}

// lookup returns the binding of name, or nil if the file does not bind it. The pointer is valid
// until the next bind.
func (s *goScope) lookup(name string) *goName {
	if i, ok := s.innermost[name]; ok {
		return &s.list[i]
	}
	return nil
}
