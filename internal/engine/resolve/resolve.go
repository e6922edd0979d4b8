// Package resolve finds the file that an import names: one file per ecosystem
// (golang.go, typescript.go, python.go, rust.go, java.go, ruby.go, csharp.go, php.go, c.go; files.go for all
// languages whose imports are paths), each with that ecosystem's own rules. It is pure:
// it reads only Tree, and it records every lookup as a probe, so that the engine can
// find the imports that an added or deleted file may change. Its neighbour
// engine/extract reads the imports; engine/graph turns results into edges.
package resolve

import "ken/internal/code"

// The results of resolution are part of the vocabulary, because linking uses them and must not depend on this package.
type (
	Result   = code.Resolution
	Declared = code.PackageMember
	Usings   = code.ProjectUsings
)

// Limits that bound the cost of hostile input.
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
var scriptLangs = []code.Lang{"typescript", "javascript", "vue", "svelte", "astro"}
