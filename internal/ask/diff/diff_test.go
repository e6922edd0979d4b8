package diff_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/ask/diff"
	"ken/internal/code"
	"ken/internal/engine"
	"ken/internal/engine/enginetest"
	"ken/internal/engine/view"
)

// changed is what Changed says of a tree, a line a file.
func changed(t testing.TB, e *engine.Engine, rev string) string {
	t.Helper()
	var b strings.Builder
	err := e.Answer(t.Context(), engine.WholeTree, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		b.Reset()
		list, err := diff.ChangedFiles(ctx, s, rev)
		for _, f := range list {
			fmt.Fprintf(&b, "%s %s", f.Status, f.Path)
			if f.Old != "" && f.Old != f.Path {
				fmt.Fprintf(&b, " from %s", f.Old)
			}
			for _, r := range f.Lines {
				fmt.Fprintf(&b, " %d-%d", r.Start, r.End)
			}
			for _, sym := range f.Symbols {
				fmt.Fprintf(&b, " %s", sym.Qualified)
			}
			for _, sym := range f.Removed {
				fmt.Fprintf(&b, " -%s", sym.Qualified)
			}
			if f.Unread {
				b.WriteString(" unread")
			}
			b.WriteByte('\n')
		}
		return nil, err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const shapes = `package shapes

import "fmt"

// Square is a shape.
type Square struct {
	Side int
	Name string
}

// Area is its area.
func (s Square) Area() int {
	return s.Side * s.Side
}

func Print(s Square) {
	fmt.Println(s.Area())
}
`

func TestChanged(t *testing.T) {
	w := enginetest.NewTree(t)
	w.Git("init", "-q", "-b", "main")
	w.Write("shapes.go", shapes)
	w.Write("old.go", "package shapes\n\nfunc Moved() int {\n\treturn 1\n}\n\nfunc Stays() int {\n\treturn 2\n}\n")
	w.Write("gone.py", "def gone():\n    pass\n")
	w.Write("same.txt", "same\n")
	p := w.Index()
	if got, want := changed(t, p.Engine, ""), "added gone.py 1-2 gone\nadded old.go 1-9 Moved Stays\nadded same.txt 1-1\nadded shapes.go 1-18 Square Square.Side Square.Name Square.Area Print\n"; got != want {
		t.Errorf("before the first commit:\n%s", cmp.Diff(want, got))
	}
	w.Git("add", "-A")
	w.Git("commit", "-q", "-m", "one")
	if got := changed(t, p.Engine, ""); got != "" {
		t.Errorf("nothing changed, yet:\n%s", got)
	}
	w.Write("shapes.go", strings.Replace(strings.Replace(shapes, "s.Side * s.Side", "s.Side*s.Side + 0", 1), "// Square is a", "// Square is some", 1))
	w.Git("add", "shapes.go") // staged, and then changed again
	w.Write("shapes.go", strings.Replace(w.Read("shapes.go"), "func Print(s Square) {\n\tfmt.Println(s.Area())\n}\n", "func Show(s Square) {\n\tfmt.Println(s)\n}\n", 1))
	w.Git("mv", "old.go", "new.go")
	w.Remove("gone.py")
	w.Write("fresh.ts", "export function fresh() {}\n")
	w.Write("bin.dat", "\x00\x01")
	if got, want := changed(t, p.Engine, ""), `added bin.dat unread
added fresh.ts 1-1 fresh
deleted gone.py -gone
renamed new.go from old.go
modified shapes.go 5-5 13-13 16-17 Square Square.Area Show -Print
`; got != want {
		t.Errorf("working tree:\n%s", cmp.Diff(want, got))
	}
	w.Git("add", "-A")
	w.Git("commit", "-q", "-m", "two")
	w.Write("shapes.go", "package shapes\n\nfunc Show() {}\n")
	if got, want := changed(t, p.Engine, "HEAD~1..HEAD"), `added bin.dat unread
added fresh.ts 1-1 fresh
deleted gone.py -gone
renamed new.go from old.go
modified shapes.go 5-5 13-13 16-17 Show -Print
`; got != want {
		t.Errorf("a commit, with a newer working tree:\n%s", cmp.Diff(want, got))
	}
	if got, want := changed(t, p.Engine, "HEAD"), "modified shapes.go 3-3 Show -Square -Square.Side -Square.Name -Square.Area\n"; got != want {
		t.Errorf("against HEAD:\n%s", cmp.Diff(want, got))
	}
	w.Git("checkout", "-q", "-f", "-b", "side", "HEAD~1")
	w.Write("side.go", "package shapes\n")
	w.Git("add", "-A")
	w.Git("commit", "-q", "-m", "side")
	if got, want := changed(t, p.Engine, "main...side"), "added side.go 1-1\n"; got != want {
		t.Errorf("since the fork:\n%s", cmp.Diff(want, got))
	}
	for _, rev := range []string{"nosuch", "--output=x", "a..b", "HEAD~9", "HEAD...nosuch", "\x00"} {
		err := p.Engine.Answer(t.Context(), engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
			_, err := diff.ChangedFiles(ctx, s, rev)
			return nil, err
		})
		var usage *code.UsageError
		if !errors.As(err, &usage) {
			t.Errorf("revision %q: %v", rev, err)
		}
	}
}

// TestChangedFilters checks that a filter a repository names is not run.
func TestChangedFilters(t *testing.T) {
	w := enginetest.NewTree(t)
	w.Git("init", "-q", "-b", "main")
	w.Write("a.txt", "one\n")
	w.Git("add", "-A")
	w.Git("commit", "-q", "-m", "one")
	trace := filepath.Join(t.TempDir(), "ran")
	for _, kv := range [][2]string{{"filter.evil.clean", "touch " + trace + "; cat"}, {"filter.evil.process", "touch " + trace}, {"diff.evil.textconv", "touch " + trace + "; cat"}, {"diff.evil.command", "touch " + trace}} {
		w.Git("config", kv[0], kv[1])
	}
	w.Write(".gitattributes", "*.txt filter=evil diff=evil\n")
	w.Write("a.txt", "two\n")
	p := w.Index()
	if got, want := changed(t, p.Engine, ""), "added .gitattributes 1-1\nmodified a.txt 1-1\n"; got != want {
		t.Errorf("(-want +got):\n%s", cmp.Diff(want, got))
	}
	if _, err := os.Stat(trace); err == nil {
		t.Error("a program of the repository ran")
	}
}
