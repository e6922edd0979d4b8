package op

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"time"

	kenoverview "ken/internal/ask/overview"
	"ken/internal/code"
	"ken/internal/delivery/commitknowledge"
	"ken/internal/delivery/project"
	"ken/internal/engine"
	"ken/internal/engine/view"
	"ken/internal/knowledge/textfile"
	"ken/internal/operation"
)

type initInput struct {
	Private bool     `flag:"private" help:"keep all of .ken out of git on this computer, by .git/info/exclude"`
	Include []string `flag:"include" value:"GLOB" help:"index only these files, as in .gitignore; written to a new .ken/config.yml; repeatable"`
	Exclude []string `flag:"exclude" value:"GLOB" help:"leave these files out of the index; as --include"`
}

type initAnswer struct {
	Revision
	overview
	Private bool  `json:"private,omitempty" doc:"a line that was written to .git/info/exclude keeps .ken out of git"`
	Built   bool  `json:"built" doc:"the index was built anew"`
	Elapsed int64 `json:"elapsed_ms" doc:"time taken by indexing, in milliseconds"`
}

func initTool() *Tool {
	return spec[initInput, initAnswer]{
		Name:    "init",
		Topic:   operation.SetUp,
		Summary: "set up ken in a repository: make .ken/, index, show an overview",
		Long:    "The project's root is the nearest directory above that has a .ken folder or is the top of a git\nworking tree, else the directory itself. Outside .ken/ one line is written: the first time, .git/info/exclude\nkeeps .ken out of git until \"ken commit-knowledge\" commits. On a terminal ken asks whether it should. Safe to repeat.",
		Run:     runInit,
		Text:    textInit,
	}.Tool()
}

func runInit(ctx context.Context, env *Env, in *initInput, emit func(*initAnswer) error) error {
	p, err := project.Open(env, operation.Anywhere)
	if err != nil {
		return err
	}
	private, err := commitknowledge.KeepPrivate(env, p, in.Private)
	if err != nil {
		return err
	}
	if len(in.Include)+len(in.Exclude) > 0 {
		if err := writeSettings(ctx, p, in); err != nil {
			return err
		}
		if p, err = project.Open(env, operation.Anywhere); err != nil {
			return err
		}
	}
	u, err := p.Engine.Update(ctx, engine.Request{Create: true, Progress: env.Progress})
	if err != nil {
		return err
	}
	a := initAnswer{Private: private, Built: u.Full, Elapsed: u.Elapsed.Milliseconds()}
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

// writeSettings writes the patterns of files to index. It fails with a usage error if the project has settings.
func writeSettings(ctx context.Context, p *project.Project, in *initInput) error {
	const file = ".ken/config.yml"
	if p.Exists(file) {
		return code.Usagef("%s exists: change it there", file)
	}
	if err := textfile.MakeDir(p.Root, ".ken"); err != nil {
		return err
	}
	release, err := p.Lock(ctx)
	if err != nil {
		return err
	}
	defer release()
	var text strings.Builder
	for _, list := range []struct {
		key      string
		patterns []string
	}{{"include", in.Include}, {"exclude", in.Exclude}} {
		for i, pattern := range list.patterns {
			if i == 0 {
				text.WriteString(list.key + ":\n")
			}
			quoted, err := json.Marshal(pattern)
			if err != nil {
				return err
			}
			text.WriteString("  - " + string(quoted) + "\n")
		}
	}
	return textfile.Replace(p.Root, file, text.String())
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
	if a.Private {
		t.Line("")
		t.Line("git does not see .ken: .git/info/exclude has it until \"ken commit-knowledge\" commits what is written down")
	}
	t.Line("")
	t.Line("next: ken overview, ken show FILE|SYMBOL, ken refs NAME, ken dependents TARGET")
	return nil
}
