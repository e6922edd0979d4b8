package extract

import (
	"fmt"
	"os"
	"regexp"
	"sort"
	"strings"
	"testing"

	"ken/internal/code"
)

// No parser of Swift can be installed as an oracle. Instead, declarations are counted
// by their keywords, with strings and comments blanked.
var (
	swiftNoise   = regexp.MustCompile(`(?s)"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/`)
	swiftKeyword = regexp.MustCompile("(?m)(?:^|[\\s;{}@)])(func|class|struct|enum|protocol|actor|typealias|associatedtype)[ \\t]+(`?[\\pL_][\\pL\\pN_]*`?|[-+*/<>=!&|^~%?.]+)")
)

// TestSwiftCount checks that every declaration a keyword announces is found, by name
// and line:
//
// KEN_ORACLE=1 KEN_CORPUS=/path/to/Alamofire go test -run SwiftCount
func TestSwiftCount(t *testing.T) {
	files := filesOf(t, oracleCorpus(t), ".swift")
	e := testExtractor(t)
	want, both := 0, 0
	missing := map[string][]string{}
	for _, path := range files {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		have := map[string]bool{}
		for _, s := range e.Extract(path, "swift", src).Symbols {
			if s.Kind != code.KindEnumMember {
				have[fmt.Sprintf("%s:%d", s.Name, 1+strings.Count(string(src[:s.NameStart]), "\n"))] = true
			}
		}
		clean := swiftNoise.ReplaceAllFunc(src, func(b []byte) []byte { return []byte(blankText(string(b))) })
		for _, m := range swiftKeyword.FindAllSubmatchIndex(clean, -1) {
			word, name := string(clean[m[2]:m[3]]), strings.Trim(string(clean[m[4]:m[5]]), "`")
			switch name {
			case "func", "var", "let", "subscript", "init", "override", "final":
				continue // a modifier: class func f
			}
			want++
			if line := 1 + strings.Count(string(clean[:m[4]]), "\n"); have[fmt.Sprintf("%s:%d", name, line)] {
				both++
			} else {
				missing[word] = append(missing[word], fmt.Sprintf("%s:%d %s %s", path, line, word, name))
			}
		}
	}
	for word, list := range missing {
		sort.Strings(list)
		t.Logf("missing %s: %d\n\t%s", word, len(list), strings.Join(list[:min(8, len(list))], "\n\t"))
	}
	t.Logf("%d files: of %d declarations %d are found, %.4f", len(files), want, both, float64(both)/float64(max(want, 1)))
	if float64(both) < 0.98*float64(want) {
		t.Error("less than 98 %")
	}
}

// blankText is s with everything but its line breaks replaced by blanks.
func blankText(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return ' '
	}, s)
}
