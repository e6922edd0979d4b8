package refs_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"ken/internal/engine/enginetest"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"ken/internal/ask/imported"
	"ken/internal/ask/overview"
	"ken/internal/ask/refline"
	"ken/internal/ask/refs"
	"ken/internal/code"
	"ken/internal/engine"
	"ken/internal/engine/view"

	"ken/internal/engine/graph"
)

var update = flag.Bool("update", false, "rewrite the expected answers")

// TestGraph indexes the trees of testdata/graph and asks what their last file,
// "answers", asks: lines that start with "> " are questions, those below the
// expected answer. -update rewrites the answers.
func TestGraph(t *testing.T) {
	files, err := filepath.Glob("testdata/graph/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			w := enginetest.NewTree(t)
			answers := &ar.Files[len(ar.Files)-1]
			for _, f := range ar.Files[:len(ar.Files)-1] {
				w.Write(f.Name, string(f.Data))
			}
			p := w.Index()
			got := answerAll(t, p.Engine, string(answers.Data))
			if *update {
				answers.Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(answers.Data), got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func answerAll(t *testing.T, e *engine.Engine, text string) string {
	var b strings.Builder
	err := e.Answer(context.Background(), engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		for line := range strings.Lines(text) {
			q, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "> ")
			if !ok {
				continue
			}
			fmt.Fprintf(&b, "> %s\n", q)
			var missing *code.NotFoundError
			lines, err := ask(ctx, s, strings.Fields(q))
			if errors.As(err, &missing) {
				lines, err = []string{err.Error()}, nil
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", q, err)
			}
			for _, l := range lines {
				b.WriteString(l + "\n")
			}
		}
		return nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func ask(ctx context.Context, s *view.Snapshot, q []string) (out []string, err error) {
	add := func(format string, args ...any) {
		out = append(out, strings.TrimRight(fmt.Sprintf(format, args...), " "))
	}
	switch q[0] {
	case "refs":
		syms, err := s.Definitions(ctx, q[1])
		if err != nil {
			return nil, err
		}
		refs, err := refs.References(ctx, s, syms)
		if err != nil {
			return nil, err
		}
		for _, r := range refs.List {
			verdict := r.Verdict()
			if r.Through != "" {
				verdict += " " + r.Through
			}
			add("%s:%d %s %s → %s:%s %s", r.Path, r.Line, r.Kind, verdict, r.Target.Path, r.Target.Qualified, in(r.In))
		}
	case "inside":
		syms, err := s.Definitions(ctx, q[1])
		if err != nil {
			return nil, err
		}
		for i := range syms {
			list, err := refs.From(ctx, s, &syms[i])
			if err != nil {
				return nil, err
			}
			for _, r := range list {
				add("%s:%d %s %s → %s:%s", r.Path, r.Line, r.Kind, r.Verdict(), r.Target.Path, r.Target.Qualified)
			}
		}
	case "naming":
		syms, err := s.Definitions(ctx, q[1])
		if err != nil {
			return nil, err
		}
		list, err := imported.Uses(ctx, s, syms)
		if err != nil {
			return nil, err
		}
		tags, err := imported.Templates(ctx, s, syms)
		if err != nil {
			return nil, err
		}
		lines, err := refline.Of(ctx, s, append(list, tags...))
		if err != nil {
			return nil, err
		}
		for i, r := range append(list, tags...) {
			add("%s:%d:%d %s %s %s", r.Path, r.Line, r.End-r.Start, r.Kind, r.Verdict(), lines[i])
		}
	case "dropped":
		syms, err := s.Definitions(ctx, q[1])
		if err != nil {
			return nil, err
		}
		refs, err := refs.ReferencesAndDropped(ctx, s, syms)
		if err != nil {
			return nil, err
		}
		for _, r := range refs.Dropped {
			means := "something else"
			if r.Target != nil {
				means = r.Target.Path + ":" + r.Target.Qualified
			}
			add("%s:%d %s %s, means %s %s", r.Path, r.Line, r.Kind, r.Dropped, means, in(r.In))
		}
	case "dependents", "deps":
		t, err := s.Target(ctx, q[1])
		if err != nil {
			return nil, err
		}
		depth := 0
		if len(q) > 2 {
			depth, _ = strconv.Atoi(q[2])
		}
		var d view.Dependents
		if q[0] == "deps" {
			d, err = refs.Dependencies(ctx, s, t, depth)
		} else {
			d, err = refs.Dependents(ctx, s, t, depth)
		}
		if err != nil {
			return nil, err
		}
		for _, x := range d.List {
			if x.Name == "" {
				add("%d %s %s %s", x.Depth, x.Path, x.Relation, x.Confidence)
			} else {
				add("%d %s:%d %s %s", x.Depth, x.Path, x.Line, x.Name, x.Confidence)
			}
		}
		for _, x := range d.External {
			add("external %s std=%v", x.Name, x.Std)
		}
	case "tests":
		list, err := refs.Tests(ctx, s, q[1])
		if err != nil {
			return nil, err
		}
		for _, x := range list {
			add("%s %s", x.File.Path, x.Confidence)
		}
	case "imports":
		list, err := s.Imports(ctx, q[1])
		if err != nil {
			return nil, err
		}
		for _, m := range list {
			add("%d %s → %s", m.Line, m.Spec, strings.Join(append(m.Targets, m.External), " "))
		}
	case "hotspots":
		files, syms, err := overview.Hotspots(ctx, s, 5)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			add("%s %d", f.Path, f.Dependents)
		}
		for _, x := range syms {
			add("%s:%s %d", x.Path, x.Qualified, x.Files)
		}
	case "overview":
		o, err := overview.Overview(ctx, s, 5)
		if err != nil {
			return nil, err
		}
		for _, c := range o.Cycles {
			add("cycle %s", strings.Join(c, " "))
		}
		for _, c := range o.Communities {
			add("community %s %d %s", c.Name, c.Files, strings.Join(c.Top, " "))
		}
		for _, p := range o.Entries {
			add("entry %s", p)
		}
	default:
		return nil, fmt.Errorf("no such question")
	}
	return out, nil
}

func in(s string) string {
	if s == "" {
		return ""
	}
	return "in " + s
}

// TestPageRank compares with the definition, computed densely: the stationary
// distribution of a walk that follows an edge with 0.85 and jumps anywhere else.
func TestPageRank(t *testing.T) {
	edges := [][2]int32{{0, 1}, {0, 2}, {1, 2}, {2, 0}, {3, 2}, {4, 4}, {5, 1}, {5, 3}, {5, 5}}
	const n = 7
	g := graph.NewDigraph(n, edges)
	var m [n][n]float64 // m[j][i]: from i to j
	for i := range n {
		var out []int32
		for _, e := range edges {
			if int(e[0]) == i && e[1] != e[0] {
				out = append(out, e[1])
			}
		}
		for j := range n {
			m[j][i] = 0.15 / n
			if len(out) == 0 {
				m[j][i] = 1.0 / n
			}
		}
		for _, j := range out {
			m[j][i] += 0.85 / float64(len(out))
		}
	}
	want := [n]float64{1}
	for range 500 {
		var next [n]float64
		for j := range n {
			for i := range n {
				next[j] += m[j][i] * want[i]
			}
		}
		want = next
	}
	sum := 0.0
	for i, got := range g.PageRank() {
		sum += got
		if math.Abs(got-want[i]) > 1e-8 {
			t.Errorf("rank of %d: %.10f, want %.10f", i, got, want[i])
		}
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Errorf("ranks sum to %v", sum)
	}
}
