package fleet

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"ken/internal/ask/surface/manifest"
)

// maxVersion is the number of bytes up to which a text is taken for a version.
const maxVersion = 256

// CompareVersions compares two versions by the rules of a manager's registry: the result is negative if a is before b. It returns false
// if one of them is no version there.
func CompareVersions(manager, a, b string) (int, bool) {
	parse := parseSemver
	switch manager {
	case manifest.PyPI:
		parse = parsePEP440
	case manifest.Maven:
		parse = parseMaven
	case manifest.Gem, manifest.Composer:
		parse = parseSegments
	}
	if len(a) > maxVersion || len(b) > maxVersion {
		return 0, false
	}
	x, ok := parse(strings.TrimSpace(a))
	if !ok {
		return 0, false
	}
	y, ok := parse(strings.TrimSpace(b))
	if !ok {
		return 0, false
	}
	return compareParts(x, y), true
}

// part is a piece of a version. Pieces are compared by class, then as numbers without leading zeros, then as texts, then their inner
// pieces in turn.
type part struct {
	class  int
	number string
	text   string
	inner  []part
}

// end is the class of what a shorter version has in the place of a piece.
const end = 0

func compareParts(a, b []part) int {
	for i := range max(len(a), len(b)) {
		var x, y part
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if isLast := i >= len(a) || i >= len(b); isLast && x.class+y.class == mavenList {
			x.class, y.class = end, end // a list is compared with nothing as each of its pieces
		}
		if c := cmp.Or(cmp.Compare(x.class, y.class), cmp.Compare(len(x.number), len(y.number)), cmp.Compare(x.number, y.number),
			strings.Compare(x.text, y.text), compareParts(x.inner, y.inner)); c != 0 {
			return c
		}
	}
	return 0
}

// digits returns a number as it is compared: without leading zeros.
func digits(s string) string { return strings.TrimLeft(s, "0") }

// release returns the pieces of a dotted list of numbers, without zeros at its end.
func release(s string) (out []part) {
	for n := range strings.SplitSeq(s, ".") {
		out = append(out, part{class: end, number: digits(n)})
	}
	for len(out) > 0 && out[len(out)-1].number == "" {
		out = out[:len(out)-1]
	}
	return out
}

var semverForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[vV=]?\s*([0-9]+(?:\.[0-9]+)*)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$`)
})

// parseSemver reads a version of semver.org. There may be fewer or more than three numbers, as NuGet has them.
func parseSemver(s string) ([]part, bool) {
	m := semverForm().FindStringSubmatch(s)
	if m == nil {
		return nil, false
	}
	final := part{class: 2}
	if m[2] != "" {
		final = part{class: 1}
		for id := range strings.SplitSeq(m[2], ".") {
			if strings.Trim(id, "0123456789") == "" {
				final.inner = append(final.inner, part{class: 1, number: digits(id)})
			} else {
				final.inner = append(final.inner, part{class: 2, text: id})
			}
		}
	}
	return []part{{inner: release(m[1])}, final}, true
}

var pep440Form = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^v?(?:([0-9]+)!)?([0-9]+(?:\.[0-9]+)*)(?:[-_.]?(alpha|a|beta|b|preview|pre|c|rc)[-_.]?([0-9]+)?)?` +
		`(?:-([0-9]+)|[-_.]?(post|rev|r)[-_.]?([0-9]+)?)?(?:[-_.]?(dev)[-_.]?([0-9]+)?)?(?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?$`)
})

// parsePEP440 reads a version of Python.
func parsePEP440(s string) ([]part, bool) {
	m := pep440Form().FindStringSubmatch(strings.ToLower(s))
	if m == nil {
		return nil, false
	}
	isPost := m[5] != "" || m[6] != ""
	pre := part{class: 5} // none: after all of them
	switch {
	case m[3] != "":
		pre = part{class: map[byte]int{'a': 2, 'b': 3, 'p': 4, 'c': 4, 'r': 4}[m[3][0]], number: digits(m[4])}
	case m[8] != "" && !isPost:
		pre = part{class: 1} // a development version alone comes before those
	}
	post := part{}
	if isPost {
		post = part{class: 1, number: digits(m[5] + m[7])}
	}
	dev := part{class: 2}
	if m[8] != "" {
		dev = part{class: 1, number: digits(m[9])}
	}
	local := part{}
	for _, l := range strings.FieldsFunc(m[10], func(r rune) bool { return r == '-' || r == '_' || r == '.' }) {
		if strings.Trim(l, "0123456789") == "" {
			local.inner = append(local.inner, part{class: 2, number: digits(l)})
		} else {
			local.inner = append(local.inner, part{class: 1, text: l})
		}
	}
	return []part{{number: digits(m[1])}, {inner: release(m[2])}, pre, post, dev, local}, true
}

var segmentForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[0-9]+|[a-z]+`) })

// parseSegments reads a version of Ruby or PHP: numbers and words in turn, where a word comes before a number.
func parseSegments(s string) ([]part, bool) {
	s = strings.TrimPrefix(strings.ToLower(s), "v")
	s, _, _ = strings.Cut(s, "+")
	if s == "" || s[0] < '0' || s[0] > '9' || strings.Trim(s, "0123456789abcdefghijklmnopqrstuvwxyz.-_") != "" {
		return nil, false
	}
	var out []part
	words := segmentForm().FindAllString(s, -1)
	for i, w := range words {
		isNumber := w[0] <= '9'
		if isNumber && strings.Trim(w, "0") == "" && trailing(words[i:]) {
			continue // 1.0 and 1.0.0 are the same, 1.0.a and 1.a, too
		}
		if isNumber {
			out = append(out, part{class: 1, number: digits(w)})
		} else {
			out = append(out, part{class: -1, text: w})
		}
	}
	return out, true
}

// trailing reports whether only zeros are left before the next word.
func trailing(words []string) bool {
	for _, w := range words {
		if w[0] > '9' {
			return true
		}
		if strings.Trim(w, "0") != "" {
			return false
		}
	}
	return true
}

// The classes of pieces of a version of Maven, in its order: words before the end of a version, words after it, lists, numbers.
const (
	mavenEarly = -1
	mavenLate  = 1
	mavenList  = 8
	mavenInt   = 9
)

// parseMaven reads a version as Maven's ComparableVersion does: a hyphen, or a change between digits and letters, begins an inner list.
func parseMaven(s string) ([]part, bool) {
	s = strings.ToLower(s)
	if s == "" || strings.Contains(s, "${") {
		return nil, false
	}
	root := &mavenNode{}
	list, start := root, 0
	wasDigit := false
	flush := func(i int) {
		if i > start {
			list.add(s[start:i], wasDigit, false)
		} else {
			list.add("0", true, false)
		}
	}
	for i := range len(s) {
		c := s[i]
		isDigit := '0' <= c && c <= '9'
		switch {
		case c == '.':
			flush(i)
			start = i + 1
		case c == '-':
			flush(i)
			list, start = list.sub(), i+1
		case i > start && isDigit != wasDigit:
			list = list.forWord(wasDigit)
			list.add(s[start:i], wasDigit, isDigit)
			list, start = list.sub(), i
		}
		if c != '.' && c != '-' {
			wasDigit = isDigit
		}
	}
	if start < len(s) {
		list.forWord(wasDigit).add(s[start:], wasDigit, false)
	}
	return root.parts(), true
}

// mavenNode is a list of pieces; the last one may be a list again.
type mavenNode struct {
	items []part
	subs  map[int]*mavenNode
}

func (n *mavenNode) sub() *mavenNode {
	child := &mavenNode{}
	if n.subs == nil {
		n.subs = map[int]*mavenNode{}
	}
	n.subs[len(n.items)] = child
	n.items = append(n.items, part{class: mavenList})
	return child
}

// forWord returns the list for the next piece: a word after a dot begins an inner one, as after a hyphen.
func (n *mavenNode) forWord(isNumber bool) *mavenNode {
	if isNumber || len(n.items) == 0 {
		return n
	}
	return n.sub()
}

// add adds a number or a word; followed reports whether a digit comes after a word.
func (n *mavenNode) add(word string, isNumber, followed bool) {
	if isNumber {
		n.items = append(n.items, part{class: mavenInt, number: digits(word)})
		return
	}
	if followed && len(word) == 1 {
		word = map[string]string{"a": "alpha", "b": "beta", "m": "milestone"}[word] + strings.Trim(word, "abm")
	}
	order := []string{"alpha", "beta", "milestone", "rc", "snapshot", "", "sp"}
	switch word {
	case "ga", "final", "release":
		word = ""
	case "cr":
		word = "rc"
	}
	switch i := slices.Index(order, word); {
	case i == 5:
		n.items = append(n.items, part{class: end})
	case i > 5:
		n.items = append(n.items, part{class: mavenLate, number: strconv.Itoa(i)})
	case i >= 0:
		n.items = append(n.items, part{class: mavenEarly, number: strconv.Itoa(i + 1)})
	default:
		n.items = append(n.items, part{class: mavenLate, number: "9", text: word})
	}
}

// meansNothing reports whether a piece at the end of a version can be left out.
func (p *part) meansNothing() bool {
	switch p.class {
	case mavenInt:
		return p.number == ""
	case mavenList:
		return len(p.inner) == 0
	}
	return p.class == end
}

// parts returns the pieces without those at the end, and before each list, that mean nothing.
func (n *mavenNode) parts() []part {
	for i := range n.items {
		if child := n.subs[i]; child != nil {
			n.items[i].inner = child.parts()
		}
	}
	out := n.items
	for i := len(out) - 1; i >= 0; i-- {
		if out[i].meansNothing() {
			out = slices.Delete(out, i, i+1)
		} else if out[i].class != mavenList {
			break
		}
	}
	return out
}
