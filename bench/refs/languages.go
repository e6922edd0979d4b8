package main

import "fmt"

func fileLanguage(name string) (measuredLanguage, error) {
	switch name {
	case "typescript":
		return measuredLanguage{extensions: []string{".ts", ".tsx", ".mts", ".cts"}, open: openScript}, nil
	case "javascript":
		return measuredLanguage{extensions: []string{".js", ".jsx", ".mjs", ".cjs"}, open: openScript}, nil
	case "go":
		return measuredLanguage{extensions: []string{".go"}, open: openGo}, nil
	case "c":
		return measuredLanguage{extensions: []string{".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh", ".hxx", ".inl"}, conditional: true, open: openC}, nil
	case "rust":
		return measuredLanguage{extensions: []string{".rs"}, open: openRust}, nil
	case "java":
		return measuredLanguage{extensions: []string{".java"}, overloads: true, open: openJava}, nil
	case "python":
		return measuredLanguage{extensions: []string{".py"}, open: openPython}, nil
	}
	return measuredLanguage{}, fmt.Errorf("there is no oracle for %q", name)
}
