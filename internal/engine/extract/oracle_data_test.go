package extract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/goccy/go-yaml/ast"
	yamlparser "github.com/goccy/go-yaml/parser"
	tomldoc "github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"ken/internal/code"
	"ken/internal/engine/extract/data"
	"ken/internal/engine/extract/plain"
)

// The scanners of data files are compared, key by key and line by line, with
// other readers of the same formats, over the files of KEN_CORPUS and of testdata.

// keyLines returns the keys of the first two levels as "depth name :line" in source order.
func keyLines(path string, src []byte, scan func(f *plain.File) []data.Key) []string {
	f := &plain.File{Path: path, Text: string(src), Facts: &code.Facts{}, Owner: -1}
	var out []string
	for _, k := range scan(f) {
		if k.Depth < 2 {
			out = append(out, fmt.Sprintf("%d %q :%d", k.Depth, k.Name, f.LineAt(uint32(k.At))))
		}
	}
	return out
}

func yamlKeys(path string, src []byte) []string { return keyLines(path, src, data.YAMLKeys) }

// goccyKeys returns the keys that goccy/go-yaml finds; ok is false if it refuses the file.
func goccyKeys(src []byte) (keys []string, ok bool) {
	f, err := yamlparser.ParseBytes(src, 0)
	if err != nil {
		return nil, false
	}
	for _, d := range f.Docs {
		keys = appendGoccy(keys, d.Body, 0)
	}
	return keys, true
}

func appendGoccy(keys []string, n ast.Node, depth int) []string {
	switch n := n.(type) {
	case *ast.MappingNode:
		for _, v := range n.Values {
			keys = appendGoccy(keys, v, depth)
		}
	case *ast.MappingValueNode:
		key := ast.Node(n.Key)
		for {
			if t, ok := key.(*ast.TagNode); ok {
				key = t.Value
			} else if a, ok := key.(*ast.AnchorNode); ok {
				key = a.Value
			} else {
				break
			}
		}
		if _, explicit := n.Key.(*ast.MappingKeyNode); explicit {
			break
		}
		name := key.GetToken().Value
		keys = append(keys, fmt.Sprintf("%d %q :%d", depth, name, key.GetToken().Position.Line))
		if depth == 0 {
			keys = appendGoccy(keys, n.Value, 1)
		}
	case *ast.TagNode:
		keys = appendGoccy(keys, n.Value, depth)
	case *ast.AnchorNode:
		keys = appendGoccy(keys, n.Value, depth)
	}
	return keys
}

// flowKeys returns the keys of a JSON file.
func flowKeys(path string, src []byte) []string { return keyLines(path, src, data.JSONKeys) }

// jsonKeys returns the keys that encoding/json finds in the first value.
func jsonKeys(src []byte) (keys []string, ok bool) {
	d := json.NewDecoder(bytes.NewReader(src))
	d.UseNumber()
	err := jsonWalk(d, src, 0, &keys)
	return keys, err == nil || err == io.EOF
}

func jsonWalk(d *json.Decoder, src []byte, depth int, keys *[]string) error {
	tok, err := d.Token()
	if err != nil {
		return err
	}
	open, _ := tok.(json.Delim)
	for open != 0 && d.More() {
		if open == '{' {
			key, err := d.Token()
			if err != nil {
				return err
			}
			if depth < 2 {
				*keys = append(*keys, fmt.Sprintf("%d %q :%d", depth, key, 1+bytes.Count(src[:d.InputOffset()], []byte("\n"))))
			}
		}
		below := depth + 1
		if open == '[' {
			below = 9
		}
		if err := jsonWalk(d, src, below, keys); err != nil {
			return err
		}
	}
	if open != 0 {
		_, err = d.Token()
	}
	return err
}

// tomlNormal are table headers and top-level keys, of lock files too, which extraction
// knows by their names.
func tomlNormal(f *oracleFile, _ *code.Facts) []decl {
	e := New()
	defer e.Close()
	var keys []string
	for _, s := range e.Extract("x.toml", "toml", f.src).Symbols {
		if s.Parent < 0 || strings.HasPrefix(s.Signature, "[") {
			keys = append(keys, fmt.Sprintf("%q :%d", s.Qualified, s.Span.Line))
		}
	}
	return inOrder(f.path, keys)
}

func tomlKeys(src []byte) (keys []string, ok bool) {
	var any map[string]any
	if tomldoc.Unmarshal(src, &any) != nil {
		return nil, false
	}
	var p unstable.Parser
	p.Reset(src)
	seen := map[string]bool{}
	table := false
	for p.NextExpression() {
		e := p.Expression()
		var parts []string
		line := 0
		for it := e.Key(); it.Next(); {
			parts = append(parts, string(it.Node().Data))
			if line == 0 {
				line = p.Shape(it.Node().Raw).Start.Line
			}
		}
		q := strings.Join(parts, ".")
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = true
			if len(parts) > 4 {
				continue
			}
		case unstable.KeyValue:
			if table {
				continue
			}
			q = parts[0]
		default:
			continue
		}
		if !seen[q] && len(seen) < plain.MaxKeys {
			keys = append(keys, fmt.Sprintf("%q :%d", q, line))
		}
		seen[q] = true
	}
	return keys, p.Error() == nil
}

// keysAnswer returns the answer of a reader of data files. It refuses what that refuses, and
// files over a megabyte.
func keysAnswer(keys func(src []byte) ([]string, bool)) func(*testing.T, []oracleFile, []byte) map[string]*oracleAnswer {
	return func(_ *testing.T, files []oracleFile, _ []byte) map[string]*oracleAnswer {
		answers := answersFor(files)
		for _, f := range files {
			a := answers[f.path]
			if len(f.src) > 1<<20 {
				a.refused = "too large"
				continue
			}
			list, ok := keys(f.src)
			if a.decls = inOrder(f.path, list); !ok {
				a.refused = "not readable"
			}
		}
		return answers
	}
}

func keysNormal(keys func(path string, src []byte) []string) func(*oracleFile, *code.Facts) []decl {
	return func(f *oracleFile, _ *code.Facts) []decl { return inOrder(f.path, keys(f.path, f.src)) }
}
