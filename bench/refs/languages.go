package main

import "fmt"

func fileLanguage(name string) (language, error) {
	switch name {
	case "typescript":
		return language{extensions: []string{".ts", ".tsx", ".mts", ".cts"}, open: openScript}, nil
	case "javascript":
		return language{extensions: []string{".js", ".jsx", ".mjs", ".cjs"}, open: openScript}, nil
	case "go":
		return language{extensions: []string{".go"}, open: openGo}, nil
	case "c":
		return language{extensions: []string{".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh", ".hxx", ".inl"}, conditional: true, open: openC}, nil
	case "rust":
		return language{extensions: []string{".rs"}, open: openRust}, nil
	case "java":
		return language{extensions: []string{".java"}, overloads: true, open: openJava}, nil
	case "python":
		return language{extensions: []string{".py"}, open: openPython}, nil
	}
	return language{}, fmt.Errorf("there is no oracle for %q", name)
}
