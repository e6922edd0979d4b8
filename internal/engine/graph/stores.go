package graph

import (
	"slices"
	"strings"
)

// StoreParts returns the keys of an options object, such as methods, whose members become members of the store or component that is made
// from it.
func StoreParts() []string {
	return []string{"actions", "getters", "state", "methods", "computed", "data", "props", "setup", "mutations", "reducers"}
}

// IsStorePart reports whether a container is one of the StoreParts of the object named whole.
func IsStorePart(whole, container string) bool {
	part, ok := strings.CutPrefix(container, whole+".")
	return ok && slices.Contains(StoreParts(), part)
}
