package why_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"path"
	"strings"
	"testing"

	"ken/internal/ask/refs"
	"ken/internal/ask/why"
	"ken/internal/code"
	"ken/internal/engine/enginetest"
	"ken/internal/engine/view"
)

var update = flag.Bool("update", false, "rewrite the expected answers")

// end returns what a word of a question names: a path with a slash or without an extension of code is a folder if no symbol has the name.
func end(ctx context.Context, s *view.Snapshot, word string) (why.End, error) {
	if word == "." {
		return why.End{Folder: word}, nil
	}
	t, err := s.Target(ctx, word)
	if err != nil && path.Ext(word) == "" {
		return why.End{Folder: word}, nil
	}
	return why.End{Target: t}, err
}

func ask(ctx context.Context, s *view.Snapshot, from, to string) (why.Answer, error) {
	var ends [2]why.End
	for i, word := range []string{from, to} {
		var err error
		if ends[i], err = end(ctx, s, word); err != nil {
			return why.Answer{}, err
		}
	}
	return why.Between(ctx, s, ends[0], ends[1], 3)
}

func TestAnswers(t *testing.T) {
	enginetest.Answers(t, "testdata/*.txtar", *update, func(ctx context.Context, s *view.Snapshot, words []string) (out []string, err error) {
		if words[0] == "lengths" {
			return lengths(ctx, s)
		}
		a, err := ask(ctx, s, words[0], words[1])
		if wrong, ok := errors.AsType[*code.UsageError](err); ok {
			return []string{wrong.Error()}, nil
		}
		if err != nil {
			return nil, err
		}
		out = append(out, fmt.Sprintf("%d starts, more %v", a.Starts, a.More))
		for _, w := range a.Ways {
			var steps []string
			for _, st := range w {
				at := fmt.Sprintf("%s:%d %s", st.From.Path, st.Line, st.From.Name)
				if st.Has {
					at += " has"
				}
				if st.From.Name == "" {
					at += fmt.Sprintf("%s of %s ×%d", st.Relation, st.Used, st.Uses)
				}
				if st.Test {
					at += " test"
				}
				steps = append(steps, fmt.Sprintf("%s → %s %s", at, st.To.Path, st.To.Name))
			}
			out = append(out, strings.TrimSpace(w.Confidence().String()+": "+strings.Join(steps, "; ")))
		}
		if a.Doubt != nil {
			out = append(out, "doubt "+a.Doubt.Kind+": "+a.Doubt.Detail+" "+a.Doubt.Path)
		}
		return out, nil
	})
}

// lengths compares all pairs of files: a way is as long as the distance at which refs finds one from the other, which walks in the other
// direction, and its steps hang together.
func lengths(ctx context.Context, s *view.Snapshot) (out []string, err error) {
	rows, err := s.AllPaths()
	if err != nil {
		return nil, err
	}
	ways := 0
	for _, from := range rows {
		d, err := refs.Dependencies(ctx, s, view.Target{File: from.Path}, 0)
		if err != nil {
			return nil, err
		}
		depth := map[string]int{}
		for _, x := range d.List {
			if x.Relation.Depends() {
				depth[x.Path] = x.Depth
			}
		}
		for _, to := range rows {
			if to == from {
				continue
			}
			a, err := why.Between(ctx, s, why.End{Target: view.Target{File: from.Path}}, why.End{Target: view.Target{File: to.Path}}, 100)
			if err != nil {
				return nil, err
			}
			if len(a.Ways) == 0 && depth[to.Path] > 0 {
				out = append(out, "no way from "+from.Path+" to "+to.Path)
			}
			for _, w := range a.Ways {
				ways++
				at := from.Path
				for _, st := range w {
					if st.From.Path != at {
						out = append(out, "a step from "+st.From.Path+" behind "+at)
					}
					at = st.To.Path
				}
				if at != to.Path || len(w) != depth[to.Path] {
					out = append(out, fmt.Sprintf("%s to %s ends at %s behind %d steps, want %d", from.Path, to.Path, at, len(w), depth[to.Path]))
				}
			}
		}
	}
	return append(out, fmt.Sprintf("%d ways", ways)), nil
}
