package secret_test

import (
	"hash/fnv"
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"strings"
)

// draw writes a random text that an expression matches; the same for the same seed.
func draw(re *syntax.Regexp, seed string) string {
	h := fnv.New64a()
	h.Write([]byte(seed))
	d := drawer{rnd: rand.New(rand.NewPCG(h.Sum64(), 11))}
	d.write(re)
	return versioned(string(d.out))
}

type drawer struct {
	rnd *rand.Rand
	out []rune
}

// moreAtMost is how much longer a run without an upper bound gets than its lower one.
const moreAtMost = 12

func (d *drawer) write(re *syntax.Regexp) {
	switch re.Op {
	case syntax.OpLiteral:
		for _, c := range re.Rune {
			if re.Flags&syntax.FoldCase != 0 && 'A' <= c && c <= 'Z' {
				c += 'a' - 'A' // prefixes are written small
			}
			d.out = append(d.out, c)
		}
	case syntax.OpCharClass:
		d.out = append(d.out, d.member(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		d.out = append(d.out, rune('a'+d.rnd.IntN(26)))
	case syntax.OpRepeat:
		most := re.Max
		if most < 0 {
			most = re.Min + moreAtMost
		}
		d.repeat(re.Sub[0], re.Min, most)
	case syntax.OpStar:
		d.repeat(re.Sub[0], 0, moreAtMost)
	case syntax.OpPlus:
		d.repeat(re.Sub[0], 1, moreAtMost)
	case syntax.OpQuest:
		d.repeat(re.Sub[0], 0, 1)
	case syntax.OpAlternate:
		d.write(re.Sub[d.rnd.IntN(len(re.Sub))])
	default: // groups and sequences; bounds write nothing
		for _, sub := range re.Sub {
			d.write(sub)
		}
	}
}

func (d *drawer) repeat(re *syntax.Regexp, least, most int) {
	for range least + d.rnd.IntN(most-least+1) {
		d.write(re)
	}
}

// member is a random printable character of a class, which is written as ranges.
func (d *drawer) member(ranges []rune) rune {
	var all []rune
	for i := 0; i < len(ranges); i += 2 {
		for c := max(ranges[i], ' '); c <= min(ranges[i+1], '~'); c++ {
			all = append(all, c)
		}
	}
	if len(all) == 0 {
		return ' '
	}
	return all[d.rnd.IntN(len(all))]
}

var uuidForm = regexp.MustCompile(`(?i)^([0-9a-f]{8}-[0-9a-f]{4}-)[0-9a-f]([0-9a-f]{3}-)[0-9a-f]([0-9a-f]{3}-[0-9a-f]{12})$`)

// versioned makes a drawn UUID one of version 4, because that is what issuers of keys make.
func versioned(v string) string { return uuidForm.ReplaceAllString(v, "${1}4${2}a${3}") }

// compile compiles an expression of another engine: the flag x, which Go's does not know, means that blanks and comments are none
// of it.
func compile(expr string) (*regexp.Regexp, error) {
	head := flagGroups.FindString(expr)
	if strings.Contains(head, "x") {
		flags := strings.NewReplacer("x", "", "(?", "", ")", "", " ", "", "\n", "", "\t", "").Replace(head)
		expr = withoutBlanks(expr[len(head):])
		if flags != "" {
			expr = "(?" + flags + ")" + expr
		}
	}
	return regexp.Compile(strings.TrimSpace(strings.ReplaceAll(expr, `\Z`, `\z`)))
}

var flagGroups = regexp.MustCompile(`^\s*(?:\(\?[a-z]+\)\s*)+`)

// withoutBlanks drops the blanks and comments of an expression with the flag x.
func withoutBlanks(expr string) string {
	var out strings.Builder
	inClass := false
	for i := 0; i < len(expr); i++ {
		switch c := expr[i]; {
		case c == '\\' && i+1 < len(expr):
			i++
			if expr[i] == ' ' || expr[i] == '#' {
				out.WriteString(regexp.QuoteMeta(expr[i : i+1]))
				continue
			}
			out.WriteString(expr[i-1 : i+1])
		case inClass:
			inClass = c != ']'
			out.WriteByte(c)
		case c == '[':
			inClass = true
			out.WriteByte(c)
			if i+1 < len(expr) && expr[i+1] == '^' {
				i++
				out.WriteByte('^')
			}
			if i+1 < len(expr) && expr[i+1] == ']' {
				i++
				out.WriteString(`\]`)
			}
		case strings.HasPrefix(expr[i:], "(?#"):
			for i < len(expr) && expr[i] != ')' {
				i++
			}
		case c == '#':
			for i < len(expr) && expr[i] != '\n' {
				i++
			}
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}

// groupOf is the part of an expression that is its capturing group n.
func groupOf(re *syntax.Regexp, n int) *syntax.Regexp {
	if re.Op == syntax.OpCapture && re.Cap == n {
		return re
	}
	for _, sub := range re.Sub {
		if found := groupOf(sub, n); found != nil {
			return found
		}
	}
	return nil
}
