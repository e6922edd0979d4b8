package secret_test

import (
	"encoding/base64"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp/syntax"
	"strconv"
	"strings"
)

// Sets whose examples are written in Go are read by evaluating as much of Go as they need: strings, lists, maps and literals of
// structs, and calls of functions of the set that are as simple. What cannot be evaluated is errUnknown, and is counted.

type errUnknown struct{ what string }

func (e errUnknown) Error() string { return "cannot evaluate " + e.what }

// goRecord is the literal of a struct, goTable that of a map, in its order.
type goRecord map[string]any
type goTable [][2]any

// goPackage is what a folder of Go files declares.
type goPackage struct {
	values map[string]ast.Expr
	funcs  map[string]*ast.FuncDecl
	types  map[string]*ast.StructType
}

// goCode evaluates the code of a set.
type goCode struct {
	packages map[string]*goPackage // by name, which is how others call them
	emit     func(callee string, args []any)
	drawn    map[string]int // how often each expression was drawn from, in the function that is evaluated
	depth    int
	unread   int
}

func newGoCode(files []setFile) *goCode {
	c := &goCode{packages: map[string]*goPackage{}, drawn: map[string]int{}}
	for _, f := range files {
		if strings.HasSuffix(f.path, ".go") {
			c.addFile(f)
		}
	}
	return c
}

func (c *goCode) addFile(f setFile) *goPackage {
	tree, err := parser.ParseFile(token.NewFileSet(), f.path, f.text, 0)
	if err != nil {
		c.unread++
		return nil
	}
	p := c.packages[tree.Name.Name]
	if p == nil {
		p = &goPackage{values: map[string]ast.Expr{}, funcs: map[string]*ast.FuncDecl{}, types: map[string]*ast.StructType{}}
		c.packages[tree.Name.Name] = p
	}
	for _, d := range tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				p.funcs[d.Name.Name] = d
			}
		case *ast.GenDecl:
			p.addSpecs(d)
		}
	}
	return p
}

func (p *goPackage) addSpecs(d *ast.GenDecl) {
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.ValueSpec:
			for i, name := range spec.Names {
				if i < len(spec.Values) {
					p.values[name.Name] = spec.Values[i]
				}
			}
		case *ast.TypeSpec:
			if s, ok := spec.Type.(*ast.StructType); ok {
				p.types[spec.Name.Name] = s
			}
		}
	}
}

// goFrame is one call.
type goFrame struct {
	code  *goCode
	pkg   *goPackage
	local map[string]any
}

// call runs a function as far as it can be evaluated, and gives what it returns. Statements that cannot be are passed over.
func (c *goCode) call(p *goPackage, f *ast.FuncDecl, args []any) (result any, err error) {
	if c.depth++; c.depth > 30 {
		c.depth--
		return nil, errUnknown{"recursion"}
	}
	defer func() { c.depth-- }()
	frame := &goFrame{c, p, map[string]any{}}
	i := 0
	for _, field := range f.Type.Params.List {
		for _, name := range field.Names {
			if _, variadic := field.Type.(*ast.Ellipsis); variadic {
				frame.local[name.Name] = append([]any{}, args[min(i, len(args)):]...)
			} else if i < len(args) {
				frame.local[name.Name] = args[i]
			}
			i++
		}
	}
	if f.Body == nil {
		return nil, errUnknown{f.Name.Name}
	}
	result, done, err := frame.run(f.Body.List)
	if !done && err == nil {
		err = errUnknown{"what " + f.Name.Name + " returns"}
	}
	return result, err
}

// run runs statements up to a return.
func (f *goFrame) run(list []ast.Stmt) (result any, done bool, err error) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ReturnStmt:
			if len(s.Results) == 0 {
				return nil, true, nil
			}
			result, err = f.eval(s.Results[0], nil)
			return result, true, err
		case *ast.AssignStmt:
			f.assign(s)
		case *ast.DeclStmt:
			f.declare(s)
		case *ast.RangeStmt:
			result, done, err = f.iterate(s)
		case *ast.ForStmt: // until a drawn value is good: the first is
			result, done, err = f.run(s.Body.List)
		case *ast.ExprStmt:
			_, _ = f.eval(s.X, nil)
		case *ast.BlockStmt:
			result, done, err = f.run(s.List)
		}
		if done {
			return result, done, err
		}
	}
	return nil, false, nil
}

func (f *goFrame) assign(s *ast.AssignStmt) {
	for i, left := range s.Lhs {
		name, ok := left.(*ast.Ident)
		if !ok || len(s.Lhs) != len(s.Rhs) {
			continue
		}
		v, err := f.eval(s.Rhs[i], nil)
		if err == nil && s.Tok == token.ADD_ASSIGN {
			v, err = plus(f.local[name.Name], v)
		}
		if err != nil {
			f.code.unread++
			continue
		}
		f.local[name.Name] = v
	}
}

func (f *goFrame) declare(s *ast.DeclStmt) {
	p := goPackage{values: map[string]ast.Expr{}, types: f.pkg.types}
	d, ok := s.Decl.(*ast.GenDecl)
	if !ok {
		return
	}
	p.addSpecs(d)
	for name, value := range p.values {
		if v, err := f.eval(value, nil); err == nil {
			f.local[name] = v
		}
	}
	for _, spec := range d.Specs {
		if v, ok := spec.(*ast.ValueSpec); ok && len(v.Values) == 0 {
			for _, name := range v.Names {
				f.local[name.Name] = []any{}
			}
		}
	}
}

func (f *goFrame) iterate(s *ast.RangeStmt) (result any, done bool, err error) {
	over, err := f.eval(s.X, nil)
	if err != nil {
		return nil, false, nil
	}
	var pairs goTable
	switch over := over.(type) {
	case []any:
		for i, v := range over {
			pairs = append(pairs, [2]any{i, v})
		}
	case goTable:
		pairs = over
	}
	for _, p := range pairs {
		for i, e := range []ast.Expr{s.Key, s.Value} {
			if name, ok := e.(*ast.Ident); ok {
				f.local[name.Name] = p[i]
			}
		}
		if result, done, err = f.run(s.Body.List); done {
			return result, done, err
		}
	}
	return nil, false, nil
}

// eval evaluates an expression. as is the type that the elements of a literal around it have.
func (f *goFrame) eval(e ast.Expr, as ast.Expr) (any, error) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.INT {
			return strconv.Atoi(e.Value)
		}
		return strconv.Unquote(e.Value)
	case *ast.ParenExpr:
		return f.eval(e.X, as)
	case *ast.Ident:
		return f.name(e.Name)
	case *ast.UnaryExpr:
		return f.eval(e.X, as)
	case *ast.StarExpr:
		return f.eval(e.X, as)
	case *ast.BinaryExpr:
		return f.binary(e)
	case *ast.CompositeLit:
		return f.literal(e, as)
	case *ast.SelectorExpr:
		return f.member(e)
	case *ast.IndexExpr:
		return f.index(e)
	case *ast.SliceExpr:
		return f.slice(e)
	case *ast.CallExpr:
		return f.evalCall(e)
	}
	return nil, errUnknown{fmt.Sprintf("%T", e)}
}

func (f *goFrame) name(name string) (any, error) {
	switch name {
	case "nil":
		return nil, nil
	case "true", "false":
		return name == "true", nil
	}
	if v, ok := f.local[name]; ok {
		return v, nil
	}
	if e, ok := f.pkg.values[name]; ok {
		if f.code.depth++; f.code.depth > 30 {
			f.code.depth--
			return nil, errUnknown{name}
		}
		defer func() { f.code.depth-- }()
		return (&goFrame{f.code, f.pkg, map[string]any{}}).eval(e, nil)
	}
	return nil, errUnknown{name}
}

func (f *goFrame) binary(e *ast.BinaryExpr) (any, error) {
	x, err := f.eval(e.X, nil)
	if err != nil {
		return nil, err
	}
	y, err := f.eval(e.Y, nil)
	if err != nil {
		return nil, err
	}
	if e.Op == token.ADD {
		return plus(x, y)
	}
	return nil, errUnknown{e.Op.String()}
}

func plus(x, y any) (any, error) {
	switch x := x.(type) {
	case string:
		if y, ok := y.(string); ok {
			return x + y, nil
		}
	case int:
		if y, ok := y.(int); ok {
			return x + y, nil
		}
	}
	return nil, errUnknown{"+"}
}

func (f *goFrame) member(e *ast.SelectorExpr) (any, error) {
	if p, ok := e.X.(*ast.Ident); ok && f.code.packages[p.Name] != nil && f.local[p.Name] == nil {
		return (&goFrame{f.code, f.code.packages[p.Name], map[string]any{}}).name(e.Sel.Name)
	}
	x, err := f.eval(e.X, nil)
	if err != nil {
		return nil, err
	}
	if r, ok := x.(goRecord); ok {
		if v, ok := r[e.Sel.Name]; ok {
			return v, nil
		}
	}
	return nil, errUnknown{e.Sel.Name}
}

func (f *goFrame) index(e *ast.IndexExpr) (any, error) {
	x, err := f.eval(e.X, nil)
	if err != nil {
		return nil, err
	}
	i, err := f.eval(e.Index, nil)
	if err != nil {
		return nil, err
	}
	switch x := x.(type) {
	case []any:
		if i, ok := i.(int); ok && i >= 0 && i < len(x) {
			return x[i], nil
		}
	case goTable:
		for _, p := range x {
			if p[0] == i {
				return p[1], nil
			}
		}
	}
	return nil, errUnknown{"index"}
}

func (f *goFrame) slice(e *ast.SliceExpr) (any, error) {
	x, err := f.eval(e.X, nil)
	if err != nil {
		return nil, err
	}
	s, ok := x.(string)
	bounds := [2]int{0, len(s)}
	for i, b := range []ast.Expr{e.Low, e.High} {
		if b == nil {
			continue
		}
		v, err := f.eval(b, nil)
		n, isInt := v.(int)
		if err != nil || !isInt || n > len(s) {
			return nil, errUnknown{"slice"}
		}
		bounds[i] = n
	}
	if !ok || bounds[0] > bounds[1] {
		return nil, errUnknown{"slice"}
	}
	return s[bounds[0]:bounds[1]], nil
}

// literal evaluates a literal of a list, a map or a struct. Elements and fields that cannot be evaluated are left out.
func (f *goFrame) literal(e *ast.CompositeLit, as ast.Expr) (any, error) {
	kind := e.Type
	if kind == nil {
		kind = as
	}
	switch kind := kind.(type) {
	case *ast.ArrayType:
		list := []any{}
		for _, el := range e.Elts {
			if v, err := f.eval(el, kind.Elt); err == nil {
				list = append(list, v)
			} else {
				f.code.unread++
			}
		}
		return list, nil
	case *ast.MapType:
		table := goTable{}
		for _, el := range e.Elts {
			kv, ok := el.(*ast.KeyValueExpr)
			if !ok {
				continue
			}
			k, kerr := f.eval(kv.Key, kind.Key)
			v, verr := f.eval(kv.Value, kind.Value)
			if kerr == nil && verr == nil {
				table = append(table, [2]any{k, v})
			} else {
				f.code.unread++
			}
		}
		return table, nil
	}
	record := goRecord{}
	names := f.fields(kind)
	for i, el := range e.Elts {
		name, value := "", el
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok {
				name, value = id.Name, kv.Value
			}
		} else if i < len(names) {
			name = names[i]
		}
		if v, err := f.eval(value, nil); err == nil && name != "" {
			record[name] = v
		}
	}
	return record, nil
}

// fields are the names of a struct's fields.
func (f *goFrame) fields(kind ast.Expr) (names []string) {
	s, _ := kind.(*ast.StructType)
	if id, ok := kind.(*ast.Ident); ok {
		s = f.pkg.types[id.Name]
	}
	if s == nil {
		return nil
	}
	for _, field := range s.Fields.List {
		for _, name := range field.Names {
			names = append(names, name.Name)
		}
	}
	return names
}

func (f *goFrame) args(e *ast.CallExpr) (args []any, err error) {
	for i, a := range e.Args {
		v, err := f.eval(a, nil)
		if err != nil {
			return nil, err
		}
		if list, ok := v.([]any); ok && e.Ellipsis.IsValid() && i == len(e.Args)-1 {
			args = append(args, list...)
			continue
		}
		args = append(args, v)
	}
	return args, nil
}

func (f *goFrame) evalCall(e *ast.CallExpr) (any, error) {
	callee := ""
	switch fun := e.Fun.(type) {
	case *ast.Ident:
		callee = fun.Name
	case *ast.ArrayType:
		callee = "string" // []byte(s)
	case *ast.SelectorExpr:
		if x, ok := fun.X.(*ast.Ident); ok {
			callee = x.Name + "." + fun.Sel.Name
			if r, ok := f.local[x.Name].(*strings.Replacer); ok && len(e.Args) == 1 {
				v, err := f.eval(e.Args[0], nil)
				if s, ok := v.(string); ok && err == nil {
					return r.Replace(s), nil
				}
			}
		} else if x, ok := fun.X.(*ast.SelectorExpr); ok {
			callee = x.Sel.Name + "." + fun.Sel.Name
		}
	}
	if callee == "make" {
		return []any{}, nil
	}
	if strings.HasPrefix(callee, "utils.Validate") && f.code.emit != nil {
		args := make([]any, len(e.Args))
		for i, a := range e.Args {
			args[i], _ = f.eval(a, nil)
		}
		f.code.emit(callee, args)
		return nil, nil
	}
	args, err := f.args(e)
	if err != nil {
		return nil, err
	}
	if p, name, ok := strings.Cut(callee, "."); ok && f.code.packages[p] != nil && p != "secrets" {
		if fn := f.code.packages[p].funcs[name]; fn != nil {
			return f.code.call(f.code.packages[p], fn, args)
		}
	}
	if fn := f.pkg.funcs[callee]; fn != nil {
		return f.code.call(f.pkg, fn, args)
	}
	return f.code.builtin(callee, args)
}

// builtin is what the functions of the language and its library give that sets use.
func (c *goCode) builtin(callee string, args []any) (any, error) {
	s := make([]string, len(args))
	for i, a := range args {
		s[i], _ = a.(string)
	}
	if len(args) == 0 {
		return nil, errUnknown{callee}
	}
	switch callee {
	case "append":
		list, _ := args[0].([]any)
		return append(append([]any{}, list...), args[1:]...), nil
	case "string", "byte":
		return args[0], nil
	case "len":
		return len(s[0]), nil
	case "fmt.Sprintf":
		return fmt.Sprintf(s[0], args[1:]...), nil
	case "strings.ToUpper":
		return strings.ToUpper(s[0]), nil
	case "strings.ToLower":
		return strings.ToLower(s[0]), nil
	case "strings.TrimSpace":
		return strings.TrimSpace(s[0]), nil
	case "strings.NewReplacer":
		return strings.NewReplacer(s...), nil
	case "secrets.NewSecret", "secrets.NewSecretWithEntropy":
		re, err := syntax.Parse(s[0], syntax.Perl)
		if err != nil {
			return nil, err
		}
		c.drawn[s[0]]++
		return draw(re, fmt.Sprintf("%s %d", s[0], c.drawn[s[0]])), nil
	case "StdEncoding.EncodeToString":
		return base64.StdEncoding.EncodeToString([]byte(s[0])), nil
	}
	if len(args) > 1 {
		n, isInt := args[1].(int)
		switch {
		case callee == "strings.Repeat" && isInt && n >= 0 && n < 1<<16:
			return strings.Repeat(s[0], n), nil
		case callee == "strings.ReplaceAll" && len(args) == 3, callee == "strings.Replace" && len(args) == 4:
			return strings.ReplaceAll(s[0], s[1], s[2]), nil
		case callee == "strings.TrimPrefix":
			return strings.TrimPrefix(s[0], s[1]), nil
		case callee == "strings.TrimSuffix":
			return strings.TrimSuffix(s[0], s[1]), nil
		case callee == "strings.Join":
			return joined(args[0], s[1])
		}
	}
	return nil, errUnknown{callee}
}

func joined(list any, by string) (any, error) {
	var parts []string
	l, ok := list.([]any)
	for _, v := range l {
		p, isString := v.(string)
		parts, ok = append(parts, p), ok && isString
	}
	if !ok {
		return nil, errUnknown{"strings.Join"}
	}
	return strings.Join(parts, by), nil
}
