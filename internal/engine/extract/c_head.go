package extract

import "bytes"

// Heads of declarations: the part of one before its semicolon, body or initializer.
// A name there that can be neither type nor declared name is a macro:
// `EXPORT int f(void)`, `class API A {`, `int f() UNUSED;`, `BEGIN_DECLS`. They are
// blanked because the grammar has no room for them and would misread the whole
// declaration. Keywords decide first which of several names is the type, then the
// convention that macros are in capitals. Only heads outside of functions are
// looked at: inside, a macro reads like an expression.

// headItem is a part of a head: a name, with all its :: parts and template
// arguments; a group in parentheses or brackets; another mark.
type headItem struct {
	first, last int32 // tokens
	kind        itemKind
	mark        byte
}

// isMark reports whether the item is the punctuation mark c.
func (it headItem) isMark(c byte) bool { return it.kind == itemMark && it.mark == c }

// isGroup reports whether the item is a group that opens with the bracket c.
func (it headItem) isGroup(c byte) bool { return it.kind == itemGroup && it.mark == c }

// isPointer reports whether the item is the * or & in front of a declared name.
func (it headItem) isPointer() bool { return it.isMark('*') || it.isMark('&') }

// itemAt returns item i, or an item of kind itemNone if there are fewer.
func itemAt(items []headItem, i int) headItem {
	if i < len(items) {
		return items[i]
	}
	return headItem{kind: itemNone}
}

type itemKind uint8

const (
	itemName    itemKind = iota // an identifier
	itemBuiltin                 // a keyword that names a type: int, auto
	itemTag                     // struct, class, union, enum
	itemSpec                    // a keyword that modifies a declaration: static, const
	itemDecl                    // a keyword that begins a declaration: namespace, template, typedef
	itemAfter                   // a keyword that follows parameters: noexcept, override
	itemOther                   // operator, requires, …: analysis stops
	itemGroup                   // (…) or […]
	itemMark
	itemNone // no item
)

// headWalk walks over the heads of the declarations of a file: the parts before body, initializer or semicolon.
type headWalk struct {
	*masker
	nextBlank  int        // first range of blank that the walk has not passed
	live       []int32    // tokens that are not blanked; positions are indexes in it
	items      []headItem // of the head that is read
	classNames []int32    // tokens of the names of the classes around, -1 for other scopes
}

// blankHeadMacros blanks the macros in heads of declarations, so that the grammar can parse the declarations.
func (m *masker) blankHeadMacros() {
	w := headWalk{masker: m}
	for i := range m.tokens {
		if !w.isBlanked(m.tokens[i].start) {
			w.live = append(w.live, int32(i))
		}
	}
	for pos := 0; pos < len(w.live); {
		pos = w.declaration(pos)
	}
}

// isBlanked reports whether the byte at off is blanked already. Offsets must be
// asked for in ascending order, because the ranges are passed only once.
func (w *headWalk) isBlanked(off uint32) bool {
	for w.nextBlank < len(w.masker.blank) && w.masker.blank[w.nextBlank].end <= off {
		w.nextBlank++
	}
	return w.nextBlank < len(w.masker.blank) && w.masker.blank[w.nextBlank].start <= off
}

// token returns the token at position pos, or the last token of the file if pos is after the end.
func (w *headWalk) token(pos int) *cToken {
	if pos >= len(w.live) {
		return &w.tokens[len(w.tokens)-1]
	}
	return &w.tokens[w.live[pos]]
}

func (w *headWalk) text(pos int) string {
	t := w.token(pos)
	return string(w.src[t.start:t.end])
}

// declaration reads the head at pos with its body or initializer, and returns
// the position after them.
func (w *headWalk) declaration(pos int) int {
	switch w.token(pos).kind {
	case tokDirective, ';', tokEnd:
		return pos + 1
	case '}':
		if n := len(w.classNames); n > 0 {
			w.classNames = w.classNames[:n-1]
		}
		return pos + 1
	}
	end := w.collect(pos)
	w.blankMacros(end)
	return w.skipBody(end)
}

// collect lists the items of a head from token pos on, and returns the position of its end.
func (w *headWalk) collect(pos int) (end int) {
	w.items = w.items[:0]
	for {
		t := w.token(pos)
		switch t.kind {
		case ';', '{', '}', '=', tokDirective, tokEnd:
			if t.kind == '=' && w.afterOperator() {
				pos = w.operatorEnd(pos)
				continue
			}
			return pos
		case '(', '[':
			next := w.groupEnd(pos)
			w.addItem(pos, next, itemGroup, t.kind)
			pos = next
		case tokWord:
			if len(w.items) > 0 && w.token(pos+1).kind == ':' && isAccessWord(w.text(pos)) {
				return pos
			}
			next, k := w.readName(pos)
			w.addItem(pos, next, k, 0)
			if pos = next; k == itemDecl && w.token(pos).kind == '<' {
				pos = w.templateHead(pos)
			}
		case tokLiteral:
			if len(w.items) == 0 || w.items[len(w.items)-1].kind != itemSpec { // extern "C"
				w.addItem(pos, pos+1, itemMark, tokLiteral)
			}
			pos++
		case ':':
			w.addItem(pos, pos+1, itemMark, ':')
			pos++
			if w.isLabel() {
				w.items = w.items[:0]
				return pos - 1
			}
		case '<':
			if w.afterOperator() {
				pos = w.operatorEnd(pos)
				continue
			}
			w.addItem(pos, pos+1, itemMark, t.kind)
			pos++
		default:
			w.addItem(pos, pos+1, itemMark, t.kind)
			pos++
		}
	}
}

func (w *headWalk) addItem(from, to int, k itemKind, mark byte) {
	w.items = append(w.items, headItem{int32(from), int32(to - 1), k, mark})
}

// afterOperator reports whether the last item is the word operator, so that the
// symbol of an operator follows.
func (w *headWalk) afterOperator() bool {
	if len(w.items) == 0 {
		return false
	}
	it := w.items[len(w.items)-1]
	return it.kind == itemOther && w.text(int(it.last)) == "operator"
}

// operatorEnd returns the position after an operator's symbol, which begins at pos.
func (w *headWalk) operatorEnd(pos int) int {
	for {
		switch w.token(pos).kind {
		case '(', ';', tokDirective, tokEnd:
			return pos
		}
		pos++
	}
}

// isLabel reports whether the items are an access label such as `public:`.
func (w *headWalk) isLabel() bool {
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

// groupEnd returns the position after the group in parentheses or brackets that
// opens at pos, or the end of the file if it is not closed.
func (w *headWalk) groupEnd(pos int) int {
	depth := 0
	for i := pos; ; i++ {
		switch w.token(i).kind {
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

// readName reads the name at pos, with its :: parts and template arguments, and
// returns its kind.
func (w *headWalk) readName(pos int) (next int, k itemKind) {
	if k = headKeyword(w.text(pos)); k != itemName {
		return pos + 1, k
	}
	for {
		pos++
		if w.token(pos).kind == '<' && w.cpp {
			if next := w.templateArgsEnd(pos); next > pos {
				pos = next
			}
		}
		if w.token(pos).kind != tokScope || w.token(pos+1).kind != tokWord || w.text(pos+1) == "operator" {
			return pos, itemName
		}
		pos++
	}
}

// maxAngles is the number of tokens in which the end of template arguments is looked for.
const maxAngles = 2000

// templateArgsEnd returns the position after the template arguments that begin at
// pos, or pos if the `<` there begins none.
func (w *headWalk) templateArgsEnd(pos int) int {
	depth, paren := 0, 0
	for i := pos; i < pos+maxAngles; i++ {
		switch w.token(i).kind {
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
				return pos
			}
		case ';', tokDirective, tokEnd:
			return pos
		}
	}
	return pos
}

// templateHead returns the position after the parameters of a template. It blanks
// parameters that are macros: `template <class T, ENABLE_IF(x)>`.
func (w *headWalk) templateHead(pos int) int {
	end := w.templateArgsEnd(pos)
	for i := pos; i < end; i++ {
		if w.token(i).kind != tokWord || w.token(i+1).kind != '(' || !w.isMacro(headItem{first: int32(i), last: int32(i)}) {
			continue
		}
		next := w.groupEnd(i + 1)
		if before := w.token(i - 1); before.kind == ',' || before.kind == '<' {
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

// headKeyword returns the kind of a word in the head of a declaration.
func headKeyword(s string) itemKind {
	switch s {
	case "int", "char", "void", "short", "long", "float", "double", "unsigned", "signed", "bool", "_Bool", "auto",
		"wchar_t", "char8_t", "char16_t", "char32_t", "__int128", "size_t", "ssize_t", "int8_t", "int16_t", "int32_t",
		"int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "typename":
		return itemBuiltin
	case "struct", "class", "union", "enum":
		return itemTag
	case "static", "extern", "inline", "const", "volatile", "register", "constexpr", "consteval", "constinit", "virtual",
		"explicit", "friend", "mutable", "thread_local", "__inline", "__inline__", "__forceinline", "restrict", "__restrict",
		"__extension__", "_Noreturn", "_Thread_local", "__thread", "alignas", "_Alignas", "__declspec", "__attribute__",
		"__attribute", "_Atomic", "__cdecl", "__stdcall", "__fastcall", "export":
		return itemSpec
	case "template", "namespace", "typedef", "using", "concept":
		return itemDecl
	case "noexcept", "override", "final", "throw", "try", "asm", "__asm__", "__asm":
		return itemAfter
	case "operator", "requires", "decltype", "typeof", "__typeof__", "static_assert", "_Static_assert", "if", "for", "while",
		"switch", "return", "do", "else", "case", "default", "goto", "new", "delete", "public", "private", "protected",
		"import", "module":
		return itemOther
	}
	return itemName
}

// hide blanks an item and records it as a macro or as the arguments of one.
func (w *headWalk) hide(it headItem) {
	r := byteRange{w.token(int(it.first)).start, w.token(int(it.last)).end}
	w.masker.blank = append(w.masker.blank, r)
	switch {
	case it.kind == itemName:
		w.macroNames = append(w.macroNames, byteRange{r.start, w.token(int(it.first)).end})
	case it.isGroup('('):
		w.macroNames = append(w.macroNames, r)
	}
}

// skipBody returns the position at which the walk continues after a head that ends
// at end. It is inside the body if that holds declarations, and after the body
// otherwise.
func (w *headWalk) skipBody(end int) int {
	switch w.token(end).kind {
	case '{':
		if w.entersScope() {
			w.classNames = append(w.classNames, w.className())
			return end + 1
		}
		end = w.groupEnd(end)
		if w.declaresMore() { // struct {…} x;
			return w.initializerEnd(end)
		}
		return end
	case '=':
		return w.initializerEnd(end)
	case ';', ':':
		return end + 1
	}
	return end
}

// initializerEnd returns the position after the semicolon that ends an initializer.
func (w *headWalk) initializerEnd(pos int) int {
	for {
		switch w.token(pos).kind {
		case ';':
			return pos + 1
		case '(', '{', '[':
			pos = w.groupEnd(pos)
		case '}', tokEnd, tokDirective:
			return pos
		default:
			pos++
		}
	}
}

// entersScope reports whether the brace after the items holds declarations.
func (w *headWalk) entersScope() bool {
	tag := false
	for i, it := range w.items {
		switch it.kind {
		case itemDecl:
			if w.text(int(it.first)) == "namespace" {
				return true
			}
		case itemSpec:
			if w.text(int(it.first)) == "extern" && w.token(int(w.items[i].last)+1).kind == tokLiteral {
				return true
			}
		case itemTag:
			if w.text(int(it.first)) == "enum" {
				return false
			}
			tag = true
		case itemMark:
			if it.mark == ':' {
				return tag
			}
		}
	}
	return tag && !w.items[len(w.items)-1].isGroup('(')
}

// declaresMore reports whether the brace after the items belongs to a type, so
// that names of variables may follow it.
func (w *headWalk) declaresMore() bool {
	if parameterGroup(w.items) < len(w.items) { // a function that returns a struct
		return false
	}
	for _, it := range w.items {
		if it.kind == itemTag {
			return true
		}
	}
	return false
}

// className returns the token that names the class that the items declare, or -1 if
// they declare none.
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

// namesClassAround reports whether the name at pos is that of the enclosing
// class, so that a constructor begins there.
func (w *headWalk) namesClassAround(pos int) bool {
	if n := len(w.classNames); n > 0 && w.classNames[n-1] >= 0 {
		t := w.tokens[w.classNames[n-1]]
		return bytes.Equal(w.src[t.start:t.end], []byte(w.text(pos)))
	}
	return false
}
