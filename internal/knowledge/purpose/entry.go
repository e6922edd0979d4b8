package purpose

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// beginningStems are the names of files that begin the program in their folder.
var beginningStems = []string{"main", "index", "app", "program", "mod", "__init__", "__main__"}

// entry matches a line of a list or a table that begins with a name, in a link, in a code span or in bold, and describes it. entrySentence
// matches a paragraph that begins with a name in a code span.
var (
	entry = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("^\\s*(?:[-*+]|\\d+\\.|\\|)\\s+[*_]*\\[?[`*]*([\\w./-]+?)/?[`*]*(?:\\]\\((?:\\./)?([^()]+?)/?\\))?[`*_]*\\s*(?::|-|–|—|\\||=>)[*_]*\\s+(.+)$")
	})
	entrySentence = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("^(?:The |This )?`([\\w./-]+?)/?` (?:example |examples |script |program |file |module |package |folder |directory |test |tests )?" +
			"(?:shows|show|demonstrates|illustrates|contains|implements|provides|is|are|tests|generates|runs|builds) .+")
	})
)

// readmeEntries returns the descriptions in a README of a file or folder that has one of some names.
func readmeEntries(text string, names []string) (out []string) {
	named := func(name string) bool { return slices.Contains(names, strings.TrimPrefix(name, "./")) }
	fenced := false
	for paragraph := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n") {
		was, fences := fenced, strings.Count(paragraph, "```")
		fenced = fenced != (fences%2 == 1)
		if was || fences > 0 {
			continue
		}
		for line := range strings.Lines(paragraph) {
			m := entry().FindStringSubmatch(strings.TrimRight(line, "\n"))
			if m != nil && (named(m[1]) || named(m[2])) {
				description, _, _ := strings.Cut(m[3], " | ")
				out = append(out, strings.TrimRight(description, " |"))
			}
		}
		joined := strings.Join(strings.Fields(paragraph), " ")
		if m := entrySentence().FindStringSubmatch(joined); m != nil && named(m[1]) {
			out = append(out, joined)
		}
	}
	return out
}
