package op

import (
	"context"

	kenoverview "ken/internal/ask/overview"
	"ken/internal/delivery/project"
	"ken/internal/engine"
	"ken/internal/engine/view"
	"ken/internal/operation"
)

type hotspotsInput struct {
	Limit int `flag:"limit" value:"N" default:"10" help:"files and symbols listed; 0: all"`
}

type hotspotsAnswer struct {
	Revision
	Files   []HotFile   `json:"files" paths:"yes" doc:"most depended-on files first, then by path"`
	Symbols []HotSymbol `json:"symbols" doc:"most used symbols first, then by name"`
}

func hotspotsTool() *Tool {
	return spec[hotspotsInput, hotspotsAnswer]{
		Name:  "hotspots",
		Topic: operation.Ask, Rare: true, Logged: true,
		MCP:     operation.Offer{Set: "full", Place: 10},
		Summary: "files and symbols most others depend on",
		Run:     runHotspots,
		Text: func(t *operation.Text, _ *hotspotsInput, a *hotspotsAnswer) error {
			writeHot(t, a.Files, a.Symbols)
			return nil
		},
	}.Tool()
}

func runHotspots(ctx context.Context, env *Env, in *hotspotsInput, emit func(*hotspotsAnswer) error) error {
	p, err := project.Open(env, operation.Existing)
	if err != nil {
		return err
	}
	var a hotspotsAnswer
	err = p.Ask(ctx, engine.Shown, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		files, symbols, err := kenoverview.Hotspots(ctx, s, limitOrAll(in.Limit))
		if err != nil {
			return nil, err
		}
		a = hotspotsAnswer{Revision: Revision{s.Rev()}, Files: hotFiles(files), Symbols: hotSymbols(symbols)}
		var paths []string
		for _, f := range files {
			paths = append(paths, f.Path)
		}
		for _, sym := range symbols {
			paths = append(paths, sym.Path)
		}
		return paths, nil
	})
	if err == nil && len(a.Files)+len(a.Symbols) == 0 {
		err = operation.Nothingf("no file depends on another")
	}
	return operation.Finish(&a, err, emit)
}
