// Package resolve finds the file that an import names: one file per ecosystem
// (golang.go, typescript.go, python.go, rust.go, java.go, ruby.go, csharp.go, php.go, c.go; files.go for all
// languages whose imports are paths), each with that ecosystem's own rules. It is pure:
// it reads only Tree, and it records every lookup as a probe, so that the engine can
// find the imports that an added or deleted file may change. Its neighbour
// engine/extract reads the imports; engine/graph turns results into edges.
package resolve

import "ken/internal/code"

// Result is the target of one import. A zero Result, except for probes, is an import that points inside the repository
// at nothing that is indexed. Results share memory between calls: do not change them.
type Result struct {
	// File is the file the specifier names, "" if none: "./db" → src/db.ts.
	File string
	// Dir is the package directory the specifier names (Go package, Java wildcard, Python namespace package). With IsDir
	// the engine picks the files in it that declare the names used.
	Dir   string
	IsDir bool
	// Dirs are all directories of a Java wildcard import, the likeliest (Dir) first.
	Dirs []string
	// Package is the package whose files hold the imported names, wherever they lie (C#, PHP); with IsPackage "" means
	// the files without a package. The engine picks the files that declare the names used. External may be set beside
	// it: a repository may add to a namespace of the standard library.
	Package   string
	IsPackage bool
	// Declared is the name of a package that is meant, wherever it is declared (Kotlin, Scala; Java for a declaration
	// without a file of its name). The engine picks the files that declare it.
	Declared Declared
	// Nearer precede all else, in this order, if they are declared (Scala).
	Nearer []Declared
	// Subs are the imported names that are files themselves: `from pkg import mod` → pkg/mod.py. A declaration of that
	// name in File precedes them in Python; the engine decides, because only it knows the declarations.
	Subs map[string]string
	// External is the package outside the repository: "react", "@scope/x",
	// "numpy", "serde", "org.junit"; for a standard library the import path.
	External string
	// Std marks External as part of the language's standard library.
	Std bool
	// Probes are the keys (see Keys) whose appearance or disappearance could change this result. Configuration files are
	// not among them: when the digest of one changes, or one appears or disappears, all imports of its languages must be
	// resolved again.
	Probes []string
}

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
var scriptLangs = []code.Lang{"typescript", "tsx", "javascript", "jsx", "vue", "svelte", "astro"}

// Usings are the imports that a project adds to its files.
type Usings struct {
	Imports []code.Import
	Files   []string // files whose re-exports count as well
	Probes  []string // as in a Result
}
