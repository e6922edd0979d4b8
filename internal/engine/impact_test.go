package engine_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"ken/internal/ask/impact"
	"ken/internal/engine"
	"ken/internal/engine/view"
)

const impactTree = `
-- go.mod --
module example.com/m
-- store/store.go --
package store

type Reader interface {
	Read(key string, max int) ([]byte, error)
	Close() error
}

type Disk struct{ dir string }

func (d *Disk) Read(key string, max int) ([]byte, error) { return nil, nil }
func (d *Disk) Close() error                              { return nil }

type Half struct{}

func (h *Half) Read(key string) ([]byte, error) { return nil, nil }
func (h *Half) Close() error                     { return nil }
-- store/store_test.go --
package store

import "testing"

func TestDisk(t *testing.T) { (&Disk{}).Close() }
-- app/app.go --
package app

import "example.com/m/store"

type App struct {
	Source store.Reader
}

func Run(a App) { a.Source.Read("x", 1) }
-- docs/store.md --
# Store

A Reader reads. Disk is one; see store.Reader and StoreLimit.
API key: 型Diskです
-- web/base.ts --
export class Shape { area() { return 0 } }
-- web/square.ts --
import { Shape } from "./base";
export class Square extends Shape { area() { return 1 } }
-- web/page.html --
<html></html>
`

func impactProject(t *testing.T) *project {
	t.Helper()
	w := &worktree{t: t, root: t.TempDir()}
	for _, f := range txtar.Parse([]byte(impactTree)).Files {
		w.write(f.Name, string(f.Data))
	}
	return newProject(t, w.root)
}

func impactOf(t testing.TB, p *project, change string, args ...string) impact.Impact {
	t.Helper()
	var out impact.Impact
	err := p.e.Answer(t.Context(), engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		q := impact.ImpactQuery{Change: change}
		for _, a := range args {
			target, err := s.Target(ctx, a)
			if err != nil {
				return nil, err
			}
			q.Targets = append(q.Targets, target)
		}
		var err error
		out, err = impact.Of(ctx, s, q)
		return nil, err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestBehind finds what is tied to a declaration through interfaces and bases.
func TestBehind(t *testing.T) {
	p := impactProject(t)
	for _, c := range []struct{ target, want string }{
		{"Reader", "implements Disk of Reader"},
		{"Disk", "holds App.Source of Reader, interface Reader of Disk"},
		{"Half", ""}, // another number of parameters
		{"Disk.Read", "interface Reader.Read of Disk.Read"},
		{"Reader.Read", "overrides Disk.Read of Reader.Read"},
		{"Shape", "implements Square of Shape"},
		{"Square", "interface Shape of Square"},
		{"Shape.area", "overrides Square.area of Shape.area"},
		{"Square.area", "interface Shape.area of Square.area"},
	} {
		var got []string
		for _, b := range impactOf(t, p, "", c.target).Behind {
			got = append(got, fmt.Sprintf("%s %s of %s", b.Relation, b.Qualified, b.Of))
		}
		slices.Sort(got)
		if d := cmp.Diff(c.want, strings.Join(got, ", ")); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.target, d)
		}
	}
}

func TestImpactVerify(t *testing.T) {
	p := impactProject(t)
	lines := func(list []impact.Verify) string {
		var b strings.Builder
		for _, v := range list {
			fmt.Fprintf(&b, "%s: %s\n", v.Path, v.Reason)
		}
		return b.String()
	}
	for _, c := range []struct{ target, must, should, risk string }{
		{"store/store.go", "app/app.go: uses Reader\n", "store/store_test.go: test: is named for store/store.go, uses Disk\ndocs/store.md: named alike: documents\n", "low"},
		{"web/base.ts", "web/square.ts: inherits from Shape\n", "", "moderate"},
		{"web/page.html", "", "", "none found"},
		{"Shape.area", "web/square.ts: Square.area stands in for Shape.area\n", "", "moderate"},
	} {
		x := impactOf(t, p, "", c.target)
		must, should := x.Verify()
		if d := cmp.Diff(c.must, lines(must)); d != "" {
			t.Errorf("%s: must verify (-want +got):\n%s", c.target, d)
		}
		if d := cmp.Diff(c.should, lines(should)); d != "" {
			t.Errorf("%s: should verify (-want +got):\n%s", c.target, d)
		}
		if risk, why := x.Risk(); risk != c.risk {
			t.Errorf("%s: risk %s (%s), want %s", c.target, risk, why, c.risk)
		}
	}
}

func TestMentions(t *testing.T) {
	p := impactProject(t)
	x := impactOf(t, p, "rename `store.Reader`, keep StoreLimit", "store/store.go")
	if d := cmp.Diff([]string{"store.Reader", "StoreLimit", "store.go"}, x.Mentions.Keywords); d != "" {
		t.Errorf("keywords (-want +got):\n%s", d)
	}
	if len(x.Mentions.Files) != 1 || x.Mentions.Files[0].Path != "docs/store.md" || x.Mentions.Files[0].Matches != 2 || x.Mentions.Files[0].Samples[0].Line != 3 {
		t.Errorf("mentions: %+v", x.Mentions)
	}
	x = impactOf(t, p, `"Disk"`, "web/page.html")
	if len(x.Mentions.Files) != 1 || x.Mentions.Files[0].Matches != 2 {
		t.Errorf("a word beside a script without blanks: %+v", x.Mentions.Files)
	}
}

func TestKeywords(t *testing.T) {
	for _, c := range []struct {
		change         string
		symbols, files []string
		want           []string
	}{
		{`make "auto_billing" and 'grace period' of UserAccount quick`, nil, []string{"app/user-account.rb"}, []string{"auto_billing", "grace period", "UserAccount", "user-account.rb", "user-account"}},
		{"don't change the user's name", nil, nil, nil},
		{"価格「単価」を変更 price_total", nil, nil, []string{"単価", "price_total"}},
		{"", []string{"Open", "a"}, []string{"x/index.ts"}, []string{"Open", "index.ts"}},
		{strings.Repeat("OneTerm Two_Term ", 1000) + "A1b c.d.e std::io " + strings.Repeat("x", 200), nil, nil, []string{"OneTerm", "Two_Term", "c.d.e", "std::io"}},
		{strings.Join(strings.Split("abcdefghijklm", ""), "_x aX"), nil, nil, nil},
	} {
		got := impact.Keywords(c.change, c.symbols, c.files)
		if len(got) > impact.MaxKeywords {
			t.Errorf("%d keywords", len(got))
		}
		if c.want != nil || len(got) == 0 {
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("%q (-want +got):\n%s", c.change, d)
			}
		}
	}
}

// TestImpactFiles: what was changed with a file comes before what it imports,
// and that before what has nothing to do with it.
func TestImpactFiles(t *testing.T) {
	w := &worktree{t: t, root: t.TempDir()}
	w.run("init", "-q", "-b", "main")
	w.write("go.mod", "module m\n")
	for _, f := range []string{"a", "b", "c", "d", "far"} {
		w.write(f+"/"+f+".go", "package "+f+"\n")
	}
	w.write("a/a.go", "package a\n\nimport \"m/b\"\n\nvar _ = b.B\n")
	w.write("b/b.go", "package b\n\nvar B = 1\n")
	w.run("add", "-A")
	w.run("commit", "-q", "-m", "first")
	for i := range 4 {
		w.write("a/a.go", w.read("a/a.go")+fmt.Sprintf("// %d\n", i))
		w.write("d/d.go", w.read("d/d.go")+fmt.Sprintf("// %d\n", i))
		w.run("commit", "-q", "-a", "-m", fmt.Sprint(i))
	}
	p := newProject(t, w.root)
	var got []string
	err := p.e.Answer(t.Context(), engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		list, err := impact.ImpactFiles(ctx, s, []string{"a/a.go"}, 2)
		for _, f := range list {
			got = append(got, f.Path+": "+f.Why[0])
		}
		return nil, err
	})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"d/d.go: changes together", "b/b.go: words in common"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
