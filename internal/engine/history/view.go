package history

import (
	"encoding/binary"
	"math"
	"runtime"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
	"time"
)

// View answers questions from a packed history, whose blobs it reads when first needed. It is not safe for concurrent
// use.
type View struct {
	src    Source
	head   header
	loaded bool
	ages   []float64 // weight by age in weeks; older commits count as the last entry, nearly 0
	sizes  []float64 // see sizeWeight
	// By commit, its number minus base:
	weight      []float32 // for co-change, 0 for a bulk commit
	ageWeights  []float32 // by its age alone
	activity30  []float32 // by the number of commits after it: 1/e after 30
	activity180 []float32 // … after 180
	when        []int64
	author      []uint32
	size        []uint16  // terms of its message
	norm        []float32 // the part of BM25's divisor that depends on the length of the message
	fileStarts  []uint32  // start of its files in files
	fileStops   []uint32  // end of its files in files

	withTerms int      // number of commits with terms
	files     []uint32 // indexes of paths by their present names, commit by commit, with gaps
	merges    int
	hashes    []byte
	// Made by invert: the commits of each file, ascending, and the sum of their weights.
	commitEnds  []uint32
	fileCommits []uint32
	fileWeight  []float32
	// For the last query: the scores of commits, the bits of its heaviest terms that they hold, and the weights of those
	// terms.
	lastQuery  []Query
	score      []float32
	heldTerms  []uint64
	termWeight [maxScoredTerms]float64
	scratch    []uint32
	lastPaths  []string // the last list of paths, and their positions in it; see places
	lastPlaces []int32

	blocks   map[int][]byte // of paths, packed
	text     []byte
	subjects map[int][][]byte // by block
	lastIDs  blockCommitIDs
}

// blockCommitIDs holds the ids of the commits of a block and the numbers of files they changed.
type blockCommitIDs struct {
	block int
	list  []ID
	files []int
}

// NewView opens a packed history. It returns nil if there is none, and an error if it cannot be read or is damaged.
func NewView(src Source) (*View, error) {
	h, ok, err := openHeader(src)
	if err != nil || !ok {
		return nil, err
	}
	return &View{src: src, head: h, blocks: map[int][]byte{}, subjects: map[int][][]byte{}}, nil
}

// Info describes the history. It returns an error if the history cannot be read.
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

// halfLife is the time in which a commit loses half its weight, in weeks: three years. Given one file of a commit, the
// first ten of CoChanged held 44.2 % of the others with one year, 44.9 % with one and a half, 45.6 % with three and 45.8
// % with six (last 500 commits of typeorm, netty and sympy).
const halfLife = 156

// fading returns n weights that fall with age: 1 for the last commit, 1/e for one followed by every others.
func fading(n int, every float64) []float32 {
	out := make([]float32, n)
	step, w := math.Exp(-1/every), 1.0
	for i := n - 1; i >= 0; i-- {
		out[i] = float32(w)
		w *= step
	}
	return out
}

// sizeWeight returns the weight of a commit of n files as evidence about any two of them.
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
	v.ages, v.sizes = make([]float64, 12*halfLife), make([]float64, MaxFiles+1)
	for i := range v.ages {
		v.ages[i] = math.Exp2(-float64(i) / halfLife)
	}
	for n := 1; n < len(v.sizes); n++ {
		v.sizes[n] = 1 / math.Sqrt(float64(max(n-1, 1)))
	}
	list, err := unpackRenames(v.src)
	if err != nil {
		return err
	}
	blocks, room, err := v.fetch()
	if err != nil {
		return err
	}
	n := len(v.when)
	v.weight, v.ageWeights, v.author, v.size = make([]float32, n), make([]float32, n), make([]uint32, n), make([]uint16, n)
	v.fileStarts, v.fileStops, v.files = make([]uint32, n), make([]uint32, n), make([]uint32, room)
	names := newNames(list, v.head.paths)
	var wg sync.WaitGroup
	var next atomic.Int32
	for range min(len(blocks), runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(blocks); i = int(next.Add(1)) - 1 {
				blocks[i].err = v.openBlock(&blocks[i], names)
			}
		})
	}
	wg.Wait()
	for i := range blocks {
		if blocks[i].err != nil {
			return blocks[i].err
		}
		v.merges += blocks[i].merges
	}
	v.measure()
	v.activity30, v.activity180 = fading(n, 30), fading(n, 180)
	v.loaded = true
	return nil
}

// block is a run of commits that are packed together.
type block struct {
	commits, files []byte
	first          int // index of its first stored commit
	want           int // number of its stored commits
	room           int // start of its files in View.files
	merges         int
	err            error
}

// fetch reads the blocks, and sums up how many files they can hold: each takes at least a byte. It allocates v.when.
func (v *View) fetch() (list []block, room int, err error) {
	for first, end := v.head.base, v.head.base+uint32(v.head.n); first < end; {
		k := first / blockCommits
		stop := min((k+1)*blockCommits, end)
		b := block{first: int(first - v.head.base), want: int(stop - first), room: room}
		if b.commits, err = v.src(Key{partCommits, int(k)}); err != nil {
			return nil, 0, err
		}
		if b.files, err = v.src(Key{partFiles, int(k)}); err != nil {
			return nil, 0, err
		}
		if len(b.commits) < b.want || len(b.files) < b.want { // before there is room for so many
			return nil, 0, (&reader{bad: true}).err("commits")
		}
		room += len(b.files)
		list, first = append(list, b), stop
	}
	v.when = make([]int64, v.head.n)
	return list, room, nil
}

// measure prepares the lengths of messages for BM25.
func (v *View) measure() {
	sum := 0
	for _, n := range v.size {
		if n > 0 {
			sum += int(n)
			v.withTerms++
		}
	}
	v.norm = make([]float32, len(v.size))
	for i, n := range v.size {
		v.norm[i] = k1 * (1 - b1 + b1*float32(n)*float32(v.withTerms)/float32(max(sum, 1)))
	}
}

// openBlock reads the last commits of a block. The oldest block may hold more commits than the history.
func (v *View) openBlock(b *block, names *names) error {
	n, err := v.openCommits(b, 0)
	skip := n - b.want
	if err == nil && skip > 0 {
		_, err = v.openCommits(b, skip)
	}
	if err != nil || skip < 0 {
		return (&reader{bad: true}).err("commits")
	}
	f := reader{b: b.files}
	for range skip {
		for range f.count() {
			f.uint()
		}
	}
	at := uint32(b.room)
	for i := b.first; i < b.first+b.want; i++ {
		v.fileStarts[i] = at
		k := f.count()
		at = v.openFiles(&f, k, at, v.head.base+uint32(i), names)
		v.fileStops[i] = at
		weeks := max(0, v.head.time-v.when[i]) / (7 * 24 * 3600)
		age := v.ages[min(weeks, int64(len(v.ages)-1))]
		v.ageWeights[i] = float32(age)
		v.weight[i] = float32(age * v.sizeWeight(k))
	}
	return f.err("files")
}

// openCommits reads the commits of a block, except the first skip. It returns the number of commits in the block.
func (v *View) openCommits(b *block, skip int) (int, error) {
	r := reader{b: b.commits}
	n, when := 0, int64(0)
	b.merges = 0
	for ; r.more(); n++ {
		r.take(len(ID{}))
		when += r.int()
		r.int()
		author, flags := r.id(), r.uint()
		r.uint()
		size := r.uint()
		if n < skip || n-skip >= b.want {
			continue
		}
		i := b.first + n - skip
		v.when[i], v.author[i], v.size[i] = when, author, uint16(min(size, maxTerms))
		b.merges += int(flags & flagMerge)
	}
	return n, r.err("commits")
}

// openFiles reads the files of one commit, by their present names, into v.files from at on. It returns the end.
func (v *View) openFiles(f *reader, k int, at, commit uint32, names *names) uint32 {
	list := v.files[at : int(at)+k]
	id, moved := uint32(0), false
	for i := range list {
		id += f.id()
		if int(id) >= v.head.paths {
			f.bad = true
			return at
		}
		list[i] = id
		if names.left[id] {
			list[i], moved = names.now(id, commit), true
		}
	}
	if moved {
		slices.Sort(list)
		list = slices.Compact(list)
	}
	return at + uint32(len(list))
}

func (v *View) changedFiles(i int) []uint32 { return v.files[v.fileStarts[i]:v.fileStops[i]] }

// names finds the present names of paths that were renamed later.
type names struct {
	list  []commitRename // by from, commit
	left  []bool         // by index: some rename led away from the path
	paths int
}

func newNames(list []commitRename, paths int) *names {
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

// now returns the name that a file, called id in a commit, has after the renames of
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

// find returns the position of the first rename of a path after a commit, or where it would be. It is sort.Search
// without a call for every step, because a view calls it for each file of each commit.
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

// index returns the index of a path.
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

// path returns the path with an index. Blocks stay packed, because usually only a path or two of a block is needed.
func (v *View) path(id uint32) (string, error) {
	n := int(id / blockPaths)
	block, ok := v.blocks[n]
	if !ok {
		var err error
		if block, err = v.src(Key{partPaths, n}); err != nil {
			return "", err
		}
		v.blocks[n] = block
	}
	r := reader{b: block}
	path := v.text[:0]
	for range id%blockPaths + 1 {
		k := int(r.id())
		if k > len(path) || !r.more() {
			return "", (&reader{bad: true}).err("paths")
		}
		path = append(path[:k], r.take(r.count())...)
	}
	v.text = path
	return string(path), r.err("paths")
}
