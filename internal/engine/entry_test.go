package engine

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// readers says which functions of this package may take bytes of the project's
// files from the scanner, and why no secret comes in with them.
var readers = map[string]string{
	"worker.read":   "masks what it reads",
	"worker.masked": "masks what it reads",
	"worker.text":   "masks what it reads",

	"worker.unchanged": "gives what has the hash of a content that was searched and held none",
	"worker.differs":   "compares hashes",
	"worker.search":    "keeps findings only",
	"Engine.Tokens":    "keeps counts only",
	"finder.head":      "masks what the index found, in files that are as they were indexed",

	"Engine.IgnorePatterns": "masks what it reads",
	"differ.now":            "gives places of lines, object ids and, masked, names of declarations",
	"differ.is":             "compares hashes",
	"exactTree.Read":        "what is kept are places of names, and type errors without literals",
	"scipImport.text":       "compares names, keeps places",
}

// TestOneEntry fails when a new function reads source: it has to take the text
// from worker.masked, or to be named above.
func TestOneEntry(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(f, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				sel, ok := call.Fun.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				switch sel.Sel.Name {
				case "ReadInto", "Peek", "ReadWhole", "Stream", "ReadFile", "Open":
				default:
					return true
				}
				if x, ok := sel.X.(*ast.Ident); ok && x.Name == "facts" {
					return true // facts.Open unpacks, it reads no file
				}
				seen[funcName(f)] = true
				if readers[funcName(f)] == "" {
					t.Errorf("%s: %s reads a file (%s): what it reads must be masked", name, funcName(f), sel.Sel.Name)
				}
				return true
			})
		}
	}
	for f := range readers {
		if !seen[f] {
			t.Errorf("%s reads no file any more: take it off the list", f)
		}
	}
}

func funcName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	typ := f.Recv.List[0].Type
	if p, ok := typ.(*ast.StarExpr); ok {
		typ = p.X
	}
	return typ.(*ast.Ident).Name + "." + f.Name.Name
}
