package speech

import "strings"

// patch is a change of several files in the notation of the tool apply_patch.
type patch struct {
	files   []string
	written string // the lines that are added
	created bool   // all files are new
}

// The lines of a patch that name files.
const (
	patchAdd    = "*** Add File: "
	patchUpdate = "*** Update File: "
	patchDelete = "*** Delete File: "
	patchMove   = "*** Move to: "
)

// parsePatch reads the names of files in a patch, and the lines that it adds. It returns false if there is no file in it.
func parsePatch(text string) (p patch, ok bool) {
	if !strings.Contains(text, "*** ") {
		return p, false
	}
	p.created = true
	var added strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		if rest, ok := strings.CutPrefix(line, "+"); ok {
			added.WriteString(rest + "\n")
			continue
		}
		for _, head := range []string{patchAdd, patchUpdate, patchDelete, patchMove} {
			if name, ok := strings.CutPrefix(line, head); ok && strings.TrimSpace(name) != "" {
				p.files = append(p.files, strings.TrimSpace(name))
				p.created = p.created && head == patchAdd
			}
		}
	}
	p.written = added.String()
	return p, len(p.files) > 0
}
