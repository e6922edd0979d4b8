package extract

// builtinOperator reports whether an infix name is an operator of numbers, truth
// values, strings and the collections every file sees. References to those are left
// out, because they show nothing of a repository, unless the file declares the
// operator itself.
func (s *scala) builtinOperator(name string) bool {
	switch name {
	case "+", "-", "*", "/", "%", "<", ">", "<=", ">=", "==", "!=", "&&", "||", "!", "&", "|", "^", "~", "<<", ">>", ">>>", "->", "::", ":::",
		"+:", ":+", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++=", "--=", "eq", "ne", "to", "until", "by",
		"isInstanceOf", "asInstanceOf":
		return s.names.lookup(name) == nil
	}
	return false
}
