package pack

import (
	"encoding/xml"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestSpans(t *testing.T) {
	var s lineSpans
	for _, r := range []Lines{{10, 12}, {1, 2}, {20, 30}, {13, 15}, {28, 40}, {5, 5}} {
		s = s.with(r)
	}
	if diff := cmp.Diff(lineSpans{{1, 2}, {5, 5}, {10, 15}, {20, 40}}, s); diff != "" {
		t.Errorf("ranges that touch are one:\n%s", diff)
	}
	if diff := cmp.Diff([]Lines{{3, 4}, {6, 9}, {16, 19}, {41, 50}}, s.without(Lines{1, 50})); diff != "" {
		t.Errorf("what is missing:\n%s", diff)
	}
	if got := s.without(Lines{21, 39}); got != nil {
		t.Errorf("all of it is there: %v", got)
	}
}

func TestLead(t *testing.T) {
	text := newLines([]byte("import x\n\n# about f\n@cached\ndef f():\n    pass\n// C\n#include <a>\nint g;\n"), true)
	for line, want := range map[int]int{5: 3, 9: 9, 1: 1} {
		if got := text.commentStart(line); got != want {
			t.Errorf("what is at line %d begins at %d, not %d", line, want, got)
		}
	}
}

// FuzzText checks the assumptions of every format: texts become UTF-8 with as many lines as the file has, plain ones hold nothing XML
// 1.0 forbids, and both ways to make a whole text agree.
func FuzzText(f *testing.F) {
	for _, w := range words {
		f.Add([]byte(w + "\n" + w + "\r\n" + w))
	}
	f.Add([]byte("\n"))
	f.Add([]byte(""))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, plain := range []bool{true, false} {
			l := newLines(text, plain)
			whole, n := wholeText(text, plain)
			if joined := strings.Join(l, "\n"); joined != whole || n != len(l) {
				t.Errorf("%d lines %q, whole %d lines %q", len(l), joined, n, whole)
			}
			if !utf8.ValidString(whole) {
				t.Errorf("%q is not UTF-8", whole)
			}
			if want := strings.Count(strings.TrimSuffix(strings.TrimPrefix(string(text), "\ufeff"), "\n"), "\n") + 1; len(l) > 0 && len(l) != want {
				t.Errorf("%d lines of %d", len(l), want)
			}
			if !plain {
				continue
			}
			if i := strings.IndexFunc(whole, func(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsGraphic(r) && r != utf8.RuneError }); i >= 0 {
				t.Errorf("%q holds what has no glyph at %d", whole, i)
			}
			var x struct {
				A string `xml:"a,attr"`
				T string `xml:",chardata"`
			}
			doc := append(appendAttr([]byte("<x"), "a", strings.Join(l, "")), '>')
			doc = append(escapeXML(doc, whole), "</x>"...)
			if err := xml.Unmarshal(doc, &x); err != nil || x.T != whole || x.A != strings.Join(l, "") {
				t.Errorf("%q became %q and %q: %v", whole, x.T, x.A, err)
			}
		}
	})
}
