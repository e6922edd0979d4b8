package history

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/klauspost/compress/s2"

	"ken/internal/code"
)

// The form of a packed history, version 1. Numbers are varints unless stated
// otherwise; lists begin with their length, texts with their length in bytes.
// Commits have numbers, ascending in their order; the first stored one is number base.
//
//	state      version, base, number of commits, limit, shallow, head, time of head, problem, number of paths
//	commits    of 1,024 numbers: for each its ID, time and order as differences
//	           (to the one before; to its time), author, flags, files, number of terms
//	files      of the same: for each its list of paths, ascending, as differences
//	subjects   of the same: for each its subject; compressed (S2)
//	terms      of all terms with the same first 8 of 40 bits: term (the other
//	           32 bits, as a difference), length of what follows in bytes, then number
//	           of the commit << 1 | whether the subject has it, as differences
//	paths      of 256 paths: for each the length it shares with the one before, and the rest
//	hashes     of the paths: sorted 64-bit words, 40 bits of hash and 24 of index
//	renames    sorted by from, commit: from as a difference, commit, to
//	authors    64-bit words
//
// Numbers that an update leaves below base stay in terms, because taking them out
// would rewrite all buckets; readers skip them.
const version = 1

// The parts of a packed history. The values are stored.
const (
	partState = iota
	partCommits
	partFiles
	partSubjects
	partTerms
	partPaths
	partHashes
	partRenames
	partAuthors
)

const (
	blockCommits = 1024
	blockPaths   = 256
	termBits     = 40 // of words.Term
	bucketBits   = 8
	// maxPaths bounds the distinct paths kept, below the 24 bits that an index has
	// beside a hash.
	maxPaths = 1 << 20
	// maxCommits bounds the commits kept; settings allow fewer.
	maxCommits = 1 << 22
	// roomCommits is the number of commits up to which memory is reserved before they
	// are read, because a damaged number must not reserve more.
	roomCommits = 1 << 15
)

// The flags of a packed commit.
const (
	flagMerge = 1 << iota
	flagCut
)

// errDamaged reports a packed history that Pack did not write.
var errDamaged = fmt.Errorf("packed history: %w", code.ErrDamaged)

// Key identifies a blob.
type Key struct{ Part, N int }

// Blob is one piece of a packed history.
type Blob struct {
	Key
	Data []byte
}

// Pack returns the packed form of a state, by key.
func (s *State) Pack() []Blob {
	s.stored = 0
	return s.PackOnto()
}

// PackOnto is Pack for a state that was unpacked and added to: blobs that are already stored unchanged have no Data.
func (s *State) PackOnto() []Blob {
	s.compact()
	p := packer{s: s}
	state := []byte{version}
	for _, n := range []uint64{uint64(s.base), uint64(len(s.Commits)), uint64(s.Limit), uint64(bit(s.Shallow, 1))} {
		state = binary.AppendUvarint(state, n)
	}
	state = appendText(state, s.Head)
	state = binary.AppendVarint(state, s.headTime())
	state = appendText(state, s.Problem)
	p.put(partState, 0, binary.AppendUvarint(state, uint64(len(s.Paths))))
	p.blocks()
	p.terms()
	p.paths()
	p.renames()
	var b []byte
	for _, a := range s.Authors {
		b = binary.LittleEndian.AppendUint64(b, a)
	}
	p.put(partAuthors, 0, orNone(b))
	return p.out
}

type packer struct {
	s   *State
	out []Blob
}

func (p *packer) put(part, n int, data []byte) {
	p.out = append(p.out, Blob{Key{part, n}, data})
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func bit(set bool, flag int) int {
	if set {
		return flag
	}
	return 0
}

// blocks packs commits, their files and their subjects.
func (p *packer) blocks() {
	list := p.s.Commits
	for first := p.s.base; len(list) > 0; {
		n := min(len(list), blockCommits-int(first%blockCommits))
		if int(first-p.s.base)+n <= p.s.stored {
			for _, part := range []int{partCommits, partFiles, partSubjects} {
				p.put(part, int(first/blockCommits), nil)
			}
		} else {
			p.block(int(first/blockCommits), list[:n])
		}
		list, first = list[n:], first+uint32(n)
	}
}

func (p *packer) block(n int, list []Commit) {
	var commits, files, subjects []byte
	last := int64(0)
	for i := range list {
		c := &list[i]
		commits = append(commits, c.ID[:]...)
		commits = binary.AppendVarint(commits, c.Time-last)
		commits = binary.AppendVarint(commits, c.Order-c.Time)
		last = c.Time
		for _, v := range []int{int(c.Author), bit(c.Merge, flagMerge) | bit(c.Cut, flagCut), c.Files, len(c.Terms)} {
			commits = binary.AppendUvarint(commits, uint64(v))
		}
		files = binary.AppendUvarint(files, uint64(len(c.Touched)))
		lastPath := uint32(0)
		for _, path := range c.Touched {
			files = binary.AppendUvarint(files, uint64(path-lastPath))
			lastPath = path
		}
		subjects = appendText(subjects, c.Subject)
	}
	p.put(partCommits, n, commits)
	p.put(partFiles, n, orNone(files))
	p.put(partSubjects, n, s2.EncodeBetter(nil, subjects))
}

// wordPosting is an occurrence of a word in the message of a commit.
type wordPosting struct {
	term uint64
	at   uint32 // number << 1 | subject
}

// terms packs the postings, bucket by bucket.
func (p *packer) terms() {
	var buckets [1 << bucketBits][]wordPosting
	var sizes [1 << bucketBits]int
	var fresh [1 << bucketBits]bool // the bucket gets words of a commit that is not stored yet
	for i := range p.s.Commits {
		for _, w := range p.s.Commits[i].Terms {
			k := w.Term() >> (termBits - bucketBits)
			sizes[k]++
			fresh[k] = fresh[k] || i >= p.s.stored
		}
	}
	for i, n := range sizes {
		if fresh[i] {
			buckets[i] = make([]wordPosting, 0, n)
		}
	}
	for i := range p.s.Commits {
		at := (p.s.base + uint32(i)) << 1
		for _, w := range p.s.Commits[i].Terms {
			if k := w.Term() >> (termBits - bucketBits); fresh[k] {
				buckets[k] = append(buckets[k], wordPosting{uint64(w.Term()), at | uint32(w&1)})
			}
		}
	}
	for n, list := range buckets {
		if sizes[n] == 0 {
			continue
		}
		if !fresh[n] {
			p.put(partTerms, n, nil)
			continue
		}
		// Commits were added in order, and the sort is stable.
		slices.SortStableFunc(list, func(a, b wordPosting) int {
			switch {
			case a.term < b.term:
				return -1
			case a.term > b.term:
				return 1
			}
			return 0
		})
		p.put(partTerms, n, packBucket(list))
	}
}

func packBucket(list []wordPosting) []byte {
	var b, one []byte
	last := uint64(0)
	for len(list) > 0 {
		term := list[0].term & (1<<(termBits-bucketBits) - 1)
		one = one[:0]
		n, at := 0, uint32(0)
		for n < len(list) && list[n].term == list[0].term {
			one = binary.AppendUvarint(one, uint64(list[n].at-at))
			at = list[n].at
			n++
		}
		b = binary.AppendUvarint(b, term-last)
		b = binary.AppendUvarint(b, uint64(len(one)))
		b = append(b, one...)
		last, list = term, list[n:]
	}
	return b
}

// hashPath is 40 bits of the FNV-1a hash of a path.
func hashPath(p string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(p) {
		h = (h ^ uint64(p[i])) * 1099511628211
	}
	return h >> 24
}

func (p *packer) paths() {
	hashes := make([]uint64, len(p.s.Paths))
	for n := 0; n*blockPaths < len(p.s.Paths); n++ {
		var b []byte
		before := ""
		for i, path := range p.s.Paths[n*blockPaths : min((n+1)*blockPaths, len(p.s.Paths))] {
			hashes[n*blockPaths+i] = hashPath(path)<<24 | uint64(n*blockPaths+i)
			k := 0
			for k < len(path) && k < len(before) && path[k] == before[k] {
				k++
			}
			b = appendText(binary.AppendUvarint(b, uint64(k)), path[k:])
			before = path
		}
		p.put(partPaths, n, b)
	}
	slices.Sort(hashes)
	b := make([]byte, 0, 8*len(hashes))
	for _, h := range hashes {
		b = binary.LittleEndian.AppendUint64(b, h)
	}
	p.put(partHashes, 0, b)
}

// commitRename is a rename of a file, with the number of the commit that made it.
type commitRename struct{ from, at, to uint32 }

func (p *packer) renames() {
	var list []commitRename
	for i := range p.s.Commits {
		for _, r := range p.s.Commits[i].Renames {
			list = append(list, commitRename{r.From, p.s.base + uint32(i), r.To})
		}
	}
	slices.SortStableFunc(list, func(a, b commitRename) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.at, b.at)) })
	var b []byte
	last := uint32(0)
	for _, m := range list {
		b = binary.AppendUvarint(b, uint64(m.from-last))
		b = binary.AppendUvarint(b, uint64(m.at))
		b = binary.AppendUvarint(b, uint64(m.to))
		last = m.from
	}
	p.put(partRenames, 0, orNone(b))
}

// orNone replaces nil by an empty blob, because a blob without Data counts as stored already.
func orNone(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// compact renumbers paths if more than a quarter of them are no longer used, after commits were dropped.
func (s *State) compact() {
	used := make([]bool, len(s.Paths))
	n := 0
	use := func(id uint32) {
		if !used[id] {
			used[id] = true
			n++
		}
	}
	for i := range s.Commits {
		for _, id := range s.Commits[i].Touched {
			use(id)
		}
		for _, r := range s.Commits[i].Renames {
			use(r.From)
			use(r.To)
		}
	}
	if n >= len(s.Paths)-len(s.Paths)/4 {
		return
	}
	now := make([]uint32, len(s.Paths))
	paths := make([]string, 0, n)
	for id, ok := range used {
		if ok {
			now[id] = uint32(len(paths))
			paths = append(paths, s.Paths[id])
		}
	}
	s.Paths, s.stored = paths, 0
	for i := range s.Commits { // ascending stays ascending
		for j, id := range s.Commits[i].Touched {
			s.Commits[i].Touched[j] = now[id]
		}
		for j, r := range s.Commits[i].Renames {
			s.Commits[i].Renames[j] = Rename{now[r.From], now[r.To]}
		}
	}
}

// Source returns the blobs of a packed history, nil for one that does not exist.
type Source func(Key) ([]byte, error)

// reader reads varints; the first invalid one makes it fail. It moves a position
// instead of the slice, because storing a pointer costs more than the reading does
// while the garbage collector runs.
type reader struct {
	b   []byte
	at  int
	bad bool
}

func (r *reader) more() bool { return r.at < len(r.b) }

// fail ends the reading with damage.
func (r *reader) fail() { r.at, r.bad = len(r.b), true }

func (r *reader) uint() uint64 {
	if r.at < len(r.b) && r.b[r.at] < 0x80 {
		r.at++
		return uint64(r.b[r.at-1])
	}
	v, n := binary.Uvarint(r.b[r.at:])
	if n <= 0 {
		r.fail()
		return 0
	}
	r.at += n
	return v
}

func (r *reader) int() int64 {
	v := r.uint()
	return int64(v>>1) ^ -int64(v&1)
}

// count returns a number of things that each take at least one of the remaining bytes.
func (r *reader) count() int {
	n := r.uint()
	if n > uint64(len(r.b)-r.at) {
		r.fail()
		return 0
	}
	return int(n)
}

func (r *reader) id() uint32 {
	n := r.uint()
	if n > math.MaxUint32 {
		r.bad = true
	}
	return uint32(n)
}

func (r *reader) take(n int) []byte {
	if n > len(r.b)-r.at {
		r.fail()
		return nil
	}
	r.at += n
	return r.b[r.at-n : r.at]
}

func (r *reader) text() string { return string(r.take(r.count())) }

func (r *reader) err(part string) error {
	if r.bad {
		return fmt.Errorf("%w: %s", errDamaged, part)
	}
	return nil
}
