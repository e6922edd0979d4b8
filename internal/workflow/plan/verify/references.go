package verify

import (
	"context"
	"strings"

	"ken/internal/workflow/plan/planop"
)

type referencesAnswer struct {
	Valid   bool     `json:"valid"`
	Found   int      `json:"found"`
	Missing []string `json:"missing"`
	Total   int      `json:"total"`
}

// verifyReferences checks that the files exist to which a text refers as @path/to/file and as `path/to/file.ext`. A path that leads out
// of the project counts as missing, because nothing outside is read.
func verifyReferences(_ context.Context, c *planop.Call, in *fileInput) (referencesAnswer, error) {
	content, err := userFileText(c, in.File)
	if err != nil {
		return referencesAnswer{}, err
	}
	t, err := openTree(c)
	if err != nil {
		return referencesAnswer{}, err
	}
	defer t.close()
	a := referencesAnswer{Missing: []string{}}
	seen := map[string]bool{}
	for _, name := range append(atPaths(content), quotedPaths(content)...) {
		if seen[name] {
			continue
		}
		seen[name] = true
		if t.exists(name) {
			a.Found++
		} else {
			a.Missing = append(a.Missing, name)
		}
	}
	a.Total = a.Found + len(a.Missing)
	a.Valid = len(a.Missing) == 0
	return a, nil
}

// atPaths returns the paths that follow an @ and contain a slash.
func atPaths(content string) (list []string) {
	for rest := content; ; {
		_, after, ok := strings.Cut(rest, "@")
		if !ok {
			return list
		}
		end := strings.IndexFunc(after, func(r rune) bool { return strings.ContainsRune(" \t\r\n,)", r) })
		if end < 0 {
			end = len(after)
		}
		if name := after[:end]; strings.Contains(strings.Trim(name, "/"), "/") || strings.HasPrefix(name, "/") {
			list = append(list, name)
		}
		rest = after[end:]
	}
}

// quotedPaths returns the paths between backticks that have a slash and an extension.
func quotedPaths(content string) (list []string) {
	for line := range strings.Lines(content) {
		parts := strings.Split(line, "`")
		for i := 1; i < len(parts)-1; i += 2 {
			name := parts[i]
			template := strings.Contains(name, "${") || strings.Contains(name, "{{")
			if strings.Contains(name, "/") && hasExtension(name, 10) && !strings.HasPrefix(name, "http") && !template {
				list = append(list, name)
			}
		}
	}
	return list
}

// hasExtension reports whether a name ends in a dot and at most most letters.
func hasExtension(name string, most int) bool {
	i := strings.LastIndexByte(name, '.')
	ext := name[i+1:]
	letters := strings.Trim(strings.ToLower(ext), "abcdefghijklmnopqrstuvwxyz") == ""
	return i > 0 && len(ext) > 0 && len(ext) <= most && letters
}
