package extract

import (
	"math/rand"
	"strings"
	"testing"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
)

// soup returns n bytes of the tokens in random order, the same every time.
func soup(tokens string, n int) string {
	words, rnd := strings.Fields(tokens), rand.New(rand.NewSource(1))
	var b strings.Builder
	for b.Len() < n {
		b.WriteString(words[rnd.Intn(len(words))] + " ")
	}
	return b.String()
}

// hostile is source that takes the parser seconds if nothing stops it.
func hostile() map[string]string {
	return map[string]string{
		"a.js":  "import x from 'kept'\ntype a = " + strings.Repeat("(a:", 20000),
		"a.ts":  "import x from 'kept'\n" + strings.Repeat("f<a,", 15000),
		"a.tsx": "import x from 'kept'\n" + soup("{ } ( ) a ; =", 200000),
		"a.cs":  strings.Repeat(`#"`, 50000),
	}
}

// TestWorkLimit checks that hostile files are stopped by the work limit, which is a
// count and so the same every time, instead of the clock, and that the parser can be
// used afterwards.
func TestWorkLimit(t *testing.T) {
	e := testExtractor(t)
	for path, src := range hostile() {
		lang := langOf[path[strings.IndexByte(path, '.'):]]
		facts := e.Extract(path, lang, []byte(src))
		if facts.Problem != code.ProblemParseLimit {
			t.Errorf("%s: problem %q", path, facts.Problem)
		}
		if g := e.grammars[e.find(path, lang)]; g != nil {
			if _, status := e.parser.parse(g, []byte(src), limits{}); status != parseWork {
				t.Errorf("%s: stopped by %d, not by work", path, status)
			}
			a := e.parser.work()
			if e.parser.parse(g, []byte(src), limits{}); a != e.parser.work() {
				t.Errorf("%s: work %d, then %d", path, a, e.parser.work())
			}
		}
		after := e.Extract(path, lang, []byte("class f {}"))
		if after.Problem != "" || len(after.Symbols) != 1 {
			t.Errorf("%s: parser not usable afterwards: %+v", path, after)
		}
	}
}

// TestClockLimit checks that the clock stops a file that the work limit lets pass.
func TestClockLimit(t *testing.T) {
	e := testExtractor(t)
	e.limits = limits{work: 1 << 40, millis: 30}
	src := []byte(strings.Repeat("f<a,", 15000))
	if facts := e.Extract("a.ts", "typescript", src); facts.Problem != code.ProblemParseLimit {
		t.Errorf("problem %q", facts.Problem)
	}
	e.limits = limits{}
	if facts := e.Extract("a.ts", "typescript", []byte("let a = 1")); len(facts.Symbols) != 1 {
		t.Error("parser not usable afterwards")
	}
}

// TestCaps checks that of a tree too deep or too large the rest is still read.
func TestCaps(t *testing.T) {
	e := testExtractor(t)
	deep := "function f() {}\nlet x = " + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + "\nfunction g() {}\n"
	facts := e.Extract("a.ts", "typescript", []byte(deep))
	if facts.Problem != code.ProblemParseLimit || len(facts.Symbols) != 3 {
		t.Errorf("problem %q, %d symbols", facts.Problem, len(facts.Symbols))
	}
	e.limits = limits{nodes: 50}
	facts = e.Extract("a.ts", "typescript", []byte(strings.Repeat("function f() {}\n", 100)))
	if n := len(facts.Symbols); facts.Problem != code.ProblemParseLimit || n == 0 || n > 10 {
		t.Errorf("problem %q, %d symbols", facts.Problem, n)
	}
	checkFacts(t, []byte(deep), facts)
}

// TestHead reads imports out of a head cut in the middle of a function.
func TestHead(t *testing.T) {
	e := testExtractor(t)
	head := "import a from 'x'\nimport { b } from './y'\nconst c = require('z')\nfunction f() { if (a) { re"
	facts := e.ExtractHead("a.js", "javascript", []byte(head))
	if len(facts.Imports) != 3 || facts.Imports[1].Spec != "./y" || len(facts.Symbols) > 0 {
		t.Errorf("got %+v", facts)
	}
}

func TestUnknownLanguage(t *testing.T) {
	e := testExtractor(t)
	if facts := e.Extract("a.zz", "zz", []byte("x")); facts == nil || len(facts.Symbols) > 0 || facts.Problem != "" {
		t.Errorf("got %+v", facts)
	}
}

func TestSignature(t *testing.T) {
	for _, c := range [][2]string{
		{"f(\n  a,\n  b,\n)", "f(a, b)"},
		{"f( a ,  b )", "f( a , b )"},
		{"f(a /* x */, // y\n b)", "f(a , b)"},
		{"a = 'x  y'  ;", "a = 'x  y' ;"},
		{"a = `x\n  y`", "a = `x\\n  y`"},
		{"a = \"q\\\"  z\"  b", "a = \"q\\\"  z\" b"},
		{"\tf()\r\n\tg", "f() g"},
		{strings.Repeat("é", 400), strings.Repeat("é", code.MaxSignature/2)},
	} {
		e := testExtractor(t)
		f := &file{}
		f.facts = &code.Facts{}
		if e.parser, _ = newTreeParser(); !e.load(f, &e.grammars[e.find("a.ts", "typescript")], typescriptSpec(), nil, []byte(c[0]), c[0]) {
			t.Fatal("no tree")
		}
		if got := f.signature(0, uint32(len(c[0]))); got != c[1] {
			t.Errorf("signature(%q) = %q, want %q", c[0], got, c[1])
		}
	}
}

func TestCleanDoc(t *testing.T) {
	for _, c := range [][2]string{
		{"/** One. */", "One."},
		{"/**\n * One.\n *\n *   - two\n */", "One.\n\n  - two"},
		{"/*! keep */", "keep"},
		{"// a\n// b", "a\nb"},
		{"/// a\n//! b", "a\nb"},
		{"# a\n## b", "a\nb"},
		{"/**/", ""},
		{"/*", ""},
		{"/** \xff */", "\uFFFD"},
		{"/** " + strings.Repeat("é", code.MaxDoc) + "*/", strings.Repeat("é", code.MaxDoc/2)},
	} {
		if got := lexical.CleanDoc(c[0]); got != c[1] {
			t.Errorf("lexical.CleanDoc(%q) = %q, want %q", c[0], got, c[1])
		}
	}
}

// TestRepairsThatChangeNothing reads what the repairs look at in pieces and leave as it is:
// the tree must be the file's, not the last piece's.
func TestRepairsThatChangeNothing(t *testing.T) {
	e := testExtractor(t)
	for _, r := range e.readers {
		for _, s := range []string{"#0{", "0{", "#{", "fun f() {}\n#0{"} {
			checkFacts(t, []byte(s), e.Extract("f"+r.ext, r.lang, []byte(s)))
		}
	}
	if facts := e.Extract("a.kt", "kotlin", []byte("fun first() {}\n#0{")); len(facts.Symbols) != 1 {
		t.Errorf("%d symbols, want 1: %+v", len(facts.Symbols), facts.Symbols)
	}
}

// TestNoCharacters reads bytes that are no characters in every language, more of them
// than the limit of work lets a scanner look at.
func TestNoCharacters(t *testing.T) {
	e := testExtractor(t)
	for _, r := range languages() {
		for _, piece := range []string{"\xff", "\xe2\x82"} {
			src := []byte(strings.Repeat(piece, 12_000/len(piece)))
			checkFacts(t, src, e.Extract("a"+r.ext, r.lang, src))
		}
	}
}
