package lexical

// IsCKeyword reports whether a word is a keyword. The grammar takes one for a name
// where source is broken.
func IsCKeyword(s string) bool {
	switch s {
	case "if", "else", "for", "while", "do", "switch", "case", "return", "sizeof", "goto", "break", "continue", "default",
		"struct", "union", "enum", "typedef", "static", "extern", "const", "volatile", "void", "defined":
		return true
	}
	return false
}

// IsCWord reports whether a word is a keyword, a builtin type or an operator of
// the preprocessor, and so no name that a file could declare.
func IsCWord(s string) bool {
	if IsCKeyword(s) {
		return true
	}
	switch s {
	case "int", "char", "long", "short", "unsigned", "signed", "float", "double", "bool", "_Bool", "inline", "register", "auto",
		"size_t", "ssize_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "int8_t", "int16_t", "int32_t", "int64_t", "uintptr_t",
		"intptr_t", "wchar_t", "NULL", "nullptr", "true", "false", "this", "new", "delete", "class", "template", "typename", "namespace",
		"using", "public", "private", "protected", "virtual", "operator", "try", "catch", "throw", "constexpr", "noexcept", "decltype",
		"static_cast", "const_cast", "reinterpret_cast", "dynamic_cast", "static_assert", "_Static_assert", "explicit", "friend",
		"typeof", "__typeof__", "__typeof", "__attribute__", "__inline", "__inline__", "__extension__", "restrict", "__restrict",
		"__asm__", "asm", "__FILE__", "__LINE__", "__func__", "__FUNCTION__", "__VA_ARGS__", "__VA_OPT__", "std":
		return true
	}
	return false
}
