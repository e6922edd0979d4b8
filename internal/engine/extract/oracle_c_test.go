package extract

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"ken/internal/code"
)

// cAnswers returns the tags of C and C++. Tags that extraction leaves out on purpose are
// excused by tagExcuse, which names each class. Beyond them, extraction misses in
// nlohmann/json members and functions whose type is `typename A::B`, the first
// declaration after a label that is a macro (`PRIVATE_UNLESS_TESTED:`), declarations
// hidden by a conditional within a template's head or by a macro before a function,
// and those that ctags sees within a function's body.
func cAnswers(t *testing.T, files []oracleFile, out []byte) map[string]*oracleAnswer {
	answers, bodies := answersFor(files), map[string][][2]int{}
	for _, f := range files {
		bodies[f.path] = macroBodies(f.src)
		answers[f.path].excused = map[string]int{}
	}
	for _, tag := range oracleLines[ctag](t, out) {
		a, d := answers[tag.Path], tag.decl()
		if class := tagExcuse(d, bodies[tag.Path]); class != "" {
			a.excused[class]++
			continue
		}
		a.decls = append(a.decls, d)
	}
	return answers
}

// cMatch finds a tag if a symbol of its name, of a kind that fits, begins within two
// lines of it.
func cMatch(f *oracleFile, facts *code.Facts) matcher {
	byName := map[string][]code.Symbol{}
	for _, s := range facts.Symbols {
		byName[tagName(s.Name)] = append(byName[tagName(s.Name)], s)
	}
	return matcher{found: func(d decl) bool { return tagFound(d, byName[tagName(d.Name)]) }}
}

// tagName spells an operator as extraction does.
func tagName(s string) string {
	if strings.HasPrefix(s, "operator") || strings.HasPrefix(s, "~") {
		return strings.ReplaceAll(s, " ", "")
	}
	return s[strings.LastIndex(s, "::")+1:]
}

// tagFound reports whether one of the symbols of a tag's name is the tag's.
func tagFound(tag decl, list []code.Symbol) bool {
	return slices.ContainsFunc(list, func(s code.Symbol) bool {
		line, at := int(s.Span.Line), int(tag.Line)
		return at >= line-2 && at <= max(line+2, min(int(s.Span.EndLine), line+30)) && tagKind(tag.Kind, s.Kind)
	})
}

func tagKind(tag string, k code.Kind) bool {
	switch tag {
	case "function":
		return k.IsFunction()
	case "macro":
		return k == code.KindMacro
	case "struct", "class", "union":
		return k == code.KindStruct || k == code.KindClass || k == code.KindUnion
	case "enum", "typedef":
		return k.IsType()
	case "enumerator":
		return k == code.KindEnumMember
	case "member", "variable":
		return k == code.KindField || k == code.KindVariable || k == code.KindConstant
	case "namespace":
		return k == code.KindModule
	}
	return true
}

// macroBodies returns the first and last lines of the blocks after a call of a macro in
// the place of a declaration: TEST_CASE("x") { … }. They are bodies of functions whose
// names the macro makes.
func macroBodies(src []byte) (bodies [][2]int) {
	tokens, _ := lexC(src)
	tokens = slices.DeleteFunc(tokens, func(t cToken) bool { return t.kind == tokDirective })
	line := func(i int) int { return 1 + bytes.Count(src[:tokens[i].start], []byte("\n")) }
	closing := func(i int) int {
		depth := 0
		for ; i < len(tokens); i++ {
			switch tokens[i].kind {
			case '(', '{':
				depth++
			case ')', '}':
				depth--
			}
			if depth == 0 {
				break
			}
		}
		return i
	}
	for i := 0; i+1 < len(tokens); i++ {
		t := tokens[i]
		if t.kind != tokWord || !isMacroName(src[t.start:t.end]) || tokens[i+1].kind != '(' {
			continue
		}
		if i > 0 && !slices.Contains([]byte{';', '{', '}'}, tokens[i-1].kind) {
			continue
		}
		open := closing(i+1) + 1
		if open >= len(tokens) || tokens[open].kind != '{' {
			continue
		}
		if end := closing(open); end < len(tokens) {
			bodies = append(bodies, [2]int{line(open), line(end)})
			i = end
		}
	}
	return bodies
}

// tagExcuse returns the reason why extraction need not find a tag, or "" if it must.
func tagExcuse(tag decl, bodies [][2]int) string {
	local := func(b [2]int) bool { return b[0] <= int(tag.Line) && int(tag.Line) <= b[1] }
	switch {
	case tag.Kind == "variable" && slices.ContainsFunc(bodies, local):
		return "local variable of a function that a macro declares"
	case strings.HasPrefix(tag.Name, "__anon"):
		return "made-up name of something without one"
	case tag.Kind == "header":
		return "include"
	}
	return ""
}
