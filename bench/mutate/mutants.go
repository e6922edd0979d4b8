package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// pkg is the package under trial.
type pkg struct {
	ImportPath, Dir   string
	GoFiles, CgoFiles []string
	files             []*file
}

// file is one of its source files.
type file struct {
	path string
	text []byte
	fset *token.FileSet
	ast  *ast.File
}

// mutant is one change: the bytes of a file from start to end become text.
type mutant struct {
	file       *file
	start, end int
	text       string
	kind       string
}

// String says where a change is and what it does.
func (m mutant) String() string {
	at := m.file.fset.Position(m.file.ast.FileStart + token.Pos(m.start))
	now := string(m.file.text[m.start:m.end])
	return fmt.Sprintf("%s:%d: %s: %s → %s", filepath.Base(at.Filename), at.Line, m.kind, clip(now), clip(m.text))
}

// apply returns the file's text with the change in it.
func (m mutant) apply() []byte {
	t := m.file.text
	return slices.Concat(t[:m.start], []byte(m.text), t[m.end:])
}

func clip(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	if s == "" {
		return "nothing"
	}
	return s
}

// load reads the package that a path of the go command names.
func load(ctx context.Context, name string) (*pkg, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-json=ImportPath,Dir,GoFiles,CgoFiles", name)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w", name, err)
	}
	p := &pkg{}
	d := json.NewDecoder(bytes.NewReader(out))
	if err := d.Decode(p); err != nil {
		return nil, err
	}
	if d.More() {
		return nil, fmt.Errorf("%s is more than one package", name)
	}
	for _, f := range slices.Concat(p.GoFiles, p.CgoFiles) {
		path := filepath.Join(p.Dir, f)
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if err := p.add(path, text); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *pkg) add(path string, text []byte) error {
	f := &file{path: path, text: text, fset: token.NewFileSet()}
	var err error
	f.ast, err = parser.ParseFile(f.fset, path, text, parser.SkipObjectResolution)
	p.files = append(p.files, f)
	return err
}

// mutants returns every change of the package, in the order of the source.
func (p *pkg) mutants() []mutant {
	var out []mutant
	for _, f := range p.files {
		w := walker{file: f}
		ast.Walk(&w, f.ast)
		slices.SortStableFunc(w.out, func(a, b mutant) int { return cmp.Compare(a.start, b.start) })
		out = append(out, w.out...)
	}
	return out
}

// strata picks an order of trial: n stretches of the source, each with its
// changes in random order but kind by kind, so that constants, which are many,
// do not crowd out conditions. The first of a stretch that compiles is tried.
func strata(all []mutant, n int, seed uint64) [][]mutant {
	n = min(n, len(all))
	random := rand.New(rand.NewPCG(seed, 0))
	out := make([][]mutant, n)
	for i := range out {
		stretch := all[i*len(all)/n : (i+1)*len(all)/n]
		kinds := map[string][]mutant{}
		var names []string
		for _, m := range stretch {
			if kinds[m.kind] == nil {
				names = append(names, m.kind)
			}
			kinds[m.kind] = append(kinds[m.kind], m)
		}
		random.Shuffle(len(names), func(a, b int) { names[a], names[b] = names[b], names[a] })
		for _, k := range names {
			random.Shuffle(len(kinds[k]), func(a, b int) { kinds[k][a], kinds[k][b] = kinds[k][b], kinds[k][a] })
		}
		for len(out[i]) < len(stretch) {
			for _, k := range names {
				if ms := kinds[k]; len(ms) > 0 {
					out[i] = append(out[i], ms[0])
					kinds[k] = ms[1:]
				}
			}
		}
	}
	return out
}

// walker collects the changes of a file.
type walker struct {
	file  *file
	out   []mutant
	stack []ast.Node
}

// Visit adds the changes of one node.
func (w *walker) Visit(n ast.Node) ast.Visitor {
	if n == nil {
		w.stack = w.stack[:len(w.stack)-1]
		return nil
	}
	if w.skipped(n) {
		return nil
	}
	w.stack = append(w.stack, n)
	switch n := n.(type) {
	case *ast.IfStmt:
		w.negate(n.Cond)
		if !passesError(n) {
			w.empty(n.Body)
		}
		if b, ok := n.Else.(*ast.BlockStmt); ok {
			w.empty(b)
		}
	case *ast.ForStmt:
		w.negate(n.Cond)
		w.empty(n.Body)
	case *ast.RangeStmt:
		w.empty(n.Body)
	case *ast.BinaryExpr:
		w.binary(n)
	case *ast.BlockStmt:
		w.statements(n.List)
	case *ast.CaseClause:
		w.statements(n.Body)
	case *ast.ReturnStmt:
		w.returns(n)
	case *ast.BasicLit:
		w.literal(n)
	case *ast.BranchStmt:
		w.branch(n)
	case *ast.IncDecStmt:
		w.incDec(n)
	}
	return w
}

// skipped reports whether a node's changes would say nothing: what imports and
// tags hold, texts of errors, errors that are handed on, and sizes that only
// save allocations.
func (w *walker) skipped(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec, *ast.CommentGroup:
		return true
	case *ast.CallExpr:
		return slices.Contains([]string{"make", "panic", "Grow", "Errorf", "errors.New"}, called(n))
	case *ast.Field:
		return n.Tag != nil
	case *ast.BlockStmt:
		up, ok := w.stack[len(w.stack)-1].(*ast.IfStmt)
		return ok && up.Body == n && passesError(up)
	}
	return false
}

// passesError reports whether an if only hands an error on. What is in it is
// left alone: to see it fail takes a disk that fails, which says little about
// the rest of the tests. Its condition is changed like any other.
func passesError(n *ast.IfStmt) bool {
	b, ok := n.Cond.(*ast.BinaryExpr)
	if !ok || b.Op != token.NEQ || len(n.Body.List) != 1 {
		return false
	}
	x, isName := b.X.(*ast.Ident)
	_, returns := n.Body.List[0].(*ast.ReturnStmt)
	return returns && isName && strings.HasPrefix(x.Name, "err")
}

// called returns the name a call calls, without its package but for New.
func called(n *ast.CallExpr) string {
	switch f := n.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok && f.Sel.Name == "New" {
			return x.Name + ".New"
		}
		return f.Sel.Name
	}
	return ""
}

func (w *walker) add(kind string, from, to token.Pos, text string) {
	base := w.file.ast.FileStart
	w.out = append(w.out, mutant{w.file, int(from - base), int(to - base), text, kind})
}

// source returns the text of a node.
func (w *walker) source(n ast.Node) string {
	base := w.file.ast.FileStart
	return string(w.file.text[n.Pos()-base : n.End()-base])
}

func (w *walker) negate(cond ast.Expr) {
	if cond != nil {
		w.add("negated", cond.Pos(), cond.End(), "!("+w.source(cond)+")")
	}
}

func (w *walker) empty(b *ast.BlockStmt) {
	if len(b.List) > 0 {
		w.add("emptied", b.Lbrace+1, b.Rbrace, "")
	}
}

// swaps are the operators and what each is mistaken for.
var swaps = map[token.Token][]token.Token{
	token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL},
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR},
	token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL}, token.REM: {token.MUL},
	token.AND: {token.OR}, token.OR: {token.AND}, token.AND_NOT: {token.AND}, token.XOR: {token.AND},
	token.SHL: {token.SHR}, token.SHR: {token.SHL},
}

func (w *walker) binary(n *ast.BinaryExpr) {
	for _, to := range swaps[n.Op] {
		w.add("operator", n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), to.String())
	}
	if n.Op == token.LAND || n.Op == token.LOR {
		w.add("operand dropped", n.Pos(), n.End(), w.source(n.X))
		w.add("operand dropped", n.Pos(), n.End(), w.source(n.Y))
	}
}

// statements drops statements that only do something, so that what remains
// still compiles: declarations are left alone.
func (w *walker) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt, *ast.IncDecStmt, *ast.SendStmt, *ast.DeferStmt:
			w.add("dropped", s.Pos(), s.End(), "")
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE {
				w.add("dropped", s.Pos(), s.End(), "")
			}
		case *ast.ReturnStmt:
			if s != list[len(list)-1] || len(s.Results) == 0 {
				w.add("dropped", s.Pos(), s.End(), "")
			}
		}
	}
}

func (w *walker) branch(n *ast.BranchStmt) {
	switch n.Tok {
	case token.BREAK:
		w.add("branch", n.TokPos, n.TokPos+token.Pos(len("break")), "continue")
	case token.CONTINUE:
		w.add("branch", n.TokPos, n.TokPos+token.Pos(len("continue")), "break")
	}
}

func (w *walker) incDec(n *ast.IncDecStmt) {
	to := "--"
	if n.Tok == token.DEC {
		to = "++"
	}
	w.add("operator", n.TokPos, n.TokPos+2, to)
}

// returns replaces each value of a return by another of its type.
func (w *walker) returns(n *ast.ReturnStmt) {
	types := w.results()
	if len(types) != len(n.Results) {
		return // no value, or all from one call
	}
	for i, e := range n.Results {
		if text := other(types[i], w.source(e)); text != "" {
			w.add("returned", e.Pos(), e.End(), text)
		}
	}
}

// results returns the types that the innermost function returns, one a value.
func (w *walker) results() []ast.Expr {
	for _, n := range slices.Backward(w.stack) {
		var t *ast.FuncType
		switch n := n.(type) {
		case *ast.FuncDecl:
			t = n.Type
		case *ast.FuncLit:
			t = n.Type
		default:
			continue
		}
		var out []ast.Expr
		if t.Results != nil {
			for _, f := range t.Results.List {
				for range max(1, len(f.Names)) {
					out = append(out, f.Type)
				}
			}
		}
		return out
	}
	return nil
}

// other returns a value that differs from the one an expression has, or "".
func other(t ast.Expr, now string) string {
	text := ""
	switch t := t.(type) {
	case *ast.Ident:
		switch t.Name {
		case "bool":
			text = map[string]string{"true": "false", "false": "true"}[now]
			if text == "" {
				text = "!(" + now + ")"
			}
		case "error":
			text = "nil"
		case "string":
			text = `""`
		case "int", "int32", "int64", "uint32", "uint64", "float32", "float64":
			text = "(" + now + ") + 1"
		}
	case *ast.ArrayType:
		if t.Len == nil {
			text = "nil"
		}
	case *ast.MapType, *ast.StarExpr, *ast.FuncType, *ast.InterfaceType:
		text = "nil"
	}
	if text == now {
		return ""
	}
	return text
}

func (w *walker) literal(n *ast.BasicLit) {
	switch n.Kind {
	case token.INT:
		if v, err := strconv.ParseUint(n.Value, 0, 63); err == nil {
			w.add("constant", n.Pos(), n.End(), strconv.FormatUint(v+1, 10))
		}
	case token.FLOAT:
		w.add("constant", n.Pos(), n.End(), "("+n.Value+" + 0.5)")
	case token.CHAR:
		w.add("constant", n.Pos(), n.End(), "("+n.Value+" + 1)")
	case token.STRING:
		if s, err := strconv.Unquote(n.Value); err == nil && s == "" {
			w.add("constant", n.Pos(), n.End(), `"x"`)
		} else {
			w.add("constant", n.Pos(), n.End(), `""`)
		}
	}
}
