package op

import (
	"context"

	"ken/internal/delivery/project"
	"ken/internal/engine"
	"ken/internal/operation"
)

// EmbedRun is the result of `index --embed`.
type EmbedRun struct {
	DryRun     bool   `json:"dry_run" doc:"nothing was sent: the figures are what would be"`
	Model      string `json:"model" doc:"API, endpoint, model and length of vectors asked for; empty if none is set"`
	Dimensions int    `json:"dimensions" doc:"length of the vectors that are kept; 0 if there are none"`
	Files      int    `json:"files" doc:"files with text to embed"`
	Kept       int    `json:"kept" doc:"of them, those whose vectors were there before"`
	Passages   int    `json:"passages" doc:"passages sent"`
	Bytes      int64  `json:"bytes" doc:"their size"`
	Tokens     int64  `json:"tokens" doc:"their o200k_base tokens, counted by --dry-run only; the model's own count differs"`
	Requests   int    `json:"requests" doc:"requests made"`
	DiskUse    int64  `json:"disk_bytes" doc:"what the vectors take on disk"`
	Elapsed    int64  `json:"elapsed_ms" doc:"time taken, in milliseconds"`
}

// runEmbed embeds after an update and adds the result to its answer.
func runEmbed(ctx context.Context, p *project.Project, env *Env, dry bool, a *indexAnswer) error {
	rep, err := p.Engine.Embed(ctx, engine.EmbedRequest{DryRun: dry, Progress: env.Progress})
	if err != nil {
		return addNearNames(ctx, p, err)
	}
	a.Embed = &EmbedRun{
		DryRun: dry, Model: rep.Model, Dimensions: rep.Dimensions, Files: rep.Files, Kept: rep.Kept, Passages: rep.Passages, Bytes: rep.Bytes, Tokens: rep.Tokens,
		Requests: rep.Requests, DiskUse: rep.DiskUse, Elapsed: rep.Elapsed.Milliseconds(),
	}
	return nil
}

func writeEmbedRun(t *operation.Text, r *EmbedRun) {
	switch {
	case r == nil:
	case r.DryRun:
		t.Line("would send %s of %s, %s as before: %s bytes, about %s tokens, %s; nothing was sent", operation.Plural(r.Passages, "passage"), operation.Plural(r.Files-r.Kept, "file"),
			operation.Group(r.Kept), operation.Group(int(r.Bytes)), operation.Group(int(r.Tokens)), operation.Plural(r.Requests, "request"))
	default:
		t.Line("embedded %s of %s, %s as before: %s bytes sent in %s, %s kept on disk, %d ms", operation.Plural(r.Passages, "passage"), operation.Plural(r.Files-r.Kept, "file"),
			operation.Group(r.Kept), operation.Group(int(r.Bytes)), operation.Plural(r.Requests, "request"), operation.Group(int(r.DiskUse)), r.Elapsed)
	}
}
