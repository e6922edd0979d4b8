package main

import (
	"bytes"
	"cmp"
	"context"
)

// openRust starts rust-analyzer. It is not installed here, because building it takes long.
func openRust(ctx context.Context, o options, t *sourceTree) (oracle, error) {
	return openServer(ctx, languageServer{
		name: "rust-analyzer", language: "rust",
		command: []string{cmp.Or(o.server, "rust-analyzer")},
		options: map[string]any{
			"cargo":       map[string]any{"features": "all", "buildScripts": map[string]any{"enable": false}},
			"procMacro":   map[string]any{"enable": false},
			"checkOnSave": false, "cachePriming": map[string]any{"enable": false},
			"references": map[string]any{"excludeImports": false},
		},
		ready: func(method string, params []byte) bool {
			return method == "experimental/serverStatus" && bytes.Contains(params, []byte(`"quiescent":true`))
		},
		declarations: []string{"textDocument/definition"},
		expanded:     true, // Self is a use without the name
		imports:      importedRust,
	}, t)
}

// importedRust reports whether a place is in a use declaration.
func importedRust(t *sourceTree, p place) bool {
	before := t.fileText(p.Path).bytes[:t.byteOffset(p)]
	before = before[bytes.LastIndexByte(before, ';')+1:]
	for {
		i := bytes.LastIndex(before, []byte("use "))
		if i < 0 {
			return false
		}
		start := i == 0 || bytes.ContainsAny(before[i-1:i], " \n\t")
		// A list of names has nothing but names, paths and braces after the word.
		if start && !bytes.ContainsAny(before[i:], "()=.#\"!") && lineBegins(before, i) {
			return true
		}
		before = before[:i]
	}
}

// lineBegins reports whether a line has only the visibility of a declaration before a byte.
func lineBegins(b []byte, at int) bool {
	head := bytes.TrimSpace(b[bytes.LastIndexByte(b[:at], '\n')+1 : at])
	return len(head) == 0 || bytes.HasPrefix(head, []byte("pub"))
}
