package impact_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"ken/internal/ask/diff"
	"ken/internal/ask/impact"
	"ken/internal/ask/unused"
	"ken/internal/engine/enginetest"
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

func impactProject(t *testing.T) *enginetest.Project {
	t.Helper()
	return enginetest.NewTxtar(t, []byte(impactTree))
}

func impactOf(p *enginetest.Project, change string, args ...string) impact.Impact {
	p.T.Helper()
	var out impact.Impact
	p.Ask(func(ctx context.Context, s *view.Snapshot) error {
		q := impact.ImpactQuery{Change: change, Described: true}
		for _, a := range args {
			target, err := s.Target(ctx, a)
			if err != nil {
				return err
			}
			q.Targets = append(q.Targets, target)
		}
		var err error
		out, err = impact.Of(ctx, s, q)
		return err
	})
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
		for _, b := range impactOf(p, "", c.target).Relatives {
			got = append(got, fmt.Sprintf("%s %s of %s", b.Relation, b.Qualified, b.Of))
		}
		slices.Sort(got)
		if d := cmp.Diff(c.want, strings.Join(got, ", ")); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.target, d)
		}
	}
}

// absence is the evidence that nothing uses a file.
func absence(p *enginetest.Project, file string) impact.Evidence {
	p.T.Helper()
	var out unused.Absence
	p.Ask(func(ctx context.Context, s *view.Snapshot) (err error) {
		out, err = unused.File(ctx, s, file)
		return err
	})
	return &out
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
		{"Shape.area", "web/square.ts: Square.area overrides Shape.area\n", "", "moderate"},
	} {
		x := impactOf(p, "", c.target)
		must, should := x.Verify()
		if d := cmp.Diff(c.must, lines(must)); d != "" {
			t.Errorf("%s: must verify (-want +got):\n%s", c.target, d)
		}
		if d := cmp.Diff(c.should, lines(should)); d != "" {
			t.Errorf("%s: should verify (-want +got):\n%s", c.target, d)
		}
		if risk, why := x.Risk(absence(p, x.Files[0])); risk != c.risk {
			t.Errorf("%s: risk %s (%s), want %s", c.target, risk, why, c.risk)
		}
	}
}

func TestMentions(t *testing.T) {
	p := impactProject(t)
	x := impactOf(p, "rename `store.Reader`, keep StoreLimit", "store/store.go")
	if d := cmp.Diff([]string{"store.Reader", "StoreLimit", "store.go"}, x.Mentions.Keywords); d != "" {
		t.Errorf("keywords (-want +got):\n%s", d)
	}
	if len(x.Mentions.Files) != 1 || x.Mentions.Files[0].Path != "docs/store.md" || x.Mentions.Files[0].Matches != 2 || x.Mentions.Files[0].Samples[0].Line != 3 {
		t.Errorf("mentions: %+v", x.Mentions)
	}
	x = impactOf(p, `"Disk"`, "web/page.html")
	if len(x.Mentions.Files) != 1 || x.Mentions.Files[0].Matches != 2 {
		t.Errorf("a word beside a script without blanks: %+v", x.Mentions.Files)
	}
}

// TestDescribed: a document that has a section about a target, or a row or item of it, describes it; one that only mentions it does not.
func TestDescribed(t *testing.T) {
	p := enginetest.NewTxtar(t, []byte(strings.ReplaceAll(`
-- go.mod --
module example.com/m
-- shop/price.go --
package shop

import "os"

func PriceOf(n int) int { return n * 100 }

func Start() string { return os.Getenv("SHOP_CENTS") }
-- docs/api.md --
# Shop

## PriceOf

It gives a price.

| setting | what |
|---|---|
| §SHOP_CENTS§ | with cents |
| §OTHER§ | PriceOf |
-- docs/guide.md --
Call PriceOf, then Start.

## How to Start
-- docs/start.md --
## §Start()§
-- CHANGELOG.md --
## PriceOf
-- web/page.css --
.PriceOf { }
`, "§", "`")))
	for _, c := range []struct {
		change, target string
		want           []string
	}{
		{"", "shop/price.go:PriceOf", []string{"docs/api.md:3 heading PriceOf"}},
		{"", "shop/price.go", []string{"docs/api.md:3 heading PriceOf", "docs/start.md:1 heading Start"}},
		{`"SHOP_CENTS" and "OTHER" are read`, "shop/price.go:Start", []string{"docs/api.md:9 table row SHOP_CENTS", "docs/start.md:1 heading Start"}},
		{"", "web/page.css", nil},
		{"", "docs/api.md", nil},
	} {
		x := impactOf(p, c.change, c.target)
		var got []string
		for _, d := range x.Described {
			for _, l := range d.Lines {
				got = append(got, fmt.Sprintf("%s:%d %s %s", d.Path, l.Number, l.As, l.Name))
			}
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.target, c.change, d)
		}
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
	p := enginetest.New(t, nil)
	p.Write("go.mod", "module m\n")
	for _, f := range []string{"b", "c", "d", "far"} {
		p.Write(f+"/"+f+".go", "package "+f+"\n")
	}
	a, d := "package a\n\nimport \"m/b\"\n\nvar _ = b.B\n", "package d\n"
	p.Write("a/a.go", a)
	p.Write("b/b.go", "package b\n\nvar B = 1\n")
	p.Commit("first")
	for i := range 4 {
		a, d = a+fmt.Sprintf("// %d\n", i), d+fmt.Sprintf("// %d\n", i)
		p.Write("a/a.go", a)
		p.Write("d/d.go", d)
		p.Commit(fmt.Sprint(i))
	}
	p.Update()
	for _, c := range []struct {
		seeds, want []string
	}{
		{[]string{"a/a.go"}, []string{"d/d.go: changes together", "b/b.go: words in common"}},
		{[]string{"a/a.go", "d/d.go"}, []string{"b/b.go: words in common", "c/c.go: words in common"}},
		{[]string{"gone.go"}, []string{"a/a.go: changes with its directory", "d/d.go: changes with its directory"}},
	} {
		var got []string
		p.Ask(func(ctx context.Context, s *view.Snapshot) error {
			list, err := impact.ImpactFiles(ctx, s, c.seeds, 2)
			for _, f := range list {
				got = append(got, f.Path+": "+f.Why[0])
			}
			return err
		})
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%v (-want +got):\n%s", c.seeds, d)
		}
	}
}

// TestImpactDiff: a change that was made is judged by who used what it took away.
func TestImpactDiff(t *testing.T) {
	p := impactProject(t)
	p.Commit("first")
	p.Write("web/base.ts", "export class Form { area() { return 0 } }\n")
	p.Remove("store/store.go")
	p.Update()
	p.Ask(func(ctx context.Context, s *view.Snapshot) error {
		changed, err := diff.ChangedFiles(ctx, s, "HEAD")
		if err != nil {
			return err
		}
		x, err := impact.Of(ctx, s, impact.ImpactQuery{Diff: changed, Depth: 2})
		var removed []string
		for _, r := range x.Removed {
			if strings.Contains(r.Symbol.Qualified, ".") {
				continue // methods, which go with their types
			}
			for _, u := range r.Users {
				removed = append(removed, r.Symbol.Qualified+" by "+u.Path)
			}
		}
		slices.Sort(removed)
		want := []string{"Disk by store/store_test.go", "Reader by app/app.go", "Shape by web/square.ts"}
		if d := cmp.Diff(want, removed); d != "" {
			t.Errorf("removed and used (-want +got):\n%s", d)
		}
		must, _ := x.Verify()
		if len(must) != 3 {
			t.Errorf("to verify: %+v", must)
		}
		if level, why := x.Risk(nil); level != "high" {
			t.Errorf("risk %s: %s", level, why)
		}
		return err
	})
}
