package infer

import (
	"slices"
	"strings"

	"ken/internal/code"
)

// javaPredeclared are the primitive types and those of java.lang, which no import names.
const javaPredeclared = " boolean byte char double float int long short void null lambda" +
	" Boolean Byte Character Class ClassLoader CharSequence Comparable Double Enum Error Exception Float Integer Iterable" +
	" Appendable AutoCloseable ArithmeticException AssertionError ClassCastException ClassNotFoundException Cloneable Enum" +
	" IndexOutOfBoundsException InterruptedException Iterable NullPointerException NumberFormatException Override Readable" +
	" ReflectiveOperationException StrictMath ThreadGroup" +
	" IllegalArgumentException IllegalStateException Long Math Number Object Process ProcessBuilder Runnable Runtime" +
	" RuntimeException Short StackTraceElement String StringBuffer StringBuilder System Thread ThreadLocal Throwable" +
	" UnsupportedOperationException Void "

// javaClosed are types from outside whose methods give no type of the repository: they
// are not generic.
const javaClosed = " boolean byte char double float int long short Boolean Byte Character CharSequence Double Float Integer Long" +
	" Short String StringBuffer StringBuilder Number BigDecimal BigInteger File Path URI URL Duration Instant LocalDate" +
	" LocalDateTime Pattern Matcher InputStream OutputStream Reader Writer StringWriter StringReader PrintStream Locale" +
	" Charset UUID Thread Random BitSet Field Method - "

// javaContainers are the types of the standard library that hold values of the first of
// their type arguments, and javaMaps those that lead from the first to the second.
const (
	javaContainers = " ArrayDeque ArrayList AtomicReference BlockingQueue Callable Collection CompletableFuture CopyOnWriteArrayList Deque" +
		" Enumeration EnumSet Flux Future HashSet ImmutableList ImmutableSet Iterable Iterator LinkedHashSet LinkedList List" +
		" ListIterator Mono NavigableSet ObjectProvider Optional PriorityQueue Provider Queue Reference Set SoftReference SortedSet" +
		" Stack Stream Supplier ThreadLocal TreeSet Vector WeakReference "
	javaMaps = " ConcurrentHashMap ConcurrentMap Entry EnumMap Function HashMap IdentityHashMap ImmutableMap LinkedHashMap Map" +
		" NavigableMap SortedMap TreeMap WeakHashMap "
)

// javaMakers are functions of the standard library that make what they are named after.
const javaMakers = " of copyOf ofNullable ofEntries empty asList emptyList emptyMap emptySet singletonList singleton "

// javaMade is the type that a function of a type of the standard library makes, "" if
// that is not known.
func javaMade(typ, name string) string {
	switch {
	case name == "getClass":
		return "Class"
	case !isOneOf(javaMakers, name):
		return ""
	case typ != "Arrays" && typ != "Collections":
		return typ
	case strings.HasSuffix(name, "Map"):
		return "Map"
	case strings.HasSuffix(name, "Set") || name == "singleton":
		return "Set"
	}
	return "List"
}

// What the methods of containers give: a value, or again a container of such values.
const (
	javaGivesValue = " block blockFirst blockLast call ceiling element first floor get getAndSet getFirst getIfAvailable getIfUnique getLast getNow" +
		" getObject higher join last lower next nextElement orElse orElseGet orElseThrow peek peekFirst peekLast pick poll pollFirst" +
		" pollLast pop previous remove removeFirst removeLast set take "
	javaGivesSame = " descendingIterator descendingSet distinct dropWhile filter findAny findFirst headSet iterator limit listIterator max min" +
		" or parallel parallelStream reversed sequential skip sorted stream subList tailSet takeWhile toList unordered "
	javaGivesMapped    = " apply compute computeIfAbsent computeIfPresent get getOrDefault getValue merge put putIfAbsent remove replace setValue "
	javaGivesKey       = " firstKey getKey lastKey ceilingKey floorKey higherKey lowerKey "
	javaGivesKeys      = " keySet navigableKeySet descendingKeySet "
	javaGivesEntry     = " ceilingEntry firstEntry floorEntry headMap lastEntry pollFirstEntry pollLastEntry subMap tailMap descendingMap "
	javaMapsEach       = " map mapToObj thenApply "
	javaMapsToSequence = " flatMap thenCompose "
)

func isOneOf(list, name string) bool { return name != "" && strings.Contains(list, " "+name+" ") }

// javaComposed is the member of a container of the standard library that a method's name
// means; with is what the function passed to it gives, if that is known.
func javaComposed(t *term, name string, with *expr) term {
	gives := func(e *expr) term { return term{what: termCallable, site: t.site, args: []*expr{e}} }
	self := &expr{op: opTerm, term: t}
	if t.what == termMap {
		switch {
		case isOneOf(javaGivesMapped, name):
			return gives(t.args[1])
		case isOneOf(javaGivesKey, name):
			return gives(t.args[0])
		case isOneOf(javaGivesKeys, name):
			return gives(&expr{op: opList, args: t.args[:1]})
		case name == "values":
			return gives(&expr{op: opList, args: t.args[1:2]})
		case name == "entrySet":
			return gives(&expr{op: opList, args: []*expr{self}})
		case isOneOf(javaGivesEntry, name):
			return gives(self)
		}
		return term{}
	}
	switch {
	case name == "peek" && t.decl.Name == "Stream", isOneOf(javaGivesSame, name):
		c := *t
		if strings.HasSuffix(name, "tream") || t.decl.Name == "Stream" && !strings.HasPrefix(name, "find") {
			c.decl.Name = "Stream"
		}
		return gives(&expr{op: opTerm, term: &c})
	case isOneOf(javaGivesValue, name):
		return gives(t.args[0])
	case with == nil:
	case isOneOf(javaMapsEach, name):
		return gives(&expr{op: opList, args: []*expr{with}})
	case isOneOf(javaMapsToSequence, name):
		return gives(with)
	}
	return term{}
}

// javaGeneric is a type of the standard library with its type arguments, which are written
// in s.
func javaGeneric(name string, t term) term {
	switch {
	case len(t.args) > 0 && isOneOf(javaContainers, name):
		t.what = termList
	case len(t.args) > 1 && isOneOf(javaMaps, name):
		t.what = termMap
	default:
		t.args = nil
	}
	return t
}

// javaResults are the type that a method gives.
func javaResults(d *Decl) []*expr {
	if d.Kind == code.KindConstructor {
		return []*expr{pathExpr(d.Container)}
	}
	s := javaSyntax{s: d.Signature}
	s.modifiers()
	return []*expr{s.typ(0)}
}

// javaParameters are the parameters of a method or constructor.
func javaParameters(d *Decl) (list []parameter, ok bool) {
	s := javaSyntax{s: d.Signature}
	s.modifiers()
	i := strings.Index(s.s[s.pos:], d.Name+"(")
	if i < 0 {
		return nil, false
	}
	s.pos += i + len(d.Name) + 1
	for !s.take(")") {
		s.take("final ")
		from := s.pos
		p := parameter{typ: s.typ(0)}
		p.text, p.variadic = strings.TrimSpace(s.s[from:s.pos]), s.variadic
		p.generic = slices.ContainsFunc(s.params, func(t typeParam) bool { return strings.TrimSuffix(p.text, "...") == t.name })
		if name := s.word(); p.typ == nil || name == "" {
			return nil, false
		}
		for s.take("[]") {
			p.typ, p.text = &expr{op: opList, args: []*expr{p.typ}}, p.text+"[]"
		}
		list = append(list, p)
		if !s.take(",") && s.peek() != ')' {
			return nil, false
		}
	}
	return list, true
}

// javaVariable is the type of a field or of a constant of an enum.
func javaVariable(d *Decl) *expr {
	if d.Kind == code.KindEnumMember {
		return pathExpr(d.Container)
	}
	s := javaSyntax{s: d.Signature}
	s.modifiers()
	e := s.typ(0)
	if e != nil && strings.Contains(s.s[s.pos:], d.Name+"[") { // int x[]
		return &expr{op: opList, args: []*expr{e}}
	}
	return e
}

// pathExpr is the expression of a dotted name.
func pathExpr(path string) *expr {
	var e *expr
	for name := range strings.SplitSeq(path, ".") {
		if e == nil {
			e = &expr{op: opName, name: name}
		} else {
			e = &expr{op: opMember, of: e, name: name}
		}
	}
	return e
}

// typeParam is a type parameter, with what it extends, nil if that is anything.
type typeParam struct {
	name  string
	bound *expr
}

// javaTypeParams are the type parameters of a class or interface.
func javaTypeParams(d *Decl) []typeParam {
	i := strings.Index(d.Signature, " "+d.Name+"<")
	if i < 0 {
		return nil
	}
	s := javaSyntax{s: d.Signature, pos: i + 1 + len(d.Name)}
	s.typeParams(0)
	return s.params
}

// javaSyntax reads signatures of Java.
type javaSyntax struct {
	s      string
	pos    int
	params []typeParam // of the method itself
	// variadic is set after a type that may be given any number of times.
	variadic bool
}

const javaModifiers = " public protected private static final abstract default synchronized native strictfp transient volatile sealed non-sealed "

func (s *javaSyntax) spaces() {
	for s.pos < len(s.s) && s.s[s.pos] == ' ' {
		s.pos++
	}
}

func (s *javaSyntax) peek() byte {
	s.spaces()
	if s.pos < len(s.s) {
		return s.s[s.pos]
	}
	return 0
}

func (s *javaSyntax) take(text string) bool {
	s.spaces()
	if !strings.HasPrefix(s.s[s.pos:], text) {
		return false
	}
	s.pos += len(text)
	return true
}

func (s *javaSyntax) word() string {
	s.spaces()
	n := strings.IndexAny(s.s[s.pos:], " .,<>()[]{}&=?@;")
	if n < 0 {
		n = len(s.s) - s.pos
	}
	w := s.s[s.pos : s.pos+n]
	s.pos += n
	return w
}

// modifiers reads what comes before the type of a member: modifiers and type parameters.
func (s *javaSyntax) modifiers() {
	for {
		from := s.pos
		switch w := s.word(); {
		case isOneOf(javaModifiers, w):
		case w == "" && s.peek() == '<':
			s.typeParams(0)
		default:
			s.pos = from
			return
		}
	}
}

// typeParams reads <A, B extends C & D>.
func (s *javaSyntax) typeParams(depth int) {
	if !s.take("<") {
		return
	}
	for {
		p := typeParam{name: s.word()}
		if p.name == "" {
			return
		}
		if s.take("extends ") {
			p.bound = s.typ(depth + 1)
			for s.take("&") {
				s.typ(depth + 1)
			}
		}
		s.params = append(s.params, p)
		if !s.take(",") {
			s.take(">")
			return
		}
	}
}

// typ reads a type, nil if it is none that is understood.
func (s *javaSyntax) typ(depth int) *expr {
	if depth > maxNested {
		return nil
	}
	if s.take("?") {
		if s.take("extends ") {
			return s.typ(depth + 1)
		}
		if s.take("super ") {
			s.typ(depth + 1)
		}
		return &expr{}
	}
	e := s.named(depth)
	for e != nil {
		switch {
		case s.take("[]"):
			e = &expr{op: opList, args: []*expr{e}}
		case s.take("..."):
			s.variadic = true
		default:
			return e
		}
	}
	return nil
}

// named reads a.b.C<D>.E. Names of packages are left out: what their type is called is
// known to the imports of the file.
func (s *javaSyntax) named(depth int) *expr {
	var e *expr
	for {
		name := s.word()
		switch {
		case name == "":
			return nil
		case e == nil && s.peek() == '.' && name[0] >= 'a' && name[0] <= 'z':
		case e == nil:
			e = s.parameter(name)
		default:
			e = &expr{op: opMember, of: e, name: name}
		}
		if s.peek() == '<' {
			if e = s.arguments(e, depth); e == nil {
				return nil
			}
		}
		if s.pos >= len(s.s) || s.s[s.pos] != '.' || strings.HasPrefix(s.s[s.pos:], "...") {
			return e
		}
		s.pos++
	}
}

// parameter is a name, or what the type parameter of that name extends.
func (s *javaSyntax) parameter(name string) *expr {
	for i := range s.params {
		if s.params[i].name != name {
			continue
		}
		if b := s.params[i].bound; b != nil {
			return b
		}
		return &expr{}
	}
	return &expr{op: opName, name: name}
}

// arguments reads the <A, B> behind the type e.
func (s *javaSyntax) arguments(e *expr, depth int) *expr {
	s.take("<")
	out := &expr{op: opArgs, of: e}
	for s.peek() != '>' {
		out.args = append(out.args, s.typ(depth+1))
		if !s.take(",") {
			break
		}
	}
	if !s.take(">") {
		return nil
	}
	return out
}
