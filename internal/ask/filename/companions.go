// Package filename reads the names of files: it cuts them into words (names.go), takes off those that tell the kind of a file
// (table.go), and finds the companions of a file, which go with it by their names. Its neighbour ask/impact looks for the files that
// a change concerns in other ways, too.
package filename

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"ken/internal/engine/graph"
	"ken/internal/engine/view"
)

// Companion is a file that goes with another by its name.
type Companion struct {
	Path string
	Kind string // one of the Companion constants
	// Near grades how well the places of both fit: 3 the same directory or one below
	// it that only tells the use of its files, 2 the same place in another tree
	// (src/main/x, src/test/x), 1 places that share their end, 0 anywhere.
	Near int
	Of   string // the file it goes with
}

// maxCompanions is the number of companions of one kind that are listed for a file.
const maxCompanions = 8

// Companions returns the files that belong to each of paths by their names, in the order of kinds, nearest first. It reads every
// indexed path once: 3 ms for 8,000. It returns an error if the index cannot be read or ctx ends.
func Companions(ctx context.Context, s *view.Snapshot, paths []string) ([]Companion, error) {
	n, err := NewNames(s)
	if err != nil {
		return nil, err
	}
	return n.Companions(ctx, paths)
}

// Companions returns the same as the function, from names that were read before.
func (n *Names) Companions(ctx context.Context, paths []string) ([]Companion, error) {
	subjects := make([]companionSearch, 0, len(paths))
	for _, p := range paths {
		if c := newCompanionSearch(p); c.key != "" {
			subjects = append(subjects, c)
		}
	}
	if len(subjects) == 0 {
		return nil, nil
	}
	for row := range n.Rows {
		folded := n.Fold(row)
		for i := range subjects {
			if strings.Contains(folded, subjects[i].key) {
				subjects[i].offer(n.Rows[row].Path, n.of(row))
			}
		}
	}
	var out []Companion
	for i := range subjects {
		out = append(out, subjects[i].best()...)
	}
	return out, ctx.Err()
}

// companionSearch finds the companions of one file, its subject.
type companionSearch struct {
	path  string
	name  pathName
	key   string // letters that every companion's name contains
	found []Companion
	same  map[string]int // number of files of each kind anywhere
}

func newCompanionSearch(p string) companionSearch {
	c := companionSearch{path: p, name: splitName(p), same: map[string]int{}}
	if n := len(c.name.root); n > 0 {
		last := Singular(c.name.root[n-1])
		c.key = strings.Join(c.name.root[:n-1], "") + strings.TrimSuffix(last, "y")
	}
	if len(c.key) < 2 {
		c.key = ""
	}
	return c
}

// offer adds path p as a companion if its name n fits. The name contains the key.
func (c *companionSearch) offer(p string, n *pathName) {
	if p == c.path {
		return
	}
	kind := c.kind(n)
	if kind == "" {
		return
	}
	near := Nearness(c.name.dir, n.dir)
	if near == 0 && !centralKinds[kind] {
		c.same[kind]++
	}
	if near < c.leastNear(kind) {
		return
	}
	c.found = append(c.found, Companion{Path: p, Kind: kind, Near: near, Of: c.path})
}

// centralKinds are the kinds whose files are in one place of a project, however far
// their subjects are.
var centralKinds = map[string]bool{CompanionMigration: true, CompanionTranslated: true}

// leastNear returns the least nearness that a companion of a kind must have, because elsewhere files of that name are not related to the
// subject.
func (c *companionSearch) leastNear(kind string) int {
	switch {
	case c.generic() || kind == CompanionSame:
		return 2
	case kind == CompanionVariant || kind == CompanionLayer:
		return 1
	}
	return 0
}

// generic reports whether so many files have the subject's name that the name alone is not enough.
func (c *companionSearch) generic() bool {
	return len(c.name.root) == 1 && (IsGeneric(c.name.root[0]) || len(c.name.root[0]) < 4)
}

// kind returns the kind of companion that a file with name n is, or "" if it is none.
func (c *companionSearch) kind(n *pathName) string {
	if n.kind == CompanionMigration || c.name.kind == CompanionMigration {
		return c.migration(n)
	}
	if !sameWords(c.name.root, n.root) {
		return ""
	}
	sameLang := graph.Family(n.lang) == graph.Family(c.name.lang) || n.lang == "" || c.name.lang == ""
	plain := n.kind == ""
	switch {
	case plain && c.name.kind == "":
		switch {
		case !sameLang:
			return ""
		case n.layer == c.name.layer:
			return CompanionSame
		}
		return CompanionLayer
	case plain:
		return c.subjectKind(n, sameLang)
	case n.layer != c.name.layer && !layerless[n.kind]:
		return ""
	case !sameLang && !anyLanguage[n.kind]:
		return ""
	}
	return n.kind
}

// migration returns the kind of companion if either the file or the subject is a migration that has the name of the other, or "".
func (c *companionSearch) migration(n *pathName) string {
	if n.kind == c.name.kind || c.generic() {
		return ""
	}
	if !holdsWords(n.root, c.name.root) && (len(n.root) == 0 || !holdsWords(c.name.root, n.root)) {
		return ""
	}
	if n.kind == CompanionMigration {
		return CompanionMigration
	}
	return CompanionSubject
}

// subjectKind returns the kind of companion that plain source is to a subject of another kind, such as a test.
func (c *companionSearch) subjectKind(n *pathName, sameLang bool) string {
	switch {
	case n.layer != c.name.layer || !sameLang && !anyLanguage[c.name.kind]:
		return ""
	case c.name.kind == CompanionHeader:
		return CompanionHeader
	}
	return CompanionSubject
}

// best returns the nearest files of each kind. It returns distant files only if there are at most three of the kind.
func (c *companionSearch) best() []Companion {
	order := func(kind string) int { return slices.Index(companionKinds[:], kind) }
	slices.SortFunc(c.found, func(a, b Companion) int {
		return cmp.Or(cmp.Compare(order(a.Kind), order(b.Kind)), b.Near-a.Near, cmp.Compare(a.Path, b.Path))
	})
	var out []Companion
	for i := 0; i < len(c.found); {
		j := i
		for j < len(c.found) && c.found[j].Kind == c.found[i].Kind {
			j++
		}
		group := c.found[i:j]
		top := group[0].Near
		if top == 0 && c.same[group[0].Kind] > 3 {
			group = nil // too many files have the name
		}
		group = slices.DeleteFunc(group, func(x Companion) bool {
			return x.Near < min(top, 2) && !centralKinds[x.Kind]
		})
		out = append(out, group[:min(len(group), maxCompanions)]...)
		i = j
	}
	return out
}

// Nearness grades how near the directories of two files are; see Companion.Near.
func Nearness(a, b string) int {
	if a == b {
		return 3
	}
	deep, up := a, b
	if len(deep) < len(up) {
		deep, up = up, deep
	}
	if strings.HasPrefix(deep, up+"/") || up == "" {
		if rest := strings.TrimPrefix(strings.TrimPrefix(deep, up), "/"); strings.IndexByte(rest, '/') < 0 && companionDirs[rest] != "" {
			return 3
		}
	}
	x, y := tellingSegments(a), tellingSegments(b)
	if slices.Equal(x, y) {
		return 2
	}
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(x) == 0 || x[len(x)-1] == y[len(y)-1] || slices.Equal(x, y[:len(x)]) {
		return 1
	}
	return 0
}

// tellingSegments returns the segments of a directory's path that name a topic.
func tellingSegments(dir string) []string {
	var out []string
	for seg := range strings.SplitSeq(dir, "/") {
		if low := strings.ToLower(seg); seg != "" && !plainDirs[low] && companionDirs[low] == "" {
			out = append(out, low)
		}
	}
	return out
}
