package scan

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/lang"
)

// Flags follow from path segments and the naming rules of the language (PathFlags),
// and from the content (contentFlags). Only whole words of a name count, because
// latest.ts and contest.py are no tests.

// PathFlags returns the flags that follow from a path alone.
func PathFlags(p string, l code.Lang) code.Flags {
	var f code.Flags
	dir, name := path.Split(p)
	row := lang.Of(l)
	if row.Tests.Match(name) && !isSpecification(dir, name, row) || isTestDir(dir, row) {
		f |= code.FlagTest
	}
	if isVendored(dir) {
		f |= code.FlagVendored
	}
	if isGeneratedName(name) {
		f |= code.FlagGenerated
	}
	if hasSuffix(name, minifiedEndings) {
		f |= code.FlagMinified
	}
	if lang.IsConfig(p) {
		f |= code.FlagConfig
	}
	if isDoc(name, row) {
		f |= code.FlagDoc
	}
	return f
}

// vendorDirs are names of directories with code of other projects, in any language.
var vendorDirs = wordSet("vendor", "node_modules", "third_party", "third-party", "thirdparty", "3rdparty", "bower_components", "jspm_packages", "web_modules",
	"Godeps", "_vendor", "vendored", "Pods", "Carthage", "site-packages", "dist-packages", ".venv", "external_libs")

func wordSet(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}

func isVendored(dir string) bool {
	for seg := range strings.SplitSeq(dir, "/") {
		if vendorDirs[seg] {
			return true
		}
	}
	return strings.Contains("/"+dir, "/.yarn/releases/") || strings.Contains("/"+dir, "/.yarn/plugins/")
}

// testDirs are names of directories with tests and the files that tests need, in every language;
// sourceTestDirs are so in languages whose tests are in folders of such names. Go is not among
// them: its "test" packages have helpers as often, and its tests end in _test.go.
var (
	testDirs       = wordSet("__tests__", "__test__", "__mocks__", "__snapshots__", "testdata", "test-fixtures")
	sourceTestDirs = wordSet("test", "tests", "spec", "specs", "e2e", "testing_tests", "unittests", "integration-tests", "integration_tests")
)

func isTestDir(dir string, row *lang.Info) bool {
	for seg := range strings.SplitSeq(dir, "/") {
		if testDirs[seg] || !row.TestFilesOnly && sourceTestDirs[seg] {
			return true
		}
	}
	if row.SourceSets {
		return strings.Contains("/"+dir, "/src/test/") || isJavaTestSet(dir)
	}
	return false
}

// isSpecification reports whether a file is named for a type that specifies something, as TypeSpec.kt, and not for a test: no build runs
// tests of its main sources.
func isSpecification(dir, name string, row *lang.Info) bool {
	if !row.SourceSets || !strings.HasSuffix(strings.TrimSuffix(name, path.Ext(name)), "Spec") {
		return false
	}
	set := sourceSet(dir)
	return set == "main" || strings.HasSuffix(set, "Main")
}

// sourceSet returns the set of sources that a directory belongs to in a build of Gradle or Maven, such as main of src/main/java, or "".
func sourceSet(dir string) string {
	_, rest, _ := strings.Cut("/"+dir, "/src/")
	set, _, _ := strings.Cut(rest, "/")
	return set
}

// isJavaTestSet reports whether a directory belongs to a set of test sources in a Gradle build, such as src/integrationTest/java.
func isJavaTestSet(dir string) bool {
	set := sourceSet(dir)
	return strings.HasSuffix(set, "Test") || strings.HasSuffix(set, "Tests")
}

// lockFiles are written by package managers.
var lockFiles = wordSet("package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb", "go.sum", "go.work.sum", "Cargo.lock", "poetry.lock", "uv.lock", "pdm.lock",
	"Pipfile.lock", "composer.lock", "Gemfile.lock", "mix.lock", "flake.lock", "Podfile.lock", "gradle.lockfile", "packages.lock.json", ".pnp.cjs", ".pnp.loader.mjs")

var generatedEndings = lang.GeneratedEndings()

// isGeneratedName reports whether a name is one that generators use. Most generated files are found by the
// marker in their text instead.
func isGeneratedName(name string) bool {
	if lockFiles[name] || strings.HasPrefix(name, "zz_generated.") {
		return true
	}
	return hasSuffix(name, generatedEndings)
}

// minifiedEndings end the names of minified files.
var minifiedEndings = []string{".min.js", ".min.mjs", ".min.cjs", ".min.css", "-min.js", "-min.css"}

// hasSuffix reports whether a name ends with one of a list.
func hasSuffix(name string, endings []string) bool {
	return slices.ContainsFunc(endings, func(ending string) bool { return strings.HasSuffix(name, ending) })
}

// docNames are names of documents with any extension.
var docNames = wordSet("README", "LICENSE", "LICENCE", "COPYING", "NOTICE", "AUTHORS", "CONTRIBUTORS", "CONTRIBUTING", "CHANGELOG", "CHANGES", "HISTORY", "NEWS", "SECURITY", "MAINTAINERS", "PATENTS", "INSTALL", "TODO")

func isDoc(name string, row *lang.Info) bool {
	if row.Sort == lang.Prose && !row.PlainText {
		return true
	}
	stem, _, _ := strings.Cut(name, ".")
	return row.PlainText && docNames[strings.ToUpper(stem)]
}

// TextFlags returns the language and the flags that a file at path p with a text would have.
func TextFlags(p string, text []byte) (code.Lang, code.Flags) {
	l := lang.Detect(p, text)
	return l, PathFlags(p, l) | contentFlags(p, l, text)
}

// contentFlags returns the flags that follow from the text.
func contentFlags(p string, l code.Lang, b []byte) code.Flags {
	var f code.Flags
	if hasGeneratedMark(b) {
		f |= code.FlagGenerated
	}
	if lang.Of(l).Minified && isMinified(b) {
		f |= code.FlagMinified
	}
	return f
}

// markHead is the number of bytes that are searched for a generator's mark, and
// markCode the number of code lines that may come before it. Go's rule (before the
// package clause) is stricter, but other generators write theirs below the imports.
const (
	markHead = 8 << 10
	markCode = 4
)

// hasGeneratedMark reports whether the comments at the beginning of a file have a generator's mark:
// "Code generated … DO NOT EDIT" (Go's convention), "@generated", or "generated" with
// "do not edit" or "do not modify" near it.
func hasGeneratedMark(b []byte) bool {
	head := b[:min(len(b), markHead)]
	codeLines, lastGenerated := 0, -9
	var low []byte
	for n := 0; len(head) > 0 && codeLines <= markCode; n++ {
		line, rest, _ := bytes.Cut(head, []byte{'\n'})
		head = rest
		text, comment := commentText(line)
		if len(text) == 0 {
			continue
		}
		if !comment {
			codeLines++
			continue
		}
		low = appendLower(low[:0], text)
		if bytes.HasPrefix(text, []byte("@generated")) || bytes.Contains(text, []byte(" @generated")) {
			return true
		}
		if bytes.Contains(low, []byte("generated")) {
			lastGenerated = n
		}
		forbidsEditing := slices.ContainsFunc(editWarnings, func(s string) bool { return bytes.Contains(low, []byte(s)) })
		if forbidsEditing && n-lastGenerated <= 2 {
			return true
		}
	}
	return false
}

// commentText returns a line without the marks of a comment, and reports whether it is one.
func commentText(line []byte) (text []byte, comment bool) {
	t := bytes.TrimSpace(line)
	for _, mark := range [...]string{"//", "/*", "*", "#", "--", "<!--", ";", "%", `"""`, "'''", "{#", "{/*", "(*", "!", `"`, "REM "} {
		if rest, ok := bytes.CutPrefix(t, []byte(mark)); ok {
			return bytes.Trim(rest, "/*#!;%-= \t"), true
		}
	}
	return t, false
}

func appendLower(dst, b []byte) []byte {
	for _, c := range b[:min(len(b), 300)] {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}

// editWarnings forbid to edit a file.
var editWarnings = []string{"do not edit", "do not modify", "do not change", "don't edit", "don't modify", "don't change", "don't touch", "do not hand edit", "do not touch", "not be edited", "edits will be lost", "changes will be lost", "changes will be overwritten", "will be overwritten"}

// Minified code has few, very long lines and is dense in punctuation; data in long
// lines (an image as base64) is not dense.
const (
	minifiedLine  = 1000 // bytes from which a line is very long
	minifiedLeast = 1500 // bytes below which no file counts as minified
)

func isMinified(b []byte) bool {
	b = b[:min(len(b), HeadSize)]
	if len(b) < minifiedLeast {
		return false
	}
	long, marks := 0, 0
	for rest := b; len(rest) > 0; {
		n := bytes.IndexByte(rest, '\n')
		line := rest
		if n < 0 {
			rest = nil
		} else {
			line, rest = rest[:n], rest[n+1:]
		}
		if len(line) < minifiedLine {
			continue
		}
		long += len(line)
		for _, c := range line {
			switch c {
			case ';', '{', '}', '(', ')', ',', '=', ':':
				marks++
			}
		}
	}
	return long*2 > len(b) && marks*25 > long
}
