package verify_test

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"testing"

	"ken/internal/delivery/plancode/place"
	"ken/internal/delivery/plancode/verify"
	"ken/internal/engine/enginetest"
	"ken/internal/engine/view"
	"ken/internal/workflow/plan/artefact"
)

var update = flag.Bool("update", false, "rewrite what is expected")

// TestVerify looks at plans of small trees: a question is the file of a plan.
func TestVerify(t *testing.T) {
	enginetest.Answers(t, "testdata/*.txtar", *update, func(ctx context.Context, s *view.Snapshot, words []string) ([]string, error) {
		text, err := s.Text(ctx, words[0])
		if err != nil {
			return nil, err
		}
		rows, err := s.AllPaths()
		if err != nil {
			return nil, err
		}
		v := &verify.Verifier{Snapshot: s, Places: place.New(rows, nil)}
		p := artefact.ParsePlan(string(text))
		v.AddSearchedFiles(p)
		artifacts, err := v.Artifacts(ctx, "01-01", p)
		if err != nil {
			return nil, err
		}
		var out []string
		for _, a := range artifacts {
			out = append(out, fmt.Sprintf("%s %s [%s] %s", a.State, a.Path, a.Reach, strings.Join(a.Issues, "; ")))
		}
		links, err := v.Links(ctx, "01-01", p)
		for _, l := range links {
			out = append(out, fmt.Sprintf("%s %s → %s: %s", l.State, l.From, l.To, l.Detail))
		}
		return out, err
	})
}
