package agentevent

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// searchers are the programs that search texts; valued are their options that take a value.
var (
	searchers = []string{"grep", "egrep", "fgrep", "rg", "git grep"}
	valued    = []string{"-A", "-B", "-C", "-m", "-t", "-T", "-g", "-f", "--type", "--glob", "--include", "--exclude", "--exclude-dir", "--max-count", "--context", "--type-not"}
)

// searchedName returns the name that a command line searches for, if it is one search and nothing
// else; "" otherwise.
func searchedName(line string) string {
	commands, ok := splitCommands(line)
	if !ok || len(commands) != 1 {
		return ""
	}
	words := commands[0].programWords()
	i := slices.IndexFunc(searchers, func(s string) bool { return hasWords(words, s) })
	if i < 0 {
		return ""
	}
	words = words[len(strings.Fields(searchers[i])):]
	for k := 0; k < len(words); k++ {
		w := words[k]
		switch {
		case w == "-e" || w == "--regexp":
			if k+1 < len(words) {
				return patternName(words[k+1])
			}
			return ""
		case slices.Contains(valued, w):
			k++
		case w == "--" || strings.HasPrefix(w, "-") && len(w) > 1:
		default:
			return patternName(w)
		}
	}
	return ""
}

// pattern is a regular expression that finds one name: maybe after a word that declares,
// between marks of its ends, and before a parenthesis.
var pattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:\^|\\b|\\<)*(?:(?:func|def|class|interface|struct|type|fn|function|const|let|var|new|enum|trait|import)(?: |\\s[+*]?))?(?:\\b|\\<)*` +
		`([A-Za-z_$][\w$]*(?:(?:\\?\.|::|#)[A-Za-z_$][\w$]*)*)(?:\\b|\\>|\\?\(|\$)*$`)
})

// minName is the shortest name that is worth an answer.
const minName = 3

// patternName returns the name that a pattern finds, "" if it is not just a name.
func patternName(s string) string {
	m := pattern().FindStringSubmatch(s)
	if m == nil || len(m[1]) < minName {
		return ""
	}
	return strings.ReplaceAll(m[1], `\.`, ".")
}
