package extract

import (
	"slices"
	"strings"

	"ken/internal/code"
)

// rubyLate is what is needed to settle a reference once all declarations of the
// file are known.
type rubyLate struct {
	what  rubyLateKind
	ref   int32  // index in Facts.Refs
	path  string // constant as written, up to the name referenced
	whole string // the whole of it
	nest  string // the namespace it stands in
}

type rubyLateKind uint8

const (
	lateNone     rubyLateKind = iota
	lateCall                  // call without receiver
	lateSelf                  // self.name
	lateWrite                 // self.name = value: name and name=
	lateSymbol                // :name that may be a method's
	lateConstant              // constant
	lateMember                // method of the constant path
)

// addLate adds a reference to be settled.
func (r *ruby) addLate(n node, ref code.Ref, l rubyLate) {
	before := len(r.facts.Refs)
	r.ref(n, ref)
	if len(r.facts.Refs) > before {
		l.ref = int32(before)
		r.late = append(r.late, l)
	}
}

// resolveLate decides the late references by what the file declares, and drops those
// that are none.
func (r *ruby) resolveLate() {
	drop := false
	for i := range r.late {
		l := &r.late[i]
		ref := &r.facts.Refs[l.ref]
		if !r.resolveLateRef(l, ref) {
			ref.Name = ""
			drop = true
		}
	}
	if drop {
		r.facts.Refs = slices.DeleteFunc(r.facts.Refs, func(x code.Ref) bool { return x.Name == "" })
	}
}

func (r *ruby) resolveLateRef(l *rubyLate, ref *code.Ref) bool {
	switch l.what {
	case lateCall:
		return r.resolveLateCall(ref)
	case lateSelf:
		r.asSelf(ref)
	case lateWrite:
		plain, setter := strings.TrimSuffix(ref.Name, "="), strings.TrimSuffix(ref.Name, "=")+"="
		if r.has(ref.Recv, plain) != r.has(ref.Recv, setter) && !r.has(ref.Recv, ref.Name) {
			return false
		}
		r.asSelf(ref)
	case lateSymbol:
		if !r.has(ref.Recv, ref.Name) {
			return false
		}
		r.asSelf(ref)
	case lateConstant:
		return r.resolveLateConstant(l, ref)
	case lateMember:
		container, ok := r.find(l.nest, l.path)
		if !ok && isRubyConstant(firstName(l.path)) {
			return false
		}
		if ref.Recv = container; !ok {
			ref.Recv = strings.ReplaceAll(strings.TrimPrefix(l.path, "::"), "::", ".")
		}
	}
	return true
}

func (r *ruby) has(container, name string) bool {
	_, ok := r.declared[rubyKey{container, name}]
	return ok
}

// asSelf makes what is called on self outside classes a plain name.
func (r *ruby) asSelf(ref *code.Ref) {
	if ref.Recv == "" {
		ref.Via = code.ViaBare
	}
}

// resolveLateCall: a method of the class around goes before a function of the file,
// that before what every object has.
func (r *ruby) resolveLateCall(ref *code.Ref) bool {
	switch {
	case ref.Recv != "" && r.has(ref.Recv, ref.Name):
	case r.has("", ref.Name):
		ref.Via, ref.Recv = code.ViaBare, ""
	case isRubyBuiltin(ref.Name):
		return false
	default:
		r.asSelf(ref)
	}
	return true
}

// resolveLateConstant binds a constant to the declaration in this file that its
// lexical scope finds first, else to an import.
func (r *ruby) resolveLateConstant(l *rubyLate, ref *code.Ref) bool {
	if q, ok := r.find(l.nest, l.path); ok {
		if i := strings.LastIndexByte(q, '.'); i >= 0 {
			ref.Via, ref.Recv = code.ViaTyped, q[:i]
		}
		return true
	}
	if isRubyConstant(firstName(l.whole)) {
		return false
	}
	ref.Via, ref.Import = code.ViaImport, r.pathImport(l, ref.Line)
	return true
}

// find is the qualified name of a declared constant seen from a namespace.
func (r *ruby) find(nest, path string) (string, bool) {
	dotted, top := strings.CutPrefix(path, "::")
	dotted = strings.ReplaceAll(dotted, "::", ".")
	inner, name := "", dotted
	if i := strings.LastIndexByte(dotted, '.'); i >= 0 {
		inner, name = dotted[:i], dotted[i+1:]
	}
	nest = strings.ReplaceAll(nest, "::", ".")
	for range rubyLevels {
		if top || nest == "" {
			break
		}
		container := nest
		if inner != "" {
			container += "." + inner
		}
		if r.has(container, name) {
			return container + "." + name, true
		}
		nest = nest[:max(strings.LastIndexByte(nest, '.'), 0)]
	}
	return dotted, r.has(inner, name)
}

// pathImport is the import of a constant other files declare.
func (r *ruby) pathImport(l *rubyLate, line uint32) int32 {
	spec := l.whole
	if l.nest != "" && !strings.HasPrefix(spec, "::") {
		spec = l.nest + ">" + spec
	}
	if i, ok := r.paths[spec]; ok {
		return i
	}
	i := int32(len(r.facts.Imports))
	r.paths[spec] = i
	name := l.whole[strings.LastIndexByte(l.whole, ':')+1:]
	r.facts.Imports = append(r.facts.Imports, code.Import{Spec: spec, Kind: code.ImportPath, Line: line, Names: []code.ImportName{{Name: name, Alias: name}}})
	return i
}

// firstName is the first constant of a path.
func firstName(path string) string {
	path = strings.TrimPrefix(path, "::")
	if i := strings.IndexByte(path, ':'); i >= 0 {
		return path[:i]
	}
	return path
}
