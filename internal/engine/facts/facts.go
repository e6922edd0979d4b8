// Package facts owns the packed form of the facts that extraction found in one file,
// as far as they have no rows of their own: imports, exports, references, hints at
// types, and each symbol's doc, parameters and return type. Rows of files and symbols
// belong to the store; engine/update links from both, engine/view answers from both.
//
// # Format, version 3
//
// All integers are unsigned varints; strings are a length and bytes.
//
//	version
//	names    count, then per name, sorted, the string and the number of bytes its references take:
//	         every Ref.Name, Ref.Recv and Ref.Args
//	symbols  byte length of the section, then the section: 0 and the following
//	         as it is, or 1 and the following in S2 block form (half the size;
//	         only answers that show docs or parameters unpack it):
//	         count, then per symbol doc, returns, parameter count, per
//	         parameter name, type, default, optional
//	imports  count, then per import spec, kind, alias, line, 1 if static plus 2 if it is within
//	         packages, then those, name count, per name name, alias
//	exports  count, then per export name, local, from+1, line
//	types    byte length of the section, then count and per hint symbol, name, type
//	refs     the references of the first name, in source order, then those of the second, …; each
//	         one byte: kind (7: with arguments, of a call unless they begin with {) | via<<3 |
//	         64 if the length differs from the name's | 128 if the scope differs from the last
//	         import+1 (ViaImport and ViaModule only), receiver index (ViaSelf, ViaTyped only), arguments index (kind 7 only), kind
//	         (arguments that begin with { only),
//	         start minus the last start (zigzag), line minus the last line (zigzag), length (flag 64), scope+1 (flag 128);
//	         "last" is the reference of the same name before, zeros and scope -1 at first
//
// References are grouped by name so that a reader of one name need not decode the
// others, because a popular name is looked up in thousands of files. A blob that does
// not decode gives an error that wraps code.ErrDamaged.
package facts

import (
	"encoding/binary"
	"fmt"
	"sort"
	"strings"

	"github.com/klauspost/compress/s2"

	"ken/internal/code"
)

const version = 3

// minSqueeze is the size in bytes from which compressing symbol details pays.
const minSqueeze = 64

// errDamaged reports a blob that Encode did not write.
var errDamaged = fmt.Errorf("packed facts: %w", code.ErrDamaged)

// Encode packs f. It appends to dst and returns the extended slice.
func Encode(dst []byte, f *code.Facts) []byte {
	names, index := nameTable(f.Refs)
	refs, sizes := packRefs(f.Refs, names, index)
	dst = binary.AppendUvarint(dst, version)
	dst = binary.AppendUvarint(dst, uint64(len(names)))
	for i, n := range names {
		dst = appendString(dst, n)
		dst = binary.AppendUvarint(dst, uint64(sizes[i]))
	}
	dst = appendSymbols(dst, f.Symbols)
	dst = appendImports(dst, f.Imports)
	dst = appendExports(dst, f.Exports)
	dst = appendTypes(dst, f.Types)
	return append(dst, refs...)
}

func appendTypes(dst []byte, hints []code.TypeHint) []byte {
	if len(hints) == 0 {
		return append(dst, 0)
	}
	sec := binary.AppendUvarint(nil, uint64(len(hints)))
	for i := range hints {
		sec = binary.AppendUvarint(sec, uint64(hints[i].Symbol))
		sec = appendString(appendString(sec, hints[i].Name), hints[i].Type)
	}
	dst = binary.AppendUvarint(dst, uint64(len(sec)))
	return append(dst, sec...)
}

// Names lists the distinct names that f refers to, sorted: those the store keeps postings for. Receivers are not
// included.
func Names(f *code.Facts) []string {
	seen := make(map[string]struct{}, len(f.Refs)/2)
	out := make([]string, 0, len(f.Refs)/2)
	for i := range f.Refs {
		n := f.Refs[i].Name
		if _, ok := seen[n]; !ok && n != "" {
			seen[n] = struct{}{}
			out = append(out, n)
		}
	}
	sort.Strings(out)
	return out
}

func nameTable(refs []code.Ref) ([]string, map[string]int) {
	index := make(map[string]int, len(refs)/2)
	for i := range refs {
		index[refs[i].Name] = 0
		if hasRecv(refs[i].Via) {
			index[refs[i].Recv] = 0
		}
		if hasArgs(&refs[i]) {
			index[refs[i].Args] = 0
		}
	}
	names := make([]string, 0, len(index))
	for n := range index {
		names = append(names, n)
	}
	sort.Strings(names)
	for i, n := range names {
		index[n] = i
	}
	return names, index
}

func hasRecv(v code.Via) bool { return v == code.ViaSelf || v == code.ViaTyped }

func hasArgs(r *code.Ref) bool { return r.Args != "" && (r.Kind == code.RefCall || isAround(r.Args)) }

func isAround(args string) bool { return strings.HasPrefix(args, code.ArgsAround) }

func appendString(dst []byte, s string) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s)))
	return append(dst, s...)
}

func appendSymbols(dst []byte, syms []code.Symbol) []byte {
	var sec []byte
	sec = binary.AppendUvarint(sec, uint64(len(syms)))
	for i := range syms {
		s := &syms[i]
		sec = appendString(sec, s.Doc)
		sec = appendString(sec, s.Returns)
		sec = binary.AppendUvarint(sec, uint64(len(s.Params)))
		for _, p := range s.Params {
			sec = appendString(sec, p.Name)
			sec = appendString(sec, p.Type)
			sec = appendString(sec, p.Default)
			sec = binary.AppendUvarint(sec, bit(p.Optional))
		}
	}
	form := byte(0)
	if len(sec) > minSqueeze {
		form, sec = 1, s2.EncodeBetter(nil, sec)
	}
	dst = binary.AppendUvarint(dst, uint64(len(sec)+1))
	return append(append(dst, form), sec...)
}

func appendImports(dst []byte, imps []code.Import) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(imps)))
	for i := range imps {
		m := &imps[i]
		dst = appendString(dst, m.Spec)
		dst = binary.AppendUvarint(dst, uint64(m.Kind))
		dst = appendString(dst, m.Alias)
		dst = binary.AppendUvarint(dst, uint64(m.Line))
		dst = binary.AppendUvarint(dst, bit(m.Static)|bit(m.Within != "")<<1)
		if m.Within != "" {
			dst = appendString(dst, m.Within)
		}
		dst = binary.AppendUvarint(dst, uint64(len(m.Names)))
		for _, n := range m.Names {
			dst = appendString(dst, n.Name)
			dst = appendString(dst, n.Alias)
		}
	}
	return dst
}

func appendExports(dst []byte, exps []code.Export) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(exps)))
	for i := range exps {
		e := &exps[i]
		dst = appendString(dst, e.Name)
		dst = appendString(dst, e.Local)
		dst = binary.AppendUvarint(dst, uint64(e.From+1))
		dst = binary.AppendUvarint(dst, uint64(e.Line))
	}
	return dst
}

// packRefs packs the references name by name. It returns the bytes of each name.
func packRefs(refs []code.Ref, names []string, index map[string]int) (packed []byte, sizes []int) {
	// Counting sort by name keeps the source order of each name's references.
	at := make([]int, len(names)+1)
	for i := range refs {
		at[index[refs[i].Name]+1]++
	}
	for i := range names {
		at[i+1] += at[i]
	}
	ends := append([]int(nil), at...)
	order := make([]int32, len(refs))
	for i := range refs {
		n := index[refs[i].Name]
		order[ends[n]] = int32(i)
		ends[n]++
	}
	sizes = make([]int, len(names))
	for n := range names {
		before := len(packed)
		last := code.Ref{Scope: -1}
		for _, i := range order[at[n]:at[n+1]] {
			packed = appendRef(packed, &refs[i], &last, index)
			last = refs[i]
		}
		sizes[n] = len(packed) - before
	}
	return packed, sizes
}

func appendRef(dst []byte, r, last *code.Ref, index map[string]int) []byte {
	head := byte(r.Kind) | byte(r.Via)<<3
	if hasArgs(r) {
		head |= callWithArgs
	}
	if r.End-r.Start != uint32(len(r.Name)) {
		head |= hasLength
	}
	if r.Scope != last.Scope {
		head |= hasScope
	}
	dst = append(dst, head)
	if r.Via.NamesImport() {
		dst = binary.AppendUvarint(dst, uint64(r.Import+1))
	}
	if hasRecv(r.Via) {
		dst = binary.AppendUvarint(dst, uint64(index[r.Recv]))
	}
	if hasArgs(r) {
		dst = binary.AppendUvarint(dst, uint64(index[r.Args]))
		if isAround(r.Args) {
			dst = append(dst, byte(r.Kind))
		}
	}
	dst = binary.AppendUvarint(dst, zigzag(int64(r.Start)-int64(last.Start)))
	dst = binary.AppendUvarint(dst, zigzag(int64(r.Line)-int64(last.Line)))
	if head&hasLength != 0 {
		dst = binary.AppendUvarint(dst, uint64(r.End-r.Start))
	}
	if head&hasScope != 0 {
		dst = binary.AppendUvarint(dst, uint64(r.Scope+1))
	}
	return dst
}

// callWithArgs is the kind under which a reference is stored whose arguments follow, and after code.ArgsAround its
// kind: those of languages that do not record arguments take no byte for it.
const callWithArgs = 7

// Bits of a reference's first byte beside kind and via.
const (
	hasLength = 64
	hasScope  = 128
)

func zigzag(v int64) uint64 { return uint64(v<<1) ^ uint64(v>>63) }

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
