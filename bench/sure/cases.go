package main

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// testCase is one construction. Its files have one declaration that is used by its way, unless the form is idle, and a second one,
// made by the same texts, that nothing uses.
type testCase struct {
	lang  *language
	way   *way
	kind  *kind
	form  string // key of the text that uses it
	local string // same or other
	loss  *kind  // nil: nothing is broken
	twin  *way   // nil: no other declaration has the name
	n     int    // number among the cases of the language, from which its names are made
}

func (c *testCase) id() string {
	loss, twin := "whole", "one"
	if c.loss != nil {
		loss = c.loss.name
	}
	if c.twin != nil {
		twin = c.twin.name
	}
	words := []string{c.lang.name, c.way.name, c.kind.name, c.form, c.local, loss, twin}
	return strings.ReplaceAll(strings.Join(words, "/"), " ", "-")
}

// isBeside reports whether the form only goes with the declaration, as one that overrides it.
func (c *testCase) isBeside() bool { return strings.HasPrefix(c.form, "beside") }

func (c *testCase) isIdle() bool { return strings.HasPrefix(c.form, "idle") }

// isAlone reports whether a case needs a tree of its own, because it could raise doubts in others.
func (c *testCase) isAlone() bool { return c.loss != nil || c.way.is("alone") }

// cases returns every case of a language, in a fixed order.
func (l *language) cases() (out []*testCase) {
	for i := range l.ways {
		w := &l.ways[i]
		for j := range l.kinds {
			if k := &l.kinds[j]; w.leadsTo(k) {
				out = append(out, l.casesOf(w, k)...)
			}
		}
	}
	for i, c := range out {
		c.n = i
	}
	return out
}

// holdsUse reports whether a file of those who use it has the text of the kind, around which a loss can be.
func (w *way) holdsUse() bool {
	return slices.ContainsFunc(w.files, func(f file) bool { return f.user && strings.Contains(f.text, "{use}") })
}

func (l *language) casesOf(w *way, k *kind) (out []*testCase) {
	losses := []*kind{nil}
	for i := range l.losses {
		if !w.is("noloss") && (w.holdsUse() || l.losses[i].texts["tail"] != "") {
			losses = append(losses, &l.losses[i])
		}
	}
	twins := []*way{nil}
	for i := range l.twins {
		if t := &l.twins[i]; !w.is("notwin") && t.leadsTo(k) {
			twins = append(twins, t)
		}
	}
	forms := k.forms()
	if w.at != "" { // these need a plain name
		forms = slices.DeleteFunc(forms, func(f string) bool { return strings.HasSuffix(f, " bare") })
	}
	if w.is("plain") {
		forms = forms[:1]
	}
	for _, local := range w.locals {
		for _, form := range forms {
			out = append(out, &testCase{lang: l, way: w, kind: k, form: form, local: local})
		}
		// Each loss and each twin takes another form, because all with all find no more.
		for i, loss := range losses[1:] {
			out = append(out, &testCase{lang: l, way: w, kind: k, form: forms[i%len(forms)], local: local, loss: loss})
		}
		for i, twin := range twins[1:] {
			out = append(out, &testCase{lang: l, way: w, kind: k, form: forms[i%len(forms)], local: local, twin: twin})
		}
	}
	return out
}

// forms returns the keys of the texts that use a declaration, and of those that use only the type around it.
func (k *kind) forms() (out []string) {
	for _, key := range k.order {
		if word, _, _ := strings.Cut(key, " "); word == "use" || word == "idle" || word == "beside" {
			out = append(out, key)
		}
	}
	return out
}

// mark is a place in a file of a construction.
type mark struct {
	path       string
	line       int
	start, end int
	isPlace    bool // a rename must change it
	isUse      bool // refs must list it
	isDecoy    bool // it has the name and means something else
	isLinked   bool // a rename must change all of these or none
}

// subject is a declaration of a construction: what is asked about.
type subject struct {
	names []string // as it may be asked for, best first
	name  string   // as it is asked for
	to    string   // its new name
	path  string   // of its declaration
	used  bool
	marks []mark
}

// built is a case as files and subjects: the one that is used, and the one that is not.
type built struct {
	files    map[string]string
	subjects []*subject
}

// build makes the files of a case.
func (c *testCase) build() *built {
	b := &built{files: map[string]string{}}
	for i := range 2 {
		x := newExpansion(c, i, b)
		for _, f := range c.way.files {
			if i == 0 || !f.user {
				x.file(f)
			}
		}
		if c.twin != nil && i == 0 {
			for _, f := range c.twin.files {
				x.file(f)
			}
		}
		if x.decl == "" && len(x.s.marks) > 0 { // a file of the way declares it, not a text of the kind
			x.decl = x.s.marks[0].path
		}
		if x.decl != "" { // else no file of those who declare it has the second one
			b.subjects = append(b.subjects, x.subject())
		}
	}
	return b
}

// expansion fills the templates of a case for one of its two declarations.
type expansion struct {
	c     *testCase
	b     *built
	names map[string]string
	s     subject
	decl  string // path of the declaration

	path string
	out  strings.Builder
	uses int // depth inside of the text of a use

	isBeside bool // inside of the text of a form beside it

	inLoss bool // inside of the text that breaks the file
}

// word returns a name of a number that no other number has, and that is no word of a language.
func word(n int) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	s := ""
	for range 4 {
		s += string(consonants[n%len(consonants)]) + string(vowels[n/len(consonants)%len(vowels)])
		n /= len(consonants) * len(vowels)
	}
	return s
}

func styled(style, s string) string {
	switch style {
	case "Upper":
		return strings.ToUpper(s[:1]) + s[1:]
	case "CAPS":
		return strings.ToUpper(s)
	}
	return s
}

func newExpansion(c *testCase, i int, b *built) *expansion {
	base := word(c.n)
	own := [2]string{"qua", "vex"}[i] + base
	owner := [2]string{"omb", "ulm"}[i] + base
	x := &expansion{c: c, b: b}
	x.names = map[string]string{
		"D": styled(c.kind.style, own), "O": styled(c.kind.owner, owner), "p": [2]string{"a", "b"}[i], "dir": "w" + base,
		"N": "nop" + base, "M": "Nop" + base, "A": styled("Upper", own), "base": base,
	}
	top, style := x.names["D"], c.kind.style
	if c.kind.owner != "" {
		top, style = x.names["O"], c.kind.owner
	}
	x.names["T"], x.names["L"] = top, top
	if c.local == "other" {
		x.names["L"] = styled(style, "loc"+base)
	}
	x.names["P"] = styled("Upper", x.names["p"])
	x.names["Dir"] = styled("Upper", x.names["dir"])
	return x
}

var hole = regexp.MustCompile(`\{([A-Z]|Dir|[a-z]+)\}`)

func (x *expansion) file(f file) {
	x.path = path.Join(x.names["dir"], x.fill(f.path))
	if strings.HasPrefix(f.path, "/") {
		x.path = x.fill(f.path[1:])
	}
	x.out.Reset()
	text := f.text
	if f.user && x.c.loss != nil {
		text += x.c.loss.texts["tail"]
	}
	x.expand(text, "")
	x.b.files[x.path] = x.out.String()
	if size := len(x.b.files[x.path]); f.user && x.c.way.is("large") && size < 3<<20 {
		x.b.files[x.path] += strings.Repeat(x.c.kindText("filler")+"\n", (3<<20)/(len(x.c.kindText("filler"))+1))
	}
}

// kindText returns a text of the kind, or of a loss of that name.
func (c *testCase) kindText(key string) string { return c.kind.texts[key] }

// fill fills a template without marking places.
func (x *expansion) fill(s string) string {
	return hole.ReplaceAllStringFunc(s, func(h string) string { return x.names[h[1:len(h)-1]] })
}

// expand writes a template with marks. Lines of a text that fills a hole are indented as the hole is.
func (x *expansion) expand(text, indent string) {
	text = strings.ReplaceAll(text, "\n", "\n"+indent)
	for {
		at := hole.FindStringIndex(text)
		if at == nil {
			x.out.WriteString(text)
			return
		}
		key := text[at[0]+1 : at[1]-1]
		x.out.WriteString(text[:at[0]])
		line := x.out.String()
		line = line[strings.LastIndexByte(line, '\n')+1:]
		x.hole(key, line[:len(line)-len(strings.TrimLeft(line, " \t"))])
		text = text[at[1]:]
	}
}

// hole writes what fills a hole.
func (x *expansion) hole(key, indent string) {
	isTop := x.c.kind.owner == ""
	switch key {
	case "D":
		x.mark(x.names["D"], mark{isPlace: true, isUse: x.uses > 0})
	case "U", "Q":
		x.mark(x.names["D"], mark{isPlace: true, isUse: true})
	case "H": // it is used here without a name
		x.mark("", mark{isUse: true})
	case "X":
		x.mark(x.names["D"], mark{isDecoy: true})
	case "T":
		x.mark(x.names["T"], mark{isPlace: isTop})
	case "V":
		x.mark(x.names["T"], mark{isPlace: isTop, isUse: isTop})
	case "L":
		if x.uses > 0 || x.isBeside {
			x.out.WriteString(x.fill(x.c.way.at))
		}
		if x.c.way.is("flow") { // the value has another name, and what becomes of values is not asked
			isTop = false
		}
		isFree := x.c.way.is("free") // those who import it choose the name
		isName := isTop && x.c.local == "same"
		x.mark(x.names["L"], mark{isPlace: isName && !isFree, isLinked: isName && isFree, isUse: isTop && x.uses > 0})
	case "use":
		if use := x.c.lossText(); use != "" && !x.inLoss {
			x.inLoss = true
			x.expand(use, indent)
			x.inLoss = false
			return
		}
		if x.c.isBeside() { // what overrides it must have its name, and uses nothing
			x.isBeside = true
			x.expand(x.c.kind.texts[x.c.form], indent)
			x.isBeside = false
			return
		}
		x.uses++
		x.expand(x.c.kind.texts[x.c.form], indent)
		x.uses--
	default:
		if name, ok := x.names[key]; ok {
			x.out.WriteString(name)
			return
		}
		text, ok := x.c.kind.texts[key]
		if !ok { // braces of the language
			x.out.WriteString("{" + key + "}")
			return
		}
		if (slices.Contains(declares, key)) && x.decl == "" {
			x.decl = x.path
		}
		x.expand(text, indent)
	}
}

func (c *testCase) lossText() string {
	if c.loss == nil {
		return ""
	}
	return c.loss.texts["use"]
}

func (x *expansion) mark(name string, m mark) {
	text := x.out.String()
	m.path, m.start, m.end, m.line = x.path, len(text), len(text)+len(name), 1+strings.Count(text, "\n")
	x.out.WriteString(name)
	if m.isPlace || m.isUse || m.isDecoy || m.isLinked {
		x.s.marks = append(x.s.marks, m)
	}
}

func (x *expansion) subject() *subject {
	s := x.s
	s.path = x.decl
	s.to = styled(x.c.kind.style, "ren"+word(x.c.n))
	if x.c.kind.owner != "" {
		s.names = append(s.names, x.names["O"]+"."+x.names["D"])
	}
	s.names = append(s.names, x.names["D"])
	if x.c.twin != nil || x.c.way.is("narrow") {
		for i, n := range s.names {
			s.names[i] = s.path + ":" + n
		}
	}
	s.name = s.names[0]
	s.used = slices.ContainsFunc(s.marks, func(m mark) bool { return m.isUse })
	return &s
}

// declares are the keys of the texts that declare.
var declares = []string{"decl", "expr", "anon", "inlinedecl", "partial", "source", "headerdecl", "expect"}
