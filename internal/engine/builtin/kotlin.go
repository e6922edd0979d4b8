package builtin

import "strings"

// KotlinBuiltin reports whether name, when the file neither declares nor imports
// it, is one of those every Kotlin file sees.
func KotlinBuiltin(name string) bool {
	switch name {
	case "Any", "Unit", "Nothing", "Int", "UInt", "ULong", "UByte", "UShort", "Char", "Array", "IntArray", "ByteArray", "LongArray", "CharArray",
		"BooleanArray", "DoubleArray", "FloatArray", "ShortArray", "List", "MutableList", "Set", "MutableSet", "Map", "MutableMap",
		"Collection", "MutableCollection", "Iterator", "MutableIterable", "MutableIterator", "ListIterator", "ArrayList", "HashMap",
		"HashSet", "LinkedHashMap", "LinkedHashSet", "Sequence", "Pair", "Triple", "Lazy", "Result", "Regex", "Annotation", "Function",
		"ClosedRange", "IntRange", "LongRange", "CharRange", "Suppress", "Throws", "JvmStatic", "JvmField", "JvmOverloads", "JvmName",
		"JvmInline", "JvmSynthetic", "JvmSuppressWildcards", "Volatile", "Synchronized", "Transient", "OptIn", "RequiresOptIn",
		"PublishedApi", "Target", "Retention", "DslMarker", "ExperimentalUnsignedTypes",
		"NoSuchElementException", "ConcurrentModificationException", "UninitializedPropertyAccessException":
		return true
	case "println", "print", "require", "requireNotNull", "check", "checkNotNull", "error", "TODO", "lazy", "listOf", "mutableListOf",
		"emptyList", "setOf", "mutableSetOf", "emptySet", "mapOf", "mutableMapOf", "emptyMap", "arrayOf", "intArrayOf", "byteArrayOf",
		"arrayListOf", "hashMapOf", "hashSetOf", "linkedMapOf", "sequenceOf", "buildList", "buildMap", "buildSet", "buildString",
		"repeat", "synchronized", "maxOf", "minOf", "runCatching", "listOfNotNull":
		return true
	}
	return JavaLang(name) || KotlinScopeFunction(name)
}

// KotlinScopeFunction reports whether name is one of the functions that the language
// gives to every value.
func KotlinScopeFunction(name string) bool {
	switch name {
	case "let", "also", "apply", "run", "with", "takeIf", "takeUnless", "to":
		return true
	}
	return false
}

// KotlinInfix reports whether name is an infix function of the language.
func KotlinInfix(name string) bool {
	switch name {
	case "to", "until", "downTo", "step", "shl", "shr", "ushr", "and", "or", "xor":
		return true
	}
	return false
}

// KotlinPassesSelf reports whether name is a function of the language that passes the value it is called on to a function.
func KotlinPassesSelf(name string) bool {
	switch name {
	case "let", "also", "takeIf", "takeUnless", "use":
		return true
	}
	return false
}

// KotlinPassesElement reports whether name is a function of collections that passes their elements to a function.
func KotlinPassesElement(name string) bool {
	switch name {
	case "all", "any", "associate", "associateBy", "associateWith", "count", "distinctBy", "dropWhile", "filter", "filterNot", "find",
		"findLast", "first", "firstOrNull", "flatMap", "forEach", "groupBy", "indexOfFirst", "joinToString", "last", "lastOrNull", "map",
		"mapNotNull", "mapTo", "maxBy", "maxByOrNull", "maxOf", "minBy", "minByOrNull", "minOf", "none", "onEach", "partition",
		"removeAll", "removeIf", "single", "singleOrNull", "sortedBy", "sortedByDescending", "sumOf", "takeWhile":
		return true
	}
	return false
}

// KotlinBuilds reports whether a function of the standard library builds a value in a lambda whose receiver has a member of the name.
func KotlinBuilds(function, name string) bool {
	members := ""
	switch function {
	case "buildList", "buildSet":
		members = " add addAll addFirst addLast clear contains containsAll first get indexOf isEmpty isNotEmpty last remove removeAll removeAt" +
			" removeFirst removeLast retainAll set size sort sortBy "
	case "buildMap":
		members = " clear containsKey get getOrPut isEmpty isNotEmpty keys put putAll remove set size values "
	case "buildString":
		members = " append appendLine clear deleteAt insert isEmpty isNotEmpty length reverse setLength "
	case "sequence", "iterator":
		members = " yield yieldAll "
	case "flow":
		members = " emit emitAll "
	case "channelFlow", "callbackFlow", "produce":
		members = " awaitClose close send trySend trySendBlocking "
	}
	return strings.Contains(members, " "+name+" ")
}
