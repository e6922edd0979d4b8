// Package patterns keeps how the code of a project is written, as it was last counted, so that
// a session can begin with it: counting reads every declaration, for which nobody waits then. It
// is kept in the user's state directory, because a repository could bring along what it likes
// below its own. Its neighbours store/gauge and store/eventtimes keep other small things there.
package patterns

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"ken/internal/knowledge/convention"
)

// maxFile is the largest file that is read, in bytes.
const maxFile = 32 << 10

// File is the patterns of one project.
type File struct{ path string }

// New are the patterns of the project at root, kept below a directory; "" keeps none.
func New(dir, root string) File {
	if dir == "" {
		return File{}
	}
	sum := sha256.Sum256([]byte(root))
	return File{filepath.Join(dir, hex.EncodeToString(sum[:12])+".json")}
}

// Get is what was kept last, nothing if that is nothing, or cannot be read.
func (f File) Get() (list []convention.Pattern) {
	st, err := os.Lstat(f.path)
	if f.path == "" || err != nil || !st.Mode().IsRegular() || st.Size() > maxFile {
		return nil
	}
	b, err := os.ReadFile(f.path)
	if err != nil || json.Unmarshal(b, &list) != nil {
		return nil
	}
	return list
}

// Put keeps patterns in place of those before.
func (f File) Put(list []convention.Pattern) error {
	if f.path == "" {
		return nil
	}
	b, err := json.Marshal(list)
	if err != nil || len(b) > maxFile {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
		return fmt.Errorf("keep patterns: %w", err)
	}
	t, err := os.CreateTemp(filepath.Dir(f.path), "new-*")
	if err != nil {
		return fmt.Errorf("keep patterns: %w", err)
	}
	_, err = t.Write(b)
	if err = errors.Join(err, t.Close()); err == nil {
		err = os.Rename(t.Name(), f.path)
	}
	if err != nil {
		os.Remove(t.Name())
		return fmt.Errorf("keep patterns: %w", err)
	}
	return nil
}
