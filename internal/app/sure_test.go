package app

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
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
	{name: "excluded directory", symbol: "helper", file: "lib.py", files: map[string]string{
		"lib.py": "def helper(): pass\n", ".kenignore": "gen/\n", "gen/use.py": "from lib import helper\nhelper()\n"}},
	{name: "ignored", symbol: "helper", file: "lib.py", files: map[string]string{
		"lib.py": "def helper(): pass\n", ".gitignore": "gen/\n", "gen/use.py": "from lib import helper\nhelper()\n"}},
	{name: "own name as a key", symbol: "helper", file: "lib.py", files: map[string]string{
		"lib.py": "def helper(): pass\n\nglobals()['helper']()\n"}, fileIsSure: true},
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
	"init": "makes the index", "index": "makes the index", "watch": "does not end", "web": "does not end", "mcp": "does not end", "session": "keeps sessions",
	"install": "writes", "uninstall": "writes", "doctor": "tries the installation", "version": "of the program", "import-scip": "reads an index of others",
	"remember": "writes", "forget": "writes", "memory": "writes", "outcome": "writes", "commit-knowledge": "writes", "agreement": "writes",
	"secrets": "is about secrets", "grep": "finds text as it is", "tokens": "counts tokens", "conventions": "is about style", "clean": "removes work trees",
	"hotspots": "is about the history", "matrix": "is about folders", "surface": "is about packages", "fleet": "is about other repositories", "recall": "is about what is remembered", "timeline": "is about what happened", "context": "of documents",
}

// needsTask are operations of the guard that take what an agent has found out, and record it.
var needsTask = []string{"submit_", "merge", "finalize", "review", "record", "revert", "set_", "add_", "check_", "confirm_", "validate_", "start_", "cleanup", "update_", "sync", "outcome", "insights",
	"session_analysis", "get_function"}

// words are the arguments of operations for which SYMBOL alone or FILE alone is none.
var words = map[string][]string{
	"rename": {"SYMBOL", "other9"}, "brief": {"change", "SYMBOL", "in", "FILE"}, "pattern": {"NAME"}, "pack": {"FILE"}, "map": {"FILE"}, "outline": {"FILE"},
	"export": {"index", "--out", "-"}, "entity": {"show", "FILE"}, "analyze_impact": {"TARGET"},
}

// certain matches claims of certainty.
var certain = regexp.MustCompile(`(?m)^(none|no use|nothing) |"verdict":"none"|100%|nothing depends on it|unused|"(unused|no_use_in_repository|settled)":true|` +
	`no dependents|no use in|nothing is tied to it|"isolated":true|nothing uses it|no references|risk.{0,8}(low|none)|"risk":"(low|none found)"|\b0 unsure`)

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
			if c.about == "" { // the operations of the guard are about a task
				if code := p.run(context.Background(), "task", "start_session", "change "+c.symbol, "--intent", "MODIFY"); code != Found {
					t.Fatal(errs)
				}
			}
			var server []call
			for _, tool := range op.All() {
				isSubmitted := tool.Group != "" && (c.about != "" || slices.ContainsFunc(needsTask, func(s string) bool { return strings.HasPrefix(tool.Name, s) }))
				if notAsked[tool.Name] != "" || isSubmitted {
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
					server = append(server, newCall(tool, args))
					if tool.Group != "" {
						args = append([]string{tool.Group}, args...)
					}
					for _, format := range []string{"text", "json"} {
						out.Reset()
						errs.Reset()
						status := p.run(context.Background(), append(args, "--format", format)...)
						text := hedged.ReplaceAllString(out.String()+errs.String(), "")
						if tool.Name == "brief" {
							text = c.inBrief(text)
						}
						if claim := certain.FindString(text); claim != "" || status == Nothing && tool.Group == "" {
							t.Errorf("ken %s: exit %d, claims %q\n%s", strings.Join(args, " "), status, claim, out.String()+errs.String())
						}
					}
				}
			}
			answered := 0
			for i, text := range askServer(p, out, errs, server) {
				if text != "" {
					answered++
				}
				text = hedged.ReplaceAllString(text, "")
				if server[i].tool.Name == "brief" {
					text = c.inBrief(text)
				}
				if claim := certain.FindString(text); claim != "" {
					t.Errorf("server for agents, %s: claims %q\n%s", server[i].arguments, claim, text)
				}
			}
			if answered < len(server)/2 {
				t.Errorf("the server for agents answered %d of %d calls: %s", answered, len(server), errs)
			}
			if least := map[string]int{"": 10, "used": 2, "implementers": 1}[c.about]; asked < least {
				t.Errorf("only %d operations were asked", asked)
			}
		})
	}
}

// call is a call of an operation by an agent.
type call struct {
	tool      *op.Tool
	arguments string // a JSON object
}

// newCall returns the call for a command line without flags.
func newCall(tool *op.Tool, words []string) call {
	args := map[string]string{}
	words = words[1:]
	for _, f := range tool.Input() {
		if f.Positional && len(words) > 0 && !f.Terminal {
			args[f.Key()] = words[0]
			if words = words[1:]; f.Many {
				args[f.Key()], words = strings.Join(append([]string{args[f.Key()]}, words...), " "), nil
			}
		}
	}
	b, err := json.Marshal(args)
	if err != nil { // strings only: cannot happen
		panic(err)
	}
	return call{tool, string(b)}
}

// askServer has the server for agents answer calls, and returns the texts of its answers.
func askServer(p *Program, out, errs *bytes.Buffer, calls []call) []string {
	var in strings.Builder
	in.WriteString(`{"jsonrpc":"2.0","id":-1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}` +
		"\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
	for i, c := range calls {
		fmt.Fprintf(&in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`+"\n", i, c.tool.Name, c.arguments)
	}
	out.Reset()
	errs.Reset()
	p.Stdin = strings.NewReader(in.String())
	p.run(context.Background(), "mcp", "--tools", "full,guard,knowledge")
	texts := make([]string, len(calls))
	for line := range strings.Lines(out.String()) {
		var m struct {
			ID     int
			Result struct{ Content []struct{ Text string } }
		}
		if err := json.Unmarshal([]byte(line), &m); err == nil && m.ID >= 0 && len(m.Result.Content) > 0 {
			texts[m.ID] = m.Result.Content[0].Text
		}
	}
	return texts
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
