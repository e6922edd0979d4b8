package entity

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Types returns the types that a written page may give its file.
func Types() []string {
	return []string{"module", "service", "component", "util", "api", "config", "model", "test", "hook"}
}

// minPurpose is the least number of characters of a purpose: fewer do not explain why the file exists.
const minPurpose = 50

// link matches a link to another page: [[src-lib-db]]. Long ids have a "~" before their hash.
var link = regexp.MustCompile(`\[\[([^\[\]\n]+)\]\]`)

// Links returns the ids of the pages to which the page links, each once, in the order of the text. It ignores the
// section that ken computes.
func (p *Page) Links() (ids []string) {
	for _, s := range p.Sections {
		if s.Title == Dependents {
			continue
		}
		for _, m := range link.FindAllStringSubmatch(s.Text, -1) {
			if id := strings.TrimSpace(m[1]); !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// Mistakes returns the mistakes in a page that is about to be written: an unknown type, a purpose that is too short or does not
// explain why the file exists, and imports of the project without links. These rules exist because a page that only lists
// what the code shows costs its reader tokens and helps no one.
func (p *Page) Mistakes(importsOwn bool) (wrong []string) {
	if p.Head.Path == "" {
		wrong = append(wrong, "the front matter has no path")
	}
	if !slices.Contains(Types(), p.Head.Type) {
		wrong = append(wrong, fmt.Sprintf("type %q is none of %s", p.Head.Type, strings.Join(Types(), ", ")))
	}
	switch p.Head.Status {
	case Active, Stale, Deprecated, "":
	default:
		wrong = append(wrong, fmt.Sprintf("status %q is none of active, stale, deprecated", p.Head.Status))
	}
	purpose := p.Section(Purpose)
	if n := utf8.RuneCountInString(strings.Join(strings.Fields(purpose), " ")); n < minPurpose {
		wrong = append(wrong, fmt.Sprintf("the section Purpose has %d characters: at least %d are needed to say why the file exists", n, minPurpose))
	}
	first, _, _ := strings.Cut(strings.ToLower(strings.TrimLeft(purpose, "*_ ")), " ")
	if slices.Contains([]string{"exports", "contains", "exports:", "contains:"}, first) {
		wrong = append(wrong, fmt.Sprintf("Purpose begins with %q: it should say why the file exists, not what is in it", first))
	}
	if importsOwn && len(p.Links()) == 0 {
		wrong = append(wrong, "the file imports others of this project: link to them under Dependencies, as [[id]]")
	}
	if n := len(p.String()); n > MaxPage {
		wrong = append(wrong, fmt.Sprintf("the page has %d bytes: at most %d are kept", n, MaxPage))
	}
	return wrong
}
