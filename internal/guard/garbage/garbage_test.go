package garbage

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"ken/internal/code"
	"ken/internal/lang"
)

// sample is a row of a file of samples: what its head names, and the lines with their marks.
type sample struct{ head, mark, text string }

// samples reads a file in which a head is followed by lines that begin with "+" or "-".
func samples(t *testing.T, name string) []sample {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []sample
	head := ""
	for in := bufio.NewScanner(f); in.Scan(); {
		mark, text, found := strings.Cut(in.Text(), " ")
		switch {
		case mark == "#":
		case found && (mark == "+" || mark == "-"):
			out = append(out, sample{head, mark, text})
		default:
			head = in.Text()
		}
	}
	return out
}

// covered fails for a rule without a hit or without a near miss.
func covered(t *testing.T, rules []string, all []sample) {
	t.Helper()
	for _, r := range rules {
		for _, mark := range []string{"+", "-"} {
			if !slices.ContainsFunc(all, func(s sample) bool { return strings.Fields(s.head)[0] == r && s.mark == mark }) {
				t.Errorf("%s has no sample with %q", r, mark)
			}
		}
	}
}

// one judges a text that is added whole to a file of a language.
func one(l code.Lang, text string) []Finding {
	return NewFinder().Find(&Change{Files: []File{{Path: "a/b", Lang: l, New: text, Added: []Span{{1, strings.Count(text, "\n") + 1}}}}})
}

func TestDebugRules(t *testing.T) {
	all := samples(t, "debug.txt")
	var names []string
	for _, r := range debugTable {
		names = append(names, r.name)
	}
	covered(t, names, all)
	for _, s := range all {
		head := strings.Fields(s.head)
		if !slices.Contains(names, head[0]) || !lang.Of(code.Lang(head[1])).IsKnown() {
			t.Errorf("no rule %s", s.head)
		}
		got := one(code.Lang(head[1]), s.text)
		found := slices.ContainsFunc(got, func(f Finding) bool { return f.Kind == DebugPrint })
		if found != (s.mark == "+") {
			t.Errorf("%s: %s: %v", s.head, s.text, got)
		}
	}
}

func TestForms(t *testing.T) {
	all := samples(t, "code.txt")
	rules := newCodeRules()
	var names []string
	for _, r := range formTable {
		names = append(names, r.name)
	}
	covered(t, names, all)
	for _, s := range all {
		for _, forms := range rules.forms {
			for _, f := range forms {
				if f.name == s.head && f.expr.MatchString(s.text) != (s.mark == "+") {
					t.Errorf("%s %s %s", s.head, s.mark, s.text)
				}
			}
		}
	}
}

func TestComments(t *testing.T) {
	text, err := os.ReadFile("testdata/comments.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "\n")
	for c := range strings.SplitSeq(strings.TrimSuffix(rest, ".\n"), "\n.\n") {
		head, body, _ := strings.Cut(c, "\n")
		l, mark, _ := strings.Cut(head, " ")
		found := slices.ContainsFunc(one(code.Lang(l), body+"\n"), func(f Finding) bool { return f.Kind == CommentedOut && f.Sure >= Likely })
		if found != (mark == "+") {
			t.Errorf("%s\n%s", head, body)
		}
	}
}

func TestJunk(t *testing.T) {
	all := samples(t, "files.txt")
	var names []string
	for _, r := range junkTable {
		names = append(names, r.name)
	}
	covered(t, names, all)
	for _, s := range all {
		for _, r := range newFileRules().junk {
			if r.name == s.head && r.expr.MatchString(s.text) != (s.mark == "+") {
				t.Errorf("%s %s %s", s.head, s.mark, s.text)
			}
		}
	}
}

func TestTodos(t *testing.T) {
	for text, want := range map[string]Sureness{
		"x() // TODO: later":                Likely,
		"// FIXME(bob) later":               Likely,
		"// TODO(#12): later":               Possible,
		"// see https://a.b/c, TODO":        Possible,
		"// DO NOT MERGE":                   Likely,
		"todo := f() // the list of things": 0,
		"s := \"// TODO\"":                  0,
		"// a todo list has items":          0,
		"/// REMOVE after debugging":        Likely,
	} {
		got := Sureness(0)
		for _, f := range one("go", text) {
			if f.Kind == LeftTodo {
				got = f.Sure
			}
		}
		if got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// tree is a project that has these folders and extensions.
type tree struct{ dirs, exts []string }

// HasFolder implements Tree.
func (t tree) HasFolder(dir string) bool { return slices.Contains(t.dirs, dir) }

// HasExtension implements Tree.
func (t tree) HasExtension(ext string) bool { return slices.Contains(t.exts, ext) }

// Tied implements Tree.
func (t tree) Tied(a, b string) bool { return a == "pkg/tied_test.go" && b == "pkg/parser.go" }

func TestWholeFiles(t *testing.T) {
	whole := func(path, text string, class code.FileClass) File {
		added := []Span{{1, strings.Count(text, "\n")}}
		return File{Path: path, Lang: lang.Detect(path, nil), Class: class, Created: true, New: text, Added: added}
	}
	change := Change{
		Request: "cache what the parser reads",
		Files: []File{
			{Path: "pkg/parser.go", Lang: "go", Old: "package pkg\n", New: "package pkg\n\nfunc CachedRead() {}\n", Added: []Span{{2, 3}}},
			whole("pkg/reader_test.go", "package pkg\n\nfunc TestRead(t *testing.T) {\n\tCachedRead()\n}\n", code.ClassTest),
			whole("pkg/label_test.go", "package pkg\n\nfunc TestLabel(t *testing.T) {\n\tlabel()\n}\n", code.ClassTest),
			whole("pkg/tied_test.go", "package pkg\n\nfunc TestTied(t *testing.T) {\n\ttied()\n}\n", code.ClassTest),
			whole("pkg/cache.go", "package pkg\n", 0),
			whole("other/notes.rb", "x\n", 0),
			whole("pkg/a.go.orig", "x\n", 0),
		},
		Tree: tree{[]string{"pkg"}, []string{".go"}},
	}
	want := map[string]Kind{"pkg/label_test.go": UnrequestedTest, "other/notes.rb": UnrelatedFile, "pkg/a.go.orig": UnrelatedFile}
	for _, f := range NewFinder().Find(&change) {
		if f.Sure >= Likely && want[f.Path] != f.Kind {
			t.Errorf("%+v", f)
		}
		delete(want, f.Path)
	}
	if len(want) > 0 {
		t.Errorf("not found: %v", want)
	}
}

// TestMoved has code that moves: who moves a line did not leave it behind. Code
// that becomes a comment is certainly commented out.
func TestMoved(t *testing.T) {
	c := &Change{Files: []File{
		{Path: "a.js", Lang: "javascript", Old: "// TODO: x\nconsole.log(a);\nf(b, 1);\n", New: "//f(b, 1);\n", Added: []Span{{1, 1}}},
		{Path: "b.js", Lang: "javascript", Old: "", New: "// TODO: x\nconsole.log(a);\n", Added: []Span{{1, 2}}},
	}}
	got := NewFinder().Find(c)
	if len(got) != 1 || got[0].Kind != CommentedOut || got[0].Sure != Certain {
		t.Errorf("%+v", got)
	}
}

// TestHabit has a print in a file that printed before: it is only possible, unless
// nobody but its author can want it.
func TestHabit(t *testing.T) {
	for text, want := range map[string]Sureness{
		"print('done')": Possible, "print('x', x)": Possible, "print('x =', x)": Likely, "print('>>>> here')": Likely, "print(f'{x=}')": Likely,
	} {
		f := File{Path: "a.py", Lang: "python", Old: "print('start')\n", New: "print('start')\n" + text + "\n", Added: []Span{{2, 2}}}
		got := NewFinder().Find(&Change{Files: []File{f}})
		if len(got) != 1 || got[0].Sure != want {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

// hostile are texts that no rule must choke on.
func hostile(n int) map[string]string {
	return map[string]string{
		"one line":        strings.Repeat("console.log(x); ", n/16),
		"open strings":    strings.Repeat("\"\n'\n`\n", n/6),
		"open comments":   strings.Repeat("/* x\n", n/5),
		"comments":        strings.Repeat("// foo(bar, baz);\n", n/18),
		"prose":           strings.Repeat("// the a of the a of the a\n", n/27),
		"broken encoding": strings.Repeat("// \xff\xfe\x00 console.log(\xc3\x28)\n", n/28),
		"no end":          strings.Repeat("/", n),
		"quotes":          strings.Repeat("\"", n),
		"escapes":         strings.Repeat("\\\"'", n/3),
		"prints":          strings.Repeat("console.log(x)\n", n/15),
		"closing":         strings.Repeat("// }\n", n/5),
		"calls":           strings.Repeat("// f(", n/5),
	}
}

// TestLinear has half a megabyte of hostile texts: the reading of them is linear,
// and what is judged is bounded. What other processes do does not count.
func TestLinear(t *testing.T) {
	f := NewFinder()
	for name, text := range hostile(1 << 19) {
		c := &Change{Request: text[:50000]}
		for i, l := range []code.Lang{"javascript", "python"} {
			file := File{Path: fmt.Sprint("a", i), Lang: l, Old: text[:len(text)/2], New: text, Created: i == 1, Added: []Span{{1, 1 << 30}}}
			c.Files = append(c.Files, file)
		}
		began := processorTime(t)
		f.Find(c)
		if took := processorTime(t) - began; took > 4*time.Second {
			t.Errorf("%s: %v", name, took)
		}
	}
}

// TestLongLine has a line of 10 MB: it is not judged and costs little.
func TestLongLine(t *testing.T) {
	text := "x = 1\n" + strings.Repeat("console.log(1);", 700_000) + "\nconsole.log(2)\n"
	got := one("javascript", text)
	if len(got) != 1 || got[0].From != 3 {
		t.Errorf("%+v", got[:min(len(got), 3)])
	}
}

func FuzzFind(f *testing.F) {
	for _, text := range hostile(200) {
		f.Add("javascript", text)
		f.Add("python", text)
	}
	finder := NewFinder()
	f.Fuzz(func(t *testing.T, l, text string) {
		lines := strings.Count(text, "\n") + 1
		file := File{Path: text[:min(len(text), 40)], Lang: code.Lang(l), Created: true, New: text, Added: []Span{{1, lines}}}
		for _, x := range finder.Find(&Change{Request: text, Files: []File{file, {Path: "a_test.go", Created: true}}}) {
			within := 0 <= x.From && x.From <= x.To && x.To <= lines
			if !within || x.Why == "" || x.Sure < Possible || x.Sure > Certain {
				t.Fatalf("%+v of %d lines", x, lines)
			}
		}
	})
}

// TestNewTestAmongMendedOnes: a change that mends tests adds none, unless the request says that it adds something or names the test.
func TestNewTestAmongMendedOnes(t *testing.T) {
	mended := File{Path: "cmd/list_test.go", Lang: "go", Class: code.ClassTest, Old: "package cmd\n\nvar path = 1\n", New: "package cmd\n\nvar path = 2\n", Added: []Span{{3, 3}}}
	other := File{Path: "api/parser_test.go", Lang: "go", Class: code.ClassTest, Created: true, New: "package api\n\nfunc TestParser(t *testing.T) {\n}\n", Added: []Span{{1, 4}}}
	for request, want := range map[string]bool{
		"Use the entire fixture path": true, "Fix a typo in tests of lists": true, "Add tests": false, "Fix the tests of parsers": false, "Improve coverage": false,
	} {
		found := slices.ContainsFunc(NewFinder().Find(&Change{Request: request, Files: []File{mended, other}}), func(f Finding) bool { return f.Kind == UnrequestedTest && f.Path == other.Path })
		if found != want {
			t.Errorf("%s: found %v", request, found)
		}
	}
	alone := slices.ContainsFunc(NewFinder().Find(&Change{Request: "Use the entire path", Files: []File{other, {Path: "api/more_test.go", Lang: "go", Class: code.ClassTest, Created: true, New: other.New, Added: other.Added}}}),
		func(f Finding) bool { return f.Kind == UnrequestedTest })
	if alone {
		t.Error("a change of new tests alone is about them")
	}
}
