package resolve

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ken/internal/code"
	"ken/internal/lang"
)

// TestConfigLangs: the languages of a configuration are rows of the table of languages.
func TestConfigLangs(t *testing.T) {
	known := map[code.Lang]bool{}
	for _, l := range lang.All() {
		known[l.Name] = true
	}
	for _, c := range append(slices.Clone(configs), configTS) {
		for _, l := range c.Langs {
			if !known[l] {
				t.Errorf("%v: there is no language %s", c.names, l)
			}
		}
	}
}

func TestDigest(t *testing.T) {
	for _, c := range []struct {
		path, a, b string
		same       bool
	}{
		{"go.mod", "module a\nrequire x v1", "// c\nmodule   \"a\"\nrequire x v2\n", true},
		{"go.mod", "module a", "module b", false},
		{"go.mod", "module a", "module a\nreplace x => ./y", false},
		{"go.work", "use ./a", "use (\n\t./a // x\n)", true},
		{"package.json", `{"name":"a","version":"1","scripts":{"x":"y"}}`, `{"version":"2","name":"a"}`, true},
		{"package.json", `{"name":"a"}`, `{"name":"a","main":"x.js"}`, false},
		{"package.json", `{"exports":{"a":"1","b":"2"}}`, `{"exports":{"b":"2","a":"1"}}`, false},
		{"package.json", `{"dependencies":{"x":"^1"}}`, `{"dependencies":{"x":"^2"}}`, true},
		{"package.json", `{"dependencies":{"x":"^1"}}`, `{"dependencies":{"x":"file:../x"}}`, false},
		{"tsconfig.json", `{"compilerOptions":{"strict":true,"baseUrl":"."}}`, "{// c\n\"compilerOptions\":{\"baseUrl\":\".\",},}", true},
		{"tsconfig.json", `{}`, `{"compilerOptions":{"baseUrl":"."}}`, false},
		{"pnpm-workspace.yaml", "packages:\n- a\n", "# c\npackages: ['a']\ncatalog:\n  x: 1\n", true},
		{"pnpm-workspace.yaml", "packages:\n- a\n", "packages:\n- b\n", false},
		{"lerna.json", `{"packages":["a"]}`, `{"packages":["a"],"version":"1"}`, true},
		{"Cargo.toml", "[package]\nname='a'\nversion='1'\n[dependencies]\nx='1'", "[package]\nname='a'\n[dependencies]\nx={version='2'}", true},
		{"Cargo.toml", "[package]\nname='a'\n[dependencies]\nx='1'", "[package]\nname='a'\n[dependencies]\nx={path='../x'}", false},
		{"pyproject.toml", "[project]\nname='a'\nversion='1'", "[project]\nname='a'\n[tool.ruff]\nline-length=1", true},
		{"pyproject.toml", "[project]\nname='a'", "[project]\nname='a'\n[tool.setuptools.packages.find]\nwhere=['lib']", false},
		{"setup.cfg", "[metadata]\nname = a", "[metadata]\nname = a\nversion = 1", true},
		{"setup.py", "setup(name='a', version=1)", "setup(name='a', version=2)", true},
		{"setup.py", "setup(name='a')", "setup(name='a', packages=find_packages('src'))", false},
		{"a.gemspec", "s.require_paths = ['lib']", "s.version = '2'\ns.require_path = \"lib\"\n# s.require_path = 'x'", true},
		{"pubspec.yaml", "name: a\nversion: 1", "version: 2\nname: 'a' # x", true},
		{"pubspec.yaml", "name: a", "name: b", false},
		{"mix.exs", "defmodule A do", "other", true},
		{"p.cabal", "library\n  hs-source-dirs: src, app", "-- c\nLIBRARY\n  Hs-Source-Dirs:\n    src,\tapp", true},
		{"p.cabal", "  hs-source-dirs: src", "  hs-source-dirs: lib", false},
		{"a.gemspec", "s.require_paths = ['lib']", "s.require_paths = %w[lib ext]", false},
		{"a.csproj", `<Project><ItemGroup><ProjectReference Include="..\a\a.csproj" /></ItemGroup></Project>`,
			"<?xml version='1.0'?><Project><!-- c --><PropertyGroup><Nullable>enable</Nullable></PropertyGroup><ItemGroup>\n<ProjectReference Include='../a/a.csproj'/></ItemGroup></Project>", true},
		{"a.csproj", `<Project><ProjectReference Include="a" /></Project>`, `<Project><ProjectReference Include="b" /></Project>`, false},
		{"Directory.Build.props", `<Project><Using Include="A" /></Project>`, `<Project><Using Include="A" Static="true" /></Project>`, false},
		{"a.csproj", `<Project><ImplicitUsings>enable</ImplicitUsings></Project>`, "<Project>\n<ImplicitUsings> Enable </ImplicitUsings></Project>", true},
		{"a.csproj", `<Project><ImplicitUsings>enable</ImplicitUsings></Project>`, `<Project><ImplicitUsings>disable</ImplicitUsings></Project>`, false},
		{"a.csproj", `<Project><Compile Include="..\a.cs" /></Project>`, `<Project><Compile Include="../a.cs" /><Compile Include="*.cs" /></Project>`, true},
		{"a.csproj", `<Project><Using Include="A" /></Project>`, `<Project><Using Include="A" /><Using Remove="A" /></Project>`, false},
		{"a.cs", "global using A;", "global using B;", true},
		{"composer.json", `{"name":"a/b","autoload":{"psr-4":{"A\\":"src"}}}`, `{"autoload":{"psr-4":{"A\\":["src"]},"files":["x.php"]},"require":{"php":"8"}}`, true},
		{"composer.json", `{"autoload":{"psr-4":{"A\\":"src"}}}`, `{"autoload":{"psr-0":{"A\\":"src"}}}`, false},
	} {
		config := ConfigAt(c.path)
		if config == nil {
			config = SourceConfigAt(c.path)
		}
		a, b := config.Digest([]byte(c.a)), config.Digest([]byte(c.b))
		if bytes.Equal(a, b) != c.same {
			t.Errorf("%s: %q and %q: same digest %v\n%s\n%s", c.path, c.a, c.b, !c.same, a, b)
		}
		if config.Digest(nil) == nil {
			t.Errorf("%s: an empty file has no digest", c.path)
		}
		if len(config.Langs) == 0 {
			t.Errorf("%s: no languages", c.path)
		}
	}
	if ConfigAt("main.go") != nil {
		t.Error("main.go is taken for a configuration file")
	}
}

// TestProjectUsings asks which usings count for a file because of its project.
func TestProjectUsings(t *testing.T) {
	files := map[string][]byte{}
	for p, text := range map[string]string{
		"Directory.Build.props": `<Project><PropertyGroup><ImplicitUsings>enable</ImplicitUsings></PropertyGroup><Using Include="Shared" /></Project>`,
		"web/Web.csproj":        `<Project Sdk="Microsoft.NET.Sdk.Web"><Using Remove="System.IO" /><Compile Include="..\loose\G.cs" /></Project>`,
		"old/Old.csproj":        `<Project><ImplicitUsings>disable</ImplicitUsings><Using Include="A.B" Alias="C" /></Project>`,
		"web/deep/Any.cs":       "global using A;", "web/Plain.cs": "using A;", "loose/G.cs": "global using B;", "loose/H.cs": "",
	} {
		files[p] = []byte(text)
	}
	r := New(newMemTree(files))
	for _, c := range [][3]string{
		{"web/Plain.cs", "Shared System System.Collections.Generic System.Linq System.Net.Http System.Threading System.Threading.Tasks System.Net.Http.Json " +
			"Microsoft.AspNetCore.Builder Microsoft.AspNetCore.Hosting Microsoft.AspNetCore.Http Microsoft.AspNetCore.Routing Microsoft.Extensions.Configuration " +
			"Microsoft.Extensions.DependencyInjection Microsoft.Extensions.Hosting Microsoft.Extensions.Logging", "loose/G.cs web/deep/Any.cs"},
		{"old/x/Y.cs", "A.B Shared", ""},
		{"loose/H.cs", "", "loose/G.cs"},
	} {
		u := r.ProjectUsings(c[0], langCSharp)
		var specs []string
		for i := range u.Imports {
			specs = append(specs, u.Imports[i].Spec)
		}
		if got := [3]string{c[0], strings.Join(specs, " "), strings.Join(u.Files, " ")}; got != c {
			t.Errorf("got %q\nwant %q", got, c)
		}
	}
}

// countingTree counts the questions, which is what work is made of.
type countingTree struct {
	*memTree
	asked int
}

func (t *countingTree) Has(p string) bool              { t.asked++; return t.memTree.Has(p) }
func (t *countingTree) Config(p string) ([]byte, bool) { t.asked++; return t.memTree.Config(p) }
func (t *countingTree) HasDir(dir string) bool         { t.asked++; return t.memTree.HasDir(dir) }
func (t *countingTree) resolve(from, spec string) Result {
	return New(t).Resolve(from, lang.Detect(from, nil), &code.Import{Spec: spec})
}

// TestBounds builds configurations that would take for ever or overflow the
// stack if followed to the end.
func TestBounds(t *testing.T) {
	extends := map[string][]byte{"a.ts": nil}
	for i := range 16 { // a diamond: 16 to the power of 16 paths
		list := make([]string, 16)
		for k := range list {
			list[k] = fmt.Sprintf(`"./tsconfig.%d.json"`, (i+k+1)%16)
		}
		extends[fmt.Sprintf("tsconfig.%d.json", i)] = []byte(`{"extends":[` + strings.Join(list, ",") + `]}`)
	}
	extends["tsconfig.json"] = []byte(`{"extends":"./tsconfig.0.json"}`)
	deep := strings.Repeat("a/", 3000)
	trees := map[string]struct {
		files      map[string][]byte
		from, spec string
	}{
		"diamond":      {extends, "a.ts", "x"},
		"self":         {map[string][]byte{"tsconfig.json": []byte(`{"extends":"./tsconfig.json","references":[{"path":"./tsconfig.json"}]}`)}, "a.ts", "x"},
		"imports loop": {map[string][]byte{"package.json": []byte(`{"imports":{"#a":"#b","#b":"#a"}}`)}, "a.ts", "#a"},
		"main loop":    {map[string][]byte{"d/package.json": []byte(`{"main":"."}`)}, "a.ts", "./d"},
		"main up":      {map[string][]byte{"d/package.json": []byte(`{"main":"../d"}`)}, "a.ts", "./d"},
		"deep json":    {map[string][]byte{"package.json": []byte(strings.Repeat(`{"exports":`, 1e5))}, "a.ts", "x"},
		"deep list":    {map[string][]byte{"package.json": []byte(`{"name":"x","exports":` + strings.Repeat(`[`, 1e6) + strings.Repeat(`]`, 1e6) + `}`)}, "a.ts", "x"},
		"deep toml":    {map[string][]byte{"Cargo.toml": []byte("a = " + strings.Repeat("[", 2e6))}, "a.rs", "x::y"},
		"deep keys":    {map[string][]byte{"Cargo.toml": []byte("[" + strings.Repeat("a.", 1e5) + "a]\nb=1")}, "a.rs", "x::y"},
		"deep yaml":    {map[string][]byte{"pnpm-workspace.yaml": []byte(strings.Repeat("- ", 2e4))}, "a.ts", "x"},
		"flow yaml":    {map[string][]byte{"pnpm-workspace.yaml": []byte("packages: " + strings.Repeat("[", 6e4))}, "a.ts", "x"},
		"bomb yaml":    {map[string][]byte{"pnpm-workspace.yaml": []byte(yamlBomb())}, "a.ts", "x"},
		"huge":         {map[string][]byte{"package.json": bytes.Repeat([]byte(`{"name":"x",`), 1e6)}, "a.ts", "x"},
		"dots":         {map[string][]byte{"a.py": nil}, "a.py", strings.Repeat(".", 4000)},
		"long python":  {map[string][]byte{"a.py": nil}, "a.py", strings.Repeat("a.", 2000) + "a"},
		"long rust":    {map[string][]byte{"a.rs": nil}, "a.rs", strings.Repeat("super::", 500)},
		"long java":    {map[string][]byte{"A.java": nil}, "A.java", strings.Repeat("a.", 2000) + "A"},
		"long go":      {map[string][]byte{"go.mod": []byte("module m"), "a.go": nil}, "a.go", "m/" + strings.Repeat("x/", 2000)},
		"deep from":    {map[string][]byte{deep + "a.ts": nil}, deep + "a.ts", "x"},
		"deep python":  {map[string][]byte{deep + "a.py": nil}, deep + "a.py", "x"},
		"stars":        {map[string][]byte{"package.json": []byte(`{"workspaces":["` + strings.Repeat("**/", 60) + `x"]}`), deep + "package.json": []byte(`{"name":"x"}`)}, "a.ts", "x"},
		"one segment":  {map[string][]byte{"package.json": []byte(`{"workspaces":["` + strings.Repeat("*a", 100) + `"]}`), strings.Repeat("a", 5000) + "/package.json": []byte(`{"name":"x"}`)}, "a.ts", "x"},
	}
	for name, c := range trees {
		t.Run(name, func(t *testing.T) {
			tree := &countingTree{memTree: newMemTree(c.files)}
			start := time.Now()
			res := tree.resolve(c.from, c.spec)
			if tree.asked > 30000 {
				t.Errorf("%d questions", tree.asked)
			}
			if len(res.Probes) > 10000 {
				t.Errorf("%d probes", len(res.Probes))
			}
			if d := time.Since(start); d > 5*time.Second {
				t.Errorf("took %v", d)
			}
		})
	}
}

func yamlBomb() string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n")
	for i := range 12 {
		fmt.Fprintf(&b, "a%d: &a%d [*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d]\n", i+1, i+1, i, i, i, i, i, i, i, i, i, i)
	}
	b.WriteString("packages: *a12\n")
	return b.String()
}

// TestProbeLists pins the probes of typical imports: complete, and few.
func TestProbeLists(t *testing.T) {
	tree := newMemTree(map[string][]byte{
		"go.mod": []byte("module m.com/m"), "a.go": nil, "pyproject.toml": nil, "pkg/__init__.py": nil, "pkg/sub/__init__.py": nil, "pkg/sub/m.py": nil,
		"src/a.ts": nil, "src/b.ts": nil, "src/lib.rs": nil, "src/a/b.rs": nil, "Cargo.toml": []byte("[package]\nname='c'"), "java/c/A.java": nil})
	r := New(tree)
	for _, c := range []struct {
		from, spec string
		names      []string
		want       string
	}{
		{"a.go", "m.com/m/pkg/x", nil, "pkg/x/"},
		{"a.go", "fmt", nil, ""},
		{"a.go", "x.com/y", nil, "vendor/x.com/y/**"},
		{"src/a.ts", "./b", nil, "src/b"},
		{"src/a.ts", "./b.js", nil, "src/b"},
		{"src/a.ts", "./c.js", nil, "src/c src/c.js"},
		{"src/a.ts", "react", nil, ""},
		{"pkg/sub/m.py", ".", []string{"x"}, "pkg/sub pkg/sub/x"},
		{"pkg/sub/m.py", "pkg.sub", nil, "pkg/sub/__init__.py pkg/__init__.py __init__.py pkg/sub"},
		{"pkg/sub/m.py", "numpy", []string{"x"}, "pkg/sub/__init__.py pkg/__init__.py __init__.py numpy src/numpy numpy/** src/numpy/**"},
		{"src/a/b.rs", "crate::a::b", []string{"x", "Y"}, "src/lib.rs src/a src/a/b src/a/b/x"},
		{"src/lib.rs", "std::fmt", nil, ""},
		{"java/c/A.java", "c.A", nil, "**/A.java jvm:c"},
		{"java/c/A.java", "java.util.List", nil, "**/List.java jvm:java.util **/util/"},
	} {
		imp := named(specs(c.spec), c.names...)[0]
		if got := strings.Join(r.Resolve(c.from, lang.Detect(c.from, nil), &imp).Probes, " "); got != c.want {
			t.Errorf("%s %s: probes %s, want %s", c.from, c.spec, got, c.want)
		}
	}
}

// TestUnknown asks what cannot be answered.
func TestUnknown(t *testing.T) {
	r := New(newMemTree(map[string][]byte{"a.cob": nil}))
	for lang, spec := range map[code.Lang]string{"cobol": "x", langGo: "", langPython: "a\x00b", "typescript": strings.Repeat("x", maxSpec+1)} {
		if res := r.Resolve("a.cob", lang, &code.Import{Spec: spec}); show(res) != "nothing" || len(res.Probes) > 0 {
			t.Errorf("%s: %+v", lang, res)
		}
	}
}
