package impact

import (
	"strings"

	"ken/internal/engine/store"
	"ken/internal/engine/view"
)

// pathNames holds the names of all indexed paths. They are folded to lower case and split into words once for all comparisons.
type pathNames struct {
	rows   []store.PathRow
	folded string      // of all rows, see foldName
	ends   []int       // of each row, in folded
	parts  []*pathName // of each row, nil until it is needed
}

func newPathNames(s *view.Snapshot) (*pathNames, error) {
	rows, err := s.AllPaths()
	if err != nil {
		return nil, err
	}
	n := &pathNames{rows: rows, ends: make([]int, len(rows)), parts: make([]*pathName, len(rows))}
	var all strings.Builder
	var one []byte
	for i := range rows {
		one = foldName(one[:0], rows[i].Path)
		all.Write(one)
		n.ends[i] = all.Len()
	}
	n.folded = all.String()
	return n, nil
}

// fold returns the name of a row's path in lower case.
func (n *pathNames) fold(row int) string {
	if row == 0 {
		return n.folded[:n.ends[0]]
	}
	return n.folded[n.ends[row-1]:n.ends[row]]
}

// of returns the name of a row's path, split into words.
func (n *pathNames) of(row int) *pathName {
	if n.parts[row] == nil {
		p := splitName(n.rows[row].Path)
		n.parts[row] = &p
	}
	return n.parts[row]
}
