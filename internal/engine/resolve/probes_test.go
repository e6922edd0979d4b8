package resolve

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/code"
	"ken/internal/lang"
)

// TestProbes adds and deletes files of small trees at random and keeps the
// results up to date the way the engine does: after a change of a file, only
// the imports that probed one of its keys are resolved again; after a change of
// a configuration's digest, all of its ecosystem. The results must equal those
// of a resolver that sees the tree for the first time.
func TestProbes(t *testing.T) {
	for _, w := range append(worlds(), plainWorlds()...) {
		t.Run(w.name, func(t *testing.T) {
			hits := 0
			for seed := range uint64(60) {
				hits += w.run(t, rand.New(rand.NewPCG(seed, 7)))
				if t.Failed() {
					return
				}
			}
			if hits < 100 {
				t.Errorf("only %d resolved imports in all runs: the world tests nothing", hits)
			}
		})
	}
}

// world is a set of paths that may exist, contents that configuration files may
// have, and imports that are asked for from fixed files.
type world struct {
	name    string
	paths   []string
	configs map[string][]string // path → possible contents
	from    []string
	imports []code.Import
}

type question struct {
	from string
	imp  *code.Import
}

func (w world) run(t *testing.T, rnd *rand.Rand) (hits int) {
	files := map[string][]byte{}
	for _, p := range w.paths {
		if rnd.IntN(2) == 0 {
			files[p] = nil
		}
	}
	results := map[question]Result{}
	var questions []question
	for _, from := range w.from {
		for i := range w.imports {
			questions = append(questions, question{from, &w.imports[i]})
		}
	}
	refresh := func(stale func(q question) bool) {
		r := New(newMemTree(files))
		for _, q := range questions {
			if stale(q) {
				results[q] = r.Resolve(q.from, lang.Detect(q.from, nil), q.imp)
			}
		}
	}
	refresh(func(question) bool { return true })
	for range 40 {
		changed, langs := w.change(rnd, files)
		keys := map[string]bool{}
		for _, k := range changed {
			keys[k] = true
		}
		refresh(func(q question) bool {
			return slices.Contains(langs, lang.Detect(q.from, nil)) || slices.ContainsFunc(results[q].Probes, func(k string) bool { return keys[k] })
		})
		fresh := New(newMemTree(files))
		for _, q := range questions {
			want := fresh.Resolve(q.from, lang.Detect(q.from, nil), q.imp)
			if diff := cmp.Diff(show(want), show(results[q])); diff != "" {
				t.Errorf("%s %q after %q (-fresh +kept):\n%s\nprobes %q\nfiles %q", q.from, q.imp.Spec, changed, diff, results[q].Probes, slices.Sorted(maps.Keys(files)))
				return hits
			}
			if want.File != "" || want.Dir != "" || want.IsPackage || want.Declared.Name != "" {
				hits++
			}
		}
	}
	return hits
}

// change does one thing to files and gives the keys it answers and the
// languages it redirects.
func (w world) change(rnd *rand.Rand, files map[string][]byte) (keys []string, langs []code.Lang) {
	if len(w.configs) > 0 && rnd.IntN(4) == 0 {
		p := slices.Sorted(maps.Keys(w.configs))[rnd.IntN(len(w.configs))]
		config := ConfigAt(p)
		var before []byte
		if old, ok := files[p]; ok {
			before = config.Digest(old)
		}
		if content := w.configs[p][rnd.IntN(len(w.configs[p]))]; content == "-" {
			delete(files, p)
			return Keys(p), config.Langs
		} else if _, had := files[p]; had {
			files[p] = []byte(content)
		} else {
			files[p] = []byte(content)
			keys = Keys(p)
		}
		if !bytes.Equal(before, config.Digest(files[p])) {
			langs = config.Langs
		}
		return keys, langs
	}
	p := w.paths[rnd.IntN(len(w.paths))]
	if _, ok := files[p]; ok {
		delete(files, p)
	} else {
		files[p] = nil
	}
	return append(Keys(p), PackageKeys(lang.Detect(p, nil), packageOf(p, nil))...), nil
}

// cross returns every combination of a folder and a name.
func cross(folders, names []string) []string {
	var out []string
	for _, f := range folders {
		for _, n := range names {
			out = append(out, under(f, n))
		}
	}
	return out
}

func specs(list ...string) []code.Import {
	imps := make([]code.Import, len(list))
	for i, s := range list {
		imps[i].Spec = s
	}
	return imps
}

func named(imps []code.Import, names ...string) []code.Import {
	for i := range imps {
		for _, n := range names {
			imps[i].Names = append(imps[i].Names, code.ImportName{Name: n, Alias: n})
		}
	}
	return imps
}

func within(packages string, imps []code.Import) []code.Import {
	for i := range imps {
		imps[i].Within = packages
	}
	return imps
}

func worlds() []world {
	return []world{
		{
			name: "files",
			paths: cross([]string{"", "docs", "docs/a", "web", "web/public", "public", "proto", "proto/x", "mod"},
				[]string{"README.md", "a.md", "index.html", "style.css", "_part.scss", "part.scss", "x.proto", "action.yml", "Dockerfile", "index.js", "a.ts", "main.tf", "tsconfig.json"}),
			from: []string{"docs/a/a.md", "web/index.html", "web/style.css", "web/part.scss", "proto/x/x.proto", "docs/action.yml", "mod/main.tf", "web/tsconfig.json", "web/a.ts"},
			imports: append(append(specs("a.md", "../a.md", "/docs/a.md", "docs/a", "style.css", "/style.css", "part", "../part", "x.proto", "x/x.proto", "google/protobuf/any.proto", "./mod", "../mod", "./", "index", "./web", "https://x.y/z"),
				code.Import{Spec: "web/a.ts", Kind: code.ImportMention}, code.Import{Spec: "docs", Kind: code.ImportMention}, code.Import{Spec: "./web", Kind: code.ImportMention}, code.Import{Spec: "/a.md", Kind: code.ImportMention}),
				code.Import{Spec: "k8s.io/proto/x/x.proto", Kind: code.ImportOrigin}, code.Import{Spec: "x.proto", Kind: code.ImportOrigin}),
		},
		{
			name:  "go",
			paths: cross([]string{"", "a", "a/b", "sub", "sub/a", "vendor/x.com/y", "vendor/x.com/y/z", "sub/vendor/x.com/y"}, []string{"m.go", "n.go"}),
			configs: map[string][]string{"go.mod": {"-", "module m.com/m", "module m.com/m\nreplace x.com/y => ./sub"}, "sub/go.mod": {"-", "module m.com/m/sub", "module std"},
				"go.work": {"-", "use (\n.\n./sub\n)"}},
			from:    []string{"m.go", "sub/a/m.go"},
			imports: specs("m.com/m", "m.com/m/a/b", "m.com/m/sub/a", "x.com/y", "x.com/y/z", "fmt", "a", "./a"),
		},
		{
			name: "typescript",
			paths: cross([]string{"", "src", "src/a", "lib", "pkg/p", "pkg/p/src", "pkg/p/src/a"},
				[]string{"a.ts", "a.d.ts", "a.js", "index.ts", "index.jsx", "a.css", "a.vue", "b.json", "b.mts"}),
			configs: map[string][]string{
				"package.json":       {"-", `{"workspaces":["pkg/*"]}`, `{"name":"root","main":"src/a"}`, `{"name":"root","imports":{"#a":"./lib/a.js"}}`},
				"pkg/p/package.json": {"-", `{"name":"p"}`, `{"name":"p","main":"dist/a.js"}`, `{"name":"p","exports":{".":{"import":"./a.js"},"./*":"./dist/*.js"}}`},
				"tsconfig.json":      {"-", `{}`, `{"compilerOptions":{"baseUrl":"."}}`, `{"compilerOptions":{"paths":{"p":["./lib/a"],"@/*":["./lib/*","./src/*"]}}}`, `{"compilerOptions":{"rootDirs":["src","lib"]}}`},
				"src/a/package.json": {"-", `{"main":"../b"}`},
			},
			from: []string{"src/a.ts", "pkg/p/a.ts", "src/a/a.js"},
			imports: specs("./a", "./a.js", "./a.css", ".", "..", "../a", "../lib/a", "./b", "p", "p/a", "p/b", "root", "@/a", "#a", "lib/a", "src", "fs", "react", "./a.vue",
				"/src/a", "./index", "./a/", "./b.mjs"),
		},
		{
			name: "python",
			paths: cross([]string{"", "src", "src/p", "src/p/q", "p", "ns", "t", "t/u"},
				[]string{"__init__.py", "p.py", "q.py", "m.py", "m.pyi", "os.py", "q/__init__.pyi"}),
			configs: map[string][]string{"pyproject.toml": {"-", "[project]\nname='p'", "[tool.pytest.ini_options]\npythonpath=['t']"}, "setup.cfg": {"-", "[options]\npackage_dir=\n  =ns"}},
			from:    []string{"src/p/q/m.py", "t/u/m.py", "p.py"},
			imports: slices.Concat(named(specs(".", "..", "...", ".m", "..q", "p", "p.q", "q", "ns", "ns.m", "os", "numpy", "t.u"), "m", "q", "X"),
				specs("p", "p.q.m", "m", ".", ".q", "os.path", "src.p", "ns")),
		},
		{
			name: "rust",
			paths: cross([]string{"", "src", "src/a", "src/bin", "src/bin/t", "tests", "tests/c", "two/src", "two/src/a"},
				[]string{"lib.rs", "main.rs", "mod.rs", "a.rs", "b.rs"}),
			configs: map[string][]string{
				"Cargo.toml":     {"-", "[package]\nname='one'\nedition='2021'\n[dependencies]\ntwo={path='two'}", "[package]\nname='one'\n[workspace]\n", "[lib]\npath='src/a.rs'\n[package]\nname='one'"},
				"two/Cargo.toml": {"-", "[package]\nname='two'", "[package]\nname='t-wo'\n[lib]\nname='two'"},
			},
			from: []string{"src/lib.rs", "src/a.rs", "src/a/mod.rs", "src/bin/t/main.rs", "src/bin/t/a.rs", "tests/a.rs", "tests/c/mod.rs", "two/src/a.rs"},
			imports: slices.Concat(named(specs("crate", "self", "super", "crate::a", "two", "one", "a"), "a", "b"),
				specs("crate::a::b", "super::super::a", "two::a::b", "serde", "std::a", "one::b", "::two"), mods("a", "b", "x::a", "path:a.rs", "path:../b.rs")),
		},
		{
			name: "c",
			paths: cross([]string{"", "src", "src/a", "include", "include/a", "lib/x", "lib/x/include/a", "third"},
				[]string{"a.h", "b.h", "a.c", "b.hpp", "stdio.h", "a.inc"}),
			configs: map[string][]string{
				"compile_commands.json":       {"-", `[{"directory":"/w/p","file":"src/a.c","command":"cc -Ithird -I lib/x -c src/a.c"},{"directory":"/w/p","file":"include/a.h","arguments":["cc","-isystem","lib/x/include"]}]`, `[]`},
				"lib/x/compile_commands.json": {"-", `[{"directory":"/q/lib/x","file":"a.c","command":"cc -iquote../../third -I/q/include"}]`},
			},
			from:    []string{"src/a.c", "src/a/b.hpp", "lib/x/a.c", "include/a.h"},
			imports: specs("a.h", "b.h", "a/a.h", "<a/b.h>", "<stdio.h>", "stdio.h", "../a.h", "<b.hpp>", "x/a.h", "third/b.h", "a.inc", "gtest/gtest.h", "<a.h>", "<zlib.h>", "module:b", "../../x.h"),
		},
		{
			name:    "java",
			paths:   cross([]string{"m/src/main/java/c", "m/src/main/java/c/x", "m/src/test/java/c/x", "n/java/c/x", "n/java/c", "n/java/c/x/A"}, []string{"A.java", "B.java", "a.java"}),
			from:    []string{"m/src/main/java/c/A.java", "m/src/test/java/c/x/A.java", "n/java/c/A.java"},
			imports: slices.Concat(specs("c.A", "c.x.A", "c.x.A.B", "c.x.B.f", "c.x.a", "c.x.*", "c.x.A.*", "d.A", "java.util.A", "c.q.B"), named(specs("c", "c.x", "c.x.A"), "*")),
		},
		{
			name:    "csharp",
			paths:   cross([]string{"m", "m/java/A", "m/java/A/B", "n/java/A/B", "n/java/System", "n/java/C", "n/java/A/B/T"}, []string{"T.cs", "U.cs"}),
			configs: map[string][]string{"m/m.csproj": {"-", "<Project/>", `<PackageReference Include="D.E"/>`, `<PackageReference Include="A.B.C"/>`}},
			from:    []string{"m/T.cs", "n/java/C/U.cs"},
			imports: slices.Concat(named(specs("A", "A.B", "A.B.T", "A.B.C", "System", "System.IO", "C", "D.E.F", "X"), "*"), named(specs("A.B.T", "A.T", "A.B.T.U", "T", "System.T", "C"), "T")),
		},
		{
			name:  "php",
			paths: cross([]string{"", "src", "src/M", "java/A", "java/A/B", "lib/java/A", "lib", "old/A/B"}, []string{"T.php", "U.php", "A_T.php"}),
			configs: map[string][]string{
				"composer.json":     {"-", `{}`, `{"autoload":{"psr-4":{"A\\":"src/"}}}`, `{"autoload":{"psr-4":{"A\\":["lib","src"],"A\\M\\":"src/M"},"psr-0":{"":"old"}}}`},
				"lib/composer.json": {"-", `{"autoload":{"psr-4":{"":"java"}}}`},
			},
			from:    []string{"src/T.php", "lib/java/A/T.php"},
			imports: slices.Concat(named(specs(`A\T`, `A\M\T`, `A\B\U`, `A\B`, `T`, `A_T`, `X\Y`, `A\Missing`), "T"), includes("./T.php", "../U.php", "lib/T.php", "T.php", "./M/../U.php")),
		},
		{
			name: "ruby",
			paths: cross([]string{"", "lib", "lib/a", "lib/a/b", "test", "app/models", "app/models/concerns", "app/models/a", "two/lib", "two/ext/a"},
				[]string{"a.rb", "b.rb", "c_d.rb", "x.rake"}),
			configs: map[string][]string{"a.gemspec": {"-", "", "s.require_path = 'ext'"}, "two/two.gemspec": {"-", "s.name = 'two'", "s.require_paths = ['lib', \"ext\"]"}},
			from:    []string{"lib/a/b.rb", "test/a.rb", "app/models/a/b.rb", "two/lib/a.rb"},
			imports: slices.Concat(specs("a", "a/b", "./a", "../b.rb", "b/c_d", "json", "x.rake", "two/a", "gem", "a/missing"),
				constants("A", "A::B", "A::B>CD", "A>B::CD", "::A::CD", "B>A::B::Missing", "Z>String", "JSON", "Q::A")),
		},
		{
			name: "jvm",
			paths: slices.Concat(cross([]string{"m/src/main/java/c", "m/src/main/kotlin/c", "m/src/main/kotlin/c/x", "n/kotlin/c/x", "n/java/c/x"}, []string{"A.java", "A.kt", "b.kt"}),
				cross([]string{"n/scala/c/x"}, []string{"A.scala"})),
			from: []string{"m/src/main/java/c/A.java", "m/src/main/kotlin/c/A.kt", "n/kotlin/c/x/b.kt"},
			imports: slices.Concat(specs("c.A", "c.x.A", "c.AKt", "c.x.bKt", "c.x.A.B", "c.x.b", "d.A", "kotlin.text.A", "java.util.A"),
				named(specs("c", "c.x", "c.x.A", "d"), "*")),
		},
		{
			name: "scala",
			paths: slices.Concat(cross([]string{"m/src/main/scala/c", "m/src/main/scala/c/x", "m/src/main/scala/x", "n/scala/c/x/y", "n/scala/c/c"}, []string{"A.scala", "b.scala"}),
				cross([]string{"n/java/c/x"}, []string{"A.java"})),
			from: []string{"m/src/main/scala/c/A.scala", "n/scala/c/x/y/b.scala"},
			imports: slices.Concat(within("c", specs("x.A", "A", "c.x.A", "b.d", "x.y.A.b", "d.A", "scala.x.A")), within("c.x c", specs("x.A", "y.b.A", "c.A", "x")),
				within("c.x c", named(specs("y", "x", "c", "x.A", "b", "d"), "*")), named(specs("c.x", "x", "y"), "*")),
		},
	}
}

func mods(list ...string) []code.Import {
	imps := specs(list...)
	for i := range imps {
		imps[i].Kind = code.ImportMod
	}
	return imps
}

func includes(list ...string) []code.Import {
	imps := specs(list...)
	for i := range imps {
		imps[i].Kind = code.ImportRequire
	}
	return imps
}

// plainWorlds returns those of the languages of the symbol tier.
func plainWorlds() []world {
	return []world{
		{
			name:    "lua",
			paths:   cross([]string{"", "a", "src", "src/a", "lua/a", "t"}, []string{"a.lua", "b.lua", "init.lua", "a/init.lua"}),
			from:    []string{"a.lua", "t/b.lua", "src/a/b.lua"},
			imports: specs("a", "a.b", "a.a", "b", "string", "x.y", "a.missing", "a/b", ".", "..a"),
		},
		{
			name:    "shell",
			paths:   cross([]string{"", "a", "a/b", "lib"}, []string{"a.sh", "b.sh", "c"}),
			from:    []string{"a.sh", "a/b/b.sh"},
			imports: specs("./a.sh", "b.sh", "lib/c", "../a.sh", "$D/b.sh", "${X%/*}/a.sh", "$(cd \"$(dirname \"$0\")\"&&pwd)/b.sh", "/etc/a", "$X", "`x`/a.sh", "../../..", "$(", "${A"),
		},
		{
			name:    "zig",
			paths:   cross([]string{"", "a"}, []string{"a.zig", "b.zig", "c.zon"}),
			from:    []string{"a.zig", "a/b.zig"},
			imports: specs("a.zig", "a/a.zig", "../a.zig", "std", "pkg", "c.zon", "../../x.zig"),
		},
		{
			name:    "dart",
			paths:   cross([]string{"", "lib", "lib/src", "p/lib"}, []string{"a.dart", "b.dart"}),
			configs: map[string][]string{"pubspec.yaml": {"-", "name: a", "name: q"}, "p/pubspec.yaml": {"-", "name: p", "name: a"}},
			from:    []string{"lib/a.dart", "p/lib/b.dart"},
			imports: specs("dart:io", "package:a/a.dart", "package:p/b.dart", "package:a/src/b.dart", "package:x/y.dart", "src/a.dart", "../a.dart", "http://x", "package:a", "b.dart"),
		},
		{
			name:    "elixir",
			paths:   cross([]string{"lib", "lib/a", "lib/a/controllers", "x/lib/a", "test/support", "x/test/support"}, []string{"a.ex", "b.ex", "c_controller.ex"}),
			configs: map[string][]string{"mix.exs": {"-", "x"}, "x/mix.exs": {"-", "x"}},
			from:    []string{"lib/a.ex", "x/lib/a/b.ex"},
			imports: specs("A", "A.B", "A.B.Nested", "A.CController", "B", "Enum", "Ecto.Query", "A.Missing", "A..B"),
		},
		{
			name:    "haskell",
			paths:   cross([]string{"", "A", "src", "src/A", "q/hs", "q/hs/A"}, []string{"A.hs", "B.lhs", "C.hsc"}),
			configs: map[string][]string{"q/q.cabal": {"-", "hs-source-dirs: hs", "  hs-source-dirs:\n   ., hs"}},
			from:    []string{"A.hs", "src/A/B.lhs"},
			imports: specs("A", "A.B", "B", "A.C", "Data.List", "Prelude", "A.", "C"),
		},
		{
			name:    "ocaml",
			paths:   cross([]string{"", "a", "src", "src/a", "lib/b"}, []string{"a.ml", "b.mli", "b.ml"}),
			from:    []string{"a.ml", "src/a/b.ml"},
			imports: specs("A", "B", "A.B", "B.A", "List", "Lwt", "A.", "X.Y"),
		},
	}
}

func constants(list ...string) []code.Import {
	imps := specs(list...)
	for i := range imps {
		imps[i].Kind = code.ImportPath
	}
	return imps
}

func TestKeys(t *testing.T) {
	for p, want := range map[string][]string{
		"a.ts":               {"a.ts", "/", "a", "**"},
		"x/y/a.d.ts":         {"x/y/a.d.ts", "x/y/", "x/y/a.d", "x/y/a", "x/y/**", "x/**", "**"},
		"x/index.ts":         {"x/index.ts", "x/", "x/index", "x", "x/**", "**"},
		"__init__.py":        {"__init__.py", "/", "__init__", "", "**"},
		".env":               {".env", "/", "**"},
		"c/Foo.java":         {"c/Foo.java", "c/", "c/Foo", "c/**", "**", "**/Foo.java", "**/c/"},
		"src/mod.rs":         {"src/mod.rs", "src/", "src/mod", "src", "src/**", "**"},
		"src/index.test.tsx": {"src/index.test.tsx", "src/", "src/index.test", "src/**", "**"},
	} {
		if diff := cmp.Diff(want, Keys(p)); diff != "" {
			t.Errorf("Keys(%q) (-want +got):\n%s", p, diff)
		}
	}
}

func ExampleKeys() {
	fmt.Println(Keys("web/db.ts"))
	// Output: [web/db.ts web/ web/db web/** **]
}
