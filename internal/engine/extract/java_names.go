package extract

import "strings"

// javaLang reports whether name is one of the types of java.lang, which every file sees
// unless it declares or imports another of that name. A reference to one says nothing
// about a repository.
func javaLang(name string) bool {
	switch name {
	case "String", "Object", "Integer", "Long", "Short", "Byte", "Character", "Boolean", "Double", "Float", "Number", "Void",
		"Math", "StrictMath", "System", "Thread", "Runnable", "Iterable", "Comparable", "CharSequence", "StringBuilder",
		"StringBuffer", "Class", "ClassLoader", "Enum", "AutoCloseable", "Cloneable", "Appendable", "Readable", "Runtime",
		"Process", "ProcessBuilder",
		"ThreadLocal", "InheritableThreadLocal", "ThreadGroup", "StackTraceElement", "SecurityManager",
		"Override", "Deprecated", "SuppressWarnings", "FunctionalInterface", "SafeVarargs",
		"Throwable", "Exception", "Error", "RuntimeException", "ArithmeticException", "ArrayIndexOutOfBoundsException",
		"ArrayStoreException", "AssertionError", "ClassCastException", "ClassNotFoundException", "CloneNotSupportedException",
		"ExceptionInInitializerError", "InternalError", "NoSuchFieldError", "NoSuchMethodError",
		"ModuleLayer", "IllegalAccessException", "IllegalArgumentException", "IllegalMonitorStateException",
		"IllegalStateException", "IndexOutOfBoundsException", "InstantiationException", "InterruptedException", "LinkageError",
		"NegativeArraySizeException", "NoClassDefFoundError", "NoSuchFieldException", "NoSuchMethodException", "NullPointerException",
		"NumberFormatException", "OutOfMemoryError", "ReflectiveOperationException", "SecurityException", "StackOverflowError",
		"StringIndexOutOfBoundsException", "UnsatisfiedLinkError", "UnsupportedOperationException", "VirtualMachineError":
		return true
	}
	return false
}

// isObjectMethod reports whether every class has a final method of this name.
func isObjectMethod(name string) bool {
	switch name {
	case "getClass", "notify", "notifyAll", "wait":
		return true
	}
	return false
}

// javaTestImport reports whether an import is of a test framework.
func javaTestImport(spec string) bool {
	for _, p := range [...]string{"org.junit.", "junit.framework.", "org.testng."} {
		if strings.HasPrefix(spec, p) {
			return true
		}
	}
	return false
}

// isConstantName reports whether a name follows the convention of constants
// ("MAX_SIZE") and not that of types. An acronym may be either and counts as a type.
func isConstantName(name string) bool {
	return strings.IndexByte(name, '_') >= 0 && name == strings.ToUpper(name)
}
