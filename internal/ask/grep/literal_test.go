package grep

import (
	"regexp"
	"regexp/syntax"
	"testing"
)

// TestNext compares what is found by lines with what the regular expression finds in
// the whole text.
func TestNext(t *testing.T) {
	text := []byte("one two\r\n\ntwo three\nimport two\n<A.two>\ntwotwo\nthree two")
	for expr, inLine := range map[string]bool{
		`two`: true, `^two`: true, `two$`: true, `two\r$`: true, `\btwo\b`: true, `(one|three) two`: true, `(<(\w+\.)?|^import .*)two`: true,
		`two|twothree`: true, `two[^\n]`: true, `three$`: true, `(?i)TWO`: false, `two\s`: false, `two[^x]`: false, `(?s)two.`: false, `\Aone`: false,
		`two\z`: false, `one|three`: false, `\w+`: false, `^$`: false,
	} {
		tree, err := syntax.Parse("(?m:"+expr+")", syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		tree = tree.Simplify()
		g := &grep{re: regexp.MustCompile("(?m:" + expr + ")"), must: []byte(longestLiteral(tree))}
		whole := g.lines("p", text)
		g.inLine = len(g.must) > 0 && !spansLines(tree)
		if g.inLine != inLine {
			t.Errorf("%s: in one line: %t", expr, g.inLine)
		}
		for i, m := range g.lines("p", text) {
			if i >= len(whole) || m.Start != whole[i].Start || m.End != whole[i].End || m.Line != whole[i].Line {
				t.Errorf("%s: match %d at %d", expr, i, m.Start)
			}
		}
		if got := g.lines("p", text); len(got) != len(whole) {
			t.Errorf("%s: %d matches, in the whole text %d", expr, len(got), len(whole))
		}
	}
}
