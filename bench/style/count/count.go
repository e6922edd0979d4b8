// Package count measures the shape of this module's source: sizes, widths of
// interfaces, conditions, comparisons with a language, words of comments. Its
// users are bench/style, which prints the measures, and the layer test at the
// root, which holds them to a table; they share this package so that a table
// and a test agree about the meaning of a number. It reads syntax only;
// bench/style itself has the measures that need types.
package count

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Module is the path of the module, as imports spell it.
const Module = "ken"

// Tree is the Go source of a module that is neither test nor test data.
type Tree struct {
	Fset  *token.FileSet
	Files []*File // in the order of paths
}

// File is one source file.
type File struct {
	Path    string // from the root of the module, with slashes
	Package string // the folder of Path: "internal/code"
	Text    string
	AST     *ast.File
	Lines   int // newline characters

	fset  *token.FileSet
	kinds []lineKind // by line, the first is 0
}

// lineKind classifies a line, for shares of lines.
type lineKind uint8

const (
	blank   lineKind = iota
	comment          // nothing but comment
	coded            // code, with or without a comment after it
)

// Load reads the source below dir: every .go file but tests, folders named
// testdata and folders whose name begins with a dot or an underscore, as the
// go command sees it.
func Load(dir string) (*Tree, error) {
	t := &Tree{Fset: token.NewFileSet()}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if p != dir && (name == "testdata" || isHidden(name)) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || isHidden(name) {
			return nil
		}
		rel, err := filepath.Rel(dir, p)
		if err != nil {
			return err
		}
		return t.addFile(p, filepath.ToSlash(rel))
	})
	return t, err
}

func isHidden(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
}

func (t *Tree) addFile(file, rel string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	tree, err := parser.ParseFile(t.Fset, rel, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	f := &File{Path: rel, Package: path.Dir(rel), Text: string(text), AST: tree, Lines: strings.Count(string(text), "\n"), fset: t.Fset}
	f.kinds = f.classifyLines()
	t.Files = append(t.Files, f)
	return nil
}

// Line returns the number of the line a position is in.
func (f *File) Line(pos token.Pos) int { return f.fset.Position(pos).Line }

// Imports returns the paths a file imports.
func (f *File) Imports() []string {
	var out []string
	for _, imp := range f.AST.Imports {
		out = append(out, strings.Trim(imp.Path.Value, `"`))
	}
	return out
}

// CodeLines returns the number of lines that are neither blank nor comment.
func (f *File) CodeLines() int { return f.countLines(coded) }

// CommentLines returns the number of lines that are nothing but comment.
func (f *File) CommentLines() int { return f.countLines(comment) }

func (f *File) countLines(kind lineKind) int {
	n := 0
	for _, k := range f.kinds {
		if k == kind {
			n++
		}
	}
	return n
}

// classifyLines finds the kind of each line. A line inside a comment is comment
// unless code ends or begins on it; an empty line inside a raw string is
// blank, because it is not read as code either.
func (f *File) classifyLines() []lineKind {
	lines := strings.Split(f.Text, "\n")
	kinds := make([]lineKind, len(lines))
	for i, l := range lines {
		if strings.TrimSpace(l) != "" {
			kinds[i] = coded
		}
	}
	for _, g := range f.AST.Comments {
		for _, c := range g.List {
			first, last := f.fset.Position(c.Pos()), f.fset.Position(c.End())
			for n := first.Line; n <= last.Line; n++ {
				before := n == first.Line && strings.TrimSpace(lines[n-1][:first.Column-1]) != ""
				after := n == last.Line && strings.TrimSpace(lines[n-1][last.Column-1:]) != ""
				if kinds[n-1] == coded && !before && !after {
					kinds[n-1] = comment
				}
			}
		}
	}
	return kinds
}

// IsInPlaces reports whether a package is one, or is in one, of the given places: an
// entry that ends in "/" means all packages below it, any other means that
// package alone.
func IsInPlaces(pkg string, places ...string) bool {
	for _, p := range places {
		if pkg == p || strings.HasSuffix(p, "/") && strings.HasPrefix(pkg, p) {
			return true
		}
	}
	return false
}

// Finding is one place that a measure counted.
type Finding struct {
	File *File
	Line int
	What string
	N    int // how much it is: operators, columns, methods
}

// FileAt returns the path of the file a position is in.
func (f *File) FileAt(pos token.Pos) string { return f.fset.Position(pos).Filename }
