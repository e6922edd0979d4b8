package history

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/klauspost/compress/s2"

	"ken/internal/engine/words"
)

// header is a packed state without its commits.
type header struct {
	State
	n     int // commits
	time  int64
	paths int
}

// openHeader reads the state's own blob; ok is false if there is none. Another version counts as damage, because a new
// one comes with a new number of the whole index.
func openHeader(src Source) (h header, ok bool, err error) {
	b, err := src(Key{partState, 0})
	if err != nil || len(b) == 0 {
		return h, false, err
	}
	if b[0] != version {
		return h, false, fmt.Errorf("%w: version %d", errDamaged, b[0])
	}
	r := reader{b: b[1:]}
	h.base, h.n, h.Limit = r.id(), int(r.id()), int(r.id())
	h.Shallow = r.uint() == 1
	h.Head, h.time, h.Problem, h.paths = r.text(), r.int(), r.text(), int(r.id())
	// A commit may bring its last path and the one that was renamed to it.
	r.bad = r.bad || h.base > maxBase || h.n > maxCommits || h.paths > maxPaths+1
	return h, !r.bad, r.err("state")
}

// CommitCount returns the number of commits in a packed history, 0 if there is none. It returns an error if the history cannot
// be read or is damaged.
func CommitCount(src Source) (int, error) {
	h, _, err := openHeader(src)
	return h.n, err
}

// Unpack returns the packed state; nil if there is none. It returns an error if the history cannot be read or is
// damaged.
func Unpack(src Source) (*State, error) {
	h, ok, err := openHeader(src)
	if err != nil || !ok {
		return nil, err
	}
	s := h.State
	s.Commits = make([]Commit, 0, min(h.n, roomCommits))
	for first := s.base; first < s.base+uint32(h.n); {
		n := first / blockCommits
		end := min((n+1)*blockCommits, s.base+uint32(h.n))
		if err := s.unpackBlock(src, int(n), int(end-first)); err != nil {
			return nil, err
		}
		first = end
	}
	if err := s.unpackTerms(src); err != nil {
		return nil, err
	}
	renames, err := unpackRenames(src)
	if err != nil {
		return nil, err
	}
	for _, m := range renames {
		if i := int(m.at) - int(s.base); i >= 0 && i < len(s.Commits) {
			s.Commits[i].Renames = append(s.Commits[i].Renames, Rename{m.from, m.to})
		}
	}
	authors, err := src(Key{partAuthors, 0})
	if err != nil {
		return nil, err
	}
	for ; len(authors) >= 8; authors = authors[8:] {
		s.Authors = append(s.Authors, binary.LittleEndian.Uint64(authors))
	}
	s.Paths, err = unpackPaths(src, h.paths)
	if err != nil {
		return nil, err
	}
	s.stored = len(s.Commits)
	return &s, s.check()
}

// check returns an error if an index is out of range.
func (s *State) check() error {
	bad := func(id uint32) bool { return int(id) >= len(s.Paths) }
	for i := range s.Commits {
		c := &s.Commits[i]
		if slices.ContainsFunc(c.Touched, bad) || slices.ContainsFunc(c.Renames, func(r Rename) bool { return bad(r.From) || bad(r.To) }) ||
			int(c.Author) >= len(s.Authors) {
			return errDamaged
		}
	}
	return nil
}

// unpackBlock reads the last want commits of a block. The oldest block may hold more commits than the history.
func (s *State) unpackBlock(src Source, n, want int) error {
	b, err := src(Key{partCommits, n})
	if err != nil {
		return err
	}
	var list []Commit
	r := reader{b: b}
	last := int64(0)
	for r.more() {
		var c Commit
		copy(c.ID[:], r.take(len(c.ID)))
		c.Time = last + r.int()
		c.Order, last = c.Time+r.int(), c.Time
		c.Author = r.id()
		flags := r.uint()
		c.Merge, c.Cut = flags&flagMerge != 0, flags&flagCut != 0
		c.Files = int(r.id())
		c.Terms = make([]Word, 0, min(r.uint(), maxTerms))
		list = append(list, c)
	}
	if b, err = src(Key{partFiles, n}); err != nil {
		return err
	}
	f := reader{b: b}
	if b, err = subjects(src, n); err != nil {
		return err
	}
	t := reader{b: b}
	for i := range list {
		if k := f.count(); k > 0 {
			list[i].Touched = make([]uint32, k)
			last := uint32(0)
			for j := range list[i].Touched {
				last += f.id()
				list[i].Touched[j] = last
			}
		}
		list[i].Subject = t.text()
	}
	if r.bad || f.bad || t.bad || len(list) < want {
		return (&reader{bad: true}).err("commits")
	}
	s.Commits = append(s.Commits, list[len(list)-want:]...)
	return nil
}

// subjects returns the unpacked subjects of a block.
func subjects(src Source, n int) ([]byte, error) {
	b, err := src(Key{partSubjects, n})
	if err != nil {
		return nil, err
	}
	if k, err := s2.DecodedLen(b); err != nil || k > blockCommits*(maxSubject+4) {
		return nil, (&reader{bad: true}).err("subjects")
	}
	if b, err = s2.Decode(nil, b); err != nil {
		return nil, (&reader{bad: true}).err("subjects")
	}
	return b, nil
}

func (s *State) unpackTerms(src Source) error {
	for n := range 1 << bucketBits {
		b, err := src(Key{partTerms, n})
		if err != nil {
			return err
		}
		r := reader{b: b}
		term := words.Term(n) << (termBits - bucketBits)
		for r.more() {
			term += words.Term(r.uint())
			p := reader{b: r.take(r.count())}
			at := uint32(0)
			for p.more() {
				at += p.id()
				if i := int(at>>1) - int(s.base); i >= 0 && i < len(s.Commits) {
					s.Commits[i].Terms = append(s.Commits[i].Terms, Word(term)<<1|Word(at&1))
				}
			}
			r.bad = r.bad || p.bad
		}
		if r.bad {
			return r.err("terms")
		}
	}
	for i := range s.Commits {
		if len(s.Commits[i].Terms) == 0 {
			s.Commits[i].Terms = nil
		}
	}
	return nil
}

func unpackRenames(src Source) ([]commitRename, error) {
	b, err := src(Key{partRenames, 0})
	if err != nil {
		return nil, err
	}
	r := reader{b: b}
	list := make([]commitRename, 0, len(b)/4)
	last := uint32(0)
	for r.more() {
		last += r.id()
		list = append(list, commitRename{last, r.id(), r.id()})
	}
	return list, r.err("renames")
}

func unpackPaths(src Source, n int) ([]string, error) {
	paths := make([]string, 0, min(n, maxPaths))
	for i := 0; len(paths) < n; i++ {
		block, err := pathBlock(src, i)
		if err != nil {
			return nil, err
		}
		if paths = append(paths, block...); len(block) < blockPaths && len(paths) < n {
			return nil, (&reader{bad: true}).err("paths")
		}
	}
	return paths, nil
}

func pathBlock(src Source, n int) ([]string, error) {
	b, err := src(Key{partPaths, n})
	if err != nil {
		return nil, err
	}
	r := reader{b: b}
	paths := make([]string, 0, blockPaths)
	before := ""
	for r.more() {
		k := int(r.id())
		if k > len(before) {
			r.bad = true
			break
		}
		before = before[:k] + r.text()
		paths = append(paths, before)
	}
	return paths, r.err("paths")
}
