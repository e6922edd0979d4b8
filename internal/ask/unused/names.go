package unused

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"ken/internal/ask/doctest"
	"ken/internal/ask/refs"
	"ken/internal/code"
	"ken/internal/engine/graph"
	"ken/internal/engine/view"
	"ken/internal/lang"
)

// namedTarget is a declaration whose name is looked for in texts: in strings of code, in
// data, in scripts, and in code that could not be parsed.
type namedTarget struct {
	name   string
	sym    *view.Symbol
	row    *lang.Info
	family string
	// compound is set if the name has several words, so that a text that is this
	// name hardly means anything else.
	compound   bool
	everywhere bool            // calls by computed names are searched in all files, which takes a second for 50 MB
	owners     map[string]bool // the words that may stand before its name: types, file, directories, package
	homes      map[string]bool // those of its types, file and package
	pkg        string
	reflects   *regexp.Regexp // the calls that find members by name in its languages, nil if none are known
	marks      []string       // one of which is in each text with such a call
	common     bool           // code finds declarations by name in more ways than those
	before     *regexp.Regexp // the text before a string that is the name of a member
	option     string         // what commands of a build write in front of it to set it, "" if it is no macro
	directive  *regexp.Regexp // the text before a name that a comment means, nil if there is none
	around     code.Span      // the declaration around it, empty if there is none
	local      bool           // that is a function, so that it is no member
	own        *regexp.Regexp // those that find members of the type around them by a name that is computed
	// unrelated reports whether the object of such a call at a byte of its file is certainly of another type; nil if that is never known.
	unrelated  func(at int) bool
	confined   bool // only its file can name it in code
	documented bool // code in comments that is run as a test can name it
}

func newNamedTarget(t *view.Symbol, n graph.Node) *namedTarget {
	w := &namedTarget{
		name: t.Name, sym: t, row: lang.Of(n.Lang), family: graph.Family(n.Lang), compound: isCompound(t.Name), owners: map[string]bool{},
		homes: map[string]bool{}, pkg: n.Package,
	}
	w.documented = w.row.DocTests && t.Exported && !strings.HasPrefix(t.Signature, "pub(")
	base := path.Base(n.Path)
	dir := code.Dir(n.Path)
	for _, text := range []string{dir, t.Symbol.Container(), n.Package, strings.TrimSuffix(base, path.Ext(base))} {
		for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !isNameRune(r) && r != '-' }) {
			w.owners[word] = true
			w.homes[word] = w.homes[word] || text != dir
		}
	}
	if t.Kind == code.KindMacro {
		w.option = w.row.MacroOption
	}
	if w.row.Directive != "" {
		w.directive = regexp.MustCompile(w.row.Directive)
	}
	r := lang.FamilyReflection(w.family)
	if r.Pattern != "" {
		pattern := r.Pattern
		if r.Computed != "" {
			pattern += "|" + r.Computed
		}
		w.reflects, w.marks, w.common = regexp.MustCompile(pattern), r.Marks, r.Common
		if r.Own != "" {
			w.own = regexp.MustCompile(r.Own)
		}
	}
	if r.Before != "" {
		w.before = regexp.MustCompile(r.Before)
	}
	return w
}

// isCompound reports whether a name consists of several words.
func isCompound(name string) bool {
	name = strings.Trim(name, "_?!")
	if strings.Contains(name, "_") {
		return true
	}
	for i := 1; i < len(name); i++ {
		if unicode.IsUpper(rune(name[i])) && unicode.IsLower(rune(name[i-1])) {
			return true
		}
	}
	return false
}

// textUse is a possible use of a name at a byte of a file.
type textUse struct {
	UnseenUse
	name string
	file int64
	at   uint32
	// written is set if it can mean nothing but the target, and a compiler or a tool reads it.
	written bool
	test    *doctest.Block // the block of code around it in a comment, nil elsewhere
	owner   string         // the type in front of it in a path of code in a comment, "" if that may be the target's
}

// isAt reports whether another use is at the same place.
func (u *textUse) isAt(other textUse) bool { return u.file == other.file && u.at == other.at }

// uses returns the possible uses of a target in a text.
func (w *namedTarget) uses(t *namedText) (out []textUse) {
	add := func(kind string, at int, doubt bool) {
		line := bytes.Count(t.Text[:at], []byte("\n")) + 1
		u := UnseenUse{Kind: kind, Detail: lineText(t.Text, at), Path: t.File.Path, Line: uint32(line), Doubt: doubt}
		out = append(out, textUse{UnseenUse: u, name: w.name, file: t.File.ID, at: uint32(at)})
	}
	isHome := t.File.Path == w.sym.Path
	if w.confined && !isHome && t.family != w.family {
		return nil
	}
	for i := range nameOffsets(t.Text, w.name) {
		if n := len(out); n > maxUnseen && out[0].Doubt && !out[n-1].written && out[n-1].test == nil {
			break
		}
		own := w.sym.Span.Contains(code.Span{Start: uint32(i), End: uint32(i)}) && t.File.Path == w.sym.Path
		if w.directive != nil && t.family == w.family && w.directive.Match(t.Text[lineStart(t.Text, i):i]) {
			if w.isOther(t, i) {
				continue
			}
			add(UnseenText, i, true)
			out[len(out)-1].written = w.isDirected(t, i)
			continue
		}
		isTemplate := w.option != "" && !t.row.IsKnown() // config.h.in, in which "#" begins no comment
		if !own && !isTemplate && t.row.Sort != lang.Data && isCommented(t, i) {
			if w.documented && t.family == w.family && w.fitsCode(t.Text, i) && doctest.In(t.Text, i) {
				add(UnseenText, i, true)
				out[len(out)-1].owner, out[len(out)-1].test = w.pathOwner(t.Text, i), doctest.NewBlock(t.Text, i)
			}
			continue
		}
		if own {
			continue
		}
		if t.row.BinaryNames {
			if w.isListedBinary(t.Text, i) {
				add(UnseenString, i, true)
				out[len(out)-1].written = true
			}
			continue
		}
		where := w.position(t, i)
		switch isCode := t.family == w.family; {
		case isCode && w.confined && !isHome && where == positionBare:
		case w.confined && where == positionNamed && !insideModule().Match(t.Text):
			add(UnseenString, i, false)
		case isCode && t.isLost(i) && where == positionBare:
			if isText := bytes.HasSuffix(t.Text[:i], []byte("/")) || w.isInString(t.Text, i) || isMessage(t, i); isText {
				continue
			}
			add(UnseenUnread, i, true)
		case where == positionNamed:
			add(UnseenString, i, true)
			out[len(out)-1].written = isCode && w.isAutoloaded(t.Text, i)
		case where == positionString:
			add(UnseenString, i, false)
		}
	}
	if w.option != "" && t.family != w.family {
		for i := range nameOffsets(t.Text, w.option+w.name) {
			if i > 0 && (t.Text[i-1] == '-' || t.Text[i-1] == '/') { // -DNAME, and /DNAME on Windows
				add(UnseenString, i+len(w.option), true)
			}
		}
	}
	if t.family == w.family && w.reflects != nil && (isHome || w.everywhere) {
		if at := w.computed(t); at >= 0 {
			add(UnseenReflection, at, true)
		}
	}
	return out
}

// message matches the beginning of a line that is a message of the preprocessor.
var message = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*#\s*(error|warning)\b`) })

// isMessage reports whether byte i of a text is in a message of the preprocessor (C).
func isMessage(t *namedText, i int) bool {
	return t.row.Prototypes && message().Match(t.Text[lineStart(t.Text, i):i])
}

// insideModule matches what finds by a string what no other code of a module can name: evaluated text, and tools for tests.
var insideModule = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\beval\b|rewire|__(get|set|with)__`) })

// fitsCode reports whether the name at byte i of a text, in code in a comment, can be the target's by what is before it: a method has a
// receiver or path there or is declared there, and a declaration outside of types has no receiver.
func (w *namedTarget) fitsCode(text []byte, i int) bool {
	before := bytes.TrimRight(text[lineStart(text, i):i], " ")
	isMember := w.sym.Symbol.Container() != ""
	hasReceiver := bytes.HasSuffix(before, []byte(".")) && !bytes.HasSuffix(before, []byte(".."))
	switch {
	case !isMember:
		return !hasReceiver
	case !w.sym.Kind.IsFunction() || hasReceiver || bytes.HasSuffix(before, []byte("fn")):
		return true
	}
	return bytes.HasSuffix(before, []byte("::"))
}

// typePath matches what is in front of a name that a type qualifies.
var typePath = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b([A-Z]\w*)(?:::<[^()]*>)?::$`) })

// pathOwner returns the type in front of the target's name at byte i of a text with code in comments, if the target is an own function of
// another type, which no trait lends. It is "" if the text gives the type another name.
func (w *namedTarget) pathOwner(text []byte, i int) string {
	m := typePath().FindSubmatch(text[lineStart(text, i):i])
	own := code.LastSegment(w.sym.Symbol.Container())
	if isInherent := own != "" && strings.HasPrefix(w.sym.Signature, "pub "); m == nil || !isInherent {
		return ""
	}
	if string(m[1]) == own || string(m[1]) == "Self" {
		return ""
	}
	if bytes.Contains(text, []byte(" as "+string(m[1]))) || bytes.Contains(text, []byte("type "+string(m[1]))) {
		return ""
	}
	if standardUse(text, string(m[1])) {
		return standardOwner
	}
	return string(m[1])
}

// standardOwner stands for a type of the standard library.
const standardOwner = "std::"

// standardUse reports whether a text imports a type from the standard library of Rust.
func standardUse(text []byte, typ string) bool {
	for at := range nameOffsets(text, typ) {
		before := text[lineStart(text, at):at]
		if i := bytes.LastIndex(before, []byte("use ")); i >= 0 && !bytes.Contains(before[i:], []byte(";")) {
			spec := before[i+len("use "):]
			if bytes.HasPrefix(spec, []byte("std::")) || bytes.HasPrefix(spec, []byte("core::")) || bytes.HasPrefix(spec, []byte("alloc::")) {
				return true
			}
		}
	}
	return false
}

// binaryOwner matches the head of a type in a list of declarations of the Java virtual machine.
var binaryOwner = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^class ([\w/$]+)`) })

// inDescriptor matches what is in front of the path of a type in the descriptor of a method: the letters of types without a name.
var inDescriptor = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[BCDFIJSZ]*L$`) })

// isListedBinary reports whether the name at byte i of a list of declarations of the Java virtual machine is the target's, by the name of
// the type in front of it, or above it for a member.
func (w *namedTarget) isListedBinary(text []byte, i int) bool {
	from := i
	for from > 0 && (refs.NameByte(text[from-1]) || text[from-1] == '/' || text[from-1] == '$') {
		from--
	}
	pkg, in := strings.ReplaceAll(w.pkg, ".", "/"), strings.ReplaceAll(w.sym.Symbol.Container(), ".", "$")
	if w.sym.Kind.IsType() {
		if in != "" {
			in += "$"
		}
		before, found := bytes.CutSuffix(text[from:i], []byte(strings.TrimPrefix(pkg+"/", "/")+in))
		return found && (len(before) == 0 || inDescriptor().Match(before))
	}
	head := binaryOwner().FindSubmatch(text[max(0, bytes.LastIndex(text[:i], []byte("class "))):])
	if from < i || head == nil {
		return false
	}
	owner := string(head[1])
	if in == "" { // of the class that stands for the file
		return path.Dir(owner) == pkg
	}
	return owner == strings.TrimPrefix(pkg+"/", "/")+in || strings.HasPrefix(owner, strings.TrimPrefix(pkg+"/", "/")+in+"$")
}

// directedPath matches what is in front of a name that a comment means, as far as it belongs to the name.
var directedPath = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[\w.]*$`) })

// isDirected reports whether a comment or an attribute that means the declaration of the name at byte i means the target and no other: it
// has the whole path of the target, or the name alone where that is a member of the type around it.
func (w *namedTarget) isDirected(t *namedText, i int) bool {
	before := t.Text[lineStart(t.Text, i):i]
	if w.row.DirectiveMembers {
		return t.File.Path == w.sym.Path && w.around.Start <= uint32(i) && uint32(i) < w.around.End && !bytes.HasSuffix(before, []byte(":"))
	}
	whole := strings.Trim(w.pkg+"."+w.sym.Symbol.Container(), ".")
	return w.row.DirectivePaths && whole != "" && string(directedPath().Find(before)) == whole+"."
}

// isOther reports whether a comment or an attribute that means a member of the type around it means one that its own file declares, which
// is not the target.
func (w *namedTarget) isOther(t *namedText, i int) bool {
	if w.row.DirectivePaths {
		return w.isPathOfOther(string(directedPath().Find(t.Text[lineStart(t.Text, i):i])))
	}
	if !w.row.DirectiveMembers || t.File.Path == w.sym.Path || bytes.HasSuffix(t.Text[:i], []byte(":")) {
		return false
	}
	for at := range nameOffsets(t.Text, w.name) {
		if bytes.HasSuffix(bytes.TrimRight(t.Text[lineStart(t.Text, at):at], " "), []byte("function")) {
			return true
		}
	}
	return false
}

// isPathOfOther reports whether a path in front of the target's name leads elsewhere: it is not the end of the target's own, and does not
// end with the type that the target extends.
func (w *namedTarget) isPathOfOther(before string) bool {
	before = strings.TrimSuffix(before, ".")
	whole := strings.Trim(w.pkg+"."+w.sym.Symbol.Container(), ".")
	isOwn := whole == before || strings.HasSuffix(whole, "."+before)
	extends := strings.Contains(w.sym.Signature, code.LastSegment(before)+"."+w.name) || strings.Contains(w.sym.Signature, ">."+w.name)
	return before != "" && !isOwn && !extends
}

// autoload matches the beginning of a line of Ruby that has a file loaded when its constant is first used, and what follows the constant.
var (
	autoload     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bautoload[ (]\s*:$`) })
	autoloadFile = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*,\s*['"]([\w/.-]+)['"]`) })
)

// isAutoloaded reports whether the name at byte i of a text is the constant for which the file of the target is loaded.
func (w *namedTarget) isAutoloaded(text []byte, i int) bool {
	if !w.row.NameSymbols || !autoload().Match(text[lineStart(text, i):i]) {
		return false
	}
	file := autoloadFile().FindSubmatch(text[i+len(w.name) : lineEnd(text, i)])
	if file == nil {
		return false
	}
	stem := strings.TrimSuffix(w.sym.Path, path.Ext(w.sym.Path))
	return strings.HasSuffix("/"+stem, "/"+strings.TrimSuffix(string(file[1]), path.Ext(w.sym.Path)))
}

// isInString reports whether byte i of a text is in a string between double quotes that begins and ends on its line and holds nothing that
// is computed, whatever the text around it is. It is asked of languages alone in which such a string has one line and nothing else has such
// quotes; a line that may be in a longer string, or has a comment, counts as none.
func (w *namedTarget) isInString(text []byte, i int) bool {
	if !w.row.LineStrings || bytes.Contains(text, []byte(`"""`)) || bytes.Contains(text, []byte(`@"`)) || bytes.Contains(text, []byte(`R"`)) {
		return false
	}
	from := lineStart(text, i)
	line := text[from:lineEnd(text, i)]
	continues := from > 1 && text[from-2] == '\\'
	if continues || bytes.Contains(line[:i-from], []byte("*/")) {
		return false
	}
	open := -1
	for k := 0; k < len(line); k++ {
		switch c := line[k]; {
		case c == '\\' && open >= 0:
			k++
		case c == '\'' && open < 0 && k+2 < len(line) && line[k+2] == '\'':
			k += 2
		case c != '"':
		case open < 0:
			open = k
		case open < i-from && i-from < k:
			isComputed := open > 0 && strings.IndexByte("$@", line[open-1]) >= 0 || bytes.Contains(line[open:k], []byte(`\(`))
			return !isComputed && !bytes.ContainsAny(line[open:k], "$`") && !bytes.Contains(line[:open], []byte("/*"))
		default:
			open = -1
		}
	}
	return false
}

// position is the place of a name in a text.
type position uint8

const (
	positionBare   position = iota // not in a string
	positionString                 // in a string that is the name, as it may be by chance
	positionNamed                  // in a string or in data, where it names the target
)

// position classifies the place of the target's name at byte i of a text.
func (w *namedTarget) position(t *namedText, i int) position {
	text := t.Text
	end := i + len(w.name)
	from := i
	for from > 0 && isPathByte(text[from-1]) {
		from--
	}
	prefix := text[from:i]
	isInside := from > 0 && end < len(text)
	quoted := isInside && text[end] == text[from-1] && strings.IndexByte(t.quotes(), text[end]) >= 0
	isSymbol := bytes.HasSuffix(prefix, []byte(":")) && !bytes.HasSuffix(prefix, []byte("::"))
	isCode := t.family == w.family
	isWord := isCode && w.row.NameSymbols && isListed(text[max(0, i-maxListed):i])
	if isWord || isCode && !quoted && isTemplated(text[lineStart(text, i):i]) {
		return positionNamed
	}
	if isSymbol && isCode && w.row.NameSymbols {
		if key := bytes.HasPrefix(bytes.TrimLeft(text[end:], " "), []byte("=>")); key {
			return positionString
		}
		return positionNamed
	}
	if w.option != "" && !isCode && w.isDefined(t, i) {
		return positionNamed
	}
	isData := !isCode && t.row.Tier != lang.Full && t.row.Sort != lang.Markup && t.row.Sort != lang.Prose
	if isMarkup := t.row.Block[0] == "<!--"; isData && isMarkup { // between its tags is prose
		isData = quoted || isInside && text[from-1] == '>' && text[end] == '<'
	}
	switch {
	case w.isOwned(prefix) && (quoted || isData):
		return positionNamed
	case isData && w.compound && !w.isValue() && t.row.IsKnown():
		return positionNamed
	case isData && w.isNear(text[lineStart(text, i):i]):
		return positionNamed
	case isData && t.row.Settings && w.isHook(t, i):
		return positionNamed
	case !quoted:
		return positionBare
	case len(prefix) > 0:
		return positionBare // the name of a member of something else
	}
	return w.literal(t, from-1)
}

// defining matches the text before the name of a macro that a build sets: an option of a compiler, or a list of what is defined.
var defining = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)([\s"'=;,]-D\s*["']?|\bdefin\w*\W[^}\])]*)$`) })

// isDefined reports whether a text that is no code of the target's languages sets the target, a macro, at its name at byte i: a build
// file that has the name, or a command or list of definitions elsewhere.
func (w *namedTarget) isDefined(t *namedText, i int) bool {
	if t.row.Tier != lang.Full && t.row.Sort == lang.Programming {
		return true
	}
	return defining().Match(t.Text[max(0, i-maxNear):i])
}

// The text of a line around a lone word of data: name: WORD, - WORD, ["WORD"].
var (
	beforeLone = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(^\s*-|[:\[,=])\s*["':]{0,2}$`) })
	afterLone  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^["']?\s*([,\]}#]|$)`) })
)

// isHook reports whether a method of a language that finds methods by names is a lone word of data, but in the settings of a tool.
func (w *namedTarget) isHook(t *namedText, i int) bool {
	return w.row.NameSymbols && w.sym.Kind.IsFunction() && isLone(t.Text, i, i+len(w.name)) && !isHidden(t.File.Path)
}

// isOwned reports whether the text before a name is one of its owners and a separator.
func (w *namedTarget) isOwned(prefix []byte) bool {
	head := bytes.TrimRight(prefix, `.:#\@>-`)
	if len(head) == len(prefix) {
		return false
	}
	k := len(head)
	for k > 0 && (refs.NameByte(head[k-1]) || head[k-1] == '-') {
		k--
	}
	return w.owners[string(head[k:])]
}

// maxNear is the number of bytes between a name in data and the word before it that names its owner.
const maxNear = 100

// isNear reports whether the text before a name in data or a script has the name of its file, package or type, as an import has.
func (w *namedTarget) isNear(before []byte) bool {
	for _, word := range bytes.FieldsFunc(before[max(0, len(before)-maxNear):], func(r rune) bool { return !isNameRune(r) && r != '-' }) {
		if w.homes[string(word)] {
			return true
		}
	}
	return false
}

// maxListed is the number of bytes before a name in which the beginning of a list of words is looked for.
const maxListed = 2000

// isKey reports whether a string, whose quote is at from, is a key of an array: of a literal, or in brackets where members are found in
// another way.
func (w *namedTarget) isKey(text []byte, from int) bool {
	before, after := text[lineStart(text, from):from], text[from+len(w.name)+2:]
	if len(before) > 1 && w.row.StringCalls && before[len(before)-1] == '[' && bytes.HasPrefix(after, []byte("]")) {
		return refs.NameByte(before[len(before)-2]) || before[len(before)-2] == ']'
	}
	return w.row.ArrowKeys && bytes.HasPrefix(bytes.TrimLeft(after, " "), []byte("=>"))
}

// hasMark reports whether a text can have a call that finds members by name. It takes a
// hundredth of the time of the regular expression.
func (w *namedTarget) hasMark(text []byte) bool {
	return slices.ContainsFunc(w.marks, func(mark string) bool { return bytes.Contains(text, []byte(mark)) })
}

// isReflective reports whether a text finds members by name, so that a string which is a
// name may be one of a table of them.
func (w *namedTarget) isReflective(t *namedText) bool {
	if t.reflective == 0 {
		t.reflective = 2
		if w.reflects != nil && w.hasMark(t.Text) && w.reflects.Match(t.Text) {
			t.reflective = 1
		}
	}
	return t.reflective == 1
}

// fragments matches the strings of a line.
var fragments = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("[\"'`]([^\"'`]*)[\"'`]") })

// computed returns the offset of a call that finds members by a name which is computed and
// can be the target's: a part of the name is in it, or it is on the type of the target
// itself. It returns -1 if there is none.
func (w *namedTarget) computed(t *namedText) int {
	isMember := w.sym.Symbol.Container() != "" && !w.local && t.File.Path == w.sym.Path
	if isMember && w.own != nil {
		for _, at := range w.own.FindAllIndex(t.Text, -1) {
			if !isCommented(t, at[0]) && (w.unrelated == nil || !w.unrelated(at[0])) {
				return at[0]
			}
		}
	}
	for start, end := 0, 0; start < len(t.Text); start = end + 1 {
		end = lineEnd(t.Text, start)
		line := t.Text[start:end]
		if !w.hasMark(line) { // the expression takes a hundred times as long
			continue
		}
		for _, at := range w.reflects.FindAllIndex(line, -1) {
			for _, m := range fragments().FindAllSubmatchIndex(line[at[0]:], -1) {
				if text := line[at[0]:]; !isWhole(text, m[0], m[1]) && w.isPart(string(text[m[2]:m[3]])) && !isCommented(t, start+at[0]) {
					return start + at[0]
				}
			}
		}
	}
	return -1
}

// leastPart is the number of letters from which the beginning or end of a name counts.
const leastPart = 3

// isPart reports whether a string has the beginning or the end of the target's name, with
// the rest computed: "visit_" or "visit_${kind}" of visit_call.
func (w *namedTarget) isPart(text string) bool {
	head := text[:len(text)-len(strings.TrimLeftFunc(text, isNameRune))]
	tail := text[len(strings.TrimRightFunc(text, isNameRune)):]
	begins := strings.HasPrefix(w.name, head) && w.isBoundary(len(head))
	ends := strings.HasSuffix(w.name, tail) && w.isBoundary(len(w.name)-len(tail))
	return len(head) >= leastPart && begins || len(tail) >= leastPart && ends
}

// isBoundary reports whether a word of the target's name ends before byte i and another begins.
func (w *namedTarget) isBoundary(i int) bool {
	if i <= 0 || i >= len(w.name) {
		return false
	}
	return w.name[i-1] == '_' || w.name[i] == '_' || unicode.IsUpper(rune(w.name[i]))
}

// isLone reports whether the name in a text from i to end is a value of data by itself.
func isLone(text []byte, i, end int) bool {
	return beforeLone().Match(text[lineStart(text, i):i]) && afterLone().Match(text[end:lineEnd(text, end)])
}

// isValue reports whether the target is a constant or a variable, whose name in a string
// is most often a key, such as the name of a variable of the environment.
func (w *namedTarget) isValue() bool { return !w.sym.Kind.IsFunction() && !w.sym.Kind.IsType() }

// testTitle ends before the title of a test.
var testTitle = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(describe|it|test|context|suite|specify|Run)(\.\w+)?[( ]\s*$`)
})

// literal classifies a string that is the target's name and nothing else. Its quote is at
// from.
func (w *namedTarget) literal(t *namedText, from int) position {
	line := t.Text[lineStart(t.Text, from):lineEnd(t.Text, from)]
	before := t.Text[lineStart(t.Text, from):from]
	isTag := t.row.CapitalExports && bytes.HasSuffix(before, []byte(":")) // `json:"name"`
	if isTag || testTitle().Match(before) {
		return positionString
	}
	if t.family == w.family && w.isKey(t.Text, from) {
		return positionString
	}
	if w.compound && !w.isValue() && w.common {
		return positionNamed
	}
	isCallable := w.row.StringCalls && w.sym.Kind.IsFunction() && w.sym.Symbol.Container() == ""
	switch {
	case t.family != w.family:
		return positionString
	case isCallable, w.before != nil && w.before.Match(before), w.row.NameSymbols && w.sym.Kind.IsType():
		return positionNamed
	case w.reflects != nil && w.reflects.Match(line), w.isReflective(t):
		return positionNamed
	}
	return positionString
}
