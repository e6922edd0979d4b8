package codemap_test

import (
	"context"
	"flag"
	"fmt"
	"testing"

	"ken/internal/ask/codemap"
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
	case "map":
		opt := codemap.MapOptions{Files: 5}
		for _, p := range words[1:] {
			opt.Focus = map[string]float64{p: 1}
		}
		m, err := codemap.Map(ctx, s, opt)
		if err != nil {
			return nil, err
		}
		for _, f := range m.Files {
			out = append(out, fmt.Sprintf("%s %d symbols", f.Path, len(f.Symbols)))
		}
		for _, e := range m.Entries {
			f := &m.Files[e.File]
			out = append(out, fmt.Sprintf("  %s %s", f.Path, f.Symbols[e.Symbol].Qualified))
		}
		return append(out, fmt.Sprint("of ", m.Total)), nil
	case "aside":
		for _, p := range words[1:] {
			f, err := s.File(ctx, p)
			if err != nil {
				return nil, err
			}
			out = append(out, fmt.Sprint(p, " ", codemap.Aside(&f)))
		}
		return out, nil
	}
	return nil, fmt.Errorf("no question %s", words[0])
}
