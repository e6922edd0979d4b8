package op

import (
	"context"
	"path/filepath"
	"time"

	kenoverview "ken/internal/ask/overview"
	"ken/internal/delivery/project"
	"ken/internal/engine"
	"ken/internal/engine/view"
	"ken/internal/operation"
)

type initInput struct{}

type initAnswer struct {
	Revision
	overview
	Built   bool  `json:"built" doc:"the index was built anew"`
	Elapsed int64 `json:"elapsed_ms" doc:"time taken by indexing, in milliseconds"`
}

func initTool() *Tool {
	return spec[initInput, initAnswer]{
		Name:    "init",
		Topic:   operation.SetUp,
		Summary: "set up ken in a repository: make .ken/, index, show an overview",
		Long:    "The project's root is the nearest directory above that has a .ken folder or is the top of a git\nworking tree, else the directory itself. Of the repository nothing outside .ken/ is written. Safe to repeat.",
		Run:     runInit,
		Text:    textInit,
	}.Tool()
}

func runInit(ctx context.Context, env *Env, _ *initInput, emit func(*initAnswer) error) error {
	p, err := project.Open(env, operation.Anywhere)
	if err != nil {
		return err
	}
	u, err := p.Engine.Update(ctx, engine.Request{Create: true, Progress: env.Progress})
	if err != nil {
		return err
	}
	a := initAnswer{Built: u.Full, Elapsed: u.Elapsed.Milliseconds()}
	err = p.Ask(ctx, engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		o, err := kenoverview.Overview(ctx, s, 5)
		if err != nil {
			return nil, err
		}
		a.overview = newOverview(o)
		a.Revision.Revision = o.Info.Rev
		a.Excluded, err = p.Excluded(s)
		return nil, err
	})
	return operation.Finish(&a, err, emit)
}

func textInit(t *operation.Text, _ *initInput, a *initAnswer) error {
	verb := "is up to date"
	if a.Built {
		verb = "indexed"
	}
	took := time.Duration(a.Elapsed) * time.Millisecond
	t.Line("%s %s in %s: %s, %s, %s, %s (revision %d)", t.Bold(filepath.Base(a.Root)), verb, operation.Duration(took),
		operation.Plural(a.Counts.Files, "file"), operation.Plural(a.Counts.Symbols, "symbol"),
		operation.Plural(a.Counts.References, "reference"), operation.Plural(a.Counts.Edges, "edge"), a.Revision.Revision)
	t.Printf("%s", operation.Styled(a.Excluded.Line()))
	writeLanguages(t, a.Languages)
	writeHot(t, a.Files, a.Symbols)
	t.Line("")
	t.Line("next: ken overview, ken show FILE|SYMBOL, ken refs NAME, ken dependents TARGET")
	return nil
}
