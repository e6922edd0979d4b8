package refs

import (
	"ken/internal/ask/refs/gostd"
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
	set, err := b.methods(&owner)
	methods := map[string]string{}
	for i := range set.list {
		methods[set.list[i].Name] = set.list[i].Signature
	}
	return gostd.Of(methods, t.Name), err
}
