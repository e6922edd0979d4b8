// Package sketch remembers the runs of three bytes that texts may contain, in about a fifteenth of their size, so that a
// search for a literal need not read the files that certainly lack it. It proves only absence: a text whose sketch has all
// runs of a literal may still lack it. Its neighbour is engine/source, which reads the texts.
package sketch

import (
	"sync"
	"time"

	"ken/internal/code"
)

const (
	gram      = 3       // bytes of a run; no shorter literal can be excluded
	leastBits = 256     // of a sketch
	mostBits  = 1 << 16 // texts that have more than these runs are read by every search
	perBit    = 2       // bytes of text; with 4 a name of five letters seemed to be in one of six files that lack it
	// maxBytes bounds all sketches; further files are not added. All of kubernetes takes 7 MB.
	maxBytes = 16 << 20
	// young is the least age of a change. A younger text may change once more without a change of its stat.
	young = 3 * time.Second
)

// Set holds sketches of files: small bit sets of the runs of three bytes that occur in each text. The zero value is empty. It is safe for
// concurrent use.
type Set struct {
	mu     sync.RWMutex // guards the fields below
	byPath map[string]entry
	bytes  int
}

// entry is the sketch of a file, with the hash and the stat of the content to which it applies.
type entry struct {
	hash [32]byte
	stat code.Stat
	bits []uint64
}

// Lacks reports whether the sketch of an indexed file proves that the file does not contain some bytes.
func (s *Set) Lacks(f *code.File, part []byte) bool {
	if s == nil || len(part) < gram {
		return false
	}
	s.mu.RLock()
	e, ok := s.byPath[f.Path]
	s.mu.RUnlock()
	return ok && e.isOfFile(f) && !hasAllBits(e.bits, part)
}

func (e *entry) isOfFile(f *code.File) bool { return e.hash == f.Hash && e.stat == f.Stat }

// Add adds the sketch of a file with the indexed text, unless the set has it already, the file changed just now, or
// the set is full.
func (s *Set) Add(f *code.File, text []byte) {
	if s == nil || time.Since(time.Unix(0, max(f.Stat.MTime, f.Stat.CTime))) < young {
		return
	}
	s.mu.RLock()
	e, ok := s.byPath[f.Path]
	s.mu.RUnlock()
	if ok && e.isOfFile(f) {
		return
	}
	e = entry{f.Hash, f.Stat, newSketch(text)}
	s.mu.Lock()
	defer s.mu.Unlock()
	const row = 160 // bytes that an entry and its place in the map take
	if had, ok := s.byPath[f.Path]; ok {
		s.bytes -= row + 8*len(had.bits)
		delete(s.byPath, f.Path)
	}
	if s.bytes+row+8*len(e.bits) > maxBytes {
		return
	}
	if s.byPath == nil {
		s.byPath = map[string]entry{}
	}
	s.bytes += row + 8*len(e.bits)
	s.byPath[f.Path] = e
}

// Forget removes all sketches.
func (s *Set) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.byPath, s.bytes = nil, 0
}

// newSketch returns the bits of the runs of three bytes in a text. It takes about as long as copying the text twice, because a search
// waits for it.
func newSketch(text []byte) []uint64 {
	bits := make([]uint64, min(max(len(text)/perBit, leastBits), mostBits)/64)
	n, g := uint64(len(bits)*64), uint32(0)
	for i, c := range text {
		if g = g<<8 | uint32(c); i >= gram-1 {
			at := bitNumber(g, n)
			bits[at/64] |= 1 << (at % 64)
		}
	}
	return bits
}

func hasAllBits(bits []uint64, part []byte) bool {
	n, g := uint64(len(bits)*64), uint32(0)
	for i, c := range part {
		if g = g<<8 | uint32(c); i < gram-1 {
			continue
		}
		if at := bitNumber(g, n); bits[at/64]&(1<<(at%64)) == 0 {
			return false
		}
	}
	return true
}

// bitNumber returns the number of the bit, below bits, for the run of three bytes at the end of g.
func bitNumber(g uint32, bits uint64) uint64 { return uint64(g<<8*0x9e3779b1) * bits >> 32 }
