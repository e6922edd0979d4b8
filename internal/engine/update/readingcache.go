package update

import (
	"crypto/sha256"
	"encoding/binary"
	"path/filepath"

	"ken/internal/code"
	"ken/internal/engine/extract"
	"ken/internal/engine/facts"
	"ken/internal/engine/outline"
	"ken/internal/engine/store"
	"ken/internal/git"
)

// readingKey returns the cache key of a file with a whole content: the input of worker.read (path, hash and flags of
// attributes) and the version of everything that reads.
func readingKey(path string, hash [32]byte, flags code.Flags) store.ReadingKey {
	h := sha256.New()
	var head [8]byte
	binary.LittleEndian.PutUint16(head[:], store.Schema)
	binary.LittleEndian.PutUint16(head[2:], extract.Version)
	binary.LittleEndian.PutUint32(head[4:], uint32(flags&scanFlags))
	h.Write(head[:])
	h.Write(hash[:])
	h.Write([]byte(path))
	return store.ReadingKey(h.Sum(nil)[:16])
}

// manyChanges is the number of changed paths from which an update uses the cache of readings.
const manyChanges = 16

// openCache opens the cache for an update of n changed paths; nil if there is none or n is too small.
func (w *Writer) openCache(n int) store.Readings {
	if w.Cache == nil || n < manyChanges {
		return nil
	}
	id := w.repositoryID()
	if id == "" {
		return nil
	}
	return w.Cache.Begin(id)
}

// repositoryID identifies the project's repository, "" if it has none that lists the project: a folder from elsewhere
// could claim another repository as its own. Projects in different folders of a repository share nothing, since paths
// differ.
func (w *Writer) repositoryID() string {
	repo, err := git.Find(w.Tree.Root())
	if err != nil || !repo.OwnsTree() {
		return ""
	}
	dir, err := filepath.EvalSymlinks(repo.CommonDir)
	if err != nil {
		return ""
	}
	return dir
}

// CacheSize returns the folder of the cached readings of this project's repository and the bytes they take, "" if there
// are none.
func (w *Writer) CacheSize() (dir string, bytes int64) {
	if w.Cache == nil {
		return "", 0
	}
	if id := w.repositoryID(); id != "" {
		return w.Cache.Size(id)
	}
	return "", 0
}

// isCacheable reports whether readings of a file are cached. Readings that are cheap are not, nor those of
// configuration files, whose text is part of them.
func isCacheable(kind pathKind, p code.Problem) bool {
	return p == code.ProblemNone && kind.config == nil
}

// fromCache returns an earlier reading of the same content, nil if there is none.
func (w *readWorker) fromCache(f *code.File) *cachedReading {
	if w.cache == nil {
		return nil
	}
	m, err := decodeReading(w.cache.Get(readingKey(f.Path, f.Hash, f.Flags)))
	if err != nil {
		return nil
	}
	return m
}

// cacheReplaced puts the facts of a file that is about to be replaced into a cache, which may be nil. A file with a
// secret is not cached.
func cacheReplaced(r store.Reader, cache store.Readings, f *code.File, kind pathKind, was *pastState) error {
	if cache == nil || f.ID == 0 || !isCacheable(kind, f.Problem) {
		return nil
	}
	key := readingKey(f.Path, f.Hash, f.Flags)
	if cache.Has(key) {
		return nil
	}
	if secrets, err := r.FileSecrets(f.ID); err != nil || len(secrets) > 0 {
		return err
	}
	cache.Put(key, appendReading(nil, f, was.syms, was.packed))
	return nil
}

// cachedReading is a reading from the cache: the results of worker.read that take counting and parsing.
type cachedReading struct {
	cl100k, o200k uint32
	flags         code.Flags // readFlags
	facts         *code.Facts
	packed        []byte
}

// readFlags are the flags that reading adds to those of scanning.
const readFlags = code.FlagTest | code.FlagEntry

// completeReading completes r with the cached results.
func (m *cachedReading) completeReading(r *fileReading) {
	f := &r.file
	r.facts = m.facts
	f.Flags |= m.flags
	f.ErrorBytes, f.Branches, f.Package, f.Doc = m.facts.ErrorBytes, m.facts.Branches, m.facts.Package, m.facts.Doc
	r.content = store.Content{Symbols: m.facts.Symbols, Refs: len(m.facts.Refs)}
	if len(m.packed) > 0 {
		r.content.Packed, r.content.Names, r.content.Outline = m.packed, facts.Names(m.facts), outline.Encode(m.facts)
	}
}

// A reading in the cache consists of unsigned varints and strings of a length and
// bytes: cl100k, o200k, readFlags, error bytes, branches, package, doc, then the
// number of symbols and for each name, qualified name, kind, exported, start, end
// and name start, line, end line, parent+1 and signature; the rest is the packed
// facts (engine/facts), empty if there are none.

func appendReading(b []byte, f *code.File, syms []code.Symbol, packed []byte) []byte {
	b = appendUints(b, f.CL100K, f.O200K, uint32(f.Flags&readFlags), f.ErrorBytes, f.Branches)
	b = appendText(appendText(b, f.Package), f.Doc)
	b = binary.AppendUvarint(b, uint64(len(syms)))
	for i := range syms {
		s := &syms[i]
		b = appendText(appendText(b, s.Name), s.Qualified)
		exported := uint32(0)
		if s.Exported {
			exported = 1
		}
		b = appendUints(b, uint32(s.Kind), exported, s.Span.Start, s.Span.End, s.NameStart, s.Span.Line, s.Span.EndLine, uint32(s.Parent+1))
		b = appendText(b, s.Signature)
	}
	return append(b, packed...)
}

func appendUints(b []byte, list ...uint32) []byte {
	for _, v := range list {
		b = binary.AppendUvarint(b, uint64(v))
	}
	return b
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// decodeReading is the inverse of appendReading. It fails with code.ErrDamaged if b has another form.
func decodeReading(b []byte) (*cachedReading, error) {
	if len(b) == 0 {
		return nil, code.ErrDamaged
	}
	r := readingReader{b: b}
	m := &cachedReading{facts: &code.Facts{}}
	m.cl100k, m.o200k, m.flags = r.readUint(), r.readUint(), code.Flags(r.readUint())&readFlags
	f := m.facts
	f.ErrorBytes, f.Branches, f.Package, f.Doc = r.readUint(), r.readUint(), r.readText(), r.readText()
	n := int(r.readUint())
	if n > len(r.b)/minSymbol {
		return nil, code.ErrDamaged
	}
	if n > 0 {
		f.Symbols = make([]code.Symbol, n)
	}
	for i := range f.Symbols {
		if !r.readSymbol(&f.Symbols[i], int32(i)) {
			return nil, code.ErrDamaged
		}
	}
	if r.bad {
		return nil, code.ErrDamaged
	}
	if m.packed = r.b; len(m.packed) == 0 {
		return m, nil
	}
	p, err := facts.Open(m.packed)
	if err == nil {
		err = p.All(f)
	}
	return m, err
}

// minSymbol is the least number of bytes of a symbol.
const minSymbol = 11

type readingReader struct {
	b   []byte
	bad bool
}

func (r *readingReader) readUint() uint32 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 || v > 1<<32-1 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return uint32(v)
}

func (r *readingReader) readText() string {
	n := r.readUint()
	if uint64(n) > uint64(len(r.b)) {
		r.bad, r.b = true, nil
		return ""
	}
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}

// readSymbol reads the symbol with an index. Its parent must come before it.
func (r *readingReader) readSymbol(s *code.Symbol, place int32) bool {
	s.Name, s.Qualified = r.readText(), r.readText()
	s.Kind, s.Exported = code.Kind(r.readUint()), r.readUint() == 1
	s.Span.Start, s.Span.End, s.NameStart = r.readUint(), r.readUint(), r.readUint()
	s.Span.Line, s.Span.EndLine = r.readUint(), r.readUint()
	s.Parent = int32(r.readUint()) - 1
	s.Signature = r.readText()
	return s.Parent >= -1 && s.Parent < place
}
