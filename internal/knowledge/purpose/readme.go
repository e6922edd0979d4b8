package purpose

import (
	"context"
	"path"
	"regexp"
	"strings"
	"sync"

	"ken/internal/code"
	"ken/internal/engine/view"
)

// The parts of a README's markup that are removed from a sentence.
var (
	image    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`!\[[^\]]*\]\([^)]*\)|!\[[^\]]*\]\[[^\]]*\]`) })
	link     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[([^\[\]]*)\](\([^)]*\)|\[[^\]]*\])`) })
	shortcut = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\[([^\[\]]*[^\[\]! xX])\]`)
	}) // a link with a separate target, not a box of a task list
	asciiLink = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`https?://[^\s\[\]]+\[([^\[\]]*)\]`) }) // AsciiDoc
	rstLink   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("`([^`<>]+?)\\s*<[^`<>]*>`_+") })       // reStructuredText
	element   = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`<!--[\s\S]*?(-->|$)|</?[A-Za-z][^>]*>`)
	}) // also a comment that nothing ends
	emphasis = strings.NewReplacer("**", "", "__", "", "``", "", "`", "")
)

// noProse holds the beginnings of paragraphs in a README that are not sentences: headings, lists, tables, quotes,
// code, directives, images.
var noProse = []string{"#", "=", ">", "|", "```", "~~~", "- ", "* ", "+ ", "1.", "..", ":", "image:", "[", "{", "include:", "toc:"}

// minWords is the least number of words of a paragraph that counts as a sentence.
const minWords = 4

// maxOthers is the number of sentences without an introduction after which a README is taken to have none: what comes later is about
// details.
const maxOthers = 2

// FirstProse returns the first sentence of a README that is not a heading, list, table, quote or image and can introduce a project; "" if
// there is none.
func FirstProse(text string) string {
	text = rstLink().ReplaceAllString(strings.ReplaceAll(text, "\r\n", "\n"), "$1") // before its address is taken for an element
	text = element().ReplaceAllString(text, "")
	if rest, ok := strings.CutPrefix(text, "---\n"); ok { // front matter
		if _, after, ok := strings.Cut(rest, "\n---\n"); ok {
			text = after
		}
	}
	fenced, others := false, 0
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		fences := strings.Count(paragraph, "```") + strings.Count(paragraph, "~~~")
		was := fenced
		fenced = fenced != (fences%2 == 1)
		if was || fences > 0 {
			continue
		}
		sentence := firstSentence(paragraph)
		switch {
		case sentence == "":
		case introduces(sentence):
			return sentence
		default:
			if others++; others == maxOthers {
				return ""
			}
		}
	}
	return ""
}

// firstSentence returns the first sentence of a paragraph without a title right above it, "" if it is not prose.
func firstSentence(paragraph string) string {
	var lines []string
	for line := range strings.Lines(paragraph) {
		line = image().ReplaceAllString(line, "")
		line = link().ReplaceAllString(line, "$1")
		line = asciiLink().ReplaceAllString(line, "$1")
		line = shortcut().ReplaceAllString(line, "$1")
		line = strings.TrimSpace(line)
		switch {
		case line == "":
		case isUnderline(line):
			lines = nil // the lines above it are a title
		case len(lines) == 0 && beginsNoProse(line):
			if !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "= ") {
				return ""
			}
		default:
			lines = append(lines, line)
		}
	}
	text := emphasis.Replace(strings.Join(lines, " "))
	if len(strings.Fields(text)) < minWords {
		return ""
	}
	return code.FirstSentence(text)
}

func beginsNoProse(line string) bool {
	for _, mark := range noProse {
		if strings.HasPrefix(line, mark) {
			return true
		}
	}
	return false
}

// isUnderline reports whether a line only underlines the title above it.
func isUnderline(line string) bool {
	return len(line) >= 3 && strings.Trim(line, line[:1]) == "" && strings.Contains("=-~^*#", line[:1])
}

// readmeSentence returns the first sentence of a folder's README and the README's path; "" if there is none. "." is the root. It
// fails if the index cannot be read.
func readmeSentence(ctx context.Context, s *view.Snapshot, dir string) (text, from string, err error) {
	for _, name := range readmes {
		f, ok, err := s.Index.FileByPath(path.Join(dir, name))
		if err != nil {
			return "", "", err
		}
		readable := ok && f.Problem == code.ProblemNone && f.Stat.Size <= MaxReadme
		if !readable {
			continue
		}
		b, err := s.Text(ctx, f.Path)
		if err != nil {
			return "", "", err
		}
		return FirstProse(string(b[:code.CutLength(string(b), ReadmeHead)])), f.Path, nil
	}
	return "", "", nil
}
