package unused

import (
	"strings"
	"testing"

	"ken/internal/code"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// TestActionsOnly: scripts and attributes of a page name nothing private, what is between the marks of an action may.
func TestActionsOnly(t *testing.T) {
	page := view.FileText{File: code.File{Path: "a.html", Lang: "html"}, Text: []byte("<p data-x=\"size\"><script>f('size'); g('{{ box.size }}')</script>")}
	for only, want := range map[bool]int{true: 1, false: 3} {
		n := 0
		for _, u := range usesInMarkup("size", page, only) {
			if u.Doubt {
				n++
			}
		}
		if n != want {
			t.Errorf("actions only %v: %d uses, want %d", only, n, want)
		}
	}
}

// TestIsInString: the name NAME is in a string that its line shows to be one, or not.
func TestIsInString(t *testing.T) {
	for text, want := range map[string]bool{
		`f("a NAME b");`: true, `f('"', "a NAME");`: true, `f("a \" NAME");`: true, `f("a {NAME}");`: true, `f("a" + NAME + "b")`: false, `f(NAME)`: false,
		`f("$NAME")`: false, `f($"a {NAME}")`: false, "f(`\"` + NAME + `\"`)": false, `/* " */ NAME "x"`: false, "x \\\ny\" + NAME + \"z": false, `"""` + "\n a\" NAME \"": false,
		`f("/* NAME of");`: true, `*/ f("NAME");`: false, `f("*/ NAME");`: false, `/* it's "NAME"`: false,
	} {
		w := &namedTarget{row: lang.Of("java")}
		if got := w.isInString([]byte(text), strings.Index(text, "NAME")); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	python := &namedTarget{row: lang.Of("python")}
	if python.isInString([]byte(`f("NAME x")`), 3) {
		t.Error("a string of a language in which it may have several lines")
	}
}

// TestCodeParts: the names that begin with C are in code, those that begin with P in prose.
func TestCodeParts(t *testing.T) {
	for _, c := range []struct {
		lang code.Lang
		text string
	}{
		{"html", `<!-- P1 --><p class="P2 {{ C1 }}" (click)="C2()" id=P3 title='P4'>P5 {{ C3 }} P6</p>`},
		{"html", "<!DOCTYPE html>\n<html><style>.P1 {}</style><script>C1()</script><C-2 a>P2</C-3>\n<a href=\"#P3\" data-x=\"C4\" href='C5' aria-label=\"P4\">P5</a>"},
		{"html", `<!-- ko foreach: C1 --><input name="C2" [value]="C3" C4><meta name="P1" content="P2"><br/>P3 > P4 < P5`},
		{"html", "<% C1 %><b>P1</b>${C2} {% if C3 %} P2 {% endif %}"},
		{"html", "---\nlayout: P1\n---\n<p>P2 {{ C1 }}</p>\n<a href=\"api/Box.html#P3\">P4</a><a href=\"api/C2.html\">P5</a>"},
		{"html", "---\nC1: {{ C2 }}\n"},
		{"handlebars", "{{#each C1}}<li id=\"P1\">P2 {{C2.name}}</li>{{/each}}"},
		{"handlebars", "import {{C1}} from C2\n"},
		{"ejs", "<ul><% C1.forEach(function (x) { %><li>P1 <%= C2 %></li><% }) %></ul>"},
		{"go-template", "package x\nfunc C1() {}\n"},
		{"jinja", "{# P #}\n<p>P1 {{ C1 }}</p>"},
		{"markdown", "import C1 from 'x'\nP1 `P2` ``P3 ` P4``\n```js\nimport P5 from 'y'\n<P6/>\n```\n<C2 a=\"P7\"/> <div>P8</div>\n"},
		{"markdown", "~~~\nP1\n```\nP2\n~~~\n<C1>\n"},
		{"mdx", "import { C1,\n C2 } from 'x'\n\nP1 {C3.map(() => { a }, C9)} `P2`\n\n```jsx live\n<C4/>\n```\n\n```js\nP3()\n```\n<C5 a={C6} b=\"C7\">P4</C8>\n"},
	} {
		row := lang.Of(c.lang)
		parts, whole := codeParts(row, []byte(c.text))
		for _, prefix := range []string{"C", "P"} {
			for i := 1; i < 10; i++ {
				name := prefix + string(rune('0'+i))
				place := strings.Index(c.text, name)
				if got := whole || isIn(parts, place); place >= 0 && got != (prefix == "C") {
					t.Errorf("%s: %q: %s in code: %v", c.lang, c.text, name, got)
				}
			}
		}
	}
}
