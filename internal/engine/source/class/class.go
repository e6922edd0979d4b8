// Package class decides the purposes of a file by one table. scan provides the
// flags of a file; the index keeps the result, so that every question treats
// the same file in the same way.
package class

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/lang"
)

// classRow is one row of the table of classes.
type classRow struct {
	class   code.FileClass
	dirs    map[string]bool // names of directories above the file, in lower case
	endings []string        // of such names
	exts    map[string]bool // extensions of the file, in lower case
	// Of a file of no known language:
	textExts  map[string]bool
	textStems map[string]bool
}

// classTable returns the table of classes by path. Letters inside a name prove
// nothing, so only whole segments and whole endings count.
//
// It is built on demand and kept by Classifier, because a package has no
// state of its own.
func classTable() []classRow {
	return []classRow{
		{class: code.ClassTest,
			dirs: wordSet("test", "tests", "__tests__", "testdata", "spec", "specs", "e2e", "__mocks__", "mocks", "fixtures", "__fixtures__", "testutil", "testutils",
				"test-utils", "testing", "androidtest", "integration-tests", "unit_tests", "fuzz", "snapshots", "__snapshots__", "test-helpers", "test_helpers", "testhelpers",
				"test-support", "test_support", "testsupport", "regress", "fuzzing"),
			endings: []string{"-test", "-tests", "_test", "_tests", "_tests__", ".test", ".tests", ".unittests", ".integrationtests"}},
		{class: code.ClassFixture,
			dirs: wordSet("testdata", "fixtures", "__fixtures__", "fixture", "__mocks__", "mocks", "snapshots", "__snapshots__")},
		{class: code.ClassExample,
			dirs: wordSet("example", "examples", "demo", "demos", "sample", "samples", "playground", "benchmark", "benchmarks", "bench", "benches", "website", "site", "tutorial", "tutorials"),
			// "test-examples" has examples, "examples-of-use" need not
			endings: []string{"-examples", "-benchmarks", ".benchmarks", ".benchmark", "_benchmarks"}},
		{class: code.ClassDocument,
			dirs:     wordSet("doc", "docs", "documentation", "changelog", "changelogs", ".github"),
			textExts: wordSet("txt", "rst", "adoc", "asciidoc", "org", "tex", "pod", "1", "2", "3", "4", "5", "6", "7", "8", "man", "prebuilt", "svg"),
			textStems: wordSet("readme", "changelog", "changes", "license", "licence", "copying", "authors", "contributors", "news", "notice", "todo", "history",
				"codeowners", "maintainers")},
		{class: code.ClassData,
			textExts: wordSet("xml", "ini", "cfg", "conf", "properties", "csv", "tsv", "lock", "sum", "env", "log", "plist", "snap", "golden", "out", "gradle", "bazel", "bzl")},
		{class: code.ClassTranslation,
			dirs: wordSet("locales", "locale", "i18n", "l10n", "lang", "translations"),
			exts: wordSet(".po", ".pot", ".resx", ".arb", ".xliff", ".xlf")},
		{class: code.ClassTemplate,
			exts: wordSet(".hbs", ".ejs", ".erb", ".haml", ".slim", ".twig", ".jinja", ".jinja2", ".j2", ".tmpl", ".cshtml", ".razor")},
	}
}

// changelog matches documents about the past: by the name of the file or of a
// directory above it.
const changelog = `(?i)(^|/)(changelog|changes|history|news|release[-_ ]?notes|whats[-_]?new)([^/]*\.[a-z]+$|$|/)`

// Classifier decides the classes of files. It is safe for concurrent use. It turns the
// table into one lookup a segment, because every file of a build is
// classified.
type Classifier struct {
	rows      []classRow
	dirs      map[string]code.FileClass
	exts      map[string]code.FileClass
	changelog *regexp.Regexp
}

// New returns a Classifier.
func New() *Classifier {
	c := &Classifier{rows: classTable(), changelog: regexp.MustCompile(changelog)}
	c.dirs, c.exts = map[string]code.FileClass{}, map[string]code.FileClass{}
	for _, r := range c.rows {
		for d := range r.dirs {
			c.dirs[d] |= r.class
		}
		for e := range r.exts {
			c.exts[e] |= r.class
		}
	}
	return c
}

// Class returns the classes of a file by its path, its language and its flags.
func (c *Classifier) Class(p string, l code.Lang, flags code.Flags) code.FileClass {
	out := classesFromFlags(flags)
	row := lang.Of(l)
	switch {
	case row.Sort == lang.Prose && !row.PlainText:
		out |= code.ClassDocument
	case row.Settings:
		out |= code.ClassData
	}
	low := strings.ToLower(p)
	out |= c.classesByPath(low)
	if l == "" {
		out |= c.textClass(path.Base(low))
	}
	mayBeChangelog := slices.ContainsFunc(changelogWords[:], func(word string) bool { return strings.Contains(low, word) })
	if mayBeChangelog && c.changelog.MatchString(p) {
		out |= code.ClassChangelog
	}
	return out
}

// classesFromFlags returns the classes that follow from the flags of a file.
func classesFromFlags(flags code.Flags) code.FileClass {
	var out code.FileClass
	for _, f := range [...]struct {
		flag  code.Flags
		class code.FileClass
	}{
		{code.FlagTest, code.ClassTest}, {code.FlagDoc, code.ClassDocument}, {code.FlagConfig, code.ClassData},
		{code.FlagGenerated, code.ClassGenerated}, {code.FlagVendored, code.ClassVendored},
	} {
		if flags&f.flag != 0 {
			out |= f.class
		}
	}
	return out
}

// changelogWords are the words of paths that changelog matches, in lower case:
// searching them costs a hundredth of matching.
var changelogWords = [...]string{"changelog", "changes", "history", "news", "release", "whats"}

// classesByPath returns the classes that directories and extension of a path in lower case decide.
func (c *Classifier) classesByPath(low string) code.FileClass {
	out := c.exts[path.Ext(low)]
	dir, _ := path.Split(low)
	for seg := range strings.SplitSeq(strings.TrimSuffix(dir, "/"), "/") {
		out |= c.dirs[seg]
		for i := range c.rows {
			if slices.ContainsFunc(c.rows[i].endings, func(ending string) bool { return strings.HasSuffix(seg, ending) }) {
				out |= c.rows[i].class
			}
		}
	}
	return out
}

// textClass returns the class of a text of no known language, by its name in lower case.
func (c *Classifier) textClass(base string) code.FileClass {
	ext := path.Ext(base)
	stem := strings.TrimSuffix(base, ext)
	for i := range c.rows {
		if r := &c.rows[i]; r.textExts[strings.TrimPrefix(ext, ".")] || r.textStems[stem] {
			return r.class
		}
	}
	if strings.HasPrefix(base, ".") {
		return code.ClassData
	}
	return code.ClassOther
}

func wordSet(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}
