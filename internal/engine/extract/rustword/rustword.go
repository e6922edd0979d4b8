// Package rustword knows the names that Rust and its standard library give to every
// file, so that extraction (rust_*.go) can tell apart names that could be a repository's.
package rustword

import "strings"

// Attribute reports whether the compiler itself, or one of its tools, defines an
// attribute of this name.
func Attribute(name string) bool {
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

// Transparent reports whether a method call on a value of this type mostly
// reaches the type it wraps.
func Transparent(name string) bool {
	switch name {
	case "Box", "Rc", "Arc", "Ref", "RefMut", "MutexGuard", "Pin", "Cow":
		return true
	}
	return false
}

// Constructor reports whether T::name() most likely makes a T.
func Constructor(name string) bool {
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

// GivesEach reports whether a method of iterators, Option or Result passes its
// content to the closure that it takes.
func GivesEach(method string) bool {
	switch method {
	case "map", "for_each", "filter", "any", "all", "find", "and_then", "filter_map", "flat_map", "position", "inspect", "take_while",
		"skip_while", "map_while", "is_some_and", "is_ok_and", "map_or", "map_or_else", "partition", "retain", "max_by_key", "min_by_key",
		"find_map", "sort_by_key", "try_for_each":
		return true
	}
	return false
}

// Holder reports whether a type of std holds values that are reached by its methods.
func Holder(name string) bool {
	switch name {
	case "Option", "Result", "Vec", "VecDeque", "LinkedList", "HashMap", "BTreeMap", "HashSet", "BTreeSet", "BinaryHeap", "Iterator",
		"IntoIterator", "DoubleEndedIterator", "Future", "Stream", "Poll", "Mutex", "RwLock", "RefCell", "Cell", "OnceCell", "OnceLock",
		"LazyLock", "LazyCell", "Weak", "Entry", "Peekable", "JoinHandle":
		return true
	}
	return false
}

// Cell reports whether a type of std, or one like it, lends its content by lock,
// borrow and similar methods.
func Cell(name string) bool {
	switch name {
	case "Mutex", "RwLock", "RefCell", "LazyLock", "LazyCell", "RwLockReadGuard", "RwLockWriteGuard", "ManuallyDrop", "CachePadded":
		return true
	}
	return false
}

// Wraps reports whether T::name(x) makes a smart pointer of x.
func Wraps(name string) bool {
	switch name {
	case "new", "from", "pin", "clone", "new_cyclic":
		return true
	}
	return false
}

// Keyword reports whether a name in tokens is a keyword there.
func Keyword(s string) bool {
	switch s {
	case "as", "async", "await", "break", "const", "continue", "dyn", "else", "enum", "extern", "false", "fn", "for", "if", "impl", "in",
		"let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "static", "struct", "trait", "true", "type", "unsafe", "use",
		"where", "while", "biased", "expr", "ident", "tt", "ty", "literal", "vis", "pat", "path", "block", "stmt", "item", "lifetime":
		return true
	}
	return false
}

// Formats reports whether a macro's strings are formats, which may name values in braces.
func Formats(macro string) bool {
	switch macro {
	case "format", "print", "println", "eprint", "eprintln", "write", "writeln", "panic", "assert", "assert_eq", "assert_ne", "debug_assert",
		"debug_assert_eq", "debug_assert_ne", "todo", "unimplemented", "unreachable", "format_args", "trace", "debug", "info", "warn", "error",
		"log", "bail", "anyhow", "ensure":
		return true
	}
	return false
}

// IsDoc reports whether a comment documents the item after it.
func IsDoc(s string) bool {
	switch {
	case strings.HasPrefix(s, "///"):
		return !strings.HasPrefix(s, "////")
	case strings.HasPrefix(s, "/**"):
		return !strings.HasPrefix(s, "/***") && s != "/**/"
	}
	return false
}

// SplitPath cuts the last segment off a path.
func SplitPath(path string) (spec, name string) {
	i := strings.LastIndex(path, "::")
	if i <= 0 {
		return "", path
	}
	return path[:i], path[i+2:]
}

// Defines reports whether the name after a token is a definition, a lifetime or a variable.
func Defines(token string) bool {
	switch token {
	case "fn", "struct", "enum", "union", "trait", "mod", "type", "let", "static", "const", "ref", "'", "macro_rules":
		return true
	}
	return false
}
