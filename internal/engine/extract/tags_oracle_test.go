package extract

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ken/internal/code"
)

// tagsLang is a language as ctags knows it. Excused says why a tag needs no symbol
// here, "" if it should have one.
type tagsLang struct {
	ext, ctags string
	excused    func(g *tag, lines []string) string
	clauses    bool // functions consist of clauses, tagged one by one
}

// tag is a line of what ctags writes.
type tag struct {
	Name, Path, Kind string
	Line             uint32
}

func tagsLangs() map[code.Lang]tagsLang {
	return map[code.Lang]tagsLang{
		"ruby":    {".rb", "Ruby", rubyTagExcuse, false},
		"lua":     {".lua", "Lua", luaTagExcuse, false},
		"elixir":  {".ex", "Elixir", elixirTagExcuse, true},
		"shell":   {".sh", "Sh", shellTagExcuse, false},
		"haskell": {".hs", "Haskell", haskellTagExcuse, true},
		"ocaml":   {".ml", "OCaml", ocamlTagExcuse, false},
	}
}

// TestTagsOracle compares declarations with those ctags finds, by name and line, for
// the language KEN_ORACLE_LANG names: ctags reads line by line and makes mistakes of
// its own, so the classes of difference caused by those are named and counted.
//
// KEN_ORACLE=1 KEN_ORACLE_LANG=ruby KEN_CORPUS=/path/to/repository go test -run
// TagsOracle -v
func TestTagsOracle(t *testing.T) {
	lang := code.Lang(os.Getenv("KEN_ORACLE_LANG"))
	l, ok := tagsLangs()[lang]
	if os.Getenv("KEN_ORACLE") == "" || !ok {
		t.Skip("KEN_ORACLE is not set, or KEN_ORACLE_LANG to none of these languages")
	}
	paths, sources := corpus(t, l.ext)
	e := testExtractor(t)
	have, named, lines := map[string]bool{}, map[string]bool{}, map[string][]string{}
	symbols := 0
	for i, path := range paths {
		facts := e.Extract(path, lang, sources[i])
		lines[path] = strings.Split(string(sources[i]), "\n")
		symbols += len(facts.Symbols)
		for _, s := range facts.Symbols {
			at := uint32(bytes.Count(sources[i][:s.NameStart], []byte("\n"))) + 1
			have[fmt.Sprint(path, " ", s.Name, " ", at)] = true
			named[path+" "+s.Name] = true
		}
	}
	want, both, excused, shown := 0, 0, map[string]int{}, 0
	for _, g := range tags(t, l.ctags, paths) {
		name := g.Name[strings.LastIndexAny(g.Name, ".:")+1:]
		if have[fmt.Sprint(g.Path, " ", g.Name, " ", g.Line)] || have[fmt.Sprint(g.Path, " ", name, " ", g.Line)] {
			want, both = want+1, both+1
			continue
		}
		why := l.excused(&g, lines[g.Path])
		if why == "" && l.clauses && named[g.Path+" "+name] {
			why = "a further clause of what is declared in the file"
		}
		if why != "" {
			excused[why]++
			continue
		}
		if want++; shown < 60 {
			shown++
			t.Logf("missing %s %s %s:%d  %s", g.Kind, g.Name, g.Path, g.Line, cut(lineOf(&g, lines[g.Path]), 100))
		}
	}
	for _, why := range slices.Sorted(maps.Keys(excused)) {
		t.Logf("left out, %s: %d", why, excused[why])
	}
	t.Logf("%d files, %d symbols; of %d tags %d are found: %.2f %%", len(paths), symbols, want, both, 100*float64(both)/float64(max(want, 1)))
	if float64(both) < 0.98*float64(want) {
		t.Error("less than 98 %")
	}
}

// tags runs ctags, in parts that fit its command line.
func tags(t *testing.T, lang string, paths []string) []tag {
	cmd := exec.Command("ctags", "--output-format=json", "--fields=+nK", "--language-force="+lang, "-L", "-", "-f", "-")
	cmd.Stdin = strings.NewReader(strings.Join(paths, "\n") + "\n")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("run ctags: %v", err)
	}
	var list []tag
	scan := bufio.NewScanner(bytes.NewReader(out))
	scan.Buffer(nil, 1<<22)
	for scan.Scan() {
		var g tag
		if err := json.Unmarshal(bytes.ToValidUTF8(scan.Bytes(), nil), &g); err != nil {
			t.Fatalf("ctags said %q: %v", scan.Text(), err)
		}
		list = append(list, g)
	}
	return list
}

func lineOf(g *tag, lines []string) string {
	if g.Line == 0 || int(g.Line) > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[g.Line-1])
}

// inHeredoc reports whether a line belongs to a here-document, which begins above it
// and ends below it.
func inHeredoc(g *tag, lines []string) bool {
	begin := regexp.MustCompile("<<[-~]?[\"'`]?([A-Za-z_]+)")
	end := ""
	for _, l := range lines[:min(int(g.Line), len(lines))] {
		if end != "" {
			if strings.TrimSpace(l) == end {
				end = ""
			}
		} else if m := begin.FindStringSubmatch(l); m != nil {
			end = m[1]
		}
	}
	return end != ""
}

func rubyTagExcuse(g *tag, lines []string) string {
	line := lineOf(g, lines)
	switch {
	case g.Kind == "accessor" && strings.HasSuffix(g.Name, "="):
		return "the writer of an attribute, one field with its reader"
	case g.Kind == "describe" || g.Kind == "context":
		return "a group of RSpec examples"
	case strings.HasPrefix(line, "#"):
		return "in a comment"
	case g.Kind == "constant" && regexp.MustCompile(regexp.QuoteMeta(g.Name)+`\s*(==|=~|=>)`).MatchString(line):
		return "a constant compared"
	case g.Kind == "alias" && regexp.MustCompile(`\b`+regexp.QuoteMeta(g.Name)+`[?!=]`).MatchString(line):
		return "an alias, its name cut at the punctuation"
	case g.Kind == "singletonMethod" && strings.HasPrefix(line, "def "+g.Name+"."):
		return "a singleton method under the name of its receiver"
	case inHeredoc(g, lines):
		return "in a here-document"
	}
	return ""
}

func luaTagExcuse(g *tag, lines []string) string {
	line := lineOf(g, lines)
	name := regexp.QuoteMeta(g.Name)
	if !regexp.MustCompile(name + `["'\]]*\s*=\s*function\b|function\s+` + name).MatchString(line) {
		return "not a function: the word stands elsewhere in the line"
	}
	return ""
}

func elixirTagExcuse(g *tag, lines []string) string {
	above := strings.Join(lines[:min(int(g.Line), len(lines))], "\n")
	switch {
	case strings.Count(above, `"""`)%2 == 1:
		return "in a text"
	case g.Kind == "test":
		return "a test"
	case g.Kind == "record":
		return "a record"
	}
	return ""
}

func shellTagExcuse(g *tag, lines []string) string {
	switch {
	case g.Kind == "heredoc":
		return "the label of a here-document"
	case g.Kind == "alias" && !strings.HasPrefix(lineOf(g, lines), "alias"):
		return "a word alias that is no command"
	case g.Kind == "script":
		return "a sourced file, which is an import"
	case inHeredoc(g, lines):
		return "in a here-document"
	}
	return ""
}

func haskellTagExcuse(g *tag, lines []string) string {
	line := ""
	if int(g.Line) <= len(lines) && g.Line > 0 {
		line = lines[g.Line-1]
	}
	switch {
	case g.Kind == "module" && strings.HasPrefix(line, "module "+g.Name+"."):
		return "a module under the first part of its name"
	case strings.HasPrefix(line, " ") && g.Kind == "function":
		return "a local function"
	case g.Name == "class" || strings.HasPrefix(g.Name, "infix"):
		return "a keyword"
	}
	return ""
}

func ocamlTagExcuse(g *tag, lines []string) string {
	line := lineOf(g, lines)
	switch {
	case g.Kind == "module" && g.Line == 1 && !strings.HasPrefix(line, "module "+g.Name):
		return "the module that a file is"
	case g.Name == "()" || g.Name == "_":
		return "a binding without a name"
	case regexp.MustCompile(`\b(with|and) (type|module) |^\| (exception|effect) |: module type of`).MatchString(line):
		return "no definition"
	case g.Kind == "type" && strings.Contains(line, "+="):
		return "more constructors of a type declared elsewhere"
	case g.Name == "%":
		return "a test"
	case (g.Kind == "var" || g.Kind == "function") && !inOCamlModule(g, lines):
		return "a local binding"
	case strings.HasSuffix(line, " in") || regexp.MustCompile(`\bin\b`).MatchString(line) && g.Kind == "function":
		return "a local binding"
	}
	return ""
}

// inOCamlModule reports whether the line around a more indented one opens a module, or
// there is no such line.
func inOCamlModule(g *tag, lines []string) bool {
	indent := func(l string) int { return len(l) - len(strings.TrimLeft(l, " \t")) }
	at := int(g.Line) - 1
	for i := at - 1; i >= 0; i-- {
		if l := lines[i]; strings.TrimSpace(l) != "" && indent(l) < indent(lines[at]) {
			l = strings.TrimSpace(l)
			return strings.HasSuffix(l, "struct") || strings.HasSuffix(l, "sig") || strings.HasPrefix(l, "module") || strings.HasPrefix(l, "include")
		}
	}
	return true
}
