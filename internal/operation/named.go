package operation

import (
	"slices"
	"strings"
)

// mainNames are the words by which agents name the main argument of an operation before they read its description: what is looked for, or
// asked about. Neither help nor a listing has them.
var mainNames = []string{"query", "pattern", "symbol", "name", "target", "path", "file", "text", "task", "goal"}

// NamedField returns the index of the field that a caller means by a name, -1 if there is none: the field that is called so, also in the
// plural or singular; else the first positional one, for the words by which agents name that, unless mainGiven.
func NamedField(fields []Field, name string, mainGiven bool) int {
	name = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), "-", "_")
	if i := slices.IndexFunc(fields, func(f Field) bool { return f.isCalled(name) }); i >= 0 {
		return i
	}
	if mainGiven || !slices.Contains(mainNames, name) {
		return -1
	}
	return slices.IndexFunc(fields, func(f Field) bool { return f.Positional })
}

// isCalled reports whether name is the name of a field, its plural or its singular, because models guess names.
func (f *Field) isCalled(name string) bool {
	key := f.Key()
	return slices.Contains([]string{key, key + "s", strings.TrimSuffix(key, "s")}, name) || f.Short != "" && name == f.Short
}
