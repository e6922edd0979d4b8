// Package exact owns the packed form of exact bindings: for the references of one file, the symbol that each means
// according to a type checker (engine/gotypes) or an imported index (engine/scip). engine/update stores the blobs, and
// engine/view reads them before it tries the heuristics of engine/graph.
//
// # Formats
//
// Bindings, version 1: the byte 1, then little-endian the number n of references
// and the number m of distinct targets (uint32 each), the n start bytes of the
// references ascending (uint32), for each the index of its target plus one, or 0
// if it means nothing in the repository (uint32), and the m targets (int64, packed
// ids of symbols). Widths are fixed so that a lookup decodes nothing: a query for a
// popular name opens thousands of files for one reference each.
//
// Methods, version 1: the byte 1, then as varints the number of methods and for
// each the length of its name, the name, its print (8 bytes, little-endian) and
// the id of the symbol that declares it, 0 outside the repository.
package exact

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"sort"

	"ken/internal/code"
)

const version = 1

// errDamaged reports a blob that was not written by this package.
var errDamaged = fmt.Errorf("packed bindings: %w", code.ErrDamaged)

// Binding is one reference, by the byte it starts at, and the packed id of the symbol it means; 0 if the repository does
// not declare it.
type Binding struct {
	Start  uint32
	Target int64
}

const head = 1 + 4 + 4

// Encode packs bindings, and sorts the list. Of two with the same start the first counts.
func Encode(list []Binding) []byte {
	slices.SortStableFunc(list, func(a, b Binding) int { return cmp.Compare(a.Start, b.Start) })
	list = slices.CompactFunc(list, func(a, b Binding) bool { return a.Start == b.Start })
	index := map[int64]uint32{}
	var targets []int64
	for _, b := range list {
		if _, ok := index[b.Target]; !ok && b.Target != 0 {
			targets = append(targets, b.Target)
			index[b.Target] = uint32(len(targets))
		}
	}
	out := make([]byte, 0, head+8*len(list)+8*len(targets))
	out = append(out, version)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(list)))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(targets)))
	for _, b := range list {
		out = binary.LittleEndian.AppendUint32(out, b.Start)
	}
	for _, b := range list {
		out = binary.LittleEndian.AppendUint32(out, index[b.Target])
	}
	for _, t := range targets {
		out = binary.LittleEndian.AppendUint64(out, uint64(t))
	}
	return out
}

// Bindings is an opened blob.
type Bindings struct {
	data []byte
	n, m int
}

// Unpack opens a blob, which is kept and must not be changed. It fails with code.ErrDamaged if the version or the length
// of the blob is wrong; it does not check the bindings in it.
func Unpack(data []byte) (Bindings, error) {
	if len(data) < head || data[0] != version {
		return Bindings{}, errDamaged
	}
	n, m := uint64(binary.LittleEndian.Uint32(data[1:])), uint64(binary.LittleEndian.Uint32(data[5:]))
	if uint64(len(data)) != head+8*n+8*m {
		return Bindings{}, errDamaged
	}
	return Bindings{data: data, n: int(n), m: int(m)}, nil
}

// Len returns the number of references.
func (b Bindings) Len() int { return b.n }

// Find returns the target of the reference that starts at a byte, and false if there is no binding for it.
func (b Bindings) Find(start uint32) (target int64, ok bool) {
	i := sort.Search(b.n, func(i int) bool { return b.start(i) >= start })
	if i == b.n || b.start(i) != start {
		return 0, false
	}
	return b.target(i)
}

// At returns the i-th binding.
func (b Bindings) At(i int) Binding {
	t, _ := b.target(i)
	return Binding{Start: b.start(i), Target: t}
}

func (b Bindings) start(i int) uint32 { return binary.LittleEndian.Uint32(b.data[head+4*i:]) }

func (b Bindings) target(i int) (int64, bool) {
	t := int(binary.LittleEndian.Uint32(b.data[head+4*b.n+4*i:]))
	switch {
	case t == 0:
		return 0, true
	case t > b.m:
		return 0, false
	}
	return int64(binary.LittleEndian.Uint64(b.data[head+8*b.n+8*(t-1):])), true
}

// Method is one method of a type. Print is equal for methods of equal name and signature.
type Method struct {
	Name   string
	Print  uint64
	Target int64
}

// EncodeMethods packs the methods of a type, which must be sorted by name.
func EncodeMethods(list []Method) []byte {
	out := []byte{version}
	out = binary.AppendUvarint(out, uint64(len(list)))
	for _, m := range list {
		out = binary.AppendUvarint(out, uint64(len(m.Name)))
		out = append(out, m.Name...)
		out = binary.LittleEndian.AppendUint64(out, m.Print)
		out = binary.AppendUvarint(out, uint64(m.Target))
	}
	return out
}

// DecodeMethods is the inverse of EncodeMethods. It fails with code.ErrDamaged if data has another form.
func DecodeMethods(data []byte) ([]Method, error) {
	if len(data) == 0 || data[0] != version {
		return nil, errDamaged
	}
	data = data[1:]
	n, ok := uvarint(&data)
	if !ok || n > uint64(len(data)) {
		return nil, errDamaged
	}
	out := make([]Method, 0, n)
	for range n {
		size, ok := uvarint(&data)
		if !ok || size > uint64(len(data)) || uint64(len(data))-size < 8 {
			return nil, errDamaged
		}
		m := Method{Name: string(data[:size]), Print: binary.LittleEndian.Uint64(data[size:])}
		data = data[size+8:]
		target, ok := uvarint(&data)
		if !ok {
			return nil, errDamaged
		}
		m.Target = int64(target)
		out = append(out, m)
	}
	return out, nil
}

func uvarint(data *[]byte) (uint64, bool) {
	v, n := binary.Uvarint(*data)
	if n <= 0 {
		return 0, false
	}
	*data = (*data)[n:]
	return v, true
}

// Implements reports whether a type with the methods have satisfies an interface
// with the methods want. Both are sorted by name. It is false for an interface
// without methods, which every type satisfies.
func Implements(have, want []Method) bool {
	i := 0
	for _, w := range want {
		for i < len(have) && have[i].Name < w.Name {
			i++
		}
		found := false
		for j := i; j < len(have) && have[j].Name == w.Name; j++ {
			found = found || have[j].Print == w.Print
		}
		if !found {
			return false
		}
	}
	return len(want) > 0
}

// MethodNamed finds a method by its name in a list sorted by name, and returns false if there is none.
func MethodNamed(list []Method, name string) (Method, bool) {
	i, ok := slices.BinarySearchFunc(list, name, func(m Method, name string) int { return cmp.Compare(m.Name, name) })
	if !ok {
		return Method{}, false
	}
	return list[i], true
}
