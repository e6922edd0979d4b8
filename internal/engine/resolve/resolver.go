package resolve

import (
	"strings"

	"ken/internal/code"
)

// Resolver resolves imports for one state of the tree. It caches parsed configuration and results, so it must be dropped
// after an update, and it is not safe for concurrent use.
type Resolver struct {
	golang *goResolver
	script *scriptResolver
	python *pythonResolver
	rust   *rustResolver
	java   *javaResolver
	kotlin *kotlinResolver
	scala  *scalaResolver
	swift  *swiftResolver
	ruby   *rubyResolver
	plain  *plainResolver
	files  *fileResolver
	csharp *csharpResolver
	php    *phpResolver
	c      *cResolver
}

// New returns a resolver over t. It reads no files before the first call of Resolve.
func New(t Tree) *Resolver {
	return &Resolver{
		golang: &goResolver{t: t, owners: map[string]int{}, memo: map[goQuery]Result{}},
		script: newScript(t),
		python: &pythonResolver{t: t, roots: map[string][]string{}, memo: map[pyQuery]pyModule{}},
		rust:   &rustResolver{t: t, nearest: map[string]*crate{}, memo: map[rustQuery]rustPlace{}},
		java:   &javaResolver{t: t, memo: map[javaQuery]Result{}},
		kotlin: &kotlinResolver{t: t, memo: map[javaQuery]Result{}},
		scala:  &scalaResolver{t: t, memo: map[scalaQuery]Result{}},
		swift:  &swiftResolver{t: t, memo: map[swiftQuery]Result{}},
		ruby:   &rubyResolver{t: t, names: map[string]bool{}, byDir: map[string]rubyPath{}, memo: map[rubyQuery]Result{}},
		plain:  &plainResolver{t: t, memo: map[plainQuery]Result{}},
		files:  &fileResolver{t: t, memo: map[fileQuery]Result{}},
		csharp: &csharpResolver{t: t, memo: map[csQuery]Result{}, usings: map[int]Usings{}},
		php:    &phpResolver{t: t, memo: map[phpQuery]Result{}},
		c:      &cResolver{t: t, memo: map[cQuery]Result{}},
	}
}

// Resolve returns the target of imp, an import of the file from. It never fails: for an unknown import it returns the zero Result.
func (r *Resolver) Resolve(from string, lang code.Lang, imp *code.Import) Result {
	if imp.Spec == "" || len(imp.Spec) > maxSpec || strings.IndexByte(imp.Spec, 0) >= 0 {
		return Result{}
	}
	switch imp.Kind {
	case code.ImportMention, code.ImportOrigin:
		return r.files.resolve(from, lang, imp)
	case code.ImportTable: // not a path: the linker finds the tables of the repository
		return Result{}
	}
	switch lang {
	case langGo:
		return r.golang.resolve(from, imp)
	case langPython:
		return r.python.resolve(from, imp)
	case langRust:
		return r.rust.resolve(from, imp)
	case langJava:
		return r.java.resolve(from, imp)
	case langKotlin:
		return r.kotlin.resolve(from, imp)
	case langScala:
		return r.scala.resolve(from, imp)
	case langSwift:
		return r.swift.resolve(from, imp)
	case langRuby:
		return r.ruby.resolve(from, imp)
	case langCSharp:
		return r.csharp.resolve(from, imp)
	case langPHP:
		return r.php.resolve(from, imp)
	case langC, langCPP:
		return r.c.resolve(from, imp)
	case "typescript", "javascript", "vue", "svelte", "astro":
		return r.script.resolve(from, imp)
	case "markdown", "yaml", "json", "toml", "makefile", "dockerfile", "html", "css", "scss", "sass", "less", "proto", "hcl":
		return r.files.resolve(from, lang, imp)
	}
	if rule, ok := plainRules[lang]; ok {
		return r.plain.resolve(rule, from, lang, imp)
	}
	return Result{}
}

// ProjectUsings returns the imports that a C# project adds to its file from.
func (r *Resolver) ProjectUsings(from string, lang code.Lang) Usings {
	if lang != langCSharp {
		return Usings{}
	}
	return r.csharp.projectUsings(from)
}

// Sees reports whether code of the file from can use declarations of the file to. It is false only if C#
// project files forbid it. The answer depends on configuration files alone.
func (r *Resolver) Sees(from string, lang code.Lang, to string) bool {
	return lang != langCSharp || r.csharp.sees(from, to)
}

// RankDirs sorts package directories by how likely a file in dir uses them.
func (r *Resolver) RankDirs(dirs []string, dir string) { rankJava(dirs, dir) }
