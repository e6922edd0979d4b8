package main

// language is a row: the parser that judges the files of a language, and how much of what it accepts ken must read.
type language struct {
	name string
	// accept is a command that prints those of the paths in its input that are valid. Its first argument may be a file of oracles. "" has no
	// parser here: then all files count, the invalid among them too.
	accept []string
	needs  string   // a program that it runs
	each   []string // or a command for one file, which succeeds if that is valid
	home   []string // command that prints the folder of what comes with the language
	least  float64  // percent of the accepted files that are read wholly
	ctags  string   // its name for ctags, and the kinds whose declarations are looked for
	kinds  string
	suffix string // of the name under which a file is read whose own ending is not the language's
}

var languages = []language{
	{name: "go", home: []string{"go", "env", "GOROOT"}, least: 99.5, ctags: "Go", kinds: "func struct interface type"},
	{name: "java", accept: []string{"java", "Accepted.java"}, least: 99.5, ctags: "Java", kinds: "class interface enum method", suffix: ".java"},
	{name: "python", accept: []string{"python3", "python.py"}, home: []string{"python3", "-c", "import os; print(os.path.dirname(os.__file__))"}, least: 99.5,
		ctags: "Python", kinds: "class function member"},
	{name: "javascript", accept: []string{"node", "typescript.cjs"}, least: 99.5, ctags: "JavaScript", kinds: "function method class"},
	{name: "typescript", accept: []string{"node", "typescript.cjs"}, least: 99.5, ctags: "TypeScript", kinds: "function method class interface alias enum"},
	{name: "ruby", accept: []string{"ruby", "ruby.rb"}, home: []string{"ruby", "-e", `puts RbConfig::CONFIG["rubylibdir"]`}, least: 99.5, ctags: "Ruby",
		kinds: "class module method singletonMethod", suffix: ".rb"},
	{name: "php", accept: []string{"php", "php.php"}, least: 99.5, ctags: "PHP", kinds: "class interface trait function"},
	{name: "rust", accept: []string{"python3", "rust.py"}, needs: "rustc", least: 99.5, ctags: "Rust", kinds: "function method struct enum interface"},
	{name: "csharp", least: 99.5, ctags: "C#", kinds: "class interface struct enum method", suffix: ".cs"},
	{name: "c", each: []string{"gcc", "-std=gnu17", "-fsyntax-only", "-w"}, least: 98, ctags: "C", kinds: "function struct enum"},
	{name: "cpp", each: []string{"g++", "-std=gnu++20", "-fsyntax-only", "-w"}, least: 98, ctags: "C++", kinds: "function class struct enum"},
	{name: "kotlin", least: 98, ctags: "Kotlin", kinds: "class interface object method"},
	{name: "swift", least: 98},
}
