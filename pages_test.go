package ken

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// markdown returns the pages of the repository by their paths, without test data.
func markdown(t *testing.T) map[string]string {
	t.Helper()
	pages := map[string]string{}
	err := fs.WalkDir(os.DirFS("."), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && p != "." || d.Name() == "testdata" || d.Name() == "node_modules" || d.Name() == "dist") {
			return fs.SkipDir
		}
		if strings.HasPrefix(p, "internal/workflow/content/") || path.Ext(p) != ".md" {
			return nil // texts for agents are no pages
		}
		text, err := os.ReadFile(p)
		pages[p] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

var (
	mdLink    = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	mdHeading = regexp.MustCompile(`(?m)^#{1,6} (.+)$`)
	mdCode    = regexp.MustCompile("(?ms)^(?:````?).*?^````?$|`[^`\n]*`")
	notSlug   = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
)

// anchors returns the names under which the headings of a page can be linked to.
func anchors(text string) []string {
	var out []string
	for _, m := range mdHeading.FindAllStringSubmatch(regexp.MustCompile("(?ms)^````?.*?^````?$").ReplaceAllString(text, ""), -1) {
		slug := strings.ReplaceAll(notSlug.ReplaceAllString(strings.ToLower(strings.TrimSpace(m[1])), ""), " ", "-")
		name := slug
		for i := 1; slices.Contains(out, name); i++ {
			name = slug + "-" + strings.Repeat("1", i)
		}
		out = append(out, name)
	}
	return out
}

// brokenLinks returns the links of a page that lead nowhere: to a file that does not exist, or to a heading that no page has.
func brokenLinks(pages map[string]string, page string) []string {
	var out []string
	for _, m := range mdLink.FindAllStringSubmatch(mdCode.ReplaceAllString(pages[page], ""), -1) {
		file, anchor, _ := strings.Cut(m[1], "#")
		if strings.Contains(file, "://") || strings.HasPrefix(file, "mailto:") {
			continue
		}
		target := page
		if file != "" {
			target = path.Join(path.Dir(page), file)
		}
		_, err := os.Stat(target)
		if err != nil || anchor != "" && !slices.Contains(anchors(pages[target]), anchor) {
			out = append(out, m[1])
		}
	}
	return out
}

// TestLinks: every link of a page to a file or heading of this repository leads there.
func TestLinks(t *testing.T) {
	pages := markdown(t)
	links := 0
	for page, text := range pages {
		links += len(mdLink.FindAllString(text, -1))
		for _, link := range brokenLinks(pages, page) {
			t.Errorf("%s: nothing is at %s", page, link)
		}
	}
	if links < 100 || len(pages) < 25 {
		t.Errorf("only %d links in %d pages", links, len(pages))
	}
}

// TestLinksNotice: links that lead nowhere are noticed.
func TestLinksNotice(t *testing.T) {
	pages := map[string]string{
		"README.md": "# A `b` (c), d\n\n[1](README.md) [2](nothing.md) [3](#a-b-c-d) [4](#a) [5](docs/README.md#x) [6](https://a.b/c) `[7](nothing)`\n```\n# a\n```\n",
	}
	if got := brokenLinks(pages, "README.md"); !slices.Equal(got, []string{"nothing.md", "#a", "docs/README.md#x"}) {
		t.Error(got)
	}
}

// TestPageCommands: programs of this repository that a page calls exist, with the tests and flags that it names. TestGuides checks the
// guides whole, and package app runs the calls of ken.
func TestPageCommands(t *testing.T) {
	s := readNamed(t)
	for page, text := range markdown(t) {
		for _, m := range ticks.FindAllStringSubmatch(text, -1) {
			words := strings.Fields(m[1])
			if !slices.ContainsFunc([]string{".ci/", "go run ./", "go test ./"}, func(p string) bool { return strings.HasPrefix(m[1], p) }) {
				continue
			}
			if problem := s.checkCommand(words); problem != "" {
				t.Errorf("%s: `%s`: %s", page, m[1], problem)
			}
			for _, w := range words {
				flag, _, _ := strings.Cut(strings.TrimLeft(w, "-"), "=")
				if strings.HasPrefix(w, "-") && flag != "run" && flag != "short" && s.checkWord(flag) != "" {
					t.Errorf("%s: `%s`: no program has the flag %s", page, m[1], w)
				}
			}
		}
	}
}

var (
	figure  = regexp.MustCompile(`\d+(?:[.,]\d+)*`)
	notText = regexp.MustCompile("(?ms)^```.*?^```$|`[^`\n]*`|\\]\\([^)]*\\)")
)

// figures returns the numbers of a text with two digits or more, those in code and addresses left out.
func figures(text string) []string {
	var out []string
	for _, f := range figure.FindAllString(notText.ReplaceAllString(text, ""), -1) {
		if len(f) > 1 && !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}

// hasFigure reports whether a text has a figure, or one that is rounded to it.
func hasFigure(text, want string) bool {
	_, fraction, _ := strings.Cut(want, ".")
	return slices.ContainsFunc(figure.FindAllString(text, -1), func(f string) bool {
		value, err := strconv.ParseFloat(strings.ReplaceAll(f, ",", ""), 64)
		return f == want || err == nil && strconv.FormatFloat(value, 'f', len(fraction), 64) == strings.ReplaceAll(want, ",", "")
	})
}

// beside matches the parts of README.md about other programs, whose figures bench/rivals prints: it installs those programs, which takes too
// long for a test.
var beside = regexp.MustCompile(`(?ms)^\*\*Before and after.*?\n\n|^## Beside other programs$.*?^## |alone \d+\)`)

// TestFigures: every figure of README.md and docs/README.md is one of a page that has the command that gave it, or of a file by which it is
// decided. TestCoreListing has that of the server's listing.
func TestFigures(t *testing.T) {
	var sources strings.Builder
	for _, name := range []string{"docs/measurements.md", "go.mod"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sources.Write(text)
		sources.WriteByte('\n')
	}
	for _, page := range []string{"README.md", "docs/README.md"} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		all := figures(beside.ReplaceAllString(string(text), ""))
		if len(all) < 3 {
			t.Errorf("%s: only %d figures", page, len(all))
		}
		for _, f := range all {
			if !hasFigure(sources.String(), f) {
				t.Errorf("%s: the figure %s was not measured", page, f)
			}
		}
	}
}

// TestFiguresNotice: a figure that is not there is noticed.
func TestFiguresNotice(t *testing.T) {
	const text = "index 3.78 s, 1,234 files, 98 %"
	for want, has := range map[string]bool{"3.8": true, "3.78": true, "3.7": false, "4": true, "1,234": true, "1,23": false, "98.0": true, "98.1": false, "9": false} {
		if hasFigure(text, want) != has {
			t.Errorf("%s: %v", want, !has)
		}
	}
	if got := figures("a 12 `34` [b](c56) 7 1,100"); !slices.Equal(got, []string{"12", "1,100"}) {
		t.Error(got)
	}
}
