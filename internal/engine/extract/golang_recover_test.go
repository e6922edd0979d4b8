package extract

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand"
	"strings"
	"testing"

	"ken/internal/code"
)

// TestGoRecovery takes one bracket, quote or operator out of each corpus file and counts
// the functions, methods and types that are still found. It compares them with those of
// the intact file and with those that the parser finds without cutting.
func TestGoRecovery(t *testing.T) {
	paths, sources := corpus(t, ".go")
	e := testExtractor(t)
	rnd := rand.New(rand.NewSource(1))
	var total, found, extra, plain int
	for i := 0; i < len(sources); i += 5 {
		broken := breakGo(rnd, sources[i])
		if broken == nil {
			continue
		}
		want := goNames(e.Extract(paths[i], "go", sources[i]))
		facts := e.Extract(paths[i], "go", broken)
		checkFacts(t, broken, facts)
		if facts.ErrorBytes == 0 {
			t.Errorf("%s: broken, but no error bytes", paths[i])
		}
		got := goNames(facts)
		total += len(want)
		for n := range want {
			if got[n] {
				found++
			}
		}
		for n := range got {
			if !want[n] {
				extra++
			}
		}
		tree, _ := parser.ParseFile(token.NewFileSet(), "", broken, goMode|parser.AllErrors)
		plain += countPlain(tree, want)
	}
	t.Logf("of %d declarations %d are found, %d invented; the parser alone finds %d", total, found, extra, plain)
	if float64(found) < 0.97*float64(total) || float64(extra) > 0.01*float64(total) {
		t.Error("recovery got worse")
	}
}

// breakGo is src without one byte, so that it does not parse, nil if no attempt
// succeeds.
func breakGo(rnd *rand.Rand, src []byte) []byte {
	for range 40 {
		i := rnd.Intn(len(src))
		next := bytes.IndexAny(src[i:], "(){}[]\"`=,")
		if next < 0 {
			continue
		}
		i += next
		broken := append(append([]byte{}, src[:i]...), src[i+1:]...)
		if _, err := parser.ParseFile(token.NewFileSet(), "", broken, goMode); err != nil {
			return broken
		}
	}
	return nil
}

func goNames(f *code.Facts) map[string]bool {
	names := map[string]bool{}
	for _, s := range f.Symbols {
		method := s.Kind == code.KindMethod && strings.HasPrefix(s.Signature, "func")
		if s.Kind == code.KindFunction || s.Kind.IsType() || method {
			names[s.Qualified] = true
		}
	}
	return names
}

func countPlain(tree *ast.File, want map[string]bool) (n int) {
	seen := map[string]bool{}
	for _, d := range tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if r := receiverType(d); r != nil {
				name = r.Name + "." + name
			}
			seen[name] = true
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if s, ok := s.(*ast.TypeSpec); ok {
					seen[s.Name.Name] = true
				}
			}
		}
	}
	for name := range seen {
		if want[name] {
			n++
		}
	}
	return n
}
