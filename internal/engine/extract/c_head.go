package extract

import "bytes"

// Heads of declarations: what stands before the semicolon, the body or the
// initializer of one. A name there that can be neither type nor declared name is
// a macro: `EXPORT int f(void)`, `class API A {`, `int f() UNUSED;`, `BEGIN_DECLS`.
// Which of several names is the type is settled by keywords first, then by the
// convention that macros are in capitals. Only heads outside of functions are
// looked at.

// headItem is a part of a head: a word, with what :: and template arguments make
// one name of it; a group in parentheses or brackets; another mark.
type headItem struct {
	first, last int32 // tokens
	kind        itemKind
	mark        byte
}

type itemKind uint8

const (
	itemName    itemKind = iota // an identifier
	itemBuiltin                 // a keyword that names a type: int, auto
	itemTag                     // struct, class, union, enum
	itemSpec                    // a keyword that goes with declarations: static, const
	itemDecl                    // a keyword a declaration begins with: namespace, template, typedef
	itemAfter                   // a keyword that follows parameters: noexcept, override
	itemOther                   // operator, requires, …: analysis stops
	itemGroup                   // (…) or […]
	itemMark
)

// headWalk walks the heads of a file.
type headWalk struct {
	*masker
	next  int // first range of blank not behind the walk
	live  []int32
	items []headItem
	class []int32 // tokens of the names of the classes around, -1 for other scopes
}

// heads blanks the macros in heads of declarations.
func (m *masker) heads() {
	w := headWalk{masker: m}
	for i := range m.tokens {
		if !w.blanked(m.tokens[i].start) {
			w.live = append(w.live, int32(i))
		}
	}
	for at := 0; at < len(w.live); {
		at = w.declaration(at)
	}
}

// blanked reports whether byte at is blanked already; asked in order.
func (w *headWalk) blanked(at uint32) bool {
	for w.next < len(w.masker.blank) && w.masker.blank[w.next].end <= at {
		w.next++
	}
	return w.next < len(w.masker.blank) && w.masker.blank[w.next].start <= at
}

func (w *headWalk) tok(at int) *cToken {
	if at >= len(w.live) {
		return &w.tokens[len(w.tokens)-1]
	}
	return &w.tokens[w.live[at]]
}

func (w *headWalk) text(at int) string {
	t := w.tok(at)
	return string(w.src[t.start:t.end])
}

// declaration reads the head at token at and what belongs to it, and gives the
// token after.
func (w *headWalk) declaration(at int) int {
	switch w.tok(at).kind {
	case tokDirective, ';', tokEnd:
		return at + 1
	case '}':
		if n := len(w.class); n > 0 {
			w.class = w.class[:n-1]
		}
		return at + 1
	}
	end := w.collect(at)
	w.analyse(end)
	return w.body(end)
}

// collect lists the items from at to where the head ends.
func (w *headWalk) collect(at int) (end int) {
	w.items = w.items[:0]
	for {
		t := w.tok(at)
		switch t.kind {
		case ';', '{', '}', '=', tokDirective, tokEnd:
			if t.kind == '=' && len(w.items) > 0 && w.isOperator(w.items[len(w.items)-1]) {
				at = w.operatorEnd(at)
				continue
			}
			return at
		case '(', '[':
			next := w.skip(at)
			w.add(at, next, itemGroup, t.kind)
			at = next
		case tokWord:
			if len(w.items) > 0 && w.tok(at+1).kind == ':' && isAccessWord(w.text(at)) {
				return at
			}
			next, k := w.name(at)
			w.add(at, next, k, 0)
			if at = next; k == itemDecl && w.tok(at).kind == '<' {
				at = w.templateHead(at)
			}
		case tokLiteral:
			if len(w.items) == 0 || w.items[len(w.items)-1].kind != itemSpec { // extern "C"
				w.add(at, at+1, itemMark, tokLiteral)
			}
			at++
		case ':':
			w.add(at, at+1, itemMark, ':')
			at++
			if w.label() {
				w.items = w.items[:0]
				return at - 1
			}
		case '<':
			if len(w.items) > 0 && w.isOperator(w.items[len(w.items)-1]) {
				at = w.operatorEnd(at)
				continue
			}
			w.add(at, at+1, itemMark, t.kind)
			at++
		default:
			w.add(at, at+1, itemMark, t.kind)
			at++
		}
	}
}

func (w *headWalk) add(from, to int, k itemKind, mark byte) {
	w.items = append(w.items, headItem{int32(from), int32(to - 1), k, mark})
}

func (w *headWalk) isOperator(it headItem) bool {
	return it.kind == itemOther && w.text(int(it.last)) == "operator"
}

// operatorEnd is the token behind an operator's symbol, which begins at at.
func (w *headWalk) operatorEnd(at int) int {
	for w.tok(at).kind != '(' && w.tok(at).kind != tokEnd && w.tok(at).kind != ';' && w.tok(at).kind != tokDirective {
		at++
	}
	return at
}

// label reports whether the items are `public:` or its like.
func (w *headWalk) label() bool {
	switch w.text(int(w.items[0].first)) {
	case "public", "private", "protected":
		if len(w.items) == 3 { // public slots:
			w.hide(w.items[1])
		}
		return len(w.items) <= 3
	case "signals", "Q_SIGNALS":
		return len(w.items) == 2
	}
	return false
}

// skip is the token behind the group that opens at at; of one that nothing closes,
// the first that ends the declaration.
func (w *headWalk) skip(at int) int {
	depth := 0
	for i := at; ; i++ {
		switch w.tok(i).kind {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth <= 0 {
				return i + 1
			}
		case tokEnd:
			return i
		}
	}
}

// name reads the name at at, with what :: joins to it and its template arguments,
// and says what it is.
func (w *headWalk) name(at int) (next int, k itemKind) {
	if k = headKeyword(w.text(at)); k != itemName {
		return at + 1, k
	}
	for {
		at++
		if w.tok(at).kind == '<' && w.cpp {
			if next := w.angles(at); next > at {
				at = next
			}
		}
		if w.tok(at).kind != tokScope || w.tok(at+1).kind != tokWord || w.text(at+1) == "operator" {
			return at, itemName
		}
		at++
	}
}

// maxAngles bounds how far the end of template arguments is looked for.
const maxAngles = 2000

// angles is the token behind the template arguments that begin at at, or at if
// they are none.
func (w *headWalk) angles(at int) int {
	depth, paren := 0, 0
	for i := at; i < at+maxAngles; i++ {
		switch w.tok(i).kind {
		case '<':
			if paren == 0 {
				depth++
			}
		case '>':
			if paren == 0 {
				depth--
			}
			if depth == 0 {
				return i + 1
			}
		case '(', '[', '{':
			paren++
		case ')', ']', '}':
			if paren--; paren < 0 {
				return at
			}
		case ';', tokDirective, tokEnd:
			return at
		}
	}
	return at
}

// templateHead is the token behind the parameters of a template, of which it
// blanks those that are macros: `template <class T, ENABLE_IF(x)>`.
func (w *headWalk) templateHead(at int) int {
	end := w.angles(at)
	for i := at; i < end; i++ {
		if w.tok(i).kind != tokWord || w.tok(i+1).kind != '(' || !w.isMacro(headItem{first: int32(i), last: int32(i)}) {
			continue
		}
		next := w.skip(i + 1)
		if before := w.tok(i - 1); before.kind == ',' || before.kind == '<' {
			w.hide(headItem{int32(i), int32(i), itemName, 0})
			w.hide(headItem{int32(i + 1), int32(next - 1), itemGroup, '('})
			if before.kind == ',' {
				w.masker.blank = append(w.masker.blank, byteRange{before.start, before.end})
			}
		}
		i = next - 1
	}
	return end
}

func isAccessWord(s string) bool { return s == "public" || s == "private" || s == "protected" }

// headKeyword is what a word is in a head.
func headKeyword(s string) itemKind {
	switch s {
	case "int", "char", "void", "short", "long", "float", "double", "unsigned", "signed", "bool", "_Bool", "auto", "wchar_t", "char8_t", "char16_t",
		"char32_t", "__int128", "size_t", "ssize_t", "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "typename":
		return itemBuiltin
	case "struct", "class", "union", "enum":
		return itemTag
	case "static", "extern", "inline", "const", "volatile", "register", "constexpr", "consteval", "constinit", "virtual", "explicit", "friend",
		"mutable", "thread_local", "__inline", "__inline__", "__forceinline", "restrict", "__restrict", "__extension__", "_Noreturn", "_Thread_local",
		"__thread", "alignas", "_Alignas", "__declspec", "__attribute__", "__attribute", "_Atomic", "__cdecl", "__stdcall", "__fastcall", "export":
		return itemSpec
	case "template", "namespace", "typedef", "using", "concept":
		return itemDecl
	case "noexcept", "override", "final", "throw", "try", "asm", "__asm__", "__asm":
		return itemAfter
	case "operator", "requires", "decltype", "typeof", "__typeof__", "static_assert", "_Static_assert", "if", "for", "while", "switch", "return", "do",
		"else", "case", "default", "goto", "new", "delete", "public", "private", "protected", "import", "module":
		return itemOther
	}
	return itemName
}

// hide blanks an item and notes it as a macro.
func (w *headWalk) hide(it headItem) {
	r := byteRange{w.tok(int(it.first)).start, w.tok(int(it.last)).end}
	w.masker.blank = append(w.masker.blank, r)
	if it.kind == itemName {
		w.names = append(w.names, byteRange{r.start, w.tok(int(it.first)).end})
	}
}

// body goes past what follows a head that ends at token end: into scopes, over
// everything else.
func (w *headWalk) body(end int) int {
	switch w.tok(end).kind {
	case '{':
		if w.entersScope() {
			w.class = append(w.class, w.className())
			return end + 1
		}
		end = w.skip(end)
		if w.declaresMore() { // struct {…} x;
			return w.value(end)
		}
		return end
	case '=':
		return w.value(end)
	case ';', ':':
		return end + 1
	}
	return end
}

// value is the token behind the semicolon that ends an initializer.
func (w *headWalk) value(at int) int {
	for {
		switch w.tok(at).kind {
		case ';':
			return at + 1
		case '(', '{', '[':
			at = w.skip(at)
		case '}', tokEnd, tokDirective:
			return at
		default:
			at++
		}
	}
}

// entersScope reports whether the brace behind the items holds declarations.
func (w *headWalk) entersScope() bool {
	tag := false
	for i, it := range w.items {
		switch {
		case it.kind == itemDecl && w.text(int(it.first)) == "namespace":
			return true
		case it.kind == itemSpec && w.text(int(it.first)) == "extern" && w.literalAfter(i):
			return true
		case it.kind == itemTag && w.text(int(it.first)) == "enum":
			return false
		case it.kind == itemTag:
			tag = true
		case it.kind == itemMark && it.mark == ':':
			return tag
		}
	}
	return tag && len(w.items) > 0 && (w.items[len(w.items)-1].kind != itemGroup || w.items[len(w.items)-1].mark == '[')
}

// literalAfter reports whether a string follows item i: extern "C".
func (w *headWalk) literalAfter(i int) bool {
	return w.tok(int(w.items[i].last)+1).kind == tokLiteral
}

// declaresMore reports whether the brace behind the items belongs to a type, so
// that names may follow it.
func (w *headWalk) declaresMore() bool {
	for _, it := range w.items {
		if it.kind == itemTag {
			return true
		}
	}
	return false
}

// className is the token that names the class of the items, -1 if they are none.
func (w *headWalk) className() int32 {
	for i, it := range w.items {
		if it.kind != itemTag {
			continue
		}
		name := int32(-1)
		for _, n := range w.items[i+1:] {
			if n.kind == itemMark {
				break
			}
			if n.kind == itemName {
				name = w.live[n.first]
			}
		}
		return name
	}
	return -1
}

// inClass reports whether name is that of the class around.
func (w *headWalk) inClass(at int) bool {
	if n := len(w.class); n > 0 && w.class[n-1] >= 0 {
		t := w.tokens[w.class[n-1]]
		return bytes.Equal(w.src[t.start:t.end], []byte(w.text(at)))
	}
	return false
}
