package lang

import (
	"strings"
	"testing"

	"ken/internal/code"
)

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		path, head string
		want       code.Lang
	}{
		{"a.go", "", "go"},
		{"src/App.tsx", "", "typescript"}, {"a.mts", "", "typescript"}, {"a.cts", "", "typescript"}, {"x.d.ts", "", "typescript"},
		{"a.jsx", "", "javascript"}, {"a.mjs", "", "javascript"}, {"a.cjs", "", "javascript"},
		{"a.py", "", "python"}, {"a.pyi", "", "python"}, {"a.pyw", "", "python"},
		{"a.rs", "", "rust"}, {"A.java", "", "java"}, {"A.JAVA", "", "java"},
		{"pkg/Dockerfile", "", "dockerfile"}, {"Dockerfile.dev", "", "dockerfile"},
		{"Makefile", "", "makefile"}, {"makefile", "", "makefile"}, {"Makefile.am", "", "makefile"},
		{"CMakeLists.txt", "", "cmake"}, {"notes.txt", "", "text"},
		{"go.mod", "", "go-module"}, {"go.sum", "", "go-module"},
		{"views/a.blade.php", "", "blade"}, {"a.php", "", "php"},
		{"bin/run", "#!/usr/bin/env python3.12\n", "python"},
		{"bin/run", "#!/usr/bin/env -S FOO=1 node --x\n", "javascript"},
		{"bin/run", "#!/bin/sh -e\n", "shell"}, {"bin/run", "#! /bin/bash", "shell"},
		{"bin/run", "#!", ""}, {"bin/run", "", ""}, {"bin/run", "#!/usr/bin/env\n", ""},
		{"a.h", "#include <stdio.h>\nint f(void);\n", "c"},
		{"a.h", "#pragma once\nnamespace a {\nclass B {\n public:\n};}\n", "cpp"},
		{"a.h", strings.Repeat("#define A 1\n", 2000) + "namespace a {\n}\n", "cpp"},
		{"a.h", strings.Repeat("#define A 1\n", 2000) + "// a::b\nint f(void);\n", "c"},
		{"a.h", "#pragma once\nenum class A { B };\n", "cpp"},
		{"a.h", "/* an enum class of C */\nenum cls { B };\n", "c"},
		{"a.h", "#import <Foundation/Foundation.h>\n@interface A\n", "objective-c"},
		{"a.m", "function y = f(x)\ny = x;\n", "matlab"}, {"a.m", "#import \"a.h\"\n", "objective-c"},
		{"de.ts", "<?xml version=\"1.0\"?><!DOCTYPE TS>", "xml"},
		{".gitignore", "", "ignore"}, {"a/.bashrc", "", "shell"}, {"OWNERS", "", "yaml"},
		{"weird\n\xff.py", "", "python"}, {"noext.", "", ""}, {"", "", ""}, {".", "", ""},
	} {
		if got := Detect(c.path, []byte(c.head)); got != c.want {
			t.Errorf("Detect(%q, %q) = %q, want %q", c.path, c.head, got, c.want)
		}
	}
}

func TestTable(t *testing.T) {
	seen := map[string]code.Lang{}
	once := func(key string, l code.Lang) {
		if o, ok := seen[key]; ok {
			t.Errorf("%s stands in rows %s and %s", key, o, l)
		}
		seen[key] = l
	}
	for _, row := range All() {
		once("name "+string(row.Name), row.Name)
		for _, e := range row.Extensions {
			once("extension "+e, row.Name)
			if e[0] != '.' || e != strings.ToLower(e) {
				t.Errorf("extension %q of %s: want a dot and lower case", e, row.Name)
			}
		}
		for _, n := range row.Names {
			once("file "+strings.ToLower(n), row.Name)
		}
		for _, n := range row.Interpreters {
			once("program "+n, row.Name)
		}
	}
	for _, l := range []code.Lang{"go", "typescript", "javascript", "python", "rust", "java", "ruby", "c", "cpp", "csharp", "php", "kotlin", "scala"} {
		if LanguageTier(l) != Full {
			t.Errorf("tier of %s = %d, want Full", l, LanguageTier(l))
		}
	}
	if LanguageTier("no such") != None {
		t.Error("an unknown language has a tier")
	}
	if row := Of("go"); !row.IsKnown() || row.Line[0] != "//" {
		t.Errorf("Of(go) = %v", row)
	}
}

func TestIsConfig(t *testing.T) {
	for _, p := range strings.Fields("go.mod a/go.work package.json x/pnpm-workspace.yaml lerna.json tsconfig.json tsconfig.build.json a/jsconfig.json Cargo.toml pyproject.toml setup.cfg setup.py pom.xml build.gradle build.gradle.kts settings.gradle settings.gradle.kts a/x.gemspec x.cabal pubspec.yaml mix.exs") {
		if !IsConfig(p) {
			t.Errorf("IsConfig(%q) = false", p)
		}
	}
	for _, p := range strings.Fields("go.sum mypackage.json package.json.bak tsconfig.ts a/tsconfig.json/x setup.py/x main.go") {
		if IsConfig(p) {
			t.Errorf("IsConfig(%q) = true", p)
		}
	}
}

func FuzzDetect(f *testing.F) {
	f.Add("a.h", []byte("#!x"))
	f.Add("Dockerfile.\xff", []byte("#!/usr/bin/env -S"))
	f.Fuzz(func(t *testing.T, p string, head []byte) {
		if l := Detect(p, head); l != "" {
			if !Of(l).IsKnown() {
				t.Errorf("Detect(%q) = %q, which is no row", p, l)
			}
		}
	})
}
