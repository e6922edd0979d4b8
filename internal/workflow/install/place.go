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

// filePlace is the place of a file: a path without links below a folder that it does not leave. Files are opened through os.Root, so
// that a link made later does not lead out either.
type filePlace struct {
	path string // the user's path
	root string
	rel  string
}

func (p filePlace) realPath() string { return filepath.Join(p.root, p.rel) }

// resolvePlace follows the links of a path whose last elements need not exist.
func resolvePlace(path string, within []string) (filePlace, error) {
	real, rest := path, ""
	for {
		followed, err := filepath.EvalSymlinks(real)
		if err == nil {
			real = filepath.Join(followed, rest)
			break
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return filePlace{}, err
		}
		if st, err := os.Lstat(real); err == nil && st.Mode()&fs.ModeSymlink != 0 {
			return filePlace{}, fmt.Errorf("%s is a link to a missing file", real)
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
			return filePlace{path, root, rel}, checkForeign(path, real, rel)
		}
	}
	return filePlace{}, fmt.Errorf("it is a link to %s, which is outside of %s", real, strings.Join(within, " and "))
}

// checkForeign fails if a link leads to files of git or ken, which no plan names.
func checkForeign(path, real, rel string) error {
	for part := range strings.SplitSeq(filepath.ToSlash(rel), "/") {
		if strings.EqualFold(part, ".git") || strings.EqualFold(part, ".ken") {
			return fmt.Errorf("%s is a link to %s, which belongs to git or ken", path, real)
		}
	}
	return nil
}

// readFile returns the content of the file. It fails if that is not a regular file or too large.
func (p filePlace) readFile() (fileContent, error) {
	root, err := os.OpenRoot(p.root)
	if err != nil {
		return fileContent{}, err
	}
	defer root.Close()
	st, err := root.Lstat(p.rel)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fileContent{}, nil
	case err != nil:
		return fileContent{}, err
	case !st.Mode().IsRegular():
		return fileContent{}, errors.New("it is not a regular file")
	case st.Size() > maxFile:
		return fileContent{}, fmt.Errorf("it has %d bytes, more than the %d that ken edits", st.Size(), maxFile)
	}
	f, err := root.Open(p.rel)
	if err != nil {
		return fileContent{}, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	return fileContent{data, true}, err
}

// checkWritable fails if the file or its folder is read-only, or if replacing it would change its owner.
func (p filePlace) checkWritable() error {
	dir := filepath.Dir(p.realPath())
	for len(dir) > len(p.root) {
		if _, err := os.Lstat(dir); err == nil {
			break
		}
		dir = filepath.Dir(dir)
	}
	if err := checkFolder(dir); err != nil {
		return fmt.Errorf("nothing can be written in %s: %w", dir, err)
	}
	st, err := os.Lstat(p.realPath())
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
func (p filePlace) missingDirs() []string {
	var out []string
	for dir := filepath.Dir(p.realPath()); dir != p.root; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		out = append([]string{dir}, out...)
	}
	return out
}

// tempName returns a name for the temporary file that is written and then renamed over the old file.
func tempName() string { return ".ken-" + rand.Text()[:12] + ".new" }

// replaceFile writes a temporary file next to the old one and renames it, if the old file still has the content was. Mode and owner
// stay; mode is that of a new file.
func (p filePlace) replaceFile(was fileContent, data []byte, beside string, mode fs.FileMode, step func(string) error) error {
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
	if err := p.writeBeside(root, temp, data, mode); err != nil {
		root.Remove(temp)
		return err
	}
	if err := step("replace " + p.path); err != nil {
		return err
	}
	now, err := p.readFile()
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
	syncDir(filepath.Dir(p.realPath()))
	return nil
}

func (p filePlace) writeBeside(root *os.Root, temp string, data []byte, mode fs.FileMode) error {
	old, err := root.Lstat(p.rel)
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

// removeFile deletes the file if its content is still was.
func (p filePlace) removeFile(was fileContent, step func(string) error) error {
	if err := step("remove " + p.path); err != nil {
		return err
	}
	now, err := p.readFile()
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

// removeBeside deletes a temporary file that a killed process left.
func (p filePlace) removeBeside(beside string) {
	if beside != "" && filepath.IsLocal(beside) && filepath.Base(beside) == beside {
		os.Remove(filepath.Join(filepath.Dir(p.realPath()), beside))
	}
}

// syncDir makes a renaming in a folder durable, if the system can sync folders.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		d.Sync()
		d.Close()
	}
}
