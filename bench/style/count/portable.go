package count

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// CModules are the modules outside this one that need a C compiler.
var CModules = []string{"github.com/tree-sitter/", "github.com/tree-sitter-grammars/", "github.com/alexaandru/"}

// Imports lists the imports of the packages of a module, by folder: of
// their source, and of their tests of either kind.
type Imports struct{ Source, Tests map[string][]string }

// LoadImports reads the imports of the module in dir, whichever system a file
// is built for.
func LoadImports(dir string) (*Imports, error) {
	out := &Imports{Source: map[string][]string{}, Tests: map[string][]string{}}
	err := fs.WalkDir(os.DirFS(dir), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		switch {
		case d.IsDir() && p != "." && (name == "testdata" || isHidden(name)):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || isHidden(name):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, filepath.FromSlash(p)), nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		to := out.Source
		if strings.HasSuffix(name, "_test.go") {
			to = out.Tests
		}
		pkg := path.Dir(p)
		to[pkg] = append(to[pkg], "") // a package may import nothing
		for _, imp := range f.Imports {
			to[pkg] = append(to[pkg], strings.Trim(imp.Path.Value, `"`))
		}
		return nil
	})
	return out, err
}

// NeedsC reports whether the source of a package needs C, itself or through
// its imports.
func (i *Imports) NeedsC(pkg string) bool { return i.needsC(i.Source[pkg], map[string]bool{}) }

// TestsNeedC reports whether the tests of a package need C, or its source does.
func (i *Imports) TestsNeedC(pkg string) bool {
	return i.NeedsC(pkg) || i.needsC(i.Tests[pkg], map[string]bool{})
}

func (i *Imports) needsC(imports []string, seen map[string]bool) bool {
	for _, imp := range imports {
		rest, ours := strings.CutPrefix(imp, Module+"/")
		switch {
		case imp == "C", slices.ContainsFunc(CModules, func(m string) bool { return strings.HasPrefix(imp, m) }):
			return true
		case ours && !seen[rest]:
			seen[rest] = true
			if i.needsC(i.Source[rest], seen) {
				return true
			}
		}
	}
	return false
}
