package extract

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ken/internal/code"
)

// ctag is a line of what ctags prints.
type ctag struct {
	Name, Path, Kind string
	Line, End        uint32
}

func (c *ctag) decl() decl {
	return decl{Path: c.Path, Kind: c.Kind, Name: c.Name, Line: c.Line, EndLine: c.End}
}

// ctagsAnswers returns the tags of ctags but for some kinds.
func ctagsAnswers(ignored []string) func(*testing.T, []oracleFile, []byte) map[string]*oracleAnswer {
	return func(t *testing.T, files []oracleFile, out []byte) map[string]*oracleAnswer {
		answers := answersFor(files)
		for _, tag := range oracleLines[ctag](t, out) {
			if !slices.Contains(ignored, tag.Kind) {
				answers[tag.Path].decls = append(answers[tag.Path].decls, tag.decl())
			}
		}
		return answers
	}
}

// nameLine is what tags are found by.
type nameLine struct {
	name string
	line uint32
}

// ctagsMatch finds a tag by its name, without that of an explicit interface, and line.
// Tags with an end should have that of the symbol, which does not count.
func ctagsMatch(f *oracleFile, facts *code.Facts) matcher {
	ends := map[nameLine]uint32{}
	for _, s := range facts.Symbols {
		line := s.Span.Line + uint32(bytes.Count(f.src[s.Span.Start:s.NameStart], []byte("\n")))
		name := s.Name
		if i := strings.Index(name, " operator "); i > 0 { // "explicit operator T"
			name = name[i+1:]
		}
		ends[nameLine{name, line}] = s.Span.EndLine
	}
	key := func(d decl) nameLine { return nameLine{d.Name[strings.LastIndexByte(d.Name, '.')+1:], d.Line} }
	return matcher{
		found: func(d decl) bool { _, ok := ends[key(d)]; return ok },
		differs: func(d decl) string {
			if d.EndLine == 0 || d.EndLine == ends[key(d)] {
				return ""
			}
			return "end of " + d.Kind
		},
	}
}

// tagsMatch finds a tag by its name, whole or its last part, and line.
func tagsMatch(excuse func(d decl, lines []string) string, clauses bool) func(*oracleFile, *code.Facts) matcher {
	return func(f *oracleFile, facts *code.Facts) matcher {
		have, named := map[nameLine]bool{}, map[string]bool{}
		for _, s := range facts.Symbols {
			have[nameLine{s.Name, lineOf(f.src, int(s.NameStart))}] = true
			named[s.Name] = true
		}
		lines := strings.Split(string(f.src), "\n")
		last := func(name string) string { return name[strings.LastIndexAny(name, ".:")+1:] }
		return matcher{
			found: func(d decl) bool { return have[nameLine{d.Name, d.Line}] || have[nameLine{last(d.Name), d.Line}] },
			excuse: func(d decl) string {
				class := excuse(d, lines)
				if class == "" && clauses && named[last(d.Name)] {
					class = "a further clause of a declaration of the file"
				}
				return class
			},
		}
	}
}

// tagLine returns the line of a tag.
func tagLine(d decl, lines []string) string {
	if d.Line == 0 || int(d.Line) > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[d.Line-1])
}

// inHeredoc reports whether a line belongs to a here-document, which begins above it
// and ends below it.
func inHeredoc(d decl, lines []string) bool {
	begin := regexp.MustCompile("<<[-~]?[\"'`]?([A-Za-z_]+)")
	end := ""
	for _, l := range lines[:min(int(d.Line), len(lines))] {
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

func rubyTagExcuse(d decl, lines []string) string {
	line := tagLine(d, lines)
	switch {
	case d.Kind == "accessor" && strings.HasSuffix(d.Name, "="):
		return "the writer of an attribute, one field with its reader"
	case d.Kind == "describe" || d.Kind == "context":
		return "a group of RSpec examples"
	case strings.HasPrefix(line, "#"):
		return "in a comment"
	case d.Kind == "constant" && regexp.MustCompile(regexp.QuoteMeta(d.Name)+`\s*(==|=~|=>)`).MatchString(line):
		return "a constant compared"
	case d.Kind == "alias" && regexp.MustCompile(`\b`+regexp.QuoteMeta(d.Name)+`[?!=]`).MatchString(line):
		return "an alias, its name cut at the punctuation"
	case d.Kind == "singletonMethod" && strings.HasPrefix(line, "def "+d.Name+"."):
		return "a singleton method under the name of its receiver"
	case inHeredoc(d, lines):
		return "in a here-document"
	}
	return ""
}

func luaTagExcuse(d decl, lines []string) string {
	line := tagLine(d, lines)
	name := regexp.QuoteMeta(d.Name)
	if !regexp.MustCompile(name + `["'\]]*\s*=\s*function\b|function\s+` + name).MatchString(line) {
		return "not a function: the word stands elsewhere in the line"
	}
	return ""
}

func elixirTagExcuse(d decl, lines []string) string {
	above := strings.Join(lines[:min(int(d.Line), len(lines))], "\n")
	switch {
	case strings.Count(above, `"""`)%2 == 1:
		return "in a text"
	case d.Kind == "test":
		return "a test"
	case d.Kind == "record":
		return "a record"
	}
	return ""
}

func shellTagExcuse(d decl, lines []string) string {
	switch {
	case d.Kind == "heredoc":
		return "the label of a here-document"
	case d.Kind == "alias" && !strings.HasPrefix(tagLine(d, lines), "alias"):
		return "a word alias that is no command"
	case d.Kind == "script":
		return "a sourced file, which is an import"
	case inHeredoc(d, lines):
		return "in a here-document"
	}
	return ""
}

func haskellTagExcuse(d decl, lines []string) string {
	line := ""
	if int(d.Line) <= len(lines) && d.Line > 0 {
		line = lines[d.Line-1]
	}
	switch {
	case d.Kind == "module" && strings.HasPrefix(line, "module "+d.Name+"."):
		return "a module under the first part of its name"
	case strings.HasPrefix(line, " ") && d.Kind == "function":
		return "a local function"
	case d.Name == "class" || strings.HasPrefix(d.Name, "infix"):
		return "a keyword"
	}
	return ""
}

func ocamlTagExcuse(d decl, lines []string) string {
	line := tagLine(d, lines)
	switch {
	case d.Kind == "module" && d.Line == 1 && !strings.HasPrefix(line, "module "+d.Name):
		return "the module that a file is"
	case d.Name == "()" || d.Name == "_":
		return "a binding without a name"
	case regexp.MustCompile(`\b(with|and) (type|module) |^\| (exception|effect) |: module type of`).MatchString(line):
		return "no definition"
	case d.Kind == "type" && strings.Contains(line, "+="):
		return "more constructors of a type declared elsewhere"
	case d.Name == "%":
		return "a test"
	case (d.Kind == "var" || d.Kind == "function") && !inOCamlModule(d, lines):
		return "a local binding"
	case strings.HasSuffix(line, " in") || regexp.MustCompile(`\bin\b`).MatchString(line) && d.Kind == "function":
		return "a local binding"
	}
	return ""
}

// inOCamlModule reports whether the line around a more indented one opens a module, or
// there is no such line.
func inOCamlModule(d decl, lines []string) bool {
	indent := func(l string) int { return len(l) - len(strings.TrimLeft(l, " \t")) }
	at := int(d.Line) - 1
	for i := at - 1; i >= 0; i-- {
		if l := lines[i]; strings.TrimSpace(l) != "" && indent(l) < indent(lines[at]) {
			l = strings.TrimSpace(l)
			return strings.HasSuffix(l, "struct") || strings.HasSuffix(l, "sig") || strings.HasPrefix(l, "module") || strings.HasPrefix(l, "include")
		}
	}
	return true
}
