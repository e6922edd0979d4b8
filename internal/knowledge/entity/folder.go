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

	"ken/internal/knowledge/textfile"
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
	names, err := textfile.Markdown(d.Root, Dir, maxPages)
	var out []Kept
	for _, n := range names {
		out = append(out, d.read(n))
	}
	return out, err
}

// read reads the page in a file of the folder, which is there.
func (d Folder) read(name string) Kept {
	k := Kept{Name: name}
	text, ok, err := textfile.Read(d.Root, path.Join(Dir, name), maxRead)
	if err == nil && !ok {
		err = errors.New("it was there a moment ago")
	}
	if err == nil {
		k.Page, err = Parse(text)
	}
	if err == nil && k.Page.Head.Path == "" {
		err = &textfile.FormatError{Line: 1, Why: "the front matter has no path"}
	}
	if err != nil {
		k.Page, k.Broken = nil, err.Error()
	}
	return k
}

// Find is the page of a file, Kept{} if there is none: that of its id, else one that names its
// path. A broken page under its id is given, so that nobody writes over it.
func (d Folder) Find(id, file string) (Kept, error) {
	if ok, err := textfile.Inside(d.Root, Dir); !ok {
		return Kept{}, err
	}
	dir := filepath.Join(d.Root, filepath.FromSlash(Dir))
	_, err := os.Lstat(filepath.Join(dir, id+".md"))
	if err == nil {
		if k := d.read(id + ".md"); k.Page == nil || k.Page.Head.Path == file {
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
	if ok, err := textfile.Inside(d.Root, Dir); !ok || err != nil {
		return d.Other(id, file)
	}
	if k := d.read(id + ".md"); k.Page != nil && k.Page.Head.Path == file {
		return k.Page
	}
	return d.Other(id, file)
}

// others is where another program keeps pages of the same form. They are read in the place of a
// page that nobody has written here, and never listed, refreshed or moved.
const others = ".planning/intel/entities"

// Other is the page of a file that another program keeps, nil if there is none that can be read.
func (d Folder) Other(id, file string) *Page {
	text, ok, err := textfile.Read(d.Root, path.Join(others, id+".md"), maxRead)
	if !ok || err != nil {
		return nil
	}
	p, err := Parse(text)
	if err != nil || p.Head.Path != file {
		return nil
	}
	p.Head.API, p.Head.Seen = "", "" // of which version of the file it is nobody knows
	return p
}

// Write writes a page under its id, all or nothing, and takes its former file away where that
// had another name.
func (d Folder) Write(p *Page, former string) error {
	if p.Head.ID == "" || strings.ContainsAny(p.Head.ID, `/\`) {
		return fmt.Errorf("no id to write a page under: %q", p.Head.ID)
	}
	if err := textfile.Replace(d.Root, path.Join(Dir, p.Head.ID+".md"), p.String()); err != nil {
		return fmt.Errorf("write the page of %s: %w", p.Head.Path, err)
	}
	if former != "" && former != p.Head.ID+".md" {
		return os.Remove(filepath.Join(d.Root, filepath.FromSlash(Dir), former))
	}
	return nil
}

// Archive moves a page out of the way, below the folder of archived pages, where nothing reads
// it. An archived page of the same name is kept: the new one gets a number.
func (d Folder) Archive(name string) error {
	if err := textfile.MakeDir(d.Root, Archive); err != nil {
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
