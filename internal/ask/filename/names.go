package filename

import (
	"strings"

	"ken/internal/engine/store"
	"ken/internal/engine/view"
)

// Names holds the names of all indexed paths. They are folded to lower case and split into words once for all comparisons.
type Names struct {
	Rows   []store.PathRow
	folded string      // of all rows, see foldName
	ends   []int       // of each row, in folded
	parts  []*pathName // of each row, nil until it is needed
}

// NewNames reads the names. It returns an error if the index cannot be read.
func NewNames(s *view.Snapshot) (*Names, error) {
	rows, err := s.AllPaths()
	if err != nil {
		return nil, err
	}
	n := &Names{Rows: rows, ends: make([]int, len(rows)), parts: make([]*pathName, len(rows))}
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

// Fold returns the name of a row's path in lower case.
func (n *Names) Fold(row int) string {
	if row == 0 {
		return n.folded[:n.ends[0]]
	}
	return n.folded[n.ends[row-1]:n.ends[row]]
}

// Subject returns the words of the subject of a row's name: those that do not tell the kind of the file.
func (n *Names) Subject(row int) []string { return n.of(row).root }

// of returns the name of a row's path, split into words.
func (n *Names) of(row int) *pathName {
	if n.parts[row] == nil {
		p := splitName(n.Rows[row].Path)
		n.parts[row] = &p
	}
	return n.parts[row]
}
