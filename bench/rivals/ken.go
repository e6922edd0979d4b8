package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
)

func (i *installed) ken(ctx context.Context, program string) (*rival, error) {
	version, err := i.output(ctx, i.home, "", program, "version")
	if err != nil {
		return nil, err
	}
	run := func(ctx context.Context, dir, input string, args ...string) (string, error) {
		out, err := i.output(ctx, dir, input, append([]string{program}, args...)...)
		out, err = nothingFound(out, err, 1)
		if err != nil && json.Valid([]byte(out)) {
			err = nil // it could not tell, and lists what it knows
		}
		return out, err
	}
	uses := func(sure bool) func(ctx context.Context, dir string, r *row) ([]string, error) {
		return func(ctx context.Context, dir string, r *row) (places []string, err error) {
			qualified, err := kenSymbol(ctx, run, dir, r)
			if err != nil {
				return nil, err
			}
			out, err := run(ctx, dir, "", "refs", "--json", "--limit", "0", qualified)
			if err != nil {
				return nil, err
			}
			var a struct {
				References []struct {
					Path, Confidence, Through string
					Line                      int
				}
			}
			if err := json.Unmarshal([]byte(out), &a); err != nil {
				return nil, err
			}
			for _, u := range a.References {
				if !sure || u.Confidence != "ambiguous" && u.Through == "" {
					places = append(places, place(u.Path, u.Line))
				}
			}
			return places, nil
		}
	}
	return &rival{
		name: kenName, version: strings.Trim(strings.SplitN(strings.TrimPrefix(version, "ken "), ",", 2)[0], "()\n"),
		index: func(ctx context.Context, dir string) error {
			_, err := run(ctx, dir, "", "init", "--private")
			return err
		},
		edit: func(ctx context.Context, dir, file string) error {
			_, err := run(ctx, dir, "", "index", file)
			return err
		},
		clean: removing(".ken"),
		definitions: func(ctx context.Context, dir string, r *row) (places []string, err error) {
			symbols, err := kenDefinitions(ctx, run, dir, r.Symbol)
			for _, s := range symbols {
				places = append(places, place(s.Path, s.Line))
			}
			return places, err
		},
		references: []referenceWay{{"all listed", uses(false)}, {"called sure", uses(true)}},
		goals: []goalWay{{"brief", func(ctx context.Context, dir, goal string) (string, error) {
			return run(ctx, dir, goal, "brief", "--budget", fmt.Sprint(budget), "--query-file", "-")
		}}},
		tools: func(ctx context.Context, dir string) *exec.Cmd { return i.command(ctx, dir, program, "mcp") },
	}, nil
}

type kenDefinition struct {
	Path, Qualified string
	Line            int
}

type kenRun func(ctx context.Context, dir, input string, args ...string) (string, error)

func kenDefinitions(ctx context.Context, run kenRun, dir, name string) ([]kenDefinition, error) {
	out, err := run(ctx, dir, "", "def", "--json", "--limit", "0", name)
	if err != nil {
		return nil, err
	}
	var a struct{ Symbols []kenDefinition }
	return a.Symbols, json.Unmarshal([]byte(out), &a)
}

// kenSymbol returns the name by which ken knows a symbol of a line.
func kenSymbol(ctx context.Context, run kenRun, dir string, r *row) (string, error) {
	symbols, err := kenDefinitions(ctx, run, dir, r.Symbol)
	if err != nil {
		return "", err
	}
	for _, s := range symbols {
		if r.declared(place(s.Path, s.Line)) {
			return s.Path + ":" + s.Qualified, nil
		}
	}
	return "", fmt.Errorf("no symbol %s in %s:%d", r.Symbol, r.File, r.Line)
}
