package install

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxFile limits the files that are edited: settings of 20 MB have been seen.
const maxFile = 32 << 20

// errRaced reports that a file was changed between two reads.
var errRaced = errors.New("another program changes it at the same time")

// place is the target of a path: a path without links below a folder that it does not leave. Files are opened through os.Root, so that a
// link made later does not lead out either.
type place struct {
	path string // the user's path
	root string
	rel  string
}

func (p place) real() string { return filepath.Join(p.root, p.rel) }

// resolve follows the links of a path whose last parts need not exist.
func resolve(path string, within []string) (place, error) {
	real, rest := path, ""
	for {
		followed, err := filepath.EvalSymlinks(real)
		if err == nil {
			real = filepath.Join(followed, rest)
			break
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return place{}, err
		}
		if st, err := os.Lstat(real); err == nil && st.Mode()&fs.ModeSymlink != 0 {
			return place{}, fmt.Errorf("%s is a link to a missing file", real)
		}
		rest = filepath.Join(filepath.Base(real), rest)
		real = filepath.Dir(real)
	}
	for _, dir := range within {
		root, err := filepath.EvalSymlinks(dir)
		if err != nil {
			continue
		}
		rel, err := filepath.Rel(root, real)
		if err == nil && filepath.IsLocal(rel) {
			return place{path, root, rel}, checkForeign(path, real, rel)
		}
	}
	return place{}, fmt.Errorf("it is a link to %s, which is outside of %s", real, strings.Join(within, " and "))
}

// checkForeign fails if a link leads to files of git or ken, which a plan never names.
func checkForeign(path, real, rel string) error {
	for part := range strings.SplitSeq(filepath.ToSlash(rel), "/") {
		if strings.EqualFold(part, ".git") || strings.EqualFold(part, ".ken") {
			return fmt.Errorf("%s is a link to %s, which belongs to git or ken", path, real)
		}
	}
	return nil
}

// read returns the content of the file. It fails if that is not a regular file or too large.
func (p place) read() (content, error) {
	root, err := os.OpenRoot(p.root)
	if err != nil {
		return content{}, err
	}
	defer root.Close()
	st, err := root.Lstat(p.rel)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return content{}, nil
	case err != nil:
		return content{}, err
	case !st.Mode().IsRegular():
		return content{}, errors.New("it is not a regular file")
	case st.Size() > maxFile:
		return content{}, fmt.Errorf("it has %d bytes, more than the %d that ken edits", st.Size(), maxFile)
	}
	f, err := root.Open(p.rel)
	if err != nil {
		return content{}, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	return content{data, true}, err
}

// writable fails if the file is read-only, or if replacing it would give it to another owner.
func (p place) writable() error {
	st, err := os.Lstat(p.real())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if st.Mode().Perm()&0o222 == 0 {
		return errors.New("it is read-only")
	}
	return checkOwner(st)
}

// missingDirs returns the folders to make for the file, the outermost first.
func (p place) missingDirs() []string {
	var out []string
	for dir := filepath.Dir(p.real()); dir != p.root; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		out = append([]string{dir}, out...)
	}
	return out
}

// besideName returns a name for the file that is written before it replaces the other.
func besideName() string { return ".ken-" + rand.Text()[:12] + ".new" }

// replace writes a file beside, and renames it over the one with the content was. Mode and owner stay.
func (p place) replace(was content, data []byte, beside string, step func(string) error) error {
	root, err := os.OpenRoot(p.root)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.MkdirAll(filepath.Dir(p.rel), 0o755); err != nil {
		return err
	}
	temp := filepath.Join(filepath.Dir(p.rel), beside)
	if err := step("write beside " + p.path); err != nil {
		return err
	}
	if err := p.writeBeside(root, temp, data); err != nil {
		root.Remove(temp)
		return err
	}
	if err := step("replace " + p.path); err != nil {
		return err
	}
	now, err := p.read()
	if err == nil && !now.equal(was) {
		err = errRaced
	}
	if err == nil {
		err = root.Rename(temp, p.rel)
	}
	if err != nil {
		root.Remove(temp)
		return err
	}
	syncDir(filepath.Dir(p.real()))
	return nil
}

func (p place) writeBeside(root *os.Root, temp string, data []byte) error {
	old, err := root.Lstat(p.rel)
	mode := fs.FileMode(0o644)
	if err == nil {
		mode = old.Mode().Perm()
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := root.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if old != nil {
		err = errors.Join(err, f.Chmod(mode), keepOwner(f, old))
	}
	return errors.Join(err, f.Sync(), f.Close())
}

// remove deletes the file if its content is was.
func (p place) remove(was content, step func(string) error) error {
	if err := step("remove " + p.path); err != nil {
		return err
	}
	now, err := p.read()
	if err != nil || !now.exists {
		return err
	}
	if !now.equal(was) {
		return errRaced
	}
	root, err := os.OpenRoot(p.root)
	if err != nil {
		return err
	}
	defer root.Close()
	return root.Remove(p.rel)
}

// removeBeside deletes a file that a killed process left beside the file.
func (p place) removeBeside(beside string) {
	if beside != "" && filepath.IsLocal(beside) && filepath.Base(beside) == beside {
		os.Remove(filepath.Join(filepath.Dir(p.real()), beside))
	}
}

// syncDir makes a renaming durable, where a folder can be synced.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		d.Sync()
		d.Close()
	}
}
