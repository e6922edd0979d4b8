package history

import (
	"cmp"
	"math"
	"slices"
	"time"

	"ken/internal/engine/words"
)

// Query is one term of a query and its weight relative to the others.
type Query struct {
	Term   words.Term
	Weight float64
}

// LearnedFile is a file that past commits with messages similar to a query changed.
type LearnedFile struct {
	Path    string
	Score   float64 // comparable within one answer; the best has 1
	Commits []int   // numbers of at most three commits it was learned from, best first; see View.Commit
}

// PastCommit is a commit whose message is similar to a query.
type PastCommit struct {
	Number  int
	Hash    string // first 20 hex digits of its object id
	Subject string // masked
	Time    time.Time
	Files   []string // files it changed, by their present names; without those that keep rejects
	Changed int      // number of all files it changed
	Score   float64  // comparable within one answer; the best has 1
}

// The parameters of BM25, and the count of a word in the subject.
const (
	k1           = 1.2
	b1           = 0.5
	subjectCount = 2
)

// topCommits is the number of most similar commits from which files are learned. Both 30 and 240 found fewer of the
// right files.
const topCommits = 60

// hit is a commit and its similarity to the query.
type hit struct {
	commit uint32
	score  float32
}

// similar ranks commits by their messages: BM25 over distinct terms, words of the
// subject counted twice. It returns the best limit, best first.
func (v *View) similar(terms []Query, limit int) ([]hit, error) {
	if err := v.scoreCommits(terms); err != nil || v.withTerms == 0 {
		return nil, err
	}
	return v.top(limit), nil
}

// scoreCommits scores all commits for a query, unless it is the same as the last one.
func (v *View) scoreCommits(terms []Query) error {
	if err := v.open(); err != nil || v.withTerms == 0 || v.score != nil && slices.Equal(terms, v.lastQuery) {
		return err
	}
	if v.score == nil {
		v.score, v.heldTerms = make([]float32, v.head.n), make([]uint64, v.head.n)
	}
	clear(v.score)
	clear(v.heldTerms)
	clear(v.termWeight[:])
	v.lastQuery = nil
	c := cursor{src: v.src, bucket: -1}
	list := mergeTerms(terms)
	bit := heaviest(list)
	for i, q := range list {
		posts, err := c.seek(q.Term)
		if err != nil {
			return err
		}
		if err := v.add(posts, q.Weight, bit[i]); err != nil {
			return err
		}
	}
	v.lastQuery = slices.Clone(terms)
	return nil
}

// mergeTerms sorts terms, drops those without weight, and sums the weights of one that occurs twice.
func mergeTerms(terms []Query) []Query {
	list := slices.Clone(terms)
	slices.SortStableFunc(list, func(a, b Query) int { return cmp.Compare(a.Term, b.Term) })
	out := list[:0]
	for _, q := range list {
		switch n := len(out); {
		case !(q.Weight > 0):
		case n > 0 && out[n-1].Term == q.Term:
			out[n-1].Weight += q.Weight
		default:
			out = append(out, q)
		}
	}
	return out
}

// cursor finds the stored commits of terms, which must be asked for in ascending order.
type cursor struct {
	src    Source
	bucket int
	r      reader
	term   words.Term // the term read last, with its postings
	posts  []byte
	end    bool
}

func (c *cursor) seek(t words.Term) ([]byte, error) {
	if t>>termBits != 0 {
		return nil, nil
	}
	if k := int(t >> (termBits - bucketBits)); k != c.bucket {
		b, err := c.src(Key{partTerms, k})
		if err != nil {
			return nil, err
		}
		*c = cursor{src: c.src, bucket: k, r: reader{b: b}, term: words.Term(k) << (termBits - bucketBits)}
		c.next()
	}
	for !c.end && c.term < t {
		c.next()
	}
	if c.end || c.term != t {
		return nil, c.r.err("terms")
	}
	return c.posts, nil
}

func (c *cursor) next() {
	if !c.r.more() {
		c.end = true
		return
	}
	c.term += words.Term(c.r.uint())
	c.posts = c.r.take(c.r.count())
}

// add adds a term's weight to the scores of the commits that hold it, and marks them with its bit, if it has one.
func (v *View) add(posts []byte, weight float64, bit int8) error {
	r := reader{b: posts}
	v.scratch = v.scratch[:0]
	at := uint32(0)
	for r.more() {
		at += r.id()
		if i := int(at>>1) - int(v.head.base); i >= 0 && i < v.head.n {
			v.scratch = append(v.scratch, uint32(i)<<1|at&1)
		}
	}
	df := float64(len(v.scratch))
	idf := math.Log(1 + (float64(v.withTerms)-df+0.5)/(df+0.5))
	once, twice := float32(weight*idf*(k1+1)), float32(weight*idf*(k1+1)*subjectCount)
	mark := uint64(0)
	if bit >= 0 {
		v.termWeight[bit], mark = weight*idf, 1<<bit
	}
	for _, at := range v.scratch {
		i := at >> 1
		v.heldTerms[i] |= mark
		if at&1 == 1 {
			v.score[i] += twice / (subjectCount + v.norm[i])
		} else {
			v.score[i] += once / (1 + v.norm[i])
		}
	}
	return r.err("terms")
}

// top returns the commits with the best scores, the newest first among equals.
func (v *View) top(limit int) []hit {
	var list []hit
	least := float32(0)
	for i := len(v.score) - 1; i >= 0; i-- {
		s := v.score[i]
		if s <= least {
			continue
		}
		at, _ := slices.BinarySearchFunc(list, s, func(h hit, s float32) int {
			if h.score >= s {
				return -1
			}
			return 1
		})
		list = slices.Insert(list, at, hit{uint32(i), s})
		if len(list) > limit {
			list = list[:limit]
		}
		if len(list) == limit {
			least = list[limit-1].score
		}
	}
	return list
}

// fileEvidence is a file with the evidence that past commits give for it.
type fileEvidence struct {
	index   uint32
	score   float64
	commits []int
}

func (l *fileEvidence) rank() float64 { return l.score }
func (l *fileEvidence) file() uint32  { return l.index }

// LearnedFiles finds the files changed by the commits most similar to a query, best first. From each such commit a file
// gets the commit's score relative to the best one, cubed, damped by the number of files the commit changed and a little
// by its age. keep selects the files that count; limit 0 means no limit. It returns the error of keep, or one if the
// history cannot be read.
func (v *View) LearnedFiles(terms []Query, limit int, keep func(string) (bool, error)) ([]LearnedFile, error) {
	hits, err := v.similar(terms, topCommits)
	if err != nil || len(hits) == 0 {
		return nil, err
	}
	at := map[uint32]*fileEvidence{}
	var list []*fileEvidence
	for _, h := range hits {
		files := v.changedFiles(int(h.commit))
		share := float64(h.score / hits[0].score)
		share *= share * share * v.sizeWeight(len(files)) * math.Sqrt(float64(v.ageWeights[h.commit]))
		for _, f := range files {
			l, ok := at[f]
			if !ok {
				l = &fileEvidence{index: f}
				at[f] = l
				list = append(list, l)
			}
			l.score += share
			if len(l.commits) < 3 {
				l.commits = append(l.commits, int(h.commit))
			}
		}
	}
	var out []LearnedFile
	err = best(list, limit, v.path, keep, func(l *fileEvidence, path string) {
		out = append(out, LearnedFile{Path: path, Score: l.score, Commits: l.commits})
	})
	for i := range out { // after the loop, since the first's is the unit
		if i > 0 {
			out[i].Score /= out[0].Score
		}
	}
	if len(out) > 0 {
		out[0].Score = 1
	}
	return out, err
}

// SimilarCommits finds the commits whose messages are most similar to a query, best first, the newest first among
// equals. keep selects the files that are listed. It returns the error of keep, or one if the history cannot be read.
func (v *View) SimilarCommits(terms []Query, limit int, keep func(string) (bool, error)) ([]PastCommit, error) {
	if limit <= 0 {
		limit = topCommits
	}
	hits, err := v.similar(terms, limit)
	if err != nil {
		return nil, err
	}
	var out []PastCommit
	for _, h := range hits {
		c, err := v.Commit(int(h.commit), keep)
		if err != nil {
			return nil, err
		}
		c.Score = float64(h.score / hits[0].score)
		out = append(out, c)
	}
	return out, nil
}

// Commit returns the commit with a number from an answer of this view. It returns an error if there is no such commit or
// the history cannot be read.
func (v *View) Commit(number int, keep func(string) (bool, error)) (PastCommit, error) {
	if err := v.open(); err != nil {
		return PastCommit{}, err
	}
	n, back, err := v.findBlock(number)
	if err != nil {
		return PastCommit{}, err
	}
	k, err := v.commitIDs(n)
	if err != nil || back >= len(k.list) {
		return PastCommit{}, (&reader{bad: true}).err("commits")
	}
	i := len(k.list) - 1 - back
	c := PastCommit{Number: number, Hash: k.list[i].String(), Changed: k.files[i], Time: time.Unix(v.when[number], 0).UTC()}
	if c.Subject, err = v.Subject(number); err != nil {
		return c, err
	}
	for _, f := range v.changedFiles(number) {
		path, err := v.path(f)
		if err != nil {
			return c, err
		}
		if keep != nil {
			if ok, err := keep(path); err != nil {
				return c, err
			} else if !ok {
				continue
			}
		}
		c.Files = append(c.Files, path)
	}
	slices.Sort(c.Files)
	return c, nil
}

// commitIDs returns the ids of the commits of a block. The last block is kept, because neighbours are often asked for together.
func (v *View) commitIDs(n int) (*blockCommitIDs, error) {
	if k := &v.lastIDs; k.list == nil || k.block != n {
		b, err := v.src(Key{partCommits, n})
		if err != nil {
			return nil, err
		}
		ids, counts, err := blockIDs(b)
		if err != nil {
			return nil, err
		}
		v.lastIDs = blockCommitIDs{n, ids, counts}
	}
	return &v.lastIDs, nil
}

// findBlock returns the block of a commit, and the number of commits after it there. They are counted from the end because
// a block may begin below base.
func (v *View) findBlock(number int) (n, back int, err error) {
	if number < 0 || number >= v.head.n {
		return 0, 0, (&reader{bad: true}).err("number of a commit")
	}
	at := v.head.base + uint32(number)
	k := at / blockCommits
	last := min((k+1)*blockCommits, v.head.base+uint32(v.head.n)) - 1
	return int(k), int(last - at), nil
}

// Subject returns the subject of the commit with a number from an answer of this view, with its secrets masked. It
// returns an error if there is no such commit or the history cannot be read.
func (v *View) Subject(number int) (string, error) {
	n, back, err := v.findBlock(number)
	if err != nil {
		return "", err
	}
	list, ok := v.subjects[n]
	if !ok {
		b, err := subjects(v.src, n)
		if err != nil {
			return "", err
		}
		r := reader{b: b}
		for r.more() {
			list = append(list, r.take(r.count()))
		}
		if r.bad {
			return "", r.err("subjects")
		}
		v.subjects[n] = list
	}
	if back >= len(list) {
		return "", (&reader{bad: true}).err("subjects")
	}
	return string(list[len(list)-1-back]), nil
}

// blockIDs returns the ids of the commits of a block and the numbers of files they changed.
func blockIDs(b []byte) (ids []ID, files []int, err error) {
	r := reader{b: b}
	for r.more() {
		var id ID
		copy(id[:], r.take(len(id)))
		r.int()
		r.int()
		r.uint()
		r.uint()
		ids, files = append(ids, id), append(files, int(r.id()))
		r.uint()
	}
	return ids, files, r.err("commits")
}
