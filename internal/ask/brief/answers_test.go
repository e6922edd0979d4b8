package brief_test

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"testing"

	"ken/internal/ask/brief"
	"ken/internal/ask/find"
	"ken/internal/engine/enginetest"
	"ken/internal/engine/view"
)

var update = flag.Bool("update", false, "rewrite the expected answers")

// TestAnswers asks a small tree in two languages, with history and a secret.
func TestAnswers(t *testing.T) {
	enginetest.Answers(t, "testdata/*.txtar", *update, answer)
}

func answer(ctx context.Context, s *view.Snapshot, words []string) (out []string, err error) {
	b, err := brief.Make(ctx, s, strings.Join(words[1:], " "), find.Known{})
	if err != nil {
		return nil, err
	}
	out = append(out, fmt.Sprint("keywords ", b.Keywords, " missing ", b.Missing))
	for _, c := range b.Modify {
		var spots string
		for _, s := range c.Spots {
			spots += fmt.Sprintf(" %s %d-%d", s.Name, s.Line, s.EndLine)
		}
		out = append(out, fmt.Sprintf("modify %s %q exports %v spots%s", c.Path, c.Purpose, c.Exports, spots))
	}
	for _, r := range b.Read {
		out = append(out, "read "+r.Path+": "+r.Why)
	}
	for _, r := range b.Blast {
		out = append(out, fmt.Sprintf("blast %s %d files %d tests %v through %d", r.Path, r.Files, r.Tests, r.Groups, r.Through))
	}
	for _, r := range b.Reuse {
		out = append(out, fmt.Sprintf("reuse %s %s %q users %d", r.Path, r.Name, r.Doc, r.Users))
	}
	for _, t := range b.Tests {
		out = append(out, fmt.Sprintf("test %s %v %s", t.Path, t.Covers, t.Why))
	}
	for _, c := range b.Commands {
		out = append(out, "command "+c.Dir+"$ "+c.Line)
	}
	for _, st := range b.Steps {
		out = append(out, fmt.Sprintf("step %s %s needs %v", st.Path, st.Kind, st.Needs))
	}
	return out, nil
}
