package project

import "ken/internal/operation"

// Excluded counts the files that the project's own settings leave out. The settings came with the project, so the reader of a complete
// answer should know of them.
type Excluded struct {
	Files       int `json:"excluded_files,omitempty" doc:"files that the project's own settings and .kenignore leave out"`
	Directories int `json:"excluded_directories,omitempty" doc:"directories that they leave out, with all that is in them"`
}

// Line returns a line: "3 files and 1 directory excluded by this project's settings", or "" if nothing is excluded.
func (e Excluded) Line() string {
	var what string
	switch {
	case e.Files > 0 && e.Directories > 0:
		what = operation.Plural(e.Files, "file") + " and " + operation.Plural(e.Directories, "directory")
	case e.Files > 0:
		what = operation.Plural(e.Files, "file")
	case e.Directories > 0:
		what = operation.Plural(e.Directories, "directory")
	default:
		return ""
	}
	return what + " excluded by this project's settings\n"
}
