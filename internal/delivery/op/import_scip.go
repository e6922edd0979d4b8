package op

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/delivery/project"
	"ken/internal/engine"
	"ken/internal/operation"
)

type importSCIPInput struct {
	File  string `arg:"FILE" help:"the index to import, usually index.scip"`
	Limit *int   `flag:"limit" value:"N" help:"files listed that were not bound; 0: all (default 12 in text, all in JSON)"`
}

// SkippedDocument is a document of an imported SCIP index that matches no file of the index.
type SkippedDocument struct {
	Path   operation.Path `json:"path" doc:"as the index names it"`
	Reason string         `json:"reason" doc:"outside (its path leaves the project), not_indexed, changed (the file is not the one that was indexed), misplaced (names are not where the index has them) or no_references"`
}

type importSCIPAnswer struct {
	Revision
	Tool      string            `json:"tool" doc:"indexer that wrote it, with its version"`
	Documents int               `json:"documents" doc:"files in the index"`
	Bound     int               `json:"bound" doc:"references bound to symbols of the project"`
	Outside   int               `json:"outside" doc:"references that certainly mean none of them"`
	Verified  map[string]int    `json:"verified" doc:"files accepted, by what shows that they are the ones indexed: text (embedded, and equal), time (not changed since the index was written) or positions (changed since, but all names are where the index has them)"`
	Skipped   []SkippedDocument `json:"skipped" doc:"files not bound, by path"`
}

func importSCIPTool() *Tool {
	return spec[importSCIPInput, importSCIPAnswer]{
		Name:  "import-scip",
		Topic: operation.SetUp, Rare: true,
		Summary: "take exact references from the index of a SCIP indexer",
		Long: "Any indexer of the SCIP protocol will do (scip-typescript, scip-python, scip-go, rust-analyzer, …). What it says of a reference\n" +
			"counts before ken's own guesses, until the file, or what the file it leads to declares, changes. SCIP has no hashes of files, so a\n" +
			"file is accepted if the index embeds its text, or if it did not change after the index was written and every definition is where\n" +
			"the index has it; one that changed later only if all names are. Relative paths start at the project root the index names, if that lies\n" +
			"inside this project, else at this project's root. What ken exported itself comes back as import-resolved, because SCIP has no confidence.",
		Example: []string{"import-scip index.scip"},
		Run:     runImportSCIP,
		Text:    textImportSCIP,
	}.Tool()
}

func runImportSCIP(ctx context.Context, env *Env, in *importSCIPInput, emit func(*importSCIPAnswer) error) error {
	p, err := project.Open(env, operation.Existing)
	if err != nil {
		return err
	}
	file := in.File
	if !filepath.IsAbs(file) {
		file = filepath.Join(p.Dir, file)
	}
	st, err := os.Stat(file)
	if err != nil || !st.Mode().IsRegular() {
		return code.Usagef("%s is not a file", operation.Quote(in.File))
	}
	if _, err := p.Engine.Update(ctx, engine.Request{Progress: env.Progress}); err != nil {
		return addNearNames(ctx, p, err)
	}
	source := engine.SCIPSource{Written: st.ModTime(), Reopen: func() (io.ReadCloser, error) { return os.Open(file) }}
	rep, err := p.Engine.ImportSCIP(ctx, source)
	if err != nil {
		return fmt.Errorf("import %s: %w", operation.Quote(in.File), err)
	}
	a := &importSCIPAnswer{
		Revision: Revision{rep.Rev}, Tool: rep.Tool, Documents: rep.Documents, Bound: rep.Bound, Outside: rep.Outside, Verified: rep.Verified,
	}
	for _, s := range rep.Skipped {
		a.Skipped = append(a.Skipped, SkippedDocument{operation.Path(s.Path), s.Reason})
	}
	return emit(a)
}

func textImportSCIP(t *operation.Text, in *importSCIPInput, a *importSCIPAnswer) error {
	t.Line("%s by %s: %s bound, %s to nothing in this project; revision %d", operation.Plural(a.Documents, "file"), a.Tool, operation.Plural(a.Bound, "reference"), operation.Group(a.Outside), a.Revision.Revision)
	var how []string
	for _, k := range slices.Sorted(maps.Keys(a.Verified)) {
		how = append(how, fmt.Sprintf("%s by %s", operation.Group(a.Verified[k]), k))
	}
	if len(how) > 0 {
		t.Line("accepted   %s", strings.Join(how, ", "))
	}
	if len(a.Skipped) == 0 {
		return nil
	}
	reasons := map[string]int{}
	for _, s := range a.Skipped {
		reasons[s.Reason]++
	}
	t.Line("not bound  %s", byCount(reasons))
	limit := maxListed
	if in.Limit != nil {
		limit = *in.Limit
	}
	list := firstN(a.Skipped, &limit)
	for i := range list {
		t.Line("  %s  %s", list[i].Reason, list[i].Path)
	}
	t.More("  ", len(a.Skipped)-len(list))
	return nil
}
