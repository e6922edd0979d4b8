package fingerprint

import (
	"iter"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/code"
	"ken/internal/engine/source/scan"
	"ken/internal/engine/store"
)

func TestGoKey(t *testing.T) {
	for path, want := range map[string]string{
		"a.go": "go:", "x/a.go": "go:x", "x/a_test.go": "gotest:x", "x/y/test.go": "go:x/y", "_test.go": "gotest:",
	} {
		if got := GoKey(path); got != want {
			t.Errorf("GoKey(%q) = %q, want %q", path, got, want)
		}
	}
}

// TestShape: what a body holds changes nothing for other files, what a file declares does.
func TestShape(t *testing.T) {
	shape := func(text string) uint64 { return FileShape(&scan.Content{}, []byte(text)) }
	base := shape("package a\n\nfunc F(x int) int { return x }\n")
	if got := shape("package a\n\n// F adds.\nfunc F(x int) int { y := x; return y + 1 }\n"); got != base {
		t.Error("another body has another shape")
	}
	for _, text := range []string{"package b\n\nfunc F(x int) int { return x }\n", "package a\n\nfunc F(x string) int { return 1 }\n",
		"package a\n\nfunc F(x int) int { return x }\n\nfunc G() {}\n"} {
		if shape(text) == base {
			t.Errorf("the same shape as the first:\n%s", text)
		}
	}
	large := func(first byte) uint64 {
		return FileShape(&scan.Content{Problem: code.ProblemTooLarge, Hash: [32]byte{first}}, []byte("package a"))
	}
	if one := large(1); one == large(2) || one != large(1) {
		t.Error("the shape of a file not read whole is not its hash's")
	}
}

// TestPrints: a print differs where anything that it is made of does.
func TestPrints(t *testing.T) {
	symbols := func(names ...string) (out []code.Symbol) {
		for _, n := range names {
			out = append(out, code.Symbol{Qualified: n})
		}
		return out
	}
	prints := map[string]uint64{
		"file 1":            FileShare(1, "a.go", 7),
		"another id":        FileShare(2, "a.go", 7),
		"another path":      FileShare(1, "b.go", 7),
		"another shape":     FileShare(1, "a.go", 8),
		"symbols":           SymbolsPrint(1, "a.go", symbols("A", "B")),
		"in another order":  SymbolsPrint(1, "a.go", symbols("B", "A")),
		"joined":            SymbolsPrint(1, "a.go", symbols("AB")),
		"of another file":   SymbolsPrint(2, "a.go", symbols("A", "B")),
		"no go.mod":         ModPrint(nil, false),
		"an empty go.mod":   ModPrint(nil, true),
		"a go.mod":          ModPrint([]byte("module a"), true),
		"a key":             DepsPrint([]int64{1}, map[int64]uint64{1: 5}),
		"another print":     DepsPrint([]int64{1}, map[int64]uint64{1: 6}),
		"another key":       DepsPrint([]int64{2}, map[int64]uint64{2: 5}),
		"a key too many":    DepsPrint([]int64{1, 2}, map[int64]uint64{1: 5}),
		"prints exchanged":  DepsPrint([]int64{1, 2}, map[int64]uint64{1: 5, 2: 6}),
		"prints exchanged2": DepsPrint([]int64{1, 2}, map[int64]uint64{1: 6, 2: 5}),
	}
	seen := map[uint64]string{}
	for name, p := range prints {
		if other, ok := seen[p]; ok {
			t.Errorf("%q and %q have the same print", name, other)
		}
		seen[p] = name
	}
	if SymbolsPrint(1, "a.go", symbols("A", "B")) != prints["symbols"] {
		t.Error("the same symbols have two prints")
	}
}

func TestOwnPackage(t *testing.T) {
	for dir, want := range map[string]bool{
		"": true, "a/b": true, "testdata": false, "a/testdata/b": false, "vendor/x": false, "a/_b": false, ".git/x": false, "a/vendored": true,
	} {
		if got := IsOwnPackage(dir); got != want {
			t.Errorf("OwnPackage(%q) = %v", dir, got)
		}
	}
	for path, want := range map[string]bool{"go.mod": true, "a/go.work": true, "a/xgo.mod": false, "go.mod/a": false, "go.sum": false} {
		if got := IsGoMod(path); got != want {
			t.Errorf("IsGoMod(%q) = %v", path, got)
		}
	}
}

// configs is a reader that knows configuration files and keys alone.
type configs struct {
	store.Reader
	mods, works []string
	keys        []store.ExactKey
}

func (c configs) ConfigPaths(base string) ([]string, error) {
	if base == "go.mod" {
		return c.mods, nil
	}
	return c.works, nil
}

func (c configs) ExactKeys() iter.Seq2[store.ExactKey, error] {
	return func(yield func(store.ExactKey, error) bool) {
		for _, k := range c.keys {
			if !yield(k, nil) {
				return
			}
		}
	}
}

func TestReading(t *testing.T) {
	mods := func(c configs) uint64 {
		p, err := ModsPrint(c)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	a := mods(configs{mods: []string{"a/go.mod", "go.mod"}, works: []string{"go.work"}})
	if b := mods(configs{mods: []string{"go.mod", "a/go.mod"}, works: []string{"go.work"}}); a != b {
		t.Error("the order of files matters")
	}
	if b := mods(configs{mods: []string{"go.mod"}, works: []string{"go.work"}}); a == b {
		t.Error("a go.mod that is gone changes nothing")
	}
	ids, prints, err := ReadKeys(configs{keys: []store.ExactKey{{ID: 1, Name: "go:a", Print: 7}, {ID: 2, Name: "mods:", Print: 9}}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]int64{"go:a": 1, "mods:": 2}, ids); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[int64]uint64{1: 7, 2: 9}, prints); diff != "" {
		t.Error(diff)
	}
}
