package count

import (
	"regexp"
	"strings"
)

// Words is how often comments use some words.
type Words struct {
	Lines       int // with a comment on them, alone or behind code
	Tell, Stand int // in all their forms
	What        int // definitions that begin with "what"
	Why         int // words that give a reason
}

var (
	tellWords  = regexp.MustCompile(`(?i)\b(tell|tells|told)\b`)
	standWords = regexp.MustCompile(`(?i)\b(stand|stands|stood)\b`)
	whatWords  = regexp.MustCompile(`(?i)\b(is|are) what\b`)
	whyWords   = regexp.MustCompile(`(?i)\b(because|since|so that|instead of|rather than|otherwise|in order to|to avoid|therefore|hence)\b`)
)

// Words counts the words of a file's comments. Every use counts, also a second
// one in a line; a phrase that a line break divides is found.
func (f *File) Words() Words {
	var w Words
	lines := map[int]bool{}
	for _, g := range f.AST.Comments {
		for n := f.Line(g.Pos()); n <= f.Line(g.End()); n++ {
			lines[n] = true
		}
		text := strings.Join(strings.Fields(g.Text()), " ")
		w.Tell += len(tellWords.FindAllString(text, -1))
		w.Stand += len(standWords.FindAllString(text, -1))
		w.What += len(whatWords.FindAllString(text, -1))
		w.Why += len(whyWords.FindAllString(text, -1))
	}
	w.Lines = len(lines)
	return w
}
