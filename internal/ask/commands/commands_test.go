package commands_test

import (
	"context"
	"flag"
	"fmt"
	"testing"

	"ken/internal/ask/commands"
	"ken/internal/engine/enginetest"
	"ken/internal/engine/view"
)

var update = flag.Bool("update", false, "rewrite the expected answers")

// TestAnswers finds the commands of small projects.
func TestAnswers(t *testing.T) {
	enginetest.Answers(t, "testdata/*.txtar", *update, func(ctx context.Context, s *view.Snapshot, _ []string) (out []string, err error) {
		list, err := commands.Find(ctx, s)
		for _, c := range list {
			out = append(out, fmt.Sprintf("%s: %s (%s) in %q", c.Kind, c.Line, c.Source, c.Dir))
		}
		return out, err
	})
}
