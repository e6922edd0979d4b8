package op

import (
	"cmp"
	"context"
	"math"
	"slices"

	kenoverview "ken/internal/ask/overview"
	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/engine"
	"ken/internal/engine/view"
	"ken/internal/operation"
)

type hotspotsInput struct {
	By       string `flag:"by" value:"WHAT" enum:"dependents,changes,both" default:"dependents" help:"order of files: dependents, changes, or both multiplied"`
	Together int    `flag:"together" value:"N" help:"for each file as many that most often change with it"`
	Limit    int    `flag:"limit" value:"N" default:"10" help:"files and symbols listed; 0: all"`
}

type hotspotsAnswer struct {
	Revision
	Files   []changingFile `json:"files" paths:"yes" doc:"most depended-on files first, then by path; with --by in its order"`
	Symbols []HotSymbol    `json:"symbols" doc:"most used symbols first, then by name"`
}

// changingFile is a hot file with what commits did to it.
type changingFile struct {
	HotFile
	Changes  int            `json:"changes" doc:"commits of the history that changed it, without those of very many files"`
	Together []togetherFile `json:"co_change,omitempty" doc:"files that commits changed with it, most often first; with --together"`
}

// togetherFile is a file that changes with another.
type togetherFile struct {
	Path    operation.Path `json:"path" doc:"file"`
	Commits int            `json:"commits" doc:"commits that changed both"`
}

func hotspotsTool() *Tool {
	return spec[hotspotsInput, hotspotsAnswer]{
		Name:  "hotspots",
		Topic: operation.Ask, Rare: true, Logged: true,
		MCP:     operation.Offer{Set: "full", Place: 10, Shown: "limit"},
		Summary: "files and symbols most others depend on",
		Long:    "With --by both, files that many depend on and that often change come first: a mistake there is likely and reaches far.",
		Example: []string{"hotspots", "hotspots --by both --together 3"},
		Run:     runHotspots,
		Text:    textHotspots,
	}.Tool()
}

func textHotspots(t *operation.Text, in *hotspotsInput, a *hotspotsAnswer) error {
	if in.By == "dependents" && in.Together == 0 {
		files := make([]HotFile, len(a.Files))
		for i := range a.Files {
			files[i] = a.Files[i].HotFile
		}
		writeHot(t, files, a.Symbols)
		return nil
	}
	t.Heading("files by %s (dependents, changes)", in.By)
	for _, f := range a.Files {
		t.Line("  %s  %s  %s", operation.Group(f.Dependents), operation.Group(f.Changes), f.Path)
		for _, other := range f.Together {
			t.Line("      with %s  %s", other.Path, operation.Plural(other.Commits, "commit"))
		}
	}
	writeHot(t, nil, a.Symbols)
	return nil
}

func runHotspots(ctx context.Context, env *Env, in *hotspotsInput, emit func(*hotspotsAnswer) error) error {
	p, err := project.Open(env, operation.Existing)
	if err != nil {
		return err
	}
	var a hotspotsAnswer
	err = p.Ask(ctx, engine.Shown, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		files, err := changingFiles(ctx, s, in)
		if err != nil {
			return nil, err
		}
		_, symbols, err := kenoverview.Hotspots(ctx, s, limitOrAll(in.Limit))
		if err != nil {
			return nil, err
		}
		a = hotspotsAnswer{Revision: Revision{s.Rev()}, Files: files, Symbols: hotSymbols(symbols)}
		var paths []string
		for _, f := range files {
			paths = append(paths, string(f.Path))
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

// changingFiles returns the files in the order that was asked for. By another order than dependents all files on which another depends
// are looked at.
func changingFiles(ctx context.Context, s *view.Snapshot, in *hotspotsInput) ([]changingFile, error) {
	limit := limitOrAll(in.Limit)
	hot, err := kenoverview.HotFiles(s, map[bool]int{true: limit, false: math.MaxInt32}[in.By == "dependents"])
	if err != nil {
		return nil, err
	}
	past, err := s.History()
	if err != nil {
		return nil, err
	}
	if past == nil && in.By != "dependents" {
		return nil, code.Usagef("there is no history to count changes in")
	}
	out := make([]changingFile, len(hot))
	paths := make([]string, len(hot))
	for i, f := range hotFiles(hot) {
		out[i], paths[i] = changingFile{HotFile: f}, hot[i].Path
	}
	if past != nil {
		counted, err := past.Activities(paths)
		if err != nil {
			return nil, err
		}
		for i := range counted {
			out[i].Changes = counted[i].Commits
		}
	}
	weight := func(f *changingFile) int {
		if in.By == "both" {
			return f.Changes * f.Dependents
		}
		return f.Changes
	}
	if in.By != "dependents" {
		out = slices.DeleteFunc(out, func(f changingFile) bool { return weight(&f) == 0 })
		if len(out) == 0 && len(hot) > 0 {
			return nil, code.Usagef("there are no changes to count: no commit of few files changed one on which others depend")
		}
		slices.SortStableFunc(out, func(a, b changingFile) int { return cmp.Compare(weight(&b), weight(&a)) })
	}
	out = out[:min(limit, len(out))]
	return out, addTogether(ctx, s, out, in.Together)
}

// addTogether adds to files those that change with them.
func addTogether(ctx context.Context, s *view.Snapshot, files []changingFile, most int) error {
	if most == 0 {
		return nil
	}
	for i := range files {
		list, err := s.CoChanged(ctx, string(files[i].Path), most)
		if err != nil {
			return err
		}
		for _, c := range list {
			files[i].Together = append(files[i].Together, togetherFile{operation.Path(c.Path), c.Together})
		}
	}
	return nil
}
