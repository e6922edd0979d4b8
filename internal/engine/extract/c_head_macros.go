package extract

// analyse finds the macros among the items of a head that ends at token end.
func (w *headWalk) analyse(end int) {
	items := w.items
	for len(items) > 0 {
		n := w.leading(items, end)
		if n == 0 {
			break
		}
		items = items[n:]
	}
	w.items = items
	if len(items) == 0 {
		return
	}
	run := w.specifierRun(items)
	switch {
	case run > 0 && w.record(items[:run], items[run:], end):
	case run > 1:
		w.specifierMacros(items, run, end)
	}
	w.suffixes(items)
}

// leading is the number of items at the front that are a macro on its own, which
// it blanks, or part of every declaration: attributes, template heads.
func (w *headWalk) leading(items []headItem, end int) int {
	it := items[0]
	switch {
	case it.kind == itemGroup && it.mark == '[', it.kind == itemDecl && w.text(int(it.first)) == "template":
		return 1
	case it.kind != itemName || it.first != it.last:
		return 0
	}
	if len(items) == 1 {
		if k := w.tok(end).kind; k == tokDirective || k == tokEnd || k == '}' || k == tokWord {
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
		if w.tok(int(it.first)).newline && w.tok(int(next.first)).newline && w.isMacro(it) && len(items) > 2 &&
			(items[2].kind != itemGroup || w.emptyLine(it, next)) {
			w.hide(it)
			return 1
		}
	}
	return 0
}

// leadingCall handles MACRO(…) at the front: alone, around a type, or before one.
func (w *headWalk) leadingCall(items []headItem, end int) int {
	it, group := items[0], items[1]
	if len(items) == 2 {
		k := w.tok(end).kind
		if k == tokDirective || k == tokEnd || k == '}' || k == tokWord || k == ';' && w.isMacro(it) && w.mixesTypes(group) {
			w.hide(it)
			w.hide(group)
			return 2
		}
		return 0
	}
	next := items[2]
	newline := w.tok(int(next.first)).newline
	switch next.kind {
	case itemTag, itemSpec, itemDecl, itemBuiltin:
		if !w.isMacro(it) && w.oldStyle(group) {
			return 0 // f(a) int a; {…}
		}
	case itemName:
		if !w.isMacro(it) && (w.oldStyle(group) || newline) {
			return 0
		}
	case itemMark:
		if next.mark != '*' {
			return 0
		}
	case itemOther:
		if w.text(int(next.first)) != "operator" || w.inClass(int(it.first)) {
			return 0
		}
	default:
		return 0
	}
	switch typed := w.typed(items[2:]); {
	case typed || newline:
		w.hide(it)
		w.hide(group)
	case w.holdsType(group):
		w.hide(it)
		w.unwrap(group)
	default: // the macro's name stands for the type
		w.hide(group)
	}
	return 2
}

// mixesTypes reports whether a group holds values and types: it is neither
// the parameters of a function nor the arguments of a call.
func (w *headWalk) mixesTypes(group headItem) bool {
	value, typ := false, false
	for i := int(group.first) + 1; i < int(group.last); i++ {
		next := w.tok(i + 1).kind
		if next != ',' && next != ')' {
			continue
		}
		switch text := w.text(i); {
		case w.tok(i).kind == tokLiteral, text == "true", text == "false":
			value = true
		case w.tok(i).kind == '*', headKeyword(text) == itemBuiltin:
			typ = true
		}
	}
	return value && typ
}

// unwrap blanks the parentheses around a type.
func (w *headWalk) unwrap(group headItem) {
	for _, t := range [...]int32{group.first, group.last} {
		r := w.tok(int(t))
		w.masker.blank = append(w.masker.blank, byteRange{r.start, r.end})
	}
}

// holdsType reports whether a group is a type: MACRO(T) in place of T.
func (w *headWalk) holdsType(group headItem) bool {
	for i := group.first + 1; i < group.last; i++ {
		switch k := w.tok(int(i)).kind; k {
		case tokWord, '*', '&', tokScope, '<', '>':
		default:
			return false
		}
	}
	return group.last-group.first >= 2
}

// typed reports whether the items have a type and a name.
func (w *headWalk) typed(items []headItem) bool {
	names := 0
	for _, it := range items {
		switch {
		case it.kind == itemBuiltin || it.kind == itemTag || it.kind == itemDecl:
			return true
		case it.kind == itemName && !w.isMacro(it):
			names++
		case it.kind == itemSpec || it.kind == itemName:
		case it.kind == itemMark && (it.mark == '*' || it.mark == '&'):
		default:
			return names > 1
		}
	}
	return names > 1
}

// oldStyle reports whether a group could be the parameters of a K&R definition:
// plain names.
func (w *headWalk) oldStyle(group headItem) bool {
	for i := group.first + 1; i < group.last; i++ {
		if k := w.tok(int(i)).kind; k != tokWord && k != ',' {
			return false
		}
	}
	return group.last-group.first >= 2
}

func (w *headWalk) isMacro(it headItem) bool {
	if it.first != it.last {
		return false
	}
	t := w.tok(int(it.first))
	return isMacroName(w.src[t.start:t.end])
}

// specifierRun is the number of items up to the first that ends the words in front
// of a declarator.
func (w *headWalk) specifierRun(items []headItem) int {
	for i, it := range items {
		switch it.kind {
		case itemGroup:
			if i > 0 && it.mark == '(' && items[i-1].kind == itemSpec { // alignas(…)
				continue
			}
			if i > 0 && it.mark == '[' && w.tok(int(it.first)+1).kind == '[' { // [[attribute]]
				continue
			}
			if it.mark == '(' && i > 0 && i+1 < len(items) && w.groupIsMacro(items, i) {
				continue
			}
			return i
		case itemMark, itemAfter, itemOther:
			return i
		}
	}
	return len(items)
}

// groupIsMacro reports whether the group at i, behind a macro's name, is followed
// by more of the specifiers: `static ALIGNED(16) int x`.
func (w *headWalk) groupIsMacro(items []headItem, i int) bool {
	if !w.isMacro(items[i-1]) {
		return false
	}
	tagged := i > 1 && items[i-2].kind == itemTag
	switch next := items[i+1]; next.kind {
	case itemBuiltin, itemTag, itemSpec:
		return true
	case itemName:
		return tagged || i+2 < len(items) && (items[i+2].kind == itemName || items[i+2].kind == itemMark && items[i+2].mark == '*') ||
			i+2 < len(items) && items[i+2].kind == itemGroup && !w.isMacro(next)
	}
	return false
}

// record handles the head of a class: of several names before the body or the
// base classes the last is its name. It reports whether the run is one.
func (w *headWalk) record(run, rest []headItem, end int) bool {
	tag := -1
	for i, it := range run {
		if it.kind == itemTag && (tag < 0 || i == tag+1) {
			tag = i
		}
	}
	if tag < 0 {
		return false
	}
	opens := len(rest) > 0 && (rest[0].kind == itemMark && rest[0].mark == ':' || rest[0].kind == itemAfter) || len(rest) == 0 && w.tok(end).kind == '{'
	if !opens && !(len(rest) == 0 && w.tok(end).kind == ';' && w.text(int(run[tag].first)) == "class") {
		return false
	}
	last := -1
	for i := tag + 1; i < len(run); i++ {
		if run[i].kind == itemName {
			last = i
		}
	}
	for i := tag + 1; i < last; i++ {
		if run[i].kind == itemName && (w.isMacro(run[i]) || opens && (len(rest) > 0 || w.text(int(run[tag].first)) == "class")) {
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

// specifierMacros blanks the macros among the words before a declarator.
func (w *headWalk) specifierMacros(items []headItem, run, end int) {
	specs := items[:run]
	named := run == len(items) || items[run].kind != itemMark || items[run].mark != '*' && items[run].mark != '&'
	if named && run < len(items) && items[run].kind == itemOther {
		named = false // operator is the name
	}
	if named && specs[run-1].kind == itemName {
		last := specs[run-1]
		specs = specs[:run-1]
		if w.isMacro(last) && (run == len(items) || items[run].kind == itemMark) && w.types(specs) > 1 && !w.isMacro(specs[len(specs)-1]) {
			w.hide(last) // T x MACRO;
			specs = specs[:len(specs)-1]
		}
		if len(specs) > 0 && run < len(items) && items[run].kind == itemGroup && w.inClass(int(last.first)) {
			w.hideNames(specs, -1) // MACRO A(…)
			return
		}
	}
	keep, builtin, pairs := -1, false, 0
	for i, it := range specs {
		switch {
		case it.kind == itemBuiltin:
			builtin = true
		case it.kind == itemTag:
			builtin = true
			pairs = i + 1
		case it.kind == itemName && !(pairs > 0 && i == pairs):
			if keep < 0 || !w.isMacro(it) {
				keep = i
			}
		}
	}
	if builtin {
		keep = pairs
		if pairs == 0 {
			keep = -1
		}
	}
	w.hideNames(specs, keep)
}

// types is the number of names and types among specifiers.
func (w *headWalk) types(specs []headItem) int {
	n := 0
	for _, it := range specs {
		if it.kind == itemName || it.kind == itemBuiltin || it.kind == itemTag {
			n++
		}
	}
	return n
}

// hideNames blanks the names among specs but the one at keep, with the groups
// behind them.
func (w *headWalk) hideNames(specs []headItem, keep int) {
	for i, it := range specs {
		if it.kind != itemName || i == keep {
			continue
		}
		w.hide(it)
		if i+1 < len(specs) && specs[i+1].kind == itemGroup {
			w.hide(specs[i+1])
		}
	}
}

// suffixes blanks the macros behind the parameters of a function.
func (w *headWalk) suffixes(items []headItem) {
	i := 0
	for i < len(items) && !(items[i].kind == itemGroup && items[i].mark == '(' && i > 0 && items[i-1].kind != itemSpec) {
		i++
	}
	for i++; i < len(items); i++ {
		switch it := items[i]; it.kind {
		case itemGroup, itemAfter, itemSpec:
		case itemName:
			last := i+1 == len(items)
			called := !last && items[i+1].kind == itemGroup
			if !w.isMacro(it) && !last && !called && items[i+1].kind != itemAfter && items[i+1].kind != itemMark {
				return // the types of K&R parameters
			}
			if !last && !called && items[i+1].kind == itemMark && items[i+1].mark != tokArrow && items[i+1].mark != ':' {
				return
			}
			w.hide(it)
			if called {
				w.hide(items[i+1])
				i++
			}
		default:
			return
		}
	}
}

// emptyLine reports whether an empty line stands between two items.
func (w *headWalk) emptyLine(a, b headItem) bool {
	breaks := 0
	for _, c := range w.src[w.tok(int(a.last)).end:w.tok(int(b.first)).start] {
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
