package op

import (
	"context"
	"io"
	"time"

	"ken/internal/code"
	"ken/internal/delivery/export"
	"ken/internal/delivery/project"
	"ken/internal/engine/view"
	"ken/internal/knowledge/entity"
	"ken/internal/operation"
)

type exportInput struct {
	Name  string `arg:"NAME" enum:"index,codemap,compressed-codemap,manifest,session,queue,graph-state,ranked-context,scip" help:"what to export: index (index.json version 2), codemap, compressed-codemap, manifest, session, queue, graph-state, ranked-context or scip"`
	Times string `flag:"times" value:"TIMES" enum:"head,real" default:"head" help:"head: all times are that of HEAD's commit; real: also when each file was first indexed, changed on disk and changed in git (index, codemap, compressed-codemap, manifest)"`
}

// exportAnswer holds the requested format; its JSON is that of the format,
// without a key around it.
type exportAnswer struct {
	Index      *export.Index         `json:"index,omitempty" doc:"of ken export index: index.json, version 2"`
	Codemap    *export.Codemap       `json:"codemap,omitempty" doc:"of ken export codemap: every file, counted"`
	Compressed *export.Compressed    `json:"compressedCodemap,omitempty" doc:"of ken export compressed-codemap: every file by its signatures"`
	Manifest   *export.Manifest      `json:"manifest,omitempty" doc:"of ken export manifest: every file's hash, size and kind"`
	Session    *export.Session       `json:"session,omitempty" doc:"of ken export session: what agents' sessions did and decided"`
	Queue      *export.Queue         `json:"queue,omitempty" doc:"of ken export queue: which pages of meaning are to be written"`
	Graph      *export.GraphState    `json:"graphState,omitempty" doc:"of ken export graph-state: what is remembered, and what belongs together"`
	Ranked     *export.RankedContext `json:"rankedContext,omitempty" doc:"of ken export ranked-context: what is remembered, the best first"`
	scip       func(io.Writer) error
}

// Raw returns a function that writes the requested format, if it is not JSON.
func (a *exportAnswer) Raw() func(io.Writer) error { return a.scip }

// JSONValue returns the requested format.
func (a *exportAnswer) JSONValue() any {
	switch {
	case a.Codemap != nil:
		return a.Codemap
	case a.Compressed != nil:
		return a.Compressed
	case a.Manifest != nil:
		return a.Manifest
	case a.Session != nil:
		return a.Session
	case a.Queue != nil:
		return a.Queue
	case a.Graph != nil:
		return a.Graph
	case a.Ranked != nil:
		return a.Ranked
	}
	return a.Index
}

func exportTool() *Tool {
	return spec[exportInput, exportAnswer]{
		Name:  "export",
		Topic: operation.Ask, Rare: true,
		Summary: "print the index or the memory in another format: index, codemap, manifest, session, queue, graph-state, scip, …",
		Long: "The output is JSON whatever the format asked for, one object: that of the format alone. The same tree at the same commit gives\n" +
			"the same bytes: times are those of HEAD's commit, and the root is \".\".\n" +
			"With --times real each file has its real times, too, which differ between clones.\n" +
			"scip is the binary index of the SCIP protocol: all symbols, and the references that are exact or import-resolved.",
		Example: []string{"export index", "export compressed-codemap > codemap.json", "export manifest --times real", "export scip > index.scip"},
		Run:     runExport,
		Text:    func(t *operation.Text, _ *exportInput, a *exportAnswer) error { return operation.WriteJSON(t.Raw(), a) },
	}.Tool()
}

// listsFiles are the formats with an entry for each file.
var listsFiles = map[string]bool{"index": true, "codemap": true, "compressed-codemap": true, "manifest": true}

func runExport(ctx context.Context, env *Env, in *exportInput, emit func(*exportAnswer) error) error {
	if in.Name == "scip" && env.Terminal {
		return code.Usagef("a SCIP index is binary: write it to a file (ken export scip > index.scip)")
	}
	if in.Times == "real" && !listsFiles[in.Name] {
		return code.Usagef("--times real is for formats that list files: index, codemap, compressed-codemap, manifest")
	}
	p, err := project.Open(env, operation.Existing)
	if err != nil {
		return err
	}
	r := &rememberedFormats{}
	if mine, err := r.setFormat(ctx, p, in.Name); mine || err != nil {
		if err != nil {
			return err
		}
		return emit(&exportAnswer{Session: r.Session, Graph: r.Graph, Ranked: r.Ranked})
	}
	return p.AskWhole(ctx, func(ctx context.Context, s *view.Snapshot) error {
		t, err := s.HeadTime(ctx)
		if err != nil {
			return err
		}
		var real *export.Times
		if in.Times == "real" {
			if real, err = export.NewTimes(ctx, s); err != nil {
				return err
			}
		}
		a := &exportAnswer{}
		switch in.Name {
		case "index":
			var pages []entity.KeptPage
			if pages, err = (entity.Folder{Root: p.Root}).List(); err == nil {
				a.Index, err = export.NewIndex(ctx, p.Root, s, t, pages, p.Engine.Hide, real)
			}
		case "codemap":
			a.Codemap, err = exportCodemap(ctx, p, s, t, real)
		case "compressed-codemap":
			a.Compressed = export.NewCompressed(ctx, s, t, real)
		case "queue":
			a.Queue, err = exportQueue(ctx, p, s)
		case "manifest":
			a.Manifest, err = export.NewManifest(ctx, s, t, real)
		case "scip":
			a.scip = func(w io.Writer) error { return exportSCIP(ctx, s, w) }
		}
		if err != nil {
			return err
		}
		return emit(a)
	})
}

func exportCodemap(ctx context.Context, p *project.Project, s *view.Snapshot, t time.Time, real *export.Times) (*export.Codemap, error) {
	ignored, err := p.Engine.IgnorePatterns()
	if err != nil {
		return nil, err
	}
	return export.NewCodemap(ctx, s, ignored, t, real)
}
