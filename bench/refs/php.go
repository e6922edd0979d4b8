package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
)

// openPHP starts intelephense.
func openPHP(ctx context.Context, o options, t *sourceTree) (oracle, error) {
	packages, err := installNPM(ctx, o.cache)
	if err != nil {
		return nil, err
	}
	store, err := os.MkdirTemp("", "ken-refs-php")
	if err != nil {
		return nil, err
	}
	program := filepath.Join(packages, "node_modules", "intelephense", "lib", "intelephense.js")
	return openServer(ctx, languageServer{
		name: "intelephense", language: "php",
		command: []string{"node", "--max-old-space-size=4000", program, "--stdio"},
		options: map[string]any{"storagePath": store, "clearCache": true},
		ready: func(method string, params []byte) bool {
			return method == "window/logMessage" && bytes.Contains(params, []byte("Indexing finished"))
		},
		declarations: []string{"textDocument/definition"},
		// A use declaration begins its line; that of traits is inside a class.
		imports: func(t *sourceTree, p place) bool {
			x := t.fileText(p.Path)
			return bytes.HasPrefix(x.bytes[x.lines[p.Line-1]:], []byte("use "))
		},
	}, t)
}
