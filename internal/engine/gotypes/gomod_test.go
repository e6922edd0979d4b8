package gotypes

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"ken/internal/engine/resolve"
)

func TestVersionOrder(t *testing.T) {
	order := []string{"v0.0.0-20190101000000-aaaaaaaaaaaa", "v0.0.0-20200101000000-aaaaaaaaaaaa", "v0.9.9", "v1.0.0-alpha", "v1.0.0-alpha.1", "v1.0.0-alpha.beta",
		"v1.0.0-beta.2", "v1.0.0-beta.11", "v1.0.0-rc.1", "v1.0.0", "v1.2.0", "v1.10.0", "v1.18446744073709551616.0", "v2.0.0+incompatible"}
	for i, a := range order {
		for j, b := range order {
			if compareVersions(a, b) > 0 != (i > j) {
				t.Errorf("compareVersions(%s, %s) is %d", a, b, compareVersions(a, b))
			}
		}
	}
	if compareVersions("v2.0.0+incompatible", "v2.0.0") != 0 {
		t.Error("what follows '+' counts")
	}
}

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"github.com/BurntSushi/toml": "github.com/!burnt!sushi/toml", "v1.2.3-RC.1": "v1.2.3-!r!c.1", "gopkg.in/yaml.v3": "gopkg.in/yaml.v3",
	} {
		if got, ok := escape(in); !ok || got != want {
			t.Errorf("escape(%q) = %q, %v", in, got, ok)
		}
	}
	for _, in := range []string{"", "..", "../x", "a/../../b", "/etc", "a//b", "a\\b", "a\x00b", ".hidden/x", "C:/x", "a/.", "é"} {
		if got, ok := escape(in); ok {
			t.Errorf("escape(%q) = %q, want a refusal", in, got)
		}
	}
}

// confTree is a repository of configuration files alone.
type confTree map[string]string

func (c confTree) GoFiles(string) []string                { return nil }
func (c confTree) Read(string) ([]byte, error)            { return nil, os.ErrNotExist }
func (c confTree) Resolve(_, _ string) (r resolve.Result) { return r }
func (c confTree) Config(p string) ([]byte, bool)         { s, ok := c[p]; return []byte(s), ok }
func (c confTree) Configs(base string) (out []string) {
	for p := range c {
		if filepath.Base(p) == base {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

// TestBuildList: the versions of a module, of a workspace, of a module older than
// Go 1.17 whose requirements are followed in the cache; and replacements.
func TestBuildList(t *testing.T) {
	cache := t.TempDir()
	put := func(p, text string) {
		p = filepath.Join(cache, p)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("cache/download/x.org/!b/@v/v1.1.0.mod", "module x.org/B\nrequire x.org/c v1.5.0\n")
	put("cache/download/x.org/c/@v/v1.5.0.mod", "module x.org/c\nrequire (\n\tx.org/d v0.1.0 // indirect\n)\n")
	put("x.org/c@v1.5.0/sub/c.go", "package sub")
	put("x.org/fork@v9.0.0/d.go", "package d")
	ms := newModules(confTree{
		"go.mod":       "module m\nrequire x.org/B v1.1.0\nrequire x.org/c v1.2.0\nreplace x.org/d => x.org/fork v9.0.0\nreplace x.org/e v1.0.0 => ../e\n",
		"new/go.mod":   "module m/new\ngo 1.21\nrequire (\n\tx.org/B v1.1.0\n\t\"x.org/c\" v1.2.0 // indirect\n)\n",
		"ws/go.work":   "go 1.21\nuse (\n\t./a\n\t./b\n\t../../out\n)\n",
		"ws/a/go.mod":  "module a\ngo 1.21\nrequire x.org/c v1.2.0\n",
		"ws/b/go.mod":  "module b\ngo 1.21\nrequire x.org/c v1.5.0\n",
		"bad/go.mod":   "\x00\xff(((\nmodule\n",
		"evil/go.mod":  "module evil\ngo 1.21\nrequire ../../../etc v1.0.0\nrequire x.org/z ../../v1\n",
		"ws/c/go.mod":  "module c\ngo 1.21\n",
		"ws/c/x/x.txt": "",
	}, Env{ModCache: cache})
	for _, c := range []struct{ dir, path, want string }{
		{"", "x.org/c", "v1.5.0"}, {"", "x.org/d", "v0.1.0"}, {"", "x.org/B", "v1.1.0"},
		{"new", "x.org/c", "v1.2.0"}, {"new", "x.org/d", ""},
		{"ws/a", "x.org/c", "v1.5.0"}, {"ws/b/deep/er", "x.org/c", "v1.5.0"}, {"ws/c", "x.org/c", ""},
	} {
		if got := ms.list(ms.owner(c.dir)).versions[c.path]; got != c.want {
			t.Errorf("%s: %s at %q, want %q", c.dir, c.path, got, c.want)
		}
	}
	root := ms.list(ms.owner(""))
	if dir, ok := root.packageDir(ms.env, "x.org/c/sub"); !ok || dir != filepath.Join(cache, "x.org/c@v1.5.0/sub") {
		t.Errorf("x.org/c/sub is in %q", dir)
	}
	if dir, ok := root.packageDir(ms.env, "x.org/d"); !ok || dir != filepath.Join(cache, "x.org/fork@v9.0.0") {
		t.Errorf("x.org/d is in %q", dir)
	}
	evil := ms.list(ms.owner("evil"))
	for _, spec := range []string{"../../../etc", "x.org/z"} {
		if dir, ok := evil.packageDir(ms.env, spec); ok {
			t.Errorf("%s leads to %s", spec, dir)
		}
	}
	if m := ms.owner("bad"); m.file != "go.mod" {
		t.Errorf("a go.mod without a path rules bad: %s", m.file)
	}
}

func TestValid(t *testing.T) {
	for _, s := range []string{"", "..", "a/../b", "/abs", "a//b", "a/", "./a", "a\\b", "c:d", "a\x00"} {
		if valid(s) {
			t.Errorf("%q can be joined", s)
		}
	}
	if !valid("net/http") || !valid("x.org/a-b/v2") {
		t.Error("a plain path is refused")
	}
}

// TestEnvOutside: what a repository holds is no Go installation, whatever PATH says.
func TestEnvOutside(t *testing.T) {
	root, other := t.TempDir(), t.TempDir()
	for _, dir := range []string{root, other} {
		for _, f := range []string{"bin/go", "src/unsafe/unsafe.go"} {
			if err := os.MkdirAll(filepath.Join(dir, "go", filepath.Dir(f)), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "go", f), nil, 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	env := map[string]string{"PATH": filepath.Join(root, "go/bin") + string(filepath.ListSeparator) + filepath.Join(other, "go/bin"), "GOMODCACHE": filepath.Join(root, "cache")}
	got := FindEnv(func(k string) string { return env[k] }, root)
	want, err := filepath.EvalSymlinks(filepath.Join(other, "go"))
	if err != nil {
		t.Fatal(err)
	}
	if got.GOROOT != want || got.ModCache != "" {
		t.Errorf("GOROOT %s, module cache %q", got.GOROOT, got.ModCache)
	}
}

// FuzzMod: no go.mod or go.work makes its reader fail, or leads it to a place
// in the module cache that is not below it.
func FuzzMod(f *testing.F) {
	for _, s := range []string{
		"module m.org/a\n\ngo 1.22\n\nrequire (\n\tx.org/y v1.2.3 // indirect\n)\nreplace x.org/y v1.2.3 => ../y\n",
		"go 1.22\nuse (\n\t.\n\t./a\n)\nreplace a => b v1.0.0\n", "module \"q\"\nrequire ../x v1\nrequire a/../../b v0.0.0-x", "require (\n", ")\n(\nuse\nreplace => =>\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m := parseMod([]byte(s))
		compareVersions(m.goLine, "1.17")
		for _, r := range append(m.require, version{m.path, m.goLine}) {
			if compareVersions(r.version, r.version) != 0 {
				t.Errorf("%q is newer than itself", r.version)
			}
			if p, ok := escape(r.path); ok && !filepath.IsLocal(p) {
				t.Errorf("%q leads outside the module cache, to %q", r.path, p)
			}
		}
	})
}
