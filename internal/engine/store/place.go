package store

// Place is where one user's files of a project are, and what they carry by which
// they are recognised.
type Place struct {
	Index, Salt, Vectors string // paths
	Print                string // what the index carries; "" if the user has no id for the project yet
	Key                  string // what the salt is sealed with; "" as long as there is no id
	// Memory is where what was observed is kept, and Spool where events are until they are
	// applied, with the key of its records; "" where nothing can be kept.
	Memory, Spool, SpoolKey string
	// Logs is the folder of the logs, and LogKey the key of their lines; "" where none can be kept.
	Logs, LogKey string
	Beside       bool // their names have an ID in them, because index.db is another id's
	Temporary    bool // they are in a folder that is deleted at the end
}

// ForeignError says that an index is not the user's. It is ErrForeign.
type ForeignError struct {
	Print string // what it carries, "" if nothing
	Newer bool   // a newer ken wrote it
}

func (e *ForeignError) Error() string { return ErrForeign.Error() }

// Is makes errors.Is find ErrForeign.
func (e *ForeignError) Is(target error) bool { return target == ErrForeign }
