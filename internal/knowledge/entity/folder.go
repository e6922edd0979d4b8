package entity

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Dir is where written pages are, below the project's root, and Archive where those of files
// that are gone are moved.
const (
	Dir     = ".ken/knowledge/entities"
	Archive = Dir + "/archive"
)

// maxPages bounds how many files of the folder are read.
const maxPages = 50_000

// Folder is the folder of written pages of a project. It is not made before a page is written.
type Folder struct{ Root string }

// Kept is a written page and the name of its file in the folder. Of a page that cannot be read
// Page is nil and Broken says why; its file is left alone.
type Kept struct {
	Name   string
	Page   *Page
	Broken string
}

// List is every page of the folder, by name of its file. An error is one of the folder itself.
func (d Folder) List() ([]Kept, error) {
	dir := filepath.Join(d.Root, filepath.FromSlash(Dir))
	if ok, err := d.own(Dir); !ok {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("read the pages: %w", err)
	}
	var out []Kept
	for _, e := range entries {
		if e.IsDir() || !strings.HasSuffix(e.Name(), ".md") {
			continue
		}
		if len(out) == maxPages {
			return out, fmt.Errorf("%s holds more than %d pages: the others are not read", Dir, maxPages)
		}
		out = append(out, d.read(dir, e))
	}
	return out, nil
}

// own reports whether a folder below the root is there and is one, and none on the way to it
// is a link: a link could lead out of the project.
func (d Folder) own(dir string) (bool, error) {
	at := d.Root
	for _, part := range strings.Split(dir, "/") {
		at = filepath.Join(at, part)
		st, err := os.Lstat(at)
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if !st.IsDir() {
			return false, fmt.Errorf("%s is no folder: it is not used", at)
		}
	}
	return true, nil
}

func (d Folder) read(dir string, e fs.DirEntry) Kept {
	k := Kept{Name: e.Name()}
	st, err := e.Info()
	switch {
	case err != nil:
		k.Broken = err.Error()
	case !st.Mode().IsRegular():
		k.Broken = "no regular file"
	case st.Size() > maxRead:
		k.Broken = fmt.Sprintf("%d bytes, more than %d", st.Size(), maxRead)
	default:
		b, err := os.ReadFile(filepath.Join(dir, k.Name))
		if err == nil {
			k.Page, err = Parse(string(b))
		}
		if err == nil && k.Page.Head.Path == "" {
			err = &FormatError{1, "the front matter has no path"}
		}
		if err != nil {
			k.Page, k.Broken = nil, err.Error()
		}
	}
	return k
}

// Find is the page of a file, Kept{} if there is none: that of its id, else one that names its
// path. A broken page under its id is given, so that nobody writes over it.
func (d Folder) Find(id, file string) (Kept, error) {
	if ok, err := d.own(Dir); !ok {
		return Kept{}, err
	}
	dir := filepath.Join(d.Root, filepath.FromSlash(Dir))
	st, err := os.Lstat(filepath.Join(dir, id+".md"))
	if err == nil {
		if k := d.read(dir, fs.FileInfoToDirEntry(st)); k.Page == nil || k.Page.Head.Path == file {
			return k, nil
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return Kept{}, err
	}
	all, err := d.List()
	i := slices.IndexFunc(all, func(k Kept) bool { return k.Page != nil && k.Page.Head.Path == file })
	if err != nil || i < 0 {
		return Kept{}, err
	}
	return all[i], nil
}

// At is the page under an id if it is that of a file, else nil. It reads one file at most, where
// Find may read all. A folder or page that cannot be used counts as none, because a repository
// could otherwise keep every answer from being given; List names it.
func (d Folder) At(id, file string) *Page {
	if ok, err := d.own(Dir); !ok || err != nil {
		return nil
	}
	dir := filepath.Join(d.Root, filepath.FromSlash(Dir))
	st, err := os.Lstat(filepath.Join(dir, id+".md"))
	if err != nil {
		return nil
	}
	if k := d.read(dir, fs.FileInfoToDirEntry(st)); k.Page != nil && k.Page.Head.Path == file {
		return k.Page
	}
	return nil
}

// Write writes a page under its id, all or nothing, and takes its former file away where that
// had another name.
func (d Folder) Write(p *Page, former string) error {
	if p.Head.ID == "" || strings.ContainsAny(p.Head.ID, `/\`) {
		return fmt.Errorf("no id to write a page under: %q", p.Head.ID)
	}
	dir := filepath.Join(d.Root, filepath.FromSlash(Dir))
	if err := d.make(Dir); err != nil {
		return err
	}
	if err := replace(dir, p.Head.ID+".md", p.String()); err != nil {
		return fmt.Errorf("write the page of %s: %w", p.Head.Path, err)
	}
	if former != "" && former != p.Head.ID+".md" {
		return os.Remove(filepath.Join(dir, former))
	}
	return nil
}

// make makes a folder below the root, one part after the other, so that nothing is made
// behind a link.
func (d Folder) make(dir string) error {
	at := ""
	for part := range strings.SplitSeq(dir, "/") {
		at = path.Join(at, part)
		if err := os.Mkdir(filepath.Join(d.Root, filepath.FromSlash(at)), 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		if _, err := d.own(at); err != nil {
			return err
		}
	}
	return nil
}

// replace writes a file beside the one it replaces and renames it.
func replace(dir, name, text string) error {
	f, err := os.CreateTemp(dir, ".new-*")
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, name))
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// Archive moves a page out of the way, below the folder of archived pages, where nothing reads
// it. An archived page of the same name is kept: the new one gets a number.
func (d Folder) Archive(name string) error {
	if err := d.make(Archive); err != nil {
		return err
	}
	from := filepath.Join(d.Root, filepath.FromSlash(Dir), name)
	stem := strings.TrimSuffix(name, ".md")
	for n := 1; ; n++ {
		to := filepath.Join(d.Root, filepath.FromSlash(Archive), name)
		if n > 1 {
			to = filepath.Join(d.Root, filepath.FromSlash(Archive), fmt.Sprintf("%s-%d.md", stem, n))
		}
		if _, err := os.Lstat(to); errors.Is(err, fs.ErrNotExist) {
			return os.Rename(from, to)
		} else if err != nil {
			return err
		}
	}
}
