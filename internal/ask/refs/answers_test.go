package refs_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"ken/internal/ask/export"
	"ken/internal/ask/refs"
	"ken/internal/engine/enginetest"
	"ken/internal/engine/view"
)

// TestAnswers asks who is tied to a symbol, what files use, and for the export.
func TestAnswers(t *testing.T) {
	enginetest.Answers(t, "testdata/*.txtar", *update, answer)
}

func answer(ctx context.Context, s *view.Snapshot, words []string) ([]string, error) {
	switch words[0] {
	case "hierarchy":
		return hierarchy(ctx, s, words[1])
	case "uses":
		list, err := refs.FileReferences(ctx, s, words[1])
		var out []string
		for _, r := range list {
			out = append(out, fmt.Sprintf("%d %s %s %s in %q", r.Line, r.Kind, r.Target.Qualified, r.Confidence, r.In))
		}
		return out, err
	case "tests":
		list, err := refs.Tests(ctx, s, words[1])
		var out []string
		for _, d := range list {
			line := d.File.Path + " " + d.Relation.String()
			if d.Steps > 1 {
				line = fmt.Sprintf("%s in %d steps through %s", d.File.Path, d.Steps, d.Through)
			}
			out = append(out, line)
		}
		return out, err
	case "run":
		var out []string
		for f, err := range s.Files(ctx) {
			if err != nil {
				return out, err
			}
			if run, err := refs.RunAsTest(s, &f); err != nil {
				return out, err
			} else if run {
				out = append(out, f.Path)
			}
		}
		return out, nil
	case "constructions":
		return constructions(ctx, s, words[1])
	case "scip":
		return exported(ctx, s)
	}
	return nil, fmt.Errorf("no question %s", words[0])
}

func hierarchy(ctx context.Context, s *view.Snapshot, name string) ([]string, error) {
	targets, err := s.Definitions(ctx, name)
	if err != nil {
		return nil, err
	}
	used, err := refs.References(ctx, s, targets)
	if err != nil {
		return nil, err
	}
	list, cut, err := refs.Hierarchy(ctx, s, targets, used.List)
	var out []string
	for _, r := range list {
		out = append(out, fmt.Sprintf("%s %s of %s, %s", r.Relation, r.Symbol.Qualified, r.Of, r.Confidence))
	}
	if cut {
		out = append(out, "cut")
	}
	return out, err
}

// constructions returns the uses of constructors with the places that make an object.
func constructions(ctx context.Context, s *view.Snapshot, name string) (out []string, err error) {
	targets, err := s.Definitions(ctx, name)
	if err != nil {
		return nil, err
	}
	found, err := refs.ReferencesAndDropped(ctx, s, targets)
	if err == nil {
		err = refs.AddConstructions(ctx, s, targets, &found)
	}
	for _, r := range found.List {
		out = append(out, fmt.Sprintf("%s:%d %s of %s in %q, %s", r.Path, r.Line, r.Kind, r.Target.Qualified, r.In, r.Confidence))
	}
	return append(out, fmt.Sprintf("%d mean something else, %d listed", found.DroppedCount(), len(found.Dropped))), err
}

// exported says which paths and symbols the SCIP export holds.
func exported(ctx context.Context, s *view.Snapshot) ([]string, error) {
	var b bytes.Buffer
	if err := export.WriteSCIP(ctx, s, &b, "test"); err != nil {
		return nil, err
	}
	var out []string
	for _, text := range []string{"store/store.go", "web/a.py", "config.yml", "Store#", "Clean", "render", "kT9#vLq2"} {
		out = append(out, fmt.Sprintf("%s %v", text, bytes.Contains(b.Bytes(), []byte(text))))
	}
	return out, nil
}
