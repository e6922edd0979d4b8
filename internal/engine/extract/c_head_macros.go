package extract

import "slices"

// blankMacros finds the macros among the items of a head that ends at token end
// and blanks them.
func (w *headWalk) blankMacros(end int) {
	items := w.plainMacros(w.items, end)
	for len(items) > 0 {
		n := w.leadingMacro(items, end)
		if n == 0 {
			break
		}
		items = items[n:]
	}
	items = w.trailingCalls(items)
	w.items = items
	if len(items) == 0 {
		return
	}
	run := w.specifierRun(items)
	switch {
	case run > 0 && w.recordMacros(items[:run], items[run:], end):
	case run > 1:
		w.specifierMacros(items, run, end)
	}
	declarator := items[max(run-1, 0):]
	w.parameterMacros(declarator)
	w.suffixMacros(declarator)
}

// plainMacros blanks what needs no look at the rest of a head, and returns the items without it: a macro
// between the type and the name of a function whose arguments are literals, `void printflike(1, 2) f(…)`, the
// arguments of one that stands for a type, `typedef LIST(a, b) c`, and the word template of an explicit instantiation.
func (w *headWalk) plainMacros(items []headItem, end int) []headItem {
	if len(items) > 0 && w.text(int(items[0].first)) == "typedef" {
		return w.typedefMacro(items)
	}
	for i := 0; i+1 < len(items); i++ {
		switch it := items[i]; {
		case w.isInstantiation(it, items[i+1], end):
			begin := w.token(int(items[0].first)).start // with extern
			w.masker.blank = append(w.masker.blank, byteRange{begin, w.token(int(it.first)).end})
			return items[i+1:]
		case i > 0 && it.kind == itemName && itemAt(items, i+2).kind == itemName && w.holdsLiterals(items[i+1]):
			w.hide(it)
			w.hide(items[i+1])
			return slices.Delete(items, i, i+2)
		}
	}
	return items
}

// isInstantiation reports whether an item is the word template of an explicit instantiation of a class.
func (w *headWalk) isInstantiation(it, next headItem, end int) bool {
	isTemplate := it.kind == itemDecl && w.text(int(it.first)) == "template" && w.token(int(it.last)+1).kind != '<'
	return isTemplate && next.kind == itemTag && w.token(end).kind == ';'
}

// typedefMacro blanks the arguments of a macro that stands for the type in a typedef. It returns no items for
// `typedef T ssize_t`, whose name is one of the language to the grammar.
func (w *headWalk) typedefMacro(items []headItem) []headItem {
	if len(items) < 3 || items[1].kind != itemName {
		return items
	}
	switch {
	case len(items) == 3 && items[2].kind == itemBuiltin:
		return nil
	case len(items) == 4 && items[2].isGroup('(') && items[3].kind == itemName:
		w.hide(items[2])
		return slices.Delete(items, 2, 3)
	}
	return items
}

// holdsLiterals reports whether a group in parentheses holds literals alone.
func (w *headWalk) holdsLiterals(group headItem) bool {
	if !group.isGroup('(') {
		return false
	}
	for i := int(group.first) + 1; i < int(group.last); i++ {
		if k := w.token(i).kind; k != tokLiteral && k != ',' {
			return false
		}
	}
	return group.last-group.first >= 2
}

// parameterMacros blanks the macros in front of the types of parameters:
// `f(API_PTR const T* a, UNUSED T b)`.
func (w *headWalk) parameterMacros(items []headItem) {
	group := itemAt(items, parameterGroup(items))
	if !group.isGroup('(') {
		return
	}
	for pos := int(group.first) + 1; pos < int(group.last); pos = w.nextParameter(pos, int(group.last)) {
		it := headItem{first: int32(pos), last: int32(pos), kind: itemName}
		if w.token(pos).kind != tokWord || headKeyword(w.text(pos)) != itemName || !w.isMacro(it) {
			continue
		}
		typ := pos + 1
		for headKeyword(w.text(typ)) == itemSpec {
			typ++
		}
		if w.token(typ).kind != tokWord || typ >= int(group.last) {
			continue
		}
		switch next := w.token(typ + 1).kind; {
		case headKeyword(w.text(typ)) != itemName, next == '*', next == '&', next == tokWord:
			w.hide(it)
		}
	}
}

// nextParameter returns the position after the comma that ends the parameter at pos.
func (w *headWalk) nextParameter(pos, end int) int {
	for ; pos < end; pos++ {
		switch w.token(pos).kind {
		case '(', '[', '{':
			pos = w.groupEnd(pos) - 1
		case ',':
			return pos + 1
		}
	}
	return end
}

// leadingMacro returns the number of items at the front to skip. They are a macro
// that can be blanked by itself, or parts that every declaration may have
// (attributes, template heads).
func (w *headWalk) leadingMacro(items []headItem, end int) int {
	it := items[0]
	switch {
	case it.isGroup('['), it.kind == itemDecl && w.text(int(it.first)) == "template":
		return 1
	case it.kind != itemName || it.first != it.last:
		return 0
	}
	if len(items) == 1 {
		if cutsHead(w.token(end).kind) {
			w.hide(it)
			return 1
		}
		return 0
	}
	next := items[1]
	switch next.kind {
	case itemBuiltin, itemTag, itemDecl:
		w.hide(it)
		return 1
	case itemSpec:
		if s := w.text(int(next.first)); s != "const" && s != "volatile" && s != "alignas" {
			w.hide(it)
			return 1
		}
	case itemMark:
		if next.mark == '~' {
			w.hide(it)
			return 1
		}
	case itemGroup:
		if next.mark == '(' {
			return w.leadingCall(items, end)
		}
	case itemName: // BEGIN_DECLS, alone on its line, before `T f(…)`
		if len(items) > 2 && w.isMacroLine(it, next) && (items[2].kind != itemGroup || w.emptyLine(it, next)) {
			w.hide(it)
			return 1
		}
		if w.macroLines(items, end) {
			w.hide(it)
			return 1
		}
	}
	return 0
}

// macroLines reports whether a head consists of macros alone, with or without arguments, each on a line of its
// own. Such macros stand for fields that several structs share.
func (w *headWalk) macroLines(items []headItem, end int) bool {
	for i, it := range items {
		if i > 0 && it.isGroup('(') {
			continue
		}
		if it.kind != itemName || !w.isMacro(it) || !w.token(int(it.first)).newline {
			return false
		}
	}
	return cutsHead(w.token(end).kind)
}

// trailingCalls blanks the macros with arguments after the name of a variable or
// field, as in `T x GUARDED_BY(mu);`, and returns the items before them. The
// grammar would read such a macro as a function with its name.
func (w *headWalk) trailingCalls(items []headItem) []headItem {
	for n := len(items); n > 3 && items[n-1].isGroup('(') && items[n-2].kind == itemName && w.isMacro(items[n-2]); n = len(items) {
		if rest := items[:n-2]; !w.declaresVariable(rest) && !w.endsInMacroCall(rest) {
			break
		}
		w.hide(items[n-2])
		w.hide(items[n-1])
		items = items[:n-2]
	}
	return items
}

// declaresVariable reports whether the items are a type followed by the name of a
// variable.
func (w *headWalk) declaresVariable(items []headItem) bool {
	n := len(items)
	if n < 2 || items[n-1].isGroup('[') {
		return n > 2 && w.declaresVariable(items[:n-1])
	}
	if last := items[n-1]; last.kind != itemName || last.first != last.last || w.isMacro(last) {
		return false
	}
	types := 0
	for i, it := range items[:n-1] {
		switch {
		case it.kind == itemTag: // the name after it is part of the type
			if i+1 == n-1 {
				return false
			}
			types++
		case it.kind == itemBuiltin, it.kind == itemName && !w.isMacro(it):
			types++
		case it.kind == itemSpec, it.kind == itemName, it.isPointer():
		default:
			return false
		}
	}
	return types > 0
}

// endsInMacroCall reports whether the items are a variable followed by macros with
// arguments, and nothing else.
func (w *headWalk) endsInMacroCall(items []headItem) bool {
	n := len(items)
	if n < 4 || !items[n-1].isGroup('(') || items[n-2].kind != itemName || !w.isMacro(items[n-2]) {
		return false
	}
	return w.declaresVariable(items[:n-2]) || w.endsInMacroCall(items[:n-2])
}

// cutsHead reports whether a token of kind k ends a head although it ends no
// declaration. The text before it is then a macro that needs no semicolon.
func cutsHead(k byte) bool {
	switch k {
	case tokDirective, tokEnd, tokWord, '}':
		return true
	}
	return false
}

// isMacroLine reports whether item it is a macro that is alone on its line, with
// item next on the following line.
func (w *headWalk) isMacroLine(it, next headItem) bool {
	return w.token(int(it.first)).newline && w.token(int(next.first)).newline && w.isMacro(it)
}

// leadingCall blanks MACRO(…) at the front of a head: alone, around a type, or before a type. It returns the number of items to skip.
func (w *headWalk) leadingCall(items []headItem, end int) int {
	it, group := items[0], items[1]
	if w.namesClassAround(int(it.first)) {
		return 0
	}
	if len(items) == 2 {
		k := w.token(end).kind
		if (k == ';' || k == '{') && w.isMacro(it) && w.holdsFunction(group) {
			w.hide(it)
			w.blankParentheses(group)
			return 2
		}
		if cutsHead(k) || k == ';' && w.isMacro(it) && w.holdsTypes(group) {
			w.hide(it)
			w.hide(group)
			return 2
		}
		return 0
	}
	next := items[2]
	newline := w.token(int(next.first)).newline
	switch next.kind {
	case itemTag, itemSpec, itemDecl, itemBuiltin:
		if !w.isMacro(it) && w.isOldStyleList(group) {
			return 0 // f(a) int a; {…}
		}
	case itemName:
		if !w.isMacro(it) && (w.isOldStyleList(group) || newline) {
			return 0
		}
	case itemMark:
		if next.mark != '*' {
			return 0
		}
	case itemOther:
		if w.text(int(next.first)) != "operator" || w.namesClassAround(int(it.first)) {
			return 0
		}
	default:
		return 0
	}
	switch typed := w.hasTypeAndName(items[2:]); {
	case typed || newline:
		w.hide(it)
		w.hide(group)
	case w.holdsType(group):
		w.hide(it)
		w.blankParentheses(group)
	default: // keep the macro's name in the place of the type
		w.hide(group)
	}
	return 2
}

func (w *headWalk) blankParentheses(group headItem) {
	for _, t := range [...]int32{group.first, group.last} {
		r := w.token(int(t))
		w.masker.blank = append(w.masker.blank, byteRange{r.start, r.end})
	}
}

// holdsFunction reports whether a group in parentheses holds the head of a function: `UNUSED(static int f(int a))`.
func (w *headWalk) holdsFunction(group headItem) bool {
	switch first := int(group.first) + 1; headKeyword(w.text(first)) {
	case itemBuiltin, itemSpec, itemTag:
	default:
		if w.token(first).kind != tokWord || !w.isMacro(headItem{first: int32(first), last: int32(first)}) || w.token(first+1).kind != tokWord {
			return false
		}
	}
	for i := int(group.first) + 1; w.token(i).kind != '('; i++ {
		if i == int(group.last) || w.token(i).kind == ',' {
			return false
		}
	}
	return w.token(int(group.last)-1).kind == ')'
}

// holdsTypes reports whether one of the arguments in a group is a pointer or a type of the language, as no argument of a call is.
func (w *headWalk) holdsTypes(group headItem) bool {
	for i := int(group.first) + 1; i < int(group.last); i++ {
		next := w.token(i + 1).kind
		if isLast := next == ',' || next == ')'; isLast && (w.token(i).kind == '*' || headKeyword(w.text(i)) == itemBuiltin) {
			return true
		}
	}
	return false
}

// holdsType reports whether a group in parentheses holds a type, as in MACRO(T), which stands for T.
func (w *headWalk) holdsType(group headItem) bool {
	for i := group.first + 1; i < group.last; i++ {
		switch k := w.token(int(i)).kind; k {
		case tokWord, '*', '&', tokScope, '<', '>':
		default:
			return false
		}
	}
	return group.last-group.first >= 2
}

// hasTypeAndName reports whether the items have a type and a name.
func (w *headWalk) hasTypeAndName(items []headItem) bool {
	names := 0
	for _, it := range items {
		switch it.kind {
		case itemBuiltin, itemTag, itemDecl:
			return true
		case itemName:
			if !w.isMacro(it) {
				names++
			}
		case itemSpec:
		case itemMark:
			if !it.isPointer() {
				return names > 1
			}
		default:
			return names > 1
		}
	}
	return names > 1
}

// isOldStyleList reports whether a group in parentheses could be the
// parameters of an old K&R definition, which are plain names.
func (w *headWalk) isOldStyleList(group headItem) bool {
	for i := group.first + 1; i < group.last; i++ {
		if k := w.token(int(i)).kind; k != tokWord && k != ',' {
			return false
		}
	}
	return group.last-group.first >= 2
}

func (w *headWalk) isMacro(it headItem) bool {
	if it.first != it.last {
		return false
	}
	t := w.token(int(it.first))
	return isMacroName(w.src[t.start:t.end])
}

// specifierRun returns the number of items before the declarator, which is the
// first item that cannot be one of the specifiers of a declaration.
func (w *headWalk) specifierRun(items []headItem) int {
	for i, it := range items {
		switch it.kind {
		case itemGroup:
			if i == 0 || !w.groupOfSpecifiers(items, i) {
				return i
			}
		case itemMark, itemAfter, itemOther:
			return i
		}
	}
	return len(items)
}

// groupOfSpecifiers reports whether the group at i belongs to the word before it
// and more specifiers may follow: alignas(…), [[attribute]], ALIGNED(16).
func (w *headWalk) groupOfSpecifiers(items []headItem, i int) bool {
	if items[i].mark == '[' {
		return w.token(int(items[i].first)+1).kind == '['
	}
	return items[i-1].kind == itemSpec || i+1 < len(items) && w.groupIsMacro(items, i)
}

// groupIsMacro reports whether the group at i, after a macro's name, is followed
// by more of the specifiers: `static ALIGNED(16) int x`.
func (w *headWalk) groupIsMacro(items []headItem, i int) bool {
	if !w.isMacro(items[i-1]) {
		return false
	}
	switch next := items[i+1]; next.kind {
	case itemBuiltin, itemTag, itemSpec:
		return true
	case itemName:
		if i > 1 && items[i-2].kind == itemTag {
			return true
		}
		switch after := itemAt(items, i+2); after.kind {
		case itemName:
			return true
		case itemMark:
			return after.mark == '*'
		case itemGroup:
			return !w.isMacro(next)
		case itemNone: // static LIST(a, b) x;
			return i > 1 && !w.isMacro(next)
		}
	}
	return false
}

// recordMacros blanks the macros in the head of a class and reports whether the
// items are such a head. If several names are in front of the body or the base
// classes, the last is the name of the class.
func (w *headWalk) recordMacros(run, rest []headItem, end int) bool {
	tag := -1
	for i, it := range run {
		if it.kind == itemTag && (tag < 0 || i == tag+1) {
			tag = i
		}
	}
	if tag < 0 {
		return false
	}
	class := w.text(int(run[tag].first)) == "class"
	opens := w.opensRecord(rest, end)
	forward := class && len(rest) == 0 && w.token(end).kind == ';'
	if !opens && !forward {
		return false
	}
	last := -1
	for i := tag + 1; i < len(run); i++ {
		if run[i].kind == itemName {
			last = i
		}
	}
	lastOnly := opens && (class || len(rest) > 0) // every name but the last is a macro
	for i := tag + 1; i < last; i++ {
		if run[i].kind == itemName && (lastOnly || w.isMacro(run[i])) {
			w.hide(run[i])
			if run[i+1].kind == itemGroup {
				w.hide(run[i+1])
			}
		}
	}
	for i := 0; i < tag; i++ {
		if run[i].kind == itemName {
			w.hide(run[i])
		}
	}
	return true
}

// opensRecord reports whether rest, the items after some words, begins with the
// base classes or the body of a class.
func (w *headWalk) opensRecord(rest []headItem, end int) bool {
	if len(rest) == 0 {
		return w.token(end).kind == '{'
	}
	isBitField := w.token(int(rest[0].last)+1).kind == tokLiteral
	return rest[0].kind == itemAfter || rest[0].isMark(':') && !isBitField
}

// specifierMacros blanks the macros among the words before a declarator.
func (w *headWalk) specifierMacros(items []headItem, run, end int) {
	specs, after := items[:run], itemAt(items, run)
	named := after.kind != itemOther && !after.isPointer() // itemOther: operator is the name
	if named && specs[run-1].kind == itemName {
		last := specs[run-1]
		specs = specs[:run-1]
		isPointer := after.kind == itemGroup && w.token(int(after.first)+1).kind == '*'
		if isPointer && w.isMacro(last) && w.countTypes(specs) > 0 { // T MACRO (*f)(…);
			w.hide(last)
		}
		if (after.kind == itemNone || after.kind == itemMark) && w.isTrailingMacro(specs, last) { // T x MACRO;
			w.hide(last)
			specs = specs[:len(specs)-1]
		}
		if len(specs) > 0 && after.kind == itemGroup && (w.namesClassAround(int(last.first)) || w.isConstructor(last)) {
			w.hideNames(specs, -1) // MACRO A(…)
			return
		}
	}
	w.hideNames(specs, w.typeName(specs))
}

// isConstructor reports whether an item is the name of a constructor behind that of its class: A::A, A<T>::A.
func (w *headWalk) isConstructor(it headItem) bool {
	last := int(it.last)
	if last-int(it.first) < 2 || w.token(last-1).kind != tokScope {
		return false
	}
	class := last - 2
	if w.token(class).kind == '>' {
		for class > int(it.first) && w.token(class).kind != '<' {
			class--
		}
		class--
	}
	return w.text(class) == w.text(last)
}

// isTrailingMacro reports whether last is a macro after a declared name. That
// name is the last of specs.
func (w *headWalk) isTrailingMacro(specs []headItem, last headItem) bool {
	return w.isMacro(last) && w.countTypes(specs) > 1 && !w.isMacro(specs[len(specs)-1])
}

// typeName returns the index of the name among specifiers that is the type: the
// name after struct, class, union or enum, else the last that is no macro, else the
// first. It is -1 if a keyword is the type.
func (w *headWalk) typeName(specs []headItem) int {
	name, tagName, builtin := -1, -1, false
	for i, it := range specs {
		switch it.kind {
		case itemBuiltin:
			builtin = true
			if w.text(int(it.first)) == "typename" {
				tagName = i + 1
			}
		case itemTag:
			builtin = true
			tagName = i + 1
		case itemName:
			if i != tagName && (name < 0 || !w.isMacro(it)) {
				name = i
			}
		}
	}
	if builtin {
		return tagName
	}
	return name
}

// countTypes returns the number of names and types among specifiers.
func (w *headWalk) countTypes(specs []headItem) int {
	n := 0
	for _, it := range specs {
		switch it.kind {
		case itemName, itemBuiltin, itemTag:
			n++
		}
	}
	return n
}

// hideNames blanks all names among specs except the one at index keep, and
// the groups after them.
func (w *headWalk) hideNames(specs []headItem, keep int) {
	for i, it := range specs {
		if it.kind != itemName {
			continue
		}
		if i != keep {
			w.hide(it)
		} else if !w.isMacro(it) {
			continue
		}
		if i+1 < len(specs) && specs[i+1].kind == itemGroup {
			w.hide(specs[i+1])
		}
	}
}

// suffixMacros blanks the macros after the parameters of a function.
func (w *headWalk) suffixMacros(items []headItem) {
	for i := parameterGroup(items) + 1; i < len(items); i++ {
		switch it := items[i]; it.kind {
		case itemGroup, itemAfter, itemSpec:
		case itemName:
			next := itemAt(items, i+1)
			switch next.kind {
			case itemNone, itemGroup, itemAfter:
			case itemMark:
				if next.mark != tokArrow && next.mark != ':' {
					return
				}
			default:
				if !w.isMacro(it) {
					return // the types of K&R parameters
				}
			}
			w.hide(it)
			if next.kind == itemGroup {
				w.hide(next)
				i++
			}
		default:
			return
		}
	}
}

// parameterGroup returns the index of the item that holds the parameters of a
// function, or the number of items if there is none.
func parameterGroup(items []headItem) int {
	for i := 1; i < len(items); i++ {
		if items[i].isGroup('(') && items[i-1].kind != itemSpec && items[i-1].kind != itemOther {
			return i
		}
	}
	return len(items)
}

// emptyLine reports whether there is an empty line between two items.
func (w *headWalk) emptyLine(a, b headItem) bool {
	breaks := 0
	for _, c := range w.src[w.token(int(a.last)).end:w.token(int(b.first)).start] {
		switch c {
		case '\n':
			if breaks++; breaks == 2 {
				return true
			}
		case ' ', '\t', '\r':
		default:
			breaks = 0
		}
	}
	return false
}
