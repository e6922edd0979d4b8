package builtin

// Scala reports whether name, when the file neither declares nor imports
// it, is one of those every Scala file sees.
func Scala(name string) bool {
	switch name {
	case "Any", "AnyRef", "AnyVal", "Unit", "Nothing", "Null", "Int", "Char", "Array", "List", "Nil", "Seq", "IndexedSeq", "Vector", "Set",
		"Map", "Option", "Some", "None", "Either", "Left", "Right", "Iterable", "IterableOnce", "Traversable", "Iterator", "Stream",
		"LazyList", "BigInt", "BigDecimal", "Function", "Function0", "Function1", "Function2", "PartialFunction", "Product", "Tuple",
		"Tuple2", "Tuple3", "Equals", "Ordering", "Ordered", "Numeric", "Fractional", "Integral", "Range", "StringContext", "Symbol",
		"Console", "Predef", "ValueOf", "Matchable", "EmptyTuple", "CanEqual", "Singleton", "Conversion", "StringBuilder",
		"Throws", "tailrec", "inline", "throws", "deprecated", "specialized", "unchecked", "transient", "volatile", "native", "main",
		"NoSuchElementException":
		return true
	case "println", "print", "printf", "require", "assert", "assume", "identity", "implicitly", "summon", "locally", "classOf", "valueOf",
		"optionFromNullable", "???", "::", "*:", "=:=", "<:<", "&", "|":
		return true
	}
	return JavaLang(name)
}
