package enginetest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"ken/internal/engine"
	"ken/internal/engine/view"
)

// Ask answers one question, given as its words, one line for each fact. It returns an error if it cannot answer.
type Ask func(ctx context.Context, s *view.Snapshot, words []string) ([]string, error)

// Answers checks the files of a pattern. Each is a txtar archive of a tree whose last file, "answers", holds questions
// ("> find a thing") and below each the expected lines. The tree is committed, so that it has a history. With update the
// answers are rewritten instead.
func Answers(t *testing.T, pattern string, update bool, ask Ask) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { checkAnswers(t, file, update, ask) })
	}
}

func checkAnswers(t *testing.T, file string, update bool, ask Ask) {
	t.Helper()
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	last := len(ar.Files) - 1
	w := NewTree(t)
	for _, f := range ar.Files[:last] {
		w.Write(f.Name, string(f.Data))
	}
	w.Commit("everything")
	p := w.Index()
	want := string(ar.Files[last].Data)
	got := p.answers(want, ask)
	if update {
		ar.Files[last].Data = []byte(got)
		if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != want {
		t.Errorf("%s: got\n%s\nwant\n%s", file, got, want)
	}
}

// answers asks every question of a text again.
func (p *Project) answers(text string, ask Ask) string {
	p.T.Helper()
	var b strings.Builder
	for line := range strings.Lines(text) {
		question, ok := strings.CutPrefix(strings.TrimSpace(line), "> ")
		if !ok {
			continue
		}
		fmt.Fprintf(&b, "> %s\n", question)
		err := p.Engine.Answer(context.Background(), engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
			lines, err := ask(ctx, s, strings.Fields(question))
			if err != nil {
				lines = append(lines, "error: "+err.Error())
			}
			for _, l := range lines {
				b.WriteString(l + "\n")
			}
			return nil, nil
		})
		if err != nil {
			p.T.Fatal(err)
		}
	}
	return b.String()
}
