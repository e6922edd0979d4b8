package main

import (
	"bytes"
	"context"
	"path/filepath"
	"regexp"
	"strings"
)

// openPython starts pyright.
func openPython(ctx context.Context, o options, t *sourceTree) (oracle, error) {
	packages, err := installNPM(ctx, o.cache)
	if err != nil {
		return nil, err
	}
	analysis := map[string]any{
		"autoSearchPaths": true, "useLibraryCodeForTypes": true, "diagnosticMode": "openFilesOnly", "typeCheckingMode": "off",
		"extraPaths": []string{"src", "lib", "."}, "logLevel": "Information",
	}
	program := filepath.Join(packages, "node_modules", "pyright", "langserver.index.js")
	return openServer(ctx, languageServer{
		name:     "pyright",
		command:  []string{"node", "--max-old-space-size=4000", program, "--stdio"},
		language: "python",
		settings: map[string]any{"python.analysis": analysis, "python": map[string]any{"analysis": analysis}},
		ready: func(method string, params []byte) bool {
			return method == "window/logMessage" && bytes.Contains(params, []byte("source file"))
		},
		declarations: []string{"textDocument/definition"},
		imports:      importedPython,
	}, t)
}

// importedPython reports whether a place is in an import statement, also in
// one whose names are in parentheses on lines of their own.
func importedPython(t *sourceTree, p place) bool {
	if line := t.lineText(p); strings.HasPrefix(line, "import ") || strings.HasPrefix(line, "from ") {
		return true
	}
	before := t.fileText(p.Path).bytes[:t.byteOffset(p)]
	open := bytes.LastIndexByte(before, '(')
	if open < 0 || bytes.IndexByte(before[open:], ')') >= 0 {
		return false
	}
	start := bytes.LastIndexByte(before[:open], '\n') + 1
	return fromImport.Match(bytes.TrimSpace(before[start:open]))
}

var fromImport = regexp.MustCompile(`^from\s+\S+\s+import$`)
