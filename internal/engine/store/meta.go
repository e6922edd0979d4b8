package store

import (
	"strconv"

	"ken/internal/code"
	"ken/internal/engine/history"
)

// HistoryLimit returns the number of commits to keep for a setting: 0 means the default, and a negative number none.
func HistoryLimit(commits int) int {
	switch n := commits; {
	case n < 0:
		return 0
	case n == 0:
		return history.DefaultLimit
	default:
		return n
	}
}

// Keys of Store.Meta.
const (
	MetaRevision = "revision"
	MetaPages    = "pages"         // what is written of files, a JSON list of objects, for the view nodes
	MetaCommit   = "commit"        // HEAD as of the last look
	MetaLooked   = "looked"        // time of the last look that noted something, nanoseconds since 1970
	MetaUnranked = "unranked"      // "1" while edges changed since ranks were computed
	MetaHot      = "hot"           // hotList
	MetaLimit    = "max_file_size" // sizeLimit the index was made with
	MetaSalt     = "salt"          // saltPrint of the salt the hashes were made with
	MetaBuilt    = "built"         // time of the build that began the count of revisions, nanoseconds since 1970
	MetaHistory  = "history"       // update/commits: key the history was read at
)

// NodePage is one entry of MetaPages: the parts of a file's written page that the view of nodes shows. An empty field
// means that the file's own value applies.
type NodePage struct {
	Path    string `json:"path"`
	Type    string `json:"type,omitempty"`
	Purpose string `json:"purpose,omitempty"`
	Status  string `json:"status,omitempty"`
	Entity  string `json:"entity"` // current or stale
}

// Revision returns the number of updates an index has seen since its build, 0 before the first is finished. It returns
// an error if the value cannot be read or is not a number.
func Revision(r Reader) (code.Rev, error) {
	v, err := r.Meta(MetaRevision)
	if err != nil || v == "" {
		return 0, err
	}
	n, err := strconv.ParseInt(v, 10, 64)
	return code.Rev(n), err
}
