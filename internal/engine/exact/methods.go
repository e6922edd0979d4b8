package exact

import (
	"cmp"
	"slices"
)

// PackedNames returns the names of packed methods, sorted; none if they are damaged.
func PackedNames(packed []byte) []string {
	list, err := DecodeMethods(packed)
	if err != nil {
		return nil
	}
	return MethodNames(list)
}

// MethodNames returns the names of methods, in their order.
func MethodNames(list []Method) []string {
	out := make([]string, len(list))
	for i := range list {
		out[i] = list[i].Name
	}
	return out
}

// SortMethods sorts methods in the order in which they are packed.
func SortMethods(list []Method) {
	slices.SortFunc(list, func(a, b Method) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Print, b.Print)) })
}
