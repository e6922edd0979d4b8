package overview_test

import (
	"context"
	"flag"
	"fmt"
	"testing"

	"ken/internal/ask/overview"
	"ken/internal/ask/summary"
	"ken/internal/engine/enginetest"
	"ken/internal/engine/view"
)

var update = flag.Bool("update", false, "rewrite the expected answers")

// TestAnswers asks a small tree in two languages, with history and a secret.
func TestAnswers(t *testing.T) {
	enginetest.Answers(t, "testdata/shop.txtar", *update, answer)
}

func answer(ctx context.Context, s *view.Snapshot, words []string) (out []string, err error) {
	switch words[0] {
	case "overview":
		o, err := overview.Overview(ctx, s, 5)
		if err != nil {
			return nil, err
		}
		for _, c := range o.Languages {
			out = append(out, fmt.Sprintf("language %s %d files", c.Name, c.Files))
		}
		for _, c := range o.Directories {
			out = append(out, fmt.Sprintf("directory %s %d files", c.Name, c.Files))
		}
		for _, c := range o.Communities {
			out = append(out, fmt.Sprintf("community %s %d %v", c.Name, c.Files, c.Top))
		}
		return append(out, fmt.Sprint("entries ", o.Entries), fmt.Sprint("cycles ", o.Cycles), fmt.Sprint("externals ", o.Externals)), nil
	case "hotspots":
		files, symbols, err := overview.Hotspots(ctx, s, 5)
		for _, f := range files {
			out = append(out, fmt.Sprintf("%s %d %s %q", f.Path, f.Dependents, f.Type, f.Purpose))
		}
		for _, h := range symbols {
			out = append(out, fmt.Sprintf("%s %s %d", h.Path, h.Qualified, h.Files))
		}
		return out, err
	case "quarantine":
		list, err := summary.Quarantine(ctx, s)
		for _, q := range list {
			out = append(out, fmt.Sprintf("%s %s %.2f", q.Path, q.Reason, q.ErrorShare))
		}
		return out, err
	}
	return nil, fmt.Errorf("no question %s", words[0])
}
