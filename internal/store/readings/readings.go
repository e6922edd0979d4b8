// Package readings keeps the results of reading files in the user's cache directory,
// as an engine/store.Cache. It only knows bytes under keys; the reading cache of
// engine/update packs them. Its neighbour store/sqlite keeps the index.
//
// # Layout
//
// DIR/readings/ID/NAME.seg, where ID is a hash of the repository's name. An
// update writes its readings into one segment, which is renamed into place when
// it is whole and never changed, so that any number of processes can read and write
// without a lock. A process that is killed leaves a file new-NAME, which is never read
// and is deleted an hour later. A segment's time of modification is that of its
// last use: the least recently used ones are deleted while there are more than maxSize
// bytes in all or more than maxSegments for a repository.
//
// # Format of a segment, version 1
//
//	"kenread1"
//	entries, each a block of S2
//	table: of each entry the key (16 bytes), and as little-endian 32 bits its
//	offset, its length and the CRC-32C of key and block
//	number of entries, CRC-32C of the table (32 bits each), "kenread1"
//
// Nothing is synced to disk, because bytes that a loss of power tears do not match
// their sums and count as missing. A segment that is not whole is deleted.
package readings

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/klauspost/compress/s2"

	"ken/internal/engine/store"
	"ken/internal/statefile"
)

// DefaultMaxSize is the largest size of a Cache on disk, in bytes.
const DefaultMaxSize = 256 << 20

const (
	magic       = "kenread1"
	rowSize     = 16 + 3*4
	trailerSize = 4 + 4 + len(magic)
	suffix      = ".seg"
	unfinished  = "new-"
	maxSegments = 64       // of one repository; each is a file to open
	maxEntry    = 16 << 20 // bytes of one reading
	abandoned   = time.Hour
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Cache keeps readings, the packed results of parsing files, in one directory. It is safe for concurrent use.
type Cache struct {
	dir     string
	maxSize int64
}

var _ store.Cache = (*Cache)(nil)

// New returns a cache below dir, ken's own cache directory, which need not exist. It takes at most maxSize bytes on
// disk; 0 means DefaultMaxSize.
func New(dir string, maxSize int64) *Cache {
	if maxSize == 0 {
		maxSize = DefaultMaxSize
	}
	return &Cache{dir: filepath.Join(dir, "readings"), maxSize: maxSize}
}

func (c *Cache) repositoryDir(repository string) string {
	h := sha256.Sum256([]byte(repository))
	return filepath.Join(c.dir, hex.EncodeToString(h[:12]))
}

// Size returns the directory of a repository's readings and its size in bytes.
func (c *Cache) Size(repository string) (string, int64) {
	dir := c.repositoryDir(repository)
	list := listSegments(dir)
	if len(list) == 0 {
		return "", 0
	}
	var n int64
	for _, s := range list {
		n += s.size
	}
	return dir, n
}

// Begin opens the cached readings of a repository for one update. It takes the permissions of other users on the
// directory away, and returns nil if that fails, or if the directory cannot be made or belongs to another user.
func (c *Cache) Begin(repository string) store.Readings {
	dir := c.repositoryDir(repository)
	for _, d := range []string{filepath.Dir(c.dir), c.dir, dir} {
		if os.MkdirAll(d, 0o700) != nil || !makePrivate(d) {
			return nil
		}
	}
	s := &cacheSession{cache: c, dir: dir, where: map[store.ReadingKey]entry{}, fresh: map[store.ReadingKey]bool{}}
	for _, f := range listSegments(dir) {
		s.loadSegment(f.path)
	}
	return s
}

// makePrivate restricts a directory to the user, and reports whether that worked. It compares the owner because root can
// change the mode of every file.
func makePrivate(dir string) bool {
	st, err := os.Lstat(dir)
	return err == nil && st.IsDir() && statefile.IsOwn(st) && os.Chmod(dir, 0o700) == nil
}

// cacheSession is the use of a repository's readings by one update.
type cacheSession struct {
	cache *Cache
	dir   string
	segs  []*segment
	where map[store.ReadingKey]entry // does not change, so that Get needs no lock
	fresh map[store.ReadingKey]bool  // put in this session
	out   *segmentWriter
	done  bool // writing has ended: it failed, or the bound is reached
}

type segment struct {
	f    *os.File
	used atomic.Bool
}

type entry struct {
	seg             *segment
	at, length, crc uint32
}

// loadSegment reads the table of a segment, a file of readings; it deletes a segment that is incomplete.
func (s *cacheSession) loadSegment(path string) {
	f, err := os.Open(path)
	if err != nil {
		return
	}
	rows, ok := readTable(f)
	if !ok {
		f.Close()
		os.Remove(path)
		return
	}
	seg := &segment{f: f}
	s.segs = append(s.segs, seg)
	for ; len(rows) > 0; rows = rows[rowSize:] {
		number := func(at int) uint32 { return binary.LittleEndian.Uint32(rows[at:]) }
		s.where[store.ReadingKey(rows[:16])] = entry{seg, number(16), number(20), number(24)}
	}
}

func readTable(f *os.File) (rows []byte, ok bool) {
	st, err := f.Stat()
	if err != nil || !st.Mode().IsRegular() || st.Size() < int64(len(magic)+trailerSize) {
		return nil, false
	}
	var trailer [trailerSize]byte
	if _, err := f.ReadAt(trailer[:], st.Size()-trailerSize64); err != nil || string(trailer[8:]) != magic {
		return nil, false
	}
	size := int64(binary.LittleEndian.Uint32(trailer[:])) * rowSize
	if size > st.Size()-int64(len(magic)+trailerSize) {
		return nil, false
	}
	rows = make([]byte, size)
	if _, err := f.ReadAt(rows, st.Size()-trailerSize64-size); err != nil {
		return nil, false
	}
	return rows, crc32.Checksum(rows, castagnoli) == binary.LittleEndian.Uint32(trailer[4:])
}

const trailerSize64 = int64(trailerSize)

// Get returns the bytes stored under a key, or nil if there are none or they do not match their checksum.
func (s *cacheSession) Get(key store.ReadingKey) []byte {
	e, ok := s.where[key]
	if !ok || e.length > maxEntry {
		return nil
	}
	block := make([]byte, e.length)
	if _, err := e.seg.f.ReadAt(block, int64(e.at)); err != nil || blockSum(key, block) != e.crc {
		return nil
	}
	if n, err := s2.DecodedLen(block); err != nil || n > maxEntry {
		return nil
	}
	data, err := s2.Decode(nil, block)
	if err != nil {
		return nil
	}
	e.seg.used.Store(true)
	return data
}

func blockSum(key store.ReadingKey, block []byte) uint32 {
	return crc32.Update(crc32.Checksum(key[:], castagnoli), castagnoli, block)
}

// Has reports whether bytes are stored under a key, or were put there in this session.
func (s *cacheSession) Has(key store.ReadingKey) bool {
	e, ok := s.where[key]
	if ok {
		e.seg.used.Store(true)
	}
	return ok || s.fresh[key]
}

// Put stores bytes under a key; Get returns them after Close. It drops bytes that cannot be written, because a cache must
// not make an update fail.
func (s *cacheSession) Put(key store.ReadingKey, data []byte) {
	if s.done || len(data) > maxEntry {
		return
	}
	if s.out == nil {
		var err error
		if s.out, err = newSegmentWriter(s.dir); err != nil {
			s.done = true
			return
		}
	}
	if err := s.out.addEntry(key, data); err != nil {
		s.out.deleteFile()
		s.out, s.done = nil, true
		return
	}
	s.fresh[key] = true
	s.done = int64(s.out.at) > s.cache.maxSize/4
}

// Close puts the new segment in place, records which segments were used, and deletes those that exceed the limits.
func (s *cacheSession) Close() {
	now := time.Now()
	for _, seg := range s.segs {
		if seg.used.Load() {
			os.Chtimes(seg.f.Name(), now, now) // it may have been deleted meanwhile; that is harmless
		}
		seg.f.Close()
	}
	if s.out == nil {
		return
	}
	if s.out.finishSegment() == nil {
		s.cache.deleteLeastUsed(s.dir)
	}
}

// segmentWriter writes one segment, a file of readings.
type segmentWriter struct {
	f    *os.File
	buf  *bufio.Writer
	at   uint32
	rows bytes.Buffer
	enc  []byte
}

func newSegmentWriter(dir string) (*segmentWriter, error) {
	f, err := os.CreateTemp(dir, unfinished+"*")
	if err != nil {
		return nil, err
	}
	w := &segmentWriter{f: f, buf: bufio.NewWriterSize(f, 256<<10)}
	_, err = io.WriteString(w.buf, magic)
	w.at = uint32(len(magic))
	return w, err
}

func (w *segmentWriter) addEntry(key store.ReadingKey, data []byte) error {
	if n := s2.MaxEncodedLen(len(data)); cap(w.enc) < n {
		w.enc = make([]byte, n)
	}
	block := s2.Encode(w.enc[:cap(w.enc)], data)
	w.rows.Write(key[:])
	for _, v := range [...]uint32{w.at, uint32(len(block)), blockSum(key, block)} {
		w.rows.Write(binary.LittleEndian.AppendUint32(nil, v))
	}
	w.at += uint32(len(block))
	_, err := w.buf.Write(block)
	return err
}

func (w *segmentWriter) deleteFile() {
	w.f.Close()
	os.Remove(w.f.Name())
}

func (w *segmentWriter) finishSegment() error {
	rows := w.rows.Bytes()
	trailer := binary.LittleEndian.AppendUint32(nil, uint32(len(rows)/rowSize))
	trailer = binary.LittleEndian.AppendUint32(trailer, crc32.Checksum(rows, castagnoli))
	for _, b := range [][]byte{rows, append(trailer, magic...)} {
		if _, err := w.buf.Write(b); err != nil {
			w.deleteFile()
			return err
		}
	}
	if err := w.buf.Flush(); err != nil {
		w.deleteFile()
		return err
	}
	if err := w.f.Close(); err != nil {
		os.Remove(w.f.Name())
		return err
	}
	dir, name := filepath.Split(w.f.Name())
	return os.Rename(w.f.Name(), dir+strings.TrimPrefix(name, unfinished)+suffix)
}
