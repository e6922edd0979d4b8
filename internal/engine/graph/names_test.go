package graph

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"ken/internal/code"
)

func TestSubjects(t *testing.T) {
	for p, want := range map[string]string{
		"a/foo_test.go":                    "a/foo.go",
		"a/__tests__/foo.test.ts":          "a/__tests__/foo.ts a/__tests__/foo.tsx a/__tests__/foo.vue a/__tests__/foo.svelte a/foo.ts a/foo.tsx a/foo.vue a/foo.svelte",
		"x/foo.spec.js":                    "x/foo.js x/foo.jsx x/foo.vue x/foo.svelte",
		"tests/test_foo.py":                "tests/foo.py foo.py src/foo.py",
		"src/test/java/x/FooTest.java":     "src/test/java/x/Foo.java src/main/java/x/Foo.java src/src/java/x/Foo.java src/lib/java/x/Foo.java src/app/java/x/Foo.java",
		"pkg/tests/unit/test_foo.py":       "pkg/tests/unit/foo.py pkg/src/unit/foo.py",
		"spec/models/user_spec.rb":         "spec/models/user.rb lib/models/user.rb app/models/user.rb",
		"App.Tests/FooTests.cs":            "App.Tests/Foo.cs App/Foo.cs",
		"FooIT.java":                       "Foo.java",
		"foo-test.js":                      "foo.js foo.jsx foo.vue foo.svelte",
		"a/foo-spec.ts":                    "a/foo.ts a/foo.tsx a/foo.vue a/foo.svelte",
		"test_test_foo.py":                 "test_foo.py",
		"a/foo.go":                         "",
		"a/_test.go":                       "",
		"a/test_.py":                       "",
		"a/Test.java":                      "",
		"specs/fooSpec.scala":              "specs/foo.scala foo.scala",
		"test/foo_test.rb":                 "test/foo.rb foo.rb src/foo.rb lib/foo.rb app/foo.rb",
		"a/test/b/foo_test.dart":           "a/test/b/foo.dart a/src/b/foo.dart a/lib/b/foo.dart a/app/b/foo.dart",
		"modules/x.Test/deep/BarTest.kt":   "modules/x.Test/deep/Bar.kt modules/x/deep/Bar.kt",
		"w/components/__tests__/A.test.js": "w/components/__tests__/A.js w/components/__tests__/A.jsx w/components/__tests__/A.vue w/components/__tests__/A.svelte w/components/A.js w/components/A.jsx w/components/A.vue w/components/A.svelte",
	} {
		if got := strings.Join(Subjects(p), " "); got != want {
			t.Errorf("%s tests\n%s, want\n%s", p, got, want)
		}
	}
}

func TestLocalName(t *testing.T) {
	for spec, want := range map[string]string{
		"fmt": "fmt", "a/b": "b", "a/b/v2": "b", "a/b/v10": "b", "a/b/v1": "v1", "a/b/v0": "v0", "a/b/v": "v", "a/b/v2x": "v2x", "v2": "v2",
		"gopkg.in/yaml.v3": "yaml", "a/b.vim": "b", "a/.v2": ".v2", "a/w2": "w2",
	} {
		if got := LocalName(&code.Import{Spec: spec}); got != want {
			t.Errorf("%s is called %s, want %s", spec, got, want)
		}
	}
	if got := LocalName(&code.Import{Spec: "a/b", Alias: "c"}); got != "c" {
		t.Errorf("an alias is not used: %s", got)
	}
}

func TestImportNames(t *testing.T) {
	imp := code.Import{Names: []code.ImportName{{Name: "a", Alias: "b"}, {Name: "default", Alias: "d"}}}
	for name, want := range map[string]string{"b": "b", "d": "default", "a": "a", "default": "default"} {
		if got := ExportedName(&imp, &code.Ref{Name: name}); got != want {
			t.Errorf("%s is %s over there, want %s", name, got, want)
		}
	}
	for _, c := range []struct {
		imp  code.Import
		want bool
	}{
		{imp, false}, {code.Import{Alias: "."}, true}, {code.Import{Names: []code.ImportName{{Name: "*", Alias: "*"}}}, true},
		{code.Import{Names: []code.ImportName{{Name: "*", Alias: "ns"}}}, false}, {code.Import{Alias: "_"}, false},
	} {
		if IsWildcard(&c.imp) != c.want {
			t.Errorf("%+v is a wildcard: %t", c.imp, !c.want)
		}
	}
}

// TestPasses: what a file calls the names it passes on.
func TestPasses(t *testing.T) {
	o := Outward{
		Imports: []code.Import{{Names: []code.ImportName{{Name: "a", Alias: "b"}, {Name: "same", Alias: "same"}, {Name: "*", Alias: "*"}, {Name: "x", Alias: "y"}}}},
		Exports: []code.Export{{Name: "out", Local: "b", From: -1}, {Name: "default", Local: "y", From: -1}, {Name: "kept", Local: "kept", From: -1}, {Name: "default", Local: "default", From: 0}},
	}
	want := "[{a b false} {x y false} {b out false} {y default true} {default default true}]"
	if got := fmt.Sprint(Passes(o)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for start, want := range map[string]string{"a": "a b out false", "x": "default x y true", "kept": "kept false", "none": "none false", "same": "same false"} {
		names := map[string]bool{start: true}
		any := AddPassedNames(o, names)
		if got := fmt.Sprintf("%s %t", strings.Join(slices.Sorted(maps.Keys(names)), " "), any); got != want {
			t.Errorf("%s passed on is %s, want %s", start, got, want)
		}
	}
}

func TestScopes(t *testing.T) {
	node := func(l code.Lang, path, pkg string) *Node { return &Node{Lang: l, Path: path, Package: pkg} }
	for _, c := range []struct {
		a, b *Node
		want bool
	}{
		{node("go", "a/x.go", "p"), node("go", "a/y.go", "p"), true},
		{node("go", "a/x.go", "p"), node("go", "a/y.go", "q"), false},
		{node("go", "a/x.go", "p"), node("go", "b/y.go", "p"), false},
		{node("go", "a/x.go", ""), node("go", "a/y.go", ""), true},
		{node("hcl", "a/x.tf", ""), node("hcl", "a/y.tf", "q"), true},
		{node("hcl", "a/x.tf", ""), node("hcl", "y.tf", ""), false},
		{node("java", "a/X.java", "p"), node("kotlin", "b/Y.kt", "p"), true},
		{node("java", "a/X.java", "p"), node("kotlin", "b/Y.kt", "q"), false},
		{node("java", "a/X.java", ""), node("java", "a/Y.java", ""), true},
		{node("java", "a/X.java", ""), node("java", "b/Y.java", ""), false},
		{node("csharp", "a/X.cs", "P"), node("csharp", "a/Y.cs", "P"), false}, // namespaces are searched, see Spaces
		{node("python", "a/x.py", ""), node("python", "a/y.py", ""), false},
		{node("go", "a/x.go", "p"), node("java", "a/X.java", "p"), false},
	} {
		if SameScope(c.a, c.b) != c.want {
			t.Errorf("%+v and %+v share a scope: %t", c.a, c.b, !c.want)
		}
	}
	for _, c := range []struct {
		n          *Node
		importable bool
		tested     string // package, "-" for none
	}{
		{node("go", "a/x.go", "p"), true, "-"}, {node("go", "a/x_test.go", "p"), false, "-"}, {node("go", "a/x_test.go", "p_test"), false, "p"},
		{node("go", "a/x.go", "p_test"), true, "-"}, {node("python", "a/x_test.py", "p_test"), true, "-"}, {node("", "x_test.go", "p_test"), true, "-"},
	} {
		of, ok := c.n.TestedPackage()
		got := "-"
		if ok {
			got = of.Package
		}
		if c.n.Importable() != c.importable || got != c.tested {
			t.Errorf("%+v: importable %t, tests %s", c.n, c.n.Importable(), got)
		}
		if ok && (of.Path != c.n.Path || of.Lang != c.n.Lang) {
			t.Errorf("%+v tests %+v", c.n, of)
		}
	}
	for _, c := range []struct {
		a, b code.Lang
		want bool
	}{{"c", "cpp", true}, {"typescript", "vue", true}, {"go", "c", false}, {"java", "scala", true}, {"python", "python", true}} {
		if SameFamily(node(c.a, "", ""), node(c.b, "", "")) != c.want {
			t.Errorf("%s and %s are of one family: %t", c.a, c.b, !c.want)
		}
	}
	if Family("kotlin") != "jvm" || Family("go") != "go" {
		t.Error("families have other names")
	}
}

func TestQualified(t *testing.T) {
	if got := (&Def{Name: "n", Container: "A.B"}).QualifiedName(); got != "A.B.n" {
		t.Error(got)
	}
	if got := (&Def{Name: "n"}).QualifiedName(); got != "n" {
		t.Error(got)
	}
}

func TestSpaces(t *testing.T) {
	for _, c := range []struct {
		s         Space
		container string
		kind      code.RefKind
		want      bool
	}{
		{Space{}, "", code.RefType, true}, {Space{}, "C", code.RefCall, true},
		{Space{Static: "T"}, "", code.RefCall, true}, {Space{Static: "T"}, "C", code.RefCall, false},
		{Space{Callable: true}, "", code.RefCall, true}, {Space{Callable: true}, "", code.RefUse, true},
		{Space{Callable: true}, "", code.RefType, false}, {Space{Callable: true}, "C", code.RefCall, false},
	} {
		if c.s.mayHold(c.container, &code.Ref{Kind: c.kind}) != c.want {
			t.Errorf("%+v may hold %s in %q: %t", c.s, c.kind, c.container, !c.want)
		}
	}
	for _, c := range []struct {
		callable bool
		kind     code.Kind
		want     bool
	}{{false, code.KindClass, true}, {true, code.KindClass, false}, {true, code.KindFunction, true}, {true, code.KindVariable, false}, {true, code.KindConstant, true}} {
		if s := (Space{Callable: c.callable}); s.Offers(c.kind) != c.want {
			t.Errorf("%+v offers a %s: %t", s, c.kind, !c.want)
		}
	}
	for _, c := range []struct{ spec, pkg, nested, in string }{
		{"A.B.C", "A", "B.C", "B"}, {"A.B", "A.B", "", ""}, {`A\B`, "A", "B", ""}, {"A.B.C.D", "A.B", "C.D", "C"}, {"C", "", "C", ""},
	} {
		if got := nestedPath(c.spec, c.pkg); got != c.nested {
			t.Errorf("%s adds %q to %q, want %q", c.spec, got, c.pkg, c.nested)
		}
		if got := Container(&code.Import{Spec: c.spec}, &Link{Package: c.pkg}); got != c.in {
			t.Errorf("%s is in %q, want %q", c.spec, got, c.in)
		}
	}
}

func TestHeaders(t *testing.T) {
	for p, want := range map[string]bool{"a.h": true, "a.hpp": true, "a.inl": true, "a": true, "a.c": false, "a.cc": false, "b/a.cpp": false, "a.cu": false, "a.m": false} {
		if IsHeader(p) != want {
			t.Errorf("%s is a header: %t", p, !want)
		}
	}
	for dir, want := range map[string]string{
		"":                   "",
		"a/b":                "a/b",
		"include":            "include|src|source|lib|",
		"x/include/proj/sub": "x/include/proj/sub|x/src/proj/sub|x/source/proj/sub|x/lib/proj/sub|x/proj/sub|x/src/sub|x/source/sub|x/lib/sub|x/sub",
		"include/x/inc/y":    "include/x/inc/y|include/x/src/y|include/x/source/y|include/x/lib/y|include/x/y|include/x/src|include/x/source|include/x/lib|include/x",
		"p/public":           "p/public|p/src|p/source|p/lib|p",
	} {
		if got := strings.Join(sourceDirs(dir), "|"); got != want {
			t.Errorf("sources of %q are in\n%s, want\n%s", dir, got, want)
		}
	}
}

func TestLinkPredicates(t *testing.T) {
	for _, c := range []struct {
		l                  Link
		internal, resolved bool
	}{
		{Link{}, false, false}, {Link{File: 1}, true, true}, {Link{Dirs: []string{"a"}}, true, true}, {Link{Subs: []Sub{{"a", 1}}}, true, true},
		{Link{IsPackage: true}, true, true}, {Link{External: "x"}, false, true}, {Link{Std: true}, false, false}, {Link{Package: "p"}, false, false},
	} {
		if c.l.Internal() != c.internal || c.l.IsResolved() != c.resolved {
			t.Errorf("%+v: internal %t, resolved %t", c.l, c.l.Internal(), c.l.IsResolved())
		}
	}
	l := Link{Subs: []Sub{{"a", 1}, {"c", 2}, {"e", 3}}}
	for name, want := range map[string]int64{"a": 1, "c": 2, "e": 3, "b": 0, "": 0, "f": 0} {
		if id, ok := l.Sub(name); id != want || ok != (want != 0) {
			t.Errorf("%s is %d, %t", name, id, ok)
		}
	}
}

// TestKeys: the keys under which files are found again are part of the format of
// the index.
func TestKeys(t *testing.T) {
	for got, want := range map[string]string{
		TableKey("users"): "table:users", RelayKey("a/b.ts"): "relay:a/b.ts", DeclKey("a/b.py", "x"): "decl:x:a/b.py", PackageDeclKey("p.q", "X"): "decl:X:jvm:p.q",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got := ProbeKey("a/b.go"); got != 0x583dd7e63c || got>>40 != 0 {
		t.Errorf("key of a/b.go is %#x", got)
	}
}
