package graph

import (
	"slices"
	"strings"
)

// StoreParts are the parts of an options object whose members are members of the store
// or component that is made of it.
func StoreParts() []string {
	return []string{"actions", "getters", "state", "methods", "computed", "data", "props", "setup", "mutations", "reducers"}
}

// IsStorePart reports whether a container is such a part of the object called whole.
func IsStorePart(whole, container string) bool {
	part, ok := strings.CutPrefix(container, whole+".")
	return ok && slices.Contains(StoreParts(), part)
}
