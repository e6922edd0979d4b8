package builtin

import "strings"

// JavaLang reports whether name is one of the types of java.lang, which every file sees
// unless it or its package declares, or it imports, another of that name.
func JavaLang(name string) bool {
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

// IsBoxed reports whether a type holds one value of a primitive type.
func IsBoxed(name string) bool {
	switch name {
	case "Boolean", "Byte", "Character", "Double", "Float", "Integer", "Long", "Short":
		return true
	}
	return false
}

// IsPrimitive reports whether a type has constants that may follow the word case.
func IsPrimitive(name string) bool {
	switch name {
	case "boolean", "byte", "char", "double", "float", "int", "long", "short", "String":
		return true
	}
	return false
}

// IsStringMethod reports whether a method of String returns a String.
func IsStringMethod(name string) bool {
	switch name {
	case "valueOf", "format", "formatted", "join", "substring", "trim", "strip", "toLowerCase", "toUpperCase", "replace", "replaceAll",
		"concat", "repeat":
		return true
	}
	return false
}

// IsObjectMethod reports whether every class has a final method of this name.
func IsObjectMethod(name string) bool {
	switch name {
	case "getClass", "notify", "notifyAll", "wait":
		return true
	}
	return false
}

// JavaTestImport reports whether an import is of a test framework.
func JavaTestImport(spec string) bool {
	for _, p := range [...]string{"org.junit.", "junit.framework.", "org.testng."} {
		if strings.HasPrefix(spec, p) {
			return true
		}
	}
	return false
}

// IsConstantName reports whether a name follows the convention of constants
// ("MAX_SIZE") and not that of types. An acronym may be either and counts as a type.
func IsConstantName(name string) bool {
	return strings.IndexByte(name, '_') >= 0 && name == strings.ToUpper(name)
}

// JVMTestImport reports whether an import is of a test framework.
func JVMTestImport(spec string) bool {
	for _, p := range [...]string{"kotlin.test.", "io.kotest.", "org.scalatest.", "munit.", "org.specs2.", "utest.", "zio.test."} {
		if strings.HasPrefix(spec+".", p) {
			return true
		}
	}
	return JavaTestImport(spec)
}
