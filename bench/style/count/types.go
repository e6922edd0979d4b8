package count

import "go/ast"

// Interfaces returns the interface types of a file with the number of methods
// each lists itself; those it takes over from another interface by embedding
// it are that one's.
func (f *File) Interfaces() []Finding {
	var out []Finding
	name := "" // the declaration an interface without a name is in
	ast.Inspect(f.AST, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.TypeSpec:
			name = x.Name.Name
		case *ast.FuncDecl:
			name = x.Name.Name
		case *ast.InterfaceType:
			n := 0
			for _, m := range x.Methods.List {
				if _, method := m.Type.(*ast.FuncType); method {
					n += len(m.Names)
				}
			}
			out = append(out, Finding{File: f, Line: f.Line(x.Pos()), What: name, N: n})
		}
		return true
	})
	return out
}

// Goroutines returns the places where a file starts a goroutine: go statements
// and calls of a method named Go, as sync.WaitGroup has it.
func (f *File) Goroutines() []Finding {
	var out []Finding
	ast.Inspect(f.AST, func(x ast.Node) bool {
		starts := false
		switch x := x.(type) {
		case *ast.GoStmt:
			starts = true
		case *ast.CallExpr:
			sel, ok := x.Fun.(*ast.SelectorExpr)
			starts = ok && sel.Sel.Name == "Go" && len(x.Args) == 1
		}
		if starts {
			out = append(out, Finding{File: f, Line: f.Line(x.Pos()), What: "goroutine", N: 1})
		}
		return true
	})
	return out
}
