// Package uses has the list of files that use a name: the packed form that the table of
// names keeps, and the changes that an update makes to it.
package uses

import (
	"encoding/binary"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"ken/internal/engine/store"
)

// Pack packs the ascending ids of files as varints of their differences, because
// those take one or two bytes each and a row of a table would take a dozen.
func Pack(b []byte, ids []int64) []byte {
	last := int64(0)
	for _, id := range ids {
		b = binary.AppendUvarint(b, uint64(id-last))
		last = id
	}
	return b
}

// Unpack is the inverse of Pack. It fails with code.ErrDamaged if the bytes are not packed ids.
func Unpack(b []byte) ([]int64, error) {
	ids := make([]int64, 0, len(b))
	last := int64(0)
	for len(b) > 0 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			return nil, fmt.Errorf("%w: uses of a name", store.ErrDamaged)
		}
		last += int64(v)
		ids, b = append(ids, last), b[n:]
	}
	return ids, nil
}

// NameChanges collects the changes that an update makes to names, so that it writes each name's row once and not for each file
// that has it: the row of a name that thousands of files use is long. The zero value is empty.
type NameChanges struct {
	names map[string]*Change
	size  int
}

// Change is the change of one name: of its number of declarations and of the files that use it.
type Change struct {
	Defs  int     // number of added declarations
	marks []int64 // file << 1, plus 1 if it uses the name; the last of a file counts
}

// maxChanges is the number of collected changes from which Full reports true: some ten megabytes of memory.
const maxChanges = 1 << 18

// Full reports whether so many changes are collected that they should be written.
func (c *NameChanges) Full() bool { return c.size >= maxChanges }

func (c *NameChanges) changeOfName(name string) *Change {
	ch, ok := c.names[name]
	if !ok {
		if c.names == nil {
			c.names = map[string]*Change{}
		}
		ch = &Change{}
		c.names[strings.Clone(name)] = ch // a copy, or it would keep the whole source of its file alive
		c.size++
	}
	return ch
}

// Define adds n to the number of declarations of a name.
func (c *NameChanges) Define(name string, n int) {
	if n != 0 {
		c.changeOfName(name).Defs += n
	}
}

// Use records whether a file uses a name (does) or no longer does.
func (c *NameChanges) Use(name string, file int64, does bool) {
	mark := file << 1
	if does {
		mark |= 1
	}
	ch := c.changeOfName(name)
	ch.marks = append(ch.marks, mark)
	c.size++
}

// Refer records that the names that a file uses change from was to now; both are sorted.
func (c *NameChanges) Refer(file int64, now, was []string) {
	for i, j := 0, 0; i < len(now) || j < len(was); {
		switch {
		case j == len(was) || i < len(now) && now[i] < was[j]:
			c.Use(now[i], file, true)
			i++
		case i == len(now) || was[j] < now[i]:
			c.Use(was[j], file, false)
			j++
		default:
			i++
			j++
		}
	}
}

// Take yields all changes by name and empties c.
func (c *NameChanges) Take() iter.Seq2[string, *Change] {
	names := c.names
	*c = NameChanges{}
	return func(yield func(string, *Change) bool) {
		for _, n := range slices.Sorted(maps.Keys(names)) {
			if !yield(n, names[n]) {
				return
			}
		}
	}
}

// Apply returns the ids of the files that use the name after the change; ids are those before it. Both ascend.
func (c *Change) Apply(ids []int64) []int64 {
	slices.SortStableFunc(c.marks, func(a, b int64) int { return int(a>>1 - b>>1) })
	out := make([]int64, 0, len(ids)+len(c.marks))
	for i, mark := range c.marks {
		file := mark >> 1
		if i+1 < len(c.marks) && c.marks[i+1]>>1 == file {
			continue
		}
		at, did := slices.BinarySearch(ids, file)
		out = append(out, ids[:at]...)
		if mark&1 != 0 {
			out = append(out, file)
		}
		if ids = ids[at:]; did {
			ids = ids[1:]
		}
	}
	return append(out, ids...)
}
