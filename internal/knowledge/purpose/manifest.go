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
	return !strings.HasSuffix(text, ":") && !strings.HasSuffix(text, "such as") && describesPurpose(text)
}
