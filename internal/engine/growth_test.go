package engine_test

import (
	"strings"
	"testing"

	"ken/internal/engine/extract"
	"ken/internal/engine/facts"
)

// growing are pieces of source that, one after the other, nest or chain in some language.
var growing = []string{
	".a", "a.", "::a", "->a", "\\a", "a/", ".a()", "(", "a(", "[a,", "{a:", "<a", "a=", "@a(", "#[a] ",
	"class A{a;", "class A{a(){", "class A:\n", "struct A{int a;", "namespace a{", "module A\n", "mod a{mod b;", "mod a{use self::b;use super::c;",
	"impl a{", "interface A{", "package a{", "import a.", "use a\\{", "function a(b){b.c;", "def a(b=", "fn a(){", "let a = let ", "type A struct{",
	"message A{A a = 1;", "defmodule A do\n", "#if a\n", "`${", "a:\n ",
}

// longName is as long as a name may get in a source that nobody refuses.
var longName = strings.Repeat("N", 1000)

// TestGrowth: what is kept of a file grows with its length and not with the square of it,
// whatever nests or chains and however long the names are that are repeated.
func TestGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine reads thousands of texts: nothing for the race detector")
	}
	e := extract.New()
	defer e.Close()
	const size, most = 4 << 10, 40
	seen := map[string]bool{}
	for i := range nestings {
		n := &nestings[i]
		for _, piece := range growing {
			for _, src := range []string{
				n.head + strings.Repeat(piece, size/len(piece)),
				n.head + strings.NewReplacer("NAME", longName, "INDENT", "").Replace(n.open) + strings.Repeat(piece, size/len(piece)),
			} {
				f := e.Extract(n.file, n.lang, []byte(src))
				kept := len(facts.Encode(nil, f))
				for i := range f.Symbols {
					kept += len(f.Symbols[i].Qualified) + len(f.Symbols[i].Signature) + len(f.Symbols[i].Name)
				}
				if kept > most*len(src) && !seen[n.file+piece] {
					seen[n.file+piece] = true
					t.Errorf("%s: of %d bytes of %q, %.60q… %d are kept (%d symbols, %d references, %d imports)", n.file, len(src), piece, src, kept,
						len(f.Symbols), len(f.Refs), len(f.Imports))
				}
			}
		}
	}
}
