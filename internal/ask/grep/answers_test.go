package grep_test

import (
	"context"
	"flag"
	"fmt"
	"testing"

	"ken/internal/ask/grep"
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
	case "grep":
		for m, err := range grep.Grep(ctx, s, view.GrepQuery{Regex: words[1], Paths: words[2:], Limit: 20}) {
			if err != nil {
				return out, err
			}
			out = append(out, fmt.Sprintf("%s:%d %d-%d %q in %s %s", m.Path, m.Line, m.Start, m.End, m.Text, m.InKind, m.In))
		}
		return out, nil
	case "pattern":
		var q view.PatternQuery
		*map[string]*string{"function": &q.Function, "type": &q.Type, "export": &q.Export, "import": &q.Import, "signature": &q.Signature}[words[1]] = words[2]
		list, err := grep.Pattern(ctx, s, q)
		for _, m := range list {
			name := ""
			if m.Symbol != nil {
				name = m.Symbol.Qualified
			}
			out = append(out, fmt.Sprintf("%s %s %s %.2f", m.Path, name, m.Import, m.Relevance))
		}
		return out, err
	}
	return nil, fmt.Errorf("no question %s", words[0])
}
