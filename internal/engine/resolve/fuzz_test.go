package resolve

import (
	"bytes"
	"encoding/json"
	"path"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"ken/internal/code"
)

// FuzzConfig reads arbitrary configuration: no crash, the same digest twice,
// and a resolver over it answers the same twice and stays inside the tree.
func FuzzConfig(f *testing.F) {
	seeds := map[string][]string{}
	for _, archive := range archives(f) {
		for _, file := range archive.Files {
			if ConfigAt(file.Name) != nil {
				seeds[path.Base(file.Name)] = append(seeds[path.Base(file.Name)], string(file.Data))
			}
		}
	}
	names := []string{"go.mod", "go.work", "package.json", "tsconfig.json", "pnpm-workspace.yaml", "lerna.json", "Cargo.toml", "pyproject.toml", "setup.cfg", "setup.py", "jekyll.gemspec", "other.gemspec", "App.csproj", "composer.json", "compile_commands.json", "pubspec.yaml", "mix.exs", "p.cabal"}
	for i, name := range names {
		for _, s := range seeds[name] {
			f.Add(uint8(i), []byte(s), "@lib/util")
		}
	}
	f.Add(uint8(3), []byte("{/*/ \"extends\": [\"\\u0000\"], // \n,}"), "a*b")
	f.Add(uint8(4), []byte("packages: &a [*a]"), "x")
	f.Add(uint8(14), []byte(`[{"directory":"/w/b","file":"../src/a.c","command":"cc -I../lib \\\"-Ix y\\\" -c a.c"},{"arguments":["-iquote","C:\\\\x"]}]`), "<util.h>")
	f.Fuzz(func(t *testing.T, which uint8, content []byte, spec string) {
		name := names[int(which)%len(names)]
		if config := ConfigAt(name); !bytes.Equal(config.Digest(content), config.Digest(bytes.Clone(content))) {
			t.Errorf("%s: two digests of one content", name)
		}
		files := map[string][]byte{name: content, "lib/" + name: content, "a.ts": nil, "lib/util.ts": nil, "lib/a.py": nil, "src/lib.rs": nil, "src/util.rs": nil, "a.go": nil, "src/a.c": nil, "lib/util.h": nil}
		tree := newMemTree(files)
		for from, lang := range map[string]code.Lang{"lib/util.ts": "typescript", "lib/a.py": langPython, "src/util.rs": langRust, "a.go": langGo, "A.java": langJava, "lib/x/a.rb": langRuby, "lib/a.dart": langDart,
			"lib/a.ex": langElixir, "src/A.hs": langHaskell, "lua/a.lua": langLua, "lib/a.ml": langOCaml, "bin/a.sh": langShell, "src/a.zig": langZig, "lib/a.cs": langCSharp, "lib/a.php": langPHP, "src/a.c": langC} {
			imp := &code.Import{Spec: spec, Names: []code.ImportName{{Name: "util", Alias: "util"}}}
			res := New(tree).Resolve(from, lang, imp)
			if again := New(tree).Resolve(from, lang, imp); show(again) != show(res) {
				t.Errorf("%s %q: %s, then %s", from, spec, show(res), show(again))
			}
			if res.File != "" && !tree.Has(res.File) {
				t.Errorf("%s %q leads to %q, which does not exist", from, spec, res.File)
			}
			if strings.HasPrefix(res.Dir, "/") || strings.HasPrefix(res.Dir, "../") {
				t.Errorf("%s %q leads outside: %q", from, spec, res.Dir)
			}
		}
	})
}

// FuzzJSON compares with encoding/json on what that accepts.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"a":[1,true,null,"x\"/*"]}`, `{"a":1,}`, "//\n[/**/]", `"//"`, `[,]`, `{"a":{"b":[]}}x`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		got := parseJSON(content)
		var want any
		if json.Unmarshal(content, &want) != nil || bytes.Count(content, []byte("[")) > maxDepth/2 || bytes.Count(content, []byte("{")) > maxDepth/2 {
			return
		}
		if !sameJSON(got, want) {
			t.Errorf("%q: got %+v, want %v", content, got, want)
		}
	})
}

func sameJSON(v value, want any) bool {
	switch want := want.(type) {
	case string:
		return v.Kind == valueString && v.Str == want
	case bool:
		return want || v.Kind == valueFalse
	case []any:
		if v.Kind != valueArray || len(v.Items) != len(want) {
			return false
		}
		for i := range want {
			if !sameJSON(v.Items[i], want[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		for k, item := range want {
			if !sameJSON(v.get(k), item) {
				return false
			}
		}
		return v.Kind == valueObject
	}
	return v.Kind == valueOther
}

func archives(tb testing.TB) []*txtar.Archive {
	tb.Helper()
	var list []*txtar.Archive
	for _, p := range archiveFiles(tb) {
		a, err := txtar.ParseFile(p)
		if err != nil {
			tb.Fatal(err)
		}
		list = append(list, a)
	}
	return list
}
