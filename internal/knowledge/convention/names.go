package convention

import (
	"strings"
	"unicode"
)

// The naming styles.
const (
	camel     = "camelCase"
	pascal    = "PascalCase"
	snake     = "snake_case"
	kebab     = "kebab-case"
	screaming = "UPPER_CASE"
)

// namingStyles returns the naming styles that a name certainly follows, and those it violates. A lower-case name of one word could
// be camel, snake or kebab case: it is in neither list for them, and violates the others. An upper-case word is in neither
// list for capitals either, because it can be an abbreviation.
func namingStyles(name string) (follows, against []string) {
	name = strings.Trim(name, "_$")
	var upper, small, under, dash bool
	for _, c := range name {
		switch {
		case c == '_':
			under = true
		case c == '-':
			dash = true
		case unicode.IsUpper(c):
			upper = true
		case unicode.IsLower(c):
			small = true
		}
	}
	first := []rune(name + "x")[0]
	mark := func(one string) (follows, against []string) {
		for _, s := range []string{camel, pascal, snake, kebab, screaming} {
			if s != one {
				against = append(against, s)
			}
		}
		return []string{one}, against
	}
	switch {
	case !upper && !small:
		return nil, []string{} // digits, or letters that have no case
	case under && dash, dash && upper, under && upper && small:
		return nil, []string{camel, pascal, snake, kebab, screaming} // a mixture
	case dash:
		return mark(kebab)
	case under && upper:
		return mark(screaming)
	case under:
		return mark(snake)
	case upper && !small:
		return nil, []string{camel, snake, kebab} // an abbreviation, or a constant of one word
	case unicode.IsUpper(first):
		return mark(pascal)
	case upper:
		return mark(camel)
	}
	return nil, []string{pascal, screaming}
}
