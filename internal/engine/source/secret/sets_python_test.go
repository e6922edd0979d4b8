package secret_test

import (
	"path"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// readPythonTests reads the cases of detect-secrets' plugins: tuples of a line and either whether it is to be flagged or the
// credential in it, None if there is none. Templates that other code fills in are left out.
func readPythonTests(s *set, files []setFile) {
	for _, f := range files {
		name, isTest := strings.CutSuffix(path.Base(f.path), "_test.py")
		if !isTest {
			continue
		}
		p := python{tokens: pythonTokens(f.text), names: map[string]any{}}
		for p.at = 0; p.at < len(p.tokens); p.at++ {
			p.constant()
			if tuple := p.tuple(); len(tuple) == 2 {
				s.addCase(name, tuple)
			}
		}
	}
}

var unfilled = regexp.MustCompile(`\{(|secret|non_secret)\}`)

func (s *set) addCase(rule string, tuple []any) {
	text, ok := tuple[0].(string)
	if !ok || unfilled.MatchString(text) {
		return
	}
	switch want := tuple[1].(type) {
	case bool:
		s.add(example{rule: rule, text: text, positive: want})
	case string:
		s.add(example{rule: rule, text: text, values: []string{want}, positive: true})
	case nil:
		s.add(example{rule: rule, text: text})
	}
}

// pythonToken is a string, whose value is evaluated, a name or number, or a mark.
type pythonToken struct {
	kind byte // 's', 'n', or the mark itself
	text string
	line bool // the first of its line
}

// unknown is the value of what is not evaluated.
type unknown struct{}

func pythonTokens(src string) (tokens []pythonToken) {
	line := true
	for i := 0; i < len(src); {
		c := src[i]
		switch {
		case c == '\n':
			line = true
			i++
			continue
		case c == ' ' || c == '\t' || c == '\r':
			if i == 0 || src[i-1] == '\n' {
				line = false // indented
			}
			i++
			continue
		case c == '#':
			for i < len(src) && src[i] != '\n' {
				i++
			}
			continue
		}
		t := pythonToken{kind: c, text: src[i : i+1], line: line}
		if text, n := pythonString(src[i:]); n > 0 {
			t.kind, t.text = 's', text
			i += n
		} else if n := wordLength(src[i:]); n > 0 {
			t.kind, t.text = 'n', src[i:i+n]
			i += n
		} else {
			i++
		}
		tokens = append(tokens, t)
		line = false
	}
	return tokens
}

func wordLength(s string) int {
	n := 0
	for n < len(s) && (s[n] == '_' || s[n] >= '0' && s[n] <= '9' || s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z') {
		n++
	}
	return n
}

// pythonString evaluates the string literal that src begins with; n is 0 if it begins with none.
func pythonString(src string) (text string, n int) {
	raw := false
	i := 0
	for i < 2 && i < len(src) && strings.IndexByte("rRbBuU", src[i]) >= 0 {
		raw = raw || src[i]|0x20 == 'r'
		i++
	}
	if i >= len(src) || src[i] != '\'' && src[i] != '"' {
		return "", 0
	}
	quote := src[i : i+1]
	if strings.HasPrefix(src[i:], strings.Repeat(quote, 3)) {
		quote = strings.Repeat(quote, 3)
	}
	i += len(quote)
	var out strings.Builder
	for i < len(src) && !strings.HasPrefix(src[i:], quote) {
		if src[i] == '\\' && i+1 < len(src) {
			if raw {
				out.WriteString(src[i : i+2])
				i += 2
				continue
			}
			i += pythonEscape(&out, src[i:])
			continue
		}
		out.WriteByte(src[i])
		i++
	}
	return out.String(), min(i+len(quote), len(src))
}

// pythonEscape writes the character that an escape means, and gives the escape's length.
func pythonEscape(out *strings.Builder, src string) int {
	size := map[byte]int{'x': 2, 'u': 4, 'U': 8}[src[1]]
	if size > 0 && len(src) >= 2+size {
		if r, err := strconv.ParseUint(src[2:2+size], 16, 32); err == nil && utf8.ValidRune(rune(r)) {
			out.WriteRune(rune(r))
			return 2 + size
		}
	}
	switch src[1] {
	case 'n':
		out.WriteByte('\n')
	case 't':
		out.WriteByte('\t')
	case 'r':
		out.WriteByte('\r')
	case '\n':
	case '\\', '\'', '"':
		out.WriteByte(src[1])
	default:
		out.WriteString(src[:2])
	}
	return 2
}

// python evaluates the literals of a file.
type python struct {
	tokens []pythonToken
	at     int
	names  map[string]any
}

func (p *python) is(i int, kind byte) bool { return i < len(p.tokens) && p.tokens[i].kind == kind }

// constant remembers NAME = "…" at the beginning of a line.
func (p *python) constant() {
	if !p.is(p.at, 'n') || !p.tokens[p.at].line || !p.is(p.at+1, '=') || p.is(p.at+2, '=') {
		return
	}
	if v, _ := p.value(p.at + 2); v != any(unknown{}) {
		p.names[p.tokens[p.at].text] = v
	}
}

// tuple is the values of the tuple that begins here, nil if none does: a call's arguments are no tuple.
func (p *python) tuple() (values []any) {
	if !p.is(p.at, '(') || p.is(p.at-1, 'n') && p.tokens[p.at-1].text != "in" {
		return nil
	}
	for i := p.at + 1; ; {
		v, next := p.value(i)
		if v == any(unknown{}) || next >= len(p.tokens) {
			return nil
		}
		values = append(values, v)
		if p.is(next, ',') {
			next++
		}
		if p.is(next, ')') {
			return values
		}
		if next == i || !p.is(next-1, ',') {
			return nil
		}
		i = next
	}
}

// value evaluates what begins at i, and says where it ends.
func (p *python) value(i int) (v any, next int) {
	v = unknown{}
	switch {
	case p.is(i, 's'):
		text := ""
		for ; p.is(i, 's'); i++ {
			text += p.tokens[i].text // literals side by side are one
		}
		v = text
	case p.is(i, '('):
		inner, end := p.value(i + 1)
		if !p.is(end, ')') {
			return unknown{}, i
		}
		v, i = inner, end+1
	case p.is(i, 'n'):
		switch name := p.tokens[i].text; name {
		case "None":
			v = nil
		case "True", "False":
			v = name == "True"
		default:
			if known, ok := p.names[name]; ok {
				v = known
			}
		}
		i++
	default:
		return unknown{}, i
	}
	text, isString := v.(string)
	if isString && p.is(i, '.') && p.is(i+1, 'n') && p.tokens[i+1].text == "format" && p.is(i+2, '(') {
		arg, end := p.value(i + 3)
		filling, ok := arg.(string)
		if p.is(end, ',') {
			end++
		}
		if !ok || !p.is(end, ')') {
			return unknown{}, i
		}
		text = strings.Replace(text, "{}", "\x00", 1)
		text = strings.NewReplacer("{{", "{", "}}", "}", "\x00", filling).Replace(text)
		return text, end + 1
	}
	if p.is(i, '.') || p.is(i, '(') || p.is(i, '+') || p.is(i, '%') {
		return unknown{}, i
	}
	return v, i
}
