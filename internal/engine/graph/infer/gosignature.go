package infer

import (
	"ken/internal/engine/graph/infer/signature"
	"strconv"
	"strings"

	"ken/internal/engine/graph"
)

// GoSignaturesDiffer reports whether two Go methods provably have other parameter or result types. An unknown type
// proves nothing.
func (y *Types) GoSignaturesDiffer(a, b *graph.Def) bool {
	own, ok := y.goSignature(a)
	other, known := y.goSignature(b)
	if !ok || !known {
		return false
	}
	if len(own) != len(other) {
		return true
	}
	for i := range own {
		if own[i] != other[i] && !strings.ContainsAny(own[i]+other[i], "?") {
			return true
		}
	}
	return false
}

// goSignature returns the parameter types of a method and, after a "→", its result types, written so that equal types
// are equal texts. An unknown type has a "?" in it.
func (y *Types) goSignature(d *graph.Def) (types []string, ok bool) {
	home := y.look.Site(d.File.ID)
	if home == nil {
		return nil, false
	}
	w := typeWriter{goSyntax{s: d.Signature}, y, home}
	if w.word("func") && w.peek() == '(' {
		if strings.Contains(w.skip(), "[") {
			return nil, false // its type parameters
		}
	}
	w.name()
	if w.peek() != '(' {
		return nil, false
	}
	if text := w.ahead(); !strings.HasSuffix(text, ")") {
		return nil, false // cut
	}
	types = append(w.list(w.skip(), 0), "→")
	return append(types, w.resultList(0)...), true
}

// typeWriter writes Go types in a form that can be compared: each name as the place of its declaration.
type typeWriter struct {
	goSyntax
	y    *Types
	home *graph.Site
}

// writerFor returns a typeWriter for another text of the same signature, such as one parameter.
func (w *typeWriter) writerFor(text string) *typeWriter {
	return &typeWriter{goSyntax{s: text}, w.y, w.home}
}

// list returns the types of parameters or results in parentheses, with or without names.
func (w *typeWriter) list(text string, depth int) (out []string) {
	in := w.writerFor(strings.TrimSuffix(text[1:], ")"))
	unnamed := 0 // names whose type follows
	for in.spaces(); in.pos < len(in.s); {
		from := in.pos
		if name := in.name(); name != "" && in.pos < len(in.s) && in.s[in.pos-1] == ' ' && !signature.IsGoTypeWord(name) {
			t := in.typ(depth + 1)
			for ; unnamed > 0; unnamed-- {
				out[len(out)-unnamed] = t
			}
			out = append(out, t)
		} else {
			in.pos = from
			out = append(out, in.typ(depth+1))
			unnamed++
		}
		if !in.take(",") {
			break
		}
	}
	return out
}

// resultList returns the types of results.
func (w *typeWriter) resultList(depth int) []string {
	if w.spaces(); w.pos == len(w.s) || strings.IndexByte(",)]}=", w.peek()) >= 0 {
		return nil
	}
	if w.peek() == '(' {
		return w.list(w.skip(), depth)
	}
	return []string{w.typ(depth)}
}

func (w *typeWriter) typ(depth int) string {
	if depth > maxNested {
		return "?"
	}
	depth++
	for _, mark := range [...]string{"*", "...", "<-chan ", "chan<- "} {
		if w.take(mark) {
			return mark + w.typ(depth)
		}
	}
	switch {
	case w.peek() == '[':
		size := w.skip()
		if strings.Trim(size, "[]0123456789") != "" {
			size = "[?]" // a constant
		}
		return size + w.typ(depth)
	case w.peek() == '(':
		return w.writerFor(strings.TrimSuffix(w.skip()[1:], ")")).typ(depth)
	case w.word("chan"):
		return "chan " + w.typ(depth)
	case w.word("func"):
		if w.peek() != '(' {
			return "?"
		}
		takes := w.list(w.skip(), depth)
		return "func(" + strings.Join(takes, ",") + ")(" + strings.Join(w.resultList(depth), ",") + ")"
	case w.word("struct"), w.word("interface"):
		return "?"
	case w.word("map"):
		if w.peek() != '[' {
			return "?"
		}
		key := w.writerFor(strings.TrimSuffix(w.skip()[1:], "]"))
		return "map[" + key.typ(depth) + "]" + w.typ(depth)
	}
	return w.namedType(depth)
}

// namedType writes T and pkg.T, as the place of the declaration.
func (w *typeWriter) namedType(depth int) string {
	e := w.typeName(depth)
	if e == nil || e.op != opName && e.op != opMember {
		return "?"
	}
	t := w.y.eval(w.home, e)
	for range maxNested {
		if t.what != termType || !strings.HasPrefix(t.decl.Signature, "type "+t.decl.Name+" = ") {
			break
		}
		home := w.y.look.Site(t.decl.File.ID)
		if home == nil {
			return "?"
		}
		t = w.y.eval(home, t.decl.underlying())
	}
	switch {
	case t.what == termType && !strings.HasPrefix(t.decl.Signature, t.decl.Name+" = "):
		return "#" + strconv.FormatInt(t.decl.File.ID, 10) + ":" + strconv.Itoa(int(t.decl.Ord))
	case t.what == termOutside && e.op == opName && inList(goPredeclared, e.name):
		return signature.SameInGo(e.name)
	}
	return "?"
}
