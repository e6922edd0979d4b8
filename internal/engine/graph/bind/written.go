package bind

import (
	"slices"
	"strings"
	"unicode/utf8"

	"ken/internal/code"
	"ken/internal/engine/graph"
)

// The functions below read what the signature of a declaration writes. They know no other declaration.

// hasModifier reports whether a modifier is a word in front of the name of a definition.
func hasModifier(d *graph.Def, modifier string) bool {
	head, _, _ := strings.Cut(d.Signature, "(") // of an annotation or the parameters
	if before, _, ok := strings.Cut(head, d.Name); ok {
		head = before
	}
	return slices.Contains(strings.Fields(head), modifier)
}

// typeParameterNames returns the names of the type parameters that a signature lists behind "<".
func typeParameterNames(list string) (names []string) {
	list, _, _ = strings.Cut(list, ">")
	for name := range strings.SplitSeq(list, ",") {
		if f := strings.Fields(name); len(f) > 0 {
			names = append(names, f[len(f)-1])
		}
	}
	return names
}

// modifiers are the words in front of the type of a member.
const modifiers = " public private protected internal static readonly virtual override abstract sealed async new extern partial unsafe " +
	"volatile required const ref event var final file "

// afterModifiers returns the text behind the modifiers and attributes of a declaration.
func afterModifiers(s string) string {
	for {
		s = strings.TrimLeft(s, " ")
		if strings.HasPrefix(s, "[") || strings.HasPrefix(s, "#[") {
			_, s, _ = strings.Cut(s, "]")
			continue
		}
		word, rest, ok := strings.Cut(s, " ")
		if !ok || !strings.Contains(modifiers, " "+word+" ") {
			return s
		}
		s = rest
	}
}

// writtenFirst returns the type in front of the name of a member, and the type parameters of the member (C#).
func writtenFirst(d *graph.Def) (typ string, params []string) {
	s := afterModifiers(d.Signature)
	depth := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == '<', c == '(', c == '[':
			depth++
		case c == '>', c == ')', c == ']':
			depth--
		case c == ' ' && depth == 0:
			name, list, _ := strings.Cut(s[i+1:], "<")
			if rest, ok := strings.CutPrefix(s[i+1:], d.Name); !ok || rest != "" && !strings.ContainsRune("(<{=; ,", rune(rest[0])) {
				return "", nil
			}
			if name == d.Name {
				params = typeParameterNames(list)
			}
			return s[:i], params
		}
	}
	return "", nil
}

// awaitedTask returns the type of the value that a task gives (C#).
func awaitedTask(text string) (string, bool) {
	name, arg, ok := strings.Cut(strings.TrimSuffix(text, ">"), "<")
	return arg, ok && (name == "Task" || name == "ValueTask")
}

// writtenPHP returns the type in front of a property, or behind the parameters of a function.
func writtenPHP(d *graph.Def) (typ string, params []string) {
	if d.Kind.IsFunction() {
		i := strings.LastIndex(d.Signature, "):")
		if i < 0 || len(d.Signature) > code.MaxSignature-utf8.UTFMax { // it may be cut
			return "", nil
		}
		typ = strings.TrimSpace(d.Signature[i+2:])
	} else {
		typ, _, _ = strings.Cut(afterModifiers(d.Signature), "$")
	}
	typ = strings.TrimPrefix(strings.TrimSpace(typ), "?")
	typ = strings.TrimSuffix(strings.TrimPrefix(typ, "null|"), "|null")
	if strings.Contains(" array bool callable false float int iterable mixed never null object string true void ", " "+strings.ToLower(typ)+" ") {
		return "", nil
	}
	return typ, nil
}
