package main

import (
	"context"
	"encoding/json"
	"os/exec"
)

// codegraph is @colbymchenry/codegraph. The program of its platform is a package that npm chooses.
func (i *installed) codegraph(ctx context.Context) *rival {
	program := i.npm(".bin/codegraph")
	run := func(ctx context.Context, dir string, args ...string) (string, error) {
		return i.output(ctx, dir, "", append([]string{program}, args...)...)
	}
	r := &rival{name: "codegraph", version: "1.6.1", broken: i.fromNPM(ctx)}
	r.index = func(ctx context.Context, dir string) error {
		_, err := run(ctx, dir, "init", "--yes")
		return err
	}
	r.edit = func(ctx context.Context, dir, _ string) error {
		_, err := run(ctx, dir, "sync", "--quiet")
		return err
	}
	r.clean = removing(".codegraph")
	r.definitions = func(ctx context.Context, dir string, x *row) (places []string, err error) {
		out, err := run(ctx, dir, "query", "--json", "--limit", "200", x.Symbol)
		if err != nil {
			return nil, err
		}
		var found []struct{ Node codegraphNode }
		if err := json.Unmarshal([]byte(out), &found); err != nil {
			return nil, nil // a sentence: nothing is found
		}
		for _, f := range found {
			if f.Node.Name == x.Symbol {
				places = append(places, place(f.Node.FilePath, f.Node.StartLine))
			}
		}
		return places, nil
	}
	r.references = []referenceWay{{"callers", func(ctx context.Context, dir string, x *row) ([]string, error) {
		out, err := run(ctx, dir, "callers", "--json", "--limit", "100000", "--file", x.File, x.Symbol)
		if err != nil {
			return nil, err
		}
		return codegraphUses(out, x), nil
	}}}
	goal := func(args ...string) func(ctx context.Context, dir, goal string) (string, error) {
		return func(ctx context.Context, dir, goal string) (string, error) {
			return run(ctx, dir, append(args, "--", goal)...)
		}
	}
	r.goals = []goalWay{{"explore", goal("explore")}, {"context", goal("context")}, {"context without code", goal("context", "--no-code", "--max-nodes", "60")}}
	r.tools = func(ctx context.Context, dir string) *exec.Cmd { return i.command(ctx, dir, program, "serve", "--mcp") }
	return r
}

type codegraphNode struct {
	ID, Name, FilePath string
	StartLine          int
}

// codegraphUses returns the lines of the edges to a symbol. An answer that is no JSON is a sentence: nothing is found.
func codegraphUses(out string, x *row) (places []string) {
	var a struct {
		Definitions []struct {
			Definition codegraphNode
			Callers    []codegraphNode
			Edges      []struct {
				Source string
				Line   int
			}
		}
	}
	if json.Unmarshal([]byte(out), &a) != nil {
		return nil
	}
	for _, d := range a.Definitions {
		if len(a.Definitions) > 1 && !x.declared(place(d.Definition.FilePath, d.Definition.StartLine)) {
			continue
		}
		files := map[string]string{}
		for _, c := range d.Callers {
			files[c.ID] = c.FilePath
		}
		for _, e := range d.Edges {
			if file := files[e.Source]; file != "" {
				places = append(places, place(file, e.Line))
			}
		}
	}
	return places
}
