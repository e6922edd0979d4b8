package refs

import (
	"ken/internal/ask/refs/gostd"
	"ken/internal/code"
	"ken/internal/engine/view"
)

// standard returns the name of an interface of Go's standard library that has the
// method t and that the type of t implements, "" if there is none. The method's
// callers are then outside the repository.
func (b *hierarchySearch) standard(t *view.Symbol) (string, error) {
	owner, ok, err := b.owner(t)
	if err != nil || !ok {
		return "", err
	}
	methods, err := b.signatures(&owner)
	return gostd.Of(methods, t.Name), err
}

// standardImplementer returns the name of a type of Go's standard library that has all methods of the interface around t, "" if there is
// none or t is not of an interface.
func (b *hierarchySearch) standardImplementer(t *view.Symbol) (string, error) {
	owner, ok, err := b.owner(t)
	if err != nil || !ok || owner.Kind != code.KindInterface {
		return "", err
	}
	methods, err := b.signatures(&owner)
	return gostd.Implementer(methods), err
}

// signatures returns the signatures of the known methods of a type, by name.
func (b *hierarchySearch) signatures(typ *view.Symbol) (map[string]string, error) {
	set, err := b.methods(typ)
	methods := map[string]string{}
	for i := range set.list {
		methods[set.list[i].Name] = set.list[i].Signature
	}
	return methods, err
}
