package view

import (
	"bytes"
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"ken/internal/code"
	"ken/internal/engine/store"
)

// maxNear is the number of similar names that an error suggests.
const maxNear = 5

// nearNames returns defined names similar to a name: first those with the same letters in another case, then those
// with few typing errors, then those that share a part. It compares all names, 30 ms for 100,000.
func (s *Snapshot) nearNames(name string) ([]string, error) {
	if s.Provisional || len(name) > 200 {
		return nil, nil
	}
	best := newNearestNames(name)
	for n, err := range s.Index.Names() {
		if err != nil {
			return nil, err
		}
		best.offer(n)
	}
	return best.sortedNames(), nil
}

// NearWords returns the words of a list that are similar to a word that is not in it.
func NearWords(word string, list []string) []string {
	best := newNearestNames(word)
	for _, w := range list {
		best.offer(w)
	}
	return best.sortedNames()
}

// nearMembers returns the members of the type or file that qualifies a name, such as Type in Type.name: first those
// with similar names, then the others in source order.
func (s *Snapshot) nearMembers(name, simple string) ([]string, error) {
	rows, err := s.qualifiedMembers(name, simple)
	if err != nil || len(rows) == 0 || s.Provisional {
		return nil, err
	}
	best := newNearestNames(simple)
	var all []string
	for i := range rows {
		if rows[i].Kind.IsText() || slices.Contains(all, rows[i].Qualified) {
			continue
		}
		all = append(all, rows[i].Qualified)
		best.offerAs(rows[i].Name, rows[i].Qualified)
	}
	out := best.sortedNames()
	for _, q := range all {
		if len(out) < maxNear && !slices.Contains(out, q) {
			out = append(out, q)
		}
	}
	return out, nil
}

// qualifiedMembers returns the declarations inside the part that qualifies a name: the members of the type in
// Type.name, the declarations of the file in path:name, and those behind a line in path:line.
func (s *Snapshot) qualifiedMembers(name, simple string) ([]store.SymbolRow, error) {
	where, rest, byPath := cutPath(name)
	line := uint32(0)
	if file, number, ok := cutPlace(name); ok {
		where, line, rest = file, number, simple
	}
	outer, ok := qualifier(rest, simple)
	if !ok && byPath {
		f, found, err := s.Index.FileByPath(where)
		if err != nil || !found {
			return nil, err
		}
		rows, err := s.Index.Symbols(f.ID)
		return slices.DeleteFunc(rows, func(r store.SymbolRow) bool { return r.Parent >= 0 || r.Span.Line < line }), err
	}
	if !ok {
		return nil, nil
	}
	of, own := splitName(outer)
	types, err := s.Index.SymbolsNamed(own)
	if err != nil {
		return nil, err
	}
	var out []store.SymbolRow
	for _, t := range s.filterByQualifier(types, of) {
		if byPath && !pathFits(t.Path, where) || t.Kind.IsText() || t.Kind.IsFunction() {
			continue
		}
		rows, err := s.Index.Symbols(t.FileID)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			if r.Parent == t.Ord {
				out = append(out, r)
			}
		}
	}
	return out, nil
}

// qualifier returns the part of a name before its simple name, and false if there is none.
func qualifier(name, simple string) (string, bool) {
	outer, ok := strings.CutSuffix(name, simple)
	outer = strings.TrimRight(outer, ".#:")
	return strings.ReplaceAll(outer, "::", "."), ok && outer != ""
}

// noFileError returns the error for a path that is not indexed, with similar paths. If the index cannot be read, that error
// is added, so that the damage is noticed and repaired.
func (s *Snapshot) noFileError(p string) error {
	near, err := s.nearFiles(p)
	return errors.Join(&code.NotFoundError{What: "file", Name: p, Near: near}, err)
}

// nearFiles returns indexed paths similar to a path that is not indexed.
func (s *Snapshot) nearFiles(p string) ([]string, error) {
	if s.Provisional || len(p) > 1000 {
		return nil, nil
	}
	best := newNearestNames(Stem(p))
	all, err := s.AllPaths()
	if err != nil {
		return nil, err
	}
	dir, ext := code.Dir(p), path.Ext(p)
	for _, row := range all {
		far := 0 // files of other directories or types come after files with an equal score
		if code.Dir(row.Path) != dir {
			far += 2
		}
		if path.Ext(row.Path) != ext {
			far++
		}
		best.offerFrom(Stem(row.Path), row.Path, far)
	}
	return best.sortedNames(), nil
}

// Stem returns a file's name without directory and extension.
func Stem(p string) string {
	base := path.Base(p)
	return strings.TrimSuffix(base, path.Ext(base))
}

// nearestNames collects the few candidates that are most similar to a wanted name.
type nearestNames struct {
	lower   []byte // the name in lower case
	limit   int
	left    [256]int16 // how often each byte is in lower
	scratch []byte
	found   []nearName
}

type nearName struct {
	name  string
	score int // smaller is nearer
}

func newNearestNames(want string) *nearestNames {
	n := &nearestNames{lower: []byte(strings.ToLower(want)), limit: allowedMistakes(len(want))}
	for _, c := range n.lower {
		n.left[c]++
	}
	return n
}

// allowedMistakes returns the number of typing errors allowed in a name of a length. A name of a letter or two allows none,
// because every other would be as near.
func allowedMistakes(length int) int {
	switch {
	case length < 3:
		return 0
	case length < 5:
		return 1
	}
	return 1 + length/4
}

func (n *nearestNames) offer(name string) { n.offerAs(name, name) }

func (n *nearestNames) offerAs(key, name string) { n.offerFrom(key, name, 0) }

// offerFrom adds a candidate by its key, at a distance increased by far, because the name differs from the key.
func (n *nearestNames) offerFrom(key, name string, far int) {
	score, ok := n.distanceTo(key)
	if !ok {
		return
	}
	n.found = append(n.found, nearName{name, score + far})
	if len(n.found) > 20*maxNear {
		n.trim()
	}
}

func (n *nearestNames) distanceTo(name string) (int, bool) {
	if len(name) > len(n.lower)+64 {
		return 0, false
	}
	lower := appendLower(n.scratch[:0], name)
	n.scratch = lower
	longer := len(lower) - len(n.lower)
	switch {
	case bytes.Equal(lower, n.lower):
		return 0, true
	case len(n.lower) >= 3 && n.sharesPart(lower):
		return 20 + abs(longer), true
	case abs(longer) > n.limit || n.minDistance(lower) > n.limit:
		return 0, false
	}
	if d := editDistance(lower, n.lower, n.limit); d <= n.limit {
		return 5 * d, true
	}
	return 0, false
}

// sharesPart reports whether the wanted name is a part of another, or the reverse.
func (n *nearestNames) sharesPart(lower []byte) bool {
	if len(lower) >= len(n.lower) {
		return bytes.Contains(lower, n.lower)
	}
	return len(lower) >= 4 && bytes.Contains(n.lower, lower)
}

// minDistance returns a lower bound of the distance to a name, far faster than the distance itself: it counts the bytes
// of one name that the other lacks.
func (n *nearestNames) minDistance(lower []byte) int {
	own := 0
	for _, c := range lower {
		if n.left[c]--; n.left[c] < 0 {
			own++
		}
	}
	for _, c := range lower {
		n.left[c]++
	}
	return max(own, own+len(n.lower)-len(lower))
}

// appendLower appends a name in lower case. It allocates nothing for most names, because it runs for every name of a
// repository.
func appendLower(dst []byte, name string) []byte {
	for i := range len(name) {
		c := name[i]
		if c >= utf8.RuneSelf {
			return append(dst[:0], strings.ToLower(name)...)
		}
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}

func (n *nearestNames) trim() {
	slices.SortFunc(n.found, func(a, b nearName) int { return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.name, b.name)) })
	n.found = slices.CompactFunc(n.found, func(a, b nearName) bool { return a.name == b.name })
	n.found = n.found[:min(len(n.found), maxNear)]
}

func (n *nearestNames) sortedNames() []string {
	n.trim()
	var out []string
	for _, f := range n.found {
		out = append(out, f.name)
	}
	return out
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// editDistance returns the number of edits between two strings, in bytes
// (optimal string alignment: insert, delete, change, swap neighbours). It may
// return limit+1 for any distance above limit.
func editDistance(a, b []byte, limit int) int {
	if len(a) > 64 || len(b) > 64 {
		return limit + 1
	}
	var rows [3][65]int
	for j := range b {
		rows[0][j+1] = j + 1
	}
	prev2, prev, cur := &rows[2], &rows[0], &rows[1]
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		low := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, prev2[j-2]+1)
			}
			cur[j] = d
			low = min(low, d)
		}
		if low > limit {
			return limit + 1
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return prev[len(b)]
}
