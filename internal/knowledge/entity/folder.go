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

	"ken/internal/code"
	"ken/internal/knowledge/textfile"
)

// Dir is the folder of written pages, below the project's root, and Archive that of pages whose files are gone.
const (
	Dir     = ".ken/knowledge/entities"
	Archive = Dir + "/archive"
)

// maxPages bounds how many files of the folder are read.
const maxPages = 50_000

// Folder is the folder of written pages of a project. It is made when the first page is written.
type Folder struct{ Root string }

// KeptPage is a written page and the name of its file in the folder. If the page cannot be read, Page is nil, Broken is the
// reason, and the file is left alone.
type KeptPage struct {
	Name   string
	Page   *Page
	Broken string
}

// List returns every page of the folder by the name of its file. It returns the pages that could be read together with an
// error if the folder cannot be read or holds too many.
func (d Folder) List() ([]KeptPage, error) {
	names, err := textfile.MarkdownFiles(d.Root, Dir, maxPages)
	var out []KeptPage
	for _, n := range names {
		out = append(out, d.Read(n))
	}
	return out, err
}

// Read returns the page in an existing file of the folder.
func (d Folder) Read(name string) KeptPage {
	k := KeptPage{Name: name}
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

// Find returns the page of a file: that of its id, else one with its path; Kept{} if there is none. It returns a broken page
// under the id too, so that the caller does not overwrite it. It fails if the folder cannot be read.
func (d Folder) Find(id, file string) (KeptPage, error) {
	if ok, err := textfile.FolderExists(d.Root, Dir); !ok {
		return KeptPage{}, err
	}
	dir := filepath.Join(d.Root, filepath.FromSlash(Dir))
	_, err := os.Lstat(filepath.Join(dir, id+".md"))
	if err == nil {
		if k := d.Read(id + ".md"); k.Page == nil || k.Page.Head.Path == file {
			return k, nil
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return KeptPage{}, err
	}
	all, err := d.List()
	i := slices.IndexFunc(all, func(k KeptPage) bool { return k.Page != nil && k.Page.Head.Path == file })
	if err != nil || i < 0 {
		return KeptPage{}, err
	}
	return all[i], nil
}

// PageAt returns the page under an id if it belongs to a file, else nil. It reads at most one file, while Find may read all. It
// ignores errors, because a broken repository must not keep questions from being answered; List reports them.
func (d Folder) PageAt(id, file string) *Page {
	if ok, err := textfile.FolderExists(d.Root, Dir); ok && err == nil {
		if k := d.Read(id + ".md"); k.Page != nil && k.Page.Head.Path == file {
			return k.Page
		}
	}
	if p := d.NestedPage(file, d.HasNested); p != nil {
		return p
	}
	return d.OtherPage(id, file)
}

// NestedPage returns the page that a sub-folder with a folder of pages of its own has of a file, with its path from this root; that of the
// outermost such sub-folder, nil if there is none. Such pages are read, and never listed, refreshed or moved. has reports whether a
// sub-folder has pages, as HasNested does.
func (d Folder) NestedPage(file string, has func(dir string) bool) *Page {
	for i, c := range file {
		if c != '/' || !has(file[:i]) {
			continue
		}
		dir, rest := file[:i], file[i+1:]
		inner := Folder{Root: filepath.Join(d.Root, filepath.FromSlash(dir))}
		if k := inner.Read(code.Slug(rest) + ".md"); k.Page != nil && k.Page.Head.Path == rest {
			k.Page.Head.Path = file
			return k.Page
		}
	}
	return nil
}

// HasNested reports whether a sub-folder has a folder of pages of its own.
func (d Folder) HasNested(dir string) bool {
	ok, err := textfile.FolderExists(filepath.Join(d.Root, filepath.FromSlash(dir), ".ken"), "knowledge/entities")
	return ok && err == nil
}

// OtherDir is the folder in which another program keeps pages of the same form. They are read if ken has no page, and never
// listed, refreshed or moved.
const OtherDir = ".planning/intel/entities"

// OtherPage returns the page of a file that another program keeps, nil if there is none or it cannot be read.
func (d Folder) OtherPage(id, file string) *Page {
	text, ok, err := textfile.Read(d.Root, path.Join(OtherDir, id+".md"), maxRead)
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

// Write writes a page under its id, and removes the file that it had under a former name. It fails if the page is too large
// or a file cannot be written or removed.
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

// Archive moves a page into the folder of archived pages, which nothing reads. If that has a page of the same name, the new
// one gets a number. It fails if the file cannot be moved.
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
