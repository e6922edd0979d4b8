package planop

import (
	"os"
	"path/filepath"

	"ken/internal/statefile"
	"ken/internal/workflow/plan/folder"
)

const maxText = 1 << 20

// ProjectText returns the text of a file named by a flag, relative to the user's directory. It returns an error if the file is not in the
// project, because a file named in a prompt could otherwise bring any file of the machine into a committed plan; and if it is not
// regular, too large or unreadable.
func (c *Call) ProjectText(name string) (string, error) {
	project, err := folder.Find(c.Dir, c.Home)
	if err != nil {
		return "", err
	}
	at := name
	if !filepath.IsAbs(at) {
		at = filepath.Join(c.Dir, at)
	}
	local, err := filepath.Rel(project, at)
	if err != nil || !filepath.IsLocal(local) {
		return "", Faultf("path_outside", "%.200s is not in the project", name)
	}
	root, err := os.OpenRoot(project)
	if err != nil {
		return "", err
	}
	defer root.Close()
	b, err := statefile.ReadIn(root, local, maxText)
	if err != nil {
		return "", &folder.Error{File: filepath.ToSlash(local), Err: err}
	}
	return string(b), nil
}
