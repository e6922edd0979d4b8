// Package history answers questions from a project's past: which commits changed
// which files, when, by how many people, and with what words. From these come the
// files that change together, the activity of a file, and the files that past
// commits with similar messages changed. It reads logs through internal/git and
// packs commits into blobs, which engine/update stores and engine/view reads back.
//
// State holds commits as git reports them. The later names of a renamed path, the
// age of a commit and the rarity of a word are computed when a View answers, so
// that a history updated commit by commit equals one read anew.
//
// Commits have one order, oldest first: by time, but after their parents
// (Commit.Order), then by id. A commit's number is its index in that order. Merges
// are kept because the order needs them, but they change no files: the commits they
// bring are in the history themselves, so that a diff against the first parent
// would count each of those twice, and take as long as all other diffs together.
package history

import (
	"cmp"
	"encoding/hex"
	"slices"
	"time"

	"ken/internal/engine/words"
)

// DefaultLimit is the number of commits stored unless the settings give another.
const DefaultLimit = 20_000

// MaxFiles is the number of files above which a commit counts as bulk: a new licence year, a formatter's run. Its list
// of files is not stored, because it is no evidence about any one of them; its renames are.
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

// String returns the id in hex, which git understands.
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
	Cut     bool     // a shallow clone lacks its parents, so that its changes are unknown
	Files   int      // files it changed, of the whole repository
	Touched []uint32 // indexes in State.Paths, ascending; nil for a bulk commit
	Renames []Rename
	Terms   []Word // distinct, ascending
	Subject string // first line of its message, secrets masked; "" for a merge
}

// Rename is a file that got another path. Both are indexes in State.Paths.
type Rename struct{ From, To uint32 }

// Word is a term of a message: words.Term << 1, plus 1 if the subject has it.
type Word uint64

// Term returns the term without the mark.
func (w Word) Term() words.Term { return words.Term(w >> 1) }

// State is a history in memory.
type State struct {
	Head    string // object id in full; "" if there is none
	Shallow bool
	Limit   int    // commits that were to be kept at most
	Problem string // why nothing could be read, "" if something could
	Commits []Commit
	Paths   []string
	Authors []uint64 // hashes of mail addresses

	base    uint32 // number of Commits[0]
	dropped int64  // the latest Order of commits that arrange dropped; 0 if it dropped none
	// stored is the number of the first commits that are already stored in packed
	// form, with the numbers they have now.
	stored int
}

// Full reports whether the state holds as many commits as its limit allows, so that the repository may have more.
func (s *State) Full() bool { return len(s.Commits) >= s.Limit }

// headTime returns the time that ages are counted from: that of HEAD's commit.
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

// arrange sorts the added commits into the state and drops the oldest beyond the limit. Earlier commits keep their
// numbers if the added ones come after them, which is the usual case.
func (s *State) arrange(added []Commit) {
	slices.SortFunc(added, compareCommits)
	n := len(s.Commits)
	s.Commits = append(s.Commits, added...)
	if n > 0 && len(added) > 0 && compareCommits(s.Commits[n-1], added[0]) > 0 {
		slices.SortFunc(s.Commits, compareCommits)
		s.base, s.stored = 0, 0
	}
	if n := len(s.Commits) - s.Limit; n > 0 {
		s.dropped = s.Commits[n-1].Order
		s.Commits = slices.Delete(s.Commits, 0, n)
		s.base += uint32(n)
		s.stored = max(0, s.stored-n)
	}
	if s.base > maxBase {
		s.base, s.stored = 0, 0
	}
}

// maxBase keeps the numbers of commits far below what a packed number can hold.
const maxBase = 1 << 30

// Info describes a history as a whole.
type Info struct {
	Commits int    // stored, merges included
	Merges  int    // number of merges among them
	Head    string // commit it was read at, "" if there is none
	Time    time.Time
	Shallow bool   // git lacks some commits
	Limit   int    // commits stored at most
	Problem string // why there is none: "no git repository", …; "" if there is one
}
