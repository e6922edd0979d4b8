package verify

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ken/internal/code"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// unwritten matches phrases in code that is not written yet, such as "not implemented".
var unwritten = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)not (?:yet )?implemented|unimplemented!\s*\(|todo!\s*\(|\bTODO\(\)|NotImplementedE|(?:TODO|FIXME):?\s*implement|implement me|stub implementation`)
})

// trivial matches the body of a function that is empty or returns an empty value.
var trivial = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:pass|\.\.\.|return|(?:return|=>)?\s*\(?\s*(?:null|None|nil|undefined|\{\s*\}|\[\s*\]|""|''|<></>|<div\s*/>|<div>\s*[\w .…-]*</div>)\s*\)?)?\s*;?$`)
})

// assertion matches a check in a test, in the common languages and libraries.
var assertion = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\bexpect\w*\(|assert|\bshould[\w.]*\(|\b[tb]\.(?:error|fatal|fail)|\brequire\.|\bverify\w*\(|\bmust\w*\(|\bcheck\w*\(|` +
		`\braises\(|\bthrows?\w*\(|\bcmp\.|snapshot\w*\(|XCT|\bok\(|\bis\(|\bequal\w*\(|\bshould\b.*\b(?:eq|be|have|raise)`)
})

// testCase matches the beginning of a test, in the languages that have a word for it.
var testCase = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^\s*(?:it|test)(?:\.\w+)?\s*\(|^\s*(?:async\s+)?def test_|^func Test\w*\(|#\[(?:\w+::)?test\]|@Test\b|\[(?:Fact|Theory|Test|TestMethod)\b|^\s*(?:it|test|specify)\s+['"]`)
})

// stubReason returns the reason why a file is only a stub, "" if it is more.
func stubReason(f *code.File, list []view.Symbol, text []byte, exports []string) string {
	row := lang.Of(f.Lang)
	if !row.IsKnown() || row.Sort != lang.Programming {
		return ""
	}
	if f.Class.Has(code.ClassTest) || f.Flags&code.FlagTest != 0 {
		return uncheckedTestsReason(row, text)
	}
	functions, empty := 0, 0
	first := ""
	for i := range list {
		y := &list[i]
		if !y.Kind.IsFunction() || y.Name == "constructor" || int(y.Span.End) > len(text) {
			continue
		}
		if y.Parent >= 0 && list[y.Parent].Kind == code.KindInterface {
			continue
		}
		body, ok := functionBody(row, text[y.Span.Start:y.Span.End])
		if !ok {
			continue
		}
		functions++
		wanted := slices.ContainsFunc(exports, func(e string) bool { return exportName(e) == y.Name })
		top := y.Parent < 0 || wanted
		switch said := unwritten().Match(body) && bytes.Count(body, []byte("\n")) <= 6; {
		case said && top:
			return fmt.Sprintf("%s says that it is not implemented", y.Qualified)
		case said || trivial().Match(stripComments(row, body)) && !isDecorated(text[:y.Span.Start]):
			empty++
			if wanted {
				return fmt.Sprintf("%s does nothing", y.Qualified)
			}
			if first == "" {
				first = y.Qualified
			}
		}
	}
	if functions > 0 && 2*empty >= functions && empty > 0 {
		return fmt.Sprintf("%d of %d functions do nothing, %s among them", empty, functions, first)
	}
	return ""
}

// isDecorated reports whether a declaration follows a decorator or annotation, which may do the work of the body.
func isDecorated(before []byte) bool {
	before = bytes.TrimSpace(before)
	line := string(bytes.TrimSpace(before[bytes.LastIndexByte(before, '\n')+1:]))
	for _, mark := range []string{"@", "#[", "["} {
		if strings.HasPrefix(line, mark) {
			return true
		}
	}
	return strings.HasSuffix(line, ")") && !strings.ContainsAny(line, "={") // the end of one over several lines
}

// uncheckedTestsReason returns the reason why a test file tests nothing: most of its tests check nothing. If no test has a check of
// its own, the file has helpers that check, and is not reported.
func uncheckedTestsReason(row *lang.Info, text []byte) string {
	text = stripComments(row, text)
	cases := testCase().FindAllIndex(text, maxCases)
	none := 0
	for i, at := range cases {
		end := len(text)
		if i+1 < len(cases) {
			end = cases[i+1][0]
		}
		if !assertion().Match(text[at[0]:end]) {
			none++
		}
	}
	switch {
	case 2*none <= len(cases):
		return ""
	case none == len(cases):
		return fmt.Sprintf("its %d tests check nothing", none)
	}
	return fmt.Sprintf("%d of its %d tests check nothing", none, len(cases))
}

// maxCases is the number of tests of a file that are examined.
const maxCases = 1000

// stripComments removes line and block comments, as far as they are recognised without parsing the language.
func stripComments(row *lang.Info, text []byte) []byte {
	var out []byte
	block := false
	for line := range bytes.Lines(text) {
		s := bytes.TrimSpace(line)
		if block {
			i := bytes.Index(s, []byte(row.Block[1]))
			if i < 0 {
				continue
			}
			s, block = bytes.TrimSpace(s[i+len(row.Block[1]):]), false
		}
		if row.Block[0] != "" && bytes.HasPrefix(s, []byte(row.Block[0])) {
			if bytes.Contains(s[len(row.Block[0]):], []byte(row.Block[1])) {
				continue
			}
			block = true
			continue
		}
		if slices.ContainsFunc(row.Line, func(m string) bool { return bytes.HasPrefix(s, []byte(m)) }) {
			continue
		}
		for _, m := range row.Line {
			if i := bytes.Index(s, []byte(" "+m+" ")); i > 0 {
				s = s[:i]
			}
		}
		out = append(append(out, s...), '\n')
	}
	return bytes.TrimSpace(out)
}

// functionBody returns the body of the function in a declaration; ok is false if it has none, as in an interface.
func functionBody(row *lang.Info, text []byte) (body []byte, ok bool) {
	if row.Name == "python" || row.Name == "gdscript" {
		depth := 0
		for i, c := range text {
			switch c {
			case '(', '[', '{':
				depth++
			case ')', ']', '}':
				depth--
			case ':':
				if depth == 0 {
					return afterDoc(bytes.TrimSpace(text[i+1:])), true
				}
			}
		}
		return nil, false
	}
	depth := 0
	for i, c := range text {
		switch c {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case '{':
			if depth == 0 {
				end := bytes.LastIndexByte(text, '}')
				if end < i {
					return nil, false
				}
				return bytes.TrimSpace(text[i+1 : end]), true
			}
		case '=':
			if depth == 0 && i+1 < len(text) && text[i+1] == '>' && !bytes.HasPrefix(bytes.TrimSpace(text[i+2:]), []byte("{")) {
				return bytes.TrimSpace(text[i+2:]), true
			}
		}
	}
	return nil, false
}

// afterDoc returns the body of a Python function after its doc string.
func afterDoc(body []byte) []byte {
	for _, mark := range []string{`"""`, `'''`} {
		if rest, ok := bytes.CutPrefix(body, []byte(mark)); ok {
			if i := bytes.Index(rest, []byte(mark)); i >= 0 {
				return bytes.TrimSpace(rest[i+3:])
			}
		}
	}
	return []byte(strings.TrimSpace(string(body)))
}
