package store

// Place holds the paths of the files that ken keeps for one user of a project, and the marks by which it recognises them as that user's.
type Place struct {
	Index, Salt, Vectors string // paths
	Print                string // what the index carries; "" if the user has no id for the project yet
	Key                  string // what the salt is sealed with; "" as long as there is no id
	// Memory is the path of the recorded observations, and TaskKey the key of its rows of guarded tasks. Spool is the path of the events
	// that wait to be applied, and SpoolKey the key of its records. All are "" where nothing can be kept.
	Memory, TaskKey, Spool, SpoolKey string
	// Logs is the folder of the logs, and LogKey the key of their lines. Both are "" where no logs can be kept.
	Logs, LogKey string
	Beside       bool // their names have an ID in them, because index.db is another id's
	Temporary    bool // they are in a folder that is deleted at the end
}

// ForeignError reports an index that belongs to another user. errors.Is matches it with ErrForeign.
type ForeignError struct {
	Print string // what it carries, "" if nothing
	Newer bool   // a newer ken wrote it
}

func (e *ForeignError) Error() string { return ErrForeign.Error() }

// Is reports whether target is ErrForeign.
func (e *ForeignError) Is(target error) bool { return target == ErrForeign }
