package engine_test

import (
	"fmt"
	"math/rand/v2"
	"path"
	"strings"
)

// miniature is a small tree of one language: paths that may exist and how their
// content is made. Names come from a small stock, so that imports lead
// somewhere, names collide and re-exports chain.
type miniature struct {
	name    string
	paths   []string
	content func(rnd *rand.Rand, p string) string
}

func miniatures() []miniature {
	return []miniature{goMiniature(), scriptMiniature(), pythonMiniature(), rustMiniature(), javaMiniature(), kotlinMiniature(), scalaMiniature(), swiftMiniature(), cMiniature(), rubyMiniature(), csharpMiniature(), phpMiniature(), mixedMiniature()}
}

func pick[T any](rnd *rand.Rand, list ...T) T { return list[rnd.IntN(len(list))] }

// some joins n random lines.
func some(rnd *rand.Rand, n int, line func() string) string {
	var b strings.Builder
	for range rnd.IntN(n + 1) {
		b.WriteString(line())
		b.WriteByte('\n')
	}
	return b.String()
}

func name(rnd *rand.Rand, prefix string) string { return fmt.Sprintf("%s%d", prefix, 1+rnd.IntN(4)) }

func goMiniature() miniature {
	return miniature{"go", []string{"go.mod", "go.work", "main.go", "a/a1.go", "a/a2.go", "a/a2_test.go", "a/0.go", "a/zz.go", "a/x_test.go", "b/b1.go", "b/b2.go", "b/sub/s.go", "b/readme.txt",
		"c/go.mod", "c/c.go", "vendor/e.org/e/e.go", "d/data.bin", "d/d.go"}, goContent}
}

func goContent(rnd *rand.Rand, p string) string {
	dir := path.Base(path.Dir(p))
	switch path.Base(p) {
	case "go.mod":
		return pick(rnd, "module m\n", "module m\n\nreplace x => ./c\n", "module n\n", "module x\n", "module m/b\n", "// nothing\n")
	case "go.work":
		return pick(rnd, "go 1.22\nuse .\n", "go 1.22\nuse (\n\t.\n\t./c\n)\n")
	case "readme.txt", "data.bin":
		return pick(rnd, "text\n", "other\n")
	}
	if dir == "." {
		dir = "main"
	}
	var b strings.Builder
	if rnd.IntN(3) == 0 {
		b.WriteString("// Package " + dir + " does things. And more.\n")
	}
	pkg := pick(rnd, dir, dir, dir, dir, dir+"_test", "other")
	b.WriteString("package " + pkg + "\n")
	type imp struct{ local, spec string }
	var imps []imp
	for range rnd.IntN(4) {
		spec := pick(rnd, "m/a", "m/b", "m/b/sub", "x", "m/c", "e.org/e", "fmt", "m/d", "m")
		alias := pick(rnd, "", "", "", "z", "_", ".")
		local := alias
		if alias == "" {
			local = path.Base(spec)
		}
		imps = append(imps, imp{local, spec})
		fmt.Fprintf(&b, "import %s %q\n", alias, spec)
	}
	q := func(n string) string {
		if len(imps) > 0 && rnd.IntN(2) == 0 {
			if m := pick(rnd, imps...); m.local != "_" && m.local != "." {
				return m.local + "." + n
			}
		}
		return n
	}
	b.WriteString(some(rnd, 5, func() string {
		t, f := name(rnd, "T"), name(rnd, "F")
		switch rnd.IntN(8) {
		case 0:
			return fmt.Sprintf("type %s struct {\n\t%s\n\tf%d int\n}", t, q(name(rnd, "T")), rnd.IntN(3))
		case 1:
			return fmt.Sprintf("type %s interface {\n\t%s\n\tM%d()\n}", t, q(name(rnd, "T")), rnd.IntN(3))
		case 2:
			return fmt.Sprintf("func (t *%s) %s() { t.%s(); %s() }", t, name(rnd, "M"), name(rnd, "M"), q(name(rnd, "F")))
		case 3:
			return fmt.Sprintf("func %s(x %s) { x.%s(); _ = %s{} }", f, q(name(rnd, "T")), name(rnd, "M"), q(name(rnd, "T")))
		case 4:
			return fmt.Sprintf("func %s() int { v := %s(); v.%s(); if v != nil { return %d }; return 0 }", f, q("New"+name(rnd, "T")), name(rnd, "M"), rnd.IntN(9))
		case 5:
			return fmt.Sprintf("func New%s() *%s { return nil }", t, t)
		case 6:
			return fmt.Sprintf("var _ %s = %s{}", q(name(rnd, "T")), q(name(rnd, "T")))
		}
		return fmt.Sprintf("const %s = %d", name(rnd, "C"), rnd.IntN(9))
	}))
	return b.String()
}

func scriptMiniature() miniature {
	return miniature{"script", []string{"package.json", "tsconfig.json", "packages/p/package.json", "packages/p/src/index.ts", "packages/p/src/x.ts", "src/index.ts", "src/a.ts", "src/a.d.ts", "src/a/index.ts",
		"src/b.tsx", "src/c.js", "src/d.jsx", "src/e.mjs", "src/a.test.ts", "src/__tests__/c.js", "src/A.ts", "lib/y.ts", "src/data.json", "pnpm-workspace.yaml"}, scriptContent}
}

func scriptContent(rnd *rand.Rand, p string) string {
	switch path.Base(p) {
	case "package.json":
		if p == "package.json" {
			return pick(rnd, `{"name":"root","workspaces":["packages/*"]}`, `{"name":"root"}`, `{"name":"root","imports":{"#a":"./src/a.ts"}}`, `{"name":"root","workspaces":["packages/p"],"exports":"./src/index.ts"}`)
		}
		return pick(rnd, `{"name":"p","main":"src/index.ts"}`, `{"name":"p","exports":{".":"./src/index.ts","./x":"./src/x.ts"}}`, `{"name":"q"}`, `{"name":"p"}`)
	case "tsconfig.json":
		return pick(rnd, `{"compilerOptions":{"baseUrl":"."}}`, `{"compilerOptions":{"paths":{"@/*":["./src/*"]}}}`, `{"compilerOptions":{"baseUrl":".","paths":{"@/*":["./lib/*","./src/*"]}}}`, `{}`)
	case "pnpm-workspace.yaml":
		return pick(rnd, "packages:\n  - packages/*\n", "packages:\n  - lib\n")
	case "data.json":
		return `{"a":1}`
	}
	from := func() string {
		return pick(rnd, "./a", "./b", "./c", "./c.js", "./index", ".", "../src/a", "./x", "p", "p/x", "@/a", "@/y", "lib/y", "react", "./a/index", "./data.json", "#a", "../lib/y", "./d", "fs")
	}
	var b strings.Builder
	if rnd.IntN(4) == 0 {
		b.WriteString("/** @file The module. It does. */\n")
	}
	var locals []string
	b.WriteString(some(rnd, 3, func() string {
		n, l := name(rnd, "C"), name(rnd, "L")
		switch rnd.IntN(8) {
		case 0:
			locals = append(locals, n)
			return fmt.Sprintf("import { %s, f1 } from '%s'", n, from())
		case 1:
			locals = append(locals, l)
			return fmt.Sprintf("import { %s as %s } from '%s'", n, l, from())
		case 2:
			locals = append(locals, "ns."+n)
			return fmt.Sprintf("import * as ns from '%s'", from())
		case 3:
			locals = append(locals, l)
			return fmt.Sprintf("import %s from '%s'", l, from())
		case 4:
			return fmt.Sprintf("import '%s'", from())
		case 5:
			locals = append(locals, n)
			return fmt.Sprintf("import type { %s } from '%s'", n, from())
		case 6:
			locals = append(locals, n)
			return fmt.Sprintf("const { %s } = require('%s')", n, from())
		}
		return fmt.Sprintf("const later = import('%s')", from())
	}))
	any := func() string {
		if len(locals) > 0 && rnd.IntN(4) > 0 {
			return pick(rnd, locals...)
		}
		return name(rnd, "C")
	}
	b.WriteString(some(rnd, 5, func() string {
		n, f := name(rnd, "C"), fmt.Sprintf("f%d", rnd.IntN(3))
		switch rnd.IntN(11) {
		case 0:
			return fmt.Sprintf("export class %s extends %s { %s() { return this.%s() + %s.x } }", n, any(), f, f, any())
		case 1:
			return fmt.Sprintf("class %s implements %s { a = new %s() }", n, any(), any())
		case 2:
			return fmt.Sprintf("export interface %s extends %s { x: %s }", n, any(), any())
		case 3:
			return fmt.Sprintf("export default class %s extends %s {}", n, any())
		case 4:
			return fmt.Sprintf("export * from '%s'", from())
		case 5:
			return fmt.Sprintf("export { %s, %s as %s } from '%s'", n, name(rnd, "C"), name(rnd, "C"), from())
		case 6:
			return fmt.Sprintf("export * as %s from '%s'", n, from())
		case 7:
			return fmt.Sprintf("export { %s }", any())
		case 8:
			return fmt.Sprintf("export function %s(a: number = %d) { return %s(a) && a > %d }", f, rnd.IntN(9), any(), rnd.IntN(3))
		case 9:
			return fmt.Sprintf("export default %s", any())
		}
		return fmt.Sprintf("export { default as %s } from '%s'", n, from())
	}))
	return b.String()
}

func pythonMiniature() miniature {
	return miniature{"python", []string{"pyproject.toml", "setup.cfg", "pkg/__init__.py", "pkg/a.py", "pkg/b.py", "pkg/a/__init__.py", "pkg/sub/__init__.py", "pkg/sub/c.py", "src/pkg/__init__.py", "src/pkg/a.py",
		"tests/test_a.py", "tests/a.py", "ns/x.py", "top.py", "pkg/b.pyi", "tool", "conftest.py"}, pythonContent}
}

func pythonContent(rnd *rand.Rand, p string) string {
	switch p {
	case "pyproject.toml":
		return pick(rnd, "[tool.setuptools.packages.find]\nwhere = [\"src\"]\n", "[project]\nname = \"pkg\"\n", "[tool.setuptools]\npackage-dir = {\"\" = \"src\"}\n")
	case "setup.cfg":
		return pick(rnd, "[options]\npackage_dir =\n    = src\n", "[metadata]\nname = pkg\n")
	case "tool":
		return pick(rnd, "#!/usr/bin/env python3\nimport pkg.a\n", "#!/bin/sh\necho\n", "plain\n")
	}
	var b strings.Builder
	if rnd.IntN(3) == 0 {
		b.WriteString("\"\"\"The module. More.\"\"\"\n")
	}
	var locals []string
	b.WriteString(some(rnd, 4, func() string {
		n := name(rnd, "C")
		mod := pick(rnd, ".a", ".", ".b", "..", "..a", ".sub", "pkg", "pkg.a", "pkg.sub.c", "ns.x", "pkg.b", "os", "numpy", "top", "..sub.c")
		switch rnd.IntN(7) {
		case 0:
			locals = append(locals, n)
			return fmt.Sprintf("from %s import %s", mod, n)
		case 1:
			s := pick(rnd, "a", "b", "c", "sub")
			locals = append(locals, s+"."+n)
			return fmt.Sprintf("from %s import %s", mod, s)
		case 2:
			return fmt.Sprintf("from %s import *", mod)
		case 3:
			m := strings.TrimLeft(mod, ".")
			if m == "" {
				m = "pkg"
			}
			locals = append(locals, m+"."+n)
			return "import " + m
		case 4:
			m := strings.TrimLeft(mod, ".")
			if m == "" {
				m = "pkg"
			}
			locals = append(locals, "z."+n)
			return "import " + m + " as z"
		case 5:
			locals = append(locals, "L"+n)
			return fmt.Sprintf("from %s import %s as L%s", mod, n, n)
		}
		return fmt.Sprintf("if True:\n    from %s import %s, a", mod, n)
	}))
	any := func() string {
		if len(locals) > 0 && rnd.IntN(4) > 0 {
			return pick(rnd, locals...)
		}
		return name(rnd, "C")
	}
	b.WriteString(some(rnd, 5, func() string {
		n := name(rnd, "C")
		switch rnd.IntN(7) {
		case 0, 1:
			return fmt.Sprintf("class %s(%s):\n    x = %d\n    def f%d(self):\n        return self.f1() or %s()", n, any(), rnd.IntN(9), rnd.IntN(3), any())
		case 2:
			return fmt.Sprintf("def %s(x: %s = None):\n    y = %s()\n    return y.f1()", pick(rnd, n, "a", "b", "sub", "test_x"), any(), any())
		case 3:
			return fmt.Sprintf("__all__ = [\"%s\", \"%s\"]", n, pick(rnd, "a", "C1", "C2"))
		case 4:
			return fmt.Sprintf("%s = %d", pick(rnd, n, "a", "c"), rnd.IntN(9))
		case 5:
			return fmt.Sprintf("@%s\ndef g%d(): pass", any(), rnd.IntN(3))
		}
		return any() + "()"
	}))
	return b.String()
}

func rustMiniature() miniature {
	return miniature{"rust", []string{"Cargo.toml", "x/Cargo.toml", "x/src/lib.rs", "x/src/main.rs", "x/src/a.rs", "x/src/a/mod.rs", "x/src/a/b.rs", "x/src/c.rs", "y/Cargo.toml", "y/src/lib.rs", "y/src/a.rs", "x/tests/t.rs", "x/examples/e.rs"}, rustContent}
}

func rustContent(rnd *rand.Rand, p string) string {
	switch p {
	case "Cargo.toml":
		return pick(rnd, "[workspace]\nmembers = [\"x\", \"y\"]\n", "[workspace]\nmembers = [\"x\"]\n", "[workspace]\nmembers = [\"*\"]\n[workspace.dependencies]\ny = { path = \"y\" }\n")
	case "x/Cargo.toml":
		return pick(rnd, "[package]\nname = \"x\"\n[dependencies]\ny = { path = \"../y\" }\n", "[package]\nname = \"x\"\n", "[package]\nname = \"x\"\n[dependencies]\ny.workspace = true\n", "[package]\nname = \"x\"\n[lib]\npath = \"src/a.rs\"\n")
	case "y/Cargo.toml":
		return pick(rnd, "[package]\nname = \"y\"\n", "[package]\nname = \"yy\"\n[lib]\nname = \"y\"\n")
	}
	var b strings.Builder
	if rnd.IntN(3) == 0 {
		b.WriteString("//! The module. More.\n")
	}
	b.WriteString(some(rnd, 3, func() string { return pick(rnd, "mod a;", "pub mod b;", "mod c;", "pub(crate) mod a;") }))
	b.WriteString(some(rnd, 4, func() string {
		n := pick(rnd, name(rnd, "T"), name(rnd, "T"), "*", "{T1, T2 as L}", "f1")
		mod := pick(rnd, "crate::a", "crate", "super", "self::a", "y", "y::a", "x", "crate::a::b", "x::a", "std::fmt", "a", "crate::c", "serde")
		return pick(rnd, "use ", "pub use ", "use ", "pub(crate) use ") + mod + "::" + n + ";"
	}))
	any := func() string {
		return pick(rnd, name(rnd, "T"), name(rnd, "T"), "crate::a::"+name(rnd, "T"), "super::"+name(rnd, "T"), "y::"+name(rnd, "T"))
	}
	b.WriteString(some(rnd, 5, func() string {
		t := name(rnd, "T")
		switch rnd.IntN(7) {
		case 0:
			return fmt.Sprintf("pub struct %s { pub f: %s }", t, any())
		case 1:
			return fmt.Sprintf("pub trait %s: %s { fn m%d(&self) -> %s; }", t, any(), rnd.IntN(3), any())
		case 2:
			return fmt.Sprintf("impl %s for %s { fn m%d(&self) { self.m1(); %s::new(); } }", any(), any(), rnd.IntN(3), any())
		case 3:
			return fmt.Sprintf("impl %s { pub fn new() -> Self { f1(); if %d > 1 { f2() } } }", t, rnd.IntN(4))
		case 4:
			return fmt.Sprintf("pub fn f%d(x: &%s) { x.m1(); %s::new(); }", rnd.IntN(3), any(), any())
		case 5:
			return fmt.Sprintf("pub enum %s { A, B(%s) }", t, any())
		}
		return "#[cfg(test)]\nmod tests { use super::*; #[test] fn t() { f1(); } }"
	}))
	return b.String()
}

func javaMiniature() miniature {
	return miniature{"java", []string{"src/main/java/p/T1.java", "src/main/java/p/T2.java", "src/main/java/p/q/T3.java", "src/main/java/p/q/T1.java", "src/test/java/p/T1Test.java", "src/test/java/p/T4.java",
		"other/src/main/java/p/T2.java", "other/src/main/java/p/T4.java", "x/T1.java", "other/src/main/java/p/package-info.java"}, javaContent}
}

func javaContent(rnd *rand.Rand, p string) string {
	pkg := "p"
	if i := strings.Index(p, "java/"); i >= 0 {
		pkg = strings.ReplaceAll(path.Dir(p[i+5:]), "/", ".")
	}
	var b strings.Builder
	switch rnd.IntN(8) {
	case 0:
	case 1:
		b.WriteString("package p.q;\n")
	case 2:
		b.WriteString("package other;\n")
	default:
		b.WriteString("package " + pkg + ";\n")
	}
	b.WriteString(some(rnd, 3, func() string {
		return pick(rnd, "import p."+name(rnd, "T")+";", "import p.q."+name(rnd, "T")+";", "import p.*;", "import p.q.*;", "import other.*;", "import static p."+name(rnd, "T")+".m1;", "import static p.q.T3.*;", "import java.util.List;", "import org.junit.Test;", "import other.T1;", "import p.T1.In;")
	}))
	class := strings.TrimSuffix(path.Base(p), ".java")
	if rnd.IntN(4) == 0 {
		class = name(rnd, "T")
	}
	t := func() string { return pick(rnd, name(rnd, "T"), name(rnd, "T"), "p."+name(rnd, "T"), "In") }
	fmt.Fprintf(&b, "/** Class. More. */\npublic %s %s %s {\n", pick(rnd, "class", "class", "class", "interface", "enum"), class, pick(rnd, "", "extends "+t(), "implements "+t(), "extends "+t()+" implements "+t()))
	b.WriteString(some(rnd, 4, func() string {
		return pick(rnd, fmt.Sprintf("  %s f%d;", t(), rnd.IntN(3)), fmt.Sprintf("  public void m%d(%s x) { x.m1(); m2(); this.m1(); new %s(); }", rnd.IntN(3), t(), t()),
			fmt.Sprintf("  static class In extends %s {}", t()), fmt.Sprintf("  @Test public void test%d() { %s.m1(); }", rnd.IntN(3), name(rnd, "T")), fmt.Sprintf("  static int m1() { return %d; }", rnd.IntN(9)))
	}))
	b.WriteString("}\n")
	return b.String()
}

// mixedMiniature is documents, data and build files that name each other, and
// code of several languages they are about.
func mixedMiniature() miniature {
	return miniature{"mixed", []string{"README.md", "docs/guide.md", "docs/a/README.md", "Makefile", "build/rules.mk", "Dockerfile", "web/Dockerfile", ".github/workflows/ci.yml", ".github/actions/x/action.yml",
		"compose.yaml", "package.json", "tool.toml", "hack/run.sh", "web/run.sh", "src/a.ts", "src/a/index.ts", "pkg/x.go", "pkg/x.pb.go", "pkg/x.proto", "proto/pkg/x.proto", "pkg/y.proto", "pkg/x_pb2.py", "k8s/kustomization.yaml", "k8s/app.yaml", "k8s/base/kustomization.yaml",
		"web/index.html", "web/app.js", "web/style.css", "web/other.css", "public/app.js", "web/_part.scss", "web/main.scss", "web/part.scss", "tf/main.tf", "tf/mod/main.tf", "tf/mod/out.tf", "tf/mod/a/main.tf",
		"db/schema.sql", "db/more.sql", "models/user.py", "models/user.ts", "src/App.vue", "src/Part.vue", "src/Part.svelte", "src/__tests__/Part.spec.ts"}, mixedContent}
}

func mixedContent(rnd *rand.Rand, p string) string {
	file := func() string {
		return pick(rnd, "docs/guide.md", "guide.md", "../README.md", "a", "docs/a", "hack/run.sh", "./run.sh", "./hack/run.sh", "web", "./web", "pkg/x.go", "src/a.ts", "x.proto", "pkg/x.proto", "pkg/y.proto", "/docs/guide.md", "app.js", "/app.js", "style.css",
			"./.github/actions/x", "base", "app.yaml", "rules.mk", "build/rules.mk", "index.html", "part", "./mod", "./mod/a", "../mod", "other.css", "nowhere.md", "db/schema.sql", "package.json", "src/a")
	}
	n := func() string { return pick(rnd, "a", "b", "users", "User", "x1") }
	lines := func(line func() string) string { return some(rnd, 6, line) }
	switch ext := path.Ext(p); ext {
	case ".md":
		return lines(func() string {
			return pick(rnd, "# "+n(), "## "+n(), n()+"\n---", "```", "see ["+n()+"]("+file()+")", "in `"+file()+":3`", "- "+n(), "[r]: "+file())
		})
	case ".yaml", ".yml":
		return lines(func() string {
			return pick(rnd, n()+": "+n(), "build: "+file(), "jobs:\n  "+n()+":\n    steps:\n    - run: "+file()+"\n    - uses: "+file(), "---", "apiVersion: v1", "kind: Pod", "metadata:\n  name: "+n(), "resources:\n- "+file(), "x: |\n  y: z")
		})
	case ".json":
		return pick(rnd, `{"name":"root"}`, `{"main":"`+file()+`","scripts":{"`+n()+`":"`+file()+`"}}`, `{"a":`)
	case ".toml":
		return lines(func() string { return pick(rnd, "["+n()+"]", n()+" = 1", "path = \""+file()+"\"") })
	case ".mk", "":
		if strings.HasSuffix(p, "Dockerfile") {
			return lines(func() string {
				return pick(rnd, "FROM golang AS "+n(), "FROM "+n(), "COPY "+file()+" /x", "COPY --from="+n()+" a b", "RUN "+file(), "ENV "+n()+"=1")
			})
		}
		return lines(func() string {
			return pick(rnd, n()+": "+n()+"\n\t"+file(), "include "+file(), "-include "+file(), n()+" := 1")
		})
	case ".sh":
		return pick(rnd, "#!/bin/sh\n", "echo\n")
	case ".go":
		return pick(rnd, "package pkg\n", "// Code generated by protoc-gen-go. DO NOT EDIT.\n// source: "+file()+"\n\npackage pkg\n\ntype A struct{}\n", "package pkg\n\nfunc (a *A) TableName() string { return \""+n()+"\" }\n")
	case ".py":
		return pick(rnd, "class User(Base):\n    __tablename__ = \""+n()+"\"\n", "class "+n()+": pass\n", "# Generated by the protocol buffer compiler.  DO NOT EDIT!\n# source: "+file()+"\nx = 1\n")
	case ".ts", ".js":
		return lines(func() string {
			return pick(rnd, "import { a } from './"+file()+"'", "import Part from './Part.vue'", "import P from '../Part.svelte'", "export const a = 1", "@Entity('"+n()+"')\nexport class User {}", "export default function "+n()+"() {}")
		})
	case ".html":
		return lines(func() string {
			return pick(rnd, `<script src="`+file()+`"></script>`, `<link rel="stylesheet" href="`+file()+`">`, `<div id="`+n()+`">`, `<a href="`+file()+`">`, `<script>`, `</script>`, `<!--`)
		})
	case ".css", ".scss":
		return lines(func() string {
			return pick(rnd, `@import "`+file()+`";`, "."+n()+" { color: red }", "#"+n()+" {", "}", `@use "`+file()+`";`, ".x { background: url("+file()+") }", ":root { --"+n()+": 1 }")
		})
	case ".proto":
		return lines(func() string {
			return pick(rnd, `import "`+file()+`";`, "message "+n()+" { string "+n()+" = 1; }", "service "+n()+" { rpc X("+n()+") returns ("+n()+"); }", "package p;", "enum "+n()+" { A = 0; }")
		})
	case ".tf":
		return lines(func() string {
			return pick(rnd, "module \""+n()+"\" {\n  source = \""+file()+"\"\n}", "variable \""+n()+"\" {}", "resource \"t\" \""+n()+"\" {\n  x = var."+n()+"\n}", "locals {\n  "+n()+" = 1\n}")
		})
	case ".sql":
		return lines(func() string {
			return pick(rnd, "CREATE TABLE "+n()+" (id int, name text);", "create view "+n()+" as select 1;", "CREATE FUNCTION "+n()+"() RETURNS int;", "-- "+n(), "CREATE INDEX i ON "+n()+" (id);", "ALTER TABLE "+n()+" ADD COLUMN c int;")
		})
	case ".vue", ".svelte":
		return lines(func() string {
			return pick(rnd, "<script setup lang=\"ts\">\nimport Part from './Part.vue'\nimport { a } from './a'\nconst "+n()+" = a()\n</script>", "<template><Part/> <part-x/> {{ a }}</template>", "<script>\nimport Part from './Part.svelte'\nexport let "+n()+"\n</script>", "<Part on:click={a}/>", "<style>.a{}</style>", "<div>")
		})
	}
	return "text\n"
}
