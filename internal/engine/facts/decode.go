package facts

import (
	"sort"
	"unsafe"

	"github.com/klauspost/compress/s2"

	"ken/internal/code"
)

// Packed is an encoded blob opened for reading. Strings it returns are parts of
// the blob.
type Packed struct {
	data    string
	names   []string
	symbols int // offset of the symbol section
	size    int // its length
	imports int // offset of the import section
}

// Open reads the names of a blob and finds its sections. The blob is kept and
// must not be changed.
func Open(blob []byte) (*Packed, error) {
	p := &Packed{data: unsafe.String(unsafe.SliceData(blob), len(blob))}
	r := reader{s: p.data}
	if r.uint() != version {
		return nil, errCorrupt
	}
	n := r.count()
	p.names = make([]string, n)
	for i := range p.names {
		p.names[i] = r.str()
	}
	size := r.count()
	p.symbols, p.size = r.pos, size
	r.skip(size)
	p.imports = r.pos
	return p, r.err
}

// Refers reports whether some reference or receiver bears the name.
func (p *Packed) Refers(name string) bool {
	i := sort.SearchStrings(p.names, name)
	return i < len(p.names) && p.names[i] == name
}

// Details fills Doc, Returns and Params of syms, the file's symbols in order.
func (p *Packed) Details(syms []code.Symbol) error {
	r, err := p.details()
	if err != nil {
		return err
	}
	if n := r.count(); n != len(syms) {
		return errCorrupt
	}
	for i := range syms {
		syms[i].Doc, syms[i].Returns = r.str(), r.str()
		n := r.count()
		if n > 0 {
			syms[i].Params = make([]code.Param, n)
		}
		for j := range syms[i].Params {
			syms[i].Params[j] = code.Param{Name: r.str(), Type: r.str(), Default: r.str(), Optional: r.uint() == 1}
		}
	}
	return r.err
}

// maxDetails bounds what a damaged section may claim to unpack to.
const maxDetails = 64 << 20

// details opens the symbol section.
func (p *Packed) details() (reader, error) {
	if p.size == 0 {
		return reader{}, errCorrupt
	}
	sec := p.data[p.symbols : p.symbols+p.size]
	if sec[0] == 0 {
		return reader{s: sec[1:]}, nil
	}
	if n, err := s2.DecodedLen([]byte(sec[1:])); err != nil || n > maxDetails {
		return reader{}, errCorrupt
	}
	b, err := s2.Decode(nil, []byte(sec[1:]))
	if err != nil {
		return reader{}, errCorrupt
	}
	return reader{s: string(b)}, nil
}

// Imports decodes the imports, Exports the exports, Refs the references.
func (p *Packed) Imports() ([]code.Import, error) {
	r := reader{s: p.data, pos: p.imports}
	out := r.imports()
	return out, r.err
}

// Exports decodes the exports.
func (p *Packed) Exports() ([]code.Export, error) {
	r := reader{s: p.data, pos: p.imports}
	r.imports()
	out := r.exports()
	return out, r.err
}

// Refs decodes the references; with a name, only those that bear it.
func (p *Packed) Refs(name string) ([]code.Ref, error) {
	r := reader{s: p.data, pos: p.imports}
	r.imports()
	r.exports()
	return r.refs(p.names, name), r.err
}

// All decodes everything the blob holds into f, whose Symbols are the file's rows.
func (p *Packed) All(f *code.Facts) error {
	if err := p.Details(f.Symbols); err != nil {
		return err
	}
	r := reader{s: p.data, pos: p.imports}
	f.Imports, f.Exports = r.imports(), r.exports()
	f.Refs = r.refs(p.names, "")
	return r.err
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
	r.err = errCorrupt
	return 0
}

// count reads a number of things that each take at least one byte, so that a
// damaged blob cannot ask for more memory than it has bytes.
func (r *reader) count() int {
	v := r.uint()
	if v > uint64(len(r.s)-r.pos) {
		r.err = errCorrupt
		return 0
	}
	return int(v)
}

func (r *reader) skip(n int) { r.pos += n }

func (r *reader) byte() byte {
	if r.pos >= len(r.s) {
		r.err = errCorrupt
		return 0
	}
	r.pos++
	return r.s[r.pos-1]
}

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
		m.Line, m.Static = uint32(r.uint()), r.uint() == 1
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

func (r *reader) refs(names []string, only string) []code.Ref {
	n := r.count()
	want := -1
	var out []code.Ref
	if only != "" {
		want = sort.SearchStrings(names, only)
		if want == len(names) || names[want] != only {
			return nil
		}
	} else {
		out = make([]code.Ref, 0, n)
	}
	last := code.Ref{Import: -1}
	var start, line int64
	for ; n > 0 && r.err == nil; n-- {
		head := r.byte()
		ref := code.Ref{Kind: code.RefKind(head & 7), Via: code.Via(head >> 3 & 7), Import: -1, Scope: last.Scope}
		name, recv := r.uint(), uint64(0)
		if ref.Via == code.ViaImport {
			ref.Import = int32(r.uint()) - 1
		}
		if hasRecv(ref.Via) {
			recv = r.uint()
		}
		if name >= uint64(len(names)) || recv >= uint64(len(names)) {
			r.err = errCorrupt
			return out
		}
		start += r.int()
		line += r.int()
		length := uint32(len(names[name]))
		if head&hasLength != 0 {
			length = uint32(r.uint())
		}
		if head&hasScope != 0 {
			ref.Scope = int32(r.uint()) - 1
		}
		last = ref
		if want >= 0 && name != uint64(want) {
			continue
		}
		ref.Name = names[name]
		if hasRecv(ref.Via) {
			ref.Recv = names[recv]
		}
		ref.Start, ref.End, ref.Line = uint32(start), uint32(start)+length, uint32(line)
		out = append(out, ref)
	}
	return out
}

// Linkable decodes what linking a file needs.
func (p *Packed) Linkable() (imports []code.Import, exports []code.Export, refs []code.Ref, err error) {
	r := reader{s: p.data, pos: p.imports}
	imports, exports = r.imports(), r.exports()
	refs = r.refs(p.names, "")
	return imports, exports, refs, r.err
}

// AllDetails decodes the details of all symbols, in order; names and spans are
// left empty.
func (p *Packed) AllDetails() ([]code.Symbol, error) {
	r, err := p.details()
	if err != nil {
		return nil, err
	}
	syms := make([]code.Symbol, r.count())
	return syms, p.Details(syms)
}
