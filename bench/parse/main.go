// Command parse is the yardstick of the index benchmarks: it reads and parses
// every file of the given languages below a directory with tree-sitter on all
// cores, and does nothing with the trees.
//
//	go run ./bench/parse DIR go|typescript|javascript|python|rust|java|ruby…
package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	bash "github.com/alexaandru/go-sitter-forest/bash"
	c "github.com/alexaandru/go-sitter-forest/c"
	csharp "github.com/alexaandru/go-sitter-forest/c_sharp"
	cpp "github.com/alexaandru/go-sitter-forest/cpp"
	dart "github.com/alexaandru/go-sitter-forest/dart"
	elixir "github.com/alexaandru/go-sitter-forest/elixir"
	haskell "github.com/alexaandru/go-sitter-forest/haskell"
	java "github.com/alexaandru/go-sitter-forest/java"
	php "github.com/alexaandru/go-sitter-forest/php"
	ruby "github.com/alexaandru/go-sitter-forest/ruby"
	rust "github.com/alexaandru/go-sitter-forest/rust"
	swift "github.com/alexaandru/go-sitter-forest/swift"
	tsx "github.com/alexaandru/go-sitter-forest/tsx"
	typescript "github.com/alexaandru/go-sitter-forest/typescript"
	zig "github.com/alexaandru/go-sitter-forest/zig"
	kotlin "github.com/tree-sitter-grammars/tree-sitter-kotlin/bindings/go"
	lua "github.com/tree-sitter-grammars/tree-sitter-lua/bindings/go"
	ts "github.com/tree-sitter/go-tree-sitter"
	golang "github.com/tree-sitter/tree-sitter-go/bindings/go"
	javascript "github.com/tree-sitter/tree-sitter-javascript/bindings/go"
	ocaml "github.com/tree-sitter/tree-sitter-ocaml/bindings/go"
	python "github.com/tree-sitter/tree-sitter-python/bindings/go"
	scala "github.com/tree-sitter/tree-sitter-scala/bindings/go"
)

// grammars are the extensions of each language and the grammar that reads them.
var grammars = []struct {
	lang    string
	ext     []string
	grammar func() unsafe.Pointer
}{
	{"go", []string{".go"}, golang.Language},
	{"typescript", []string{".ts", ".mts", ".cts"}, typescript.GetLanguage},
	{"typescript", []string{".tsx"}, tsx.GetLanguage},
	{"javascript", []string{".js", ".jsx", ".mjs", ".cjs"}, javascript.Language},
	{"python", []string{".py", ".pyi"}, python.Language},
	{"rust", []string{".rs"}, rust.GetLanguage},
	{"java", []string{".java"}, java.GetLanguage},
	{"c", []string{".c", ".h"}, c.GetLanguage},
	{"cpp", []string{".cc", ".cpp", ".cxx", ".hpp", ".hh"}, cpp.GetLanguage},
	{"ruby", []string{".rb", ".rake", ".gemspec", ".ru"}, ruby.GetLanguage},
	{"csharp", []string{".cs"}, csharp.GetLanguage},
	{"php", []string{".php"}, php.GetLanguage},
	{"scala", []string{".scala", ".sc", ".sbt"}, scala.Language},
	{"kotlin", []string{".kt", ".kts"}, kotlin.Language},
	{"lua", []string{".lua"}, lua.Language},
	{"shell", []string{".sh", ".bash"}, bash.GetLanguage},
	{"zig", []string{".zig"}, zig.GetLanguage},
	{"elixir", []string{".ex", ".exs"}, elixir.GetLanguage},
	{"ocaml", []string{".ml"}, ocaml.LanguageOCaml},
	{"ocaml", []string{".mli"}, ocaml.LanguageOCamlInterface},
	{"dart", []string{".dart"}, dart.GetLanguage},
	{"haskell", []string{".hs"}, haskell.GetLanguage},
	{"swift", []string{".swift"}, swift.GetLanguage},
}

type file struct {
	path    string
	grammar int
}

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: parse DIR LANGUAGE…")
		os.Exit(2)
	}
	files, err := listFiles(os.Args[1], os.Args[2:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "parse:", err)
		os.Exit(1)
	}
	var bytes atomic.Int64
	todo := make(chan file)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() { parseFiles(todo, &bytes) })
	}
	for _, f := range files {
		todo <- f
	}
	close(todo)
	wg.Wait()
	fmt.Printf("%d files, %d bytes\n", len(files), bytes.Load())
}

func listFiles(root string, langs []string) ([]file, error) {
	var out []file
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == ".ken" || d.Name() == "node_modules") {
			return filepath.SkipDir
		}
		for i, g := range grammars {
			if d.Type().IsRegular() && slices.Contains(langs, g.lang) && slices.Contains(g.ext, filepath.Ext(p)) {
				out = append(out, file{p, i})
			}
		}
		return nil
	})
	return out, err
}

func parseFiles(todo <-chan file, bytes *atomic.Int64) {
	p := ts.NewParser()
	defer p.Close()
	for f := range todo {
		src, err := os.ReadFile(f.path)
		if err != nil || len(src) > 500_000 {
			continue
		}
		if err := p.SetLanguage(ts.NewLanguage(grammars[f.grammar].grammar())); err != nil {
			continue
		}
		if t := p.Parse(src, nil); t != nil {
			t.Close()
		}
		bytes.Add(int64(len(src)))
	}
}
