package purpose

import (
	"cmp"
	"context"
	"encoding/json"
	"html"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

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

// block matches the elements of HTML that begin or end a paragraph, and title whole headings.
var (
	block = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)</?(?:p|div|center|ul|ol|li|table|tr|td|th|section|details|summary|picture|blockquote|hr|pre)\b[^>]*>`)
	})
	title = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?is)<h([1-6])\b[^>]*>(.*?)</h[1-6]>`) })
)

// prose is the result of reading a README: the sentence that defines its subject ("Ken is a …"), its description in the title ("Ken – an
// engine for …"), and its first other sentence that can introduce it. Each may be "".
type prose struct{ definition, titled, first string }

// sentence returns the best sentence.
func (p *prose) sentence() string { return cmp.Or(p.definition, p.titled, p.first) }

// FirstProse returns the sentence of a README that introduces its subject; "" if there is none.
func FirstProse(text string) string {
	p := readProse(text)
	return p.sentence()
}

// readProse reads a README. It takes headings, lists, tables, quotes and images for no sentences.
func readProse(text string) (out prose) {
	text = rstLink().ReplaceAllString(strings.ReplaceAll(text, "\r\n", "\n"), "$1") // before its address is taken for an element
	text = title().ReplaceAllString(text, "\n\n# $2\n\n")
	text = block().ReplaceAllString(text, "\n\n")
	text = element().ReplaceAllString(text, "")
	if rest, ok := strings.CutPrefix(text, "---\n"); ok { // front matter
		if _, after, ok := strings.Cut(rest, "\n---\n"); ok {
			text = after
		}
	}
	name, fenced, others := "", false, 0
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		fences := strings.Count(paragraph, "```") + strings.Count(paragraph, "~~~")
		was := fenced
		fenced = fenced != (fences%2 == 1)
		if was || fences > 0 {
			continue
		}
		heading, sentence := readParagraph(paragraph)
		if heading != "" && name == "" {
			name, out.titled = splitTitle(heading)
		}
		switch {
		case sentence == "":
		case defines(sentence, name) && introduces(strings.TrimRight(sentence, ":")):
			out.definition = strings.TrimRight(sentence, ":")
			return out
		case out.first != "" || others == maxOthers:
		case introduces(sentence):
			out.first = sentence
		case strings.HasPrefix(sentence, "A ") && introduces(strings.TrimRight(sentence, ":")):
			out.first = strings.TrimRight(sentence, ":") // a list of what it can do follows
		default:
			others++
		}
	}
	return out
}

// splitTitle returns the name in a title, and the description behind it, "" if there is none: "Ken – reads a repository once".
func splitTitle(heading string) (name, description string) {
	for _, mark := range [...]string{" - ", " – ", " — ", ": "} {
		if before, after, ok := strings.Cut(heading, mark); ok && len(strings.Fields(before)) <= 2 {
			if len(strings.Fields(after)) >= minWords-1 && introduces(after) {
				return before, strings.TrimSpace(after)
			}
			return before, ""
		}
	}
	return heading, ""
}

// defining are the verbs of a sentence that defines the subject that it begins with.
var defining = []string{"is a ", "is an ", "is the ", "provides ", "lets you ", "allows you ", "helps you ", "are a ", "contains the ", "implements "}

// pronouns are first words of sentences that define nothing by themselves.
var pronouns = strings.Fields("this it that there here what which documentation these they he she who and but note warning")

// defines reports whether a sentence begins with a name, or stands for one, and defines it.
func defines(sentence, name string) bool {
	bare := strings.Trim(strings.ToLower(name), "{}` ")
	rest := strings.TrimPrefix(strings.ToLower(sentence), "the ")
	rest = strings.TrimLeft(rest, "{`")
	if bare == "" { // the title is an image
		bare, _, _ = strings.Cut(rest, " ")
		if slices.Contains(pronouns, bare) {
			return false
		}
	}
	rest, ok := strings.CutPrefix(rest, bare)
	if !ok {
		return false
	}
	rest = strings.TrimLeft(rest, "}` ")
	if strings.HasPrefix(rest, "(") {
		_, rest, _ = strings.Cut(rest, ") ")
	}
	return slices.ContainsFunc(defining, func(verb string) bool { return strings.HasPrefix(rest, verb) })
}

// readParagraph returns the title in a paragraph, and the first sentence below it; both "" if it is not prose.
func readParagraph(paragraph string) (heading, sentence string) {
	paragraph = image().ReplaceAllString(paragraph, "")
	paragraph = link().ReplaceAllString(paragraph, "$1")
	paragraph = asciiLink().ReplaceAllString(paragraph, "$1")
	paragraph = shortcut().ReplaceAllString(paragraph, "$1")
	var lines []string
	for line := range strings.Lines(paragraph) {
		line = strings.TrimSpace(line)
		marked := strings.TrimLeft(line, "#=")
		switch {
		case line == "":
		case isUnderline(line):
			heading, lines = cmp.Or(heading, strings.Join(lines, " ")), nil // the lines above it are a title
		case len(lines) == 0 && marked != line && strings.HasPrefix(marked, " "):
			heading = cmp.Or(heading, strings.TrimSpace(strings.TrimRight(marked, "# ")))
		case len(lines) == 0 && beginsNoProse(line):
			return plain(heading), ""
		default:
			lines = append(lines, line)
		}
	}
	text := plain(strings.Join(lines, " "))
	switch {
	case strings.IndexFunc(text, unicode.IsLower) < 0 && strings.IndexFunc(text, unicode.IsUpper) >= 0:
		return cmp.Or(plain(heading), text), "" // a title in capitals
	case len(strings.Fields(text)) < minWords:
		return plain(heading), ""
	}
	return plain(heading), code.FirstSentence(text)
}

// plain returns a text without emphasis and entities.
func plain(text string) string { return strings.TrimSpace(html.UnescapeString(emphasis.Replace(text))) }

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

// readReadme reads the README of a folder and returns its path, "" if there is none. "." is the root. It fails if the index cannot be
// read.
func readReadme(ctx context.Context, s *view.Snapshot, dir string) (p prose, from string, err error) {
	for _, name := range readmes {
		f, ok, err := s.Index.FileByPath(path.Join(dir, name))
		if err != nil {
			return prose{}, "", err
		}
		readable := ok && f.Problem == code.ProblemNone && f.Stat.Size <= MaxReadme
		if !readable {
			continue
		}
		b, err := s.Text(ctx, f.Path)
		if err != nil {
			return prose{}, "", err
		}
		return readProse(string(b[:code.CutLength(string(b), ReadmeHead)])), f.Path, nil
	}
	return prose{}, "", nil
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

// Introduction returns the sentence with which a folder introduces itself, and the path of the file that has it: the definition in its
// README, else the description in its manifest, which is written to stand alone, else another sentence of its README; "" if there is none.
// "." is the root. It fails if the index cannot be read.
func Introduction(ctx context.Context, s *view.Snapshot, dir string) (text, from string, err error) {
	readme, at, err := readReadme(ctx, s, dir)
	if err != nil || readme.definition != "" {
		return readme.definition, at, err
	}
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
	return readme.sentence(), at, nil
}

// noIntroduction are parts of sentences that are in many READMEs and introduce nothing: references to other texts, licenses, sponsors,
// lists of translations.
var noIntroduction = []string{" • ", " · ", " * ", "i've ", "if you ", "you want", "table of contents", "sponsor", "licensed under", "-licensed", "license:", "documentation is available", "documentation for", "the documentation of",
	"this readme", "this is the readme", "note that", "click here", "feed:", "see the ", "join us", "join our", "follow us", "readme in", "currently unused", "deprecated", "ask questions", "stackoverflow",
	"stack overflow", "discord", "gitter", "slack channel", "donat", "build status", "work in progress", "release notes", "://"}

// dangling are beginnings of sentences that need the sentence before them, or news.
var dangling = []string{"in other words", "however", "therefore", "that is", "for example", "also ", "and ", "but ", "this library was", "this project was", "new:", "new ", "we ", "our ", "it "}

// maxMark is the number of bytes of a mark before the first letter: "{fmt}", but no icon of a list of news.
const maxMark = 3

// introduces reports whether a sentence can introduce a project: it is whole, and about the project.
func introduces(text string) bool {
	lower := strings.ToLower(text)
	for _, part := range noIntroduction {
		if strings.Contains(lower, part) {
			return false
		}
	}
	isDangling := func(begin string) bool { return strings.HasPrefix(lower, begin) }
	if slices.ContainsFunc(dangling, isDangling) || strings.IndexFunc(text, unicode.IsLetter) > maxMark {
		return false
	}
	return !strings.HasSuffix(text, ":") && !strings.HasSuffix(text, "such as") && Describes(text)
}
