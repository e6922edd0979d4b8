// Package resolve finds the file that an import names: one file per ecosystem
// (golang.go, typescript.go, python.go, rust.go, java.go, ruby.go, csharp.go, php.go, c.go; files.go for all
// whose imports are paths), each a reading of
// that ecosystem's own rules. It is pure: everything it knows comes through
// Tree, and every question is written down as a probe, so that the engine can
// tell which imports an added or deleted file may change. Its neighbour
// engine/extract reads the imports; engine/graph turns results into edges.
package resolve

import (
	"path"
	"strings"

	"ken/internal/code"
)

// Result says where one import leads. A zero Result, probes aside, is an import
// that points inside the repository at nothing that is indexed. Results share
// memory between calls: do not change them.
type Result struct {
	// File is the file the specifier names, "" if none: "./db" → src/db.ts.
	File string
	// Dir is the package directory the specifier names (Go package, Java
	// wildcard, Python namespace package). With IsDir the engine picks the files
	// in it that declare the names used.
	Dir   string
	IsDir bool
	// Dirs are all directories of a Java wildcard import, the likeliest (Dir)
	// first.
	Dirs []string
	// Package is the package whose files hold what is imported, wherever they lie
	// (C#, PHP), "" with IsPackage for what is in none. The engine picks the files
	// that declare the names used. External may be set beside it: a repository
	// adds to a namespace of the standard library.
	Package   string
	IsPackage bool
	// Declared is the name of a package that is meant, wherever it is declared
	// (Kotlin, Scala; Java for what has no file of its name). The engine picks the
	// files that declare it.
	Declared Declared
	// Nearer go before all else, in this order, if they are declared (Scala).
	Nearer []Declared
	// Subs are the imported names that are files themselves: `from pkg import
	// mod` → pkg/mod.py. A declaration of that name in File goes first in
	// Python; the engine decides, because only it knows the declarations.
	Subs map[string]string
	// External is the package outside the repository: "react", "@scope/x",
	// "numpy", "serde", "org.junit"; for a standard library the import path.
	External string
	// Std marks External as part of the language's standard library.
	Std bool
	// Probes are the keys (see Keys) whose appearance or disappearance could
	// change this result. Configuration files are not among them: when the
	// Digest of one changes, or one appears or disappears, all imports of its
	// Ecosystem are to be resolved again.
	Probes []string
}

// Limits that keep hostile input cheap.
const (
	maxSpec     = 4096    // bytes of a specifier
	maxSegments = 64      // segments of a specifier or path that are walked
	maxConfig   = 4 << 20 // bytes of a configuration file; a larger one counts as empty
	maxDepth    = 64      // nesting of configuration values
	maxExtends  = 16      // length of a chain of extends
)

// The languages that have a resolver.
const (
	langGo     code.Lang = "go"
	langPython code.Lang = "python"
	langRust   code.Lang = "rust"
	langJava   code.Lang = "java"
	langKotlin code.Lang = "kotlin"
	langScala  code.Lang = "scala"
	langSwift  code.Lang = "swift"
	langRuby   code.Lang = "ruby"
	langCSharp code.Lang = "csharp"
	langPHP    code.Lang = "php"
	langC      code.Lang = "c"
	langCPP    code.Lang = "cpp"

	langDart    code.Lang = "dart"
	langElixir  code.Lang = "elixir"
	langHaskell code.Lang = "haskell"
	langLua     code.Lang = "lua"
	langOCaml   code.Lang = "ocaml"
	langShell   code.Lang = "shell"
	langZig     code.Lang = "zig"
)

// scriptLangs are the languages that share the resolver of JavaScript.
func scriptLangs() []code.Lang {
	return []code.Lang{"typescript", "tsx", "javascript", "jsx", "vue", "svelte", "astro"}
}

// Resolver answers for one state of the tree. It caches parsed configuration
// and results, so it must be dropped after an update, and it is not safe for
// concurrent use.
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

// New makes a resolver over t. It reads nothing before the first Resolve.
func New(t Tree) *Resolver {
	return &Resolver{
		golang: newGo(t),
		script: newScript(t),
		python: newPython(t),
		rust:   newRust(t),
		java:   newJava(t),
		kotlin: newKotlin(t),
		scala:  newScala(t),
		swift:  newSwift(t),
		ruby:   newRuby(t),
		plain:  newPlain(t),
		files:  newFiles(t),
		csharp: newCSharp(t),
		php:    newPHP(t),
		c:      newC(t),
	}
}

// Resolve says where imp, an import of the file from, leads. It is total: an
// import nothing is known about gives the zero Result.
func (r *Resolver) Resolve(from string, lang code.Lang, imp *code.Import) Result {
	if imp.Spec == "" || len(imp.Spec) > maxSpec || strings.IndexByte(imp.Spec, 0) >= 0 {
		return Result{}
	}
	switch imp.Kind {
	case code.ImportMention, code.ImportOrigin:
		return r.files.resolve(from, lang, imp)
	case code.ImportTable: // no path: the tables of the repository are asked
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
	case langDart, langElixir, langHaskell, langLua, langOCaml, langShell, langZig:
		return r.plain.resolve(from, lang, imp)
	case "typescript", "tsx", "javascript", "jsx", "vue", "svelte", "astro":
		return r.script.resolve(from, imp)
	case "markdown", "yaml", "json", "toml", "makefile", "dockerfile", "html", "css", "scss", "sass", "less", "proto", "hcl":
		return r.files.resolve(from, lang, imp)
	}
	return Result{}
}

// Usings are the imports that files have without writing them.
type Usings struct {
	Imports []code.Import
	Files   []string // files whose re-exports are meant as well
	Probes  []string // as of a Result
}

// Implied are the imports a project gives the file from (C#).
func (r *Resolver) Implied(from string, lang code.Lang) Usings {
	if lang != langCSharp {
		return Usings{}
	}
	return r.csharp.implied(from)
}

// Sees reports whether the file from can name what the file to declares, as far
// as projects tell (C#). Configuration files alone decide it.
func (r *Resolver) Sees(from string, lang code.Lang, to string) bool {
	return lang != langCSharp || r.csharp.sees(from, to)
}

// configKind says which reader a configuration file has.
type configKind uint8

const (
	configNone configKind = iota
	configGoMod
	configGoWork
	configPackage   // package.json
	configTS        // tsconfig.json and its like
	configPnpm      // pnpm-workspace.yaml
	configLerna     // lerna.json
	configCargo     // Cargo.toml
	configPyproject // pyproject.toml
	configSetupCfg
	configSetupPy
	configGemspec
	configSwift    // Package.swift
	configMSBuild  // *.csproj, Directory.Build.props
	configComposer // composer.json
	configCompile  // compile_commands.json
	configPubspec  // pubspec.yaml
	configMix      // mix.exs
	configCabal    // *.cabal
)

// configNames and configExtensions are how configuration files are known; a
// TypeScript configuration is known by a part of its name.
var (
	configNames = map[string]configKind{
		"go.mod": configGoMod, "go.work": configGoWork,
		"package.json": configPackage, "pnpm-workspace.yaml": configPnpm, "lerna.json": configLerna,
		"Cargo.toml":     configCargo,
		"pyproject.toml": configPyproject, "setup.cfg": configSetupCfg, "setup.py": configSetupPy,
		"Package.swift":         configSwift,
		"compile_commands.json": configCompile,
		"Directory.Build.props": configMSBuild, "Directory.Build.targets": configMSBuild,
		"composer.json": configComposer,
		"pubspec.yaml":  configPubspec,
		"mix.exs":       configMix,
	}
	configExtensions = map[string]configKind{".csproj": configMSBuild, ".gemspec": configGemspec, ".cabal": configCabal}
)

func kindOf(p string) configKind {
	base := path.Base(p)
	if k, ok := configNames[base]; ok {
		return k
	}
	if k, ok := configExtensions[path.Ext(base)]; ok {
		return k
	}
	if strings.HasSuffix(base, ".json") && (strings.Contains(base, "tsconfig") || strings.Contains(base, "jsconfig")) {
		return configTS
	}
	return configNone
}

// IsConfig reports whether the content of a file matters to resolution.
func IsConfig(path string) bool { return kindOf(path) != configNone }

// Ecosystem is the languages whose imports a configuration file can redirect,
// nil if path is not one.
func Ecosystem(path string) []code.Lang {
	switch kindOf(path) {
	case configNone:
		return nil
	case configGoMod, configGoWork:
		return []code.Lang{langGo}
	case configCargo:
		return []code.Lang{langRust}
	case configPyproject, configSetupCfg, configSetupPy:
		return []code.Lang{langPython}
	case configGemspec:
		return []code.Lang{langRuby}
	case configSwift:
		return []code.Lang{langSwift}
	case configMSBuild:
		return []code.Lang{langCSharp}
	case configComposer:
		return []code.Lang{langPHP}
	case configCompile:
		return []code.Lang{langC, langCPP}
	case configPubspec:
		return []code.Lang{langDart}
	case configMix:
		return []code.Lang{langElixir}
	case configCabal:
		return []code.Lang{langHaskell}
	}
	return scriptLangs()
}

// Digest is the part of a configuration file that matters to resolution, in a
// canonical form: an edit that leaves it equal changes no result. It is never
// nil for a configuration file, so that a missing file (nil) differs from an
// empty one; it is nil for any other file.
func Digest(path string, content []byte) []byte {
	if len(content) > maxConfig {
		content = nil
	}
	switch kindOf(path) {
	case configGoMod, configGoWork:
		return canonical(parseGoMod(content))
	case configPackage:
		return canonical(parsePackageJSON(content))
	case configTS:
		return canonical(parseTSConfig(content))
	case configPnpm:
		return canonical(parsePnpm(content))
	case configLerna:
		return canonical(parseLerna(content))
	case configCargo:
		return canonical(parseCargo(content))
	case configPyproject:
		return canonical(parsePyproject(content))
	case configSetupCfg:
		return canonical(parseSetupCfg(content))
	case configSetupPy:
		return canonical(parseSetupPy(content))
	case configGemspec:
		return canonical(parseGemspec(content))
	case configSwift:
		return canonical(parseSwiftPackage(content))
	case configMSBuild:
		return canonical(parseMSBuild(content))
	case configComposer:
		return canonical(parseComposer(content))
	case configCompile:
		return canonical(parseCompileCommands(content))
	case configPubspec:
		return canonical(parsePubspec(content))
	case configMix: // that it is there says all
		return canonical(struct{}{})
	case configCabal:
		return canonical(parseCabal(content))
	}
	return nil
}

// config reads a configuration file; one that is missing gives ok false, one
// that is too large an empty content.
func config(t Tree, path string) (content []byte, ok bool) {
	content, ok = t.Config(path)
	if len(content) > maxConfig {
		content = nil
	}
	return content, ok
}
