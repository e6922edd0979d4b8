package refs

import (
	"ken/internal/ask/refs/gostd"
	"ken/internal/engine/view"
)

// standard is an interface of Go's standard library that a type has all methods of, one
// of them t; "" if there is none. What calls them is outside the repository.
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
