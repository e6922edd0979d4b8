package bind

import "strings"

// bases maps types of Java that are final, or nearly so, to all types that may hold their values, apart from the
// type itself and Object.
var bases = map[string]string{
	"String":    " CharSequence Comparable Serializable Constable ",
	"Class":     " Type GenericDeclaration AnnotatedElement Serializable ",
	"[]":        " Serializable Cloneable ",
	"boolean":   " Boolean Comparable Serializable ",
	"byte":      " Byte short int long float double Number Comparable Serializable ",
	"short":     " Short int long float double Number Comparable Serializable ",
	"char":      " Character int long float double Comparable Serializable ",
	"int":       " Integer long float double Number Comparable Serializable ",
	"long":      " Long float double Number Comparable Serializable ",
	"float":     " Float double Number Comparable Serializable ",
	"double":    " Double Number Comparable Serializable ",
	"Boolean":   " boolean Comparable Serializable ",
	"Byte":      " byte short int long float double Number Comparable Serializable ",
	"Short":     " short int long float double Number Comparable Serializable ",
	"Character": " char int long float double Comparable Serializable ",
	"Integer":   " int long float double Number Comparable Serializable ",
	"Long":      " long float double Number Comparable Serializable ",
	"Float":     " float double Number Comparable Serializable ",
	"Double":    " double Number Comparable Serializable ",
}

// openBases maps extensible types of the standard library to types that may hold their values; the lists are not
// complete.
var openBases = map[string]string{
	"StringReader": " Reader ", "StringWriter": " Writer Appendable ", "Writer": " Appendable ", "PrintWriter": " Writer Appendable ",
	"InputStreamReader": " Reader ", "OutputStreamWriter": " Writer Appendable ", "BufferedReader": " Reader ", "BufferedWriter": " Writer Appendable ",
	"FileReader": " Reader ", "FileWriter": " Writer Appendable ", "StringBuilder": " Appendable CharSequence ", "StringBuffer": " Appendable CharSequence ",
	"PrintStream": " OutputStream Appendable ", "ByteArrayInputStream": " InputStream ", "ByteArrayOutputStream": " OutputStream ",
	"List": " Collection Iterable ", "ArrayList": " List Collection Iterable ", "Set": " Collection Iterable ", "HashSet": " Set Collection Iterable ",
	"LinkedHashSet": " Set Collection Iterable ", "TreeSet": " Set SortedSet Collection Iterable ", "LinkedList": " List Deque Queue Collection Iterable ",
	"HashMap": " Map ", "LinkedHashMap": " Map ", "TreeMap": " Map SortedMap ", "Collection": " Iterable ",
	"BigDecimal": " Number ", "BigInteger": " Number ",
	"Exception": " Throwable ", "RuntimeException": " Exception Throwable ", "Error": " Throwable ",
	"IllegalArgumentException": " RuntimeException Exception Throwable ", "IllegalStateException": " RuntimeException Exception Throwable ",
	"IOException": " Exception Throwable ",
}

// hasBase reports whether a value of one type may be passed as another.
func hasBase(name, base string) bool {
	return strings.Contains(bases[name], " "+base+" ") || strings.Contains(openBases[name], " "+base+" ")
}

// isFinal reports whether all types that may hold a value of the named type are known.
func isFinal(name string) bool { return bases[name] != "" }

func isPrimitive(name string) bool {
	return isFinal(name) && name[0] >= 'a' && name[0] <= 'z'
}
