package extract

import (
	"strings"

	"ken/internal/code"
	"ken/internal/engine/extract/lexical"
	"ken/internal/engine/extract/rustword"
)

// attributePath returns the path node of an attribute item ("derive", "tokio::main").
func (r *rust) attributePath(item node) node {
	return r.firstNamed(r.childKind(item, rsAttribute))
}

// attribute returns the attribute called name of the next item, or none.
func (r *rust) attribute(name string) node {
	for _, a := range r.attributes {
		if r.str(r.attributePath(a)) == name {
			return a
		}
	}
	return none
}

func (r *rust) attributeText(item node) string {
	v := r.child(r.childKind(item, rsAttribute), rsfValue)
	return r.str(r.childKind(v, rsStringContent))
}

// flush records the references in the attributes that were collected for the next item.
func (r *rust) flush() {
	for _, a := range r.attributes {
		r.decorate(r.childKind(a, rsAttribute))
	}
	r.attributes = r.attributes[:0]
}

// decorate records references to the names in an attribute: its own, unless the compiler
// defines it, and the traits that it derives.
func (r *rust) decorate(attr node) {
	path := r.firstNamed(attr)
	switch r.kind(path) {
	case rsIdentifier:
		name := r.str(path)
		switch {
		case name == "derive" || name == "cfg_attr":
			r.derives(r.child(attr, rsfArguments), name == "derive")
		case !rustword.Attribute(name):
			r.nameRef(path, code.RefDecorate)
			r.attributeTokens(r.child(attr, rsfArguments))
		}
	case rsScopedIdentifier:
		if first, _, _ := strings.Cut(r.str(path), "::"); !rustword.Attribute(first) {
			r.path(path, code.RefDecorate)
			r.attributeTokens(r.child(attr, rsfArguments))
		}
	}
}

// attributeTokens records references to the paths and values in the arguments of an
// attribute that a macro reads: value_parser = Size::parse. Other names in it belong to
// the macro.
func (r *rust) attributeTokens(tokens node) {
	before := none
	for c := r.first(tokens); c != none; c = r.sibling(c) {
		switch {
		case r.kind(c) == rsTokenTree:
			r.attributeTokens(c)
		case !r.isSegment(c):
		case r.pathEnd(c) != c, r.str(before) == "=", lexical.IsUpper(r.str(c)):
			c = r.tokenName(c, before)
		}
		before = c
	}
}

// derives records references to the paths in a derive, or in the derives inside a
// cfg_attr.
func (r *rust) derives(tokens node, derive bool) {
	nested := false
	for c := r.first(tokens); c != none; c = r.sibling(c) {
		switch {
		case r.kind(c) == rsTokenTree && nested:
			r.derives(c, true)
		case derive && r.isSegment(c):
			c = r.tokenPath(c, code.RefDecorate)
		}
		nested = r.kind(c) == rsIdentifier && r.str(c) == "derive"
	}
}

// innerAttribute reads #![…]. #![cfg(test)] at the top makes the whole file test code.
func (r *rust) innerAttribute(n node) {
	attr := r.childKind(n, rsAttribute)
	testOnly := r.str(r.firstNamed(attr)) == "cfg" && r.text(r.child(attr, rsfArguments)) == "(test)"
	if testOnly && r.parent(n) == root {
		r.facts.IsTest = true
	}
	r.decorate(attr)
}

// doc returns the doc comments and #[doc = "…"] attributes before an item that begins
// at start. Other attributes may be between them.
func (r *rust) doc(start uint32) string {
	parts := make([]string, 0, 4)
	add := func(s string) {
		if s != "" {
			parts = append(parts, s)
		}
	}
	for _, a := range r.attributes {
		add(r.docBefore(r.start(a), rustword.IsDoc))
		if r.str(r.attributePath(a)) == "doc" {
			add(strings.TrimSpace(r.attributeText(a)))
		}
	}
	add(r.docBefore(start, rustword.IsDoc))
	switch len(parts) {
	case 0:
		return ""
	case 1:
		return lexical.Cut(parts[0], code.MaxDoc)
	}
	return lexical.Cut(strings.Join(parts, "\n"), code.MaxDoc)
}

// innerDoc returns the text of the //! and /*! comments at the head of a file or
// module block.
func (r *rust) innerDoc(n node) string {
	var found []node
	for c := r.first(n); c != none && len(found) < 64; c = r.sibling(c) {
		switch r.kind(c) {
		case rsLineComment, rsBlockComment:
			if s := r.str(c); strings.HasPrefix(s, "//!") || strings.HasPrefix(s, "/*!") {
				found = append(found, c)
			}
		case rsInnerAttribute:
		default:
			if r.isNamed(c) {
				return r.docText(found)
			}
		}
	}
	return r.docText(found)
}
