package extract

// rustPrelude reports whether name, when the file neither declares nor imports
// it, belongs to the language: the names std's prelude puts into every file, its
// derives and its macros. A reference to one says nothing about a repository.
func rustPrelude(name string) bool {
	switch name {
	case "Option", "Some", "None", "Result", "Ok", "Err", "Box", "String", "Vec", "ToString", "ToOwned", "Self",
		"Clone", "Copy", "Send", "Sync", "Sized", "Drop", "Fn", "FnMut", "FnOnce", "AsyncFn", "AsyncFnMut", "AsyncFnOnce",
		"Iterator", "IntoIterator", "Extend", "FromIterator", "DoubleEndedIterator", "ExactSizeIterator",
		"Default", "PartialEq", "Eq", "PartialOrd", "Ord", "AsRef", "AsMut", "Into", "From", "TryFrom", "TryInto", "Unpin", "drop",
		"Debug", "Hash":
		return true
	case "assert", "assert_eq", "assert_ne", "cfg", "column", "compile_error", "concat", "dbg", "debug_assert", "debug_assert_eq",
		"debug_assert_ne", "env", "eprint", "eprintln", "file", "format", "format_args", "include", "include_bytes", "include_str",
		"line", "macro_rules", "matches", "module_path", "option_env", "panic", "print", "println", "stringify", "thread_local", "todo",
		"unimplemented", "unreachable", "vec", "write", "writeln":
		return true
	}
	return false
}

// rustPrimitive reports whether name is a built-in type, which may come before :: like
// a module (u32::MAX).
func rustPrimitive(name string) bool {
	switch name {
	case "u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "u128", "i128", "isize", "usize", "f32", "f64", "bool", "str", "char":
		return true
	}
	return false
}

// rustAttribute reports whether the compiler itself, or one of its tools, defines an
// attribute of this name.
func rustAttribute(name string) bool {
	switch name {
	case "allow", "warn", "deny", "forbid", "expect", "cfg", "cfg_attr", "derive", "doc", "test", "ignore", "should_panic", "bench",
		"inline", "cold", "must_use", "deprecated", "repr", "non_exhaustive", "macro_export", "macro_use", "path", "no_mangle", "no_std",
		"no_main", "no_core", "used", "link", "link_name", "link_section", "export_name", "automatically_derived", "track_caller",
		"target_feature", "global_allocator", "panic_handler", "proc_macro", "proc_macro_derive", "proc_macro_attribute", "feature",
		"recursion_limit", "type_length_limit", "windows_subsystem", "crate_name", "crate_type", "default", "rustfmt", "clippy",
		"rust_analyzer", "diagnostic", "lang", "unsafe", "no_implicit_prelude", "instruction_set", "debugger_visualizer":
		return true
	}
	return false
}

// rustTransparent reports whether a method call on a value of this type mostly
// reaches the type it wraps.
func rustTransparent(name string) bool {
	switch name {
	case "Box", "Rc", "Arc", "Ref", "RefMut", "MutexGuard", "Pin", "Cow":
		return true
	}
	return false
}

// rustConstructor reports whether T::name() most likely makes a T.
func rustConstructor(name string) bool {
	switch name {
	case "new", "default", "from":
		return true
	}
	for _, p := range [...]string{"new_", "with_", "from_"} {
		if len(name) > len(p) && name[:len(p)] == p {
			return true
		}
	}
	return false
}
