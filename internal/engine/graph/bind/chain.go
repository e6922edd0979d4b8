package bind

import (
	"slices"
	"strconv"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/graph/infer"
)

// Steps of chains beyond the name of a member: type arguments of a call, elements of collections, parameters of functions that are passed.

// chainStep is a step of a chain: name, name(), name<A,B>(), and name@1@0 for the first parameter of the function that is passed to name as
// the second argument.
type chainStep struct {
	name      string
	called    bool
	arguments []string
	passed    bool
	argument  int
	parameter int
}

func parseStep(text string) (s chainStep) {
	s.name, s.called = strings.CutSuffix(text, "()")
	if name, list, ok := strings.Cut(strings.TrimSuffix(s.name, ">"), "<"); ok && s.called {
		s.name, s.arguments = name, strings.Split(list, ",")
	}
	if name, places, ok := strings.Cut(s.name, code.PassedTo); ok {
		first, second, _ := strings.Cut(places, code.PassedTo)
		s.name, s.called, s.passed = name, true, true
		s.argument, _ = strconv.Atoi(first)
		s.parameter, _ = strconv.Atoi(second)
	}
	return s
}

// isTypeMark reports whether a character is between the names of a written type.
func isTypeMark(c rune) bool { return strings.ContainsRune("<>,?[]() ", c) }

// stepType returns the type to which a step leads by one declaration. Its site is nil if the step means another overload.
func (b *Binder) stepType(of typeText, p place, d *infer.Decl, step *chainStep, at typeText) (typ typeText, ok bool) {
	text, params := b.steps.written(&d.Def)
	if step.passed {
		if b.steps.passed == nil {
			return typeText{}, false
		}
		passed, isFunction := b.steps.passed(&d.Def, step.argument, step.parameter)
		if !isFunction {
			return typeText{}, b.isNoFunction(p, d, passed)
		}
		return b.written(of, p, d, passed, params)
	}
	if len(step.arguments) == 0 || len(step.arguments) != len(params) {
		return b.written(of, p, d, text, params)
	}
	given := text
	for i, name := range params {
		if given == name {
			given = step.arguments[i]
		} else if task, ok := strings.CutSuffix(given, "<"+name+">"); ok && (task == "Task" || task == "ValueTask") {
			given = task + "<" + step.arguments[i] + ">"
		}
	}
	if given == text {
		return b.written(of, p, d, text, params)
	}
	at.text = given
	return at, true
}

// isNoFunction reports whether a parameter of a written type takes no function: it is a type of the repository that is none of functions.
func (b *Binder) isNoFunction(p place, d *infer.Decl, text string) bool {
	if text == "" {
		return true // fewer parameters
	}
	if strings.Contains(valueTypes, " "+strings.TrimSuffix(text, "?")+" ") {
		return true
	}
	list := b.places(p.site, b.typeName(typeText{p.site, text, d.Ord}), d.Ord)
	return len(list) > 0 && !slices.ContainsFunc(list, func(q place) bool {
		types := b.types.Lookup().Declarations(q.site.Node.ID, outerScope(q.path), code.LastSegment(q.path))
		return !slices.ContainsFunc(types, func(t infer.Decl) bool { return t.Kind.IsType() && t.Kind != code.KindType })
	})
}

// valueTypes are types of C# whose values are no functions.
const valueTypes = " bool byte char decimal double float int long object sbyte short string uint ulong ushort "

// passedCSharp returns the type of a parameter of the function that a function takes as an argument, by the delegates of the language. It
// returns the type of the argument itself and false if that is none of them.
func passedCSharp(d *graph.Def, argument, parameter int) (typ string, isFunction bool) {
	typ = parameterType(d, argument)
	if inner, ok := strings.CutPrefix(typ, "Expression<"); ok {
		typ = strings.TrimSuffix(inner, ">")
	}
	name, list, _ := strings.Cut(strings.TrimSuffix(strings.TrimSuffix(typ, "?"), ">"), "<")
	types := splitTypes(list)
	switch name {
	case "Action", "Predicate":
	case "Func", "Converter":
		types = types[:max(len(types)-1, 0)] // the last is the result
	case "Comparison":
		types = append(types, types...)
	default:
		return typ, false
	}
	if parameter >= len(types) {
		return "", false
	}
	return strings.TrimPrefix(strings.TrimSpace(types[parameter]), "in "), true
}

// parameterType returns the type of a parameter as the signature of a function writes it, "" if it has no such parameter.
func parameterType(d *graph.Def, n int) string {
	_, list, ok := strings.Cut(d.Signature, " "+d.Name+"(")
	if !ok {
		if _, list, ok = strings.Cut(d.Signature, " "+d.Name+"<"); ok {
			_, list, ok = strings.Cut(list, ">(")
		}
	}
	if params := splitTypes(list); ok && n < len(params) {
		param, _, _ := strings.Cut(afterModifiers(strings.TrimSpace(params[n])), " = ")
		if i := strings.LastIndexByte(param, ' '); i > 0 {
			return strings.TrimSpace(param[:i])
		}
	}
	return ""
}

// splitTypes splits a list at its commas, up to the bracket that ends it.
func splitTypes(list string) (out []string) {
	depth, from := 0, 0
	for i := range len(list) {
		switch list[i] {
		case '<', '(', '[':
			depth++
		case '>', ')', ']':
			if depth--; depth < 0 {
				return append(out, list[from:i])
			}
		case ',':
			if depth == 0 {
				out, from = append(out, list[from:i]), i+1
			}
		}
	}
	if strings.TrimSpace(list[from:]) != "" {
		out = append(out, list[from:])
	}
	return out
}

// elementCSharp returns the type of the elements of a written collection of the language, if a step gives one.
func elementCSharp(text, step string) (elem string, ok bool) {
	switch step {
	case code.StepElement, "First", "FirstOrDefault", "Single", "SingleOrDefault", "Last", "LastOrDefault", "ElementAt", "Dequeue", "Pop", "Peek":
	default:
		return "", false
	}
	text = strings.TrimSuffix(text, "?")
	if elem, ok := strings.CutSuffix(text, "[]"); ok {
		return elem, true
	}
	name, elem, ok := strings.Cut(strings.TrimSuffix(text, ">"), "<")
	return elem, ok && strings.Contains(collections, " "+name+" ") && len(splitTypes(elem)) == 1
}

// collections are types of C# with elements of their one type argument.
const collections = " IEnumerable List IList IReadOnlyList ICollection IReadOnlyCollection HashSet ISet IReadOnlySet SortedSet Queue Stack LinkedList " +
	"ConcurrentBag ConcurrentQueue ConcurrentStack ObservableCollection ReadOnlyCollection ImmutableArray ImmutableList IImmutableList " +
	"ImmutableHashSet FrozenSet IAsyncEnumerable IQueryable IOrderedEnumerable "
