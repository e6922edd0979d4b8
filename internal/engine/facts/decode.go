package facts

import (
	"cmp"
	"slices"
	"sort"
	"unsafe"

	"github.com/klauspost/compress/s2"

	"ken/internal/code"
)

// Packed is the packed facts of a file, opened for reading. The strings that it
// returns share the memory of the packed form.
type Packed struct {
	data    string
	names   []string
	ends    []int // where the references of each name end, from the first reference on
	symbols int   // offset of the symbol section
	size    int   // its length
	imports int   // offset of the import section
	first   int   // offset of the first reference, 0 until it is first needed
}

// Open reads the names of a blob and finds its sections. The blob is kept and must not be changed. It fails with
// code.ErrDamaged, as all methods of Packed do, if Encode did not write the blob.
func Open(blob []byte) (*Packed, error) {
	p := &Packed{data: unsafe.String(unsafe.SliceData(blob), len(blob))}
	r := reader{s: p.data}
	if r.uint() != version {
		return nil, errDamaged
	}
	n := r.count()
	p.names, p.ends = make([]string, n), make([]int, n)
	end := 0
	for i := range p.names {
		p.names[i] = r.str()
		end += r.count()
		p.ends[i] = end
	}
	size := r.count()
	p.symbols, p.size = r.pos, size
	r.skip(size)
	p.imports = r.pos
	return p, r.err
}

// Refers reports whether a reference, or the receiver of one, has the name.
func (p *Packed) Refers(name string) bool {
	i := sort.SearchStrings(p.names, name)
	return i < len(p.names) && p.names[i] == name
}

// Details fills Doc, Returns and Params of syms, the file's symbols in order. It returns an error if the blob is damaged
// or holds another number of symbols.
func (p *Packed) Details(syms []code.Symbol) error {
	r, err := p.details()
	if err != nil {
		return err
	}
	if n := r.count(); n != len(syms) {
		return errDamaged
	}
	for i := range syms {
		r.detail(&syms[i])
	}
	return r.err
}

func (r *reader) detail(y *code.Symbol) {
	y.Doc, y.Returns = r.str(), r.str()
	if n := r.count(); n > 0 {
		y.Params = make([]code.Param, n)
	}
	for j := range y.Params {
		y.Params[j] = r.param()
	}
}

func (r *reader) param() code.Param {
	return code.Param{Name: r.str(), Type: r.str(), Default: r.str(), Optional: r.uint() == 1}
}

// maxDetails bounds the size to which a section may decompress, so that a damaged one cannot exhaust memory.
const maxDetails = 64 << 20

// details opens the symbol section.
func (p *Packed) details() (reader, error) {
	if p.size == 0 {
		return reader{}, errDamaged
	}
	sec := p.data[p.symbols : p.symbols+p.size]
	if sec[0] == 0 {
		return reader{s: sec[1:]}, nil
	}
	squeezed := unsafe.Slice(unsafe.StringData(sec), len(sec))[1:] // is only read
	if n, err := s2.DecodedLen(squeezed); err != nil || n > maxDetails {
		return reader{}, errDamaged
	}
	b, err := s2.Decode(nil, squeezed)
	if err != nil {
		return reader{}, errDamaged
	}
	return reader{s: unsafe.String(unsafe.SliceData(b), len(b))}, nil
}

// Imports decodes the imports. It returns an error if the blob is damaged.
func (p *Packed) Imports() ([]code.Import, error) {
	r := reader{s: p.data, pos: p.imports}
	out := r.imports()
	return out, r.err
}

// Exports decodes the exports. It returns an error if the blob is damaged.
func (p *Packed) Exports() ([]code.Export, error) {
	r := reader{s: p.data, pos: p.imports}
	r.imports()
	out := r.exports()
	return out, r.err
}

// Types decodes the hints at types. It returns an error if the blob is damaged.
func (p *Packed) Types() ([]code.TypeHint, error) {
	r := reader{s: p.data, pos: p.imports}
	r.imports()
	r.exports()
	if size := r.count(); size == 0 || r.err != nil {
		return nil, r.err
	}
	out := make([]code.TypeHint, r.count())
	for i := range out {
		out[i] = code.TypeHint{Symbol: int32(r.uint()), Name: r.str(), Type: r.str()}
	}
	return out, r.err
}

// Uses reports whether there is a reference with a name.
func (p *Packed) Uses(name string) bool {
	_, ok := slices.BinarySearch(p.names, name)
	return ok
}

// Refs decodes the references with a name, in source order. It returns an error if the blob is damaged.
func (p *Packed) Refs(name string) ([]code.Ref, error) { return p.AppendRefs(nil, name) }

// AppendRefs appends the references with a name to a list, for callers that read many files and keep nothing. It
// returns an error if the blob is damaged.
func (p *Packed) AppendRefs(out []code.Ref, name string) ([]code.Ref, error) {
	i := sort.SearchStrings(p.names, name)
	if i == len(p.names) || p.names[i] != name {
		return out, nil
	}
	r := p.refsReader()
	if r.err != nil {
		return out, r.err
	}
	size := p.ends[i]
	if i > 0 {
		size -= p.ends[i-1]
	}
	out = r.refs(slices.Grow(out, size/leastRef), p, i)
	return out, r.err
}

// leastRef is the approximate size of the shortest references, in bytes.
const leastRef = 4

// AllRefs decodes all references, by name and within a name in source order. It returns an error if the blob is damaged.
func (p *Packed) AllRefs() ([]code.Ref, error) {
	r := p.refsReader()
	n := 0
	if len(p.ends) > 0 {
		n = p.ends[len(p.ends)-1]
	}
	out := make([]code.Ref, 0, n/5)
	for i := range p.names {
		out = r.refs(out, p, i)
	}
	return out, r.err
}

// refsReader returns a reader at the first reference.
func (p *Packed) refsReader() *reader {
	if p.first == 0 {
		r := reader{s: p.data, pos: p.imports}
		r.imports()
		r.exports()
		r.skip(r.count())
		if r.err != nil || len(p.ends) > 0 && p.ends[len(p.ends)-1] > len(p.data)-r.pos {
			return &reader{err: errDamaged}
		}
		p.first = r.pos
	}
	return &reader{s: p.data, pos: p.first}
}

// All decodes everything the blob holds into f, whose Symbols are the file's rows; references in source order. It
// returns an error if the blob is damaged.
func (p *Packed) All(f *code.Facts) error {
	if err := p.Details(f.Symbols); err != nil {
		return err
	}
	var err error
	if f.Imports, f.Exports, f.Refs, err = p.Linkable(); err != nil {
		return err
	}
	if f.Types, err = p.Types(); err != nil {
		return err
	}
	slices.SortFunc(f.Refs, func(a, b code.Ref) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Name, b.Name)) })
	return nil
}

type reader struct {
	s   string
	pos int
	err error
}

func (r *reader) uint() uint64 {
	var v uint64
	for shift := uint(0); r.pos < len(r.s) && shift < 64; shift += 7 {
		b := r.s[r.pos]
		r.pos++
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return v
		}
	}
	r.err = errDamaged
	return 0
}

// count reads a number of things that each take at least one byte, so that a
// damaged blob cannot ask for more memory than it has bytes.
func (r *reader) count() int {
	v := r.uint()
	if v > uint64(len(r.s)-r.pos) {
		r.err = errDamaged
		return 0
	}
	return int(v)
}

func (r *reader) skip(n int) { r.pos += n }

func (r *reader) str() string {
	n := r.count()
	s := r.s[r.pos : r.pos+n]
	r.pos += n
	return s
}

func (r *reader) int() int64 {
	v := r.uint()
	return int64(v>>1) ^ -int64(v&1)
}

func (r *reader) imports() []code.Import {
	n := r.count()
	if n == 0 {
		return nil
	}
	out := make([]code.Import, n)
	for i := range out {
		m := &out[i]
		m.Spec, m.Kind, m.Alias = r.str(), code.ImportKind(r.uint()), r.str()
		m.Line = uint32(r.uint())
		flags := r.uint()
		if m.Static = flags&1 != 0; flags&2 != 0 {
			m.Within = r.str()
		}
		if k := r.count(); k > 0 {
			m.Names = make([]code.ImportName, k)
		}
		for j := range m.Names {
			m.Names[j] = code.ImportName{Name: r.str(), Alias: r.str()}
		}
	}
	return out
}

func (r *reader) exports() []code.Export {
	n := r.count()
	if n == 0 {
		return nil
	}
	out := make([]code.Export, n)
	for i := range out {
		out[i] = code.Export{Name: r.str(), Local: r.str(), From: int32(r.uint()) - 1, Line: uint32(r.uint())}
	}
	return out
}

// refs decodes the references of the nth name, from the first reference on.
func (r *reader) refs(out []code.Ref, p *Packed, n int) []code.Ref {
	begin := 0
	if n > 0 {
		begin = p.ends[n-1]
	}
	end := p.first + p.ends[n]
	r.pos = p.first + begin
	last := code.Ref{Scope: -1}
	var start, line int64
	for r.pos < end && r.err == nil {
		if r.pos >= len(r.s) {
			r.err = errDamaged
			return out
		}
		head := r.s[r.pos]
		r.pos++
		ref := code.Ref{Name: p.names[n], Kind: code.RefKind(head & 7), Via: code.Via(head >> 3 & 7), Import: -1, Scope: last.Scope}
		if ref.Via.NamesImport() {
			ref.Import = int32(r.uint()) - 1
		}
		if hasRecv(ref.Via) {
			recv := r.uint()
			if recv >= uint64(len(p.names)) {
				r.err = errDamaged
				return out
			}
			ref.Recv = p.names[recv]
		}
		if ref.Kind == callWithArgs {
			args := r.uint()
			if args >= uint64(len(p.names)) {
				r.err = errDamaged
				return out
			}
			if ref.Kind, ref.Args = code.RefCall, p.names[args]; isAround(ref.Args) {
				ref.Kind = code.RefKind(r.uint())
			}
		}
		start += r.int()
		line += r.int()
		length := uint32(len(ref.Name))
		if head&hasLength != 0 {
			length = uint32(r.uint())
		}
		if head&hasScope != 0 {
			ref.Scope = int32(r.uint()) - 1
		}
		ref.Start, ref.End, ref.Line = uint32(start), uint32(start)+length, uint32(line)
		last = ref
		out = append(out, ref)
	}
	return out
}

// Linkable decodes the facts that linking a file needs; its references are sorted by name. It returns an error if
// the blob is damaged.
func (p *Packed) Linkable() (imports []code.Import, exports []code.Export, refs []code.Ref, err error) {
	r := reader{s: p.data, pos: p.imports}
	imports, exports = r.imports(), r.exports()
	if r.err != nil {
		return nil, nil, nil, r.err
	}
	refs, err = p.AllRefs()
	return imports, exports, refs, err
}

// AllDetails decodes the details of all symbols, in order; names and spans are left empty. It returns an error if the
// blob is damaged.
func (p *Packed) AllDetails() ([]code.Symbol, error) {
	return p.SomeDetails(func(int) bool { return true })
}

// SomeDetails is AllDetails that leaves symbols empty unless their numbers are wanted. It returns an error if the blob
// is damaged.
func (p *Packed) SomeDetails(wanted func(ord int) bool) ([]code.Symbol, error) {
	r, err := p.details()
	if err != nil {
		return nil, err
	}
	syms := make([]code.Symbol, r.count())
	for i := range syms {
		if wanted(i) {
			r.detail(&syms[i])
			continue
		}
		r.str()
		r.str()
		for range r.count() {
			r.param()
		}
	}
	return syms, r.err
}
