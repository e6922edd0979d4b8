package extract

import (
	"strconv"
	"strings"

	"ken/internal/code"
)

// csMapValues precedes the type of the values of a map where a binding has the type of elements, because a loop over a map yields pairs.
const csMapValues = ":"

// declaresType reports whether the file declares a type of that name itself, so that it is not the one of the language.
func (c *csharp) declaresType(name string) bool {
	b := c.names.lookup(name)
	return b != nil && b.isType
}

// declaredElement returns the type of the elements of what is declared with type n: an array or a collection of the language. Of a map it
// is that of the values, behind csMapValues. It is "" if it is not known.
func (c *csharp) declaredElement(n node) string {
	switch c.kind(n) {
	case csNullable, csRefType, csScopedType:
		return c.declaredElement(c.child(n, csfType))
	case csArray:
		return c.typeName(c.child(n, csfType))
	case csQualifiedName: // System.Collections.Generic.List<T>
		if strings.HasPrefix(c.str(n), "System.") {
			return c.declaredElement(c.child(n, csfName))
		}
	case csGenericName:
		name := c.nameText(n)
		first := c.firstNamed(c.childKind(n, csTypeArguments))
		second := c.nextNamed(first)
		switch {
		case c.declaresType(name):
		case second == none && isCSharpCollection(name):
			return c.typeName(first)
		case second != none && c.nextNamed(second) == none && isCSharpMap(name):
			if values := c.typeName(second); values != "" {
				return csMapValues + values
			}
		}
	}
	return ""
}

func isCSharpCollection(name string) bool {
	switch name {
	case "List", "IList", "IReadOnlyList", "IEnumerable", "ICollection", "IReadOnlyCollection", "HashSet", "ISet", "IReadOnlySet", "SortedSet",
		"Queue", "Stack", "LinkedList", "ConcurrentBag", "ConcurrentQueue", "ConcurrentStack", "BlockingCollection", "ObservableCollection",
		"ReadOnlyCollection", "ImmutableArray", "ImmutableList", "IImmutableList", "ImmutableHashSet", "ImmutableSortedSet", "FrozenSet",
		"Span", "ReadOnlySpan", "IAsyncEnumerable", "IQueryable", "IOrderedEnumerable", "IOrderedQueryable":
		return true
	}
	return false
}

func isCSharpMap(name string) bool {
	switch name {
	case "Dictionary", "IDictionary", "IReadOnlyDictionary", "SortedDictionary", "SortedList", "ConcurrentDictionary", "ImmutableDictionary",
		"IImmutableDictionary", "ImmutableSortedDictionary", "FrozenDictionary":
		return true
	}
	return false
}

// element returns the type of the elements of an expression, "" if the file does not show it. It knows declared variables and members,
// and the methods of the language that return some or all elements in a collection. Of a map it is like declaredElement.
func (c *csharp) element(n node) string {
	for c.kind(n) == csParenthesized || c.kind(n) == csAwait || c.kind(n) == csPostfix {
		n = c.firstNamed(n)
	}
	if elem := c.shownElement(n); elem != "" {
		return elem
	}
	if of := c.valueType(n); code.IsExpr(of) {
		return chained(of, code.StepElement)
	}
	return ""
}

// shownElement is element for what the file shows.
func (c *csharp) shownElement(n node) string {
	switch c.kind(n) {
	case csNew, csCast:
		return c.declaredElement(c.child(n, csfType))
	case csIdentifier:
		if b := c.names.lookup(c.identifier(n)); b != nil && !b.isType {
			return b.expr
		}
	case csMemberAccess:
		of, name := c.child(n, csfExpression), c.identifier(c.child(n, csfName))
		if values, isMap := strings.CutPrefix(c.element(of), csMapValues); isMap {
			if name == "Values" {
				return values
			}
			return ""
		}
		return c.elements[csMember{c.valueType(of), name}]
	case csInvocation:
		f := c.child(n, csfFunction)
		if c.kind(f) == csMemberAccess && keepsElements(c.identifier(c.child(f, csfName))) {
			if elem := c.element(c.child(f, csfExpression)); !strings.HasPrefix(elem, csMapValues) {
				return elem
			}
		}
	}
	return ""
}

// keepsElements reports whether a method of collections returns elements of the collection in another.
func keepsElements(name string) bool {
	switch name {
	case "Where", "OrderBy", "OrderByDescending", "ThenBy", "ThenByDescending", "Order", "Reverse", "Distinct", "DistinctBy", "Take",
		"TakeLast", "TakeWhile", "Skip", "SkipLast", "SkipWhile", "Except", "ExceptBy", "Intersect", "IntersectBy", "ToArray", "ToList", "ToHashSet",
		"ToImmutableArray", "ToImmutableList", "ToImmutableHashSet", "AsEnumerable", "AsQueryable", "AsParallel", "AsReadOnly", "AsSpan",
		"FindAll":
		return true
	}
	return false
}

// takesElement reports whether a method of collections calls the function that is its first argument with an element.
func takesElement(name string) bool {
	switch name {
	case "Where", "Select", "SelectMany", "Any", "All", "Count", "LongCount", "First", "FirstOrDefault", "Single", "SingleOrDefault", "Last",
		"LastOrDefault", "OrderBy", "OrderByDescending", "ThenBy", "ThenByDescending", "GroupBy", "ToDictionary", "ToLookup",
		"ToFrozenDictionary", "ToImmutableDictionary", "Sum", "Min", "Max", "Average", "MinBy", "MaxBy", "DistinctBy", "TakeWhile", "SkipWhile", "ForEach", "Find",
		"FindAll", "FindLast", "FindIndex", "Exists", "TrueForAll", "RemoveAll", "ConvertAll":
		return true
	}
	return false
}

// elementArguments reads the arguments of the call of f, which may be functions that get elements, or what the declaration of f shows.
func (c *csharp) elementArguments(f, arguments node) {
	elem := ""
	if c.kind(f) == csMemberAccess && takesElement(c.identifier(c.lastSegment(c.child(f, csfName)))) {
		elem = c.element(c.child(f, csfExpression))
	}
	chain, asked := "", false
	nth := 0
	for a := c.firstNamed(arguments); a != none; a = c.nextNamed(a) {
		fn := c.firstNamed(a)
		isFunction := c.kind(a) == csArgument && c.kind(fn) == csLambda
		switch {
		case isFunction && nth == 0 && elem != "" && !strings.HasPrefix(elem, csMapValues):
			c.lambda(fn, []string{elem})
		case isFunction:
			if !asked {
				chain, asked = strings.TrimSuffix(c.resultType(f, 0), "()"), true
				if head, _, _ := strings.Cut(strings.TrimPrefix(chain, code.RecvExpr+"("), ")"); isCSharpCollection(head) || isCSharpMap(head) {
					chain = ""
				}
			}
			c.lambda(fn, passedTypes(chain, nth))
		default:
			c.walk(a)
		}
		nth++
	}
}

// maxPassed is the number of parameters of a function that is passed whose types are asked for.
const maxPassed = 3

// passedTypes returns the types of the parameters of a function that is the nth argument of what a chain calls.
func passedTypes(chain string, nth int) (types []string) {
	if !code.IsExpr(chain) || strings.HasSuffix(chain, ">") {
		return nil
	}
	for i := range maxPassed {
		step := code.PassedTo + strconv.Itoa(nth) + code.PassedTo + strconv.Itoa(i)
		if len(chain)+len(step) > maxChainText {
			return nil
		}
		types = append(types, chain+step)
	}
	return types
}
