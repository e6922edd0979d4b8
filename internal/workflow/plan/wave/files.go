package wave

import (
	"path"
	"slices"
	"strings"

	"ken/internal/workflow/plan/folder"
)

// Path returns the path of a plan from the root of the project, as git has it: src/a.go for `./src\a.go`. inside is false for a path that
// leads out.
func Path(text string) (clean string, inside bool) {
	s := strings.Trim(strings.TrimSpace(text), "`\"'")
	for _, note := range [...]string{" (", " #", " §", " — "} { // src/a.go (new)
		if i := strings.Index(s, note); i > 0 {
			s = strings.TrimSpace(s[:i])
		}
	}
	s = strings.ReplaceAll(s, `\`, "/")
	if s == "" || rooted(s) || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' }) {
		return s, false
	}
	folder := strings.HasSuffix(s, "/")
	s = path.Clean(s)
	if s == ".." || strings.HasPrefix(s, "../") {
		return s, false
	}
	if folder && s != "." {
		s += "/"
	}
	return s, true
}

// rooted reports whether a path begins at a disk, a drive, a home or a variable of the environment.
func rooted(s string) bool { return strings.IndexByte("/~$", s[0]) >= 0 || len(s) > 1 && s[1] == ':' }

// Owned are the names of the files that one writer has, the orchestrator. Plans name them and do not come into each other's way by them,
// because merges leave them as they are.
func Owned() []string { return []string{"STATE.md", "ROADMAP.md", "REQUIREMENTS.md"} }

// isOwned reports whether a path of a plan is one of them.
func isOwned(p string) bool {
	return strings.HasPrefix(p, folder.Name+"/") && strings.Count(p, "/") == 1 && slices.Contains(Owned(), path.Base(p))
}

// Shared are the paths that two lists both mean. A folder (src/) and a pattern (src/**) mean everything below them.
func Shared(a, b []string) []string {
	var list []string
	for _, x := range a {
		for _, y := range b {
			if p := shared(x, y); p != "" && !slices.Contains(list, p) {
				list = append(list, p)
			}
		}
	}
	slices.Sort(list)
	return list
}

func shared(x, y string) string {
	x, okX := Path(x)
	y, okY := Path(y)
	switch {
	case !okX || !okY:
		return ""
	case isOwned(x) || isOwned(y):
		return ""
	case x == y:
		return x
	case covers(x, y):
		return y
	case covers(y, x):
		return x
	}
	return ""
}

// covers reports whether a folder or a pattern includes a path.
func covers(whole, p string) bool {
	if i := strings.IndexAny(whole, "*?"); i >= 0 {
		// A bracket is part of a name: src/app/[id]/page.tsx.
		if ok, err := path.Match(strings.ReplaceAll(whole, "[", `\[`), p); err == nil && ok {
			return true
		}
		if !strings.Contains(whole, "**") {
			return false
		}
		whole = whole[:strings.LastIndexByte(whole[:i], '/')+1]
		return whole == "" || strings.HasPrefix(p, whole)
	}
	return whole == "." || strings.HasSuffix(whole, "/") && strings.HasPrefix(p, whole)
}
