package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// gopls is asked by its commands; each starts a server of its own, as its documentation has it.
func (i *installed) gopls(ctx context.Context) *rival {
	program := filepath.Join(i.cache, "go", "gopls")
	r := &rival{name: "gopls", version: goplsVersion, languages: []string{"go"}, broken: i.fromGo(ctx, "golang.org/x/tools/gopls", goplsVersion),
		note: "Go only"}
	r.definitions = func(ctx context.Context, dir string, x *row) (places []string, err error) {
		out, err := i.output(ctx, dir, "", program, "workspace_symbol", "-matcher=casesensitive", x.Symbol)
		for line := range strings.Lines(out) {
			f := strings.Fields(line)
			if len(f) > 1 && f[1][strings.LastIndexByte(f[1], '.')+1:] == x.Symbol {
				places = append(places, linePlace(dir, f[0]))
			}
		}
		return places, err
	}
	r.references = []referenceWay{{"references", func(ctx context.Context, dir string, x *row) (places []string, err error) {
		column, err := columnOfName(dir, x)
		if err != nil {
			return nil, err
		}
		out, err := i.output(ctx, dir, "", program, "references", fmt.Sprintf("%s:%d:%d", x.File, x.Line, column))
		for line := range strings.Lines(out) {
			places = append(places, linePlace(dir, strings.TrimSpace(line)))
		}
		return places, err
	}}}
	r.tools = func(ctx context.Context, dir string) *exec.Cmd { return i.command(ctx, dir, program, "mcp") }
	return r
}

// linePlace returns the place of a position "/dir/file:line:columns".
func linePlace(dir, position string) string {
	f := strings.SplitN(strings.TrimPrefix(position, dir+"/"), ":", 3)
	if len(f) < 2 {
		return position
	}
	return f[0] + ":" + f[1]
}

// columnOfName returns where in its line a symbol's name begins, from 1.
func columnOfName(dir string, x *row) (int, error) {
	text, err := os.ReadFile(filepath.Join(dir, x.File))
	if err != nil {
		return 0, err
	}
	lines := bytes.Split(text, []byte("\n"))
	if x.Line <= len(lines) {
		if at := regexp.MustCompile(`\b` + regexp.QuoteMeta(x.Symbol) + `\b`).FindIndex(lines[x.Line-1]); at != nil {
			return at[0] + 1, nil
		}
	}
	return 0, fmt.Errorf("%s is not in line %d of %s", x.Symbol, x.Line, x.File)
}

// ctags is Universal Ctags of the system. The symbols of the truth are drawn from those that it finds.
func (i *installed) ctags(ctx context.Context) *rival {
	const tags = "tags.of.rivals"
	r := &rival{name: "universal-ctags", note: "the symbols are drawn from those that it finds"}
	version, err := i.output(ctx, i.home, "", "ctags", "--version")
	if err != nil {
		r.broken = "not measured: " + err.Error()
	}
	if f := strings.Fields(version); len(f) > 2 {
		r.version = strings.TrimSuffix(f[2], ",")
	}
	r.index = func(ctx context.Context, dir string) error {
		_, err := i.output(ctx, dir, "", "ctags", "-R", "--fields=+n", "--exclude=.ken", "--exclude=.codegraph", "-f", tags, ".")
		return err
	}
	r.edit = func(ctx context.Context, dir, _ string) error { return r.index(ctx, dir) }
	r.clean = removing(tags)
	line := regexp.MustCompile(`\tline:([0-9]+)`)
	r.definitions = func(_ context.Context, dir string, x *row) (places []string, err error) {
		text, err := os.ReadFile(filepath.Join(dir, tags))
		for entry := range strings.Lines(string(text)) {
			f := strings.SplitN(entry, "\t", 3)
			if m := line.FindStringSubmatch(entry); len(f) == 3 && f[0] == x.Symbol && m != nil {
				n, _ := strconv.Atoi(m[1])
				places = append(places, place(f[1], n))
			}
		}
		return places, err
	}
	return r
}

// identifierKinds are the kinds of nodes in which a name is written, by language.
var identifierKinds = map[string]string{
	"go":         "identifier type_identifier field_identifier package_identifier",
	"typescript": "identifier type_identifier property_identifier shorthand_property_identifier shorthand_property_identifier_pattern private_property_identifier",
	"python":     "identifier", "java": "identifier type_identifier", "php": "name",
}

// astGrep finds the nodes of the syntax tree that have a name.
func (i *installed) astGrep(ctx context.Context) *rival {
	r := &rival{name: "ast-grep", version: "0.51.1", broken: i.fromNPM(ctx), note: "matches names and does not resolve them"}
	programs, err := filepath.Glob(i.npm("@ast-grep/cli-*/ast-grep"))
	if r.broken == "" && (err != nil || len(programs) != 1) {
		r.broken = "not measured: npm has no program for this system"
		return r
	}
	r.references = []referenceWay{{"rule of identifiers", func(ctx context.Context, dir string, x *row) (places []string, err error) {
		var kinds []string
		for _, k := range strings.Fields(identifierKinds[x.language]) {
			kinds = append(kinds, "{kind: "+k+"}")
		}
		rule := fmt.Sprintf(`{id: name, language: %s, rule: {any: [%s], regex: "^%s$"}}`, x.language, strings.Join(kinds, ", "), strings.ReplaceAll(regexp.QuoteMeta(x.Symbol), `\`, `\\`))
		out, err := i.output(ctx, dir, "", programs[0], "scan", "--inline-rules", rule, "--json=stream")
		for line := range strings.Lines(out) {
			var m struct {
				File  string
				Range struct{ Start struct{ Line int } }
			}
			if err := json.Unmarshal([]byte(line), &m); err != nil {
				return nil, err
			}
			places = append(places, place(m.File, m.Range.Start.Line+1))
		}
		return places, err
	}}}
	return r
}

// semgrep is given regular expressions, because its patterns match names only where they are expressions, and those of all symbols of a
// language at once, because a run takes seconds.
func (i *installed) semgrep(ctx context.Context) *rival {
	r := &rival{name: "semgrep", version: semgrepVersion, broken: i.fromPyPI(ctx, "semgrep", "semgrep=="+semgrepVersion),
		note: "matches names and does not resolve them; leaves tests out by default; all symbols of a repository are one question"}
	known := map[string]map[string][]string{} // by language and symbol
	r.references = []referenceWay{{"pattern-regex", func(ctx context.Context, dir string, x *row) (places []string, err error) {
		if known[x.language] == nil {
			if known[x.language], err = i.semgrepMatches(ctx, dir, x.language); err != nil {
				return nil, err
			}
		}
		return known[x.language][x.Symbol], nil
	}}}
	return r
}

func (i *installed) semgrepMatches(ctx context.Context, dir, language string) (map[string][]string, error) {
	rows, err := readRows(language)
	if err != nil {
		return nil, err
	}
	file, rules := filepath.Join(i.home, "rules.yml"), "rules:\n"
	for n, x := range rows {
		word := `(?<![\w$])` + regexp.QuoteMeta(x.Symbol) + `(?![\w$])`
		rules += fmt.Sprintf("- {id: n%d, languages: [%s], severity: INFO, message: m, pattern-regex: '%s'}\n", n, language, word)
	}
	if err := os.WriteFile(file, []byte(rules), 0o644); err != nil {
		return nil, err
	}
	out, err := i.output(ctx, dir, "", i.python("semgrep", "semgrep"), "scan", "--config", file, "--json", "--quiet", "--metrics=off", "--disable-version-check")
	if err != nil {
		return nil, err
	}
	var a struct {
		Results []struct {
			ID    string `json:"check_id"`
			Path  string
			Start struct{ Line int }
		}
	}
	if err := json.Unmarshal([]byte(out), &a); err != nil {
		return nil, err
	}
	found := map[string][]string{}
	for _, m := range a.Results {
		n, err := strconv.Atoi(m.ID[strings.LastIndexByte(m.ID, '.')+2:])
		if err != nil || n >= len(rows) {
			return nil, fmt.Errorf("a match of no rule: %s", m.ID)
		}
		found[rows[n].Symbol] = append(found[rows[n].Symbol], place(m.Path, m.Start.Line))
	}
	return found, nil
}

// gitGrep finds lines with a word, the yardstick of all that find references.
func (i *installed) gitGrep(ctx context.Context) *rival {
	version, err := i.output(ctx, i.home, "", "git", "--version")
	r := &rival{name: "git grep -w", version: strings.TrimSpace(strings.TrimPrefix(version, "git version ")), broken: reason(err), note: "matches words"}
	r.references = []referenceWay{{"-w", func(ctx context.Context, dir string, x *row) (places []string, err error) {
		pattern := "*" + map[string]string{"go": ".go", "typescript": ".ts", "python": ".py", "java": ".java", "php": ".php"}[x.language]
		out, err := i.output(ctx, dir, "", "git", "grep", "-n", "-w", "-F", "-e", x.Symbol, "--", pattern)
		out, err = nothingFound(out, err, 1)
		for line := range strings.Lines(out) {
			places = append(places, linePlace(dir, line))
		}
		return places, err
	}}}
	return r
}

// aider is asked for the map of the repository that it sends to a model with a message.
func (i *installed) aider(ctx context.Context) *rival {
	r := &rival{name: "aider", version: aiderVersion, reads: true, broken: i.fromPyPI(ctx, "aider", "aider-chat=="+aiderVersion)}
	program := filepath.Join(i.home, "chatmap.py")
	if err := os.WriteFile(program, chatMap, 0o644); err != nil {
		r.broken = err.Error()
	}
	show := func(ctx context.Context, dir, goal string) (string, error) {
		out, err := i.output(ctx, dir, goal, i.python("aider", "python"), program, fmt.Sprint(budget))
		_, text, _ := strings.Cut(out, "\nMAP\n")
		return text, err
	}
	r.clean = removing(".aider.tags.cache.v4")
	r.index = func(ctx context.Context, dir string) error {
		_, err := show(ctx, dir, "")
		return err
	}
	r.edit = func(ctx context.Context, dir, _ string) error { return r.index(ctx, dir) }
	r.goals = []goalWay{{"repository map", show}}
	return r
}

// repomix packs a whole repository; it takes no goal and answers no question.
func (i *installed) repomix(ctx context.Context) *rival {
	program := i.npm(".bin/repomix")
	r := &rival{name: "repomix", version: "1.18.1", broken: i.fromNPM(ctx), note: "packs whole repositories, compressed here"}
	r.index = func(ctx context.Context, dir string) error {
		_, err := i.output(ctx, dir, "", program, "--compress", "--quiet", "-o", filepath.Join(i.home, "packed.xml"))
		return err
	}
	r.edit = func(ctx context.Context, dir, _ string) error { return r.index(ctx, dir) }
	r.clean = removing()
	r.tools = func(ctx context.Context, dir string) *exec.Cmd { return i.command(ctx, dir, program, "--mcp") }
	return r
}
