package code

// Resolution is the target of one import. A zero Resolution, except for probes, is an import that points inside the repository
// at nothing that is indexed. Resolutions share memory between calls: do not change them.
type Resolution struct {
	// File is the file the specifier names, "" if none: "./db" → src/db.ts.
	File string
	// Runs is the file that runs where File only declares its names: src/db.js beside src/db.d.ts.
	Runs string
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
	Declared PackageMember
	// Nearer precede all else, in this order, if they are declared (Scala).
	Nearer []PackageMember
	// Subs are the imported names that are files themselves: `from pkg import mod` → pkg/mod.py. A declaration of that
	// name in File precedes them in Python; the engine decides, because only it knows the declarations.
	Subs map[string]string
	// External is the package outside the repository: "react", "@scope/x",
	// "numpy", "serde", "org.junit"; for a standard library the import path.
	External string
	// Std marks External as part of the language's standard library.
	Std bool
	// Probes are the keys of engine/resolve whose appearance or disappearance could change this result. Configuration files are
	// not among them: when the digest of one changes, or one appears or disappears, all imports of its languages must be
	// resolved again.
	Probes []string
}

// PackageMember is a top-level name of a package that any file may declare.
type PackageMember struct{ Package, Name string }

// ProjectUsings are the imports that a project adds to its files.
type ProjectUsings struct {
	Imports []Import
	Files   []string // files whose re-exports count as well
	Probes  []string // as in a Resolution
}
