package agreement

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"ken/internal/code"
	"ken/internal/knowledge/textfile"
)

// Dir is the folder of agreements, below the project's root; codeIntel is the folder of another program, whose agreements
// are read and never written.
const (
	Dir       = ".ken/knowledge/agreements"
	codeIntel = ".code-intel/agreements"
)

// maxPages is the number of pages that are read of one folder.
const maxPages = 10_000

// Folder is the folder of a project's agreements. It is made when the first is written. Writers hold the lock of knowledge.
type Folder struct{ Root string }

// KeptPage is an agreement with the path of its file, relative to the root. If the page cannot be read, Page is nil,
// Broken is the reason, and the file is left alone.
type KeptPage struct {
	File   string
	Page   *Agreement
	Broken string
}

// IsOwn reports whether ken may change the page.
func (k *KeptPage) IsOwn() bool { return strings.HasPrefix(k.File, Dir+"/") }

// List returns every agreement by file, ken's own first. Of several pages for one pair it returns the first. It returns the
// agreements that could be read together with an error if a folder cannot be read or holds too many pages.
func (d Folder) List() ([]KeptPage, error) { return d.First(maxPages) }

// First returns the agreements as List does, but reads at most most pages of each folder, for callers that cannot wait for all.
func (d Folder) First(most int) (out []KeptPage, err error) {
	seen := map[string]bool{}
	for _, dir := range []string{Dir, codeIntel} {
		names, failed := textfile.MarkdownFiles(d.Root, dir, most)
		err = errors.Join(err, failed)
		for _, n := range names {
			k := d.readPage(path.Join(dir, n))
			if k.Page != nil {
				if seen[k.Page.pairKey()] {
					continue
				}
				seen[k.Page.pairKey()] = true
			}
			out = append(out, k)
		}
	}
	return out, err
}

func (d Folder) readPage(file string) KeptPage {
	k := KeptPage{File: file}
	text, ok, err := textfile.Read(d.Root, file, maxPage)
	if err == nil && !ok {
		err = errors.New("it was there a moment ago")
	}
	if err == nil {
		k.Page, err = Parse(text)
	}
	if err != nil {
		k.Page, k.Broken = nil, err.Error()
	}
	return k
}

// Put writes an agreement, or adds new evidence to the page that has the pair already, and returns the page. It fails if the
// folder cannot be read or the page cannot be written.
func (d Folder) Put(a *Agreement) (KeptPage, error) {
	list, err := d.List()
	if err != nil {
		return KeptPage{}, err
	}
	taken := map[string]bool{}
	for _, k := range list {
		if !k.IsOwn() {
			continue
		}
		taken[strings.ToLower(path.Base(k.File))] = true
		if k.Page != nil && k.Page.pairKey() == a.pairKey() {
			k.Page.AddEvidence(a.Evidence...)
			k.Page.Status, k.Page.Since = Valid, ""
			return k, d.writePage(k)
		}
	}
	// A page that repeats the pair of another is not in the list, and its file is not free.
	k := KeptPage{File: path.Join(Dir, d.freeName(a, taken)), Page: a}
	return k, d.writePage(k)
}

// maxStem is the length in bytes of the longest part of a page's file name, because file systems allow 255 in all.
const maxStem = 80

// freeName returns a free name for the page of a pair. A name that is taken, in any case of letters, gets a part of the pair's
// hash.
func (d Folder) freeName(a *Agreement, taken map[string]bool) string {
	stem := slug(a.Term) + "--" + slug(a.Symbol)
	if a.Symbol == "" {
		stem = slug(a.Term) + "--" + slug(a.File)
	}
	free := func(name string) bool {
		_, err := os.Lstat(filepath.Join(d.Root, filepath.FromSlash(Dir), name))
		return !taken[name] && errors.Is(err, os.ErrNotExist)
	}
	if name := stem + ".md"; free(name) {
		return name
	}
	h := sha256.Sum256([]byte(a.pairKey()))
	for n := 0; ; n++ {
		name := fmt.Sprintf("%s~%s.md", stem, hex.EncodeToString(h[:4]))
		if n > 0 {
			name = fmt.Sprintf("%s~%s-%d.md", stem, hex.EncodeToString(h[:4]), n)
		}
		if free(name) {
			return name
		}
	}
}

// slug returns a text in a form that can be part of a file name.
func slug(s string) string {
	s = code.Slug(strings.ReplaceAll(s, ".", "-") + ".x") // a dot would begin an extension
	if len(s) > maxStem {
		s = strings.TrimRight(s[:code.CutLength(s, maxStem)], "-")
	}
	return s
}

// Write replaces a page. It fails if the file cannot be written or the page would be too large.
func (d Folder) Write(k KeptPage) error { return d.writePage(k) }

func (d Folder) writePage(k KeptPage) error {
	if !k.IsOwn() {
		return fmt.Errorf("%s is another program's: it is not written", k.File)
	}
	if err := textfile.Replace(d.Root, k.File, k.Page.String()); err != nil {
		return fmt.Errorf("write the agreement of %q: %w", k.Page.Term, err)
	}
	return nil
}

// Remove deletes a page. It fails if the page is not in ken's own folder or the file cannot be removed.
func (d Folder) Remove(k KeptPage) error {
	if !k.IsOwn() {
		return fmt.Errorf("%s is another program's: remove it there", k.File)
	}
	if ok, err := textfile.FolderExists(d.Root, Dir); !ok {
		return err
	}
	return os.Remove(filepath.Join(d.Root, filepath.FromSlash(k.File)))
}
