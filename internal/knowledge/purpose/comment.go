package purpose

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"ken/internal/lang"
)

// aboutFile matches the beginnings of sentences that are about the file in which they are, wherever in it.
var aboutFile = sync.OnceValue(func() *regexp.Regexp {
	const kinds = `(?:test |code |source |small |simple |header |helper )*(?:file|example|examples|script|program|module|tests?|testing|code|package|benchmarks?|header|unit|` +
		`spec|suite|extensions?|addon|plugin|helper|sample|demo|library|tool|middleware|fuzzer|adapter|wrapper)`
	return regexp.MustCompile("(?i)^(?:the [`'\"]?[\\w/.-]+[`'\"]? (?:file|script|module) |" + `this is used (?:as|by|for|in)\b|(?:this|these) (?:is an? |is the |are (?:the )?)?` + kinds + `\b|` +
		`an? (?:simple |basic |small |minimal |short |little |tiny |quick )*(?:example|program|script|demo|benchmark|test|demonstration)\b|` +
		`(?:tests?|testing|shows|demonstrates|benchmarks?|verifies|checks|ensures|exercises) (?:if|that|how|the|a|an|all|various|[a-z]+s|for|of|whether|what)\b|` +
		`examples? (?:of|for|that|how|showing|program)\b)`)
})

// addresses matches sentences that speak to the reader, about how something is done.
var addresses = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:you|your|you'd|you're|we|we're|i|i'm|let's)\b`)
})

// maxHead is the number of lines of a file whose comments are searched for one about the file, maxComments the number of these comments.
const maxHead, maxComments = 50, 6

// comment is the text of adjacent lines of comments. first is set if no code is above it, and apart if nothing is right below it.
type comment struct {
	text         string
	first, apart bool
}

// headComments returns the comments of the lines before end that begin at the margin, without legal notices.
func headComments(lines []string, end int, row *lang.Info) (out []comment) {
	first := true
	for i := 0; i < end && len(out) < maxComments; {
		text, next := readComment(lines, i, row)
		if next == i {
			first = first && beginsWithOne(lines[i], openings)
			i++
			continue
		}
		if !isLegal(text) {
			apart := next >= len(lines) || beginsWithOne(lines[next], openings) || beginsWithOne(lines[next], imports)
			out = append(out, comment{text, first, apart})
		}
		i = next
	}
	return out
}

// openings are the beginnings of lines above the comment about a file, and imports of those below it.
var (
	openings = []string{"#!", "<?", "package "}
	imports  = []string{"import ", "import(", "from ", "require ", "require_relative ", "use ", "using ", "include ", "#include", "\"use strict\"", "'use strict'"}
)

// beginsWithOne reports whether a line is empty or begins with one of a list.
func beginsWithOne(line string, list []string) bool {
	line = strings.TrimSpace(line)
	return line == "" || slices.ContainsFunc(list, func(p string) bool { return strings.HasPrefix(line, p) })
}

// readComment returns the text of the comment that begins at a line, and the line behind it, i if there is none.
func readComment(lines []string, i int, row *lang.Info) (text string, next int) {
	var out []string
	begin, end := row.Block[0], row.Block[1]
	if begin != "" && strings.HasPrefix(lines[i], begin) {
		for next = i; next < len(lines); {
			line := lines[next]
			next++
			body, _, closed := strings.Cut(strings.TrimPrefix(line, begin), end)
			out = append(out, strings.TrimLeft(strings.TrimSpace(body), "*! "))
			if closed {
				return strings.TrimSpace(strings.Join(out, "\n")), next
			}
		}
		return "", i
	}
	for next = i; next < len(lines) && !strings.HasPrefix(lines[next], "#!"); next++ {
		mark := slices.IndexFunc(row.Line, func(mark string) bool { return strings.HasPrefix(lines[next], mark) })
		if mark < 0 {
			break
		}
		out = append(out, strings.TrimSpace(strings.TrimLeft(lines[next], row.Line[mark]+"!")))
	}
	return strings.TrimSpace(strings.Join(out, "\n")), next
}

// legalWords are in notices of rights.
var legalWords = []string{"copyright", "(c)", "©", "license", "licence", "spdx-"}

// isLegal reports whether a comment is a notice of rights.
func isLegal(text string) bool {
	lower := strings.ToLower(text)
	return slices.ContainsFunc(legalWords, func(w string) bool { return strings.Contains(lower, w) })
}
