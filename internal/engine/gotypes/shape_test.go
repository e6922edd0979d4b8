package gotypes

import (
	"testing"
)

const shapeBase = `//go:build linux

// Package p is one.
package p

import "fmt"

type T struct {
	A int ` + "`json:\"a\"`" + `
}

var table = map[string]func(int) int{"x": func(i int) int { return i }}

// F does.
func F(x struct{ A int }, y interface{ M() }) (r interface{ N() }) {
	if true {
		fmt.Println("{", x)
	}
	return nil
}

func (t *T) G() {}
`

// TestShape: what others can see changes the shape, and nothing else does.
func TestShape(t *testing.T) {
	base := Shape([]byte(shapeBase))
	for _, c := range []struct {
		name, from, to string
		same           bool
	}{
		{"a body", `fmt.Println("{", x)`, `for { fmt.Print(x) }`, true},
		{"a body gets a function literal", `return nil`, `return func() { }`, true},
		{"a comment", "// F does.", "// F does it.\n//\n// At length.", true},
		{"an empty body is filled", "G() {}", "G() { t.A++ }", true},
		{"a tag", `json:\"a\"`, `json:\"b\"`, true},
		{"a string", `"x": func`, `"y": func`, true},
		{"lines", "\n\nvar table", "\n\n\n\nvar table", true},
		{"a build constraint", "linux", "darwin", false},
		{"an import", `"fmt"`, `"fmt2"`, false},
		{"a field", "A int `", "A, B int `", false},
		{"a result", "(r interface{ N() })", "(r interface{ O() })", false},
		{"a parameter", "x struct{ A int }", "x struct{ A uint }", false},
		{"a method's receiver", "(t *T) G", "(t T) G", false},
		{"a function comes", "func (t *T) G() {}", "func (t *T) G() {}\nfunc H() {}", false},
		{"a literal at the top level", "return i }", "return -i }", false},
		{"the package", "package p\n", "package q\n", false},
		{"a body left open", "return nil\n}", "return nil\n", false},
	} {
		text := replaceOnce(t, shapeBase, c.from, c.to)
		if got := Shape([]byte(text)) == base; got != c.same {
			t.Errorf("%s: same shape %v, want %v", c.name, got, c.same)
		}
	}
}

func replaceOnce(t *testing.T, s, from, to string) string {
	t.Helper()
	if from[0] == 'j' { // written with quotes escaped
		from, to = "json:\"a\"", "json:\"b\""
	}
	for i := 0; i+len(from) <= len(s); i++ {
		if s[i:i+len(from)] == from {
			return s[:i] + to + s[i+len(from):]
		}
	}
	t.Fatalf("no %q", from)
	return ""
}

func FuzzShape(f *testing.F) {
	f.Add([]byte(shapeBase))
	f.Add([]byte("package p; func f() { ) } func g() {}"))
	f.Add([]byte("func\x00{{{((([["))
	f.Fuzz(func(t *testing.T, src []byte) {
		first, again := Shape(src), Shape(src)
		if first != again {
			t.Error("not a function of the bytes")
		}
	})
}
