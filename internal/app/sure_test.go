package app

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ken/internal/delivery/op"
)

// doubtCase is a small repository in which it is not certain that nothing uses a symbol, or
// that a symbol uses nothing.
type doubtCase struct {
	name         string
	files        map[string]string
	symbol, file string
	about        string // the questions in doubt: "" for what uses it, "used" for what it uses, or "implementers"
	fileIsSure   bool   // what uses the file as a whole is certain
	renameIsSure bool   // a rename changes all that names it
}

var doubtCases = []doubtCase{
	{name: "string that can be called", fileIsSure: true, symbol: "Box.send", file: "Box.php", files: map[string]string{
		"Box.php": "<?php\nnamespace App;\nclass Box {\n  public static function send() {}\n}\n", "boot.php": "<?php\n$task = 'App\\Box:send';\n"}},
	{name: "called by the language", fileIsSure: true, symbol: "Load.__invoke", file: "Load.php", files: map[string]string{
		"Load.php": "<?php\nnamespace App;\nclass Load {\n  public function __invoke() {}\n}\n", "boot.php": "<?php\n$p = new \\App\\Load();\n$p();\n"}},
	{name: "interface", fileIsSure: true, renameIsSure: true, symbol: "Disk.read9", file: "a/Disk.java", files: map[string]string{
		"a/Disk.java": "package a;\nclass Disk implements Source {\n  public int read9() { return 1; }\n}\n", "a/Source.java": "package a;\ninterface Source { int read9(); }\n"}},
	{name: "text that could not be parsed", symbol: "helper", file: "lib.py", files: map[string]string{
		"lib.py": "def helper(): pass\n", "use.py": "from lib import helper as x\ndef f(:\n    ) = (lambda ] helper(1)\n"}},
	{name: "binary", symbol: "helper", file: "lib.py", files: map[string]string{"lib.py": "def helper(): pass\n", "use.py": "x = \x00\n"}},
	{name: "excluded", symbol: "helper", file: "lib.py", files: map[string]string{
		"lib.py": "def helper(): pass\n", ".kenignore": "/use.py\n", "use.py": "from lib import helper\nhelper()\n"}},
	{name: "template", symbol: "User.full_name9", file: "user.py", files: map[string]string{
		"user.py": "class User:\n    def full_name9(self): pass\n", "page.html": "<p>{{ user.full_name9 }}</p>\n"}},
	{name: "data", symbol: "run", file: "main9.py", files: map[string]string{"main9.py": "def run(): pass\n", "app.yml": "handler: main9.run\n"}},
	{name: "makefile", symbol: "make_index", file: "tool9.py", files: map[string]string{
		"tool9.py": "def make_index(): pass\n", "Makefile": "all:\n\tpython -c 'import tool9; tool9.make_index()'\n"}},
	{name: "decorator", renameIsSure: true, symbol: "page", file: "views.py", files: map[string]string{"views.py": "from web import route\n\n@route('/')\ndef page(): pass\n"}},
	{name: "entry", symbol: "main", file: "main.go", files: map[string]string{"go.mod": "module m\n", "main.go": "package main\n\nfunc main() {}\n"}},
	{name: "base outside", fileIsSure: true, symbol: "Cmd.handle9", file: "cmd.py", files: map[string]string{
		"cmd.py": "from outside_lib import Base\n\nclass Cmd(Base):\n    def handle9(self): pass\n"}},
	{name: "receiver of unknown type", symbol: "Late.fire9", file: "late.py", files: map[string]string{
		"late.py": "class Late:\n    def fire9(self): pass\n", "use.py": "def f(x):\n    x.fire9()\n"}},
	{name: "computed name", symbol: "Visitor.visit_call", file: "visitor.py", files: map[string]string{
		"visitor.py": "class Visitor:\n    def visit_call(self): pass\n    def go(self, kind): getattr(self, 'visit_' + kind)()\n"}},
	{name: "own text that could not be parsed", symbol: "broken", file: "lib.py", about: "used", files: map[string]string{
		"lib.py": "def broken(x):\n    y = (lambda ] helper(1)\n    return y\n"}},
	{name: "language whose uses are not read", symbol: "App.start9", file: "app.dart", about: "used", files: map[string]string{
		"app.dart": "class App {\n  void start9() {}\n}\n"}},
	{name: "implementer that could not be parsed", symbol: "lib.py:Base9", file: "lib.py", about: "implementers", files: map[string]string{
		"lib.py": "class Base9: pass\n", "use.py": "import lib\nx = (lambda ] lib.Base9\n"}},
}

// about lists the operations that answer something else than "what uses it", and the
// questions of cases in which they are judged.
var about = map[string]string{
	"callees": "used", "deps": "used", "implementers": "implementers",
}

// notAsked are operations that take no symbol or file of the code, with the reason.
var notAsked = map[string]string{
	"init": "makes the index", "index": "makes the index", "watch": "does not end", "mcp": "does not end", "session": "keeps sessions",
	"install": "writes", "uninstall": "writes", "doctor": "tries the installation", "version": "of the program", "import-scip": "reads an index of others",
	"remember": "writes", "forget": "writes", "memory": "writes", "outcome": "writes", "commit-knowledge": "writes", "agreement": "writes",
	"secrets": "is about secrets", "grep": "finds text as it is", "tokens": "counts tokens", "conventions": "is about style", "clean": "removes work trees",
	"hotspots": "is about the history", "recall": "is about what is remembered", "context": "of documents", "entity": "takes an action first, see words",
}

// words are the arguments of operations for which SYMBOL alone or FILE alone is none.
var words = map[string][]string{
	"rename": {"SYMBOL", "other9"}, "brief": {"change", "SYMBOL", "in", "FILE"}, "pattern": {"NAME"}, "pack": {"FILE"}, "map": {"FILE"}, "outline": {"FILE"},
	"export": {"index", "--out", "-"},
}

// certain matches claims of certainty.
var certain = regexp.MustCompile(`(?m)^(none|no use|nothing) |"verdict":"none"|100%|nothing depends on it|unused|"(unused|no_use_in_repository|settled)":true|` +
	`no dependents|no use in|no references|risk.{0,8}(low|none)|"risk":"(low|none found)"|\b0 unsure`)

// hedged matches parts of answers that name a claim without making it.
var hedged = regexp.MustCompile(`could not tell[^\n]*|"(unused|no_use_in_repository)":false`)

// TestSure walks the list of operations: none of them claims to be certain where a construction of the language, or a file that was not read,
// leaves doubt. An operation that is new is asked about the symbol or file unless notAsked has it.
func TestSure(t *testing.T) {
	for _, c := range doubtCases {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			p, out, errs := program(t, c.files)
			if code := p.run(context.Background(), "init"); code != Found {
				t.Fatal(errs)
			}
			asked := 0
			for _, tool := range op.All() {
				if notAsked[tool.Name] != "" || tool.Group != "" {
					continue
				}
				wanted := about[tool.Name]
				if wanted != c.about && (wanted != "" || c.about == "implementers" || c.about == "used") {
					continue
				}
				if asked++; tool.Name == "rename" && c.renameIsSure {
					continue
				}
				for _, args := range questions(tool, &c) {
					for _, format := range []string{"text", "json"} {
						out.Reset()
						errs.Reset()
						status := p.run(context.Background(), append(args, "--format", format)...)
						text := hedged.ReplaceAllString(out.String()+errs.String(), "")
						if tool.Name == "brief" {
							text = c.inBrief(text)
						}
						if claim := certain.FindString(text); claim != "" || status == Nothing {
							t.Errorf("ken %s: exit %d, claims %q\n%s", strings.Join(args, " "), status, claim, out.String()+errs.String())
						}
					}
				}
			}
			if least := map[string]int{"": 10, "used": 2, "implementers": 1}[c.about]; asked < least {
				t.Errorf("only %d operations were asked", asked)
			}
		})
	}
}

// inBrief returns the parts of a brief that are about the symbol and, if it is in doubt, the file of a case.
func (c *doubtCase) inBrief(text string) string {
	name := regexp.QuoteMeta(c.symbol)
	out := regexp.MustCompile("(?m)\"name\":\""+name+"\",\"kind\"[^{}]*|^- `"+name+"`.*").FindAllString(text, -1)
	if !c.fileIsSure {
		file := regexp.QuoteMeta(c.file)
		out = append(out, regexp.MustCompile(`(?s)"path":"`+file+`","dependents":.*?"reasons"|\*\*`+file+`\*\*.{0,120}`).FindAllString(text, -1)...)
	}
	return strings.Join(out, "\n")
}

// questions returns the command lines that ask an operation about the symbol and the file of a case.
func questions(tool *op.Tool, c *doubtCase) (out [][]string) {
	list := words[tool.Name]
	if list == nil {
		for _, f := range tool.Input() {
			switch {
			case !f.Positional:
			case slices.Contains([]string{"NAME", "QUERY", "GOAL"}, f.Name):
				list = append(list, "SYMBOL")
			case strings.Contains(f.Name, "FILE") && !strings.Contains(f.Name, "SYMBOL"):
				list = append(list, "FILE")
			default:
				list = append(list, "TARGET")
			}
		}
		list = list[:min(len(list), 1)]
	}
	fill := func(target string) []string {
		args := []string{tool.Name}
		for _, w := range list {
			args = append(args, strings.NewReplacer("SYMBOL", c.symbol, "FILE", c.file, "TARGET", target,
				"NAME", c.symbol[strings.LastIndexByte(c.symbol, '.')+1:]).Replace(w))
		}
		return args
	}
	out = append(out, fill(c.symbol))
	if slices.Contains(list, "TARGET") && c.about != "implementers" && !c.fileIsSure {
		out = append(out, fill(c.file))
	}
	return out
}
