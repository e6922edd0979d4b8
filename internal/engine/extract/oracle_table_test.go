package extract

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"ken/internal/code"
)

// oracles returns the table of all oracles. A new language adds a row: the program that reads
// it, how its answer is decoded, which properties of extraction's findings are compared,
// and the least shares. CI runs a row if tool and corpus come from packages: a Go module,
// npm, sources of Maven, the standard library of an interpreter.
func oracles() []oracle {
	all := least{recall: 1, precision: 1}
	return []oracle{
		// go/ast of the standard library.
		{name: "go", lang: "go", exts: []string{".go"}, when: inCI, corpus: goModule("k8s.io/kubernetes@v1.31.0", "pkg"), tools: []string{"go"},
			answer: goAnswer, normalise: goNormal, least: all, maxSize: 500_000},
		// The ast module of Python.
		{name: "python", lang: "python", exts: []string{".py"}, when: inCI, tools: []string{"python3"},
			corpus:  standardLibrary("python3", "-c", "import json, os; print(os.path.dirname(os.path.dirname(json.__file__)))"),
			command: program("python3", "testdata/oracle/python/oracle.py"), answer: pythonAnswers, normalise: pythonNormal,
			least: least{0.99, 0.99, 0.99}, maxSize: 500_000},
		// The compiler of TypeScript.
		{name: "script", lang: "", exts: []string{".ts", ".mts", ".cts", ".tsx", ".js", ".cjs", ".mjs", ".jsx"}, when: inCI,
			corpus: func(t *testing.T) string { return filepath.Join(nodeModules(t), "rxjs", "src") }, tools: []string{"node", "npm"},
			command: scriptCommand, answer: scriptAnswers, normalise: scriptNormal, least: least{recall: 0.99, precision: 0.99}, maxSize: 500 << 10},
		// The parser of javac, of a JDK of version 17 or later.
		{name: "java", lang: "java", exts: []string{".java"}, when: inCI,
			corpus: mavenSources("io.netty:netty-common:4.1.115.Final"), tools: []string{"java", "mvn"},
			command: program("java", "--add-exports", "jdk.compiler/com.sun.tools.javac.tree=ALL-UNNAMED", "testdata/oracle/java/Oracle.java"),
			answer:  declLines, normalise: everything, least: least{recall: 0.99, precision: 0.99}},
		// The parser of the Kotlin compiler, a JDK of version 17 or later and Maven. The
		// shares are 0.98, because everything about a declaration has to be equal. What
		// differs in ktor (0.8 % of 27,851) is, by class: declarations with context
		// parameters, which begin after them here; with several annotations above them,
		// which the grammar takes for a value's; with a comment after them on their line,
		// which is no part of them here; and classes given up on at an annotated accessor.
		{name: "kotlin", lang: "kotlin", exts: []string{".kt"}, when: inCI,
			corpus: mavenSources("com.squareup.okhttp3:okhttp:4.12.0"), tools: []string{"java", "mvn"},
			command: func(t *testing.T) *exec.Cmd {
				return exec.Command("java", "-cp", mavenJars(t, "kotlin")+"/*", "testdata/oracle/kotlin/Oracle.java")
			},
			answer: declLines, normalise: everything, least: least{recall: 0.98, precision: 0.98}},
		// The parser of Scalameta, which scalafmt and scalafix use.
		{name: "scala", lang: "scala", exts: []string{".scala"}, when: inCI,
			corpus: mavenSources("org.typelevel:cats-core_2.13:2.12.0"), tools: []string{"java", "mvn"},
			command: func(t *testing.T) *exec.Cmd {
				return exec.Command("java", "-Xss64m", "-cp", mavenJars(t, "scala")+"/*", "testdata/oracle/scala/Oracle.java")
			},
			answer: declLines, normalise: everything, least: least{recall: 0.99, precision: 0.99}},
		// The crate syn, built with cargo.
		{name: "rust", lang: "rust", exts: []string{".rs"}, when: manual, tools: []string{"cargo"},
			command: rustCommand, answer: declLines, normalise: everything, least: least{recall: 0.99, precision: 0.99}},
		// nikic/php-parser on the include path of PHP 8 (Debian: php-cli, php-parser).
		{name: "php", lang: "php", exts: []string{".php"}, when: manual, tools: []string{"php"},
			command: program("php", "-d", "memory_limit=1G", "testdata/oracle/php/oracle.php"),
			answer:  declLines, normalise: everything, least: least{recall: 0.99, precision: 0.99}},
		// Ruby's own parser, of version 3.1 or later.
		{name: "ruby", lang: "ruby", exts: []string{".rb"}, when: inCI, tools: []string{"ruby"},
			corpus:  standardLibrary("ruby", "-e", "puts RbConfig::CONFIG['rubylibdir']"),
			command: program("ruby", "testdata/oracle/ruby/oracle.rb"), answer: rubyAnswers, normalise: rubyNormal,
			least: least{0.98, 0.98, 0.99}, maxSize: 500_000},
		// No parser of Swift can be installed; keywords are counted instead.
		{name: "swift", lang: "swift", exts: []string{".swift"}, when: manual, answer: swiftAnswers, match: swiftMatch, least: least{recall: 0.98}},
		// Universal Ctags, for languages without a parser that could be installed. It reads
		// line by line and makes mistakes of its own, so only recall is asked for, and
		// classes of difference that are its mistakes are excused and counted.
		{name: "c", exts: []string{".c", ".h", ".cc", ".cpp", ".hpp", ".cxx"}, when: inCI,
			corpus: goModule("github.com/tree-sitter/go-tree-sitter", ""), tools: []string{"ctags", "go"},
			command: program("ctags", "--output-format=json", "--fields=+nKSs", "--langmap=C:.c", "--langmap=C++:+.h.ipp.inl.tpp", "-L", "-", "-f", "-"),
			answer:  cAnswers, match: cMatch, least: least{recall: 0.98}, maxSize: 1_000_000},
		ctagsRow("csharp", ".cs", "C#", "namespace", "macro", "typedef"),
		ctagsRow("php", ".php", "PHP", "namespace", "alias"),
		ctagsRow("sql", ".sql", "SQL", "local", "cursor", "variable", "record", "ccflag", "service", "event", "publication", "synonym"),
		ctagsRow("proto", ".proto", "Protobuf", "package"),
		ctagsRow("html", ".html", "HTML", "heading1", "heading2", "heading3", "title", "class", "stylesheet", "script"),
		tagsRow("ruby", ".rb", "Ruby", rubyTagExcuse, false),
		tagsRow("lua", ".lua", "Lua", luaTagExcuse, false),
		tagsRow("elixir", ".ex", "Elixir", elixirTagExcuse, true),
		tagsRow("shell", ".sh", "Sh", shellTagExcuse, false),
		tagsRow("haskell", ".hs", "Haskell", haskellTagExcuse, true),
		tagsRow("ocaml", ".ml", "OCaml", ocamlTagExcuse, false),
		// Other readers of data and documents, the first three in this process.
		{name: "yaml", lang: "yaml", when: always, answer: keysAnswer(goccyKeys), normalise: keysNormal(yamlKeys), least: all},
		{name: "json", lang: "json", when: always, answer: keysAnswer(jsonKeys), normalise: keysNormal(flowKeys), least: all},
		{name: "toml", lang: "toml", when: always, answer: keysAnswer(tomlKeys), normalise: tomlNormal, least: all},
		// markdown-it-py (pip).
		{name: "markdown", lang: "markdown", when: manual, tools: []string{"python3"},
			command: program("python3", "testdata/oracle/markdown/headings.py"), answer: markdownAnswers, normalise: markdownNormal, least: all},
	}
}

// program returns a command that needs no preparation.
func program(name string, args ...string) func(t *testing.T) *exec.Cmd {
	return func(*testing.T) *exec.Cmd { return exec.Command(name, args...) }
}

func rustCommand(t *testing.T) *exec.Cmd {
	target := filepath.Join(os.TempDir(), "ken-oracle-target")
	build := exec.Command("cargo", "build", "--release", "--locked", "--quiet", "--target-dir", target)
	build.Dir = "testdata/oracle/rust"
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the oracle: %v\n%s", err, out)
	}
	return exec.Command(filepath.Join(target, "release", "oracle"))
}

func scriptCommand(t *testing.T) *exec.Cmd {
	cmd := exec.Command("node", "testdata/oracle/ts/declarations.js")
	cmd.Env = append(os.Environ(), "NODE_PATH="+nodeModules(t))
	return cmd
}

// ctagsRow compares by name and line with the tags of ctags, but for kinds of tags that
// are no symbols here.
func ctagsRow(l code.Lang, ext, name string, ignored ...string) oracle {
	return oracle{name: string(l) + "-ctags", lang: l, exts: []string{ext}, when: manual, tools: []string{"ctags"},
		command: program("ctags", "--output-format=json", "--fields=+neKs", "--languages="+name, "-o", "-", "-L", "-"),
		answer:  ctagsAnswers(ignored), match: ctagsMatch, least: least{recall: 0.98}}
}

// tagsRow compares by name and line, too. excuse says why a tag needs no symbol; with
// clauses, further tags of a function that the file declares do not either.
func tagsRow(l code.Lang, ext, name string, excuse func(d decl, lines []string) string, clauses bool) oracle {
	return oracle{name: string(l) + "-tags", lang: l, exts: []string{ext}, when: manual, tools: []string{"ctags"},
		command: program("ctags", "--output-format=json", "--fields=+nK", "--language-force="+name, "-L", "-", "-f", "-"),
		answer:  ctagsAnswers(nil), match: tagsMatch(excuse, clauses), least: least{recall: 0.98}, maxSize: 500_000}
}
