// Package history keeps what git remembers of a project's past in a form that
// questions can be asked of: which commits changed which files, when, by how
// many people, and with what words. From it come files that change together,
// how lively a file is, and the files that past commits with words like these
// changed. It reads logs (internal/git) and packs what it keeps into blobs; where
// those are stored is the engine's business.
//
// What is kept are commits as git tells them (State). What becomes of a path by
// later renames, how far back a commit lies and which words are rare is worked
// out when asked (View), so that a history brought up to date commit by commit
// equals one read anew.
//
// Commits stand in one order, oldest first: by time, but after their parents
// (Commit.Order), then by id. A place in it is a commit's number. Merges are
// kept, since the order needs them, but change no files: what a merge brings
// was done by the commits it brings, and those are there. A diff against the
// first parent would count every one of them twice, and take as long as all
// others together.
package history

import (
	"cmp"
	"encoding/hex"
	"slices"
	"time"

	"ken/internal/engine/words"
)

// DefaultLimit is the number of commits kept unless told otherwise.
const DefaultLimit = 20_000

// MaxFiles is the number of files from which on a commit is bulk: a licence
// year, a formatter's run. It says nothing about any one of them, and its list
// of files is not kept; its renames are.
const MaxFiles = 100

// ID is the beginning of a commit's object id: 80 bits.
type ID [10]byte

// ParseID makes an ID of an object id in hex.
func ParseID(s string) (id ID, ok bool) {
	if len(s) < 2*len(id) {
		return id, false
	}
	_, err := hex.Decode(id[:], []byte(s[:2*len(id)]))
	return id, err == nil
}

// String is the id in hex, which git understands.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// Commit is one commit of a State.
type Commit struct {
	ID   ID
	Time int64 // of the committer, seconds since 1970
	// Order is Time, or later: one more than the largest of its parents', where
	// a clock was wrong or several commits share a second.
	Order   int64
	Author  uint32 // index in State.Authors
	Merge   bool
	Cut     bool     // a shallow clone has not its parents: what it changed is not known
	Files   int      // files it changed, of the whole repository
	Touched []uint32 // indexes in State.Paths, ascending; nil of a bulk commit
	Renames []Rename
	Terms   []Word // distinct, ascending
	Subject string // first line of its message, secrets masked; "" of a merge
}

// Rename is a file that got another path. Both are indexes in State.Paths.
type Rename struct{ From, To uint32 }

// Word is a term of a message: words.Term << 1, plus 1 if it stands in the
// subject.
type Word uint64

// Term is the term without the mark.
func (w Word) Term() words.Term { return words.Term(w >> 1) }

// State is a history as it was read.
type State struct {
	Head    string // object id in full; "" if there is none
	Shallow bool
	Limit   int    // commits that were to be kept at most
	Problem string // why nothing could be read, "" if something could
	Commits []Commit
	Paths   []string
	Authors []uint64 // hashes of mail addresses

	base uint32 // number of Commits[0]
	// stored is how many of the first commits are packed already as they are, under
	// the numbers they have.
	stored int
}

// Full reports whether there may be more commits than are kept.
func (s *State) Full() bool { return len(s.Commits) >= s.Limit }

// HeadTime is the time ages are counted from: that of HEAD's commit.
func (s *State) headTime() int64 {
	id, ok := ParseID(s.Head)
	if !ok {
		return 0
	}
	for i := len(s.Commits) - 1; i >= 0; i-- {
		if s.Commits[i].ID == id {
			return s.Commits[i].Time
		}
	}
	return 0
}

func compareCommits(a, b Commit) int {
	return cmp.Or(cmp.Compare(a.Order, b.Order), slices.Compare(a.ID[:], b.ID[:]))
}

// arrange puts added commits into the order and drops the oldest beyond the
// limit. Commits that were there keep their numbers if the others come after
// them, as they do on most days.
func (s *State) arrange(added []Commit) {
	slices.SortFunc(added, compareCommits)
	n := len(s.Commits)
	s.Commits = append(s.Commits, added...)
	if n > 0 && len(added) > 0 && compareCommits(s.Commits[n-1], added[0]) > 0 {
		slices.SortFunc(s.Commits, compareCommits)
		s.base, s.stored = 0, 0
	}
	if n := len(s.Commits) - s.Limit; n > 0 {
		s.Commits = slices.Delete(s.Commits, 0, n)
		s.base += uint32(n)
		s.stored = max(0, s.stored-n)
	}
	if s.base > maxBase {
		s.base, s.stored = 0, 0
	}
}

// maxBase keeps the numbers of commits far from what a place in them may hold.
const maxBase = 1 << 30

// Info is what there is to say of a history as a whole.
type Info struct {
	Commits int    // kept, merges included
	Merges  int    // of them
	Head    string // commit it was read at, "" if there is none
	Time    time.Time
	Shallow bool   // git has not all commits
	Limit   int    // commits kept at most
	Problem string // why there is none: "no git repository", …; "" if there is one
}
