package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
)

const root = "../.."

// TestLicences: each module of the program and each grammar that a module carries has a licence.
func TestLicences(t *testing.T) {
	list, err := listModules(context.Background(), root)
	if err != nil {
		t.Fatal(err)
	}
	goroot, err := output(context.Background(), root, nil, "go", "env", "GOROOT")
	if err != nil {
		t.Fatal(err)
	}
	text, err := licences(root, goroot, list)
	if err != nil {
		t.Fatal(err)
	}
	grammars := 0
	for i := range list {
		if !bytes.Contains(text, []byte("\n"+list[i].Path+" "+list[i].Version+", ")) {
			t.Errorf("no licence of %s", list[i].Path)
		}
		if g, ok, err := carriedGrammar(&list[i]); err != nil {
			t.Error(err)
		} else if ok {
			grammars++
			if !bytes.Contains(text, []byte(g.URL+" at "+g.Revision)) {
				t.Errorf("no licence of %s", g.URL)
			}
		}
	}
	if len(list) < 30 || grammars < 10 {
		t.Errorf("%d modules, %d carried grammars", len(list), grammars)
	}
	bare := t.TempDir()
	if _, err := licences(root, goroot, []module{{Path: "a/b", Dir: bare}}); err == nil {
		t.Error("a module without a licence was accepted")
	}
	put(t, filepath.Join(bare, "LICENSE"), "yes")
	put(t, filepath.Join(bare, "grammar.json"), `{"url": "https://github.com/a/tree-sitter-unknown", "revision": "1"}`)
	if _, err := licences(root, goroot, []module{{Path: "a/b", Dir: bare}}); err == nil {
		t.Error("a grammar without a licence was accepted")
	}
	r := release{version: "v1.2.3"}
	sbom, err := r.components(list, "go1.26.0")
	if err != nil {
		t.Fatal(err)
	}
	var parsed struct{ Components []component }
	if err := json.Unmarshal(sbom, &parsed); err != nil || len(parsed.Components) != len(list)+1 {
		t.Errorf("%d components of %d modules, %v", len(parsed.Components), len(list), err)
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestReproducible: archives and packages written in different folders, from entries in another order, have the same bytes, whatever the
// clock and the modes of the files say.
func TestReproducible(t *testing.T) {
	if _, err := exec.LookPath("xz"); err != nil {
		t.Skip("needs xz")
	}
	x := &extras{texts: []entry{{name: "LICENSE", data: []byte("a")}, {name: "THIRD", data: []byte("b")}},
		manual:      []entry{{name: "ken.1", data: []byte("c")}},
		completions: []entry{{name: "ken.bash", data: []byte("d")}, {name: "_ken", data: []byte("e")}}}
	sums := func() string {
		r := release{out: t.TempDir(), source: root, version: "v1.2.3", time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
		var err error
		if r.project, err = readProject(root); err != nil {
			t.Fatal(err)
		}
		list := targets()
		for i := range list {
			list[i].program = filepath.Join(t.TempDir(), "ken")
			put(t, list[i].program, "program "+list[i].Name)
			if err := r.pack(context.Background(), &list[i], x); err != nil {
				t.Fatal(err)
			}
		}
		for _, step := range []func() error{func() error { return r.writeNpmMain(list) }, r.render, r.writeSums} {
			if err := step(); err != nil {
				t.Fatal(err)
			}
		}
		text, err := os.ReadFile(filepath.Join(r.out, "SHA256SUMS"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	first := sums()
	slices.Reverse(x.completions)
	if second := sums(); first != second {
		t.Errorf("first:\n%s\nsecond:\n%s", first, second)
	}
	for _, want := range []string{"ken_1.2.3_linux-arm64-musl.tar.xz", "ken_1.2.3_windows-amd64.zip", "ken-code_1.2.3_amd64.deb",
		"npm/ken-code-1.2.3.tgz",
		"npm/ken-code-win32-x64-1.2.3.tgz", "npm/ken-code-linux-x64-musl-1.2.3.tgz", "python/ken_code-1.2.3-py3-none-win_amd64.whl"} {
		if !strings.Contains(first, "  "+want+"\n") {
			t.Errorf("no %s in\n%s", want, first)
		}
	}
}

func TestVersions(t *testing.T) {
	for _, c := range [][3]string{
		{"v1.2.3", "1.2.3", "1.2.3"}, {"v1.2.3-rc.1", "1.2.3rc1", "1.2.3~rc.1"}, {"v1.2.3-beta.2", "1.2.3b2", "1.2.3~beta.2"},
		{"v0.0.0-20260102030405-abcdefabcdef", "0.0.0.dev20260102030405", "0.0.0~20260102030405-abcdefabcdef"},
	} {
		if p, d := pythonVersion(c[0]), debianVersion(c[0]); p != c[1] || d != c[2] {
			t.Errorf("%s is %s and %s, want %s and %s", c[0], p, d, c[1], c[2])
		}
	}
}

// TestManual: each command has a page, and no line of a page is taken for a request of roff by mistake.
func TestManual(t *testing.T) {
	page := read(t, "docs/commands.md")
	list := manual(page, "v1.2.3", time.Unix(0, 0))
	names := map[string]bool{}
	request := regexp.MustCompile(`^\.(TH|SH|TP|PP|B|nf|fi)( |$)`)
	for _, e := range list {
		if names[e.name] {
			t.Errorf("two pages %s", e.name)
		}
		names[e.name] = true
		for _, line := range strings.Split(string(e.data), "\n") {
			if strings.HasPrefix(line, "'") || strings.HasPrefix(line, ".") && !request.MatchString(line) {
				t.Errorf("%s: %q", e.name, line)
			}
		}
	}
	for _, want := range []string{"ken.1", "ken-find.1", "ken-version.1", "ken-task-start-session.1"} {
		if !names[want] {
			t.Errorf("no %s among %d pages", want, len(names))
		}
	}
	for _, e := range list {
		if e.name == "ken-version.1" && !strings.Contains(string(e.data), ".TP\n\\fB\\-\\-check\\fR\ncompare with") {
			t.Errorf("%s", e.data)
		}
	}
}

// TestNotes: every fragment begins with a kind of change, so that it is in the text about the release.
func TestNotes(t *testing.T) {
	text, err := notes(root, "v1.2.3", "2026-01-02")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# ken v1.2.3, 2026-01-02\n\n## New\n\n- ", "\n\n## Fixed\n\n- "} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%.300s", want, text)
		}
	}
	bad := t.TempDir()
	put(t, filepath.Join(bad, "changelog", "unreleased", "a.md"), "better: a\n")
	if _, err := notes(bad, "v1.2.3", ""); err == nil {
		t.Error("a fragment of no kind was accepted")
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestPackaging: the files for package managers and services can be read by their formats, and the commands in them exist.
func TestPackaging(t *testing.T) {
	p, err := readProject(root)
	if err != nil {
		t.Fatal(err)
	}
	sums := map[string]string{}
	for _, target := range targets() {
		sums[target.Name] = strings.Repeat("0", 64)
	}
	texts := map[string]string{"action.yml": read(t, "action.yml"), ".pre-commit-hooks.yaml": read(t, ".pre-commit-hooks.yaml"),
		"npm/README.md": read(t, "packaging/npm/README.md"), "docs/releasing.md": read(t, "docs/releasing.md")}
	for _, f := range filled() {
		text, err := fill(filepath.Join(root, "packaging", f), map[string]any{
			"Project": p, "Version": "1.2.3", "PythonVersion": "1.2.3", "Sums": sums})
		if err != nil {
			t.Fatal(err)
		}
		texts[f] = string(text)
		if filepath.Ext(f) == ".json" && !json.Valid(text) {
			t.Errorf("%s:\n%s", f, text)
		}
	}
	for _, f := range []string{"action.yml", ".pre-commit-hooks.yaml"} {
		var v any
		if err := yaml.Unmarshal([]byte(texts[f]), &v); err != nil {
			t.Errorf("%s: %v", f, err)
		}
	}
	checkSyntax(t, "sh", "-n", write(t, "install.sh", texts["devcontainer/src/ken/install.sh"]))
	checkSyntax(t, "ruby", "-c", write(t, "ken.rb", texts["homebrew/ken.rb"]))
	checkSyntax(t, "node", "--check", filepath.Join(root, "packaging/npm/ken.js"))
	checkSyntax(t, "python3", "-c", "import ast,sys; ast.parse(open(sys.argv[1]).read())", filepath.Join(root, "packaging/wheel/start.py"))
	if !strings.Contains(texts["action.yml"], `"`+p.Package+`@$VERSION"`) || !strings.Contains(texts["npm/README.md"], "npx "+p.Package+" ") ||
		!strings.Contains(texts["npm/README.md"], "uvx "+p.Package+" ") {
		t.Error("the package has another name in action.yml or README.md")
	}
	reference := read(t, "docs/commands.md")
	call := regexp.MustCompile("(?m)(?:^ +(?:entry: )?|`)(?:ken|(?:npx|uvx) " + p.Package + ") ([a-z][a-z-]*)((?: --?[a-z-]+)*)")
	calls := 0
	for f, text := range texts {
		for _, m := range call.FindAllStringSubmatch(text, -1) {
			calls++
			_, part, ok := strings.Cut(reference, "\n## ken "+m[1])
			part, _, _ = strings.Cut(part, "\n## ")
			if !ok {
				t.Errorf("%s: there is no command %q", f, m[0])
			}
			for _, flag := range strings.Fields(m[2]) {
				if !strings.Contains(part, "`"+flag) {
					t.Errorf("%s: %q has no flag %s", f, m[0], flag)
				}
			}
		}
	}
	if calls < 8 {
		t.Errorf("%d commands were found", calls)
	}
}

func write(t *testing.T, name, text string) string {
	path := filepath.Join(t.TempDir(), name)
	put(t, path, text)
	return path
}

// checkSyntax has a program read a file, if the program is there.
func checkSyntax(t *testing.T, program string, args ...string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Logf("%s is not here", program)
		return
	}
	if out, err := exec.Command(program, args...).CombinedOutput(); err != nil {
		t.Errorf("%s %v: %v\n%s", program, args, err, out)
	}
}

// TestStubs: the stubs of libraries of macOS have the names that the program's packages take from them, and no others.
func TestStubs(t *testing.T) {
	const format = `{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}{{range .CgoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}`
	files, err := output(t.Context(), root, []string{"GOOS=darwin", "GOARCH=arm64", "CGO_ENABLED=1"}, "go", "list", "-deps", "-f", format, "./cmd/ken")
	if err != nil {
		t.Fatal(err)
	}
	imported := regexp.MustCompile(`(?m)^//go:cgo_import_dynamic \S+ (\w+)\S* "(/usr/lib/|/System/)([^"]*)"`)
	want := map[string][]string{}
	for _, file := range strings.Split(files, "\n") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range imported.FindAllStringSubmatch(string(text), -1) {
			if library := strings.TrimSuffix(path.Base(m[3]), ".9.dylib"); !strings.HasPrefix(library, "libSystem") {
				want[library+".tbd"] = append(want[library+".tbd"], "_"+m[1])
			}
		}
	}
	got := map[string][]string{}
	list, err := stubFiles.ReadDir("stubs")
	for _, f := range list {
		text, failed := stubFiles.ReadFile("stubs/" + f.Name())
		if err = errors.Join(err, failed); err != nil {
			t.Fatal(err)
		}
		got[f.Name()] = regexp.MustCompile(`_\w+`).FindAllString(regexp.MustCompile(`symbols: \[.*\]`).FindString(string(text)), -1)
	}
	for _, names := range want {
		slices.Sort(names)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("bench/release/stubs (-imported +there):\n%s", diff)
	}
}
