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
)

// maxNear is the number of near names offered.
const maxNear = 5

// nearNames are defined names that come near one that is not: the same letters
// in another case first, then few typing errors, then a shared part. It looks
// at every name once: 30 ms for 100,000.
func (s *Snapshot) nearNames(name string) ([]string, error) {
	if s.Provisional || len(name) > 200 {
		return nil, nil
	}
	best := newNearest(name)
	for n, err := range s.Index.Names() {
		if err != nil {
			return nil, err
		}
		best.offer(n)
	}
	return best.list(), nil
}

// noFile says that a path is not indexed, and which ones come near it. An index that
// cannot be read is an error beside that, so that damage is seen and healed.
func (s *Snapshot) noFile(p string) error {
	near, err := s.nearFiles(p)
	return errors.Join(&code.NotFoundError{What: "file", Name: p, Near: near}, err)
}

// nearFiles are indexed paths that come near one that is not indexed.
func (s *Snapshot) nearFiles(p string) ([]string, error) {
	if s.Provisional || len(p) > 1000 {
		return nil, nil
	}
	best := newNearest(StemOf(p))
	all, err := s.AllPaths()
	if err != nil {
		return nil, err
	}
	for _, row := range all {
		best.offerAs(StemOf(row.Path), row.Path)
	}
	return best.list(), nil
}

// StemOf is a file's name without directory and extension.
func StemOf(p string) string {
	base := path.Base(p)
	return strings.TrimSuffix(base, path.Ext(base))
}

// nearest keeps the best few candidates for a name.
type nearest struct {
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

func newNearest(want string) *nearest {
	n := &nearest{lower: []byte(strings.ToLower(want)), limit: 1 + len(want)/4}
	for _, c := range n.lower {
		n.left[c]++
	}
	return n
}

func (n *nearest) offer(name string) { n.offerAs(name, name) }

func (n *nearest) offerAs(key, name string) {
	score, ok := n.score(key)
	if !ok {
		return
	}
	n.found = append(n.found, nearName{name, score})
	if len(n.found) > 20*maxNear {
		n.trim()
	}
}

func (n *nearest) score(name string) (int, bool) {
	if len(name) > len(n.lower)+64 {
		return 0, false
	}
	lower := appendLower(n.scratch[:0], name)
	n.scratch = lower
	longer := len(lower) - len(n.lower)
	switch {
	case bytes.Equal(lower, n.lower):
		return 0, true
	case len(n.lower) >= 3 && n.shares(lower):
		return 20 + abs(longer), true
	case abs(longer) > n.limit || n.strange(lower) > n.limit:
		return 0, false
	}
	if d := editDistance(lower, n.lower, n.limit); d <= n.limit {
		return 5 * d, true
	}
	return 0, false
}

// shares reports whether one of the two names is a part of the other.
func (n *nearest) shares(lower []byte) bool {
	if len(lower) >= len(n.lower) {
		return bytes.Contains(lower, n.lower)
	}
	return len(lower) >= 4 && bytes.Contains(n.lower, lower)
}

// strange is a lower bound of the distance to a name, for far less work: how many
// of its bytes the wanted name has not, or the other way round.
func (n *nearest) strange(lower []byte) int {
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

// appendLower appends a name in lower case. It allocates nothing for most names,
// because every name of a repository comes here.
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

func (n *nearest) trim() {
	slices.SortFunc(n.found, func(a, b nearName) int { return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.name, b.name)) })
	n.found = slices.CompactFunc(n.found, func(a, b nearName) bool { return a.name == b.name })
	n.found = n.found[:min(len(n.found), maxNear)]
}

func (n *nearest) list() []string {
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

// editDistance is the optimal string alignment distance (insert, delete,
// change, swap neighbours) of two strings by bytes; anything above limit may be
// reported as limit+1.
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
