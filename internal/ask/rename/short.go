package rename

import (
	"bytes"
	"regexp"
	"sync"
)

// shortForm returns where the short form of a field begins whose name has these bounds: at the
// name, or at "ref" and "mut" before it. It is -1 where the field is written out. A member is
// never named alone elsewhere in a language that has this form, so the text around the name
// decides: braces or commas, or the default value of a pattern ("{ x = 1 }").
func shortForm(text []byte, start, end int) int {
	after := bytes.TrimLeft(text[end:], " \t\r\n")
	switch {
	case len(after) == 0:
		return -1
	case after[0] == ',', after[0] == '}':
	case after[0] == '=' && len(after) > 1 && after[1] != '=' && after[1] != '>':
	default:
		return -1
	}
	at := start
	for _, word := range [...]string{"mut", "ref"} { // "ref mut x"
		before := bytes.TrimRight(text[:at], " \t\r\n")
		if bytes.HasSuffix(before, []byte(word)) && len(before) < at {
			at = len(before) - len(word)
		}
	}
	before := bytes.TrimRight(text[:at], " \t\r\n")
	if len(before) == 0 || before[len(before)-1] != '{' && before[len(before)-1] != ',' {
		return -1
	}
	return at
}

// ownName matches the string that must repeat the assigned name: type checkers require it of
// Python's functions that make types.
var ownName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*=\s*(?:\w+\.)?(?:TypeVar|TypeVarTuple|ParamSpec|NewType|namedtuple|NamedTuple|TypedDict|Enum|IntEnum|StrEnum|Flag|IntFlag)` +
		`\(\s*["'](\w+)["']`)
})

// sameAlias matches the alias of an import or export that only repeats the name, as Python's
// type checkers require it of re-exports: "from .a import x as x".
var sameAlias = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s+as\s+(\w+)`) })

// again returns the place, right after this one, at which a pattern finds the name once more.
func (p *Place) again(pattern *regexp.Regexp, text []byte, name string) *Place {
	m := pattern.FindSubmatchIndex(text[p.End:])
	if m == nil || string(text[int(p.End)+m[2]:int(p.End)+m[3]]) != name {
		return nil
	}
	q := *p
	q.Start, q.End = p.End+uint32(m[2]), p.End+uint32(m[3])
	return &q
}
