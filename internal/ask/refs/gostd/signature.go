package gostd

import "strings"

// Parameters counts the parameters of a Go method by its signature: the commas
// at the top level of the parentheses after its name.
func Parameters(sig string) int {
	depth, commas, start, any := 0, 0, -1, false
	for i := 0; i < len(sig); i++ {
		switch c := sig[i]; c {
		case '(', '[', '{':
			if c == '(' && start < 0 && opensParams(sig[:i]) {
				start, depth = i, 0
			} else if start >= 0 {
				depth++
			}
		case ')', ']', '}':
			if start >= 0 && depth == 0 {
				if any {
					return commas + 1
				}
				return 0
			}
			depth--
		case ',':
			if start >= 0 && depth == 0 {
				commas++
			}
		case ' ':
		default:
			any = any || start >= 0
		}
	}
	return 0
}

// opensParams reports whether a bracket after a text opens a list of parameters: it
// follows a name, or its type parameters, and not the word func.
func opensParams(before string) bool {
	if before == "" || strings.HasSuffix(before, "func") {
		return false
	}
	last := before[len(before)-1]
	return last == ']' || inName(last)
}

// inName reports whether an ASCII byte may be part of a Go name.
func inName(c byte) bool {
	switch {
	case c == '_', '0' <= c && c <= '9', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		return true
	}
	return false
}
