package refs

import (
	"strconv"
	"strings"

	"ken/internal/ask/refs/gostd"
	"ken/internal/engine/graph/infer"
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
	if err != nil {
		return "", err
	}
	has := map[string]bool{}
	for i := range set.list {
		m := &set.list[i]
		has[m.Name+"/"+strconv.Itoa(infer.GoParameterCount(m.Signature))] = true
	}
	key := t.Name + "/" + strconv.Itoa(infer.GoParameterCount(t.Signature))
	for line := range strings.Lines(gostd.Interfaces) {
		fields := strings.Fields(line)
		if !strings.Contains(line, " "+key) {
			continue
		}
		all, named := true, false
		for _, m := range fields[1:] {
			all, named = all && has[m], named || m == key
		}
		if all && named {
			return fields[0], nil
		}
	}
	return "", nil
}
