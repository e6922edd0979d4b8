package purpose_test

import (
	"context"
	"flag"
	"fmt"
	"testing"

	"ken/internal/engine/enginetest"
	"ken/internal/engine/view"
	"ken/internal/knowledge/purpose"
)

var update = flag.Bool("update", false, "rewrite the expected answers")

// TestAnswers asks for the purposes of files of small trees.
func TestAnswers(t *testing.T) {
	enginetest.Answers(t, "testdata/*.txtar", *update, func(ctx context.Context, s *view.Snapshot, words []string) ([]string, error) {
		f, err := s.File(ctx, words[0])
		if err != nil {
			return nil, err
		}
		p, err := purpose.FilePurpose(ctx, s, &f)
		return []string{fmt.Sprintf("%s %q %s", p.From, p.Text, p.Of)}, err
	})
}
