package source

import (
	"path"
	"slices"
	"strings"

	"ken/internal/code"
)

// FileKind is what sort of file a candidate is, judged by the segments of its
// path and its language.
type FileKind struct{ Test, Doc, Data, Example, Other bool }

var (
	testSegments = []string{"test", "tests", "__tests__", "testdata", "spec", "specs", "e2e", "__mocks__", "mocks", "fixtures", "__fixtures__", "testutil", "testutils",
		"test-utils", "testing", "androidtest", "integration-tests", "unit_tests", "fuzz", "snapshots", "__snapshots__"}
	exampleSegments = []string{"example", "examples", "demo", "demos", "sample", "samples", "playground", "benchmark", "benchmarks", "bench", "benches", "website", "site"}
	docSegments     = []string{"doc", "docs", "documentation", "changelog", "changelogs"}
)

func KindOf(f *code.File) (k FileKind) {
	k.Test = f.Flags&code.FlagTest != 0
	k.Doc = f.Flags&code.FlagDoc != 0
	switch f.Lang {
	case "markdown":
		k.Doc = true
	case "json", "yaml", "toml":
		k.Data = true
	case "":
		k.judge(strings.ToLower(path.Base(f.Path)))
	}
	k.Data = k.Data || f.Flags&code.FlagConfig != 0
	segs := strings.Split(strings.ToLower(f.Path), "/")
	for _, s := range segs[:len(segs)-1] {
		k.Test = k.Test || slices.Contains(testSegments, s) || strings.HasSuffix(s, "-test") || strings.HasSuffix(s, "-tests") || strings.HasSuffix(s, "_test") || strings.HasSuffix(s, "_tests")
		k.Example = k.Example || slices.Contains(exampleSegments, s) || strings.HasSuffix(s, "-examples") || strings.HasSuffix(s, "-benchmarks")
		k.Doc = k.Doc || slices.Contains(docSegments, s) || s == ".github"
	}
	return k
}

// judge tells by its name what a text of no known language is.
func (k *FileKind) judge(base string) {
	ext := strings.TrimPrefix(path.Ext(base), ".")
	stem := strings.TrimSuffix(base, path.Ext(base))
	switch {
	case slices.Contains(docExtensions, ext), slices.Contains(docNames, stem):
		k.Doc = true
	case slices.Contains(dataExtensions, ext), strings.HasPrefix(base, "."):
		k.Data = true
	default:
		k.Other = true
	}
}

var (
	docExtensions  = []string{"txt", "rst", "adoc", "asciidoc", "org", "tex", "pod", "1", "2", "3", "4", "5", "6", "7", "8", "man", "prebuilt", "svg"}
	docNames       = []string{"readme", "changelog", "changes", "license", "licence", "copying", "authors", "contributors", "news", "notice", "todo", "history", "codeowners", "maintainers"}
	dataExtensions = []string{"xml", "ini", "cfg", "conf", "properties", "csv", "tsv", "lock", "sum", "env", "log", "plist", "snap", "golden", "out", "gradle", "bazel", "bzl"}
)
