package unused_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/ask/refs"
	"ken/internal/ask/unused"
	"ken/internal/engine"
	"ken/internal/engine/enginetest"
	"ken/internal/engine/view"
)

// absenceTree has, for every kind of hatch, a declaration nothing refers to.
var absenceTree = map[string]string{
	"go.mod":              "module example.com/m\n",
	"cmd/main.go":         "package main\n\nfunc main() {}\nfunc init() {}\n",
	"shop/shop.go":        "package shop\n\ntype Reader interface{ Read(p []byte) int }\ntype File struct{}\n\nfunc (f File) Read(p []byte) int { return 0 }\nfunc (f File) other(p []byte) int { return 0 }\nfunc Open() {}\nfunc alone() {}\nfunc named() {}\nfunc handed() {}\n\nvar list = []func(){handed}\nvar names = map[string]int{\"named\": 1}\n",
	"internal/shop/in.go": "package shop\n\nfunc Inside() {}\n",
	"shop/shop_test.go":   "package shop\n\nfunc TestOpen() {}\n",
	"app.py":              "import abc\n\nclass Base:\n    def step(self): pass\n\nclass Child(Base):\n    def step(self): pass\n    def __len__(self): return 0\n\nclass Far(abc.ABC):\n    def late(self): pass\n    def soon(self): pass\nclass Odd(far.Command):\n    def late2(self): pass\n\n@route(\"/\")\ndef page(): pass\n\ndef _hidden(): pass\n\nx = getattr(app, \"y\")\n",
}

func TestAbsenceHatches(t *testing.T) {
	w := enginetest.NewTree(t)
	for path, text := range absenceTree {
		w.Write(path, text)
	}
	p := w.Index()
	for _, c := range []struct{ symbol, want string }{
		{"cmd/main.go:main", "entry the program begins here cmd/main.go:3"},
		{"cmd/main.go:init", "entry run when the package is loaded cmd/main.go:4"},
		{"File.Read", "outside io.Reader.Read shop/shop.go:6\noverride Reader.Read shop/shop.go:3\nexported visible outside the repository shop/shop.go:6"},
		{"File.other", ""},
		{"Open", "exported visible outside the repository shop/shop.go:8"},
		{"alone", ""},
		{"named", `string var names = map[string]int{"named": 1} shop/shop.go:14`},
		{"handed", "value use, exact shop/shop.go:13"},
		{"Inside", ""},
		{"TestOpen", "entry run by the test runner shop/shop_test.go:3"},
		{"Child.step", "override Base.step app.py:4\nexported visible outside the repository app.py:7\nreflection x = getattr(app, \"y\") app.py:21"},
		{"Child.__len__", "exported visible outside the repository app.py:8\nreflection x = getattr(app, \"y\") app.py:21"},
		{"Far.late", "exported visible outside the repository app.py:11\nreflection x = getattr(app, \"y\") app.py:21"},
		{"Odd.late2", "outside Command.late2 app.py:14\nexported visible outside the repository app.py:14\nreflection x = getattr(app, \"y\") app.py:21"},
		{"page", "decorated route app.py:16\nexported visible outside the repository app.py:17\nreflection x = getattr(app, \"y\") app.py:21"},
		{"_hidden", "reflection x = getattr(app, \"y\") app.py:21"},
	} {
		a := absence(t, p, c.symbol)
		var got []string
		for _, h := range a.UnseenUses {
			got = append(got, fmt.Sprintf("%s %s %s:%d", h.Kind, h.Detail, h.Path, h.Line))
		}
		if diff := cmp.Diff(c.want, strings.Join(got, "\n")); diff != "" {
			t.Errorf("%s: %s", c.symbol, diff)
		}
		kind, _, _ := strings.Cut(c.want, " ")
		isDoubt := slices.Contains([]string{"entry", "outside", "value", "decorated", "override"}, kind)
		if a.Conclusive() == isDoubt || (a.Share == 1) == isDoubt {
			t.Errorf("%s: conclusive %v, share %v of a tree that was read whole", c.symbol, a.Conclusive(), a.Share)
		}
	}
}

func absence(t *testing.T, p *enginetest.Project, symbol string) (a unused.Absence) {
	t.Helper()
	err := p.Engine.Answer(context.Background(), engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
		syms, err := s.Definitions(ctx, symbol)
		if err != nil {
			return nil, err
		}
		refs_, err := refs.References(ctx, s, syms)
		if err != nil {
			return nil, err
		}
		a, err = unused.Symbols(ctx, s, syms, &refs_, nil)
		return nil, err
	})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestAbsenceCannotTell: files that were not read whole, and members of values
// of unknown type, lower the share until nothing can be said.
func TestAbsenceCannotTell(t *testing.T) {
	w := enginetest.NewTree(t)
	w.Write("a.py", "class A:\n    def work(self): pass\n")
	w.Write("b.py", "x = 1\n")
	p := w.Index()
	if a := absence(t, p, "A.work"); !a.Conclusive() || a.Files != 2 || a.Whole != 2 {
		t.Errorf("nothing is missing, but %+v", a)
	}
	w.Write("c.py", "x = \x00\n") // binary
	p.Update()
	a := absence(t, p, "A.work")
	if a.Conclusive() || a.Files != 3 || a.Whole != 2 {
		t.Errorf("one of three files was not read, but %+v", a)
	}
	w.Write("c.py", "def f(o):\n    o.work()\n")
	p.Update()
	a = absence(t, p, "A.work")
	if a.Conclusive() || a.Named != 1 || a.Decided != 0 {
		t.Errorf("the only use is of an unknown type, but %+v", a)
	}
}

func TestAbsenceOfFile(t *testing.T) {
	w := enginetest.NewTree(t)
	w.Write("main.py", "")
	w.Write("plugin.py", "def run(): pass\n")
	w.Write("load.py", "import importlib\nname = \"plugin\"\nimportlib.import_module(name)\n")
	p := w.Index()
	for file, want := range map[string]string{
		"main.py":   "[{entry a place where programs begin main.py 0 true}]",
		"plugin.py": "[{dynamic name = \"plugin\" load.py 2 true} {exported it declares what is visible outside the repository plugin.py 0 false}]",
	} {
		err := p.Engine.Answer(context.Background(), engine.AsIndexed, func(ctx context.Context, s *view.Snapshot) ([]string, error) {
			a, err := unused.File(ctx, s, file)
			if got := fmt.Sprint(a.UnseenUses); got != want || a.Conclusive() {
				t.Errorf("%s: %s, share %v", file, got, a.Share)
			}
			return nil, err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
