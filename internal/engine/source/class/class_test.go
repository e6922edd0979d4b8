package class

import (
	"testing"

	"ken/internal/code"
)

// TestClass holds what files are for, a line for each rule of the table and one
// beside it that only looks alike.
func TestClass(t *testing.T) {
	c := New()
	for _, x := range []struct {
		path  string
		lang  code.Lang
		flags code.Flags
		want  code.FileClass
	}{
		{"src/a.go", "go", 0, 0},
		{"src/a_test.go", "go", code.FlagTest, code.ClassTest},
		{"src/latest/a.go", "go", 0, 0},
		{"tests/a.py", "python", 0, code.ClassTest},
		{"Tests/a.py", "python", 0, code.ClassTest},
		{"my-tests/a.py", "python", 0, code.ClassTest},
		{"src/Shop.Tests/Person.cs", "csharp", 0, code.ClassTest},
		{"src/Shop.Contests/Person.cs", "csharp", 0, 0},
		{"test-helpers/context.js", "javascript", 0, code.ClassTest},
		{"__performance_tests__/a.mjs", "javascript", 0, code.ClassTest},
		{"src/Shop.Benchmarks/A.cs", "csharp", 0, code.ClassExample},
		{"contests/a.py", "python", 0, 0},
		{"a/testdata/x.go", "go", 0, code.ClassTest | code.ClassFixture},
		{"a/fixture/x.go", "go", 0, code.ClassFixture},
		{"examples/a.go", "go", 0, code.ClassExample},
		{"server-examples/a.go", "go", 0, code.ClassExample},
		{"examples-old/a.go", "go", 0, 0},
		{"bench/a.go", "go", 0, code.ClassExample},
		{"docs/conf.py", "python", 0, code.ClassDocument},
		{".github/x.yml", "yaml", 0, code.ClassDocument | code.ClassData},
		{"guide.md", "markdown", 0, code.ClassDocument},
		{"guide.rst", "rst", 0, code.ClassDocument},
		{"notes.txt", "text", 0, 0},
		{"notes.pod", "", 0, code.ClassDocument},
		{"CODEOWNERS", "", 0, code.ClassDocument},
		{"a.gradle", "", 0, code.ClassData},
		{".hidden", "", 0, code.ClassData},
		{"Strange", "", 0, code.ClassOther},
		{"a.json", "json", 0, code.ClassData},
		{"a.xml", "xml", 0, 0},
		{"go.mod", "go-module", code.FlagConfig, code.ClassData},
		{"CHANGELOG.md", "markdown", 0, code.ClassDocument | code.ClassChangelog},
		{"src/history/a.go", "go", 0, code.ClassChangelog},
		{"src/historian.go", "go", 0, 0},
		{"config/locales/de.yml", "yaml", 0, code.ClassData | code.ClassTranslation},
		{"po/de.po", "gettext", 0, code.ClassTranslation},
		{"views/a.erb", "erb", 0, code.ClassTemplate},
		{"a.pb.go", "go", code.FlagGenerated, code.ClassGenerated},
		{"vendor/a.go", "go", code.FlagVendored, code.ClassVendored},
	} {
		if got := c.Class(x.path, x.lang, x.flags); got != x.want {
			t.Errorf("%s (%s): %012b, want %012b", x.path, x.lang, got, x.want)
		}
	}
}
