package op

import (
	"context"
	"fmt"
	"strings"

	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/engine"
	"ken/internal/engine/view"
	"ken/internal/operation"
)

type indexInput struct {
	Files []string `arg:"[FILE…]" help:"look at these files only"`
	Full  bool     `flag:"full" help:"build the index anew"`
	Exact bool     `flag:"exact" help:"then bind the references of Go packages by checking their types; what still holds is kept, an interrupted run goes on where it was"`
	Embed bool     `flag:"embed" help:"then send what has no vector yet to the endpoint for embeddings that your own settings name; an interrupted run goes on where it was"`
	Dry   bool     `flag:"dry-run" help:"with --embed: say how much would be sent, and send nothing"`
}

// Changed is a file that an update brought up to date.
type Changed struct {
	Path           operation.Path `json:"path" doc:"file"`
	ExportsChanged bool           `json:"exports_changed" doc:"the exported names or their signatures differ"`
	ImportsChanged bool           `json:"imports_changed" doc:"the imports differ"`
	TokenDelta     int            `json:"token_delta" doc:"o200k_base tokens now minus before"`
	SymbolDelta    int            `json:"symbol_delta" doc:"symbols now minus before"`
}

type indexAnswer struct {
	Revision
	Added    []Changed   `json:"added" paths:"yes" doc:"new files, by path"`
	Modified []Changed   `json:"modified" paths:"yes" doc:"files whose content changed, by path"`
	Deleted  []Changed   `json:"deleted" paths:"yes" doc:"files that are gone, by path"`
	Skipped  []Skip      `json:"skipped" doc:"files looked at that were not read whole, and why, by path"`
	Checked  int         `json:"checked" doc:"number of files looked at"`
	Full     bool        `json:"full" doc:"the index was built anew"`
	Reason   string      `json:"reason,omitempty" doc:"why it was built anew: missing, schema, damaged, salt, owner (not made by your ken for this tree), asked, or changes (so many files changed that this was faster, and the lists say which); worktree: it began with the index of another worktree of the repository"`
	Elapsed  int64       `json:"elapsed_ms" doc:"time taken, in milliseconds"`
	History  *historyRun `json:"history,omitempty" doc:"what was done about the history of git; absent if HEAD is where it was"`
	Exact    *ExactRun   `json:"exact,omitempty" doc:"what --exact did"`
	Embed    *EmbedRun   `json:"embed,omitempty" doc:"what --embed did"`
}

// historyRun is the result of updating the history.
type historyRun struct {
	Added   int    `json:"added" doc:"commits read"`
	Dropped int    `json:"dropped" doc:"commits dropped: no ancestors of HEAD any more, or too far back"`
	Commits int    `json:"commits" doc:"commits kept now"`
	Full    bool   `json:"full" doc:"all of them were read"`
	Problem string `json:"problem,omitempty" doc:"why there is none"`
	Elapsed int64  `json:"elapsed_ms" doc:"time taken, in milliseconds; part of elapsed_ms above"`
}

func indexTool() *Tool {
	return spec[indexInput, indexAnswer]{
		Name:    "index",
		Topic:   operation.SetUp,
		Summary: "bring the index up to date, making what is missing",
		Long: "Only what changed since the last time is read. Every other command does by itself what its answer needs.\n" +
			"--exact checks the types of Go packages offline, from GOROOT and the module cache; it runs no program and fetches nothing.\n" +
			"Its bindings count until what they depend on changes; run it again then. --full drops them.\n" +
			"--embed is the only thing that sends code anywhere: passages of source files, credentials masked, to the one endpoint you set; none is by default.",
		Example: []string{"index", "index src/app.ts src/db.ts", "index --full", "index --exact", "index --embed --dry-run"},
		Run:     runIndex,
		Text:    textIndex,
	}.Tool()
}

func runIndex(ctx context.Context, env *Env, in *indexInput, emit func(*indexAnswer) error) error {
	if in.Dry && !in.Embed {
		return code.Usagef("--dry-run goes with --embed")
	}
	p, err := project.Open(env, operation.Anywhere)
	if err != nil {
		return err
	}
	req := engine.Request{Full: in.Full, Create: true, Progress: env.Progress}
	for _, f := range in.Files {
		rel, err := p.Rel(f)
		if err != nil {
			return err
		}
		req.Paths = append(req.Paths, rel)
	}
	u, err := p.Engine.Update(ctx, req)
	if err != nil {
		return addNearNames(ctx, p, err)
	}
	if u.Full {
		if err := p.KeepPages(ctx); err != nil { // the first summary would compare the declarations of all files with pages
			return err
		}
	}
	a := updateAnswer(p, u)
	if in.Exact {
		if err := runExact(ctx, p, env, a); err != nil {
			return err
		}
	}
	if in.Embed {
		if err := runEmbed(ctx, p, env, in.Dry, a); err != nil {
			return err
		}
	}
	return emit(a)
}

// addNearNames adds similar names to the error of a file that does not exist.
func addNearNames(ctx context.Context, p *project.Project, err error) error {
	if nf, ok := project.AsNotFound(err); ok {
		lookup := p.Ask(ctx, engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
			_, err := s.File(ctx, nf.Name)
			return nil, err
		})
		if with, ok := project.AsNotFound(lookup); ok {
			return project.NotFound(with)
		}
		return project.NotFound(err)
	}
	return err
}

func updateAnswer(p *project.Project, u *engine.Update) *indexAnswer {
	a := &indexAnswer{
		Revision: Revision{u.Rev}, Skipped: skipRows(p, u.Skipped), Checked: u.Files, Full: u.Full, Reason: u.Reason, Elapsed: u.Elapsed.Milliseconds(),
	}
	if h := u.History; h != nil {
		a.History = &historyRun{h.Added, h.Dropped, h.Commits, h.Full, h.Problem, h.Elapsed.Milliseconds()}
	}
	lists := [...]*[]Changed{code.Added: &a.Added, code.Modified: &a.Modified, code.Deleted: &a.Deleted}
	for _, c := range u.Changes {
		list := lists[c.Type]
		*list = append(*list, Changed{
			Path: p.Path(c.Path), ExportsChanged: c.ExportsChanged, ImportsChanged: c.ImportsChanged,
			TokenDelta: c.TokenDelta, SymbolDelta: c.SymbolDelta,
		})
	}
	return a
}

// maxListed is the number of files that text names by path; others are counted.
const maxListed = 20

func textIndex(t *operation.Text, _ *indexInput, a *indexAnswer) error {
	n := len(a.Added) + len(a.Modified) + len(a.Deleted)
	switch a.Reason {
	case "worktree":
		t.Line("there was none: began with the index of another worktree of the repository")
	case engine.ReasonChanges:
		t.Line("built anew, because that is faster after so many changes")
	}
	switch { // after those two the lists are the differences from the index that was there
	case a.Full && a.Reason != "worktree" && a.Reason != engine.ReasonChanges:
		t.Line("built anew (%s): %s, revision %d, %d ms", buildReasons[a.Reason], operation.Plural(a.Checked, "file"), a.Revision.Revision, a.Elapsed)
	case n == 0:
		t.Line("up to date: %s checked, revision %d, %d ms", operation.Plural(a.Checked, "file"), a.Revision.Revision, a.Elapsed)
	default:
		t.Line("revision %d: %d added, %d modified, %d deleted; %s checked, %d ms", a.Revision.Revision, len(a.Added), len(a.Modified), len(a.Deleted), operation.Plural(a.Checked, "file"), a.Elapsed)
		left := maxListed
		left = writeChanges(t, "added", a.Added, left)
		left = writeChanges(t, "modified", a.Modified, left)
		writeChanges(t, "deleted", a.Deleted, left)
		if n > maxListed {
			t.Line("  … and %s more (--json lists them)", operation.Group(n-maxListed))
		}
	}
	if len(a.Skipped) > 0 {
		t.Line("not read whole: %s", byReason(a.Skipped))
	}
	writeHistoryRun(t, a.History)
	writeExactRun(t, a.Exact)
	writeEmbedRun(t, a.Embed)
	return nil
}

func writeHistoryRun(t *operation.Text, h *historyRun) {
	switch {
	case h == nil:
	case h.Problem != "":
		t.Line("history: none, %s", h.Problem)
	case h.Commits > 0 || h.Dropped > 0:
		t.Line("history: %s kept, %s new, %s dropped, %d ms", operation.Plural(h.Commits, "commit"), operation.Group(h.Added), operation.Group(h.Dropped), h.Elapsed)
	}
}

// buildReasons are the texts of the reasons why an index was built anew.
var buildReasons = map[string]string{
	"missing": "there was none", "schema": "an older ken wrote it", "damaged": "it was damaged", "asked": "asked",
	"salt": "the salt of its hashes is another", "owner": "it was not made by your ken for this tree",
}

// writeChanges writes changed files and returns how many more may be written.
func writeChanges(t *operation.Text, what string, list []Changed, left int) int {
	for i := range list[:min(left, len(list))] {
		c := &list[i]
		var notes []string
		if c.ExportsChanged {
			notes = append(notes, "exports changed")
		}
		if c.ImportsChanged {
			notes = append(notes, "imports changed")
		}
		t.Printf("  %s  %s", fmt.Sprintf("%-8s", what), c.Path)
		if len(notes) > 0 {
			t.Printf("  %s", t.Dim(strings.Join(notes, ", ")))
		}
		t.Line("")
	}
	return max(0, left-len(list))
}
