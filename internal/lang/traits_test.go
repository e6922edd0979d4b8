package lang

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"ken/internal/code"
)

// TestTestNames: which file names hold tests, by language; "-" begins those that
// do not.
func TestTestNames(t *testing.T) {
	for l, names := range map[code.Lang]string{
		"go":         "a_test.go - test.go a_test.x.go atest.go test_a.go",
		"python":     "test_a.py a_test.py conftest.py tests.py test.py - latest.py testing.py contest.py a_tests.py",
		"typescript": "a.test.ts a.spec.tsx a.e2e.ts a.cy.ts a.test-d.ts a.test.d.ts a.spec-d.d.ts test.ts a_test.ts a.e2e-spec.ts - latest.ts a.tests.ts a.d.ts a_test.d.ts",
		"vue":        "a.spec.vue - a.vue",
		"java":       "FooTest.java FooTests.java FooTestCase.java FooTestSuite.java FooSpec.java FooIT.java FooITCase.java TestFoo.java Test1.java Test.java TestCase.java - Contest.java Latest.java TestamentReader.java IT.java Spec.java FOOTest.java Testing.java EXIT.java",
		"groovy":     "FooSpec.groovy - Foo.groovy",
		"rust":       "tests.rs test.rs a_test.rs a_tests.rs - testing.rs test_a.rs",
		"ruby":       "a_test.rb a_spec.rb test_a.rb - spec.rb atest.rb",
		"c":          "a_test.c a_tests.c a_unittest.cc a_spec.c test_a.c test-a.c a_SUITE.erl a.t a.bats - atest.c test.c a.tc",
		"shell":      "run.bats run_test.sh - run.sh",
		"haskell":    "ASpec.hs ATest.hs - TestA.hs",
		"markdown":   "- a_test.md test.md",
		"":           "- a_test TestFoo",
	} {
		want := true
		for _, n := range strings.Fields(names) {
			if n == "-" {
				want = false
				continue
			}
			if got := Of(l).Tests.Match(n); got != want {
				t.Errorf("%s: %s holds tests: %t, want %t", l, n, got, want)
			}
		}
	}
}

func TestFamilies(t *testing.T) {
	for _, c := range []struct{ family, members string }{
		{"jvm", "java kotlin scala"}, {"c", "c cpp"}, {"script", "typescript javascript vue svelte"}, {"go", "go"}, {"markdown", "markdown"},
		{"no such", ""}, {"", ""},
	} {
		var got []string
		for _, l := range InFamily(c.family) {
			got = append(got, string(l))
			if f := Of(l).Family; f != c.family {
				t.Errorf("family of %s is %s, want %s", l, f, c.family)
			}
		}
		if strings.Join(got, " ") != c.members {
			t.Errorf("%s has %v, want %s", c.family, got, c.members)
		}
	}
	for _, l := range []code.Lang{"", "no such", "gox"} {
		if row := Of(l); row.IsKnown() || row.Family != "" || !row.WholeFiles || !row.PlainText {
			t.Errorf("%q has a row: %+v", l, row)
		}
	}
}

// TestReflection: the pattern of a family finds calls of each of its names, and
// all its languages agree on it.
func TestReflection(t *testing.T) {
	families := map[string]bool{}
	for i := range table {
		families[table[i].Family] = true
	}
	found := 0
	for f := range families {
		r := FamilyReflection(f)
		if (r.Pattern == "") != (len(r.Names) == 0) {
			t.Errorf("%s: pattern %q, names %v", f, r.Pattern, r.Names)
		}
		if r.Pattern == "" {
			continue
		}
		found++
		re := regexp.MustCompile(r.Pattern)
		for _, n := range r.Names {
			if !slices.ContainsFunc([]string{" ." + n + "(", " " + n + "(", " Class." + n + "(", " Reflect." + n + "("}, re.MatchString) && n != "Reflect" {
				t.Errorf("%s: %s is not found by %s", f, n, r.Pattern)
			}
		}
		for _, l := range InFamily(f) {
			if Of(l).Reflection.Pattern != r.Pattern {
				t.Errorf("%s differs from its family %s", l, f)
			}
		}
	}
	if found < 7 {
		t.Errorf("%d families have reflection", found)
	}
}

// TestScopes: the questions about a scope agree with each other.
func TestScopes(t *testing.T) {
	for _, c := range []struct {
		s                         Scope
		shared, inDir, byDeclared bool
	}{
		{FileScope, false, false, false}, {DirectoryScope, true, true, false}, {ClauseScope, true, true, false},
		{PackageScope, true, false, true}, {NamespaceScope, true, false, true},
	} {
		if c.s.IsShared() != c.shared || c.s.InDirectory() != c.inDir || c.s.IsDeclared() != c.byDeclared {
			t.Errorf("scope %d: %t %t %t", c.s, c.s.IsShared(), c.s.InDirectory(), c.s.IsDeclared())
		}
	}
	for l, want := range map[code.Lang]Scope{"go": ClauseScope, "hcl": DirectoryScope, "kotlin": PackageScope, "php": NamespaceScope, "python": FileScope, "": FileScope} {
		if got := Of(l).Scope; got != want {
			t.Errorf("scope of %q is %d, want %d", l, got, want)
		}
	}
}

func TestSCIPNames(t *testing.T) {
	for l, want := range map[code.Lang]string{"go": "Go", "cpp": "CPP", "python": "Python", "shell": "ShellScript", "ocaml": "OCaml", "": "", "no such": ""} {
		if got := Of(l).SCIPName(); got != want {
			t.Errorf("%q is called %q, want %q", l, got, want)
		}
	}
}

func TestSpeaksForDirectory(t *testing.T) {
	if py := Of("python"); !py.SpeaksForDirectory("__init__.py") || !py.SpeaksForDirectory("__init__.pyi") || py.SpeaksForDirectory("a.py") || Of("go").SpeaksForDirectory("__init__.py") {
		t.Error("only a package's own file speaks for its directory")
	}
}
