package bind

import (
	"ken/internal/code"
	"ken/internal/engine/graph"
)

// steps are what binds the references of a family of languages, where the common
// way does not suffice. A step that is nil is left out.
type steps struct {
	// bind decides every reference, instead of the common way.
	bind func(*Binder, *graph.Site, *code.Ref) Binding
	// otherImport follows another import of a name, where the first leads out of
	// the repository.
	otherImport func(*Binder, *graph.Site, *code.Ref) (Binding, bool)
	// undeclared are the definitions that an imported file offers under the name
	// without declaring it itself.
	undeclared func(b *Binder, s *graph.Site, file int64) []int
	// wildcard finds a plain name through a wildcard import that names neither a
	// module nor a type with it.
	wildcard func(*Binder, *graph.Site, *code.Import, *graph.Link) Binding
	// unseen finds a plain name that neither the file, its scope nor its imports
	// show.
	unseen func(*Binder, *graph.Site, *code.Ref) Binding
	// path finds a name in a module or type that a receiver reaches by a path.
	path func(b *Binder, s *graph.Site, recv, name string) (Binding, bool)
}

// familyC is the family of C and C++.
const familyC = "c"

// families are the families of languages with steps of their own. What can be
// said by a trait (lang.Traits) does not need one.
var families = map[string]*steps{
	familyC:  {bind: (*Binder).inC},
	"csharp": {bind: (*Binder).namespaced},
	"php":    {bind: (*Binder).namespaced},
	"swift":  {bind: (*Binder).namespaced},
	"ruby":   {bind: (*Binder).ruby},
	"python": {otherImport: (*Binder).fallback, path: (*Binder).dotted},
	"rust":   {undeclared: (*Binder).crateMacros, wildcard: (*Binder).variants, unseen: (*Binder).anyMacro},
}

// common are the steps of families that need none.
var common = &steps{}

func stepsOf(l code.Lang) *steps {
	if s, ok := families[graph.Family(l)]; ok {
		return s
	}
	return common
}
