package purpose

import (
	"context"
	"encoding/json"
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

// described are the manifests that have a description of the project, with the form of it. The text is the first group. A manifest in
// JSON has the form nil.
var described = []struct {
	pattern string // of path.Match for the base name
	form    func() *regexp.Regexp
}{
	{"Cargo.toml", descriptionIn(`(?m)^\[package\][ \t]*\n(?:[^\[\n][^\n]*\n|\n)*?description\s*=\s*"+([^"\n]+)"`)},
	{"pyproject.toml", descriptionIn(`(?m)^\[(?:project|tool\.poetry)\][ \t]*\n(?:[^\[\n][^\n]*\n|\n)*?description\s*=\s*"+([^"\n]+)"`)},
	{"setup.cfg", descriptionIn(`(?m)^description\s*=\s*([^\n]+)`)},
	{"setup.py", descriptionIn(`\bdescription\s*=\s*["']+([^"'\n]+)["']`)},
	{"*.gemspec", descriptionIn(`\.summary\s*=\s*["']([^"'\n]+)["']`)},
	{"composer.json", nil},
	{"pubspec.yaml", descriptionIn(`(?m)^description:\s*["']?([^>|"'\n][^"\n]+)`)},
	{"mix.exs", descriptionIn(`\bdescription:\s*"([^"\n]+)"`)},
	{"package.json", nil},
}

func descriptionIn(form string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(form) })
}

// Introduction returns the sentence with which a folder introduces itself, and the path of the file that has it: the description in its
// manifest, which is written to stand alone, else the first sentence of its README; "" if there is none. "." is the root. It fails if the
// index cannot be read.
func Introduction(ctx context.Context, s *view.Snapshot, dir string) (text, from string, err error) {
	files, err := s.Index.FilesIn(strings.TrimPrefix(path.Clean(dir), "."))
	if err != nil {
		return "", "", err
	}
	for _, d := range described {
		for i := range files {
			f := &files[i]
			if ok, _ := path.Match(d.pattern, path.Base(f.Path)); !ok || f.Stat.Size > MaxReadme {
				continue
			}
			raw, err := s.Text(ctx, f.Path)
			if err != nil {
				return "", "", err
			}
			said := ""
			if d.form == nil {
				var m struct{ Description string }
				_ = json.Unmarshal(raw, &m)
				said = m.Description
			} else if m := d.form().FindSubmatch(raw); m != nil {
				said = string(m[1])
			}
			if said = code.FirstSentence(said); len(strings.Fields(said)) >= minWords-1 && introduces(said) {
				return said, f.Path, nil
			}
		}
	}
	return readmeSentence(ctx, s, dir)
}

// noIntroduction are parts of sentences that are in many READMEs and introduce nothing: references to other texts, licenses, sponsors,
// lists of translations.
var noIntroduction = []string{" • ", " · ", " * ", "i've ", "if you ", "you want", "table of contents", "sponsor", "licensed under", "-licensed", "license:", "documentation is available", "documentation for", "the documentation of",
	"this readme", "this is the readme", "note that", "click here", "feed:", "see the ", "join us", "join our", "follow us", "readme in", "currently unused", "deprecated"}

// introduces reports whether a sentence can introduce a project: it is whole, and about the project.
func introduces(text string) bool {
	lower := strings.ToLower(text)
	for _, part := range noIntroduction {
		if strings.Contains(lower, part) {
			return false
		}
	}
	return !strings.HasSuffix(text, ":") && !strings.HasSuffix(text, "such as") && Describes(text)
}
