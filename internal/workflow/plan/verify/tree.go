package verify

import (
	"io"
	"os"
	"path/filepath"

	"ken/internal/workflow/plan/planop"
)

// maxFile is the maximal number of bytes that are read of a project file.
const maxFile = 8 << 20

// projectTree reads files of the project. It reads nothing outside of it, not even through links.
type projectTree struct{ root *os.Root }

func openTree(c *planop.Call) (projectTree, error) {
	project, err := c.Project()
	if err != nil {
		return projectTree{}, err
	}
	root, err := os.OpenRoot(project)
	return projectTree{root}, err
}

func (t projectTree) close() error { return t.root.Close() }

func (t projectTree) exists(name string) bool {
	_, err := t.root.Stat(filepath.FromSlash(name))
	return err == nil
}

// read returns the beginning of a regular file of the project, at most maxFile bytes. It returns false if there is none.
func (t projectTree) read(name string) (string, bool) {
	name = filepath.FromSlash(name)
	if st, err := t.root.Stat(name); err != nil || !st.Mode().IsRegular() { // opening a pipe would wait for a writer
		return "", false
	}
	f, err := t.root.Open(name)
	if err != nil {
		return "", false
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxFile))
	return string(b), err == nil
}
