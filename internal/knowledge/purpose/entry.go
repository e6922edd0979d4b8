package purpose

import (
	"context"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ken/internal/code"
)

// maxAbove is the number of folders above a file whose READMEs are searched for an entry about it.
const maxAbove = 3

// entryPurpose returns the sentence about the file, or about the folder that it begins, in the README of a folder above.
func (r *purposeReading) entryPurpose(ctx context.Context) (Purpose, error) {
	for dir, depth := path.Dir(r.f.Path), 0; depth < maxAbove; dir, depth = path.Dir(dir), depth+1 {
		rel := strings.TrimPrefix(strings.TrimPrefix(r.f.Path, dir), "/")
		if dir == "." {
			rel = r.f.Path
		}
		names := []string{rel}
		if stem := strings.ToLower(stemOf(rel)); strings.Count(rel, "/") == 1 && slices.Contains(beginningStems, stem) {
			names = append(names, path.Dir(rel))
		}
		if path.Dir(rel) == "." && r.f.Class.Has(code.ClassExample) {
			names = append(names, stemOf(rel))
		}
		for _, name := range readmes {
			f, ok, err := r.s.Index.FileByPath(path.Join(dir, name))
			if err != nil {
				return Purpose{}, err
			}
			if !ok || f.Problem != code.ProblemNone || f.Stat.Size > MaxReadme {
				continue
			}
			raw, err := r.s.Text(ctx, f.Path)
			if err != nil {
				return Purpose{}, err
			}
			if text := readmeEntry(string(raw), names); text != "" {
				return Purpose{Text: text, From: Folder, Of: f.Path}, nil
			}
		}
		if dir == "." {
			break
		}
	}
	return Purpose{}, nil
}

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

// readmeEntry returns the sentence of a README about one of the names; "" if there is none.
func readmeEntry(text string, names []string) string {
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
			if m == nil || !named(m[1]) && !named(m[2]) {
				continue
			}
			description, _, _ := strings.Cut(m[3], " | ")
			if said := code.FirstSentence(plain(link().ReplaceAllString(strings.TrimRight(description, " |"), "$1"))); describesEntry(said) {
				return said
			}
		}
		joined := strings.Join(strings.Fields(paragraph), " ")
		if m := entrySentence().FindStringSubmatch(joined); m != nil && named(m[1]) {
			if said := code.FirstSentence(link().ReplaceAllString(joined, "$1")); describesEntry(said) {
				return said
			}
		}
	}
	return ""
}

func describesEntry(said string) bool {
	return len(strings.Fields(said)) >= minWords && Describes(said)
}
