package builtin

// RubyMethod reports whether a method that is called without a receiver is one of Kernel, Module or Object, so that the
// repository hardly declares it.
func RubyMethod(name string) bool {
	switch name {
	case "Array", "Complex", "Float", "Hash", "Integer", "Rational", "String", "__callee__", "__dir__", "__method__", "abort",
		"alias_method", "at_exit", "attr", "attr_accessor", "attr_reader", "attr_writer", "autoload", "binding", "block_given?",
		"caller", "caller_locations", "catch", "class", "class_eval", "class_exec", "const_get", "const_set", "define_method",
		"define_singleton_method", "eval", "exit", "exit!", "extend", "fail", "format", "freeze", "frozen?", "gets", "global_variables",
		"include", "instance_eval", "instance_exec", "instance_variable_get", "instance_variable_set", "is_a?", "lambda", "load",
		"local_variables", "loop", "method_missing", "module_function", "nil?", "object_id", "p", "pp", "prepend", "print", "printf",
		"private", "private_class_method", "private_constant", "proc", "protected", "public", "public_class_method", "putc", "puts", "raise",
		"rand", "refine", "remove_const", "remove_method", "require", "require_relative", "respond_to?", "ruby2_keywords", "select",
		"send", "singleton_class", "sleep", "sprintf", "srand", "system", "tap", "then", "throw", "trap", "undef_method", "using", "warn",
		"yield_self":
		return true
	}
	return false
}

// RubyConstant reports whether a constant is one of the interpreter's own.
func RubyConstant(name string) bool {
	switch name {
	case "ARGF", "ARGV", "ArgumentError", "Array", "BasicObject", "Binding", "Class", "ClosedQueueError", "Comparable", "Complex",
		"ConditionVariable", "DATA", "Data", "Dir", "ENV", "EOFError", "Encoding", "EncodingError", "Enumerable", "Enumerator", "Errno",
		"Exception", "FalseClass", "Fiber", "FiberError", "File", "FileTest", "Float", "FloatDomainError", "FrozenError", "GC", "Hash",
		"IO", "IOError", "IndexError", "Integer", "Interrupt", "Kernel", "KeyError", "LoadError", "LocalJumpError", "Marshal",
		"MatchData", "Math", "Method", "Module", "Monitor", "Mutex", "NameError", "NilClass", "NoMatchingPatternError", "NoMemoryError",
		"NoMethodError", "NotImplementedError", "Numeric", "Object", "ObjectSpace", "Proc", "Process", "Queue", "RUBY_ENGINE",
		"RUBY_PATCHLEVEL", "RUBY_PLATFORM", "RUBY_VERSION", "Ractor", "Random", "Range", "RangeError", "Rational", "Regexp",
		"RegexpError", "RubyVM", "RuntimeError", "STDERR", "STDIN", "STDOUT", "ScriptError", "SecurityError", "Set", "Signal",
		"SignalException", "SizedQueue", "StandardError", "StopIteration", "String", "Struct", "Symbol", "SyntaxError",
		"SystemCallError", "SystemExit", "SystemStackError", "TOPLEVEL_BINDING", "Thread", "ThreadError", "ThreadGroup", "Time",
		"TracePoint", "TrueClass", "TypeError", "UnboundMethod", "UncaughtThrowError", "UnicodeNormalize", "Warning",
		"ZeroDivisionError":
		return true
	}
	return false
}
