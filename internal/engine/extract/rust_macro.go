package extract

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
	"ken/internal/engine/extract/rustword"
)

// invocation reads a use of a macro, m!(…), whose content is a list of tokens and has no syntax tree.
func (r *rust) invocation(n node) {
	name := r.child(n, rsfMacro)
	if r.kind(name) == rsScopedIdentifier {
		name = r.child(name, rsfName)
	}
	switch r.str(name) {
	case "macro_rules":
		r.spacedMacro(n)
		return
	case "bitflags", "lazy_static", "thread_local":
		r.flush()
		r.tokenItems(r.childKind(n, rsTokenTree))
	}
	r.flush()
	from := len(r.facts.Refs)
	r.callee(r.child(n, rsfMacro), code.RefCall)
	r.invokes(name, from, code.ArgsMacro)
	formats := r.formats
	r.formats = rustword.Formats(r.str(name))
	if c := r.childKind(n, rsTokenTree); c != none {
		r.tokens(c)
	}
	r.formats = formats
}

// invokes records the form of the reference to the name at n, that of a macro or a tuple, if it is among the references from index from
// on.
func (r *rust) invokes(n node, from int, args string) {
	for i := from; i < len(r.facts.Refs); i++ {
		if r.facts.Refs[i].Start == r.start(n) {
			r.facts.Refs[i].Args = args
		}
	}
}

// tokens records the references that can be seen in tokens without syntax: names, paths
// and members. The part before a dot is followed as in code.
func (r *rust) tokens(n node) {
	of := r.literalOf
	r.literalOf = ""
	before, recv := none, "" // the token before, and the value before a dot, as an expression
	for c := r.first(n); c != none; c = r.sibling(c) {
		switch {
		case r.str(before) == "#" && r.kind(c) == rsTokenTree:
			r.derives(c, false)
		case r.kind(c) == rsTokenTree || r.kind(c) == rsTokenRepetition:
			r.literalOf = r.literalType(c, before)
			r.tokens(c)
			recv = r.afterTree(c, before, recv)
		case r.formats && r.kind(c) == rsString:
			r.formatString(c)
		case of != "" && r.isKey(c, before):
			r.field(c, code.RefUse, of)
			if r.str(r.sibling(c)) != ":" {
				r.nameRef(c, code.RefUse)
			}
		case r.isSegment(c):
			if r.kind(before) == rsDot {
				r.tokenMember(c, recv)
				recv = r.with(recv, r.tokenStep(c))
			} else {
				recv = r.tokenValue(c)
				c = r.tokenName(c, before)
			}
		case r.kind(before) == rsDot && r.kind(c) == rsInteger:
			recv = r.with(recv, fieldStep(r.str(c)))
		case r.str(c) == "?":
			recv = r.with(recv, ".?")
		case r.kind(c) != rsDot:
			recv = ""
		}
		before = c
	}
}

// afterTree returns the value that a group of tokens in brackets yields: the result of the
// call whose arguments it holds, or an element.
func (r *rust) afterTree(tree, before node, recv string) string {
	switch {
	case r.isSegment(before) && r.isCallTokens(tree):
		return recv
	case r.isCallTokens(tree) && r.holdsRange(tree):
		return code.RecvRange
	case strings.HasPrefix(r.str(tree), "["):
		return r.with(recv, "[]")
	}
	return ""
}

// holdsRange reports whether tokens in brackets are a range, such as (1..n).
func (r *rust) holdsRange(tree node) bool {
	for c := r.first(tree); c != none; c = r.sibling(c) {
		if s := r.str(c); s == ".." || s == "..=" {
			return true
		}
	}
	return false
}

// tokenStep returns the step of a type expression that leads to the member at n, such as ".name".
func (r *rust) tokenStep(n node) string {
	name := fieldStep(r.str(n))
	if r.isCallTokens(r.sibling(n)) {
		return name + "()"
	}
	return name
}

// tokenValue returns the type expression of the name or path at n.
func (r *rust) tokenValue(n node) string {
	last := r.pathEnd(n)
	switch call := r.isCallTokens(r.sibling(last)); {
	case last == n && !call:
		if r.kind(n) == rsSelf {
			return r.self
		}
		return r.nameExpr(r.str(n))
	case last == n:
		if b := r.names.lookup(r.str(n)); b == nil || b.what != bindLocal {
			return r.str(n) + "()"
		}
	case call:
		of := none
		for c := n; c != last; c = r.sibling(r.sibling(c)) {
			of = c
		}
		typ := r.str(of)
		if typ == "Self" {
			typ = r.self
		}
		if lexical.IsUpper(typ) && !r.wraps(typ) {
			return r.with(typ, "."+r.str(last)+"()")
		}
	}
	return ""
}

// isSegment reports whether a token can be part of a path.
func (r *rust) isSegment(n node) bool {
	switch r.kind(n) {
	case rsIdentifier, rsSelf, rsSuper, rsCrate, rsPrimitiveType:
		return true
	case rsMetavariable:
		return r.str(n) == "$crate"
	}
	return r.isWord(n)
}

// isWord reports whether a token is a name, including names that are keywords in other places.
func (r *rust) isWord(n node) bool {
	return r.kind(n) == rsIdentifier || r.str(n) == "default" || r.str(n) == "union"
}

// literalType returns the type of a literal whose fields may be in a tree of tokens:
// T { field: value, short }. before is the token in front of it.
func (r *rust) literalType(tree, before node) string {
	name := r.str(before)
	if r.kind(before) != rsIdentifier || !lexical.IsUpper(name) || !strings.HasPrefix(r.str(tree), "{") {
		return ""
	}
	return r.plainType(name)
}

// isKey reports whether a token in the braces of a literal is the name of a field.
func (r *rust) isKey(n, before node) bool {
	if b := r.str(before); r.kind(n) != rsIdentifier || b != "{" && b != "," {
		return false
	}
	next := r.str(r.sibling(n))
	return next == ":" || next == "," || next == "}"
}

// formatString records references to the constants that a format string of a macro names:
// "{LIMIT:>8}". Other names in braces are variables or arguments of the macro.
func (r *rust) formatString(n node) {
	s := r.str(n)
	for at := 0; at < len(s); {
		i := strings.IndexByte(s[at:], '{')
		if i < 0 {
			return
		}
		start := at + i + 1
		if start < len(s) && s[start] == '{' { // a brace itself
			at = start + 1
			continue
		}
		end := start
		for end < len(s) && lexical.IsWord(s[end]) {
			end++
		}
		at = max(end, start)
		name := s[start:end]
		b := r.names.lookup(name)
		if name == "" || b.is(bindLocal) || b == nil && !lexical.IsUpper(name) {
			continue
		}
		ref := code.Ref{Name: name, Kind: code.RefUse, Via: code.ViaBare, Import: -1}
		switch {
		case b.is(bindNested):
			ref.Via = code.ViaLocal
		case b.is(bindImport):
			ref.Name, ref.Via, ref.Import = b.target, code.ViaImport, b.imp
		}
		ref.Start = r.start(n) + uint32(start)
		ref.End, ref.Line, ref.Scope = ref.Start+uint32(len(name)), r.line(n), r.owner
		r.facts.Refs = append(r.facts.Refs, ref)
	}
}

// isCallTokens reports whether n is a group (…) that holds the arguments of the name before it.
func (r *rust) isCallTokens(n node) bool {
	return r.kind(n) == rsTokenTree && strings.HasPrefix(r.str(n), "(")
}

// tokenMember reads the name n after a dot; recv is the type expression of the value before the dot.
func (r *rust) tokenMember(n node, recv string) {
	kind := code.RefUse
	if r.isCallTokens(r.sibling(n)) {
		kind = code.RefCall
	}
	name := strings.TrimPrefix(r.str(n), "r#")
	switch {
	case !r.isWord(n) || name == "await":
	case recv != "" && recv == r.self:
		r.ref(n, code.Ref{Name: name, Kind: kind, Via: code.ViaSelf, Recv: r.self})
	case recv == code.RecvRange || strings.ContainsAny(recv, ".([{") || recv != "" && !lexical.IsUpper(recv):
		r.field(n, kind, r.recvExpr(recv, ""))
	default:
		r.field(n, kind, recv)
	}
}

// tokenName reads the name or path at n and returns its last token.
func (r *rust) tokenName(n, before node) node {
	if before != none && rustword.Defines(r.str(before)) {
		return n
	}
	last := r.pathEnd(n)
	kind := code.RefUse
	next := r.sibling(last)
	macro := r.kind(next) == rsBang && r.kind(r.sibling(next)) == rsTokenTree
	if macro || r.isCallTokens(next) {
		kind = code.RefCall
	}
	if macro {
		from := len(r.facts.Refs)
		defer func() { r.invokes(last, from, code.ArgsMacro) }()
	}
	if last != n {
		return r.tokenPath(n, kind)
	}
	name := r.str(n)
	if r.kind(n) != rsIdentifier || len(name) == 1 && !macro { // most likely a type parameter
		return n
	}
	bound := r.str(next) == ":" || r.str(next) == "=" // a key of the macro's own
	if kind == code.RefCall || lexical.IsUpper(name) || !bound && !rustword.Keyword(name) {
		r.nameRef(n, kind)
	}
	return n
}

// pathEnd returns the last token of the path that begins at n.
func (r *rust) pathEnd(n node) node {
	for {
		sep := r.sibling(n)
		next := r.sibling(sep)
		if r.kind(sep) != rsPathSep || !r.isSegment(next) {
			return n
		}
		n = next
	}
}

// tokenPath records references to the path of tokens that begins at n and
// returns its last token. The reference to the last name has kind k.
func (r *rust) tokenPath(n node, k code.RefKind) node {
	last := r.pathEnd(n)
	if last == n {
		r.nameRef(n, k)
		return n
	}
	q := r.firstSegment(n)
	for {
		if n = r.sibling(r.sibling(n)); n == last {
			r.member(n, k, q)
			return last
		}
		q = r.nextSegment(q, n)
	}
}

// spacedMacro reads `macro_rules ! name {…}`, which the grammar takes for a call.
func (r *rust) spacedMacro(n node) {
	body := r.childKind(n, rsTokenTree)
	for c := r.first(n); c != none; c = r.sibling(c) {
		name := r.childKind(c, rsIdentifier)
		if !r.isError(c) || name == none {
			continue
		}
		s := code.Symbol{Kind: code.KindMacro, Span: r.span(n), Exported: r.attribute("macro_export") != none}
		before, _ := r.openNamed(name, s, r.end(name))
		r.tokens(body)
		r.leave(before)
		return
	}
	r.flush()
}

// tokenItems declares the structs, statics and constants in the tokens of a macro that
// is known to declare its arguments.
func (r *rust) tokenItems(n node) {
	from, attr := none, none // pub, #
	for c := r.first(n); c != none; c = r.sibling(c) {
		var kind code.Kind
		switch word := r.str(c); {
		case word == "pub":
			from = c
			continue
		case word == "#":
			if attr == none {
				attr = c
			}
			continue
		case r.isNamed(c):
			if r.kind(c) == rsIdentifier {
				from, attr = none, none
			}
			continue
		case word == "struct":
			kind = code.KindStruct
		case word == "static":
			kind = code.KindVariable
		case word == "const":
			kind = code.KindConstant
		default:
			continue
		}
		if from == none {
			from = c
		}
		sym := len(r.facts.Symbols)
		c = r.tokenItem(from, c, kind)
		if attr != none && sym < len(r.facts.Symbols) && r.facts.Symbols[sym].Doc == "" {
			r.facts.Symbols[sym].Doc = r.docBefore(r.start(attr), rustword.IsDoc)
		}
		from, attr = none, none
	}
}

// tokenItem declares the item with keyword word and returns its last token: the
// semicolon, or a struct's braces.
func (r *rust) tokenItem(from, word node, k code.Kind) node {
	name := r.sibling(word)
	for r.kind(name) == rsMutableSpecifier || r.str(name) == "ref" {
		name = r.sibling(name)
	}
	if r.kind(name) != rsIdentifier {
		return word
	}
	last, end := name, none // end of the signature
	for c := r.sibling(name); c != none; c = r.sibling(c) {
		s := r.str(c)
		braces := strings.HasPrefix(s, "{")
		if end == none && (braces || s == "=") {
			end = c
		}
		if s == ";" || braces && k == code.KindStruct {
			last = c
			break
		}
		if s != "}" && s != ")" {
			last = c
		}
	}
	stop := r.end(last)
	if end != none {
		stop = r.start(end)
	}
	s := code.Symbol{Kind: k, Span: r.spanBetween(r.start(from), r.end(last)), Exported: r.str(from) == "pub" || r.public}
	before, ok := r.openNamed(name, s, stop)
	if ok && k == code.KindStruct {
		public := r.public
		r.public = r.facts.Symbols[r.owner].Exported
		r.tokenItems(last)
		r.public = public
	}
	r.leave(before)
	return last
}
