package declared

import (
	"slices"
	"strings"
	"testing"

	"ken/internal/code"
)

const goText = `// Package a is.
package a

import "fmt"

var limit = 3

// One is one.
func One() int {
	return 1
}

func Two() int { return 2 }

// T is a type.
type T struct {
	n int
}

// Get gets.
func (t *T) Get() int { return t.n }

type I interface {
	Do()
}
`

const pyText = `import os
from x import (
    a,
    b,
)

LIMIT = 3

def one():
    return 1


class C:
    n = 1

    @property
    def get(self):
        return self.n

    def put(self, n):
        self.n = n

print(one())
`

const tsText = `import {
  a,
  b,
} from './x';

export const limit = 3;

export function one() {
  return 1;
}

export class C {
  get() {
    return 1;
  }
}

one();
`

const jsText = `'use strict'
start()
const {
  a,
  b,
} = require('./x')

function one () { return 1 }
`

// TestAround: a method that is declared outside of its type is not around by its name.
func TestAround(t *testing.T) {
	for _, c := range []struct {
		lang                 code.Lang
		path, text, old, new string
		name, around         string
	}{
		{"go", "a.go", goText, "return t.n", "return 0", "T.Get", ""},
		{"python", "a.py", pyText, "self.n = n", "self.n = 0", "C.put", "C"},
		{"typescript", "a.ts", tsText, "    return 1;", "    return 7;", "C.get", "C"},
		{"python", "a.py", pyText, "print(one())", "print(2)", "", ""},
	} {
		got := Changes(c.path, c.lang, []byte(c.text), []byte(strings.Replace(c.text, c.old, c.new, 1)))
		if len(got) != 1 || got[0].Name != c.name || strings.Join(got[0].Around, " ") != c.around {
			t.Errorf("%s: %+v, want %s in %s", c.path, got, c.name, c.around)
		}
	}
}

// TestChanges: a change is told by the declarations that it touches, whatever else is added.
func TestChanges(t *testing.T) {
	texts := map[string]string{"go": goText, "python": pyText, "typescript": tsText, "javascript": jsText}
	files := map[string]string{"go": "a.go", "python": "a.py", "typescript": "a.ts", "javascript": "a.js"}
	for _, c := range []struct {
		lang     code.Lang
		name     string
		old, new string // replaced
		want     string // names, joined by blanks; "-" is outside
	}{
		{"go", "a body", "return 1", "return 7", "One"},
		{"go", "a line more", "return 1", "if true {\n\t}\n\treturn 1", "One"},
		{"go", "a signature", "One() int {", "One(n int) int {", "One"},
		{"go", "a comment above", "// One is one.", "// One is more.", "One"},
		{"go", "a comment is new", "func Two", "// Two is two.\nfunc Two", "Two"},
		{"go", "two at once", "return 1\n}\n\nfunc Two() int { return 2 }", "return 7\n}\n\nfunc Two() int { return 7 }", "One Two"},
		{"go", "one is gone", "func Two() int { return 2 }\n", "", "Two"},
		{"go", "an import", `import "fmt"`, "import (\n\t\"fmt\"\n\t\"strings\"\n)", ""},
		{"go", "a new function", "func Two", "func Three() {}\n\nfunc Two", ""},
		{"go", "a new function and a change", "func Two() int { return 2 }", "func Three() {}\n\nfunc Two() int { return 7 }", "Two"},
		{"go", "the package's comment", "// Package a is.", "// Package a was.", "-"},
		{"go", "a variable", "limit = 3", "limit = 4", "limit"},
		{"go", "a field", "\tn int\n", "\tn int\n\tm int\n", "T"},
		{"go", "a method of an interface", "\tDo()\n", "\tDo()\n\tUndo()\n", "I"},
		{"go", "a new method", "type I", "func (t *T) Set() {}\n\ntype I", ""},
		{"go", "all but one", goText[strings.Index(goText, "var"):], "func One() int { return 1 }\n", "limit One Two T T.n T.Get I I.Do"},
		{"go", "broken off", "return 1\n}", "return 1\n", "One"},
		{"go", "nothing", "", "", ""},
		{"python", "a body", "return 1", "return 7", "one"},
		{"python", "an import of several lines", "    b,\n", "    b,\n    c,\n", ""},
		{"python", "a method", "self.n = n", "self.n = 0", "C.put"},
		{"python", "a decorator", "    @property\n", "", "C.get"},
		{"python", "a field", "    n = 1", "    n = 2", "C.n"},
		{"python", "a new method", "    def put", "    def more(self):\n        pass\n\n    def put", ""},
		{"python", "a statement", "print(one())", "print(one())\nos.remove('x')", "-"},
		{"python", "a function within another", "    return 1", "    def inner():\n        pass\n    return 1", "one"},
		{"typescript", "a body", "return 1;\n}\n\nexport class", "return 7;\n}\n\nexport class", "one"},
		{"typescript", "an import of several lines", "  b,\n", "  b,\n  c,\n", ""},
		{"javascript", "an import of several lines", "  b,\n", "  b,\n  c,\n", ""},
		{"javascript", "a call among its names", "  b,\n", "  b = stop(),\n", "-"},
		{"javascript", "a statement before it", "start()", "stop()", "-"},
		{"go", "a comment that means another declaration", "// One is one.", "//go:linkname Two evil.Two\n// One is one.", "-"},
		{"python", "a statement on the line of an import", "import os", "import os; os.remove('x')", "-"},
		{"python", "another import on its line", "import os", "import os, sys", ""},
		{"python", "an import that binds the name of a function", "LIMIT = 3", "LIMIT = 3\nfrom y import two as one", "one"},
		{"python", "a new variable", "LIMIT = 3", "LIMIT = 3\nMOST = (4, 5)", ""},
		{"python", "a new variable that calls", "LIMIT = 3", "LIMIT = 3\nMOST = stop(4)", "-"},
		{"go", "a new variable that calls", "var limit", "var errOne = fmt.Errorf(\"one\")\n\nvar limit", ""},
		{"python", "an import of everything", "LIMIT = 3", "LIMIT = 3\nfrom y import *", "-"},
		{"python", "a statement that looks like a comment of others", "def one", "*a, b = stop()\ndef one", "-"},
		{"python", "a second function of a name", "print(one())", "def one():\n    return 2\n\nprint(one())", "one"},
		{"javascript", "a statement behind a function", "{ return 1 }", "{ return 1 }; start = stop", "one -"},
		{"javascript", "a comment behind a function", "{ return 1 }", "{ return 1 } // one", "one"},
		{"javascript", "a list above a function", "function one", "[1].map(stop)\nfunction one", "-"},
		{"javascript", "a statement behind a comment", "function one", "/* one */ stop()\nfunction one", "-"},
		{"javascript", "a call of what is imported", "start()", "require('y')(stop)\nstart()", "-"},
		{"javascript", "a second name beside an import", "start()", "const c = require('y'), d = stop()\nstart()", "-"},
		{"javascript", "an import", "start()", "const c = require('y').c;\nconst { d, e: f } = require('z')\nstart()", ""},
		{"typescript", "imports", "export const limit", "import x, { y as z } from \"x\";\nimport type * as t from 't';\nimport u = require('u');\nexport const limit", ""},
		{"typescript", "a method", "    return 1;", "    return 7;", "C.get"},
		{"typescript", "a statement", "\none();", "\none();\none();", "-"},
	} {
		old := texts[string(c.lang)]
		now := strings.Replace(old, c.old, c.new, 1)
		got, _ := changedNames(files[string(c.lang)], c.lang, []byte(old), []byte(now))
		for i := range got {
			if got[i] == "" {
				got[i] = "-"
			}
		}
		if want := strings.Fields(c.want); !slices.Equal(got, want) {
			t.Errorf("%s, %s: %q, want %q", c.lang, c.name, got, want)
		}
	}
	if got, _ := changedNames("a.txt", "text", []byte("a\nb\n"), []byte("a\nc\n")); !slices.Equal(got, []string{""}) {
		t.Errorf("a text: %q", got)
	}
}
