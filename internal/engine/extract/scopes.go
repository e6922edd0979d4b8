package extract

// bindKind is the kind of declaration that a name stands for at some point of a file.
type bindKind uint8

const (
	bindLocal  bindKind = iota // parameter or local variable: its uses are no references
	bindNested                 // a symbol that only lexical scope reaches (nested function): ViaLocal
	bindTop                    // declared at the file's top level: ViaBare
	bindImport                 // imported: ViaImport
	bindMember                 // a member of an imported value: ViaTyped, or ViaImport for one of a module
)

// binding connects a name in a scope with its declaration or import.
type binding struct {
	name string
	what bindKind
	// typ is the declared type of a local, without pointers and type arguments, "" if
	// the file does not show it.
	typ string
	// expr is the type of a variable, or the result type of a function, as code.RecvExpr (Java), or the type of its elements (C++, C#).
	expr string
	// imp and target are the import a name comes from and its name in that module
	// (bindImport). A whole module (namespace import, package) has module set.
	imp    int32
	target string
	module bool
	nth    int32  // which of the import's Names it is, or the node around the statement that assigned a variable (PHP)
	isType bool   // names a type only (type parameter): values of that name are looked up further out
	outer  int32  // binding this one hides, -1
	holds  bool   // declared as a function, a class, or the value of a call or a literal (scripts)
	of     string // the imported name whose member it is (bindMember), or the qualified name of a symbol with this inner name (bindNested)
	inline bool   // a module whose body is in the file (Rust), or a variable that is null (PHP)
	own    bool   // imported, and declared by the file too: one may replace the other (Python)
}

// is reports whether b is a binding of kind k. It is false for nil, the result of
// lookup for a name that is not bound.
func (b *binding) is(k bindKind) bool { return b != nil && b.what == k }

// isModule reports whether b is a module that is imported as a whole.
func (b *binding) isModule() bool { return b.is(bindImport) && b.module }

// isEither reports whether b is a binding of kind k or l.
func (b *binding) isEither(k, l bindKind) bool { return b != nil && (b.what == k || b.what == l) }

// isInline reports whether a name is bound to a module whose body is in the file.
func (s *scopes) isInline(name string) bool {
	b := s.lookup(name)
	return b != nil && b.inline
}

// scopes knows which names are declared at the current position in a file. The zero
// value is ready to use; reset empties it and keeps its memory.
type scopes struct {
	top   map[string]int32 // innermost binding of each name, as index in list
	list  []binding
	marks []int32 // length of list where each open scope began
}

func (s *scopes) reset() {
	clear(s.top)
	s.list, s.marks = s.list[:0], s.marks[:0]
}

func (s *scopes) push() { s.marks = append(s.marks, int32(len(s.list))) }

func (s *scopes) pop() {
	from := s.marks[len(s.marks)-1]
	s.marks = s.marks[:len(s.marks)-1]
	for i := int32(len(s.list)) - 1; i >= from; i-- {
		if b := &s.list[i]; b.outer >= 0 {
			s.top[b.name] = b.outer
		} else {
			delete(s.top, b.name)
		}
	}
	s.list = s.list[:from]
}

// bind adds b to the innermost scope.
func (s *scopes) bind(b binding) {
	if b.name == "" {
		return
	}
	if s.top == nil {
		s.top = make(map[string]int32)
	}
	b.outer = -1
	if i, ok := s.top[b.name]; ok {
		b.outer = i
	}
	s.top[b.name] = int32(len(s.list))
	s.list = append(s.list, b)
}

// lookup returns the binding of name, nil if the file does not bind it here. The
// pointer is valid until the next bind.
func (s *scopes) lookup(name string) *binding {
	if i, ok := s.top[name]; ok {
		return &s.list[i]
	}
	return nil
}

// twin returns the binding that b replaced in the same scope, nil if there is none: two declarations under different conditions.
func (s *scopes) twin(b *binding) *binding {
	if b == nil || b.outer < 0 {
		return nil
	}
	at := s.top[b.name]
	for &s.list[at] != b {
		at = s.list[at].outer
	}
	for _, mark := range s.marks {
		if b.outer < mark && mark <= at {
			return nil
		}
	}
	return &s.list[b.outer]
}

// lookupCallable returns the binding of a called name. It prefers a function to a local
// variable that hides it, because the file rarely shows whether the variable's value
// can be called.
func (s *scopes) lookupCallable(name string) *binding {
	b := s.lookup(name)
	for b.is(bindLocal) && b.outer >= 0 {
		b = &s.list[b.outer]
	}
	return b
}

// lookupType returns the binding of a name that is used as a type. Variables and
// fields are skipped, because they have a name space of their own.
func (s *scopes) lookupType(name string) *binding {
	b := s.lookup(name)
	for b.isEither(bindLocal, bindNested) && !b.isType {
		if b.outer < 0 {
			return nil
		}
		b = &s.list[b.outer]
	}
	return b
}

// lookupOutside returns the binding of name at the top level: an import or a top-level
// declaration. Without one it returns the outermost of the other bindings.
func (s *scopes) lookupOutside(name string) *binding {
	b := s.lookup(name)
	for b.isEither(bindLocal, bindNested) && b.outer >= 0 {
		b = &s.list[b.outer]
	}
	return b
}
