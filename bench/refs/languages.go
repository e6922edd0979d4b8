package main

import "fmt"

func fileLanguage(name string) (measuredLanguage, error) {
	l, ok := map[string]measuredLanguage{
		"typescript": {extensions: []string{".ts", ".tsx", ".mts", ".cts"}, tags: "TypeScript", by: "typescript 5.9.3", open: openScript},
		"javascript": {extensions: []string{".js", ".jsx", ".mjs", ".cjs"}, tags: "JavaScript", by: "typescript 5.9.3", open: openScript},
		"go":         {extensions: []string{".go"}, tags: "Go", by: "go/types", open: openGo},
		"c":          {extensions: cExtensions, conditional: true, tags: "C", by: "clangd", open: openC},
		"cpp":        {extensions: cExtensions, conditional: true, tags: "C++", by: "clangd", open: openC},
		"rust":       {extensions: []string{".rs"}, tags: "Rust", by: "rust-analyzer", open: openRust},
		"java":       {extensions: []string{".java"}, overloads: true, tags: "Java", by: "javac", open: openJava},
		"python":     {extensions: []string{".py"}, tags: "Python", by: "pyright 1.1.414", open: openPython},
		"php":        {extensions: []string{".php"}, tags: "PHP", by: "intelephense 1.18.5", open: openPHP},
		// No oracle of these could be had.
		"csharp": {extensions: []string{".cs"}, tags: "C#"},
		"kotlin": {extensions: []string{".kt", ".kts"}, tags: "Kotlin"},
		"ruby":   {extensions: []string{".rb"}, tags: "Ruby"},
	}[name]
	if !ok {
		return l, fmt.Errorf("there is no oracle for %q", name)
	}
	return l, nil
}

var cExtensions = []string{".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh", ".hxx", ".inl"}
