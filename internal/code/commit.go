package code

// LogCommit is one commit of a log.
type LogCommit struct {
	ID      string
	Parents []string // none: a root
	Time    int64    // of the committer, seconds since 1970; 0 if it cannot be read
	Email   string   // of the author
	Message []byte   // in UTF-8 as far as git knows its encoding; at most git.MaxMessage bytes
	Cut     bool     // the message is longer
	// Changes against the only parent, or none for a root; a merge has none. At
	// most a bound of git; Files is their true number.
	Changes []LogChange
	Files   int
}

// LogChange is one file that a commit changed.
type LogChange struct {
	Status byte   // A, D, M, R, T, …: git-diff(1), --diff-filter
	Path   string // relative to the top of the working tree, the new one of a rename
	From   string // of a rename the old one
}
