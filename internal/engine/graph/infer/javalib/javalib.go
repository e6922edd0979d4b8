// Package javalib knows the types of Java's standard library by their names, which are
// containers, and what their methods give. Its neighbour engine/graph/infer follows types
// with it.
package javalib

import "strings"

// Predeclared are the primitive types and those of java.lang, which no import names.
const Predeclared = " boolean byte char double float int long short void null lambda" +
	" Boolean Byte Character Class ClassLoader CharSequence Comparable Double Enum Error Exception Float Integer Iterable" +
	" Appendable AutoCloseable ArithmeticException AssertionError ClassCastException ClassNotFoundException Cloneable Enum" +
	" IndexOutOfBoundsException InterruptedException Iterable NullPointerException NumberFormatException Override Readable" +
	" ReflectiveOperationException StrictMath ThreadGroup" +
	" IllegalArgumentException IllegalStateException Long Math Number Object Process ProcessBuilder Runnable Runtime" +
	" RuntimeException Short StackTraceElement String StringBuffer StringBuilder System Thread ThreadLocal Throwable" +
	" UnsupportedOperationException Void "

// Closed are types from outside whose methods give no type of the repository: they
// are not generic.
const Closed = " boolean byte char double float int long short Boolean Byte Character CharSequence Double Float Integer Long" +
	" Short String StringBuffer StringBuilder Number BigDecimal BigInteger File Path URI URL Duration Instant LocalDate" +
	" LocalDateTime Pattern Matcher InputStream OutputStream Reader Writer StringWriter StringReader PrintStream Locale" +
	" Charset UUID Thread Random BitSet Field Method - "

// Containers are the types of the standard library that hold values of the first of
// their type arguments, and Maps those that lead from the first to the second.
const (
	Containers = " ArrayDeque ArrayList AtomicReference BlockingQueue Callable Collection CompletableFuture CopyOnWriteArrayList Deque" +
		" Enumeration EnumSet Flux Future HashSet ImmutableList ImmutableSet Iterable Iterator LinkedHashSet LinkedList List" +
		" ListIterator Mono NavigableSet ObjectProvider Optional PriorityQueue Provider Queue Reference Set SoftReference SortedSet" +
		" Stack Stream Supplier ThreadLocal TreeSet Vector WeakReference "
	Maps = " ConcurrentHashMap ConcurrentMap Entry EnumMap Function HashMap IdentityHashMap ImmutableMap LinkedHashMap Map" +
		" NavigableMap SortedMap TreeMap WeakHashMap "
)

// Makers are functions of the standard library that make what they are named after.
const Makers = " of copyOf ofNullable ofEntries empty asList emptyList emptyMap emptySet singletonList singleton "

// Made is the type that a function of a type of the standard library makes, "" if
// that is not known.
func Made(typ, name string) string {
	switch {
	case name == "getClass":
		return "Class"
	case !strings.Contains(Makers, " "+name+" "):
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

// What the methods of containers give: a value, or again a container of such values, by
// the names of the methods.
const (
	GivesValue = " block blockFirst blockLast call ceiling element first floor get getAndSet getFirst getIfAvailable getIfUnique getLast getNow" +
		" getObject higher join last lower next nextElement orElse orElseGet orElseThrow peek peekFirst peekLast pick poll pollFirst" +
		" pollLast pop previous remove removeFirst removeLast set take "
	GivesSame = " descendingIterator descendingSet distinct dropWhile filter findAny findFirst headSet iterator limit listIterator max min" +
		" or parallel parallelStream reversed sequential skip sorted stream subList tailSet takeWhile toList unordered "
	GivesMapped    = " apply compute computeIfAbsent computeIfPresent get getOrDefault getValue merge put putIfAbsent remove replace setValue "
	GivesKey       = " firstKey getKey lastKey ceilingKey floorKey higherKey lowerKey "
	GivesKeys      = " keySet navigableKeySet descendingKeySet "
	GivesEntry     = " ceilingEntry firstEntry floorEntry headMap lastEntry pollFirstEntry pollLastEntry subMap tailMap descendingMap "
	MapsEach       = " map mapToObj thenApply "
	MapsToSequence = " flatMap thenCompose "
)

// Text is a signature that is read from left to right: S from Pos on.
type Text struct {
	S   string
	Pos int
}

// Spaces skips blanks.
func (t *Text) Spaces() {
	for t.Pos < len(t.S) && t.S[t.Pos] == ' ' {
		t.Pos++
	}
}

// Next is the next byte that is no blank, 0 at the end.
func (t *Text) Next() byte {
	t.Spaces()
	if t.Pos < len(t.S) {
		return t.S[t.Pos]
	}
	return 0
}

// Take skips a text if it is next.
func (t *Text) Take(text string) bool {
	t.Spaces()
	if !strings.HasPrefix(t.S[t.Pos:], text) {
		return false
	}
	t.Pos += len(text)
	return true
}

// Word takes a name, "" if none is next.
func (t *Text) Word() string {
	t.Spaces()
	n := strings.IndexAny(t.S[t.Pos:], " .,<>()[]{}&=?@;")
	if n < 0 {
		n = len(t.S) - t.Pos
	}
	w := t.S[t.Pos : t.Pos+n]
	t.Pos += n
	return w
}
