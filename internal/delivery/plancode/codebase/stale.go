package codebase

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ken/internal/ask/surface/manifest"
	"ken/internal/code"
	"ken/internal/engine/source/class"
	"ken/internal/engine/source/scan"
	"ken/internal/lang"
)

// Path is a file that changed: A added, D removed, any other letter changed.
type Path struct {
	Path   string
	Status byte
}

// ChangedFolder is a folder of the first two levels with the number of its changes that affect a document.
type ChangedFolder struct {
	Path     string   `json:"path"`
	Added    int      `json:"added"`
	Removed  int      `json:"removed"`
	Modified int      `json:"modified"`
	Files    []string `json:"files"` // at most so many as are shown
}

const maxFiles = 5

// ChangeJudge decides which changes of files affect a document.
type ChangeJudge struct{ classes *class.Classifier }

// NewJudge returns a Judge.
func NewJudge() *ChangeJudge { return &ChangeJudge{class.New()} }

// ConcernedFolders returns the folders with changes that affect a document, the most changed first.
func (j *ChangeJudge) ConcernedFolders(d *Document, changes []Path) []ChangedFolder {
	at := map[string]int{}
	out := []ChangedFolder{}
	for _, c := range changes {
		if isPlanningOrKenFile(c.Path) || !j.about(d, c) {
			continue
		}
		dir := topFolder(c.Path)
		i, ok := at[dir]
		if !ok {
			i = len(out)
			at[dir] = i
			out = append(out, ChangedFolder{Path: dir, Files: []string{}})
		}
		out[i].count(c)
	}
	slices.SortStableFunc(out, func(a, b ChangedFolder) int {
		return cmp.Or(cmp.Compare(b.total(), a.total()), strings.Compare(a.Path, b.Path))
	})
	return out
}

func (f *ChangedFolder) total() int { return f.Added + f.Removed + f.Modified }

func (f *ChangedFolder) count(c Path) {
	switch c.Status {
	case 'A':
		f.Added++
	case 'D':
		f.Removed++
	default:
		f.Modified++
	}
	if len(f.Files) < maxFiles {
		f.Files = append(f.Files, c.Path)
	}
}

// Why returns the number of changes in a folder in words.
func (f *ChangedFolder) Why() string {
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{{f.Added, "added"}, {f.Removed, "removed"}, {f.Modified, "changed"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	return f.Path + ": " + strings.Join(parts, ", ")
}

// about reports whether a document depends on the changed file.
func (j *ChangeJudge) about(d *Document, c Path) bool {
	l := lang.Detect(c.Path, nil)
	of := j.classes.Class(c.Path, l, scan.PathFlags(c.Path, l))
	source, test := isSource(of, l), isTest(of, l)
	var known usePurpose
	if n := matchingPattern(c.Path); n != nil {
		known = n.sort
	}
	needs := manifest.IsManifest(c.Path) && !of.Has(asideClasses|code.ClassTest)
	is := func(sorts ...usePurpose) bool { return slices.Contains(sorts, known) }
	switch d.Name {
	case "STACK":
		return needs || is(lock, version, setting)
	case "INTEGRATIONS":
		return needs || is(build, deploy, sample)
	case "STRUCTURE":
		return c.Status == 'A' || c.Status == 'D'
	case "CONVENTIONS":
		return source || is(style)
	case "TESTING":
		return test || needs || is(tests)
	}
	return source // ARCHITECTURE, CONCERNS
}
