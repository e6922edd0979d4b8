package refs

import (
	"ken/internal/ask/refs/gostd"
	"ken/internal/engine/view"
)

// standard returns an interface of Go's standard library that the type of a method
// implements and that has the method, "" if there is none. Its callers are outside the
// repository.
func (b *hierarchySearch) standard(t *view.Symbol) (string, error) {
	owner, ok, err := b.owner(t)
	if err != nil || !ok {
		return "", err
	}
	set, err := b.methods(&owner)
	methods := map[string]string{}
	for i := range set.list {
		methods[set.list[i].Name] = set.list[i].Signature
	}
	return gostd.Of(methods, t.Name), err
}
