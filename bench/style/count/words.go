package count

import (
	"regexp"
	"strings"
)

// Word is a word or phrase whose uses in comments are counted.
type Word struct {
	Name        string
	Expr        *regexp.Regexp
	Most, Least float64 // bounds per 1,000 lines of comment; 0 is none
}

// WordTable lists the words that are counted: those of a private idiom, which
// are bounded above, and those of ordinary doc comments, bounded below. The
// bounds are near the figures of gopls, restic, zoekt and sh.
var WordTable = []Word{
	{Name: "what", Expr: regexp.MustCompile(`(?i)\bwhat\b`), Most: 20},
	{Name: "is/are what", Expr: regexp.MustCompile(`(?i)\b(is|are) what\b`), Most: 2},
	{Name: "say(s)/said", Expr: regexp.MustCompile(`(?i)\b(say|says|said|saying)\b`), Most: 4},
	{Name: "tell/told", Expr: regexp.MustCompile(`(?i)\b(tell|tells|told)\b`), Most: 2},
	{Name: "stand(s)", Expr: regexp.MustCompile(`(?i)\b(stand|stands|stood)\b`), Most: 2},
	{Name: "nobody/somebody/whoever", Expr: regexp.MustCompile(`(?i)\b(nobody|somebody|whoever|anybody)\b`), Most: 1},
	{Name: "behind", Expr: regexp.MustCompile(`(?i)\bbehind\b`)},
	{Name: "of which", Expr: regexp.MustCompile(`(?i)\bof which\b`)},
	{Name: "returns", Expr: regexp.MustCompile(`(?i)\breturns\b`), Least: 35},
	{Name: "error", Expr: regexp.MustCompile(`(?i)\berrors?\b|\bErr[A-Z]\w*`), Least: 30},
	{Name: "why-words", Expr: regexp.MustCompile(`(?i)\b(because|since|so that|instead of|rather than|otherwise|in order to|to avoid|therefore|hence)\b`)},
}

// Words is the number of uses of each row of WordTable in some comments.
type Words struct {
	Lines int // lines with a comment, alone or after code
	Uses  map[string]int
}

// Add adds the counts of v.
func (w *Words) Add(v Words) {
	if w.Uses == nil {
		w.Uses = map[string]int{}
	}
	w.Lines += v.Lines
	for name, n := range v.Uses {
		w.Uses[name] += n
	}
}

// Rate returns the uses of a word per 1,000 lines with a comment.
func (w Words) Rate(name string) float64 {
	return 1000 * float64(w.Uses[name]) / float64(max(1, w.Lines))
}

// Words counts the words of a file's comments. Every use counts, also a second
// one in a line; a phrase that a line break divides is found.
func (f *File) Words() Words {
	w := Words{Uses: map[string]int{}}
	lines := map[int]bool{}
	for _, g := range f.AST.Comments {
		for n := f.Line(g.Pos()); n <= f.Line(g.End()); n++ {
			lines[n] = true
		}
		text := strings.Join(strings.Fields(g.Text()), " ")
		for _, word := range WordTable {
			if n := len(word.Expr.FindAllStringIndex(text, -1)); n > 0 {
				w.Uses[word.Name] += n
			}
		}
	}
	w.Lines = len(lines)
	return w
}
