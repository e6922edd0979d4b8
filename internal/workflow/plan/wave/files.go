package wave

import (
	"path"
	"slices"
	"strings"

	"ken/internal/workflow/plan/folder"
)

// CleanPath returns the path of a file in a plan in the form that git uses, from the root of the project: src/a.go for `./src\a.go`. It
// returns false for a path that leads out of the project.
func CleanPath(text string) (clean string, inside bool) {
	s := strings.Trim(strings.TrimSpace(text), "`\"'")
	for _, note := range [...]string{" (", " #", " §", " — "} { // src/a.go (new)
		if i := strings.Index(s, note); i > 0 {
			s = strings.TrimSpace(s[:i])
		}
	}
	s = strings.ReplaceAll(s, `\`, "/")
	if s == "" || isRooted(s) || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' }) {
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

// isRooted reports whether a path does not begin at the root of the project but at that of a file system, a home folder or an environment
// variable.
func isRooted(s string) bool { return strings.IndexByte("/~$", s[0]) >= 0 || len(s) > 1 && s[1] == ':' }

// OwnedFiles returns the names of the files that only the orchestrator, the agent that starts the others, may write. Plans that list them
// do not conflict, because merges leave these files unchanged.
func OwnedFiles() []string { return []string{"STATE.md", "ROADMAP.md", "REQUIREMENTS.md"} }

// isOwned reports whether a path in a plan is one of OwnedFiles.
func isOwned(p string) bool {
	return strings.HasPrefix(p, folder.Name+"/") && strings.Count(p, "/") == 1 && slices.Contains(OwnedFiles(), path.Base(p))
}

// SharedPaths returns the paths that are in both lists. A folder (src/) and a pattern (src/**) include everything below them.
func SharedPaths(a, b []string) []string {
	var list []string
	for _, x := range a {
		for _, y := range b {
			if p := sharedPath(x, y); p != "" && !slices.Contains(list, p) {
				list = append(list, p)
			}
		}
	}
	slices.Sort(list)
	return list
}

func sharedPath(x, y string) string {
	x, okX := CleanPath(x)
	y, okY := CleanPath(y)
	switch {
	case !okX || !okY:
		return ""
	case isOwned(x) || isOwned(y):
		return ""
	case x == y:
		return x
	case includesPath(x, y):
		return y
	case includesPath(y, x):
		return x
	}
	return ""
}

// includesPath reports whether a folder or a pattern includes a path.
func includesPath(whole, p string) bool {
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
