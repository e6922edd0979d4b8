package list

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"

	"ken/internal/code"
)

// The stored form of a Listing, read by ken alone:
//
//	"kenl", version (1 byte), CRC-32C of the rest (4 bytes, little endian)
//	options, tracked: 32 bytes each; LookedAt: 8 bytes
//	ignored paths: number, then as the paths of records
//	three lists (sources, directories, files), each: number of records, then
//	records of: length of the path's beginning shared with the record before,
//	length of the rest, the rest, flags (1 byte), stat
//	stat: size, mtime (8 bytes), ctime minus mtime, inode minus the inode before
//
// Numbers without a width are varints, differences are zigzag varints. Paths take a
// fifth of their length in this form, a record about 30 bytes; a listing of 10,000
// files is decoded in a millisecond.
const (
	codecMagic   = "kenl"
	codecVersion = 2
)

// ErrListing reports a stored listing that is damaged or of another version. It does
// not wrap code.ErrDamaged, because a look without an earlier listing repairs
// it.
var ErrListing = errors.New("stored listing cannot be read")

const (
	bitTracked = 1 << iota
	bitDir
	bitRecheck
	shiftProblem = 4
)

// problems are the problems an entry can have, by stored value; append only.
var problems = [...]code.Problem{
	code.ProblemNone, code.ProblemSymlink, code.ProblemSubmodule, code.ProblemNestedRepo,
	code.ProblemSpecial, code.ProblemExcluded, code.ProblemUnreadable,
}

// Encode returns the stored form of the listing, without Racy.
func (l *Listing) Encode() []byte {
	w := recordWriter{buf: make([]byte, 0, 128+40*(len(l.Files)+len(l.Dirs)+len(l.sources)))}
	w.buf = append(w.buf, codecMagic...)
	w.buf = append(w.buf, codecVersion, 0, 0, 0, 0)
	w.buf = append(append(w.buf, l.options[:]...), l.tracked[:]...)
	w.buf = binary.LittleEndian.AppendUint64(w.buf, uint64(l.LookedAt))
	w.writeCount(len(l.Ignored))
	for _, p := range l.Ignored {
		w.writePath(p)
	}
	w.writeCount(len(l.sources))
	for _, s := range l.sources {
		w.writeRecord(s.path, 0, s.stat)
	}
	w.writeCount(len(l.Dirs))
	for _, d := range l.Dirs {
		w.writeRecord(d.Path, flagBit(d.Recheck, bitRecheck), d.Stat)
	}
	w.writeCount(len(l.Files))
	for _, e := range l.Files {
		flags := flagBit(e.Tracked, bitTracked) | flagBit(e.Dir, bitDir)
		for i, p := range problems {
			if p == e.Problem {
				flags |= byte(i) << shiftProblem
			}
		}
		w.writeRecord(e.Path, flags, e.Stat)
	}
	binary.LittleEndian.PutUint32(w.buf[5:], crc32.Checksum(w.buf[9:], crc32.MakeTable(crc32.Castagnoli)))
	return w.buf
}

func flagBit(set bool, b byte) byte {
	if set {
		return b
	}
	return 0
}

type recordWriter struct {
	buf   []byte
	path  string // of the record before
	inode uint64
}

func (w *recordWriter) writeCount(n int) {
	w.path, w.inode = "", 0
	w.buf = binary.AppendUvarint(w.buf, uint64(n))
}

func (w *recordWriter) writePath(path string) {
	n := 0
	for n < len(path) && n < len(w.path) && path[n] == w.path[n] {
		n++
	}
	b := binary.AppendUvarint(w.buf, uint64(n))
	b = binary.AppendUvarint(b, uint64(len(path)-n))
	w.buf, w.path = append(b, path[n:]...), path
}

func (w *recordWriter) writeRecord(path string, flags byte, st code.Stat) {
	w.writePath(path)
	b := append(w.buf, flags)
	b = binary.AppendUvarint(b, uint64(st.Size))
	b = binary.LittleEndian.AppendUint64(b, uint64(st.MTime))
	b = binary.AppendVarint(b, st.CTime-st.MTime)
	w.buf = binary.AppendVarint(b, int64(st.Inode-w.inode))
	w.inode = st.Inode
}

// Decode decodes the form that Encode returns. It returns ErrListing for any other.
func Decode(data []byte) (*Listing, error) {
	r, err := openRecords(data)
	if err != nil {
		return nil, err
	}
	l := &Listing{LookedAt: int64(binary.LittleEndian.Uint64(data[headSize-8:]))}
	copy(l.options[:], data[9:])
	copy(l.tracked[:], data[41:])
	l.Ignored = r.readPaths()
	sources, dirs, files := r.readRecords(), r.readRecords(), r.readRecords()
	if r.bad || len(r.buf) != 0 {
		return nil, fmt.Errorf("decode listing: %w", ErrListing)
	}
	l.sources = make([]source, len(sources))
	for i, s := range sources {
		l.sources[i] = source{s.path, s.stat}
	}
	l.Dirs = make([]Dir, len(dirs))
	for i, d := range dirs {
		r.bad = r.bad || d.path != "" && !code.IsBelow(d.path)
		l.Dirs[i] = Dir{d.path, d.stat, d.flags&bitRecheck != 0}
	}
	l.Files = make([]Entry, len(files))
	for i, f := range files {
		r.bad = r.bad || f.path != "" && !code.IsBelow(f.path)
		p := code.ProblemNone
		if n := int(f.flags >> shiftProblem); n < len(problems) {
			p = problems[n]
		}
		l.Files[i] = Entry{Path: f.path, Stat: f.stat, Tracked: f.flags&bitTracked != 0, Dir: f.flags&bitDir != 0, Problem: p}
	}
	if r.bad {
		return nil, fmt.Errorf("decode listing: %w: a path that leads out of the tree", ErrListing)
	}
	return l, nil
}

// DecodeIgnored decodes only Listing.Ignored, in a small part of the time. It fails as Decode does.
func DecodeIgnored(data []byte) ([]string, error) {
	r, err := openRecords(data)
	if err != nil {
		return nil, err
	}
	out := r.readPaths()
	if r.bad {
		return nil, fmt.Errorf("decode listing: %w", ErrListing)
	}
	return out, nil
}

// headSize is the number of bytes before the lists.
const headSize = 9 + 32 + 32 + 8

// openRecords returns a reader of the lists of a stored listing.
func openRecords(data []byte) (*recordReader, error) {
	if len(data) < headSize || string(data[:4]) != codecMagic || data[4] != codecVersion ||
		crc32.Checksum(data[9:], crc32.MakeTable(crc32.Castagnoli)) != binary.LittleEndian.Uint32(data[5:]) {
		return nil, fmt.Errorf("decode listing: %w", ErrListing)
	}
	return &recordReader{buf: data[headSize:]}, nil
}

type record struct {
	path  string
	flags byte
	stat  code.Stat
}

type recordReader struct {
	buf []byte
	bad bool
}

// minRecord is the size of the smallest record.
const minRecord = 14

// maxArena bounds the memory that a damaged list can ask for.
const maxArena = 1 << 30

// readPaths reads the list of ignored paths.
func (r *recordReader) readPaths() []string {
	n := r.uvarint()
	if n > uint64(len(r.buf)/2) {
		r.bad = true
		return nil
	}
	var out []string
	last, sum := "", 0
	for range n {
		shared, rest := r.uvarint(), r.uvarint()
		if r.bad || shared > uint64(len(last)) || rest > uint64(len(r.buf)) || sum > maxArena {
			r.bad = true
			return nil
		}
		last = last[:shared] + string(r.takeBytes(int(rest)))
		r.bad = r.bad || !code.IsBelow(strings.TrimSuffix(last, "/"))
		sum += len(last)
		out = append(out, last)
	}
	return out
}

// readRecords reads one list. All its paths are slices of one string.
func (r *recordReader) readRecords() []record {
	n := r.uvarint()
	if n > uint64(len(r.buf)/minRecord) {
		r.bad = true
		return nil
	}
	list := make([]record, n)
	ends := make([]int, n)
	arena := make([]byte, 0, 40*n)
	prev, inode := 0, uint64(0) // prev: the start of the path of the record before
	for i := range list {
		shared, rest := r.uvarint(), r.uvarint()
		if r.bad || shared > uint64(len(arena)-prev) || rest > uint64(len(r.buf)) || len(arena) > maxArena {
			r.bad = true
			return nil
		}
		start := len(arena)
		arena = append(arena, arena[prev:prev+int(shared)]...)
		arena = append(arena, r.takeBytes(int(rest))...)
		prev, ends[i] = start, len(arena)
		e := &list[i]
		if b := r.takeBytes(1); len(b) == 1 {
			e.flags = b[0]
		}
		e.stat.Size = int64(r.uvarint())
		if b := r.takeBytes(8); len(b) == 8 {
			e.stat.MTime = int64(binary.LittleEndian.Uint64(b))
		}
		e.stat.CTime = e.stat.MTime + r.varint()
		inode += uint64(r.varint())
		e.stat.Inode = inode
	}
	text, from := string(arena), 0
	for i := range list {
		list[i].path = text[from:ends[i]]
		from = ends[i]
	}
	return list
}

func (r *recordReader) takeBytes(n int) []byte {
	if n > len(r.buf) {
		r.bad = true
		return nil
	}
	b := r.buf[:n]
	r.buf = r.buf[n:]
	return b
}

func (r *recordReader) uvarint() uint64 {
	v, n := binary.Uvarint(r.buf)
	if n <= 0 {
		r.bad = true
		return 0
	}
	r.buf = r.buf[n:]
	return v
}

func (r *recordReader) varint() int64 {
	v, n := binary.Varint(r.buf)
	if n <= 0 {
		r.bad = true
		return 0
	}
	r.buf = r.buf[n:]
	return v
}
