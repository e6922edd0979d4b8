package extract

import (
	"slices"
	"strings"

	"ken/internal/code"
	"ken/internal/engine/builtin"
)

// rubyLate is a reference that is resolved when all declarations of the file are known.
type rubyLate struct {
	what      rubyLateKind
	ref       int32  // index in Facts.Refs
	path      string // constant as written, up to the name referenced
	fullPath  string // the complete constant
	namespace string // namespace around the reference
}

type rubyLateKind uint8

const (
	lateNone     rubyLateKind = iota
	lateCall                  // call without receiver
	lateSelf                  // self.name
	lateWrite                 // self.name = value: name and name=
	lateSymbol                // :name, which may be a method's
	lateConstant              // constant
	lateMember                // method of the constant path
)

// addLate adds a reference to be resolved later.
func (r *ruby) addLate(n node, ref code.Ref, l rubyLate) {
	before := len(r.facts.Refs)
	r.ref(n, ref)
	if len(r.facts.Refs) > before {
		l.ref = int32(before)
		r.lateRefs = append(r.lateRefs, l)
	}
}

// resolveLate finds the declarations of the references that were put off, and drops
// those that are no references.
func (r *ruby) resolveLate() {
	drop := false
	for i := range r.lateRefs {
		l := &r.lateRefs[i]
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
		if r.isDeclared(ref.Recv, plain) != r.isDeclared(ref.Recv, setter) && !r.isDeclared(ref.Recv, ref.Name) {
			return false
		}
		r.asSelf(ref)
	case lateSymbol:
		if !r.isDeclared(ref.Recv, ref.Name) {
			return false
		}
		r.asSelf(ref)
	case lateConstant:
		return r.resolveLateConstant(l, ref)
	case lateMember:
		container, ok := r.findConstant(l.namespace, l.path)
		if !ok && builtin.RubyConstant(firstName(l.path)) {
			return false
		}
		if ref.Recv = container; !ok {
			ref.Recv = strings.ReplaceAll(strings.TrimPrefix(l.path, "::"), "::", ".")
		}
	}
	return true
}

func (r *ruby) isDeclared(container, name string) bool {
	_, ok := r.declared[rubyKey{container, name}]
	return ok
}

// asSelf turns a call on self outside of classes into a reference to a plain name.
func (r *ruby) asSelf(ref *code.Ref) {
	if ref.Recv == "" {
		ref.Via = code.ViaBare
	}
}

// resolveLateCall finds the method that a call without receiver calls. It prefers a
// method of the enclosing class to a function of the file, and both to a method that
// every object has.
func (r *ruby) resolveLateCall(ref *code.Ref) bool {
	switch {
	case ref.Recv != "" && r.isDeclared(ref.Recv, ref.Name):
	case r.isDeclared("", ref.Name):
		ref.Via, ref.Recv = code.ViaBare, ""
	case builtin.RubyMethod(ref.Name):
		return false
	default:
		r.asSelf(ref)
	}
	return true
}

// resolveLateConstant binds a constant to the first declaration that its enclosing
// namespaces in this file have, otherwise to an import.
func (r *ruby) resolveLateConstant(l *rubyLate, ref *code.Ref) bool {
	if q, ok := r.findConstant(l.namespace, l.path); ok {
		if i := strings.LastIndexByte(q, '.'); i >= 0 {
			ref.Via, ref.Recv = code.ViaTyped, q[:i]
		}
		return true
	}
	if builtin.RubyConstant(firstName(l.fullPath)) {
		return false
	}
	ref.Via, ref.Import = code.ViaImport, r.pathImport(l, ref.Line)
	return true
}

// findConstant returns the qualified name of the constant that path means inside the namespace nest, if the file declares it.
func (r *ruby) findConstant(nest, path string) (string, bool) {
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
		if r.isDeclared(container, name) {
			return container + "." + name, true
		}
		nest = nest[:max(strings.LastIndexByte(nest, '.'), 0)]
	}
	return dotted, r.isDeclared(inner, name)
}

// pathImport returns the index of the import for a constant that other files declare.
func (r *ruby) pathImport(l *rubyLate, line uint32) int32 {
	spec := l.fullPath
	if l.namespace != "" && !strings.HasPrefix(spec, "::") {
		spec = l.namespace + ">" + spec
	}
	if i, ok := r.pathImports[spec]; ok {
		return i
	}
	i := int32(len(r.facts.Imports))
	r.pathImports[spec] = i
	name := l.fullPath[strings.LastIndexByte(l.fullPath, ':')+1:]
	r.facts.Imports = append(r.facts.Imports, code.Import{Spec: spec, Kind: code.ImportPath, Line: line,
		Names: []code.ImportName{{Name: name, Alias: name}}})
	return i
}

// firstName returns the first constant of a path.
func firstName(path string) string {
	path = strings.TrimPrefix(path, "::")
	if i := strings.IndexByte(path, ':'); i >= 0 {
		return path[:i]
	}
	return path
}
