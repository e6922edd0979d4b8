package resolve

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"ken/internal/code"
	"ken/internal/lang"
)

var update = flag.Bool("update", false, "rewrite the expected answers in testdata")

// memTree is a Tree over a set of files in memory. The package of a Java, C# or
// PHP file is what its first line says, or else its directory below "java/".
type memTree struct {
	files    map[string][]byte
	dirs     map[string]int // number of files below
	configs  map[string][]string
	packages map[string][]string
}

func newMemTree(files map[string][]byte) *memTree {
	t := &memTree{files: files, dirs: map[string]int{}, configs: map[string][]string{}, packages: map[string][]string{}}
	for _, p := range slices.Sorted(maps.Keys(files)) {
		ancestors(code.Dir(p), func(d string) bool { t.dirs[d]++; return false })
		if ConfigAt(p) != nil || SourceConfigAt(p) != nil && strings.Contains(string(files[p]), "global using") {
			t.configs[path.Base(p)] = append(t.configs[path.Base(p)], p)
			t.configs["*"+path.Ext(p)] = append(t.configs["*"+path.Ext(p)], p)
		}
		for _, key := range PackageKeys(lang.Detect(p, nil), packageOf(p, files[p])) {
			if !slices.Contains(t.packages[key], code.Dir(p)) {
				t.packages[key] = append(t.packages[key], code.Dir(p))
			}
		}
	}
	return t
}

func packageOf(p string, content []byte) string {
	line, _, _ := strings.Cut(string(content), "\n")
	root := "/java/"
	if l := lang.Detect(p, nil); IsJVM(l) {
		root = "/" + string(l) + "/"
	}
	_, below, _ := strings.Cut("/"+code.Dir(p), root)
	separator := "."
	switch path.Ext(p) {
	case ".java", ".kt", ".scala":
	case ".php":
		line, separator = strings.TrimPrefix(line, "<?php "), `\`
		fallthrough
	case ".cs":
		line = strings.Replace(line, "namespace ", "package ", 1)
	case ".c", ".h", ".cc", ".hpp", ".cppm":
		return path.Base(p)
	default:
		return ""
	}
	if pkg, ok := strings.CutPrefix(line, "package "); ok {
		return strings.TrimSuffix(strings.TrimSpace(pkg), ";")
	}
	return strings.ReplaceAll(below, "/", separator)
}

func (t *memTree) Has(p string) bool      { _, ok := t.files[p]; return ok }
func (t *memTree) HasDir(dir string) bool { return t.dirs[dir] > 0 }
func (t *memTree) Config(p string) ([]byte, bool) {
	if ConfigAt(p) == nil {
		return nil, false
	}
	c, ok := t.files[p]
	return c, ok
}
func (t *memTree) Configs(base string) []string { return t.configs[base] }
func (t *memTree) PackageDirs(l code.Lang, pkg string) []string {
	return t.packages[lang.PackageKey(l, pkg)]
}

// TestData runs testdata/*.txtar. The file "queries" of an archive asks one
// question a line, "FROM SPEC [KIND] [in PACKAGE,…] [: NAME…]", and holds the answer after
// "=>"; the other files are the tree.
func TestData(t *testing.T) {
	for _, file := range archiveFiles(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { checkArchive(t, file) })
	}
}

func archiveFiles(tb testing.TB) []string {
	tb.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		tb.Fatalf("no archives: %v", err)
	}
	return files
}

func checkArchive(t *testing.T, file string) {
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	var queries *txtar.File
	for i, f := range a.Files {
		if f.Name == "queries" {
			queries = &a.Files[i]
			continue
		}
		files[f.Name] = f.Data
	}
	r := New(newMemTree(files))
	var got bytes.Buffer
	for line := range strings.Lines(string(queries.Data)) {
		question, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " =>")
		if question == "" || question[0] == '#' {
			fmt.Fprintln(&got, question)
			continue
		}
		from, imp := parseQuery(t, question)
		if _, ok := files[from]; !ok {
			t.Errorf("%s: no file %s", file, from)
		}
		fmt.Fprintf(&got, "%s => %s\n", question, show(r.Resolve(from, lang.Detect(from, nil), imp)))
	}
	if *update {
		queries.Data = got.Bytes()
		if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(queries.Data), got.String()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

var kindNames = map[string]code.ImportKind{"require": code.ImportRequire, "mod": code.ImportMod, "dynamic": code.ImportDynamic, "path": code.ImportPath, "mention": code.ImportMention, "origin": code.ImportOrigin, "table": code.ImportTable}

func parseQuery(t *testing.T, q string) (from string, imp *code.Import) {
	t.Helper()
	q, names, _ := strings.Cut(q, " : ")
	q, within, _ := strings.Cut(q, " in ")
	words := strings.Fields(q)
	if len(words) < 2 {
		t.Fatalf("bad query %q", q)
	}
	imp = &code.Import{Spec: words[1], Within: strings.ReplaceAll(within, ",", " ")}
	if len(words) > 2 {
		kind, ok := kindNames[words[2]]
		if !ok {
			t.Fatalf("bad kind in query %q", q)
		}
		imp.Kind = kind
	}
	for _, n := range strings.Fields(names) {
		imp.Names = append(imp.Names, code.ImportName{Name: n, Alias: n})
	}
	return words[0], imp
}

// show renders a result without its probes.
func show(r Result) string {
	var parts []string
	if r.File != "" {
		parts = append(parts, r.File)
	}
	if r.IsDir || r.Dir != "" {
		parts = append(parts, "dir "+quoteEmpty(r.Dir))
	}
	if len(r.Dirs) > 1 {
		parts = append(parts, "of "+strings.Join(r.Dirs, " "))
	}
	if r.IsPackage {
		parts = append(parts, "package "+quoteEmpty(r.Package))
	}
	for _, d := range r.Nearer {
		parts = append(parts, d.Name+" of "+d.Package+"?")
	}
	if d := r.Declared; d.Name != "" {
		parts = append(parts, d.Name+" of "+d.Package)
	}
	for _, n := range slices.Sorted(maps.Keys(r.Subs)) {
		parts = append(parts, n+"="+r.Subs[n])
	}
	if r.Std {
		parts = append(parts, "std "+r.External)
	} else if r.External != "" {
		parts = append(parts, "external "+r.External)
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, " ")
}

func quoteEmpty(s string) string {
	if s == "" {
		return `""`
	}
	return s
}
