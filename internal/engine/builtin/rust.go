package builtin

// RustPrelude reports whether name, when the file neither declares nor imports
// it, belongs to the language: the names std's prelude puts into every file, its
// derives and its macros. Only a declaration that the file sees makes one mean something else.
func RustPrelude(name string) bool {
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

// RustPrimitive reports whether name is a built-in type, which may come before :: like
// a module (u32::MAX).
func RustPrimitive(name string) bool {
	switch name {
	case "u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "u128", "i128", "isize", "usize", "f32", "f64", "bool", "str", "char":
		return true
	}
	return false
}

// RustIterator reports whether ranges and other iterators of std have a method of a name.
func RustIterator(name string) bool {
	switch name {
	case "all", "any", "by_ref", "chain", "clone", "cloned", "cmp", "cmp_by", "collect", "copied", "count", "cycle", "enumerate", "eq",
		"filter", "filter_map", "find", "find_map", "flat_map", "flatten", "fold", "for_each", "fuse", "ge", "gt", "inspect", "into_iter",
		"is_partitioned", "is_sorted", "is_sorted_by", "is_sorted_by_key", "last", "le", "len", "lt", "map", "map_while", "max", "max_by",
		"max_by_key", "min", "min_by", "min_by_key", "ne", "next", "next_back", "nth", "nth_back", "partial_cmp", "partition", "peekable",
		"position", "product", "reduce", "rev", "rfind", "rfold", "rposition", "scan", "size_hint", "skip", "skip_while", "step_by", "sum",
		"take", "take_while", "try_fold", "try_for_each", "try_rfold", "unzip", "zip":
		return true
	case "contains", "end", "is_empty", "start": // of ranges
		return true
	}
	return false
}
