package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// notes returns the text about a release for its users, made of the fragments in changelog/unreleased: a list for each kind of change, each
// with its first line. It fails if a fragment begins with no kind.
func notes(source, version, date string) ([]byte, error) {
	files, err := filepath.Glob(filepath.Join(source, "changelog", "unreleased", "*.md"))
	if err != nil {
		return nil, err
	}
	kinds := [][2]string{{"add", "New"}, {"change", "Changed"}, {"remove", "Removed"}, {"fix", "Fixed"}, {"faster", "Faster"}}
	lists := map[string][]string{}
	for _, f := range files {
		if filepath.Base(f) == "README.md" {
			continue
		}
		text, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		first, _, _ := strings.Cut(string(text), "\n")
		kind, what, ok := strings.Cut(first, ": ")
		if !ok || !strings.Contains(" add change remove fix faster ", " "+kind+" ") {
			return nil, fmt.Errorf("%s begins with no kind of change", f)
		}
		lists[kind] = append(lists[kind], strings.TrimSpace(what))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# ken %s, %s\n", version, date)
	for _, k := range kinds {
		if len(lists[k[0]]) > 0 {
			fmt.Fprintf(&b, "\n## %s\n\n- %s\n", k[1], strings.Join(lists[k[0]], "\n- "))
		}
	}
	return []byte(b.String()), nil
}
