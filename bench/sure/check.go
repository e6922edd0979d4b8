package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// parser checks the sources of a language.
type parser struct {
	command []string       // its arguments are followed by the files
	endings []string       // of the files that it is given; those that others include are not
	each    bool           // it takes one file at a time
	apart   *regexp.Regexp // complaints about the settings of the project, which the parser is not told, or nil
}

// parsers are by language. Those that compile check also that the names are what the construction says they are. C# has none, because no
// compiler of it comes with the systems that the others come with.
var parsers = map[string]parser{
	"go": {command: []string{"gofmt", "-e"}, endings: []string{".go"}},
	"javascript": {command: []string{"node", "--experimental-vm-modules", "--no-warnings", "-e", `const fs = require("fs"), vm = require("vm")
for (const f of process.argv.slice(1)) { const t = fs.readFileSync(f, "utf8"); try {
  if (f.endsWith(".mjs")) new vm.SourceTextModule(t); else new vm.Script("(function (require, module, exports) {" + t + "\n})")
} catch (e) { console.error(f + ": " + e.message) } }`}, endings: []string{".js", ".mjs", ".cjs"}},
	"typescript": {command: []string{"tsc", "--noEmit", "--pretty", "false", "--skipLibCheck", "--target", "esnext", "--module", "esnext", "--moduleResolution",
		"bundler", "--jsx", "preserve", "--ignoreConfig"}, endings: []string{".ts", ".tsx"}, apart: regexp.MustCompile(`TS(1202|1203|7026)|'@[ab]/`)},
	"python": {command: []string{"python3", "-c", `import ast, sys
for f in sys.argv[1:]:
    try: ast.parse(open(f).read(), f)
    except SyntaxError as e: print(f, e)`}, endings: []string{".py", ".pyi"}},
	"ruby": {command: []string{"ruby", "-e", `ARGV.each { |f| begin; RubyVM::InstructionSequence.compile_file(f); rescue SyntaxError => e; puts "#{f}: #{e.message}"; end }`},
		endings: []string{".rb"}},
	"php": {command: []string{"php", "-r", `foreach (array_slice($argv, 1) as $f) try { token_get_all(file_get_contents($f), TOKEN_PARSE); } catch (ParseError $e) { echo "$f: ", $e->getMessage(), "\n"; }`,
		"--"}, endings: []string{".php"}},
	"java":   {command: []string{"javac", "-proc:none", "-Xmaxerrs", "1000", "-nowarn", "-d", "../classes"}, endings: []string{".java"}},
	"kotlin": {command: []string{"kotlinc", "-nowarn", "-d", "../classes"}, endings: []string{".kt"}, apart: regexp.MustCompile(`(common|jvm|js)Main/`)},
	"c":      {command: []string{"gcc", "-fsyntax-only", "-w"}, endings: []string{".c"}},
	"cpp":    {command: []string{"g++", "-std=c++20", "-fsyntax-only", "-w"}, endings: []string{".cpp"}},
	"rust": {command: []string{"rustc", "--edition=2021", "--crate-type=lib", "--emit=metadata", "-Awarnings", "-o", "/dev/null"}, endings: []string{"lib.rs"},
		each: true},
}

// perCheck is the number of cases whose files a parser gets at once.
const perCheck = 400

// checkSources writes the cases without a syntax error below a directory, has them parsed, and prints the complaints with their cases.
func checkSources(ctx context.Context, dir string, list []*testCase) error {
	byLanguage := map[*language][]*testCase{}
	var order []*language
	for _, c := range list {
		if c.loss == nil && len(parsers[c.lang.name].command) > 0 {
			if byLanguage[c.lang] == nil {
				order = append(order, c.lang)
			}
			byLanguage[c.lang] = append(byLanguage[c.lang], c)
		}
	}
	failed, checked := 0, 0
	for _, l := range order {
		for part := range slices.Chunk(byLanguage[l], perCheck) {
			bad, err := checkTree(ctx, dir, part)
			if err != nil {
				return err
			}
			failed, checked = failed+bad, checked+len(part)
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d cases are not valid", failed, checked)
	}
	fmt.Printf("%d cases are valid\n", checked)
	return nil
}

// checkTree checks cases of one language in one tree, and returns the number of those that are not valid.
func checkTree(ctx context.Context, dir string, list []*testCase) (int, error) {
	l := list[0].lang
	root := filepath.Join(dir, l.name, fmt.Sprint(list[0].n))
	var files []string
	parser := parsers[l.name]
	owner := map[string]*testCase{}
	for _, c := range list {
		b := c.build()
		owner["w"+word(c.n)] = c
		for p := range b.files {
			if slices.ContainsFunc(parser.endings, func(s string) bool { return strings.HasSuffix(p, s) }) {
				files = append(files, p)
			}
		}
		if err := writeFiles(root, b.files); err != nil {
			return 0, err
		}
	}
	slices.Sort(files)
	complaints := map[*testCase][]string{}
	step := max(len(files), 1)
	if parser.each {
		step = 1
	}
	for part := range slices.Chunk(files, step) {
		cmd := exec.CommandContext(ctx, parser.command[0], append(slices.Clone(parser.command[1:]), part...)...)
		cmd.Dir = root
		var text strings.Builder
		cmd.Stderr = &text
		if l.name != "go" { // gofmt prints the files
			cmd.Stdout = &text
		}
		if err := cmd.Run(); errors.Is(err, exec.ErrNotFound) {
			return 0, fmt.Errorf("%s: %w", l.name, err)
		}
		for line := range strings.Lines(text.String()) {
			if parser.each {
				line = part[0] + ": " + line
			}
			if c := owner[caseFolder.FindString(line)]; c != nil && (parser.apart == nil || !parser.apart.MatchString(line)) {
				complaints[c] = append(complaints[c], line)
			}
		}
	}
	for _, c := range list {
		if why := complaints[c]; len(why) > 0 {
			fmt.Printf("INVALID %s\n%s", c.id(), strings.Join(why[:min(len(why), 3)], ""))
		}
	}
	return len(complaints), os.RemoveAll(filepath.Join(dir, l.name, "classes"))
}

// caseFolder matches the folder of a case in a complaint.
var caseFolder = regexp.MustCompile(`\bw[a-z]{8}\b`)
