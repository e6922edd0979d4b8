package owner

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// gitignore keeps everything that ken derives out of git, but not hand-written files.
const gitignore = "# Written by ken: only knowledge and settings are worth committing.\n*\n!/.gitignore\n!/config.yml\n!/knowledge/\n!/knowledge/**\n"

// WriteIgnore writes the ignore file of a folder .ken, if it has none. It is called before any other file is written there, so that git
// never sees one. It fails if the file cannot be written or is not regular.
func WriteIgnore(dir string) error {
	ignore := filepath.Join(dir, ".gitignore")
	switch st, err := os.Lstat(ignore); {
	case errors.Is(err, os.ErrNotExist):
		if err := os.WriteFile(ignore, []byte(gitignore), 0o644); err != nil {
			return fmt.Errorf("write %s: %w", ignore, err)
		}
	case err == nil && !st.Mode().IsRegular(): // git follows no link there, and would block on a pipe
		return fmt.Errorf("keep the index out of git: %s is no regular file; remove it", ignore)
	}
	return nil
}
