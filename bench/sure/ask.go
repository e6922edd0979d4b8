package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/app"
)

// tree is a directory with the files of cases, and an index.
type tree struct {
	dir   string
	state string
}

// newTree writes files and indexes them.
func newTree(ctx context.Context, files ...map[string]string) (*tree, error) {
	dir, err := os.MkdirTemp("", "sure")
	if err != nil {
		return nil, err
	}
	t := &tree{dir: filepath.Join(dir, "tree"), state: filepath.Join(dir, "state")}
	for _, list := range files {
		for p, text := range list {
			full := filepath.Join(t.dir, filepath.FromSlash(p))
			if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
				return t, err
			}
			if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
				return t, err
			}
		}
	}
	if code, _, errs := t.run(ctx, "index"); code != app.Found {
		return t, fmt.Errorf("index: %s", errs)
	}
	return t, nil
}

func (t *tree) remove() { os.RemoveAll(filepath.Dir(t.dir)) }

// run runs a command of ken in the tree.
func (t *tree) run(ctx context.Context, args ...string) (code int, out []byte, errs string) {
	var o, e bytes.Buffer
	env := map[string]string{"KEN_STATE": t.state}
	getenv := func(k string) string { return env[k] }
	p := app.Program{Args: args, Dir: t.dir, Stdin: strings.NewReader(""), Stdout: &o, Stderr: &e, Getenv: getenv}
	code = p.Run(ctx)
	return code, o.Bytes(), e.String()
}

// place is a place in an answer.
type place struct {
	Path       string `json:"path"`
	Line       int    `json:"line"`
	Start      int    `json:"start"`
	Kind       string `json:"kind"`
	Confidence string `json:"confidence"`
	Verdict    string `json:"verdict"`
	Unsure     string `json:"unsure"`
}

// isSure reports whether a reference is in one of the sure tiers.
func (p *place) isSure() bool { return p.Confidence != "ambiguous" }

// refsAnswer is the part of the answer of refs that is judged.
type refsAnswer struct {
	code       int
	errs       string
	Total      int     `json:"total"`
	Settled    bool    `json:"settled"`
	References []place `json:"references"`
	Absence    *struct {
		Verdict string `json:"verdict"`
	} `json:"absence"`
}

// refs asks for the references of a subject: by its type and name, or by its name alone if that is unknown.
func (t *tree) refs(ctx context.Context, s *subject) (a refsAnswer, err error) {
	for _, name := range s.names {
		var out []byte
		a = refsAnswer{}
		if a.code, out, a.errs = t.run(ctx, "refs", name, "--json", "--limit", "0"); len(out) > 0 {
			err = json.Unmarshal(out, &a)
		}
		if s.name = name; err != nil || !a.isUnknown() {
			break
		}
	}
	return a, err
}

// isNone reports whether the answer is that nothing uses it.
func (a *refsAnswer) isNone() bool {
	return a.Absence != nil && a.Absence.Verdict == "none"
}

// isUnknown reports whether there is no symbol of the name.
func (a *refsAnswer) isUnknown() bool { return a.Absence == nil && a.Total == 0 }

// lists reports whether a mark is among the sure references.
func (a *refsAnswer) lists(m *mark) bool {
	return slices.ContainsFunc(a.References, func(p place) bool { return p.Path == m.path && p.Line == m.line && p.isSure() })
}

// renameAnswer is the part of the answer of rename that is judged.
type renameAnswer struct {
	code   int
	errs   string
	Places []place `json:"places"`
	Sure   int     `json:"sure"`
	// Hatches are the places that the answer names as unsure, because they are no references.
	Hatches []place `json:"hatches"`
}

func (t *tree) rename(ctx context.Context, s *subject) (a renameAnswer, err error) {
	code, out, errs := t.run(ctx, "rename", s.name, s.to, "--json")
	a.code, a.errs = code, errs
	if len(out) > 0 {
		err = json.Unmarshal(out, &a)
	}
	return a, err
}

func (a *renameAnswer) changes(m *mark) bool {
	return slices.ContainsFunc(a.Places, func(p place) bool { return p.Path == m.path && p.Start == m.start && p.Unsure == "" })
}

// impactAnswer is the part of the answer of impact that is judged.
type impactAnswer struct {
	code    int
	Summary struct {
		Risk string `json:"risk"`
	} `json:"summary"`
	Confirmation struct {
		Must []struct {
			Path string `json:"file"`
		} `json:"must_verify"`
		Should []struct {
			Path string `json:"file"`
		} `json:"should_verify"`
	} `json:"confirmation_required"`
}

func (t *tree) impact(ctx context.Context, s *subject) (a impactAnswer, err error) {
	code, out, _ := t.run(ctx, "impact", s.name, "--json")
	a.code = code
	if len(out) > 0 {
		err = json.Unmarshal(out, &a)
	}
	return a, err
}
