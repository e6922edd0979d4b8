package outcome

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Limits for pasted errors.
const (
	maxPasted  = 6000 // bytes at each end of a prompt that are looked at
	fewWords   = 60   // words of sentences beside pasted errors: a task has more
	outerLines = 3    // lines at each end of a prompt with several errors in which people write
	manyErrors = 3    // lines about errors by which a prompt has several
	titleWords = 12   // the same where the first line is like the title of a task
	sentence   = 5    // words of a line that is one
	meanWord   = 8    // characters by which words of languages without blanks are counted
	lineStart  = 120  // bytes of a line in which errorMarks are looked for
	wordsLeft  = 6    // words that may be before a mark in a line of output
	proseMarks = 0.08 // the share of marks that a line of prose stays below
	mostMarks  = 0.2  // the share of marks of a line that is output or code
)

// errorMarks are what programs print when they fail.
var errorMarks = [...]string{
	"Error:", "error:", "Exception:", "ERROR ", "ERROR:", "[error]", "[Error]", "npm ERR", "npm error", "Traceback (most recent", "panic:", "FATAL", "fatal:", "Failed to compile",
	"Failed to load", "Failed to fetch", "Failed to resolve", "Transform failed", "error TS", "error[E", "net::ERR_", "Unhandled Runtime", "Uncaught ", "Build Error", "Build failures",
	"Build failed", "build failed", "Type error:", "exit code: ", "exit status ", "Segmentation fault", "command not found", "annot find name '", "annot find module '",
	"(Bad Request)", "(Forbidden)", "(Unauthorized)", "(Not Found)", "(Conflict)", "(Internal Server Error)", "405 Method Not Allowed", "ERR_CONNECTION",
}

// isError reports whether a line of output, with its end, is about an error.
func isError(line string) bool {
	start := line[:min(len(line), lineStart)]
	trimmed := strings.TrimLeft(start, " \t")
	for begin, part := range map[string]string{"at ": "(", `File "`: ", line "} { // frames of stacks
		if strings.HasPrefix(trimmed, begin) && strings.Contains(trimmed, part) {
			return true
		}
	}
	return slices.ContainsFunc(errorMarks[:], func(m string) bool {
		at := strings.Index(start, m)
		return at >= 0 && len(strings.Fields(start[:at])) <= wordsLeft
	})
}

// pastedError returns the complaint of a prompt that consists of errors which a program printed, with few words of the user: what was
// made fails.
func pastedError(prompt string, titled bool) (c Complaint, ok bool) {
	if len(prompt) > 2*maxPasted {
		prompt = strings.ToValidUTF8(prompt[:maxPasted]+"\n"+prompt[len(prompt)-maxPasted:], "")
	}
	own, most, errors := 0, fewWords, 0
	if titled {
		most = titleWords
	}
	lines := slices.DeleteFunc(strings.Split(prompt, "\n"), func(line string) bool { return strings.TrimSpace(line) == "" })
	outer := 0 // own words where people write them: before and behind what they paste
	for i, line := range lines {
		switch {
		case isError(line):
			errors++
		case isProse(line):
			words := max(len(strings.Fields(line)), textLength(line)/meanWord)
			if words < sentence {
				continue
			}
			own += words
			if i < outerLines || i >= len(lines)-outerLines {
				outer += words
			}
		}
	}
	if errors >= manyErrors {
		own = outer
	}
	if errors == 0 || own > most {
		return c, false
	}
	return Complaint{Malfunction, "pasted error", 0.75}, true
}

// reference matches a file that the user attached, with its lines.
var reference = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`@[\w./\\:-]+(?:\s*\([0-9]+(?:-[0-9]+)?\))?`) })

// withoutOutput returns the lines of a prompt that may be of the user.
func withoutOutput(prompt string) string {
	var b strings.Builder
	if len(prompt) <= isTiny {
		return prompt
	}
	for line := range strings.Lines(prompt[:min(len(prompt), maxPasted)]) {
		line = reference().ReplaceAllString(line, " ")
		if shareOfMarks(line) < mostMarks && !(isError(line) && b.Len() > 0) {
			b.WriteString(line)
		}
	}
	return strings.ToValidUTF8(b.String(), "")
}

// isProse reports whether a line consists of words: what programs print and code have other characters.
func isProse(line string) bool { return shareOfMarks(line) < proseMarks }

// shareOfMarks returns the share of characters in a line that are no letters and none of the marks of prose.
func shareOfMarks(line string) float64 {
	marks, all := 0, 0
	for _, r := range strings.TrimSpace(line) {
		if all++; !unicode.IsLetter(r) && !strings.ContainsRune(" ,.'-?!\"`，。、？！：:;()@", r) {
			marks++
		}
	}
	return float64(marks) / float64(max(1, all))
}
