package writeset

import (
	"path"
	"slices"
	"strings"
)

// Meeting is a file that two plans may both write.
type Meeting struct {
	File string
	A, B Reason // why each of them does
	Sure bool   // both plans state it themselves
}

// Meet returns the files in both sets, the surest first.
func Meet(a, b *Set) []Meeting {
	var out []Meeting
	for i := range a.Entries {
		x := &a.Entries[i]
		if isHarmless(x.Path) {
			continue
		}
		for j := range b.Entries {
			y := &b.Entries[j]
			if file := commonPath(x.Path, y.Path); file != "" && keepsApart(x.Kind(), y.Kind()) {
				out = append(out, Meeting{file, x.Reasons[0], y.Reasons[0], x.Kind().IsStated() && y.Kind().IsStated()})
			}
		}
	}
	slices.SortStableFunc(out, func(m, n Meeting) int {
		if m.Sure != n.Sure {
			if m.Sure {
				return -1
			}
			return 1
		}
		return strings.Compare(m.File, n.File)
	})
	return out
}

// keepsApart reports whether two reasons are strong enough that the two plans must not run in parallel. One plan's text has to state
// that it writes the file, and the other's that it changes it, or the file has to change with the writes of that plan. Files named in
// passing, changed together in the past or only declaring a name are shown but do not keep plans apart: in plans that were carried
// out, both changed such a file in less than one of ten cases.
func keepsApart(a, b Kind) bool {
	if kindRank[a] > kindRank[b] {
		a, b = b, a
	}
	switch {
	case a.IsStated():
		return kindRank[b] <= kindRank[Caller] || b == Linked
	case a == Changed:
		return b == Changed
	}
	return false
}

// commonPath returns the path that two paths have in common, "" if there is none. A folder has all files below it.
func commonPath(a, b string) string {
	switch {
	case a == b:
		return a
	case strings.HasSuffix(a, "/") && strings.HasPrefix(b, a):
		return b
	case strings.HasSuffix(b, "/") && strings.HasPrefix(a, b):
		return a
	}
	return ""
}

// harmlessFiles are files that tools generate again, such as lock files, so that two plans that change them lose nothing.
var harmlessFiles = []string{
	"package-lock.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb", "cargo.lock", "go.sum", "poetry.lock", "uv.lock", "composer.lock", "gemfile.lock",
}

// isHarmless reports whether a file keeps no plans apart.
func isHarmless(p string) bool {
	b := strings.ToLower(path.Base(p))
	return slices.Contains(harmlessFiles, b) || strings.HasPrefix(b, "changelog") || strings.HasPrefix(p, ".planning/")
}

// Sure reports whether a file counts as written: the plan states it, or the file has to change with the plan's writes.
func (e *Entry) Sure() bool { return kindRank[e.Kind()] <= kindRank[Caller] }
