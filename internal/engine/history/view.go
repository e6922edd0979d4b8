package history

import (
	"encoding/binary"
	"math"
	"slices"
	"sort"
	"time"
)

// View answers questions from a packed history. It reads what it needs when it
// is needed. Not safe for concurrent use.
type View struct {
	src    Source
	head   header
	loaded bool
	ages   []float64 // see ageWeight
	sizes  []float64 // see sizeWeight
	// Of each commit, by number minus base:
	weight []float32 // for co-change, 0 if it says nothing
	fresh  []float32 // weight of its age alone
	when   []int64
	author []uint32
	size   []uint16  // terms
	norm   []float32 // what BM25 divides by besides
	told   int       // commits with terms
	starts []uint32  // where its files begin; one more at the end
	files  []uint32  // indexes of paths, each of them by the name it has now
	merges int
	hashes []byte
	load   []float32 // sum of weight by path
	// Made when first asked for: the commits of each file, ascending.
	ends    []uint32
	commits []uint32
	score   []float32 // of commits for the present query
	at      []uint32
	blocks  map[int][]string
}

// NewView looks at a packed history. It returns nil if there is none.
func NewView(src Source) (*View, error) {
	h, ok, err := openHeader(src)
	if err != nil || !ok {
		return nil, err
	}
	return &View{src: src, head: h, blocks: map[int][]string{}}, nil
}

// Info describes the history.
func (v *View) Info() (Info, error) {
	if err := v.open(); err != nil {
		return Info{}, err
	}
	i := Info{Commits: v.head.n, Merges: v.merges, Head: v.head.Head, Shallow: v.head.Shallow, Limit: v.head.Limit, Problem: v.head.Problem}
	if v.head.n > 0 {
		i.Time = time.Unix(v.head.time, 0).UTC()
	}
	return i, nil
}

// halfLife is the time in which a commit loses half its weight, in weeks: three
// years. Asked with one file of a commit for the others, the first ten of CoChanged
// held 44.2 % of them with one year, 44.9 % with one and a half, 45.6 % with three and
// 45.8 % with six (last 500 commits of typeorm, netty and sympy).
const halfLife = 156

// ages are weights by age in weeks; what is older weighs nothing much.
func ages() []float64 {
	w := make([]float64, 12*halfLife)
	for i := range w {
		w[i] = math.Exp2(-float64(i) / halfLife)
	}
	return w
}

// ageWeight is 1 for a commit as old as HEAD's and halves with every halfLife.
func (v *View) ageWeight(t int64) float64 {
	weeks := max(0, v.head.time-t) / (7 * 24 * 3600)
	return v.ages[min(weeks, int64(len(v.ages)-1))]
}

// sizeWeights say how much a commit of so many files tells of any two of them.
func sizeWeights() []float64 {
	w := make([]float64, MaxFiles+1)
	for n := 1; n < len(w); n++ {
		w[n] = 1 / math.Sqrt(float64(max(n-1, 1)))
	}
	return w
}

func (v *View) sizeWeight(n int) float64 {
	if n >= len(v.sizes) {
		return 0
	}
	return v.sizes[n]
}

// open reads commits and their files.
func (v *View) open() error {
	if v.loaded {
		return nil
	}
	n := v.head.n
	v.ages, v.sizes = ages(), sizeWeights()
	room := min(n, roomCommits)
	v.weight, v.fresh, v.when = make([]float32, 0, room), make([]float32, 0, room), make([]int64, 0, room)
	v.author, v.size, v.starts = make([]uint32, 0, room), make([]uint16, 0, room), make([]uint32, 0, room+1)
	v.files = make([]uint32, 0, 6*room)
	list, err := unpackRenames(v.src)
	if err != nil {
		return err
	}
	names := newNames(list, v.head.paths)
	for first, end := v.head.base, v.head.base+uint32(n); first < end; {
		k := first / blockCommits
		stop := min((k+1)*blockCommits, end)
		if err := v.openBlock(int(k), first, int(stop-first), names); err != nil {
			return err
		}
		first = stop
	}
	v.starts = append(v.starts, uint32(len(v.files)))
	v.load = make([]float32, v.head.paths)
	for i, w := range v.weight {
		for _, f := range v.filesOf(i) {
			v.load[f] += w
		}
	}
	v.measure()
	v.loaded = true
	return nil
}

// measure prepares the lengths of messages for BM25.
func (v *View) measure() {
	sum := 0
	for _, n := range v.size {
		if n > 0 {
			sum += int(n)
			v.told++
		}
	}
	v.norm = make([]float32, len(v.size))
	for i, n := range v.size {
		v.norm[i] = k1 * (1 - b1 + b1*float32(n)*float32(v.told)/float32(max(sum, 1)))
	}
}

// openBlock reads the last want commits of a block, the first of which has the
// number first.
func (v *View) openBlock(n int, first uint32, want int, names *names) error {
	b, err := v.src(Key{partCommits, n})
	if err != nil {
		return err
	}
	r := reader{b: b}
	type row struct {
		when   int64
		author uint32
		size   uint16
	}
	rows := make([]row, 0, blockCommits)
	merges := make([]bool, 0, blockCommits)
	last := int64(0)
	for r.more() {
		r.take(len(ID{}))
		last += r.int()
		r.int()
		author, flags := r.id(), r.uint()
		r.uint()
		rows = append(rows, row{last, author, uint16(min(r.uint(), maxTerms))})
		merges = append(merges, flags&flagMerge != 0)
	}
	if b, err = v.src(Key{partFiles, n}); err != nil {
		return err
	}
	f := reader{b: b}
	skip := len(rows) - want
	if skip < 0 || r.bad {
		return (&reader{bad: true}).err("commits")
	}
	for i, row := range rows {
		if i < skip {
			for range f.count() {
				f.uint()
			}
			continue
		}
		v.starts = append(v.starts, uint32(len(v.files)))
		k := v.openFiles(&f, first+uint32(i-skip), names)
		age := v.ageWeight(row.when)
		v.fresh = append(v.fresh, float32(age))
		v.weight = append(v.weight, float32(age*v.sizeWeight(k)))
		v.when, v.author, v.size = append(v.when, row.when), append(v.author, row.author), append(v.size, row.size)
		if merges[i] {
			v.merges++
		}
	}
	return f.err("files")
}

// openFiles reads the files of one commit, by the names they have now.
func (v *View) openFiles(f *reader, commit uint32, names *names) int {
	k, from := f.count(), len(v.files)
	id, moved := uint32(0), false
	for range k {
		id += f.id()
		if int(id) >= v.head.paths {
			f.bad = true
			return 0
		}
		now := names.now(id, commit)
		moved = moved || now != id
		v.files = append(v.files, now)
	}
	if moved {
		slices.Sort(v.files[from:])
		v.files = v.files[:from+len(slices.Compact(v.files[from:]))]
	}
	return k
}

func (v *View) filesOf(i int) []uint32 { return v.files[v.starts[i]:v.starts[i+1]] }

// names tells what became of paths by renames.
type names struct {
	list  []moved // by from, commit
	left  []bool  // paths that some rename left, by index
	paths int
}

func newNames(list []moved, paths int) *names {
	n := &names{list: list, left: make([]bool, paths), paths: paths}
	for _, m := range list {
		if int(m.from) < paths {
			n.left[m.from] = true
		}
	}
	return n
}

// maxHops bounds the renames of one file that are followed.
const maxHops = 64

// now is the name that a file, called id in a commit, has after the renames of
// all later ones.
func (n *names) now(id, commit uint32) uint32 {
	for range maxHops {
		if !n.left[id] {
			return id
		}
		i := n.find(id, commit)
		if i == len(n.list) || n.list[i].from != id || int(n.list[i].to) >= n.paths {
			return id
		}
		id, commit = n.list[i].to, n.list[i].at
	}
	return id
}

// find is the place of the first rename of a path after a commit, or of what
// comes behind: sort.Search without a call for every step.
func (n *names) find(id, commit uint32) int {
	lo, hi := 0, len(n.list)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if m := &n.list[mid]; m.from > id || m.from == id && m.at > commit {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// index is the index of a path.
func (v *View) index(path string) (uint32, bool, error) {
	if v.hashes == nil {
		b, err := v.src(Key{partHashes, 0})
		if err != nil {
			return 0, false, err
		}
		v.hashes = b
	}
	h := hashPath(path)
	n := len(v.hashes) / 8
	i := sort.Search(n, func(i int) bool { return binary.LittleEndian.Uint64(v.hashes[8*i:])>>24 >= h })
	if i == n {
		return 0, false, nil
	}
	w := binary.LittleEndian.Uint64(v.hashes[8*i:])
	id := uint32(w & (1<<24 - 1))
	return id, w>>24 == h && int(id) < v.head.paths, nil
}

// path is the path of an index.
func (v *View) path(id uint32) (string, error) {
	n := int(id / blockPaths)
	block, ok := v.blocks[n]
	if !ok {
		var err error
		if block, err = pathBlock(v.src, n); err != nil {
			return "", err
		}
		v.blocks[n] = block
	}
	if i := int(id % blockPaths); i < len(block) {
		return block[i], nil
	}
	return "", (&reader{bad: true}).err("paths")
}
