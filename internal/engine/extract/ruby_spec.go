package extract

import "strings"

// Groups of examples (RSpec): what let and subject name is known in the whole group around them and in the groups inside it, as the class
// of its value is, and described_class is the constant that the group describes. An example may run with the values of a group inside or of
// one that another file shares, so a class counts only if all of the file agree and none is shared.

// rubySpecs is what a file of examples shows of the classes of its values.
type rubySpecs struct {
	described string            // the constant of the group around, as written, "" if it is not known
	values    map[string]string // the classes of what let and subject name, "" where they disagree
	isNested  bool              // a group that describes a constant is in another one, so that described_class depends on the example
}

const (
	rubyGroups = " describe context feature xdescribe fdescribe xcontext fcontext example_group "
	rubyShares = " include_context include_examples it_behaves_like it_should_behave_like shared_examples shared_examples_for shared_context "
	rubyValues = " let let! subject subject! let_it_be given given! "
)

// readSpecs looks through a file for what its groups of examples name.
func (r *ruby) readSpecs() {
	if r.read != nil || !strings.Contains(r.text, "describe") { // text that was not parsed may hold a group
		return
	}
	type value struct {
		call      node
		described string
	}
	var values []value
	isShared, described, end := false, "", node(0)
	for c := root; c < r.after(root); c++ {
		if r.kind(c) != rbCall {
			continue
		}
		if c >= end {
			described = ""
		}
		name := " " + r.fieldStr(c, rbfMethod) + " "
		isShared = isShared || strings.Contains(rubyShares, name)
		switch of := r.describes(c); {
		case of != "" && described == "":
			described, end = of, r.after(c)
		case of != "" && of != described:
			r.specs.isNested = true
		case of == "" && r.namesValue(c):
			values = append(values, value{c, described})
		}
	}
	r.specs.values = map[string]string{}
	for _, v := range values {
		if r.specs.described = v.described; r.specs.isNested {
			r.specs.described = ""
		}
		name, typ := r.valueName(v.call), ""
		if last := r.lastOf(r.child(v.call, rbfBlock)); last != none && !isShared {
			typ = r.valueClass(last)
		}
		if had, ok := r.specs.values[name]; ok && had != typ {
			typ = ""
		}
		r.specs.values[name] = typ
	}
	r.specs.described = ""
}

// describes returns the constant that a group of examples describes, as written, "" if the call is no such group.
func (r *ruby) describes(call node) string {
	if r.child(call, rbfBlock) == none || !strings.Contains(rubyGroups, " "+r.fieldStr(call, rbfMethod)+" ") {
		return ""
	}
	if receiver := r.child(call, rbfReceiver); receiver != none && r.str(receiver) != "RSpec" {
		return ""
	}
	return r.path(r.firstNamed(r.child(call, rbfArguments)))
}

// namesValue reports whether a call gives a name to a value.
func (r *ruby) namesValue(call node) bool {
	return r.child(call, rbfReceiver) == none && strings.Contains(rubyValues, " "+r.fieldStr(call, rbfMethod)+" ")
}

// valueName returns the name that let or subject gives to a value.
func (r *ruby) valueName(call node) string {
	if s, ok := r.symbolName(r.firstNamed(r.child(call, rbfArguments))); ok {
		return s
	}
	return "subject"
}

// lastOf returns the last expression of a block, none if it has none.
func (r *ruby) lastOf(block node) node {
	last := none
	for c := r.firstNamed(block); c != none; c = r.nextNamed(c) {
		switch r.kind(c) {
		case rbBlockBody, rbBodyStatement:
			return r.lastOf(c)
		case rbComment, rbBlockParams:
		default:
			last = c
		}
	}
	return last
}

// group reads the arguments and the block of a call; in a group of examples, described_class is what that describes.
func (r *ruby) group(call node) {
	was := r.specs.described
	if of := r.describes(call); of != "" && !r.specs.isNested && r.read == nil {
		r.specs.described = of
	}
	r.arguments(call)
	r.specs.described = was
}

// bindValues binds what let and subject name directly inside a block.
func (r *ruby) bindValues(block node) {
	for c := r.firstNamed(block); c != none && len(r.specs.values) > 0; c = r.nextNamed(c) {
		switch k := r.kind(c); {
		case k == rbBlockBody || k == rbBodyStatement:
			r.bindValues(c)
		case k == rbCall && r.namesValue(c):
			name := r.valueName(c)
			r.names.bind(binding{name: name, typ: r.specs.values[name]})
		}
	}
}

// classPath returns the path of a constant, with the constant that the group of examples describes in the place of described_class, "" if n
// is none.
func (r *ruby) classPath(n node) string {
	switch r.kind(n) {
	case rbIdentifier:
		if r.str(n) == "described_class" {
			return r.specs.described
		}
	case rbScopeRes:
		if scope := r.child(n, rbfScope); scope != none && r.path(n) == "" {
			if of := r.classPath(scope); of != "" {
				return of + "::" + r.fieldStr(n, rbfName)
			}
		}
	}
	return r.path(n)
}
