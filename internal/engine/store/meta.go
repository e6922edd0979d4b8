package store

import (
	"strconv"

	"ken/internal/code"
	"ken/internal/engine/history"
)

// HistoryLimit returns the number of commits to keep for the value of the setting: 0 means the default, a negative number none.
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

// The keys of the single values that Meta reads and MetaWriter stores.
const (
	MetaRevision  = "revision"
	MetaPages     = "pages"         // what is written of files, a JSON list of objects, for the view nodes
	MetaPageWords = "page_words"    // the words of written pages, by delivery/project
	MetaCommit    = "commit"        // HEAD as of the last look
	MetaLooked    = "looked"        // time of the last look that noted something, nanoseconds since 1970
	MetaUnranked  = "unranked"      // "1" while edges changed since ranks were computed
	MetaHot       = "hot"           // the symbols that many files use, by ask/overview
	MetaLimit     = "max_file_size" // Tree.SizeLimit the index was made with
	MetaSalt      = "salt"          // source.SaltPrint of the salt the hashes were made with
	MetaBuilt     = "built"         // time at which the index was built or rebuilt, nanoseconds since 1970
	MetaHistory   = "history"       // update/commits: key the history was read at
)

// NodePage is one entry of MetaPages: the parts of a file's page, as a user wrote it, that overwrite derived values
// in a listing of the graph's nodes. An empty field leaves the derived value.
type NodePage struct {
	Path    string `json:"path"`
	Type    string `json:"type,omitempty"`
	Purpose string `json:"purpose,omitempty"`
	Status  string `json:"status,omitempty"`
	Entity  string `json:"entity"` // current or stale
}

// Revision returns the revision of the index, 0 before its build is finished. It grows with each transaction after which
// answers may differ, and with each rebuild of an index that can be read. It returns an error if the value cannot be read or is
// not a number.
func Revision(r Reader) (code.Rev, error) {
	v, err := r.Meta(MetaRevision)
	if err != nil || v == "" {
		return 0, err
	}
	n, err := strconv.ParseInt(v, 10, 64)
	return code.Rev(n), err
}
