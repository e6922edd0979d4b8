package search

import "strings"

// boilerplate are the lines of the usual templates for issues and changes. They occur in every issue, so they do not
// distinguish this one. Only their letters are compared.
var boilerplate = set(strings.ReplaceAll(letters(`
describe the bug|a clear and concise description of what the bug is|to reproduce|steps to reproduce the behavior|steps to reproduce
expected behavior|a clear and concise description of what you expected to happen|screenshots|if applicable add screenshots to help explain your problem
desktop please complete the following information|smartphone please complete the following information|additional context|add any other context about the problem here
is your feature request related to a problem please describe|a clear and concise description of what the problem is ex im always frustrated when
describe the solution youd like|a clear and concise description of what you want to happen|describe alternatives youve considered
a clear and concise description of any alternative solutions or features youve considered|add any other context or screenshots about the feature request here
motivation|modification|modifications|result|results|description|summary|environment|environment and versions|actual behavior|actual result|expected result|reproduction|system info|used package manager|logs|validations
what version are you using|what did you do|what did you expect to see|what did you see instead|checklist|prerequisites|i have written a descriptive issue title|i have searched existing issues to ensure the bug has not already been reported`), "|", " "))

// letters keeps letters, in lower case, and the separators of a list.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r == '|':
			return r
		case r == '\n':
			return '|'
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return -1
	}, s)
}

// withoutBoilerplate empties the lines of a template except the first, which is the title.
func withoutBoilerplate(text string) string {
	lines := strings.Split(text, "\n")
	for i := 1; i < len(lines); i++ {
		if l := lines[i]; len(l) < 200 && boilerplate[letters(l)] {
			lines[i] = ""
		}
	}
	return strings.Join(lines, "\n")
}
