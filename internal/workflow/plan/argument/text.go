package argument

import (
	"regexp"
	"strings"
	"unicode"
)

// NeutralText returns a text in a form that is safe in a file that an agent reads: without invisible characters, and with tags that mark
// the parts of a conversation rewritten, so that an agent does not take the text for a message. The words stay.
func NeutralText(text string) string {
	text = strings.Map(func(r rune) rune {
		if isInvisible(r) {
			return -1
		}
		return r
	}, text)
	if !strings.ContainsAny(text, "<[") {
		return text
	}
	for _, row := range [...]struct{ pattern, new string }{
		{`(?i)<\s*(/?)\s*(system|assistant|human|user)\s*>`, "＜$1$2＞"},
		{`(?i)<\|\s*(\w+)\s*\|>`, "＜$1＞"},
		{`(?i)\[(/?)(system|inst)\]`, "［$1$2］"},
		{`(?i)<<\s*(/?)sys\s*>>`, "«${1}sys»"},
	} {
		text = regexp.MustCompile(row.pattern).ReplaceAllString(text, row.new)
	}
	return text
}

// isInvisible reports whether a character is a means to hide text: it has no width, changes the direction of text or is a tag of Unicode.
func isInvisible(r rune) bool {
	switch {
	case r == 0xAD || r == 0xFEFF:
		return true
	case 0x200B <= r && r <= 0x200F, 0x2028 <= r && r <= 0x202F, 0x2060 <= r && r <= 0x2064:
		return true
	}
	return 0xE0000 <= r && r <= 0xE007F
}

// DisplayText returns a text for a person to read: as Neutral, and without the lines with which agents address each other.
func DisplayText(text string) string {
	if !strings.Contains(text, "to=") {
		return NeutralText(text)
	}
	address := regexp.MustCompile(`(?i)^\s*(?:assistant|user|system)\s+to=[^:\s]+:`)
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !address.MatchString(line) {
			b.WriteString(line)
		}
	}
	return NeutralText(b.String())
}

// SingleLine returns a text as one line, with blanks in the place of line breaks and other control characters. A line break in a title
// would end its field and begin another.
func SingleLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == 0x2028 || r == 0x2029 {
			return ' '
		}
		return r
	}, text)
	return strings.Join(strings.Fields(NeutralText(text)), " ")
}
