package std

// KotlinPredeclared are types of the standard library that no import names.
const KotlinPredeclared = KotlinClosed + "Any Unit Nothing Throwable Exception RuntimeException Error IllegalArgumentException" +
	" IllegalStateException NullPointerException UnsupportedOperationException IndexOutOfBoundsException NoSuchElementException" +
	" ClassCastException NumberFormatException AssertionError Comparable Comparator Enum Annotation Function Lazy Result Pair Triple" +
	" Iterable MutableIterable Collection MutableCollection List MutableList ArrayList Set MutableSet HashSet LinkedHashSet Map" +
	" MutableMap HashMap LinkedHashMap Sequence Iterator MutableIterator ListIterator Array IntArray LongArray ByteArray ShortArray" +
	" CharArray BooleanArray FloatArray DoubleArray AutoCloseable Class Object Thread System Math Runnable "

// KotlinClosed are types whose members return no type of the repository.
const KotlinClosed = " Int Long Short Byte Double Float Boolean Char String UInt ULong UByte UShort Number CharSequence StringBuilder Regex" +
	" MatchResult IntRange LongRange CharRange File Path URI URL Duration Instant KClass Class - "

// KotlinContainers hold values of the first of their type arguments, KotlinMaps lead from the first to the second.
const (
	KotlinContainers = " Array ArrayDeque ArrayList Collection Flow HashSet Iterable Iterator Lazy LinkedHashSet List ListIterator MutableCollection" +
		" MutableIterable MutableIterator MutableList MutableSet MutableStateFlow Sequence Set StateFlow ThreadLocal AtomicReference "
	KotlinMaps = " HashMap LinkedHashMap Map MutableMap ConcurrentHashMap "
)

// The methods of containers, by their result: a value, or again a container of such values.
const (
	KotlinGivesValue = " component1 component2 elementAt elementAtOrNull find findLast first firstOrNull get getOrElse getOrNull last" +
		" lastOrNull maxBy maxByOrNull minBy minByOrNull next random removeAt removeFirst removeLast single singleOrNull "
	KotlinGivesSame = " asIterable asReversed asSequence distinct distinctBy drop dropLast dropWhile filter filterNot filterNotNull iterator" +
		" minus onEach plus reversed shuffled sorted sortedBy sortedByDescending sortedWith take takeLast takeWhile toList toMutableList" +
		" toMutableSet toSet "
	KotlinGivesMapped = " get getOrDefault getOrElse getOrPut getValue put remove "
	KotlinMapsEach    = " map mapIndexed mapNotNull mapTo "
)

// KotlinBases returns the types of the standard library that a type of it inherits from, with blanks around names.
func KotlinBases(name string) string {
	const collection = " Collection Iterable "
	switch name {
	case "List", "Set", "MutableCollection":
		return collection
	case "Collection", "MutableIterable":
		return " Iterable "
	case "MutableList", "ArrayList", "ArrayDeque":
		return collection + "List MutableList MutableCollection "
	case "MutableSet", "HashSet", "LinkedHashSet":
		return collection + "Set MutableSet MutableCollection "
	case "MutableMap", "HashMap", "LinkedHashMap":
		return " Map MutableMap "
	case "String", "StringBuilder":
		return " CharSequence Comparable "
	case "Int", "Long", "Short", "Byte", "Double", "Float":
		return " Number Comparable "
	case "Channel":
		return " ReceiveChannel SendChannel "
	case "StateFlow", "SharedFlow":
		return " Flow SharedFlow "
	case "MutableStateFlow", "MutableSharedFlow":
		return " Flow FlowCollector MutableSharedFlow SharedFlow StateFlow "
	case "Exception", "RuntimeException", "IllegalArgumentException", "IllegalStateException":
		return " Throwable Exception RuntimeException "
	}
	return ""
}
