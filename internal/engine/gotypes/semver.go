package gotypes

import (
	"cmp"
	"strings"
)

// compareVersions compares the versions of a module by the order of semver.org (v1.2.3-pre+meta; the part after '+' does
// not count).
func compareVersions(a, b string) int {
	coreA, preA := splitVersion(a)
	coreB, preB := splitVersion(b)
	for i := range 3 {
		if c := compareNumbers(part(coreA, i), part(coreB, i)); c != 0 {
			return c
		}
	}
	switch {
	case preA == preB:
		return 0
	case preA == "":
		return 1
	case preB == "":
		return -1
	}
	return comparePre(strings.Split(preA, "."), strings.Split(preB, "."))
}

func splitVersion(v string) (core []string, pre string) {
	v, _, _ = strings.Cut(strings.TrimPrefix(v, "v"), "+")
	v, pre, _ = strings.Cut(v, "-")
	return strings.Split(v, "."), pre
}

func part(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return "0"
}

// compareNumbers compares decimal numbers of any length.
func compareNumbers(a, b string) int {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

func comparePre(a, b []string) int {
	for i := range min(len(a), len(b)) {
		numA, numB := isNumber(a[i]), isNumber(b[i])
		c := 0
		switch {
		case numA && numB:
			c = compareNumbers(a[i], b[i])
		case numA:
			c = -1
		case numB:
			c = 1
		default:
			c = cmp.Compare(a[i], b[i])
		}
		if c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
