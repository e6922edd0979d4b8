package injection

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
	"unicode/utf8"
)

// finder finds the matches of a pattern as FindAllStringIndex does, and is several times as fast on text that has few: it tries the pattern
// only where the first three bytes are those of a match.
type finder struct {
	alternatives func() []*starts
	// first is the pattern at the beginning of a text, inner behind the character before it, which \b looks at.
	first, inner func() *regexp.Regexp
}

// starts are the beginnings of the matches of an alternative of a pattern. They are computed when a text has what each match needs.
type starts struct {
	tree    *syntax.Regexp
	once    sync.Once
	triples [1 << (3 * classBits) / 64]uint64 // sets of classes of three bytes
	atWord  bool                              // a match begins at the boundary of a word
	needs   string                            // a text that each match has, "" if none is known
}

const classBits = 5

// byteClass returns the class of a byte: each letter of English is one, blanks are, and all others together.
func byteClass(c byte) int {
	switch {
	case 'a' <= c && c <= 'z':
		return int(c - 'a')
	case c == ' ', c == '\t', c == '\n', c == '\r', c == '\f':
		return 26
	}
	return 27
}

// classes is the number of classes of bytes.
const classes = 28

func newFinder(pattern string) *finder {
	compile := func(before string) func() *regexp.Regexp {
		return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\A` + before + `(?:` + pattern + `)`) })
	}
	return &finder{first: compile(""), inner: compile(`(?s:.)`), alternatives: sync.OnceValue(func() (list []*starts) {
		tree, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil {
			panic(err) // a pattern of this package
		}
		alternatives := []*syntax.Regexp{tree}
		if tree.Op == syntax.OpAlternate {
			alternatives = tree.Sub
		}
		for _, a := range alternatives {
			atWord := a.Op == syntax.OpConcat && a.Sub[0].Op == syntax.OpWordBoundary
			list = append(list, &starts{tree: a, needs: longestLiteral(a), atWord: atWord})
		}
		return list
	})}
}

// compute computes the classes of the first three bytes of matches.
func (s *starts) compute() {
	prog, err := syntax.Compile(s.tree.Simplify())
	if err != nil {
		panic(err) // a part of a pattern that was parsed
	}
	type place struct {
		inst  uint32
		depth int
		key   int
	}
	seen := map[place]bool{}
	var walk func(at place)
	walk = func(at place) {
		if seen[at] {
			return
		}
		seen[at] = true
		if at.depth == 3 {
			s.triples[at.key/64] |= 1 << (at.key % 64)
			return
		}
		in := &prog.Inst[at.inst]
		switch in.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			walk(place{in.Out, at.depth, at.key})
			walk(place{in.Arg, at.depth, at.key})
		case syntax.InstCapture, syntax.InstNop, syntax.InstEmptyWidth:
			walk(place{in.Out, at.depth, at.key})
		case syntax.InstMatch:
			s.addAll(at.key, at.depth)
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			var has [classes]bool
			for c := range utf8.RuneSelf {
				if in.MatchRune(rune(c)) {
					has[byteClass(byte(c))] = true
				}
			}
			for class, ok := range has {
				if ok {
					walk(place{in.Out, at.depth + 1, at.key | class<<(classBits*at.depth)})
				}
			}
			if matchesBeyond(in) { // how many bytes such a rune has is left open
				s.addAll(at.key|(classes-1)<<(classBits*at.depth), at.depth+1)
			}
		}
	}
	walk(place{uint32(prog.Start), 0, 0})
}

// matchesBeyond reports whether an instruction matches a rune that is not ASCII.
func matchesBeyond(in *syntax.Inst) bool {
	if in.Op == syntax.InstRuneAny || in.Op == syntax.InstRuneAnyNotNL {
		return true
	}
	for _, r := range in.Rune {
		if r >= utf8.RuneSelf {
			return true
		}
	}
	return false
}

// addAll adds all beginnings with the given classes of the first depth bytes.
func (s *starts) addAll(key, depth int) {
	if depth >= 3 {
		s.triples[key/64] |= 1 << (key % 64)
		return
	}
	for class := range classes {
		s.addAll(key|class<<(classBits*depth), depth+1)
	}
}

// longestLiteral returns the longest text that each match of a has in a part of its own, or "".
func longestLiteral(a *syntax.Regexp) (text string) {
	switch {
	case a.Op == syntax.OpLiteral && a.Flags&syntax.FoldCase == 0:
		return string(a.Rune)
	case a.Op == syntax.OpConcat, a.Op == syntax.OpCapture:
		for _, sub := range a.Sub {
			if t := longestLiteral(sub); len(t) > len(text) {
				text = t
			}
		}
	}
	return text
}

// keyed is a text with the classes of three bytes from each place on.
type keyed struct {
	text string
	keys []uint16
}

func newKeyed(text string) *keyed {
	k := &keyed{text, make([]uint16, len(text))}
	const none = classes - 1
	key := uint16(none | none<<classBits | none<<(2*classBits))
	for at := len(text) - 1; at >= 0; at-- {
		key = key<<classBits&(1<<(3*classBits)-1) | uint16(byteClass(text[at]))
		k.keys[at] = key
	}
	return k
}

// find returns where the first most matches begin, none of which overlaps another.
func (f *finder) find(k *keyed, most int) (list []int) {
	var anywhere, atWord [1 << (3 * classBits) / 64]uint64
	needed := false
	for _, s := range f.alternatives() {
		if !strings.Contains(k.text, s.needs) {
			continue
		}
		s.once.Do(s.compute)
		needed = true
		to := &anywhere
		if s.atWord {
			to = &atWord
		}
		for i := range to {
			to[i] |= s.triples[i]
		}
	}
	if !needed {
		return nil
	}
	text := k.text
	for at := 0; at < len(text) && len(list) < most; {
		step := 1
		if text[at] >= utf8.RuneSelf {
			_, step = utf8.DecodeRuneInString(text[at:])
		}
		key := k.keys[at]
		place, bit := key/64, uint64(1)<<(key%64)
		if anywhere[place]&bit == 0 && (atWord[place]&bit == 0 || !isBoundary(text, at)) {
			at += step
			continue
		}
		re, from := f.first, 0
		if at > 0 {
			_, size := utf8.DecodeLastRuneInString(text[:at])
			re, from = f.inner, at-size
		}
		m := re().FindStringIndex(text[from:])
		if m == nil {
			at += step
			continue
		}
		list = append(list, at)
		at = max(from+m[1], at+step)
	}
	return list
}

// isBoundary reports whether a word begins or ends at a place.
func isBoundary(text string, at int) bool {
	return (at > 0 && isWordByte(text[at-1])) != isWordByte(text[at])
}

// isWordByte reports whether a byte is one of \w.
func isWordByte(c byte) bool {
	switch {
	case c == '_', '0' <= c && c <= '9', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		return true
	}
	return false
}
