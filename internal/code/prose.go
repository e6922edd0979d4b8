package code

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// proseEnds are the beginnings of lines of a doc comment with an example, a tag or a
// directive, after which no sentence about the declaration follows.
var proseEnds = [...]string{">>>", "@", "..", "```"}

// FirstSentence returns the first sentence of a doc comment's first paragraph of
// prose, without the marks of documentation tools, or "" if there is none.
func FirstSentence(doc string) string {
	for part := range strings.SplitSeq(doc, "\n\n") {
		var lines []string
		for line := range strings.Lines(part) {
			line = strings.TrimSpace(line)
			isRuler := len(line) >= 3 && strings.Trim(line, "=-~*_#") == "" // =====
			if linkDefinition().MatchString(line) {
				continue
			}
			begins := func(mark string) bool { return strings.HasPrefix(line, mark) }
			endsProse := labelledLine().MatchString(line) || slices.ContainsFunc(proseEnds[:], begins)
			if isRuler || endsProse {
				break
			}
			lines = append(lines, line)
		}
		prose := strings.Join(lines, " ")
		if strings.ContainsAny(prose, "{:[<") {
			for _, mark := range [...]*regexp.Regexp{labelledLink(), docLink(), docRole(), markdownLink(), rstLink()} {
				prose = mark.ReplaceAllString(prose, "$1")
			}
			prose = shortcutLink().ReplaceAllString(prose, "$1$2")
		}
		text := Purpose(File{Doc: prose})
		if strings.IndexFunc(text, unicode.IsLetter) >= 0 {
			return text
		}
	}
	return summarySentence(doc)
}

// summaryTags are the tags of documentation tools whose text is a sentence about the declaration.
var summaryTags = [...]string{"@summary ", "@description ", "@fileoverview ", "@brief "}

// summarySentence returns the sentence of a tag in a doc comment that consists of tags, "" if it has none.
func summarySentence(doc string) string {
	for _, tag := range summaryTags {
		if i := strings.Index("\n"+doc, "\n"+tag); i >= 0 {
			text, _, _ := strings.Cut(doc[i+len(tag):], "\n")
			return FirstSentence(text)
		}
	}
	return ""
}

// labelledLink matches links of Javadoc that have a text of their own: {@link Type text}.
var labelledLink = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\{@link(?:plain)? [^\s{}()]+(?:\([^{}()]*\))? ([^{}]+)\}`)
})

// docLink matches the other tags of Javadoc: {@link Type}, {@code x}.
var docLink = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{@\w+ ([^{}]*)\}`) })

// docRole matches roles of reStructuredText: :class:`~module.Type`, :func:`run`.
var docRole = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(":[a-z]+(?::[a-z]+)?:`[~!]?([^`<>]+?)(?: *<[^`<> ]+>)?`")
})

// linkDefinition matches lines with nothing but the target of a link or badges, and labelledLine matches items of RDoc's labelled lists.
var (
	linkDefinition = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:\[[^\[\]]+\]: |\[?!\[|\[<img)`) })
	labelledLine   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Z][\w ]{0,30}::( |$)`) })
)

// markdownLink matches links of Markdown, KDoc and rustdoc with a target: [text](target), [text][target]. shortcutLink matches those
// without one, [Type], which are no indices of arrays.
var (
	markdownLink = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[([^\[\]]+)\](?:\([^()\s]*\)|\[[^\[\]]*\])`) })
	shortcutLink = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(^|[ (])\[([^\[\]]*\pL[^\[\]]*)\]`) })
)

// rstLink matches links of reStructuredText: `text <target>`_.
var rstLink = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("`([^`<>]+?) *<[^`<> ]+>`_+") })
