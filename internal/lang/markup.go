package lang

import "strings"

// IsMarkup reports whether a file is pure markup, for which the rules are relaxed. Templates and components are not, because they are
// coupled to logic.
func IsMarkup(p string) bool {
	p = strings.ToLower(p)
	if strings.HasSuffix(p, ".blade.php") {
		return false
	}
	for _, ext := range [...]string{".html", ".htm", ".css", ".scss", ".md"} {
		if strings.HasSuffix(p, ext) {
			return true
		}
	}
	return false
}
